//! Golden cases: `tests/cases/<format>/<case>/` holds an input and what is expected of it.
//!
//! - `input.jsonl`, `input.zip`, ...: the file, byte for byte; or `input/`: a folder that is packed to `input.zip`; or
//!   `input.recipe.json`: how to make it, see `support/recipe.rs`.
//! - `options.json`: how to check, when it is not "against the format that the folder is named after" (the folder
//!   `auto` lets the content decide).
//! - `expected.txt`, `expected.json`: the plain text and the report.
//! - `fixed.jsonl`, `fixed-unsafe.jsonl`, ...: the input with its safe fixes applied, and with all of them, where it has any; of a
//!   ZIP a list of its entries, `fixed.zip.txt`.
//!
//! `UPDATE_EXPECT=1 cargo test -p evalcheck-cli --test golden` writes what is expected anew; look at the difference
//! before you commit it. Every report is also held against the schema, its counts and places are computed again here,
//! and it must be the same whatever pieces the file arrives in.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/cases.rs"]
mod cases;
#[path = "../../engine/tests/support/fix.rs"]
mod fixing;
#[path = "support/invariants.rs"]
mod invariants;
#[path = "support/listing.rs"]
mod listing;
#[path = "support/recipe.rs"]
mod recipe;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};

use cases::{Case, cases, diff};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::fix::{EditPlan, Selection};
use evalcheck_render::text::report_text;
use evalcheck_wire::report::{Applicability, Finding, Fix, Report, Severity};
use evalcheck_wire::view::{ChangeKind, Loaded};
use evalcheck_wire::worker::CheckOptions;
use invariants::{assert_counts_add_up, assert_in_order, assert_place_is_right};

/// What stands for the version, which changes with every release.
const ANY_VERSION: &str = "0.0.0";

/// The pieces in which a file arrives: whole, and so that every border falls everywhere.
const PIECES: [usize; 4] = [1 << 20, 1, 7, 64];

