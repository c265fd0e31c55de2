//! The loop that reads and checks a file of the browser.

use std::cell::RefCell;
use std::ops::ControlFlow;

use evalcheck_engine::check::Check;
use web_sys::Blob;

use crate::{FileSnapshot, VerifiedReader};

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
    mut after_piece: impl AsyncFnMut() -> ControlFlow<B>,
) -> ControlFlow<B> {
    let next_range = || check.borrow().next_range();
    // The report already says that the file could not be read.
    let failed_to_open = next_range().is_none() && !check.borrow().report().checked;
    let mut reader = VerifiedReader::new(file.clone(), snapshot);
    while let Some(wanted) = next_range() {
        let fetched = reader.fetch(wanted).await;
        match fetched {
            Ok(()) => drop(check.borrow_mut().read_piece(&mut reader, PIECE)),
            Err(why) => fail(check, &why),
        }
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

/// Nothing happens to a check that was cancelled meanwhile.
fn fail(check: &RefCell<Check>, why: &str) {
    if check.borrow().next_range().is_some() {
        check.borrow_mut().fail(why);
    }
}
