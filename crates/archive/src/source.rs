//! Reads at places, through one buffer: a read of a dropped file costs a tenth of a millisecond whatever its length,
//! so a hundred thousand local headers must not cost a read each where they lie close together.

use std::io::{self, Read, Seek, SeekFrom};

use crate::rules::Zip;

/// A source and the piece of it that was read last.
pub(super) struct Source<'a, R> {
    inner: &'a mut R,
    size: u64,
    buffer: Vec<u8>,
    start: u64,
}

impl<'a, R: Read + Seek> Source<'a, R> {
    pub(super) fn new(inner: &'a mut R, size: u64) -> Self {
        Self { inner, size, buffer: Vec::new(), start: 0 }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The bytes from `at` on: `length` of them, fewer only at the end of the file. Where they have to be fetched,
    /// `ahead` bytes are fetched at once.
    pub(super) fn at(&mut self, at: u64, length: usize, ahead: usize) -> Result<&[u8], Zip> {
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

    fn fetch(&mut self, at: u64, length: usize) -> Result<(), Zip> {
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
            Zip::ReadFailed { why }
        })
    }
}

fn clamp(available: u64, wanted: usize) -> usize {
    usize::try_from(available).unwrap_or(usize::MAX).min(wanted)
}

/// Little-endian fields of a record; 0 beyond its end, so that a caller checks the length once.
pub(super) trait Properties {
    fn u16_at(&self, at: usize) -> u16;
    fn u32_at(&self, at: usize) -> u32;
    fn u64_at(&self, at: usize) -> u64;
}

impl Properties for [u8] {
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
