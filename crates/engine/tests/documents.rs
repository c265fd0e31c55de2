//! What the documents say is true: the examples of rules produce them, and findings are of rules that are listed.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use evalcheck_engine::catalogue::catalogue;
use evalcheck_engine::documents::derived::{counts, is_derivable, is_example};
use evalcheck_engine::documents::{applies, is_dataset, is_general};
use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules;
use evalcheck_wire::catalogue::RuleExample;
use evalcheck_wire::report::Report;

#[test]
fn examples_of_a_rule_that_formats_share_are_true_in_each_format() {
    let mut checked = 0;
    let mut lies = Vec::new();
    for rule in catalogue().rules {
        let declared = rules::all().find(|known| known.code == rule.code).unwrap();
        for format in FORMATS.iter().filter(|format| is_derivable(declared) && applies(declared, format)) {
            checked += 1;
            let (invalid, valid) = rule.example(format.id);
            let pair = RuleExample { invalid: invalid.to_owned(), valid: valid.to_owned() };
            if !is_example(&pair, declared, format) {
                lies.push(format!("{} in {}: {invalid}\nfixed: {valid}", rule.code, format.id));
            }
        }
    }
    assert!(lies.is_empty(), "{} examples are not true:\n{}", lies.len(), lies.join("\n"));
    assert!(checked > 150, "only {checked} examples are datasets");
}

#[test]
fn examples_of_a_rule_of_one_system_are_true_in_one_of_its_formats() {
    let mut checked = 0;
    for rule in rules::all().filter(|rule| !is_general(rule.category()) && is_dataset(rule.invalid)) {
        checked += 1;
        let finds = |format: &Format| counts(rule.invalid, format).by_code.contains_key(rule.code);
        let fitting: Vec<_> =
            FORMATS.iter().filter(|format| applies(rule, format) && finds(format)).collect();
        assert!(!fitting.is_empty(), "{}: nothing is found in {}", rule.code, rule.invalid);
        if !is_dataset(rule.valid) {
            continue;
        }
        let left: Vec<_> = fitting.iter().map(|format| counts(rule.valid, format)).collect();
        // The records of some systems are too long for an example; it is part of one.
        let is_part =
            left.iter().all(|counts| counts.by_code.keys().all(|code| code.starts_with("shape/missing-key")));
        let is_clean = left.iter().any(|counts| counts.errors + counts.warnings == 0);
        assert!(is_clean || is_part, "{}: fixed, {} gives {left:?}", rule.code, rule.valid);
    }
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
