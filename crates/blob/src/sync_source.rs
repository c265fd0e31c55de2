//! `Read + Seek` over a blob, in workers.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;

use evalcheck_engine::source::Source;
use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

use crate::{in_words, slice};

/// Bytes of one read. The engine reads little here (the start of a file, the directory of a ZIP, the lines on screen), and mostly from
/// neighbouring offsets.
const BLOCK: u64 = 128 << 10;

/// Blocks in the cache.
const KEPT: usize = 4;

/// Random access to a blob through a small cache, with `FileReaderSync`, which only workers have.
#[derive(Debug)]
pub struct SyncSource {
    blob: Blob,
    reader: FileReaderSync,
    size: u64,
    position: u64,
    /// Number and bytes of each block; the most recently used one is the last.
    blocks: Vec<(u64, Vec<u8>)>,
    /// Why the file cannot be read, if it looks empty: one that was deleted does, too.
    unreadable: Option<String>,
}

impl SyncSource {
    /// Creates a source for a blob that had `size` bytes when the check started.
    ///
    /// # Errors
    /// A message for the user if there is no `FileReaderSync`, as outside of workers.
    pub fn new(blob: Blob, size: u64) -> std::result::Result<Self, String> {
        let reader = FileReaderSync::new().map_err(|error| in_words(&error))?;
        let is_gone = || reader.read_as_array_buffer(&blob).err().map(|error| in_words(&error));
        let unreadable = if size == 0 { is_gone() } else { None };
        Ok(Self { blob, reader, size, position: 0, blocks: Vec::with_capacity(KEPT), unreadable })
    }

    /// Adds the content of a small blob, which was read before. Bytes of another length are read again, and the difference is an error.
    #[must_use]
    pub fn with_content(mut self, bytes: Vec<u8>) -> Self {
        if bytes.len() as u64 == self.size && Self::holds_all(self.size) {
            self.blocks.push((0, bytes));
        }
        self
    }

    /// Whether one read brings a whole file of this size, so that a check that was opened has it already.
    pub const fn holds_all(size: u64) -> bool {
        size <= BLOCK
    }

    /// Returns a block from the cache or from the blob.
    fn block(&mut self, number: u64) -> Result<&[u8]> {
        if let Some(at) = self.blocks.iter().position(|(kept, _)| *kept == number) {
            let block = self.blocks.remove(at);
            self.blocks.push(block);
        } else {
            let bytes = self.load(number)?;
            if self.blocks.len() == KEPT {
                self.blocks.remove(0);
            }
            self.blocks.push((number, bytes));
        }
        Ok(self.blocks.last().map_or(&[], |(_, bytes)| bytes))
    }

    fn load(&self, number: u64) -> Result<Vec<u8>> {
        let start = number * BLOCK;
        let end = (start + BLOCK).min(self.size);
        let part = slice(&self.blob, start, end).map_err(Error::other)?;
        let buffer =
            self.reader.read_as_array_buffer(&part).map_err(|error| Error::other(in_words(&error)))?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        if bytes.len() as u64 == end - start {
            Ok(bytes)
        } else {
            Err(Error::other(format!(
                "the file was shortened or deleted: of bytes {start} to {end} only {} are there",
                bytes.len()
            )))
        }
    }
}

impl Source for SyncSource {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> std::result::Result<usize, String> {
        self.position = wanted.start;
        self.read(buffer).map_err(|error| error.to_string())
    }
}

impl Read for SyncSource {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.position >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let position = self.position;
        let block = self.block(position / BLOCK)?;
        let inside = usize::try_from(position % BLOCK).map_err(Error::other)?;
        let rest = block.get(inside..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.position += length as u64;
        Ok(length)
    }
}

impl Seek for SyncSource {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        if let Some(why) = &self.unreadable {
            return Err(Error::other(why.clone()));
        }
        self.position = sought(to, self.position, self.size)?;
        Ok(self.position)
    }
}

/// The new position after a seek in a file of `size` bytes from the current `position`.
///
/// # Errors
/// The new position would be negative or overflow a `u64`.
pub fn sought(to: SeekFrom, position: u64, size: u64) -> Result<u64> {
    let position = match to {
        SeekFrom::Start(position) => Some(position),
        SeekFrom::End(offset) => size.checked_add_signed(offset),
        SeekFrom::Current(offset) => position.checked_add_signed(offset),
    };
    position.ok_or_else(|| Error::from(ErrorKind::InvalidInput))
}
