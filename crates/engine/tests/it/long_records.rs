//! The text of records that are too long to be shown whole.
use std::io::Cursor;

use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::view::Record;
use evalcheck_wire::worker::CheckOptions;

fn checked(dataset: &str) -> Check {
    let info = FileInfo { name: "a.jsonl".into(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(dataset), info, CheckOptions::default());
    check.read_all(dataset.as_bytes(), 1 << 16);
    check
}

/// The text that is marked for a finding of a record.
fn marked(record: &Record, index: usize) -> Option<String> {
    let mark = record.source.marks[index]?;
    let units: Vec<u16> = record.source.text.encode_utf16().collect();
    let (start, end) = (mark.start_utf16.try_into().unwrap(), mark.end_utf16.try_into().unwrap());
    Some(String::from_utf16(&units[start..end]).unwrap())
}

fn message(role: &str, content: &str) -> String {
    format!(r#"{{"role":"{role}","content":"{content}"}}"#)
}

fn record(messages: &[String]) -> String {
    format!(r#"{{"input":{{"messages":[{}]}},"usage_output":null}}"#, messages.join(","))
}

#[test]
fn the_text_is_around_the_first_finding_or_the_one_that_is_asked_for() {
    for filler in ["語", "x", "ü", "😀"].into_iter().take(rounds(1, 4)) {
        let long = filler.repeat((3 << 20) / filler.len());
        let line = record(&[
            message("user", &long),
            message("tool", &long),
            message("user", &long),
            message("developer", "Hi"),
        ]);
        let dataset = format!("{}\n{line}\n", record(&[message("user", "Hi")]));
        let mut check = checked(&dataset);
        let report = check.report();
        let starts: Vec<_> = report.findings.iter().map(|finding| finding.byte_start).collect();
        assert_eq!(starts.len(), 2);
        for (at, index, expected) in
            [(None, 0, "\"tool\""), (starts[0], 0, "\"tool\""), (starts[1], 1, "\"developer\"")]
        {
            let record = check.view(&mut Cursor::new(&dataset)).record(2, at).unwrap().unwrap();
            assert_eq!(marked(&record, index).as_deref(), Some(expected));
            assert_eq!(marked(&record, 1 - index), None, "it is 3 MiB away");
            let source = &record.source;
            assert!(source.text.len() <= 128 << 10, "{}", source.text.len());
            assert!(source.text.len() > 60 << 10, "{}", source.text.len());
            let (before, after) =
                (usize::try_from(source.before).unwrap(), usize::try_from(source.after).unwrap());
            assert_eq!(&line[before..line.len() - after], source.text);
            assert_eq!(source.editable, None);
        }
    }
}

#[test]
fn a_span_that_is_longer_than_the_text_is_marked_as_far_as_it_goes() {
    let dataset = record(&[message(&"x".repeat(1 << 20), "Hi")]);
    let record = checked(&dataset).view(&mut Cursor::new(&dataset)).record(1, None).unwrap().unwrap();
    assert!(marked(&record, 0).unwrap().starts_with("\"xxx"));
    assert!(record.source.after > 800 << 10);
}

#[test]
fn a_finding_after_thousands_of_others_is_marked() {
    let messages: Vec<_> = (0..3_000).map(|n| message("tool", &format!("{n}"))).collect();
    let dataset = record(&messages);
    let mut check = checked(&dataset);
    let last = check.report().findings.last().unwrap().clone();
    assert_eq!(last.path.as_deref(), Some("input.messages.2999.role"));
    let record = check.view(&mut Cursor::new(&dataset)).record(1, last.byte_start).unwrap().unwrap();
    let index = record.findings.iter().position(|finding| finding.path == last.path).unwrap();
    assert_eq!(marked(&record, index).as_deref(), Some("\"tool\""));
}

#[test]
fn the_last_keys_of_a_long_first_record_tell_its_format() {
    let answer = r#"[{"role":"assistant","content":"2"}]"#;
    let input = format!(r#"{{"messages":[{}]}}"#, message("user", &"x".repeat(1 << 20)));
    let line = format!(r#"{{"input":{input},"preferred_output":{answer},"non_preferred_output":{answer}}}"#);
    for dataset in [line.clone(), format!("{line}\n"), format!("{line}\n{line}\n")] {
        let format = checked(&dataset).report().format;
        assert_eq!((format.id.as_str(), format.is_certain()), ("openai-finetune", true), "{}", format.reason);
    }
}
