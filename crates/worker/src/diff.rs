//! The diff between the file that was opened and the fixed file.

use evalcheck_blob::{BlobReader, BlobWriter, Macrotask, Throttle, size};
use evalcheck_engine::diff::{Differ, State};
use web_sys::Blob;

use crate::progress::TURN_EVERY;

/// The maximum number of bytes that are read at a time.
const PIECE: u32 = 1 << 20;

/// One of the two files, and how far it is read.
struct Source {
    reader: BlobReader,
    size: u64,
    read: u64,
}

impl Source {
    fn of(file: Blob) -> Self {
        let size = size(&file);
        Self { reader: BlobReader::new(file, size), size, read: 0 }
    }

    /// Returns the next bytes; none at the end.
    async fn next(&mut self) -> Result<Vec<u8>, String> {
        if self.read == self.size {
            return Ok(Vec::new());
        }
        let bytes = self.reader.read(self.read..self.size, PIECE).await?.to_vec();
        self.read += bytes.len() as u64;
        Ok(bytes)
    }
}

/// Returns the unified diff of two files with this name.
///
/// # Errors
/// A message for the user: a file cannot be read.
pub(crate) async fn diff(old: Blob, new: Blob, name: &str) -> Result<Blob, String> {
    let (mut old, mut new) = (Source::of(old), Source::of(new));
    let (old_name, new_name) = (format!("a/{name}"), format!("b/{name}"));
    let mut differ = Differ::new([&old_name, &new_name]);
    let mut out = BlobWriter::default();
    let macrotask = Macrotask::new().map_err(|error| evalcheck_blob::in_words(&error))?;
    let mut turn = Throttle::every(TURN_EVERY);
    while let Some(state) = differ.advance(&mut out).map_err(|error| error.to_string())? {
        let source = match state {
            State::Old => &mut old,
            State::New => &mut new,
        };
        differ.push(state, &source.next().await?);
        if turn.is_due() {
            macrotask.turn().await;
        }
    }
    out.finish().map_err(|error| error.to_string())
}
