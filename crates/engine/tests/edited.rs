//! Records with another text, checked while the user writes it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::view::EditedRecord;
use evalcheck_wire::worker::CheckOptions;

const GOOD: &str = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}"#;

/// Checks a dataset; then the text in place of the record at a line.
fn recheck(name: &str, dataset: &str, line: u64, text: &str) -> (Check, EditedRecord) {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: name.into(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut source, info, CheckOptions::default());
    check.read_all(dataset.as_bytes(), 1 << 16);
    let edited = check.view(&mut source).recheck(line, text).unwrap().unwrap();
    (check, edited)
}

fn messages(edited: &EditedRecord) -> Vec<String> {
    let findings = edited.findings.as_ref().unwrap();
    findings.iter().map(|finding| format!("{:?} {}", finding.line, finding.message)).collect()
}

#[test]
fn a_line_is_checked_by_itself_and_stays_a_line() {
    let dataset = format!("{GOOD}\n{}\n{GOOD}\n", GOOD.replace("user", "tool"));
    let pretty = GOOD.replace(",\"", ",\n  \"");
    let (_, edited) = recheck("a.jsonl", &dataset, 2, &pretty);
    assert_eq!(edited, EditedRecord { text: pretty.replace('\n', " "), findings: Some(vec![]) });
    let (_, edited) = recheck("a.jsonl", &dataset, 2, "{");
    assert_eq!(messages(&edited).len(), 1);
    assert!(messages(&edited)[0].starts_with("Some(2) invalid JSON"), "{edited:?}");
    let (_, edited) = recheck("a.jsonl", &dataset, 2, "");
    assert_eq!(edited.findings, Some(vec![]));
}

#[test]
fn a_header_is_not_checked_by_itself() {
    let header = r#"{"total_samples":1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#;
    let dataset = format!("{header}\n[{{\"type\":\"text\",\"id\":\"a\",\"text\":\"x\"}}]\n");
    let (_, edited) = recheck("a.jsonl", &dataset, 1, "{}");
    assert_eq!(edited.findings, None);
    let (_, edited) = recheck("a.jsonl", &dataset, 2, "[]");
    assert_eq!(messages(&edited).len(), 1, "{edited:?}");
}

#[test]
fn elements_and_rows_are_checked_in_their_place() {
    let document = "{\"queries\": [\n{\"query_id\": \"a\", \"query_text\": \"b\", \"expected_answers\": [\"c\"]},\n{\"query_id\": \"\"}\n]}";
    let (mut check, edited) = recheck("a.json", document, 3, "{\"query_id\": \"z\"}");
    assert!(edited.findings.as_ref().unwrap().iter().all(|finding| {
        finding.line == Some(3) && finding.path.as_ref().unwrap().starts_with("queries.1")
    }));
    let record = check.view(&mut Cursor::new(document)).record(3, None).unwrap().unwrap();
    let range = record.source.editable.unwrap();
    let (start, end) = (usize::try_from(range.start).unwrap(), usize::try_from(range.end).unwrap());
    assert_eq!(&document[start..end], "{\"query_id\": \"\"}");

    let rows = "query_text,expected_answers\r\n\"a\r\nb\",c\r\nd,e\r\n";
    let (_, edited) = recheck("a.csv", rows, 2, "\"a\nb\",");
    assert_eq!(edited.text, "\"a\r\nb\",");
    assert_eq!(messages(&edited).len(), 1, "{edited:?}");
}

#[test]
fn what_a_text_field_would_change_cannot_be_edited() {
    let dataset = [GOOD, &GOOD.replace("Hi", "H\r"), GOOD].join("\n");
    let (mut check, _) = recheck("a.jsonl", &dataset, 1, GOOD);
    let mut editable = |line| {
        let record = check.view(&mut Cursor::new(&dataset)).record(line, None).unwrap().unwrap();
        record.source.editable.is_some()
    };
    assert!(editable(1) && !editable(2) && editable(3));
}
