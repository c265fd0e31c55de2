//! Records with another text, checked while the user writes it.
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::view::EditedRecord;
use evalcheck_wire::worker::CheckOptions;

const GOOD: &str = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}"#;

/// Checks a dataset; then the text in place of the record at a line.
fn recheck(name: &str, dataset: &str, line: u64, text: &str) -> (Check, EditedRecord) {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: name.into(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut source, info, CheckOptions::default());
    check.read_all(dataset.as_bytes(), 1 << 16);
    let edited = check.view(&mut source).recheck(line, text, None).unwrap().unwrap();
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
    assert_eq!(edited.text, GOOD, "line breaks between tokens are not written");
    assert_eq!(edited.findings, Some(vec![]));
    assert_eq!(edited.sample.map(|sample| sample.turns.len()), Some(1));
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

/// The text to edit of the record at a line, the marked part of it, and the text that is written if nothing is changed.
fn text_to_edit(name: &str, dataset: &str, line: u64, part: &str) -> (String, Option<String>, String) {
    let (mut check, _) = recheck(name, dataset, line, "");
    let start = dataset.find(part).unwrap() as u64;
    let span = start..start + part.len() as u64;
    let mut source = Cursor::new(dataset);
    let mut view = check.view(&mut source);
    let to_edit = view.text_to_edit(line, Some(span)).unwrap().unwrap();
    let units: Vec<u16> = to_edit.text.encode_utf16().collect();
    let marked = to_edit.mark.map(|mark| {
        let at = |unit: u64| usize::try_from(unit).unwrap();
        String::from_utf16(&units[at(mark.start_utf16)..at(mark.end_utf16)]).unwrap()
    });
    let back = view.recheck(line, &to_edit.text, None).unwrap().unwrap().text;
    let range = usize::try_from(to_edit.range.start).unwrap()..usize::try_from(to_edit.range.end).unwrap();
    assert_eq!(back, &dataset[range], "what was not changed is written as it was");
    (to_edit.text, marked, back)
}

#[test]
fn a_record_in_json_is_indented_and_the_span_is_marked() {
    let line = GOOD.replace("Hi", "H\u{1f44b}i").replace("null", "nil");
    let dataset = format!("{GOOD}\n{}\n", line.replace("nil", "5"));
    let (text, marked, _) = text_to_edit("a.jsonl", &dataset, 2, "5}\n");
    assert!(text.starts_with("{\n  \"input\": {\n    \"messages\": [\n"), "{text}");
    assert_eq!(marked, None, "the span ends after the record");
    let (_, marked, _) = text_to_edit("a.jsonl", &dataset, 2, "5");
    assert_eq!(marked.as_deref(), Some("5"));
    let (text, marked, _) = text_to_edit("a.jsonl", &format!("{GOOD}\n{line}\n"), 2, "nil");
    assert_eq!((text, marked.as_deref()), (line, Some("nil")), "what cannot be read stays as it is");
    let document = "{\"queries\": [\n{\"query_id\": \"a\",\"query_text\": 7}\n]}";
    let (text, marked, _) = text_to_edit("a.json", document, 2, "7");
    assert_eq!(text, "{\n  \"query_id\": \"a\",\n  \"query_text\": 7\n}");
    assert_eq!(marked.as_deref(), Some("7"));
    let rows = "query_text,expected_answers\r\n\"a\r\nb\",[1]\r\n";
    let (text, marked, back) = text_to_edit("a.csv", rows, 2, "[1]");
    assert_eq!((text.as_str(), marked.as_deref()), ("\"a\nb\",[1]", Some("[1]")));
    assert_eq!(back, "\"a\r\nb\",[1]");
}

#[test]
fn a_large_record_is_edited_up_to_a_limit() {
    let of = |length: usize| GOOD.replace("Hi", &"x".repeat(length));
    let dataset = format!("{}\n{}\n", of(1 << 20), of(9 << 20));
    let (text, _, _) = text_to_edit("a.jsonl", &dataset, 1, "user");
    assert!(text.len() > 1 << 20);
    let (mut check, _) = recheck("a.jsonl", &dataset, 1, "");
    assert!(check.view(&mut Cursor::new(&dataset)).text_to_edit(2, None).unwrap().is_none());
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
