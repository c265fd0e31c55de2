//! Finds the records of a file that match a query.

use std::cell::RefCell;
use std::io::{self, Cursor};
use std::rc::Rc;

use evalcheck_blob::Throttle;
use evalcheck_engine::changed::ChangedRecords;
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{LateFindings, Search, short_names};
use evalcheck_report::view::{Direction, Record, Rows};
use evalcheck_wire::query::Query;
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::RequestId;

use crate::check::{FileCheck, NOT_READ};
use crate::jobs::{Jobs, STOPPED, post_advance};
use crate::progress::PROGRESS_EVERY;
use crate::regex;

/// The answer to a question about an earlier search.
const UNKNOWN: &str = "The search is not known any more.";

/// The check of the last search. It runs, or has ended, and answers questions.
#[derive(Default)]
pub(crate) struct Searches(RefCell<Option<Rc<FileCheck>>>);

impl Searches {
    /// The check of a search.
    ///
    /// # Errors
    /// Another search began since.
    pub(crate) fn find(&self, request: RequestId) -> io::Result<Rc<FileCheck>> {
        let last = self.0.borrow();
        let found = last.as_ref().filter(|check| check.id() == request);
        found.map(Rc::clone).ok_or_else(|| io::Error::other(UNKNOWN))
    }

    /// Of some lines, whether they belong to records that a search has found.
    pub(crate) fn matches(&self, request: RequestId, from: u64, count: u32) -> io::Result<Vec<bool>> {
        let lines = from..from.saturating_add(count.into());
        self.ask(request, |search| lines.map(|line| search.lines().contains(line)).collect())
    }

    /// The nearest line after or before another one on which a record begins that a search has found.
    pub(crate) fn next_line(
        &self,
        request: RequestId,
        from: u64,
        direction: Direction,
    ) -> io::Result<Option<u64>> {
        self.ask(request, |search| search.lines().next(from, direction))
    }

    /// The position of a record among those that a search has found so far.
    pub(crate) fn position(&self, request: RequestId, record: u64) -> io::Result<Option<u64>> {
        self.ask(request, |search| search.position(record))
    }

    /// Records that a search has found. `shown` is the check of the same file.
    pub(crate) fn list(
        &self,
        request: RequestId,
        from: u64,
        count: u32,
        shown: &FileCheck,
    ) -> io::Result<Rows> {
        let numbers = from..from.saturating_add(count.into());
        self.ask(request, |search| {
            let records: Vec<u64> = numbers.map_while(|number| search.select(number)).collect();
            shown.view(|view| view.found_rows(&records, search))
        })?
    }

    /// Marks what a search finds in a record. Nothing is marked for a search that is not known any more.
    pub(crate) fn mark(&self, request: RequestId, record: &mut Record) {
        let _ = self.ask(request, |search| search.mark(record));
    }

    /// Asks a search.
    fn ask<T>(&self, request: RequestId, question: impl FnOnce(&Search) -> T) -> io::Result<T> {
        let found = self.find(request)?;
        let check = found.check();
        Ok(question(check.observer().ok_or_else(|| io::Error::other(UNKNOWN))?))
    }
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
    searches.0.replace(Some(Rc::clone(&check)));
    let mut count = 0;
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let mut post = |check: &mut Check| {
        let before = count;
        count = check.observer().map_or(0, Search::listed);
        if before == 0 && count > 0 || progress.is_due() {
            let progress = check.progress();
            let (bytes, total_bytes) = (progress.bytes, progress.total_bytes);
            post_advance(request, Advance { bytes, total_bytes, count, pass: 0 });
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
    check.check().observer_mut().map_or(Ok(()), Search::finish)?;
    post(&mut check.check());
    let is_read = check.check().is_read();
    if is_read { Ok(Answer::Found(count)) } else { Err(NOT_READ.to_owned()) }
}
