//! Documents made from schemas and spoilt: nothing panics, and what is JSON here is JSON elsewhere.

use std::io::Cursor;

use crate::support;
use crate::support::Choices;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::{self, Layout, List};
use evalcheck_report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;

/// The formats whose datasets are documents.
const FORMATS: [&str; 2] = ["evret", "json"];

fn lists(id: &str) -> &'static [List] {
    let format = formats::by_id(id).unwrap();
    let lists = format.variants.iter().find_map(|variant| match variant.layout {
        Layout::Json(lists) => Some(lists),
        _ => None,
    });
    lists.unwrap()
}

fn document(id: &str, choices: &mut Choices) -> String {
    let line_break = ["", "\n", "\r\n  "][choices.below(3)];
    if id == "json" {
        let document = support::document(lists(id), choices, |list, choices| {
            (0..=choices.below(5)).map(|_| support::valid(list.schema, choices)).collect()
        });
        return document.replace('\n', line_break);
    }
    let mut members = Vec::new();
    for list in lists(id) {
        if !list.required && choices.chance(2) {
            continue;
        }
        let elements: Vec<String> = (0..choices.below(5))
            .map(|_| support::valid(list.schema, choices).replace(',', &format!(",{line_break}")))
            .collect();
        members.push(format!(
            "\"{}\": [{line_break}{}]",
            list.key().unwrap(),
            elements.join(&format!(",{line_break}"))
        ));
    }
    if choices.chance(4) {
        members.push("\"version\": {\"a\": [1, 2.5e3, null]}".to_owned());
    }
    if choices.chance(2) {
        members.reverse();
    }
    format!("{{{line_break}{}}}{line_break}", members.join(", "))
}

/// The same document with changes to its bytes, line breaks kept.
fn spoilt(document: &str, choices: &mut Choices) -> Vec<u8> {
    let lines: Vec<&str> = document.split('\n').collect();
    let chosen = choices.below(lines.len());
    let mut out = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        if index == chosen {
            out.extend_from_slice(&support::mutated(line, choices));
        } else {
            out.extend_from_slice(line.as_bytes());
        }
    }
    if choices.chance(8) {
        out.truncate(choices.below(out.len() + 1));
    }
    out
}

fn open(id: &str, data: &[u8]) -> Check {
    let file = FileInfo { name: "data.json".to_owned(), size: data.len() as u64 };
    let options = CheckOptions { format: Some(id.to_owned()), ..CheckOptions::default() };
    Check::open(&mut Cursor::new(data), file, options)
}

fn check(id: &str, data: &[u8], piece: usize) -> Report {
    let mut check = open(id, data);
    check.read_all(data, piece);
    check.report()
}

/// Whether the bytes are JSON by the report; `None` if they were not read to their end for another reason.
fn is_json(report: &Report) -> Option<bool> {
    // A list whose first bracket is lost is a value of a wrong type.
    let lacks_bracket = |hint: &String| hint.starts_with("Write [ before the first object");
    let is_other = |finding: &Finding| {
        finding.path.as_deref() == Some("(root)")
            || finding.code.starts_with("file/")
            || finding.hint.as_ref().is_some_and(lacks_bracket)
    };
    if report.findings.iter().any(is_other) {
        return None;
    }
    let is_error = |code: &str| {
        (code.starts_with("json/") || code.starts_with("document/") || code.starts_with("text/"))
            && !matches!(code, "text/byte-order-mark")
    };
    Some(
        !report.findings.iter().any(|finding| finding.severity == Severity::Error && is_error(&finding.code)),
    )
}

#[test]
fn what_is_json_here_is_json_for_serde_json() {
    let mut choices = Choices::new(41);
    let (mut json, mut no_json, documents) = (0, 0, rounds(2_000, 20_000));
    for round in 0..documents {
        let id = FORMATS[round % 2];
        let data = spoilt(&document(id, &mut choices), &mut choices);
        let report = check(id, &data, usize::MAX);
        // serde_json refuses lone surrogates and a byte order mark, which are a warning and an info here.
        let lenient = |code: &str| matches!(code, "text/lone-surrogate" | "text/byte-order-mark");
        if data.trim_ascii().is_empty() || report.findings.iter().any(|finding| lenient(&finding.code)) {
            continue;
        }
        let Some(ours) = is_json(&report) else { continue };
        let theirs = serde_json::from_slice::<serde_json::Value>(&data);
        assert_eq!(
            ours,
            theirs.is_ok(),
            "{theirs:?}\n{:#?}\n{}",
            report.findings,
            String::from_utf8_lossy(&data)
        );
        if ours { json += 1 } else { no_json += 1 }
    }
    assert!(json > documents / 20 && no_json > documents / 4, "{json} JSON, {no_json} not");
}

#[test]
fn pieces_of_any_size_give_the_same_report() {
    let mut choices = Choices::new(42);
    for round in 0..1_200 {
        let id = FORMATS[round % 2];
        let valid = document(id, &mut choices);
        let data = if choices.chance(3) { valid.into_bytes() } else { spoilt(&valid, &mut choices) };
        let whole = check(id, &data, usize::MAX);
        for piece in [1, 7, 64] {
            let report = check(id, &data, piece);
            assert_eq!(report, whole, "round {round}, pieces of {piece}\n{}", String::from_utf8_lossy(&data));
        }
        let counts = whole.counts;
        // Bytes of another kind of file are not lines.
        if !counts.by_code.keys().any(|code| code.starts_with("file/")) {
            assert_eq!(counts.lines, support::lines_of(&data), "round {round}");
        }
    }
}

#[test]
fn elements_are_found_again() {
    let mut choices = Choices::new(43);
    for round in 0..600 {
        let id = FORMATS[round % 2];
        let data = spoilt(&document(id, &mut choices), &mut choices);
        let mut check = open(id, &data);
        check.read_all(&data, 100);
        let report = check.report();
        let mut source = Cursor::new(&data);
        let total = check.view(&mut source).lines(1, 500).unwrap().total;
        let newlines = memchr::memchr_iter(b'\n', &data).count() as u64;
        assert_eq!(total, newlines + u64::from(!data.is_empty() && !data.ends_with(b"\n")), "round {round}");
        let in_record = |finding: &&Finding| finding.record.is_some();
        for finding in report.findings.iter().filter(in_record) {
            let record = check.view(&mut source).record(finding.line.unwrap(), None).unwrap().unwrap();
            assert!(
                record.findings.iter().any(|other| other == finding),
                "round {round}: {finding:?} is missing in {:#?}\n{}",
                record.findings,
                String::from_utf8_lossy(&data)
            );
        }
    }
}
