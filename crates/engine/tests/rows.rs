//! The list of records has one row for each record, whatever the layout, and costs little anywhere in the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::FORMATS;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::view::{Cell, Row, Rows};
use evalcheck_wire::worker::CheckOptions;

fn checked(data: &[u8], name: &str, format: Option<&str>) -> Check {
    let options = CheckOptions { format: format.map(str::to_owned), ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.read_all(data, 1 << 16);
    check
}

fn rows(data: &[u8], name: &str, format: Option<&str>) -> Rows {
    checked(data, name, format).view(&mut Cursor::new(data)).rows(0, 500).unwrap()
}

fn cell(cell: Option<&Cell>) -> String {
    match cell {
        None => "-".to_owned(),
        Some(Cell { text, clipped: false }) => text.clone(),
        Some(Cell { text, clipped: true }) => format!("{text}~"),
    }
}

/// A row as a line: number, line, severity, id, question, answer, columns, and the text if there is one.
fn line(row: &Row) -> String {
    let severity = row.severity.map_or("ok", evalcheck_wire::report::Severity::as_str);
    let mut out = format!("{} {} {severity}", row.record, row.line);
    for value in [&row.id, &row.question, &row.answer].into_iter().chain(&row.columns) {
        write!(out, " | {}", cell(value.as_ref())).unwrap();
    }
    if row.text.is_some() {
        write!(out, " || {}", cell(row.text.as_ref())).unwrap();
    }
    out
}

fn lines(rows: &Rows) -> Vec<String> {
    rows.rows.iter().map(line).collect()
}

fn example(format: &str, id: &str) -> (Vec<u8>, &'static str) {
    let format = FORMATS.iter().find(|known| known.id == format).unwrap();
    let example = format.examples.iter().find(|example| example.id == id).unwrap();
    let bytes = match example.content() {
        ExampleContent::Text(text) => text.into_bytes(),
        ExampleContent::Bytes(bytes) => bytes,
    };
    (bytes, example.file_name)
}

#[track_caller]
fn expect_example(format: &str, id: &str, columns: &[&str], expected: &[&str]) {
    let (data, name) = example(format, id);
    let found = rows(&data, name, Some(format));
    let names: Vec<&str> = found.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, columns);
    assert_eq!(lines(&found), expected, "{format} {id}");
    assert_eq!(found.total, expected.len() as u64);
    assert!(!found.is_beginning);
}

#[test]
fn the_examples_have_their_columns() {
    expect_example("juryarena", "full", &["turns", "attachments"], &[]);
}

#[test]
fn dump() {
    for format in FORMATS {
        for example in format.examples {
            let (data, name) = self::example(format.id, example.id);
            let found = rows(&data, name, Some(format.id));
            println!("## {} {} total {} lists {:?}", format.id, example.id, found.total, found.lists);
            for line in lines(&found) {
                println!("{line}");
            }
        }
    }
}
