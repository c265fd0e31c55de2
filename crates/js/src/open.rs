//! Opens a job where a read cannot block: on a page's main thread and in Node.
//!
//! The engine reads a few places of a file when it opens it, as `Read + Seek`. Outside of workers a blob can only be
//! read by waiting. So the engine is let run over the blocks that are there; a block that is not there is an error, is
//! fetched, and the engine starts again. It asks for the same places in the same order, so each round comes further.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use evalcheck_blob::{Chunks, SyncSource};
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_wire::worker::CheckOptions;
use web_sys::Blob;

/// Bytes of one block. The start of a file or the directory of most archives is in one.
const BLOCK: u64 = 256 << 10;

/// Opens a job over a blob, whatever thread this is.
pub(crate) async fn open(blob: &Blob, info: FileInfo, options: &CheckOptions) -> Job {
    // In a worker there is a reader that may block.
    if let Ok(mut source) = SyncSource::new(blob.clone(), info.size) {
        return Job::open(&mut source, info, options.clone());
    }
    let mut source = Fetched::new(info.size);
    let mut chunks = Chunks::new(blob.clone());
    loop {
        source.missing = None;
        source.position = 0;
        let job = Job::open(&mut source, info.clone(), options.clone());
        match source.missing {
            None => return job,
            Some(number) => {
                let block = fetch(&mut chunks, number, info.size).await;
                source.blocks.insert(number, block);
            }
        }
    }
}

/// Reads a block.
async fn fetch(chunks: &mut Chunks, number: u64, size: u64) -> std::result::Result<Vec<u8>, String> {
    let end = ((number + 1) * BLOCK).min(size);
    let mut start = number * BLOCK;
    let mut bytes = Vec::new();
    while start < end {
        let chunk = chunks.read(start..end, u32::MAX).await?;
        start += u64::from(chunk.length());
        bytes.extend(chunk.to_vec());
    }
    Ok(bytes)
}

/// The blocks that were fetched, or why one could not be.
struct Fetched {
    size: u64,
    position: u64,
    blocks: BTreeMap<u64, std::result::Result<Vec<u8>, String>>,
    missing: Option<u64>,
}

impl Fetched {
    const fn new(size: u64) -> Self {
        Self { size, position: 0, blocks: BTreeMap::new(), missing: None }
    }
}

impl Read for Fetched {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.position >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let number = self.position / BLOCK;
        match self.blocks.get(&number) {
            Some(Ok(block)) => {
                let inside = usize::try_from(self.position % BLOCK).map_err(Error::other)?;
                let rest = block.get(inside..).unwrap_or_default();
                let length = rest.len().min(buffer.len());
                buffer[..length].copy_from_slice(&rest[..length]);
                self.position += length as u64;
                Ok(length)
            }
            Some(Err(why)) => Err(Error::other(why.clone())),
            None => {
                // The first one that is missing; what the engine reads after an error may differ.
                self.missing.get_or_insert(number);
                Err(ErrorKind::WouldBlock.into())
            }
        }
    }
}

impl Seek for Fetched {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.size.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
