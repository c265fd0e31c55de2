//! What changed between the file that was opened and what fixes made of it.

use evalcheck_blob::{BlobWriter, Macrotask, SyncSource, Throttle, size};
use evalcheck_engine::diff::Differ;
use web_sys::Blob;

use crate::progress::TURN_EVERY;

/// The unified diff of two files, which have this name.
///
/// # Errors
/// For the user: a file that cannot be read.
pub(crate) async fn diff(old: Blob, new: Blob, name: &str) -> Result<Blob, String> {
    let [old, new] = [old, new].map(|file| {
        let size = size(&file);
        SyncSource::new(file, size)
    });
    let (old_name, new_name) = (format!("a/{name}"), format!("b/{name}"));
    let mut differ = Differ::new(old?, new?, [&old_name, &new_name]);
    let mut out = BlobWriter::default();
    let macrotask = Macrotask::new().map_err(|error| evalcheck_blob::in_words(&error))?;
    let mut turn = Throttle::every(TURN_EVERY);
    while differ.step(&mut out).map_err(|error| error.to_string())? {
        if turn.is_due() {
            macrotask.turn().await;
        }
    }
    out.finish().map_err(|error| error.to_string())
}
