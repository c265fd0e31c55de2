//! Records with another text, judged while the user writes it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::view::Judged;
use evalcheck_wire::worker::CheckOptions;

const GOOD: &str = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}"#;

/// Checks a dataset; then the text in place of the record at a line.
fn judge(name: &str, dataset: &str, line: u64, text: &str) -> (Check, Judged) {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: name.into(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut source, info, CheckOptions::default());
    check.read_all(dataset.as_bytes(), 1 << 16);
    let judged = check.judge(&mut source, line, text).unwrap().unwrap();
    (check, judged)
}

fn messages(judged: &Judged) -> Vec<String> {
    let findings = judged.findings.as_ref().unwrap();
    findings.iter().map(|finding| format!("{:?} {}", finding.line, finding.message)).collect()
}

#[test]
fn a_line_is_judged_by_itself_and_stays_a_line() {
    let dataset = format!("{GOOD}\n{}\n{GOOD}\n", GOOD.replace("user", "tool"));
    let pretty = GOOD.replace(",\"", ",\n  \"");
    let (_, judged) = judge("a.jsonl", &dataset, 2, &pretty);
    assert_eq!(judged, Judged { text: pretty.replace('\n', " "), findings: Some(vec![]) });
    let (_, judged) = judge("a.jsonl", &dataset, 2, "{");
    assert_eq!(messages(&judged).len(), 1);
    assert!(messages(&judged)[0].starts_with("Some(2) invalid JSON"), "{judged:?}");
    let (_, judged) = judge("a.jsonl", &dataset, 2, "");
    assert_eq!(judged.findings, Some(vec![]));
}

#[test]
fn a_header_is_not_judged_by_itself() {
    let header = r#"{"total_samples":1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#;
    let dataset = format!("{header}\n[{{\"type\":\"text\",\"id\":\"a\",\"text\":\"x\"}}]\n");
    let (_, judged) = judge("a.jsonl", &dataset, 1, "{}");
    assert_eq!(judged.findings, None);
    let (_, judged) = judge("a.jsonl", &dataset, 2, "[]");
    assert_eq!(messages(&judged).len(), 1, "{judged:?}");
}

#[test]
fn elements_and_rows_are_judged_where_they_stand() {
    let document = "{\"queries\": [\n{\"query_id\": \"a\", \"query_text\": \"b\", \"expected_answers\": [\"c\"]},\n{\"query_id\": \"\"}\n]}";
    let (mut check, judged) = judge("a.json", document, 3, "{\"query_id\": \"z\"}");
    assert!(judged.findings.as_ref().unwrap().iter().all(|finding| {
        finding.line == Some(3) && finding.path.as_ref().unwrap().starts_with("queries.1")
    }));
    let record = check.record(&mut Cursor::new(document), 3).unwrap().unwrap();
    let range = record.source.editable.unwrap();
    let (start, end) = (usize::try_from(range.start).unwrap(), usize::try_from(range.end).unwrap());
    assert_eq!(&document[start..end], "{\"query_id\": \"\"}");

    let rows = "query_text,expected_answers\r\n\"a\r\nb\",c\r\nd,e\r\n";
    let (_, judged) = judge("a.csv", rows, 2, "\"a\nb\",");
    assert_eq!(judged.text, "\"a\r\nb\",");
    assert_eq!(messages(&judged).len(), 1, "{judged:?}");
}

#[test]
fn what_a_text_field_would_change_cannot_be_edited() {
    let dataset = [GOOD, &GOOD.replace("Hi", "H\r"), GOOD].join("\n");
    let (mut check, _) = judge("a.jsonl", &dataset, 1, GOOD);
    let mut editable = |line| {
        let record = check.record(&mut Cursor::new(&dataset), line).unwrap().unwrap();
        record.source.editable.is_some()
    };
    assert!(editable(1) && !editable(2) && editable(3));
}
