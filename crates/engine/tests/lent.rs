//! A dataset that another thread inflates gives the same report as one that the check inflates itself, to the byte;
//! whatever is wrong with the archive.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Write};

use evalcheck_engine::archive::RawInflater;
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_wire::worker::CheckOptions;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

fn lines(count: usize) -> String {
    (0..count)
        .map(|number| {
            let role = if number % 17 == 3 { "tool" } else { "user" };
            let text = format!("{number} {}", "word ".repeat(number % 40));
            format!(r#"{{"input":{{"messages":[{{"role":"{role}","content":"{text}"}}]}}}}"#) + "\n"
        })
        .collect()
}

fn archive(method: CompressionMethod, dataset: &str) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    zip.start_file("samples.jsonl", options).unwrap();
    zip.write_all(dataset.as_bytes()).unwrap();
    zip.start_file("attachments/unused.txt", options).unwrap();
    zip.write_all(b"nobody asks for it").unwrap();
    zip.finish().unwrap().into_inner()
}

/// How the check came to its report.
struct Checked {
    report: String,
    /// Somebody else inflated the dataset, from its start to its end.
    all_lent: bool,
    /// Somebody else began with it.
    lent: bool,
}

/// Checks an archive; with `piece`, somebody else inflates the dataset, so many bytes of contents at a time. The one who
/// inflates fails after `fails_after` pieces.
fn check(data: &[u8], piece: Option<usize>, fails_after: usize) -> Checked {
    let mut source = Cursor::new(data);
    let file = FileInfo { name: "data.zip".to_owned(), size: data.len() as u64 };
    let mut job = Job::open(&mut source, file, CheckOptions::default());
    let lent = piece.and_then(|piece| Some((piece, job.lend()?)));
    let mut all_lent = false;
    if let Some((piece, bytes)) = lent.clone() {
        let stream = &data[usize::try_from(bytes.start).unwrap()..usize::try_from(bytes.end).unwrap()];
        all_lent = inflate(&mut job, stream, piece, fails_after).is_some() && !job.lent();
        if !all_lent {
            job.take_back();
        }
    }
    job.read_all(data, 1000);
    let report = serde_json::to_string_pretty(&job.report()).unwrap();
    Checked { report, all_lent, lent: lent.is_some() }
}

/// `None` when the check does not take what comes.
fn inflate(job: &mut Job, mut stream: &[u8], piece: usize, mut fails_after: usize) -> Option<()> {
    let mut inflater = RawInflater::new();
    let mut out = vec![0; piece];
    while job.lent() {
        fails_after = fails_after.checked_sub(1)?;
        let step = inflater.push(stream, &mut out)?;
        stream = &stream[step.consumed..];
        let mut contents = &out[..step.produced];
        while !contents.is_empty() {
            let space = job.inflated_space(contents.len().min(333));
            let n = space.len();
            space.copy_from_slice(&contents[..n]);
            job.advance_inflated(n);
            contents = &contents[n..];
            if n == 0 {
                return None;
            }
        }
        let is_stuck = step.consumed == 0 && step.produced == 0 && !step.ended;
        if is_stuck || !job.inflated(step.consumed as u64, step.ended) {
            return None;
        }
    }
    Some(())
}

#[test]
fn the_report_is_the_same_in_pieces_of_any_size() {
    let data = archive(CompressionMethod::Deflated, &lines(3000));
    let alone = check(&data, None, usize::MAX);
    assert!(!alone.lent && alone.report.contains("Invalid enum value"));
    for piece in [1000, 4096, 100_000, 10_000_000] {
        let together = check(&data, Some(piece), usize::MAX);
        assert!(together.all_lent, "pieces of {piece}");
        assert_eq!(together.report, alone.report, "pieces of {piece}");
    }
}

#[test]
fn whoever_inflates_may_fail_at_any_time() {
    let data = archive(CompressionMethod::Deflated, &lines(200));
    let alone = check(&data, None, usize::MAX);
    for pieces in 0..20 {
        let together = check(&data, Some(997), pieces);
        assert!(together.lent && !together.all_lent);
        assert_eq!(together.report, alone.report, "after {pieces} pieces");
    }
}

#[test]
fn stored_data_is_not_lent() {
    let data = archive(CompressionMethod::Stored, &lines(10));
    assert!(!check(&data, Some(1000), usize::MAX).lent);
}

#[test]
fn damage_is_reported_alike_wherever_it_is() {
    let data = archive(CompressionMethod::Deflated, &lines(60));
    let (mut lent, mut refused) = (0, 0);
    for place in 0..data.len() {
        let mut damaged = data.clone();
        damaged[place] ^= 1 << (place % 8);
        let alone = check(&damaged, None, usize::MAX);
        let together = check(&damaged, Some(500), usize::MAX);
        assert_eq!(together.report, alone.report, "a bit of byte {place} turned");
        lent += usize::from(together.all_lent);
        refused += usize::from(together.lent && !together.all_lent);
    }
    assert!(lent > 20 && refused > 200, "{lent} lent, {refused} refused of {}", data.len());
}
