//! The lines of findings that are counted and not kept.

use std::io::Cursor;

use crate::support::cases::{Input, inputs};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::Selection;
use evalcheck_engine::fix::in_memory::fix;
use evalcheck_report::Severity;
use evalcheck_report::view::Direction;
use evalcheck_wire::worker::CheckOptions;

const ROLE: &str = r#"{"input":{"messages":[{"role":"User","content":"Hi"}]},"usage_output":null}"#;
const COMMA: &str = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null},"#;
const GUESS: &str = r#"{"input":{"messages":[{"role":"human","content":"Hi"}]},"usage_output":null}"#;
const GOOD: &str = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}"#;

fn checked(name: &str, data: &[u8], most: Option<u64>) -> Check {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let options = CheckOptions { max_findings_per_code: most, ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.read_all(data, 1 << 10);
    check
}

/// Lines as they are found one after another.
fn walked(check: &Check, direction: Direction) -> Vec<u64> {
    let from = if direction == Direction::Next { 0 } else { u64::MAX };
    let next = |line: &u64| check.dataset().collector.error_line(*line, direction);
    std::iter::successors(check.dataset().collector.error_line(from, direction), next).collect()
}

/// Asserts that a check that keeps two findings finds the same lines with an error as a check that keeps all.
fn assert_lines_are_found(name: &str, data: &[u8]) {
    let all = checked(name, data, None).report();
    let errors = all.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let mut expected: Vec<u64> = errors.filter_map(|finding| finding.line).collect();
    expected.sort_unstable();
    expected.dedup();
    let mut check = checked(name, data, Some(2));
    assert!(check.report().findings.len() < expected.len(), "{name}: few are kept");
    assert_eq!(walked(&check, Direction::Next), expected, "{name}");
    expected.reverse();
    assert_eq!(walked(&check, Direction::Previous), expected, "{name}");
    expected.reverse();
    // The list of lines marks the same ones.
    let lines = check.view(&mut Cursor::new(data)).lines(1, 500).unwrap().lines;
    let marked = lines.iter().filter(|line| line.severity == Some(Severity::Error));
    assert_eq!(marked.map(|line| line.number).collect::<Vec<_>>(), expected, "{name}");
}

#[test]
fn the_next_invalid_line_is_found_when_its_finding_is_not_kept() {
    let lines: Vec<&str> = (0..400).map(|n| if n % 7 == 3 { GUESS } else { GOOD }).collect();
    assert_lines_are_found("a.jsonl", lines.join("\n").as_bytes());
    // Rows of two lines.
    let text = |n| if n % 5 == 4 { "\n" } else { "a\nb" };
    let rows: Vec<String> = (0..200).map(|n| format!("q{n},\"{}\",c", text(n))).collect();
    let table = format!("query_id,query_text,expected_answers\n{}\n", rows.join("\n"));
    assert_lines_are_found("a.csv", table.as_bytes());
    // The errors of a list that a later one replaces no longer count.
    let list = |good: &str| {
        let bad = r#"{"query_id":"a","query_text":" ","expected_answers":["c"]}"#;
        format!("[\n{}\n]", vec![bad; 40].join(",\n").replacen(bad, good, 3))
    };
    let good = r#"{"query_id":"a","query_text":"b","expected_answers":["c"]}"#;
    let document = format!("{{\"queries\":{},\n\"queries\":{}}}", list(r#"{"query_id":[]}"#), list(good));
    assert_lines_are_found("a.json", document.as_bytes());
}

#[test]
fn what_is_only_counted_counts_as_what_is_kept() {
    let mut errors = 0;
    for Input { name, path, data, .. } in inputs() {
        let all = checked(&name, &data, None).report().counts;
        for most in [0, 1] {
            let counts = checked(&name, &data, Some(most)).report().counts;
            assert_eq!(counts, all, "{}, {most} are kept", path.display());
        }
        errors += all.errors;
    }
    assert!(errors > 1_000, "{errors}");
}

#[test]
fn fixable_findings_are_counted_when_they_are_not_kept() {
    let lines: Vec<&str> = (0..300).map(|n| [ROLE, COMMA, GUESS, GOOD][n % 4]).collect();
    let data = lines.join("\n").into_bytes();
    let all = checked("a.jsonl", &data, None).report().counts;
    for most in [0, 1, 5, 1_000] {
        assert_eq!(checked("a.jsonl", &data, Some(most)).report().counts, all, "{most} are kept");
    }
    let count = |selection: &Selection| selection.count(&all);
    assert_eq!(count(&Selection::default()), 150);
    let unsafe_too = Selection { not_safe: true, ..Selection::default() };
    assert_eq!(count(&unsafe_too), 225);
    for selection in [Selection::default(), unsafe_too] {
        let fixed = fix(data.clone(), "a.jsonl", &CheckOptions::default(), &selection);
        assert_eq!(fixed.fixes, count(&selection), "as many are applied");
    }
}
