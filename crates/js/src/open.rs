//! Opens a check without blocking reads: on the main thread of a page and in Node.
//!
//! The engine opens a file with a few reads of `Read + Seek`. Outside of workers a blob can only be read asynchronously. So
//! the engine first opens a source that reads zeros and records which blocks were requested. That result is discarded, the
//! blocks are fetched, and the engine opens the source again, until no block is missing. With zeros instead of an error it
//! requests many blocks in one round (the headers of all entries of a ZIP), so a few rounds are enough.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Read, Result, Seek, SeekFrom};
use std::ops::Range;

use evalcheck_blob::{BlobReader, SyncSource, compile_schema, sought};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::environment::Environment;
use evalcheck_wire::worker::CheckOptions;
use web_sys::Blob;

/// The size of a block in bytes. Most reads are headers of some hundred bytes; adjacent blocks are fetched in one read.
const BLOCK: u64 = 16 << 10;

/// The compilers for a check. The entries in `lib/` load the module of schemas before a check that has one.
pub(crate) fn environment() -> Environment {
    Environment { schemas: compile_schema, ..Environment::default() }
}

/// Opens a check over a blob, on any thread.
pub(crate) async fn open(blob: &Blob, info: FileInfo, options: &CheckOptions) -> Check {
    // Workers have blocking reads.
    if let Ok(mut source) = SyncSource::new(blob.clone(), info.size) {
        return Check::open_in(&environment(), &mut source, info, options.clone());
    }
    let mut source = Fetched::new(info.size);
    let mut reader = BlobReader::new(blob.clone(), info.size);
    loop {
        source.position = 0;
        let check = Check::open_in(&environment(), &mut source, info.clone(), options.clone());
        if !source.fetch_missing(&mut reader).await {
            return check;
        }
    }
}

/// Consecutive numbers as ranges.
fn runs(numbers: BTreeSet<u64>) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// A source that reads the blocks fetched so far, and zeros for missing blocks.
struct Fetched {
    size: u64,
    position: u64,
    blocks: BTreeMap<u64, Vec<u8>>,
    /// The requested blocks that are missing.
    missing: BTreeSet<u64>,
    /// The reason why a block could not be fetched. No more blocks are fetched after that.
    failed: Option<String>,
}

impl Fetched {
    const fn new(size: u64) -> Self {
        Self { size, position: 0, blocks: BTreeMap::new(), missing: BTreeSet::new(), failed: None }
    }

    /// Fetches the missing blocks; returns false if there are none.
    async fn fetch_missing(&mut self, reader: &mut BlobReader) -> bool {
        let missing = std::mem::take(&mut self.missing);
        if missing.is_empty() {
            return false;
        }
        for run in runs(missing) {
            if let Err(why) = self.fetch(reader, run).await {
                self.failed = Some(why);
                break;
            }
        }
        true
    }

    /// Reads consecutive blocks.
    async fn fetch(&mut self, reader: &mut BlobReader, run: Range<u64>) -> std::result::Result<(), String> {
        let end = (run.end * BLOCK).min(self.size);
        let mut at = run.start * BLOCK;
        while at < end {
            let chunk = reader.read(at..end, u32::MAX).await?.to_vec();
            for (number, bytes) in split(&chunk, at) {
                self.blocks.entry(number).or_default().extend_from_slice(bytes);
            }
            at += chunk.len() as u64;
        }
        Ok(())
    }
}

/// Splits bytes at the boundaries of blocks.
fn split(mut bytes: &[u8], mut at: u64) -> Vec<(u64, &[u8])> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let room = usize::try_from(BLOCK - at % BLOCK).unwrap_or(usize::MAX);
        let (part, rest) = bytes.split_at(room.min(bytes.len()));
        parts.push((at / BLOCK, part));
        at += part.len() as u64;
        bytes = rest;
    }
    parts
}

impl Read for Fetched {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.position >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let number = self.position / BLOCK;
        let inside = self.position % BLOCK;
        let left = (BLOCK - inside).min(self.size - self.position);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let inside = usize::try_from(inside).map_err(Error::other)?;
        if let Some(bytes) = self.blocks.get(&number).and_then(|block| block.get(inside..inside + length)) {
            buffer[..length].copy_from_slice(bytes);
        } else if let Some(why) = &self.failed {
            return Err(Error::other(why.clone()));
        } else {
            self.missing.insert(number);
            buffer[..length].fill(0);
        }
        self.position += length as u64;
        Ok(length)
    }
}

impl Seek for Fetched {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.position = sought(to, self.position, self.size)?;
        Ok(self.position)
    }
}
