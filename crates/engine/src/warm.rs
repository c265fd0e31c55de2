//! Running the engine on examples, so that a compiler that watches what runs (a browser's) has done its best work by the
//! time a file is dropped.

use std::io::Cursor;

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

use crate::archive::RawInflater;
use crate::digest::Digester;
use crate::job::{FileInfo, Job};

/// Bytes that are scanned for each dataset: enough for the loops over bytes to outweigh what is done once for a file.
const SCANNED: usize = 64 << 10;

/// Bytes that are inflated at a time.
const INFLATED: usize = 16 << 10;

/// Checks a small dataset.
pub fn check(format: &str, name: &str, bytes: &[u8]) -> Report {
    let mut job = open(format, name, bytes, bytes.len() as u64);
    job.read_all(bytes, bytes.len());
    job.report()
}

/// Begins with a dataset that says it has this size.
fn open(format: &str, name: &str, bytes: &[u8], size: u64) -> Job {
    let file = FileInfo { name: name.to_owned(), size };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    Job::open(&mut Cursor::new(bytes), file, options)
}

/// Checks a small dataset whose report nobody wants; then its records again and again, as a check of a large file does
/// and as one does that is helped.
///
/// ```
/// evalcheck_engine::warm::run("juryarena", "minimal.jsonl", b"{}");
/// ```
pub fn run(format: &str, name: &str, bytes: &[u8]) {
    if !check(format, name, bytes).valid {
        // What is explained takes so long that nothing else would get its turn.
        return;
    }

    // Text that is ASCII throughout would leave half of the scanner cold.
    let text = String::from_utf8_lossy(bytes).replace("e ", "é ") + "\n";
    let open_large = || open(format, name, bytes, u64::MAX);
    let mut job = open_large();
    let records = match job.records_begin(text.as_bytes()) {
        Some(start) => &text.as_bytes()[start..],
        None => return,
    };
    give(&mut job, text.as_bytes());
    for round in 0..SCANNED / text.len() {
        job.forget_ids();
        // Records that are known and records that are not go different ways.
        if round % 2 == 1 {
            job.forget_records();
        }
        give(&mut job, records);
    }
    if let Ok(Some(mut digester)) = Digester::open(&mut Cursor::new(bytes), open_large()) {
        for _ in 0..SCANNED / text.len() {
            digester.space(records.len())[..records.len()].copy_from_slice(records);
            digester.advance(records.len());
        }
        digester.end_stretch();
        job.take_digest(digester.digest(), &mut Cursor::new(bytes));
    }
    let _ = job.progress();
}

fn give(job: &mut Job, bytes: &[u8]) {
    job.space(bytes.len()).copy_from_slice(bytes);
    job.advance(bytes.len());
}

/// Inflates a stream, and throws away what comes out of it.
///
/// ```
/// evalcheck_engine::warm::inflate(&[0x4b, 0x04, 0x00]);
/// ```
pub fn inflate(stream: &[u8]) {
    let mut inflater = RawInflater::new();
    let (mut input, mut out) = (stream, vec![0; INFLATED]);
    let mut crc = flate2::Crc::new();
    while let Some(step) = inflater.push(input, &mut out) {
        crc.update(&out[..step.produced]);
        input = &input[step.consumed..];
        if step.ended || step.consumed + step.produced == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::catalogue::ExampleContent;

    use super::*;
    use crate::formats::FORMATS;

    #[test]
    fn every_example_warms() {
        for format in FORMATS {
            for example in format.examples {
                let content = match (example.content)() {
                    ExampleContent::Text(text) => text.into_bytes(),
                    ExampleContent::Bytes(bytes) => bytes,
                };
                run(format.id, example.file_name, &content);
            }
        }
    }
}
