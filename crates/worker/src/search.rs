//! Finds the records of a file that match a query.

use std::cell::RefCell;
use std::io::{self, Cursor};
use std::rc::Rc;

use evalcheck_blob::Throttle;
use evalcheck_engine::changed::ChangedRecords;
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{LateFindings, MatchedLines, Search, short_names};
use evalcheck_report::view::{Direction, Hit};
use evalcheck_wire::query::Query;
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::RequestId;

use crate::check::{FileCheck, NOT_READ};
use crate::jobs::{Jobs, STOPPED, post_advance};
use crate::progress::PROGRESS_EVERY;
use crate::regex;

/// Records whose rows are kept. Rows of later records are made again when they are requested.
const MOST_KEPT: usize = 10_000;

/// Records that are posted with the first message that has any, so that the page need not request them.
const FIRST_HITS: usize = 50;

/// The last search. It runs, or has ended, and answers questions.
#[derive(Default)]
pub(crate) struct Searches(RefCell<Option<Found>>);

/// The results of a search.
struct Found {
    /// The check that searches.
    check: Rc<FileCheck>,
    /// The first records that match.
    first: Vec<Hit>,
}

impl Searches {
    /// The check of a search.
    ///
    /// # Errors
    /// Another search began since.
    pub(crate) fn find(&self, request: RequestId) -> io::Result<Rc<FileCheck>> {
        let last = self.0.borrow();
        let found = last.as_ref().map(|found| &found.check).filter(|check| check.id() == request);
        found.map(Rc::clone).ok_or_else(|| io::Error::other("The search is not known any more."))
    }

    /// Of some lines, whether they belong to records that a search has found.
    pub(crate) fn matches(&self, request: RequestId, from: u64, count: u32) -> io::Result<Vec<bool>> {
        let lines = from..from.saturating_add(count.into());
        self.ask(request, |found| lines.map(|line| found.contains(line)).collect())
    }

    /// The nearest line after or before another one on which a record begins that a search has found.
    pub(crate) fn next_line(
        &self,
        request: RequestId,
        from: u64,
        direction: Direction,
    ) -> io::Result<Option<u64>> {
        self.ask(request, |found| found.next(from, direction))
    }

    /// Asks the lines that a search has found.
    fn ask<T>(&self, request: RequestId, question: impl FnOnce(&MatchedLines) -> T) -> io::Result<T> {
        let found = self.find(request)?;
        let check = found.check();
        Ok(question(searched(&check)?.lines()))
    }

    /// Records that a search has found. `shown` is the check of the same file.
    pub(crate) fn list(
        &self,
        request: RequestId,
        from: u64,
        count: u32,
        shown: &FileCheck,
    ) -> io::Result<Vec<Hit>> {
        let found = self.find(request)?;
        let last = self.0.borrow();
        let kept = last.as_ref().map(|found| &found.first[..]).unwrap_or_default();
        let kept = usize::try_from(from).ok().and_then(|from| kept.get(from..)).unwrap_or_default();
        if !kept.is_empty() {
            return Ok(kept.iter().take(count as usize).cloned().collect());
        }
        let check = found.check();
        let search = searched(&check)?;
        let numbers = from..from.saturating_add(count.into());
        let records: Vec<u64> = numbers.map_while(|number| search.matches().select(number)).collect();
        shown.view(|view| view.hits(&records, search))
    }

    fn begin(&self, check: &Rc<FileCheck>) {
        self.0.replace(Some(Found { check: Rc::clone(check), first: Vec::new() }));
    }

    /// Keeps results of the search, and returns their number.
    fn add(&self, hits: Vec<Hit>) -> u64 {
        let count = hits.len() as u64;
        if let Some(found) = &mut *self.0.borrow_mut() {
            let room = MOST_KEPT - found.first.len();
            found.first.extend(hits.into_iter().take(room));
        }
        count
    }
}

/// The search of a check that searches.
fn searched(check: &Check) -> io::Result<&Search> {
    check.observer().ok_or_else(|| io::Error::other("The search is not known any more."))
}

/// Searches the file of a check, and returns the number of matching records.
pub(crate) async fn search(
    request: RequestId,
    shown: &FileCheck,
    query: &str,
    searches: &Searches,
    jobs: &Jobs,
) -> Result<Answer, String> {
    let query = Query::parse(query, &short_names()).map_err(|error| format!("{error}."))?;
    regex::load_for(&query).await?;
    let stopped = || STOPPED.to_owned();
    if !jobs.is_wanted(request) {
        return Err(stopped());
    }
    let mut purpose: Purpose = Purpose::search();
    let check = shown.again(request, &purpose)?;
    let format = check.check().dataset().format;
    let mut search = Search::new(&query, format, regex::compile).map_err(|error| error.message)?;
    let changed = shown.check().observer().map(ChangedRecords::records);
    search.note_changed(changed.unwrap_or_default());
    if check.check().needs_late_findings(&query) {
        let first = shown.again(request, &purpose)?;
        first.check().observe(LateFindings::default());
        let ending = Rc::clone(&first);
        let after_piece = |running: &mut Check| {
            Purpose::<Cursor<Vec<u8>>>::search().take(running);
            if !jobs.is_wanted(request) {
                ending.end();
            }
        };
        if !first.read_silently(after_piece).await {
            return Err(stopped());
        }
        if let Some(late) = first.check().take_observer() {
            search.note_late(late);
        }
    }
    check.check().observe(search);
    searches.begin(&check);
    let mut count = 0;
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let mut post = |check: &mut Check| {
        let hits = check.observer_mut().map(Search::take_hits).unwrap_or_default();
        let first_hits: Vec<Hit> =
            if count == 0 { hits.iter().take(FIRST_HITS).cloned().collect() } else { Vec::new() };
        count += searches.add(hits);
        if !first_hits.is_empty() || progress.is_due() {
            let progress = check.progress();
            let (bytes, total_bytes) = (progress.bytes, progress.total_bytes);
            post_advance(request, Advance { bytes, total_bytes, count, first_hits, pass: 0 });
        }
    };
    let ending = Rc::clone(&check);
    let after_piece = |running: &mut Check| {
        purpose.take(running);
        if jobs.is_wanted(request) {
            post(running);
        } else {
            ending.end();
        }
    };
    if !check.read_silently(after_piece).await {
        return Err(stopped());
    }
    post(&mut check.check());
    let is_read = check.check().is_read();
    if is_read { Ok(Answer::Found(count)) } else { Err(NOT_READ.to_owned()) }
}
