//! Records of a large dataset are the same however they are requested, and cost little anywhere in it.

use std::fmt::Write;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use crate::support;
use crate::support::Choices;
use crate::support::cases::{Input, inputs};
use crate::support::many;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::{FORMATS, Layout};
use evalcheck_report::view::Row;
use evalcheck_report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;

/// A file that counts the bytes read.
struct Counted<'a> {
    data: Cursor<&'a [u8]>,
    read: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.data.read(buffer)?;
        self.read += n as u64;
        Ok(n)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.data.seek(to)
    }
}

fn checked(data: &[u8], name: &str, format: &str) -> Check {
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.read_all(data, 1 << 20);
    check
}

/// All rows from a number on, `piece` at once.
fn all(check: &mut Check, data: &[u8], from: u64, to: u64, piece: u32) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut next = from;
    while next < to {
        let count = piece.min(u32::try_from(to - next).unwrap());
        let found = check.view(&mut Cursor::new(data)).rows(next, count).unwrap().rows;
        assert!(!found.is_empty(), "record {next}");
        next += found.len() as u64;
        rows.extend(found);
    }
    rows
}

const RECORDS: u64 = 100_000;

/// A document on one line.
fn document() -> String {
    let mut data = r#"{"queries":["#.to_owned();
    for n in 0..RECORDS {
        if n == RECORDS / 2 {
            data.push_str(r#"],"documents":["#);
        } else if n > 0 {
            data.push(',');
        }
        if n < RECORDS / 2 {
            write!(data, r#"{{"query_id":"{n}","query_text":"q {n}","expected_answers":["a"]}}"#).unwrap();
        } else {
            write!(data, r#"{{"doc_id":"{n}","text":"q {n}"}}"#).unwrap();
        }
    }
    data.push_str("]}");
    data
}

#[track_caller]
fn expect(data: &str, name: &str, format: &str) {
    let data = data.as_bytes();
    let mut check = checked(data, name, format);
    assert_eq!(check.report().counts.records, RECORDS);
    let rows = all(&mut check, data, 0, 4_000, 500);
    assert_eq!(all(&mut check, data, 0, 4_000, 37), rows, "pieces of any size");
    for (n, row) in (0..).zip(&rows) {
        assert_eq!(row.record, n);
        match &row.question {
            Some(question) => assert_eq!(question.text, format!("q {n}")),
            None => assert!(row.text.as_ref().unwrap().text.ends_with(&format!("q {n}"))),
        }
    }
    let bound = data.len() as u64 / 4_096 + (50 << 8) + (2 << 16);
    for from in [0, 1, 7, 8, 9, 27_007, 49_980, RECORDS / 2, 72_222, RECORDS - 50, RECORDS - 1] {
        let mut source = Counted { data: Cursor::new(data), read: 0 };
        let found = check.view(&mut source).rows(from, 50).unwrap().rows;
        assert_eq!(found.len() as u64, 50.min(RECORDS - from));
        assert!(source.read <= bound, "{} bytes for record {from}, not {bound}", source.read);
        assert_eq!(found, all(&mut check, data, from, (from + 50).min(RECORDS), 1), "from {from}");
        let number = from + found.len() as u64 - 1;
        let record = check.view(&mut Cursor::new(data)).record_of_number(number, None).unwrap().unwrap();
        assert!(record.source.text.contains(&format!("q {number}")) || number % 1_000 == 7, "{number}");
    }
}

#[test]
fn any_line_of_many_is_near() {
    expect(&many::lines(RECORDS, 1_000), "a.jsonl", "juryarena");
}

#[test]
fn any_row_of_many_is_near() {
    expect(&many::rows(RECORDS, 1_000), "a.csv", "tencent-manual");
}

#[test]
fn any_element_of_many_on_one_line_is_near() {
    expect(&document(), "a.json", "evret");
}

#[test]
fn a_record_that_is_too_long_costs_no_more_than_itself() {
    let record = |content: &str| {
        format!("{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"{content}\"}}]}}}}\n")
    };
    let mut data = record("a");
    data.push_str(&record(&"long ".repeat(15 << 20)));
    data.push_str(&record("b").repeat(100));
    let data = data.as_bytes();
    let mut check = checked(data, "a.jsonl", "juryarena");
    let mut read = |from| {
        let mut source = Counted { data: Cursor::new(data), read: 0 };
        let rows = check.view(&mut source).rows(from, 500).unwrap().rows;
        (rows, source.read)
    };
    let (rows, _) = read(0);
    assert_eq!(rows[0].question.as_ref().unwrap().text, "a");
    let (rows, _) = read(1);
    assert!(
        rows[0]
            .text
            .as_ref()
            .unwrap()
            .text
            .starts_with("{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"long long")
    );
    assert_eq!((rows[0].record, rows[0].line, rows[0].severity), (1, 2, Some(Severity::Error)));
    let (rows, bytes) = read(2);
    assert_eq!((rows.len(), rows[99].record, rows[99].line), (100, 101, 102));
    assert!(bytes < 1 << 20, "{bytes}");
}

#[test]
fn long_records_come_a_few_at_a_time() {
    let message = r#"{"role":"user","content":"x"},"#.repeat(50_000);
    let record = format!("{{\"input\":{{\"messages\":[{}]}}}}\n", message.trim_end_matches(','));
    let data = record.repeat(9);
    let mut check = checked(data.as_bytes(), "a.jsonl", "juryarena");
    let found = check.view(&mut Cursor::new(&data)).rows(3, 500).unwrap();
    assert_eq!(found.total, 9);
    assert!((1..=4).contains(&found.rows.len()), "{}", found.rows.len());
    assert_eq!(all(&mut check, data.as_bytes(), 0, 9, 500).len(), 9);
}

/// A spoiled dataset of a format whose records are lines.
fn spoiled(format: usize, seed: u64) -> Vec<u8> {
    let mut choices = Choices::new(seed);
    let mut data = Vec::new();
    support::spoiled_lines(FORMATS[format].variants[0].schema, 60, &mut choices, &mut data);
    data
}

#[test]
fn rows_of_spoiled_datasets_agree_with_the_report() {
    for (index, format) in FORMATS.iter().enumerate() {
        if !matches!(format.variants[0].layout, Layout::Jsonl) {
            continue;
        }
        for seed in 0..rounds(3, 30) {
            let data = spoiled(index, seed);
            let mut check = checked(&data, "a.jsonl", format.id);
            let report = check.report();
            let (counts, of_columns) = (report.counts.clone(), errors_of_columns(&report));
            let rows = all(&mut check, &data, 0, counts.records, 500);
            let context = format!("{} seed {seed}", format.id);
            let numbers: Vec<u64> = rows.iter().map(|row| row.record).collect();
            assert_eq!(numbers, (0..counts.records).collect::<Vec<_>>(), "{context}");
            let invalid = rows.iter().filter(|row| row.severity == Some(Severity::Error)).count() as u64;
            let expected = counts.invalid..=counts.invalid + of_columns;
            assert!(expected.contains(&invalid), "{context}: {invalid}, not {expected:?}");
            for piece in [1, 3] {
                assert_eq!(all(&mut check, &data, 0, counts.records, piece), rows, "{context}");
            }
        }
    }
}

/// The errors that are about a column, at the line of a record that by itself has none.
fn errors_of_columns(report: &Report) -> u64 {
    let is_of_column = |finding: &&Finding| {
        finding.severity == Severity::Error && finding.record.is_none() && finding.line.is_some()
    };
    report.findings.iter().filter(is_of_column).count() as u64
}

/// Asserts that each record has a row, which is the same alone, and by whose number the record is opened.
fn expect_agreement(id: &str, input: &Path, data: &[u8]) {
    let context = || format!("{}: {}", input.display(), String::from_utf8_lossy(data));
    let mut check = checked(data, input.file_name().unwrap().to_str().unwrap(), id);
    let report = check.report();
    if report.format.id.is_empty() {
        return;
    }
    let found = check.view(&mut Cursor::new(data)).rows(0, 500).unwrap();
    assert_eq!(found.total, report.counts.records, "{}", context());
    let rows = all(&mut check, data, 0, found.total, 500);
    let numbers: Vec<u64> = rows.iter().map(|row| row.record).collect();
    assert_eq!(numbers, (0..found.total).collect::<Vec<_>>(), "{}", context());
    for row in rows.iter().take(50) {
        let one = check.view(&mut Cursor::new(data)).rows(row.record, 1).unwrap().rows;
        assert_eq!(one, std::slice::from_ref(row), "{}", context());
        let record = check.view(&mut Cursor::new(data)).record_of_number(row.record, None).unwrap();
        assert_eq!(record.map(|record| record.line), Some(row.line), "{}", context());
        assert_eq!(row.columns.len(), found.columns.len());
    }
    let invalid = rows.iter().filter(|row| row.severity == Some(Severity::Error)).count() as u64;
    // A header can make all of them invalid.
    assert!(invalid <= report.counts.invalid + errors_of_columns(&report), "{}", context());
}

#[test]
fn every_record_of_the_golden_cases_has_a_row() {
    for Input { format, path, data, .. } in inputs() {
        expect_agreement(&format, &path, &data);
    }
}

#[test]
fn every_record_of_spoiled_golden_cases_has_a_row() {
    const BYTES: &[u8] = b"{}[]\",:\n\n\\ 1'/";
    let mut choices = Choices::new(32);
    for Input { format, path, data: original, .. } in inputs() {
        if original.is_empty() || original.len() > 20_000 || original.starts_with(b"PK") {
            continue;
        }
        for _ in 0..rounds(2, 6) {
            let mut data = original.clone();
            for _ in 0..=choices.below(3) {
                let at = choices.below(data.len());
                match choices.below(4) {
                    0 => data.insert(at, choices.pick(BYTES)),
                    1 => data[at] = choices.pick(BYTES),
                    2 => {
                        let end = (at + choices.below(60)).min(data.len());
                        let (part, to) = (data[at..end].to_vec(), choices.below(data.len()));
                        data.splice(to..to, part);
                    }
                    _ => data.truncate(at + 1),
                }
            }
            expect_agreement(&format, &path, &data);
        }
    }
}
