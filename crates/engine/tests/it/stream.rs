//! The report does not depend on how the bytes arrive.

use std::io::{Cursor, Read, Seek, SeekFrom};

use crate::support;
use crate::support::Choices;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::FORMATS;
use evalcheck_engine::scan::MAX_DEPTH;
use evalcheck_report::Report;
use evalcheck_wire::worker::CheckOptions;

fn check(data: &[u8], piece: usize) -> Report {
    check_as(FORMATS[0].id, data, piece)
}

fn check_as(format: &str, data: &[u8], piece: usize) -> Report {
    let mut check = open_as(format, data);
    check.read_all(data, piece);
    check.report()
}

fn open(data: &[u8]) -> Check {
    open_as(FORMATS[0].id, data)
}

fn open_as(format: &str, data: &[u8]) -> Check {
    let file = FileInfo { name: "data.jsonl".to_owned(), size: data.len() as u64 };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    Check::open(&mut Cursor::new(data), file, options)
}

fn dataset(seed: u64) -> Vec<u8> {
    let mut choices = Choices::new(seed);
    let mut data = Vec::new();
    if choices.chance(3) {
        data.extend_from_slice(b"\xef\xbb\xbf");
    }
    support::spoiled_lines(FORMATS[0].variants[0].schema, 40, &mut choices, &mut data);
    if choices.chance(2) {
        data.pop();
    }
    data
}

#[test]
fn pieces_of_any_size_give_the_same_report() {
    for seed in 0..rounds(20, 60) {
        let data = dataset(seed);
        let whole = check(&data, usize::MAX);
        for piece in [1, 2, 7, 64, 1000] {
            assert_eq!(check(&data, piece), whole, "seed {seed}, pieces of {piece}");
        }
        let counts = whole.counts;
        assert_eq!(
            counts.lines,
            counts.valid + counts.invalid + counts.blank + counts.header + counts.continued,
            "seed {seed}"
        );
        assert_eq!(counts.lines, support::lines_of(&data), "seed {seed}: every line counts");
    }
}

