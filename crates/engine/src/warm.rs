//! Running the engine on examples, so that a compiler that watches what runs (a browser's) has done its best work by the
//! time a file is dropped.

use std::io::Cursor;

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

use crate::archive::RawInflater;
use crate::digest::Digester;
use crate::job::{FileInfo, Job};
use crate::recognise::HEAD;

/// Bytes that are scanned for each dataset: enough for the loops over bytes to outweigh what is done once for a file.
const SCANNED: usize = 128 << 10;

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
    // What is explained takes so long that nothing else would get its turn.
    if check(format, name, bytes).valid {
        let _ = again_and_again(format, name, bytes);
    }
}

/// Gives how many records were checked, and how many of them by way of a digest.
fn again_and_again(format: &str, name: &str, bytes: &[u8]) -> Option<(u64, u64)> {
    // Text that is ASCII throughout would leave half of the scanner cold.
    let text = String::from_utf8_lossy(bytes);
    let ends_word = |at| text.as_bytes().get(at + 1) == Some(&b' ');
    let others =
        text.trim_end().char_indices().map(|(at, c)| if c == 'e' && ends_word(at) { 'é' } else { c });
    let text: String = others.chain(['\n']).collect();
    // The first bytes of a file are looked at before all others, and there have to be as many as are looked at.
    let file = text.repeat(1 + HEAD.max(2 * SCANNED) / text.len());
    let open_large = || open(format, name, file.as_bytes(), file.len() as u64);
    let mut job = open_large();
    let records = job.records_in(text.as_bytes())?;
    give(&mut job, &text.as_bytes()[..records.start]);
    let is_list = text.as_bytes()[records.end..].starts_with(b"]");
    let records = &text.as_bytes()[records];
    let rounds = SCANNED / text.len();
    for round in 0..rounds {
        job.forget_ids();
        // Records that are known and records that are not go different ways.
        if round % 2 == 1 {
            job.forget_records();
        }
        give(&mut job, records);
        if is_list {
            give(&mut job, b",");
        }
    }
    let alone = job.progress().records;
    if let Ok(Some(mut digester)) = Digester::open(&mut Cursor::new(&file), open_large()) {
        for _ in 0..rounds {
            job.forget_ids();
            digester.space(records.len())[..records.len()].copy_from_slice(records);
            digester.advance(records.len());
            job.take_digest(digester.digest(), &mut Cursor::new(&file));
            digester.digest().clear();
        }
    }
    Some((alone, job.progress().records - alone))
}

fn give(job: &mut Job, bytes: &[u8]) {
    if !bytes.is_empty() {
        job.space(bytes.len()).copy_from_slice(bytes);
        job.advance(bytes.len());
    }
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
    fn every_valid_example_warms() {
        let mut warmed = 0;
        for format in FORMATS {
            for example in format.examples {
                let ExampleContent::Text(text) = (example.content)() else { continue };
                let (name, bytes) = (example.file_name, text.as_bytes());
                if !check(format.id, name, bytes).valid {
                    continue;
                }
                let of_one = check(format.id, name, bytes).counts.records;
                let (alone, helped) = again_and_again(format.id, name, bytes).expect(name);
                let rounds = (SCANNED / (bytes.len() + 1)) as u64;
                assert!(
                    alone > of_one * rounds / 4,
                    "{} {name}: {alone} records in {rounds} rounds",
                    format.id
                );
                let is_document = text.starts_with("{\n");
                assert!(
                    is_document || helped > of_one * rounds / 4,
                    "{} {name}: {helped} by digests",
                    format.id
                );
                warmed += 1;
            }
        }
        assert!(warmed > 12, "only {warmed}");
    }
}
