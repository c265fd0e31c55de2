//! Writes a blob.

use std::io::{self, Write};

use js_sys::{Array, Uint8Array};
use web_sys::Blob;

use crate::in_words;

/// Bytes that are collected before they are passed to the browser, which may keep them on disk.
const PART: usize = 1 << 20;

/// Writes a blob piece by piece, in bounded memory.
#[derive(Debug, Default)]
pub struct BlobWriter {
    parts: Array,
    held: Vec<u8>,
}

impl BlobWriter {
    /// Returns the blob.
    ///
    /// # Errors
    /// The browser's error if it has no room.
    pub fn finish(mut self) -> io::Result<Blob> {
        self.hand_over()?;
        joined(&self.parts)
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let part = joined(&Array::of1(&Uint8Array::from(self.held.as_slice())))?;
        self.parts.push(&part);
        self.held.clear();
        Ok(())
    }
}

impl Write for BlobWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= PART {
            self.hand_over()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn joined(parts: &Array) -> io::Result<Blob> {
    Blob::new_with_blob_sequence(parts).map_err(|error| io::Error::other(in_words(&error)))
}
