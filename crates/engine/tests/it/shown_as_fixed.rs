//! Records that cannot be read are shown as their fixes would make them.
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::Selection;
use evalcheck_engine::fix::in_memory;
use evalcheck_report::Applicability;
use evalcheck_report::view::Record;
use evalcheck_wire::worker::CheckOptions;

const JURY: &str =
    r#"{"input":{"messages":[{"role":"user","content":"Hi, what is \"it\"?"}]},"usage_output":null}"#;

fn options(format: &str) -> CheckOptions {
    CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() }
}

/// The record with a number, from 0.
fn record(name: &str, dataset: &[u8], format: &str, number: u64) -> Record {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: name.to_owned(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut source, info, options(format));
    check.read_all(dataset, 1 << 16);
    check.view(&mut source).record_of_number(number, None).unwrap().unwrap()
}

/// Spoils a record of a dataset, and compares the shown record with the dataset that the fixes make.
fn shown(name: &str, format: &str, good: &str, [from, to]: [&str; 2], number: u64) -> Applicability {
    let bad = good.replacen(from, to, 1);
    assert_ne!(bad, good);
    let shown = record(name, bad.as_bytes(), format, number);
    let applicability = shown.sample_is_fixed.unwrap_or_else(|| panic!("{bad}: {shown:#?}"));
    let selection = Selection { not_safe: applicability == Applicability::Unsafe, ..Selection::default() };
    let fixed = in_memory::fix(bad.clone().into_bytes(), name, &options(format), &selection);
    let after = record(name, &fixed.bytes, format, number);
    assert_eq!((shown.sample, after.sample_is_fixed), (after.sample, None), "{bad}");
    applicability
}

#[test]
fn a_line_is_shown_as_its_safe_fix_makes_it() {
    let two = format!("{JURY}\n{JURY}\n");
    for spoil in [["null}", "None}"], ["null}", "null,}"], [r#""usage_output""#, "'usage_output'"]] {
        assert_eq!(shown("a.jsonl", "juryarena", &two, spoil, 0), Applicability::Safe, "{spoil:?}");
    }
}

#[test]
fn elements_of_a_document_are_shown_in_their_place() {
    let document = r#"{"queries": [{"query_id": "a", "query_text": "b", "expected_answers": ["c"]},
{"query_id": "d", "query_text": "e", "expected_answers": ["f"]}]}"#;
    assert_eq!(shown("a.json", "evret", document, [r#"["f"]}"#, r#"["f",]}"#], 1), Applicability::Safe);
}

#[test]
fn a_readable_record_is_shown_as_it_is() {
    let wrong = JURY.replace("user", "human");
    assert_eq!(record("a.jsonl", wrong.as_bytes(), "juryarena", 0).sample_is_fixed, None);
}

#[test]
fn a_record_without_a_fix_is_not_shown() {
    let shown = record("a.jsonl", b"{\"input\": hello world}\n", "juryarena", 0);
    assert_eq!((shown.sample, shown.sample_is_fixed), (None, None));
}
