//! Requirements on the golden cases for the rules, by the committed reports; `golden.rs` compares these with the command.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::cases;
use evalcheck_report::{Applicability, Report};

/// Rules that no golden case produces, with the reason. A rule that gets a case is removed from the list.
const WITHOUT_A_CASE: &[&str] = &[
    // It needs a row of 65,537 cells, see `memory.rs`.
    "csv/many-cells",
    // It needs a file of 512 MiB; `limits.rs` of the formats has a test.
    "dataset/large-file",
    // It needs a file of 200 MB; `limits.rs` of the formats has a test.
    "dataset/too-large-file",
    // Several formats must be asked for, see `systems.rs`.
    "file/another-format",
    // The check must be stopped, see `unread.rs`.
    "file/cancelled",
    // The disk must fail, see `unread.rs`.
    "file/not-read",
    // An argument of the command causes it, see `encoding.rs`.
    "file/other-encoding",
    // The command rejects such an argument; `unread.rs` calls the engine.
    "format/unknown",
    // It needs a gigabyte to inflate; the tests of the archive lower the limit instead.
    "zip/bomb",
    // The disk must fail, see `unread.rs`.
    "zip/read-failed",
];

/// The committed reports by the names of their cases.
fn reports() -> Vec<(String, Report)> {
    let report = |name: &str, text: Vec<u8>| {
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let folders = cases::folders().into_iter();
    folders
        .map(|folder| {
            let name = cases::name(&folder);
            let report = report(&name, fs::read(folder.join("expected.json")).unwrap());
            (name, report)
        })
        .collect()
}

#[test]
fn every_rule_has_a_case_that_produces_it() {
    let produced: BTreeSet<String> =
        reports().into_iter().flat_map(|(_, report)| report.counts.by_code.into_keys()).collect();
    let rules = evalcheck_engine::rules::all().map(|rule| rule.code);
    let mut missing: Vec<&str> = rules.filter(|code| !produced.contains(*code)).collect();
    missing.sort_unstable();
    assert_eq!(missing, WITHOUT_A_CASE, "the rules that no golden case produces");
}

#[test]
fn every_rule_declares_its_fixes() {
    let mut found: BTreeMap<String, BTreeSet<Applicability>> = BTreeMap::new();
    for (name, report) in reports() {
        for finding in report.findings {
            let Some(fix) = finding.fix else { continue };
            let rule = evalcheck_engine::rules::all().find(|rule| rule.code == finding.code).unwrap();
            // A record with several mistakes has one fix for all of them.
            let is_of_several = fix.title.starts_with("Write it as JSON");
            let is_declared = rule.fix.is_some_and(|fixes| is_of_several || fixes.allows(fix.applicability));
            assert!(is_declared, "{name}: {} declares no such fix: {fix:?}", rule.code);
            found.entry(finding.code).or_default().insert(fix.applicability);
        }
    }
    for rule in evalcheck_engine::rules::all() {
        let Some(fixes) = rule.fix else { continue };
        let of_cases = found.remove(rule.code).unwrap_or_default();
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            assert!(
                !fixes.allows(applicability) || of_cases.contains(&applicability),
                "{}: no case has such a fix: {applicability:?}",
                rule.code
            );
        }
    }
}

#[test]
fn the_cases_have_what_the_golden_tests_compare() {
    let reports = reports();
    let sum = |of: fn(&Report) -> u64| reports.iter().map(|(_, report)| of(report)).sum::<u64>();
    let lost = sum(|report| {
        let loss = report.counts.loss;
        if report.checked { loss.lines + loss.records } else { 0 }
    });
    assert!(lost > 50, "{lost} records lose something");
    let left_out =
        sum(|report| if report.checked && report.counts.valid > 0 { report.counts.invalid } else { 0 });
    assert!(left_out > 100, "{left_out} records are left out");
}
