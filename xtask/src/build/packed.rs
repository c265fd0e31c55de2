//! Packed modules, for hosts that do not compress: `www/boot/files.js` chooses.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::names::{files_below, is_wasm};
use super::{RULES, WORKER_SCRIPT};

/// The ending of a packed file. Not `gz`: some hosts send such a file as a compressed one, and the browser unpacks it.
const ENDING: &str = ".bin";

/// Writes a packed file beside each module, and beside the script of the worker and the rules.
pub(super) fn write_packed(dist: &Path) -> Result<()> {
    for (name, path) in files_below(dist)? {
        if is_wasm(&path) || name.ends_with(WORKER_SCRIPT) || name.ends_with(RULES) {
            fs::write(dist.join(name + ENDING), gzip(&fs::read(path)?)?)?;
        }
    }
    Ok(())
}

/// Bytes as a gzip file.
pub(super) fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}
