//! The sums of the outcomes of records are those of the records one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use crate::support::cases::{Input, inputs};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::FORMATS;
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::overview::LoadedFacts;
use evalcheck_report::view::{ChangeKind, Loaded};
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::CheckOptions;

fn check(data: &[u8], name: &str, format: Option<&str>, purpose: &mut Purpose<Cursor<Vec<u8>>>) -> Check {
    let info = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let options = CheckOptions { format: format.map(str::to_owned), ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(data), info, purpose.options(options));
    purpose.prepare(&mut check);
    check.read_all(data, 1 << 12);
    check
}

fn sums(data: &[u8], name: &str, format: Option<&str>) -> Option<LoadedFacts> {
    let report = check(data, name, format, &mut Purpose::overview()).report();
    let facts = report.overview.unwrap().loaded?;
    let sum = facts.same + facts.different + facts.dropped + facts.refused;
    assert_eq!(sum, report.counts.records, "{name}: {facts:?}");
    Some(facts)
}

/// The same four numbers, and for each kind and reason the records that have it.
fn one_by_one(
    data: &[u8],
    name: &str,
    format: Option<&str>,
) -> ([u64; 4], BTreeMap<(ChangeKind, String), u64>) {
    let mut purpose = Purpose::loaded();
    let mut check = check(data, name, format, &mut purpose);
    let (mut numbers, mut reasons) = ([0; 4], BTreeMap::new());
    let records = purpose.take_loaded(&mut check);
    assert_eq!(records.len() as u64, check.report().counts.records, "{name}");
    for record in &records {
        if purpose.is_replaced(&check, record.value) {
            numbers[2] += 1;
            continue;
        }
        let index = match &record.loaded {
            Loaded::Held(held) => usize::from(!held.changes.is_empty()),
            Loaded::Dropped => 2,
            Loaded::Refused => 3,
        };
        numbers[index] += 1;
        if let Loaded::Held(held) = &record.loaded {
            let differences = held.changes.iter().map(|change| (change.kind, change.why.clone()));
            for difference in differences.collect::<BTreeSet<_>>() {
                *reasons.entry(difference).or_default() += 1;
            }
        }
    }
    (numbers, reasons)
}

fn assert_same(data: &[u8], name: &str, format: Option<&str>) -> bool {
    let Some(facts) = sums(data, name, format) else { return false };
    let (numbers, reasons) = one_by_one(data, name, format);
    let LoadedFacts { same, different, dropped, refused, differences, others } = facts;
    assert_eq!([same, different, dropped, refused], numbers, "{name}");
    assert_eq!(others, 0, "{name}");
    for ((kind, why), records) in &reasons {
        let of_reason = differences.iter().filter(|of| (of.kind, &of.why) == (*kind, why));
        let counts: Vec<u64> = of_reason.map(|difference| difference.records).collect();
        // A record may have it at several paths.
        assert!(counts.iter().sum::<u64>() >= *records, "{name}: {why}");
        assert!(counts.iter().all(|count| count <= records), "{name}: {why}");
    }
    let told: BTreeSet<_> = differences.iter().map(|of| (of.kind, of.why.clone())).collect();
    assert_eq!(told, reasons.into_keys().collect(), "{name}");
    true
}

#[test]
fn of_all_golden_cases_and_examples() {
    let mut counted = 0;
    for Input { name, data, .. } in inputs() {
        if [".json", ".jsonl", ".csv"].iter().any(|extension| name.ends_with(extension)) {
            counted += usize::from(assert_same(&data, &name, None));
        }
    }
    for format in FORMATS {
        for example in format.examples {
            let data = match example.content() {
                ExampleContent::Text(text) => text.into_bytes(),
                ExampleContent::Bytes(bytes) => bytes,
            };
            counted += usize::from(assert_same(&data, example.file_name, Some(format.id)));
        }
    }
    assert!(counted > 100, "{counted}");
}

/// A value that the reader of a format changes mostly has a finding, so that its record is looked at by itself. These values have
/// none, or are only like those that have one.
#[test]
fn of_values_that_readers_treat_in_ways_of_their_own() {
    let values = [
        r#"{"__proto__": 1}"#,
        r#"{"__\u0070roto__": 1}"#,
        r#"{"\u005f_proto__": {"a": 1}, "b": "\u00e9"}"#,
        r#"{"a": {"__proto__": 1}}"#,
        "12345678901234567890",
        "9007199254740993",
        "-0",
        "1.50",
        "1e400",
        r#"{"a": 1, "a": 1}"#,
        r#""\ud800""#,
        r#"" \t""#,
        "null",
        "[]",
    ];
    let juryarena = values.map(|value| {
        format!(r#"{{"input": {{"messages": [{{"role": "user", "content": "Hi"}}]}}, "usage_output": {value}, "json_schema": {value}}}"#)
    });
    let quest =
        values.map(|value| format!(r#"[{{"type": "text", "id": "a", "text": "x", "metadata": {value}}}]"#));
    let header =
        r#"{"total_samples": 14, "sample_type": "text", "samples_per_line": 1, "hidden_metadata": []}"#;
    let evret = values.map(|value| {
        format!(r#"{{"query_id": "a", "query_text": "b", "relevant_doc_ids": ["c", "c"], "expected_answers": {value}}}"#)
    });
    let messages = values.map(|value| {
        format!(r#"{{"messages": [{{"role": "user", "content": "Hi"}}, {{"role": "assistant", "content": "Ho"}}], "x": {value}}}"#)
    });
    for count in [1, 3, values.len()] {
        for start in 0..=values.len() - count {
            let lines = |records: &[String]| records[start..start + count].join("\n");
            assert!(assert_same(lines(&juryarena).as_bytes(), "a.jsonl", Some("juryarena")));
            assert!(assert_same(format!("{header}\n{}", lines(&quest)).as_bytes(), "a.jsonl", Some("quest")));
            assert!(assert_same(lines(&messages).as_bytes(), "a.jsonl", Some("tencent-infer")));
            let document = format!(r#"{{"queries": [{}]}}"#, evret[start..start + count].join(","));
            assert!(assert_same(document.as_bytes(), "a.json", Some("evret")));
            let twice = format!(r#"{{"queries": [{0}], "queries": [{1}]}}"#, evret[start], evret[0]);
            assert!(assert_same(twice.as_bytes(), "a.json", Some("evret")));
        }
    }
}

#[test]
fn paths_name_any_element() {
    let record = r#"{"input": {"messages": [{"role": "user", "content": "Hi", "0": 1}, {"role": "user", "content": "Hi", "0": 2}]}, "owner": "x"}"#;
    let facts = sums(format!("{record}\n{record}\n").as_bytes(), "a.jsonl", Some("juryarena")).unwrap();
    let told: Vec<_> = facts.differences.iter().map(|of| (of.kind, &*of.path, of.records)).collect();
    let removed = ChangeKind::Removed;
    assert_eq!(told, [(removed, "input.messages.*.0", 2), (removed, "owner", 2)]);
    assert_eq!((facts.same, facts.different), (0, 2));
}