#[test]
fn every_case_gives_what_is_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = Vec::new();
    for case in cases() {
        let report = case.check(PIECES[0]);
        case.compare("expected.txt", &report_text(&report), update, &mut failures);
        case.compare("expected.json", &masked_json(&report), update, &mut failures);
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_case_is_fixed_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = Vec::new();
    let is_wanted = |case: &Case| case.recipe.is_none() || case.is_zip();
    for case in cases().into_iter().filter(is_wanted) {
        for not_safe in [false, true] {
            let selection = Selection { not_safe, ..Selection::default() };
            let fixed = fixing::fix(case.bytes.clone(), &case.file_name, &case.options, &selection);
            let extension = case.file_name.rsplit('.').next().unwrap();
            let mut file = format!("fixed{}.{extension}", if not_safe { "-unsafe" } else { "" });
            let mut bytes = fixed.bytes;
            if case.is_zip() {
                // How it is compressed is no matter.
                file += ".txt";
                bytes = if fixed.fixes > 0 { listing::listing(&bytes) } else { bytes };
            }
            case.compare_bytes(&file, (fixed.fixes > 0).then_some(&bytes), update, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn what_is_lost_is_missing_from_what_is_loaded() {
    let mut compared = 0;
    for case in cases() {
        let (report, records) = case.load();
        // Of a dataset that is refused as a whole nothing is lost.
        let is_refused = |finding: &Finding| finding.severity == Severity::Error && finding.record.is_none();
        if !report.checked || report.findings.iter().any(is_refused) {
            continue;
        }
        let is_lost = |loaded: &Loaded| match loaded {
            // Of a dataset with an error only lines are lost: it is refused, or loaded without them.
            Loaded::Held(held) => {
                report.valid && held.changes.iter().any(|change| change.kind == ChangeKind::Removed)
            }
            Loaded::Dropped => true,
            Loaded::Refused => false,
        };
        let missing = records.iter().filter(|record| is_lost(&record.loaded)).count();
        let loss = report.counts.loss;
        if missing > 0 {
            assert!(!loss.is_empty(), "{}: no finding says that something is lost: {records:#?}", case.name);
        }
        // Values of a record with errors are not seen.
        if loss.keys > 0 && report.valid {
            assert!(missing > 0, "{}: nothing is missing where {loss:?} is lost: {records:#?}", case.name);
        }
        compared += missing;
    }
    assert!(compared > 50, "{compared} records that lose something");
}

#[test]
fn no_record_is_invalid_once_the_invalid_ones_are_left_out() {
    let mut left_out = 0;
    for case in cases().into_iter().filter(|case| !case.is_zip() && case.recipe.is_none()) {
        let (report, rejects) = case.rejects();
        // What is no record keeps the others from being told, or governs them.
        let is_of_all = |finding: &Finding| finding.severity == Severity::Error && finding.record.is_none();
        if !report.checked || rejects.is_empty() || report.findings.iter().any(is_of_all) {
            continue;
        }
        left_out += rejects.records();
        let mut plan = EditPlan::default();
        plan.add(&Fix::safe("", rejects.removal(&mut case.bytes.as_slice()).unwrap()));
        let rest = Case { bytes: plan.apply(&case.bytes), name: format!("{}, the rest", case.name), ..case };
        let (report, rejects) = rest.rejects();
        assert!(rejects.is_empty(), "{}: {:#?}", rest.name, report.findings);
    }
    assert!(left_out > 100, "{left_out} records are left out");
}

#[test]
fn every_rule_declares_its_fixes() {
    let mut found: BTreeMap<String, BTreeSet<Applicability>> = BTreeMap::new();
    for case in cases() {
        for finding in case.check(PIECES[0]).findings {
            let Some(fix) = finding.fix else { continue };
            let rule = evalcheck_engine::rules::all().find(|rule| rule.code == finding.code).unwrap();
            // A record with several mistakes has one fix for all of them.
            let is_of_several = fix.title == "Write it as JSON";
            let is_declared = rule.fix.is_some_and(|fixes| is_of_several || fixes.allows(fix.applicability));
            assert!(is_declared, "{}: {} declares no such fix: {fix:?}", case.name, rule.code);
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
fn every_report_is_sound() {
    for case in cases() {
        let report = case.check(PIECES[0]);
        support::assert_follows_schema(&serde_json::to_value(&report).unwrap(), &case.name);
        assert_counts_add_up(&case.name, &report);
        assert_in_order(&case.name, &report);
        let dataset = case.dataset(&report);
        for finding in &report.findings {
            assert_place_is_right(&case.name, finding, &report, &dataset);
        }
    }
}

#[test]
fn a_report_does_not_depend_on_the_pieces_a_file_arrives_in() {
    for case in cases() {
        // A large file in tiny pieces shows nothing that a small one does not.
        let expected = masked_json(&case.check(PIECES[0]));
        for piece in PIECES.into_iter().skip(1).filter(|piece| case.bytes.len() / piece < 200_000) {
            let report = masked_json(&case.check(piece));
            assert!(report == expected, "{} in pieces of {piece}:\n{}", case.name, diff(&expected, &report));
        }
    }
}

#[test]
fn every_rule_has_a_case_that_produces_it() {
    let mut produced: BTreeSet<String> =
        cases().iter().flat_map(|case| case.check(PIECES[0]).counts.by_code.into_keys()).collect();
    for report in [failing_read(), cancelled(), failing_open()] {
        produced.extend(report.counts.by_code.into_keys());
    }
    let rules = evalcheck_engine::rules::all().map(|rule| rule.code);
    let missing: Vec<&str> = rules.filter(|code| !produced.contains(*code)).collect();
    // Exactly these: a rule that gets a case leaves the list.
    assert_eq!(missing, WITHOUT_A_CASE, "the rules that no golden case produces");
}

/// Rules that no case here produces, and why.
const WITHOUT_A_CASE: &[&str] = &[
    // It takes a gigabyte to inflate; the tests of the archive lower the limit instead.
    "zip/bomb",
];

const TWO_RECORDS: &str = r#"{"input":{"messages":[{"role":"user","content":"One"}]},"usage_output":null}
{"input":{"messages":[{"role":"user","content":"Two"}]},"usage_output":null}
"#;

/// A job over two records of which the first was read.
fn half_read() -> Check {
    let info = FileInfo { name: "two.jsonl".into(), size: TWO_RECORDS.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(TWO_RECORDS), info, CheckOptions::default());
    let first = TWO_RECORDS.find('\n').unwrap() + 1;
    let mut read = 0;
    while read < first {
        let space = check.buffer(first - read);
        let length = space.len();
        space.copy_from_slice(&TWO_RECORDS.as_bytes()[read..read + length]);
        check.commit(length);
        read += length;
    }
    check
}

fn failing_read() -> Report {
    let mut check = half_read();
    check.fail("the disk is gone");
    assert_eq!(check.next_range(), None);
    check.report()
}

fn cancelled() -> Report {
    let mut check = half_read();
    check.cancel();
    assert_eq!(check.next_range(), None);
    check.report()
}

/// An archive whose directory cannot be read.
fn failing_open() -> Report {
    struct Failing(Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            // The start is there, and says that it is a ZIP.
            if self.0.position() < 256 << 10 {
                self.0.read(buffer)
            } else {
                Err(std::io::Error::other("the disk is gone"))
            }
        }
    }
    impl std::io::Seek for Failing {
        fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.resize(3 << 20, 0);
    let info = FileInfo { name: "a.zip".into(), size: bytes.len() as u64 };
    let mut check = Check::open(&mut Failing(Cursor::new(bytes)), info, CheckOptions::default());
    if check.next_range().is_some() {
        check.fail("the disk is gone");
    }
    check.report()
}

#[test]
fn what_was_not_read_is_not_checked_and_never_valid() {
    for (report, why) in [
        (failing_read(), "the disk is gone"),
        (cancelled(), "cancelled"),
        (failing_open(), "the disk is gone"),
    ] {
        support::assert_follows_schema(&serde_json::to_value(&report).unwrap(), why);
        assert_counts_add_up(why, &report);
        assert!(!report.valid && !report.checked, "{report:#?}");
        assert!(report.findings.iter().any(|finding| finding.message.contains(why)), "{report:#?}");
    }
    for report in [failing_read(), cancelled()] {
        assert_eq!(report.counts.records, 1);
        let place = format!("from byte {} on", TWO_RECORDS.find('\n').unwrap() + 1);
        assert!(report.findings[0].message.contains(&place), "{report:#?}");
    }
}

/// The report as it is committed.
fn masked_json(report: &Report) -> String {
    let mut report = report.clone();
    ANY_VERSION.clone_into(&mut report.tool.version);
    serde_json::to_string_pretty(&report).unwrap() + "\n"
}
