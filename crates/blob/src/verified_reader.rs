//! Reads the file of a check, and verifies that all its bytes come from one state of the file.

use std::ops::Range;

use js_sys::Uint8Array;
use web_sys::Blob;

use crate::{BlobReader, FileSnapshot};

/// Bytes of the first read: few, so that progress and the first findings show at once.
const FIRST_READ: u32 = 128 << 10;

/// A [`BlobReader`] that does not return the last bytes of a file before the file is known to be unchanged.
///
/// ```text
/// let mut reader = VerifiedReader::new(file, snapshot);
/// while ... {
///     let bytes = reader.read(wanted).await?;
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
    /// The file was verified, or a read has failed.
    settled: bool,
}

impl VerifiedReader {
    /// For a file as it was when the check started. Reads nothing yet.
    pub fn new(blob: Blob, snapshot: FileSnapshot) -> Self {
        let reader = BlobReader::new(blob.clone(), snapshot.size);
        Self { reader, blob, snapshot, most: FIRST_READ, settled: false }
    }

    /// Reads bytes from `wanted.start` on, see [`BlobReader::read`].
    ///
    /// # Errors
    /// For the user: how the file has changed, or why it cannot be read.
    pub async fn read(&mut self, wanted: Range<u64>) -> Result<Uint8Array, String> {
        let read = self.reader.read(wanted.clone(), self.most).await;
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

    /// Verifies the file when the check has ended, unless that is done or a read has failed. The last bytes of an archive
    /// are its directory, which is not read again at the end of a check.
    ///
    /// # Errors
    /// For the user: how the file has changed.
    pub async fn finish(&self) -> Result<(), String> {
        if self.settled { Ok(()) } else { self.snapshot.verify(&self.blob).await }
    }
}

/// Copies bytes to a buffer, as many as fit; returns how many.
pub fn copy(bytes: &Uint8Array, buffer: &mut [u8]) -> u32 {
    let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX).min(bytes.length());
    bytes.subarray(0, length).copy_to(&mut buffer[..length as usize]);
    length
}
