//! Every verdict on an Every Eval Ever record is that of a validator of JSON Schema, draft 7.
//!
//! The schemas in `schemas/` have only types, keys, enumerations and conditions, and were written for this test. If the project's
//! own schemas are beside the checkout, they are compared with too.

use std::io::Write;
use std::path::Path;

use crate::support;
use crate::support::Choices;
use crate::support::eee::{coherent, spoil, with_odd_numbers};
use crate::support::suite::rounds;
use evalcheck_engine::diagnose::{self, Observer, PathBuilder, RecordStart, Room, Task};
use evalcheck_engine::finding::Finding;
use evalcheck_engine::formats::checks::{Captures, Checks, Observations, RecordChecks};
use evalcheck_engine::formats::{self, Format, Variant};
use evalcheck_engine::scan::{self, Scratch};
use evalcheck_report::Severity;
use jsonschema::Validator;
use serde_json::{Value, json};

/// The number of records of each version that are compared.
fn records() -> usize {
    rounds(2_000, 20_000)
}

const SCHEMAS: [(&str, &str); 2] = [
    ("0.2.0", include_str!("../schemas/eee-0.2.0.json")),
    ("0.3.0", include_str!("../schemas/eee-0.3.0.json")),
];

fn format() -> &'static Format {
    formats::by_id("eee-instance").unwrap()
}

fn variant(version: &str) -> &'static Variant {
    format().variants.iter().find(|variant| variant.version == version).unwrap()
}

fn start(line: u64) -> RecordStart {
    RecordStart { offset: 0, line, column: 1, record: line - 1 }
}

/// The findings of the thorough tier in a record by itself, or with an observer of the dataset.
fn explained(
    line: &str,
    variant: &'static Variant,
    checks: &dyn RecordChecks,
    observer: Option<Observer<'_>>,
    number: u64,
) -> Vec<Finding> {
    let task = Task {
        format: format(),
        schema: variant.schema,
        checks,
        attachments: None,
        start: start(number),
        list: 0,
        base: &PathBuilder::default(),
        room: Room::All,
    };
    diagnose::diagnose(line.as_bytes(), task, observer).findings
}

/// The results of a check of a record.
struct Checked {
    /// Whether the scanner accepts it.
    fits: bool,
    /// Whether the fast tier finds it clean.
    is_clean: bool,
    /// The findings of the thorough tier, which sees it as one of a dataset.
    findings: Vec<Finding>,
}

fn checked(line: &str, variant: &'static Variant, checks: &mut Checks, number: u64) -> Checked {
    let bytes = support::padded(line.as_bytes());
    let mut scratch = Scratch::default();
    let fits = scan::line(&bytes, 0, variant.schema, format().texts, &mut scratch).is_ok();
    let captures = Captures::of_scan(&bytes, 0, &scratch.captures, 0, None);
    let is_clean = fits && checks.record.is_clean(&captures);
    let reported = is_clean.then(|| {
        let mut out = Observations::default();
        checks.dataset.observe(&captures, start(number), &mut out);
        out
    });
    let all = Observer { dataset: &mut *checks.dataset, reported, table: None, is_silent: false };
    let findings = explained(line, variant, &*checks.record, Some(all), number);
    Checked { fits, is_clean, findings }
}

