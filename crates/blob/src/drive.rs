//! The loop that reads and checks a file of the browser.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::Wanted;
use web_sys::Blob;

use crate::{Ahead, FileSnapshot, VerifiedReader};

/// Bytes that the engine gets at a time. In between, progress is posted and the event loop gets its turn.
const PIECE: usize = 256 << 10;

/// Reads a file and checks it to its end, or until `after_piece` breaks. A file that cannot be read, or has changed since
/// the snapshot, has a finding that says so.
///
/// The check is borrowed only between two waits, so that it can answer questions meanwhile, and be cancelled.
pub async fn drive<B>(
    check: &RefCell<Check>,
    file: &Blob,
    snapshot: FileSnapshot,
    after_piece: impl AsyncFnMut() -> ControlFlow<B>,
) -> ControlFlow<B> {
    drive_after(check, file, snapshot, async |_| Ahead::nothing(u64::MAX), after_piece).await
}

/// As [`drive`], where others find known lines ahead of the check: it passes over these. `next` takes what was found of the bytes before,
/// and gives what was found of those that follow.
pub async fn drive_after<B>(
    check: &RefCell<Check>,
    file: &Blob,
    snapshot: FileSnapshot,
    mut next: impl AsyncFnMut(Ahead) -> Ahead,
    mut after_piece: impl AsyncFnMut() -> ControlFlow<B>,
) -> ControlFlow<B> {
    let next_range = || check.borrow().next_range();
    // The report already says that the file could not be read.
    let failed_to_open = next_range().is_none() && !check.borrow().report().checked;
    let mut reader = VerifiedReader::new(file.clone(), snapshot);
    let mut ahead = Ahead::nothing(0);
    while let Some(wanted) = next_range() {
        if ahead.ends_before(wanted.start) {
            ahead = next(ahead).await;
        }
        // Cancelled meanwhile, or passed over.
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

/// Reads at most so many bytes, and checks them.
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

/// Nothing happens to a check that was cancelled meanwhile.
fn fail(check: &RefCell<Check>, why: &str) {
    if check.borrow().next_range().is_some() {
        check.borrow_mut().fail(why);
    }
}
