//! The loop that reads and checks a file in the browser.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use evalcheck_engine::ahead::Wanted;
use evalcheck_engine::check::Check;
use web_sys::Blob;

use crate::{Ahead, FileSnapshot, VerifiedReader};

/// Bytes that the engine gets at a time. In between, progress is posted and the event loop gets its turn.
const PIECE: usize = 256 << 10;

/// Reads a file and checks it to its end, or until `after_piece` breaks. If the file cannot be read, or has changed since the snapshot, a
/// finding reports it.
///
/// The check is borrowed only between two awaits, so that it can answer questions meanwhile and be cancelled.
pub async fn drive<B>(
    check: &RefCell<Check>,
    file: &Blob,
    snapshot: FileSnapshot,
    after_piece: impl AsyncFnMut() -> ControlFlow<B>,
) -> ControlFlow<B> {
    drive_after(check, file, snapshot, async |_| Ahead::nothing(u64::MAX), after_piece).await
}

/// Like [`drive`], but skips known lines that were found ahead of the check. `next` takes the previous [`Ahead`] and returns the next one.
pub async fn drive_after<B>(
    check: &RefCell<Check>,
    file: &Blob,
    snapshot: FileSnapshot,
    mut next: impl AsyncFnMut(Ahead) -> Ahead,
    mut after_piece: impl AsyncFnMut() -> ControlFlow<B>,
) -> ControlFlow<B> {
    let next_range = || check.borrow().next_range();
    // The report already contains the error of a file that could not be opened.
    let failed_to_open = next_range().is_none() && !check.borrow().report().checked;
    let mut reader = VerifiedReader::new(file.clone(), snapshot);
    let mut ahead = Ahead::nothing(0);
    while let Some(wanted) = next_range() {
        if ahead.ends_before(wanted.start) {
            ahead = next(ahead).await;
        }
        // The check was cancelled meanwhile, or lines were skipped.
        let Wanted::Bytes(most) = ahead.pass_over(&mut check.borrow_mut()) else {
            after_piece().await?;
            continue;
        };
        read(check, &mut reader, &mut ahead, wanted, most).await;
        after_piece().await?;
    }
    if !failed_to_open
        && check.borrow().is_read()
        && let Err(why) = reader.finish().await
    {
        check.borrow_mut().fail(&why);
    }
    ControlFlow::Continue(())
}

/// Reads at most `most` bytes, and checks them.
async fn read(
    check: &RefCell<Check>,
    reader: &mut VerifiedReader,
    ahead: &mut Ahead,
    wanted: Range<u64>,
    most: usize,
) {
    let piece = most.min(PIECE);
    if ahead.others.has(wanted.start) {
        check.borrow_mut().read_piece(&mut ahead.others, piece);
        return;
    }
    let start = wanted.start;
    let fetched = if ahead.is_made() {
        reader.fetch_few(start..wanted.end.min(start + most as u64)).await
    } else {
        reader.fetch(wanted).await
    };
    match fetched {
        Ok(()) => drop(check.borrow_mut().read_piece(reader, piece)),
        Err(why) => fail(check, &why),
    }
    ahead.read += check.borrow().next_range().map_or(0, |after| after.start.saturating_sub(start));
}

/// Fails the check, unless it was cancelled meanwhile.
fn fail(check: &RefCell<Check>, why: &str) {
    if check.borrow().next_range().is_some() {
        check.borrow_mut().fail(why);
    }
}
