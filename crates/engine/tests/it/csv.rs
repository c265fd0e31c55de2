//! Cells are those of another parser; reports and views do not depend on how the bytes arrive.

use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use crate::support;
use crate::support::Choices;
use crate::support::csv::{core_rows, rows};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::Report;
use evalcheck_wire::worker::CheckOptions;

/// Pieces of cells, well quoted or not.
const PIECES: &[&str] = &[
    "a",
    "q1",
    ",",
    "\"",
    "\"\"",
    "\n",
    "\r\n",
    " ",
    "été",
    "日本",
    "=1",
    "[\"\"d1\"\"]",
    "'",
    ";",
    "\t",
    "x y z",
    "",
];

fn text(choices: &mut Choices, most: usize) -> String {
    (0..choices.below(most)).map(|_| PIECES[choices.below(PIECES.len())]).collect()
}

/// A file whose cells are written correctly.
fn written(choices: &mut Choices) -> String {
    let columns = 1 + choices.below(5);
    let mut out = String::new();
    for _ in 0..=choices.below(8) {
        let cells = (0..columns).map(|_| {
            // Some span several of the blocks that are searched at once.
            let longest = if choices.chance(8) { 80 } else { 5 };
            let text = text(choices, longest);
            let must = text.contains([',', '"', '\n', '\r']) || (columns == 1 && text.is_empty());
            if must || choices.chance(4) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
        });
        out.push_str(&cells.collect::<Vec<_>>().join(","));
        out.push_str(if choices.chance(3) { "\r\n" } else { "\n" });
    }
    out
}

/// The rows of many files as Python's csv module has them; `None` without Python.
fn python(files: &[String]) -> Option<Vec<Vec<Vec<String>>>> {
    const SCRIPT: &str = "import csv, io, json, sys
files = json.load(sys.stdin)
json.dump([[row for row in csv.reader(io.StringIO(file, newline='')) if row] for file in files], sys.stdout)";
    let mut child = Command::new("python3")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let input = serde_json::to_vec(files).unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "python3 runs the script");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn cells_are_those_that_other_readers_have() {
    let mut choices = Choices::new(31);
    let mut files: Vec<String> = (0..3_000).map(|_| written(&mut choices)).collect();
    // And quotes anywhere, which every reader reads in some way; never a lone carriage return.
    files.extend((0..6_000).map(|_| {
        let lines = (0..4).map(|_| text(&mut choices, 8).replace("\r\n", "\n")).collect::<Vec<_>>();
        // The end is after quotes that may be open.
        lines.join("\n") + "\n"
    }));
    for file in &files {
        assert_eq!(rows(file.as_bytes()), core_rows(file.as_bytes()), "{file:?}");
    }
    let Some(theirs) = python(&files) else {
        println!("SKIPPED: python3 is not installed, so cells were not compared with its csv module");
        return;
    };
    let mut compared = 0;
    for (file, mut theirs) in files.iter().zip(theirs) {
        let ours = rows(file.as_bytes());
        // A file that ends in quotes: Python returns the existing part of the row.
        if theirs.len() == ours.len() + 1 {
            theirs.pop();
        }
        assert_eq!(ours, theirs, "{file:?}");
        compared += ours.len();
    }
    assert!(compared > 10_000, "{compared} rows");
}

fn open(data: &[u8]) -> Check {
    let file = FileInfo { name: "data.csv".to_owned(), size: data.len() as u64 };
    let options = CheckOptions { format: Some("evret".to_owned()), ..CheckOptions::default() };
    Check::open(&mut Cursor::new(data), file, options)
}

fn check(data: &[u8], piece: usize) -> Report {
    let mut check = open(data);
    check.read_all(data, piece);
    check.report()
}

fn dataset(choices: &mut Choices) -> Vec<u8> {
    let mut out = if choices.chance(4) { "\u{feff}".to_owned() } else { String::new() };
    out.push_str("query_id,query_text,relevant_doc_ids\n");
    for _ in 0..10 {
        match choices.below(6) {
            0 => out.push_str(&text(choices, 8)),
            1 => out.push_str("q1,a,\"[\"\"d1\"\", \"\"d2\"\"]\""),
            2 => out.push_str("q2,\"a,\nb\r\n\",d1"),
            3 => out.push_str("q3,,\"[d1\""),
            4 => {}
            _ => out.push_str("=x,\"\"\"how\"\" high\",d1"),
        }
        out.push_str(if choices.chance(3) { "\r\n" } else { "\n" });
    }
    let mut bytes = out.into_bytes();
    if choices.chance(3) {
        let at = choices.below(bytes.len());
        bytes[at] = b"\0\xff\r\"\n"[choices.below(5)];
    }
    if choices.chance(3) {
        bytes.truncate(choices.below(bytes.len()));
    }
    bytes
}

#[test]
fn pieces_of_any_size_give_the_same_report() {
    let mut choices = Choices::new(32);
    for round in 0..400 {
        let data = dataset(&mut choices);
        let whole = check(&data, usize::MAX);
        for piece in [1, 7, 64] {
            assert_eq!(check(&data, piece), whole, "round {round}, pieces of {piece}");
        }
        let counts = whole.counts;
        assert_eq!(counts.lines, support::lines_of(&data), "round {round}");
    }
}

#[test]
fn rows_are_found_again() {
    let mut choices = Choices::new(33);
    for round in 0..200 {
        let data = dataset(&mut choices);
        let mut check = open(&data);
        check.read_all(&data, 100);
        let report = check.report();
        let mut source = Cursor::new(&data);
        let total = check.view(&mut source).lines(1, 500).unwrap().total;
        let newlines = memchr::memchr_iter(b'\n', &data).count() as u64;
        assert_eq!(total, newlines + u64::from(!data.is_empty() && !data.ends_with(b"\n")), "round {round}");
        for finding in report.findings.iter().filter(|finding| finding.record.is_some()) {
            let record = check.view(&mut source).record(finding.line.unwrap(), None).unwrap().unwrap();
            let found = record.findings.iter().position(|other| other == finding);
            let Some(found) = found else {
                panic!(
                    "round {round}: {finding:?} is missing in {:?}\n{}",
                    record.findings,
                    String::from_utf8_lossy(&data)
                );
            };
            assert!(record.line <= finding.line.unwrap());
            assert!(record.source.marks[found].is_some(), "round {round}: {finding:?} is marked");
        }
    }
}
