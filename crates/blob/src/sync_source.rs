//! `Read + Seek` where a read may block: in a worker.

use std::fmt;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

use crate::{in_words, slice};

/// Bytes of one read. The engine reads little here (the start of a file, the directory of a ZIP, the lines on screen),
/// mostly from one neighbourhood.
const BLOCK: u64 = 128 << 10;

/// Blocks that are kept.
const KEPT: usize = 4;

/// Reads a blob here and there through a small cache, with `FileReaderSync`, which workers have.
#[derive(Debug)]
pub struct SyncSource {
    blob: Blob,
    reader: FileReaderSync,
    size: u64,
    position: u64,
    /// Block number and content, the one used last at the end.
    blocks: Vec<(u64, Vec<u8>)>,
}

impl SyncSource {
    /// A source over a blob that had `size` bytes when it was handed over.
    ///
    /// # Errors
    /// In words, where there is no `FileReaderSync`: outside of workers.
    pub fn new(blob: Blob, size: u64) -> std::result::Result<Self, String> {
        let reader = FileReaderSync::new().map_err(|error| in_words(&error))?;
        Ok(Self { blob, reader, size, position: 0, blocks: Vec::with_capacity(KEPT) })
    }

    /// The block, from the cache or read.
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
        let part = slice(&self.blob, start, end).map_err(unread)?;
        let buffer = self.reader.read_as_array_buffer(&part).map_err(|error| unread(in_words(&error)))?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        if bytes.len() as u64 == end - start {
            Ok(bytes)
        } else {
            Err(unread(format!(
                "the file was shortened or deleted: of bytes {start} to {end} only {} are there",
                bytes.len()
            )))
        }
    }
}

/// Why a block could not be read, in words.
///
/// A type, because an [`Error`] made of a text can write it with escapes, and brings the tables of characters for that: 3 kB of
/// the worker's wasm.
struct Unread(String);

fn unread(why: String) -> Error {
    Error::other(Unread(why))
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Unread {}

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
        self.position = sought(to, self.position, self.size)?;
        Ok(self.position)
    }
}

/// Where a seek leads in a file of `size` bytes that stands at `position`.
///
/// # Errors
/// The place lies before the start of the file, or beyond what a `u64` counts.
pub fn sought(to: SeekFrom, position: u64, size: u64) -> Result<u64> {
    let position = match to {
        SeekFrom::Start(position) => Some(position),
        SeekFrom::End(offset) => size.checked_add_signed(offset),
        SeekFrom::Current(offset) => position.checked_add_signed(offset),
    };
    position.ok_or_else(|| Error::from(ErrorKind::InvalidInput))
}
