//! Counts the statistics of a file, and makes the JSON Schema that fits it.

use std::rc::Rc;

use evalcheck_blob::Throttle;
use evalcheck_engine::check::Check;
use evalcheck_engine::formats::Layout;
use evalcheck_engine::overview::Overview;
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::Report;
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::{CheckOptions, RequestId};

use crate::check::{FileCheck, NOT_READ};
use crate::jobs::{Jobs, STOPPED, post_advance};
use crate::progress::PROGRESS_EVERY;

/// Bytes of a file whose records are counted at once.
const BEGINNING: u64 = 8 << 20;

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

/// Returns the statistics of the first records of the file of a check.
pub(crate) fn of_beginning(shown: &FileCheck) -> Result<Answer, String> {
    let purpose: Purpose = Purpose::overview();
    let check = again(shown.id(), shown, &purpose)?;
    let (mut running, mut source) = (check.check(), check.source());
    purpose.prepare(&mut running);
    while running.progress().bytes < BEGINNING && running.read_piece(&mut *source, PIECE) {}
    let overview = running.report().overview.ok_or(NOT_READ)?;
    Ok(Answer::Overview(Box::new(overview)))
}

/// Returns the statistics of the file of a check.
pub(crate) async fn count(request: RequestId, shown: &FileCheck, jobs: &Jobs) -> Result<Answer, String> {
    let check = counted(request, shown, jobs).await?;
    let report = check.check().report();
    shown.keep_schema(schema_of(&check, &report));
    let overview = report.overview.ok_or(NOT_READ)?;
    Ok(Answer::Overview(Box::new(overview)))
}

/// Returns the JSON Schema that fits the file of a check. It is known if the statistics were counted before.
pub(crate) async fn schema(request: RequestId, shown: &FileCheck, jobs: &Jobs) -> Result<Answer, String> {
    let known = shown.take_schema();
    let schema = if known.is_some() {
        known
    } else {
        let check = counted(request, shown, jobs).await?;
        let report = check.check().report();
        schema_of(&check, &report)
    };
    schema.map(Answer::Schema).ok_or_else(|| "No record can be read, so there is no schema.".to_owned())
}

/// The schema of a dataset whose statistics were counted; `None` if no record can be read.
fn schema_of(check: &FileCheck, report: &Report) -> Option<String> {
    let running = check.check();
    let are_rows = matches!(running.dataset().variant.layout, Layout::Csv(_));
    running.observer::<Overview>()?.to_schema(&report.file.name, report.counts.records, are_rows)
}

/// Opens the file of a check again, without the user's own schema: it changes nothing that is counted.
fn again(id: RequestId, shown: &FileCheck, purpose: &Purpose) -> Result<Rc<FileCheck>, String> {
    let (file, snapshot) = shown.file();
    let options = CheckOptions { schema: Vec::new(), ..purpose.options(shown.options()) };
    FileCheck::start(id, file, snapshot, options)
}

/// Reads the file of a check to its end, and counts its statistics.
async fn counted(request: RequestId, shown: &FileCheck, jobs: &Jobs) -> Result<Rc<FileCheck>, String> {
    let mut purpose: Purpose = Purpose::overview();
    let check = again(request, shown, &purpose)?;
    purpose.prepare(&mut check.check());
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let ending = Rc::clone(&check);
    let after_piece = |running: &mut Check| {
        purpose.take(running);
        if !jobs.is_wanted(request) {
            ending.end();
        } else if progress.is_due() {
            let progress = running.progress();
            let (bytes, total_bytes) = (progress.bytes, progress.total_bytes);
            post_advance(request, Advance { bytes, total_bytes, ..Advance::default() });
        }
    };
    if !check.read_silently(after_piece).await {
        return Err(STOPPED.to_owned());
    }
    let is_read = check.check().is_read();
    if is_read { Ok(check) } else { Err(NOT_READ.to_owned()) }
}