/// Records with text of a script beyond ASCII, each between a head and a foot, of which some are spoiled.
struct HighRecords {
    format: &'static str,
    head: &'static str,
    foot: &'static str,
    /// The texts around and between them.
    around: [&'static str; 3],
}

/// If records have many characters beyond ASCII, the UTF-8 of a whole piece is checked at once. A record that is not UTF-8 is found
/// nevertheless, and its neighbours in the piece stay clean.
#[test]
fn what_is_not_utf8_is_found_between_records_full_of_other_scripts() {
    let lines = HighRecords {
        format: "juryarena",
        head: "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"日本語 é",
        foot: "\"},{\"role\":\"assistant\",\"content\":\"größer\"}]}}",
        around: ["", "\n", "\n"],
    };
    let document = HighRecords {
        format: "evret",
        head: "{\"id\":\"q\",\"query\":\"日本語 é",
        foot: "\",\"expected_answers\":[\"größer\"]}",
        around: ["{\"queries\":[", ",\n", "]}"],
    };
    let spoils: &[&[u8]] = &[
        b"\xff",
        b"\xc3",
        b"\xa9",
        b"\xc0\x80",
        b"\xe3\x81",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xf0\x9f\x98",
    ];
    let mut choices = Choices::new(7);
    for HighRecords { format, head, foot, around: [before, between, behind] } in [lines, document] {
        for every in [3, 40, 400] {
            let mut data = before.as_bytes().to_vec();
            let mut spoiled = 0;
            for record in 0..1200 {
                data.extend_from_slice(if record > 0 { between.as_bytes() } else { b"" });
                // Ids have to differ.
                data.extend_from_slice(head.replace("\"q\"", &format!("\"q{record}\"")).as_bytes());
                if record > 300 && choices.chance(every) {
                    data.extend_from_slice(spoils[choices.below(spoils.len())]);
                    spoiled += 1;
                }
                data.extend_from_slice(foot.as_bytes());
            }
            data.extend_from_slice(behind.as_bytes());
            let whole = check_as(format, &data, usize::MAX);
            assert_eq!(whole.counts.records, 1200, "{format}");
            assert_eq!(whole.counts.invalid, spoiled, "{format}, one record in {every}");
            for piece in [500, 4096, 20_000] {
                let report = check_as(format, &data, piece);
                let context = format!("{format}, one record in {every}, pieces of {piece}");
                assert_eq!(report.counts.invalid, spoiled, "{context}");
                assert_eq!(report.findings.len(), whole.findings.len(), "{context}");
                let differs = report.findings.iter().zip(&whole.findings).find(|(one, other)| one != other);
                assert_eq!(differs, None, "{context}");
            }
        }
    }
}

#[test]
fn lines_and_records_are_found_again() {
    for seed in 0..rounds(4, 20) {
        let data = dataset(seed);
        let mut check = open(&data);
        check.read_all(&data, 100);
        let report = check.report();
        let lines = check.view(&mut Cursor::new(&data)).lines(1, 500).unwrap();
        assert_eq!(lines.lines.len() as u64, report.counts.lines);
        for (number, line) in (1..).zip(&lines.lines) {
            assert_eq!(line.number, number);
            let start = usize::try_from(line.byte_start).unwrap();
            let end = start + usize::try_from(line.bytes).unwrap();
            let rest = data[end..].strip_prefix(b"\r").unwrap_or(&data[end..]);
            assert!(rest.is_empty() || rest.starts_with(b"\n"), "line {number}");
            let record = check.view(&mut Cursor::new(&data)).record(number, None).unwrap().unwrap();
            let reported: Vec<_> = report.findings.iter().filter(|f| f.line == Some(number)).collect();
            for finding in reported {
                assert!(
                    record.findings.iter().any(|f| f.code == finding.code && f.path == finding.path),
                    "seed {seed}, line {number}: {finding:?} is missing in {:?}",
                    record.findings
                );
            }
            assert_eq!(record.findings.len(), record.source.marks.len());
        }
    }
}

/// Counts the bytes read.
struct Counted<'a>(Cursor<&'a [u8]>, usize);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1 += read;
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn the_rest_of_a_long_line_is_passed_over() {
    const LONG: usize = 24 << 20;
    let data = [b"first\n".to_vec(), vec![b'x'; LONG], b"\nlast\n".to_vec()].concat();
    let mut check = open(&data);
    check.read_all(&data, 1 << 20);
    let mut source = Counted(Cursor::new(&data), 0);
    let lines = check.view(&mut source).lines(1, 500).unwrap().lines;
    let told: Vec<_> = lines.iter().map(|line| (line.number, line.byte_start, line.bytes)).collect();
    assert_eq!(told, [(1, 0, 5), (2, 6, LONG as u64), (3, 7 + LONG as u64, 4)]);
    assert!(lines[1].excerpt.clipped_after && source.1 < 8 << 20, "{} bytes were read", source.1);
}

#[test]
fn nesting_is_read_to_its_limit_and_survived_beyond() {
    let nested = |depth: usize| {
        let inner = format!("{}{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        format!(r#"{{"input":{{"messages":[{{"role":"user","content":"a"}}]}},"usage_output":{inner}}}"#)
    };
    assert!(check(nested(MAX_DEPTH).as_bytes(), 1000).valid);
    let report = check(nested(MAX_DEPTH + 1).as_bytes(), 1000);
    assert_eq!(report.findings[0].code, "json/too-deep");
    let report = check("[".repeat(1_000_000).as_bytes(), 1 << 20);
    assert_eq!(report.findings[0].code, "json/too-deep");
}

#[test]
fn a_read_that_fails_is_never_valid_and_never_empty() {
    let data = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}}\n{\"input\":";
    let mut check = open(data);
    let space = check.buffer(60);
    space.copy_from_slice(&data[..60]);
    check.commit(60);
    check.fail("the disk went away");
    assert!(check.next_range().is_none());
    let report = check.report();
    assert!(!report.valid && !report.checked);
    assert_eq!(report.counts.records, 1, "the line that was cut is not checked");
    assert_eq!(report.findings[0].message, "not checked from byte 60 on: the disk went away");
}