fn shown(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|finding| {
        let finding = finding.to_wire();
        format!("  {} {}: {}", finding.severity.as_str(), finding.path.unwrap_or_default(), finding.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Compares both tiers with the oracle.
fn compare(line: &str, variant: &'static Variant, oracle: &Validator, about: &str) -> bool {
    let Checked { fits, findings, .. } = checked(line, variant, &mut (format().rules.checks)(variant), 1);
    let ours = !findings.iter().any(|finding| finding.problem.rule().severity == Severity::Error);
    let record: Value = serde_json::from_str(line).unwrap();
    let theirs = oracle.is_valid(&record);
    let errors = || {
        oracle
            .iter_errors(&record)
            .map(|error| format!("  {}: {error}", error.instance_path()))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        ours,
        theirs,
        "{about}: we say {}, it says {}\n{line}\nours:\n{}\nits:\n{}",
        if ours { "valid" } else { "invalid" },
        if theirs { "valid" } else { "invalid" },
        shown(&findings),
        errors()
    );
    assert!(theirs || !fits, "{about}: the fast tier accepts what is invalid\n{line}\nits:\n{}", errors());
    theirs
}

/// A record from the schema, or one that makes sense; with up to three changes.
fn record(version: &str, choices: &mut Choices, number: usize) -> String {
    let mut record = if number.is_multiple_of(2) {
        serde_json::from_str(&support::valid(variant(version).schema, choices)).unwrap()
    } else {
        coherent(version, choices, number)
    };
    for _ in 0..choices.below(4) {
        spoil(&mut record, choices);
    }
    with_odd_numbers(&record.to_string(), choices)
}

/// The schemas to compare with: our own, and the project's if they are beside the checkout.
fn oracles(version: &str, own: &str) -> Vec<(String, Validator)> {
    let own: Value = serde_json::from_str(own).unwrap();
    let mut oracles = vec![("our schema".to_owned(), jsonschema::draft7::new(&own).unwrap())];
    let name = format!("every-eval-ever-instance-{version}.schema.json");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("../shared/seeds").join(&name);
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let schema: Value = serde_json::from_str(&text).unwrap();
            oracles.push((name, jsonschema::draft7::new(&schema).unwrap()));
        }
        // Not eprintln, which is shown only for failing tests.
        Err(error) => {
            let _ =
                writeln!(std::io::stderr(), "SKIPPED: no comparison with the project's own {name}: {error}");
        }
    }
    oracles
}

#[test]
fn every_verdict_is_that_of_json_schema() {
    for (version, own) in SCHEMAS {
        let oracles = oracles(version, own);
        let mut choices = Choices::new(7);
        let (mut valid, mut invalid) = (0, 0);
        for number in 0..records() {
            let line = record(version, &mut choices, number);
            for (about, oracle) in &oracles {
                let is_valid = compare(&line, variant(version), oracle, &format!("{version}, {about}"));
                *(if is_valid { &mut valid } else { &mut invalid }) += 1;
            }
        }
        let all = records() * oracles.len();
        assert!(valid > all / 5 && invalid > all / 5, "{version}: {valid} valid, {invalid} invalid");
    }
}

#[test]
fn verdicts_on_what_is_easily_missed() {
    for (version, own) in SCHEMAS {
        let mut choices = Choices::new(8);
        let base = loop {
            let record = coherent(version, &mut choices, 0);
            if record["interaction_type"] == "agentic" {
                break record;
            }
        };
        let with = |changes: &[(&str, Option<Value>)]| {
            let mut record = base.clone();
            for (key, value) in changes {
                match value {
                    Some(value) => record[*key] = value.clone(),
                    None => drop(record.as_object_mut().unwrap().remove(*key)),
                }
            }
            record.to_string()
        };
        let some = |value: Value| Some(value);
        let lines = [
            // Without the key that decides, both conditions hold vacuously.
            with(&[("interaction_type", None)]),
            with(&[("interaction_type", some(json!(null)))]),
            with(&[("interaction_type", some(json!("Agentic")))]),
            with(&[("interaction_type", some(json!("single_turn")))]),
            with(&[("output", some(json!(null)))]),
            with(&[("output", some(json!({})))]),
            with(&[("metrics", some(json!({})))]),
            with(&[("metrics", some(json!({"num_turns": "many"})))]),
            with(&[("metrics", some(json!([])))]),
            with(&[("metrics", some(json!({}))), ("interaction_type", some(json!("single_turn")))]),
            with(&[("interactions", some(json!(null)))]),
            with(&[("messages", some(json!(null)))]),
            with(&[("sample_id", some(json!(1.0)))]),
            with(&[("sample_id", some(json!(1.5)))]),
            with(&[("sample_id", some(json!(-3)))]),
            with(&[("sample_id", some(json!(1e300)))]),
            with(&[("answer_attribution", some(json!([])))]),
            base.to_string().replacen("\"turn_idx\":0", "\"turn_idx\":0e0", 1),
            base.to_string().replacen("\"turn_idx\":1", "\"turn_idx\":10e-1", 1),
            base.to_string().replacen("\"turn_idx\":1", "\"turn_idx\":1.0", 1),
            base.to_string().replacen("\"turn_idx\":0", "\"turn_idx\":-0", 1),
            base.to_string().replacen("\"turn_idx\":0", "\"turn_idx\":-0.0", 1),
            base.to_string().replacen("\"turn_idx\":0", "\"turn_idx\":-1e-300", 1),
            base.to_string().replacen("\"turn_idx\":1", "\"turn_idx\":18446744073709551616", 1),
            base.to_string().replacen("\"agentic\"", "\"\\u0061gentic\"", 1),
            "[]".to_owned(),
            "null".to_owned(),
            "{}".to_owned(),
        ];
        for (about, oracle) in oracles(version, own) {
            for line in &lines {
                compare(line, variant(version), &oracle, &format!("{version}, {about}"));
            }
        }
    }
}

#[test]
fn records_that_make_sense_stay_in_the_fast_tier() {
    for (version, _) in SCHEMAS {
        let variant = variant(version);
        let mut choices = Choices::new(9);
        let mut checks = (format().rules.checks)(variant);
        let mut by_kind = std::collections::BTreeMap::<String, (u32, u32)>::new();
        for number in 0..3_000_u32 {
            let record = coherent(version, &mut choices, number as usize);
            let line = record.to_string();
            let at = u64::from(number) + 1;
            let Checked { is_clean, findings, .. } = checked(&line, variant, &mut checks, at);
            assert!(findings.is_empty(), "{version}: {line}\n{}", shown(&findings));
            let kind = record["interaction_type"].as_str().unwrap().to_owned();
            let (all, fast) = by_kind.entry(kind).or_default();
            *all += 1;
            *fast += u32::from(is_clean);
        }
        assert_eq!(by_kind.len(), 3, "{by_kind:?}");
        for (kind, (all, fast)) in by_kind {
            assert!(all > 500 && fast >= all - 2, "{version}, {kind}: {fast} of {all} are accepted at once");
        }
    }
}

#[test]
fn the_fast_tier_accepts_nothing_that_a_rule_speaks_of() {
    for (version, _) in SCHEMAS {
        let variant = variant(version);
        let mut choices = Choices::new(10);
        let mut checks = (format().rules.checks)(variant);
        let (mut accepted, mut warned) = (0, 0);
        for number in 0..records() {
            let mut record = coherent(version, &mut choices, number);
            for _ in 0..choices.below(3) {
                support::eee::disagree(&mut record, &mut choices);
            }
            let line = record.to_string();
            let at = number as u64 + 1;
            let Checked { is_clean, findings, .. } = checked(&line, variant, &mut checks, at);
            let alone = explained(&line, variant, &*checks.record, None, at);
            assert!(!is_clean || alone.is_empty(), "{version}: {line}\n{}", shown(&alone));
            accepted += usize::from(is_clean);
            warned += usize::from(!findings.is_empty());
        }
        assert!(
            accepted > records() / 4 && warned > records() / 4,
            "{version}: {accepted} accepted, {warned} warned"
        );
    }
}
