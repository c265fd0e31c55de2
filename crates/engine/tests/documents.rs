//! What the documents say is true: the examples of rules produce them, and findings are of rules that are listed.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::documents::{applies, is_dataset};
use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules::{self, Rule};
use evalcheck_wire::report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;

fn check(text: &str, format: &Format) -> Report {
    // Its name says whether it is rows.
    let name = if text.starts_with(['{', '[']) { "example.jsonl" } else { "example.csv" };
    let info = FileInfo { name: name.into(), size: text.len() as u64 };
    let options = CheckOptions { format: Some(format.id.into()), ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(text), info, options);
    check.read_all(text.as_bytes(), 1 << 20);
    check.report()
}

fn produces(text: &str, format: &Format, code: &str) -> bool {
    check(text, format).counts.by_code.contains_key(code)
}

/// `format/not-recognised` is what a file gets that is asked for as no format.
fn is_about_choosing(rule: &Rule) -> bool {
    rule.category() == "format"
}

/// What is still wrong with the valid example. Other problems may be in both examples, where a complete record would be
/// too long.
fn not_fixed(rule: &Rule, format: &Format) -> Vec<Finding> {
    let before = check(rule.invalid, format).counts.by_code;
    let mut findings = check(rule.valid, format).findings;
    findings.retain(|finding| {
        let is_new = !before.contains_key(&finding.code) && finding.severity == Severity::Error;
        is_new || finding.code == rule.code
    });
    findings
}

#[test]
fn invalid_examples_have_the_problem_and_valid_ones_do_not() {
    let mut checked = 0;
    let mut lies = Vec::new();
    for rule in rules::all().filter(|rule| is_dataset(rule.invalid) && !is_about_choosing(rule)) {
        checked += 1;
        let fitting: Vec<_> = FORMATS.iter().filter(|format| applies(rule, format)).collect();
        let producing: Vec<_> =
            fitting.iter().filter(|format| produces(rule.invalid, format, rule.code)).collect();
        // A rule that applies to no format cannot be tried.
        if producing.is_empty() && !fitting.is_empty() {
            let got: Vec<_> =
                fitting.iter().map(|format| check(rule.invalid, format).counts.by_code).collect();
            lies.push(format!("{}: {} gives {got:?}", rule.code, rule.invalid));
        }
        if is_dataset(rule.valid) && !producing.is_empty() {
            let left: Vec<_> = producing.iter().map(|format| not_fixed(rule, format)).collect();
            // An example is written for one format; another may have something to say of both.
            if left.iter().all(|findings| !findings.is_empty()) {
                lies.push(format!("{}: fixed, {} gives {left:?}", rule.code, rule.valid));
            }
        }
    }
    assert!(lies.is_empty(), "{} examples are not true:\n{}", lies.len(), lies.join("\n"));
    assert!(checked > 30, "only {checked} examples are datasets");
}

#[test]
fn a_rule_that_produced_a_finding_is_listed_for_the_format() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut seen = BTreeSet::new();
    for format in std::fs::read_dir(cases).unwrap() {
        for case in std::fs::read_dir(format.unwrap().path()).into_iter().flatten() {
            let Ok(text) = std::fs::read_to_string(case.unwrap().path().join("expected.json")) else {
                continue;
            };
            let report: Report = serde_json::from_str(&text).unwrap();
            let Some(format) = formats::by_id(&report.format.id) else { continue };
            seen.extend(report.counts.by_code.into_keys().map(|code| (format.id, code)));
        }
    }
    assert!(seen.len() > 20, "the golden cases are found: {} findings", seen.len());
    for (id, code) in seen {
        let rule = rules::all().find(|rule| rule.code == code).unwrap();
        assert!(applies(rule, formats::by_id(id).unwrap()), "{code} is not listed for {id}");
    }
}

#[test]
fn every_format_and_every_rule_has_its_section() {
    for (name, text) in evalcheck_engine::documents::all() {
        assert!(text.ends_with('\n') && !text.contains("\n\n\n") && !text.contains('\r'), "{name}");
        for rule in rules::all() {
            assert!(name != "RULES.md" || text.contains(&format!("\n## `{}`\n", rule.code)), "{}", rule.code);
        }
        for format in FORMATS {
            assert!(name != "FORMATS.md" || text.contains(&format!("(`{}`)\n", format.id)), "{}", format.id);
        }
    }
}
