//! Finds the records of a file that match a query.

use std::cell::{Cell, RefCell};
use std::io::{self, Cursor};
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, Throttle};
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{MatchedLines, Matches, short_names};
use evalcheck_wire::query::Query;
use evalcheck_wire::view::{Direction, Hit};
use evalcheck_wire::worker::{CheckId, CheckOptions, Event, RequestId};
use web_sys::Blob;

use crate::check::{FileCheck, NOT_READ};
use crate::progress::PROGRESS_EVERY;
use crate::{port, regex, watch};

/// The maximum number of records whose rows are kept. Later rows are made again on request.
const MOST_KEPT: usize = 10_000;

/// Records that are posted with the first hits, so that the page need not request them.
const FIRST_HITS: usize = 50;

/// The last search. It runs, or has ended and answers questions.
#[derive(Default)]
pub(crate) struct Searches {
    /// The search that runs.
    running: Cell<Option<CheckId>>,
    last: RefCell<Option<Found>>,
}

/// The results of a search.
struct Found {
    /// The check that searches.
    check: Rc<FileCheck>,
    /// The first records that match.
    first: Vec<Hit>,
}

impl Searches {
    /// Stops a search; its results are kept.
    pub(crate) fn stop(&self, id: CheckId) {
        if self.running.get() == Some(id) {
            self.running.set(None);
        }
    }

    /// The check of the last search, if it has this id.
    pub(crate) fn find(&self, id: CheckId) -> Option<Rc<FileCheck>> {
        self.last.borrow().as_ref().map(|found| &found.check).filter(|check| check.id() == id).map(Rc::clone)
    }

    /// Posts which of some lines belong to records that the search has found. Posts nothing if it is not the last search.
    pub(crate) fn post_lines(&self, id: CheckId, request: RequestId, from: u64, count: u32) {
        let lines = from..from.saturating_add(count.into());
        if let Some(matches) = self.ask(id, |found| lines.map(|line| found.contains(line)).collect()) {
            port::post(&Event::MatchingLines { id, request, matches });
        }
    }

    /// The nearest line after or before another line at which a record begins that the search has found.
    pub(crate) fn next_line(&self, id: CheckId, from: u64, direction: Direction) -> Option<u64> {
        self.ask(id, |found| found.next(from, direction)).flatten()
    }

    /// Answers a question about the lines that the search has found; `None` if it is not the last search.
    fn ask<T>(&self, id: CheckId, question: impl FnOnce(&MatchedLines) -> T) -> Option<T> {
        let found = self.find(id)?;
        let check = found.check();
        check.searched().map(|search| question(search.lines()))
    }

    /// Returns records that the search has found; `None` if it is not the last search. `shown` is the check of the same file.
    pub(crate) fn list(
        &self,
        id: CheckId,
        from: u64,
        count: u32,
        shown: &FileCheck,
    ) -> Option<io::Result<Vec<Hit>>> {
        let last = self.last.borrow();
        let found = last.as_ref().filter(|found| found.check.id() == id)?;
        let kept = usize::try_from(from).ok().and_then(|from| found.first.get(from..)).unwrap_or_default();
        if !kept.is_empty() {
            return Some(Ok(kept.iter().take(count as usize).cloned().collect()));
        }
        let check = found.check.check();
        let search = check.searched()?;
        let numbers = from..from.saturating_add(count.into());
        let records: Vec<u64> = numbers.map_while(|number| search.matches().select(number)).collect();
        Some(shown.hits(&records, search))
    }

    fn begin(&self, check: &Rc<FileCheck>) {
        self.last.replace(Some(Found { check: Rc::clone(check), first: Vec::new() }));
    }

    /// Keeps the results of a search, and returns their number.
    fn add(&self, hits: Vec<Hit>) -> u64 {
        let count = hits.len() as u64;
        if let Some(found) = &mut *self.last.borrow_mut() {
            let room = MOST_KEPT - found.first.len();
            found.first.extend(hits.into_iter().take(room));
        }
        count
    }
}

/// Searches a file until it is read or the search is stopped, and posts progress.
pub(crate) async fn run(
    id: CheckId,
    options: CheckOptions,
    query: &str,
    file: (Blob, FileSnapshot),
    changed: Matches,
    searches: &Searches,
) {
    searches.running.set(Some(id));
    match search(id, options, query, file, changed, searches).await {
        Ok(Some(count)) => port::post(&Event::Searched { id, count }),
        Ok(None) => {}
        Err(why) => port::post(&Event::NotSearched { id, why }),
    }
    watch::note_rest();
}

/// Returns the number of matching records; `None` if it is no longer wanted.
async fn search(
    id: CheckId,
    options: CheckOptions,
    query: &str,
    (file, snapshot): (Blob, FileSnapshot),
    changed: Matches,
    searches: &Searches,
) -> Result<Option<u64>, String> {
    let query = Query::parse(query, &short_names()).map_err(|error| format!("{error}."))?;
    regex::load_for(&query).await?;
    if searches.running.get() != Some(id) {
        return Ok(None);
    }
    let mut purpose: Purpose = Purpose::search();
    let options = purpose.options(options);
    let check = FileCheck::start(id, file.clone(), snapshot, options.clone())?;
    check.check().search(&query, regex::compile).map_err(|error| error.message)?;
    check.check().search_changed(changed);
    if check.check().needs_late_findings(&query) {
        let first = FileCheck::start(id, file, snapshot, options)?;
        first.check().keep_late_findings();
        let ending = Rc::clone(&first);
        let after_piece = |running: &mut Check| {
            Purpose::<Cursor<Vec<u8>>>::search().take(running);
            if searches.running.get() != Some(id) {
                ending.end();
            }
        };
        if !first.read_silently(after_piece).await {
            return Ok(None);
        }
        check.check().search_late(first.check().late_findings());
    }
    searches.begin(&check);
    let mut count = 0;
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let mut post = |check: &mut Check| {
        let hits = check.take_hits();
        let first_hits: Vec<Hit> =
            if count == 0 { hits.iter().take(FIRST_HITS).cloned().collect() } else { Vec::new() };
        count += searches.add(hits);
        if !first_hits.is_empty() || progress.is_due() {
            port::post(&Event::Hits { id, count, progress: check.progress(), first_hits });
        }
    };
    let ending = Rc::clone(&check);
    let after_piece = |running: &mut Check| {
        purpose.take(running);
        if searches.running.get() == Some(id) {
            post(running);
        } else {
            ending.end();
        }
    };
    if !check.read_silently(after_piece).await {
        return Ok(None);
    }
    post(&mut check.check());
    let is_read = check.check().is_read();
    if is_read { Ok(Some(count)) } else { Err(NOT_READ.to_owned()) }
}
