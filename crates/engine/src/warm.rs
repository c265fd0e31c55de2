//! Running the engine on examples, so that a compiler that watches what runs (a browser's) has done its best work by the
//! time a file is dropped.

use std::io::Cursor;

use evalcheck_wire::worker::CheckOptions;

use crate::archive::RawInflater;
use crate::digest::Digester;
use crate::job::{FileInfo, Job};

/// Bytes that are scanned for each dataset: enough for the loops over bytes to outweigh what is done once for a file.
const SCANNED: usize = 16 << 10;

/// Checks a small dataset whose report nobody wants, and scans its lines again and again.
///
/// ```
/// evalcheck_engine::warm::run("juryarena", "minimal.jsonl", b"{}");
/// ```
pub fn run(format: &str, name: &str, bytes: &[u8]) {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let open = || Job::open(&mut Cursor::new(bytes), file.clone(), options.clone());
    let mut job = open();
    job.read_all(bytes, bytes.len());
    let _ = job.report();
    if let Ok(Some(mut digester)) = Digester::open(&mut Cursor::new(bytes), open()) {
        for _ in 0..SCANNED / bytes.len().max(1) {
            let space = &mut digester.space(bytes.len() + 1)[..=bytes.len()];
            space[..bytes.len()].copy_from_slice(bytes);
            space[bytes.len()] = b'\n';
            digester.advance(bytes.len() + 1);
        }
        digester.end_stretch();
    }
}

/// Inflates a stream, and throws away what comes out of it.
///
/// ```
/// evalcheck_engine::warm::inflate(&[0x4b, 0x04, 0x00]);
/// ```
pub fn inflate(stream: &[u8]) {
    let mut inflater = RawInflater::new();
    let (mut input, mut out) = (stream, vec![0; SCANNED]);
    let mut crc = flate2::Crc::new();
    while let Some(step) = inflater.push(input, &mut out) {
        crc.update(&out[..step.produced]);
        input = &input[step.consumed..];
        if step.ended || step.consumed + step.produced == 0 {
            return;
        }
    }
}
