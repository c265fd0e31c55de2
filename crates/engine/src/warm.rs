//! Running the engine on examples, so that a compiler that watches what runs (a browser's) has done its best work by the
//! time a file is dropped.

use std::io::Cursor;
use std::ops::Range;

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

use crate::archive::RawInflater;
use crate::digest::Digester;
use crate::job::{FileInfo, Job};
use crate::recognise::HEAD;

/// Bytes that are scanned in one go.
const SCANNED: usize = 64 << 10;

/// Rounds after which a digester certainly knows where a record begins.
const FIRST_ROUNDS: usize = 16;

/// Bytes that the datasets say to have: more than are ever scanned.
const SIZE: u64 = 1 << 40;

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

/// A check that goes over the records of a small dataset again and again, as one of a large file does and as one does that is
/// helped. It is opened once, because to look at the first bytes of a file takes longer than to go over them a hundred times.
///
/// ```
/// use evalcheck_engine::warm::Warm;
/// assert!(Warm::new("juryarena", "minimal.jsonl", b"{}").is_none(), "what is explained takes long");
/// ```
#[derive(Debug)]
pub struct Warm {
    job: Job,
    digester: Option<Digester>,
    /// What is gone over at a time: the records, and for a list the comma behind them.
    records: Vec<u8>,
}

impl Warm {
    /// Checks the dataset, and makes ready when it is valid.
    pub fn new(format: &str, name: &str, bytes: &[u8]) -> Option<Self> {
        if !check(format, name, bytes).valid {
            return None;
        }
        // Text that is ASCII throughout would leave half of the scanner cold.
        let text = String::from_utf8_lossy(bytes);
        let ends_word = |at| text.as_bytes().get(at + 1) == Some(&b' ');
        let others =
            text.trim_end().char_indices().map(|(at, c)| if c == 'e' && ends_word(at) { 'é' } else { c });
        let text: String = others.chain(['\n']).collect();
        // The first bytes of a file are looked at before all others, and there have to be as many as are looked at.
        let head = text.repeat(1 + HEAD / text.len());
        let open_large = || open(format, name, head.as_bytes(), SIZE);
        let mut job = open_large();
        let Range { start, end } = job.records_in(text.as_bytes())?;
        give(&mut job, &text.as_bytes()[..start]);
        let mut records = text.as_bytes()[start..end].to_vec();
        if text.as_bytes()[end..].starts_with(b"]") {
            records.push(b',');
        }
        let mut digester = Digester::open(&mut Cursor::new(head.as_bytes()), open_large()).ok().flatten();
        if let Some(digester) = &mut digester {
            // Until it has seen where records begin.
            for _ in 0..FIRST_ROUNDS {
                digest(digester, &records);
            }
            digester.digest().clear();
        }
        Some(Self { job, digester, records })
    }

    /// Goes over the records some hundred times. Gives how many were checked, and how many of them by way of a digest.
    pub fn run(&mut self) -> (u64, u64) {
        let Self { job, digester, records } = self;
        let rounds = SCANNED / records.len();
        let before = job.progress().records;
        // All examples are held at once, each with the places of a dataset of millions of records otherwise.
        job.forget_places();
        for round in 0..rounds {
            job.forget_ids();
            // Records that are known and records that are not go different ways.
            if round < rounds / 4 {
                job.forget_records();
            }
            give(job, records);
        }
        let alone = job.progress().records;
        if let Some(digester) = digester {
            for _ in 0..rounds {
                job.forget_ids();
                digest(digester, records);
                // No record is wanted again, so nothing is read.
                job.take_digest(digester.digest(), &mut Cursor::new(&b""[..]));
                digester.digest().clear();
            }
        }
        (alone - before, job.progress().records - alone)
    }
}

fn digest(digester: &mut Digester, bytes: &[u8]) {
    digester.space(bytes.len())[..bytes.len()].copy_from_slice(bytes);
    digester.advance(bytes.len());
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
                let mut warm = Warm::new(format.id, name, bytes).expect(name);
                let is_document = text.starts_with("{\n");
                let least = of_one * (SCANNED / (bytes.len() + 2)) as u64;
                for time in 0..3 {
                    let (alone, helped) = warm.run();
                    let said =
                        format!("{} {name}, time {time}: {alone} records, {helped} by digests", format.id);
                    assert!(alone >= least / 2 && (is_document || helped >= least / 2), "{said} of {least}");
                }
                warmed += 1;
            }
        }
        assert!(warmed > 12, "only {warmed}");
    }
}
