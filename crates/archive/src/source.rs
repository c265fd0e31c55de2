//! Reads the file at any offset, through one buffer. A read of a dropped file takes a tenth of a millisecond whatever its length, so a
//! hundred thousand local headers that are close together must not take a read each.

use std::io::{self, Read, Seek, SeekFrom};

use evalcheck_core::rule::AnyProblem;

evalcheck_core::rules! {
    /// Reading the file failed.
    SourceProblem for Archive {
        ReadFailed { why: String } = "zip/read-failed", Error {
            summary: "The ZIP could not be read.",
            message: "the ZIP could not be read: {why}",
            hint: "Check that the file still exists and did not change, and choose it again.",
            meaning: "A read of the file failed, or returned fewer bytes than the file has. The part that was not read has no verdict.",
            invalid: "dataset.zip on a drive that was removed",
            valid: "dataset.zip on a disk that can be read",
        }
    }
}

/// The signature of the end-of-directory record.
pub(crate) const END: &[u8; 4] = b"PK\x05\x06";
/// The signature of a record of the directory.
pub(crate) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
/// The signature of a local header.
pub(crate) const LOCAL: &[u8; 4] = b"PK\x03\x04";

/// A source, and the piece of it that was read last.
pub(crate) struct Source<'a, R> {
    inner: &'a mut R,
    size: u64,
    buffer: Vec<u8>,
    start: u64,
}

impl<'a, R: Read + Seek> Source<'a, R> {
    pub(crate) fn new(inner: &'a mut R, size: u64) -> Self {
        Self { inner, size, buffer: Vec::new(), start: 0 }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns `length` bytes from `at`; fewer only at the end of the file. If they are not in the buffer, `ahead` bytes are read at once.
    pub(crate) fn at(&mut self, at: u64, length: usize, ahead: usize) -> Result<&[u8], AnyProblem> {
        let length = clamp(self.size.saturating_sub(at), length);
        let offset = at.checked_sub(self.start).and_then(|offset| usize::try_from(offset).ok());
        let held =
            offset.filter(|offset| offset.checked_add(length).is_some_and(|end| end <= self.buffer.len()));
        let offset = if let Some(offset) = held {
            offset
        } else {
            self.fetch(at, clamp(self.size.saturating_sub(at), length.max(ahead)))?;
            0
        };
        Ok(self.buffer.get(offset..offset + length).unwrap_or_default())
    }

    fn fetch(&mut self, at: u64, length: usize) -> Result<(), AnyProblem> {
        self.buffer.clear();
        self.buffer.resize(length, 0);
        self.start = at;
        let read = self.inner.seek(SeekFrom::Start(at)).and_then(|_| self.inner.read_exact(&mut self.buffer));
        read.map_err(|error| {
            self.buffer.clear();
            let why = if error.kind() == io::ErrorKind::UnexpectedEof {
                format!("it gave fewer bytes than its size of {} bytes from byte {at} on", self.size)
            } else {
                format!("at byte {at}: {error}")
            };
            SourceProblem::ReadFailed { why }.into()
        })
    }
}

fn clamp(available: u64, wanted: usize) -> usize {
    usize::try_from(available).unwrap_or(usize::MAX).min(wanted)
}

/// Little-endian fields of a record. Beyond its end they are 0, so a caller checks the length once.
pub(crate) trait LittleEndian {
    fn u16_at(&self, at: usize) -> u16;
    fn u32_at(&self, at: usize) -> u32;
    fn u64_at(&self, at: usize) -> u64;
}

impl LittleEndian for [u8] {
    fn u16_at(&self, at: usize) -> u16 {
        self.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }

    fn u32_at(&self, at: usize) -> u32 {
        self.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn u64_at(&self, at: usize) -> u64 {
        self.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}
