//! Counts the statistics of a file.

use std::rc::Rc;

use evalcheck_blob::Throttle;
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::RequestId;

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
    let check = shown.again(shown.id(), &purpose)?;
    let (mut running, mut source) = (check.check(), check.source());
    purpose.prepare(&mut running);
    while running.progress().bytes < BEGINNING && running.read_piece(&mut *source, PIECE) {}
    let overview = running.report().overview.ok_or(NOT_READ)?;
    Ok(Answer::Overview(Box::new(overview)))
}

/// Returns the statistics of the file of a check.
pub(crate) async fn count(request: RequestId, shown: &FileCheck, jobs: &Jobs) -> Result<Answer, String> {
    let mut purpose: Purpose = Purpose::overview();
    let check = shown.again(request, &purpose)?;
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
    let report = check.check().report();
    let is_read = check.check().is_read();
    let overview = report.overview.filter(|_| is_read).ok_or(NOT_READ)?;
    Ok(Answer::Overview(Box::new(overview)))
}
