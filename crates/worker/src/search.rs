//! Finds the records of a file that match a query.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, Throttle};
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{FindRegex, short_names};
use evalcheck_wire::query::{Query, QueryError};
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use web_sys::Blob;

use crate::check::{FileCheck, NOT_READ};
use crate::{port, watch};

/// Records that are sent to be listed. More are only counted.
const MOST_LISTED: usize = 10_000;

/// Milliseconds between two messages that have no hits.
const PROGRESS_EVERY: f64 = 200.0;

/// Searches a file while `searching` is this search, and posts what is found.
pub(crate) async fn run(
    id: CheckId,
    options: CheckOptions,
    query: &str,
    file: (Blob, FileSnapshot),
    searching: &Cell<Option<CheckId>>,
) {
    match search(id, options, query, file, searching).await {
        Ok(Some(count)) => port::post(&Event::Searched { id, count }),
        Ok(None) => {}
        Err(Failure { why, span }) => port::post(&Event::NotSearched { id, why, span }),
    }
    watch::note_rest();
}

/// Why a search has no result.
struct Failure {
    why: String,
    /// The bytes of the query that are wrong.
    span: Option<Range<usize>>,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, span: None }
    }
}

impl From<QueryError> for Failure {
    fn from(QueryError { span, message }: QueryError) -> Self {
        Self { why: format!("{message}."), span: Some(span) }
    }
}

/// How many records match; `None` when that is not wanted any more.
async fn search(
    id: CheckId,
    options: CheckOptions,
    query: &str,
    (file, snapshot): (Blob, FileSnapshot),
    searching: &Cell<Option<CheckId>>,
) -> Result<Option<u64>, Failure> {
    let query = Query::parse(query, &short_names())?;
    let mut purpose: Purpose = Purpose::search();
    let check = FileCheck::start(id, file, snapshot, purpose.options(options))?;
    check.check().search(&query, no_regexes).map_err(|error| error.message)?;
    let (mut count, mut listed) = (0, 0);
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let mut post = |check: &mut Check| {
        let mut hits = check.take_hits();
        count += hits.len() as u64;
        hits.truncate(MOST_LISTED - listed);
        listed += hits.len();
        if !hits.is_empty() || progress.is_due() {
            port::post(&Event::Hits { id, hits, count, progress: check.progress() });
        }
    };
    let ending = Rc::clone(&check);
    let after_piece = |running: &mut Check| {
        purpose.take(running);
        if searching.get() == Some(id) {
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
    if is_read { Ok(Some(count)) } else { Err(NOT_READ.to_owned().into()) }
}

fn no_regexes(_pattern: &str, _ignores_case: bool) -> Result<Box<dyn FindRegex>, String> {
    Err("The page has no regular expressions; `evalcheck find` has.".to_owned())
}
