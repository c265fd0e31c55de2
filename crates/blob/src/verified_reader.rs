//! Reads the file of a check, and verifies that all its bytes come from one state of the file.

use std::ops::Range;

use evalcheck_engine::source::Source;
use js_sys::Uint8Array;
use web_sys::Blob;

use crate::{BlobReader, FileSnapshot};

/// Bytes of the first read: few, so that progress and the first findings show at once.
const FIRST_READ: u32 = 128 << 10;

/// A [`BlobReader`] that returns the last bytes of a file only after it has verified that the file is unchanged.
///
/// ```text
/// let mut reader = VerifiedReader::new(file, snapshot);
/// while let Some(wanted) = check.next_range() {
///     reader.fetch(wanted).await?;
///     check.read_piece(&mut reader, PIECE);
/// }
/// reader.finish().await?;
/// ```
#[derive(Debug)]
pub struct VerifiedReader {
    reader: BlobReader,
    blob: Blob,
    snapshot: FileSnapshot,
    /// The size of the next read.
    most: u32,
    /// Whether the file was verified or a read has failed.
    settled: bool,
    /// The unused bytes of the last read, and their offset in the file.
    held: (u64, Uint8Array),
}

impl VerifiedReader {
    /// Creates a reader for a file as it was when the check started. Reads nothing yet.
    pub fn new(blob: Blob, snapshot: FileSnapshot) -> Self {
        let reader = BlobReader::new(blob.clone(), snapshot.size);
        let held = (0, Uint8Array::new_with_length(0));
        Self { reader, blob, snapshot, most: FIRST_READ, settled: false, held }
    }

    /// Reads bytes from `wanted.start` on, unless it holds some. They are valid until the next call.
    ///
    /// # Errors
    /// A message for the user: how the file has changed, or why it cannot be read.
    pub async fn fetch(&mut self, wanted: Range<u64>) -> Result<(), String> {
        self.fetch_by(wanted, false).await
    }

    /// Like [`fetch`](Self::fetch), for a short range. The next range may be far away.
    ///
    /// # Errors
    /// As [`VerifiedReader::fetch`].
    pub async fn fetch_few(&mut self, wanted: Range<u64>) -> Result<(), String> {
        self.fetch_by(wanted, true).await
    }

    async fn fetch_by(&mut self, wanted: Range<u64>, is_alone: bool) -> Result<(), String> {
        if self.held.0 != wanted.start || self.held.1.length() == 0 {
            self.held = (wanted.start, self.read(wanted, is_alone).await?);
        }
        Ok(())
    }

    async fn read(&mut self, wanted: Range<u64>, is_alone: bool) -> Result<Uint8Array, String> {
        let read = if is_alone {
            self.reader.read_few(wanted.clone()).await
        } else {
            self.reader.read(wanted.clone(), self.most).await
        };
        self.most = u32::MAX;
        let read = match read {
            Ok(bytes) if wanted.start + u64::from(bytes.length()) >= self.snapshot.size => {
                self.settled = true;
                self.snapshot.verify(&self.blob).await.map(|()| bytes)
            }
            Ok(bytes) => Ok(bytes),
            Err(why) => Err(self.snapshot.changed(&self.blob).unwrap_or(why)),
        };
        self.settled |= read.is_err();
        read
    }

    /// Verifies the file at the end of a check, unless it was verified or a read has failed. Needed for archives: their last bytes are the
    /// directory, which is not read again at the end of a check.
    ///
    /// # Errors
    /// A message for the user: how the file has changed.
    pub async fn finish(&self) -> Result<(), String> {
        if self.settled { Ok(()) } else { self.snapshot.verify(&self.blob).await }
    }
}

impl Source for VerifiedReader {
    /// Returns bytes that were fetched.
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let (at, bytes) = &mut self.held;
        if *at != wanted.start {
            return Err("the bytes were not read before".to_owned());
        }
        let length = copy(bytes, buffer);
        *bytes = bytes.subarray(length, bytes.length());
        *at += u64::from(length);
        Ok(length as usize)
    }
}

/// Copies as many bytes as fit to a buffer, and returns their number.
fn copy(bytes: &Uint8Array, buffer: &mut [u8]) -> u32 {
    let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX).min(bytes.length());
    bytes.subarray(0, length).copy_to(&mut buffer[..length as usize]);
    length
}
