//! Counts the statistics of a file.

use std::cell::Cell;
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, Throttle};
use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_wire::overview::Overview;
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use web_sys::Blob;

use crate::check::{FileCheck, NOT_READ};
use crate::progress::PROGRESS_EVERY;
use crate::{port, watch};

/// Counts until the file is read or another count is wanted, and posts progress. `wanted` is the id of the wanted count.
pub(crate) async fn run(
    id: CheckId,
    options: CheckOptions,
    file: (Blob, FileSnapshot),
    wanted: &Cell<Option<CheckId>>,
) {
    wanted.set(Some(id));
    match count(id, options, file, wanted).await {
        Ok(Some(overview)) => port::post(&Event::Overview { id, overview: Box::new(overview) }),
        Ok(None) => {}
        Err(why) => port::post(&Event::NotCounted { id, why }),
    }
    watch::note_rest();
}

/// Returns the statistics; `None` if they are no longer wanted.
async fn count(
    id: CheckId,
    options: CheckOptions,
    (file, snapshot): (Blob, FileSnapshot),
    wanted: &Cell<Option<CheckId>>,
) -> Result<Option<Overview>, String> {
    let mut purpose: Purpose = Purpose::overview();
    let check = FileCheck::start(id, file, snapshot, purpose.options(options))?;
    purpose.prepare(&mut check.check());
    let mut progress = Throttle::every(PROGRESS_EVERY);
    let ending = Rc::clone(&check);
    let after_piece = |running: &mut Check| {
        purpose.take(running);
        if wanted.get() != Some(id) {
            ending.end();
        } else if progress.is_due() {
            port::post(&Event::Counting { id, progress: running.progress() });
        }
    };
    if !check.read_silently(after_piece).await {
        return Ok(None);
    }
    let report = check.check().report();
    let is_read = check.check().is_read();
    report.overview.filter(|_| is_read).map(Some).ok_or_else(|| NOT_READ.to_owned())
}
