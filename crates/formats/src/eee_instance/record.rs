//! The checks of one record beyond the schema: its version, and fields that disagree with each other.

use std::ops::Range;

use super::schemas::capture;
use super::transcript;
use super::version::{Name, Version};
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, RecordFindings, Room, Value, check_schema, clip_quoted};

evalcheck_core::rules! {
    /// The version of a record.
    VersionProblem {
        OtherVersion { other: &'static str, signs: String, checked: &'static str, advice: String } = "eee/other-version", Warning {
            summary: "The record is written for another version of the schema.",
            message: "this record appears to be version {other} ({signs}); it was checked against {checked}",
            hint: "{advice}",
            meaning: "Versions 0.2.0 and 0.3.0 differ in names and types, so a record of one version is refused by the other. Most errors beside this warning are about that difference. 0.2.1, 0.2.2 and 0.2.3 are the schema of 0.3.0 under another name.",
            invalid: "{\"schema_version\":\"0.2.0\",\"sample_id\":\"q1\"}\n{\"schema_version\":\"0.3.0\",\"sample_id\":\"q2\",\"input\":{\"raw\":\"2+2=\",\"reference\":[\"4\"]},\"output\":{\"raw\":[\"4\"]}}",
            valid: "{\"schema_version\":\"0.2.0\",\"sample_id\":\"q1\"}\n{\"schema_version\":\"0.2.0\",\"sample_id\":\"q2\"}",
        }
        NameOfOther { name: String, version: &'static str, signs: String, effect: &'static str, advice: &'static str } = "eee/version-name", Warning {
            summary: "schema_version names another version than the record is written for.",
            message: "schema_version is {name}, but the record is written as {version} ({signs}): {effect}",
            hint: "{advice}",
            meaning: "The project's validator does not compare schema_version: it reads each record by the schema of today, 0.3.0. Readers that choose a schema by the name expect other types.",
            invalid: r#"{"schema_version":"0.2.0","input":{"raw":"2+2=","reference":["4"]},"output":{"raw":["4"]}}"#,
            valid: r#"{"schema_version":"0.3.0","input":{"raw":"2+2=","reference":["4"]},"output":{"raw":["4"]}}"#,
        }
    }
}

/// The number of captures before a turn among which [`RecordChecks::is_clean`] searches for the call that it answers.
const NEAR: usize = 256;

/// The checks of a record, for a version.
#[derive(Debug)]
pub(super) struct Instance(pub(super) Version);

impl RecordChecks for Instance {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let Some(text) = captures.texts(capture::SCHEMA_VERSION).next() else { return false };
        // The scanner accepts only records of this version's shape.
        let names_this = || Name::of(text).is_none_or(|name| name.version() == self.0);
        (text == self.0.name() || names_this()) && agrees(captures).unwrap_or(false)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        if matches!(record.root.kind, Kind::Object(_)) {
            check_version(record, self.0, out);
            transcript::check(record, self.0, out);
        }
    }
}

/// Whether the captured fields agree with each other; `None` if something is unusual.
fn agrees(captures: &Captures<'_>) -> Option<bool> {
    let mut single = false;
    let (mut turns, mut calls, mut last_attributed) = (0_u64, 0_u64, None::<u64>);
    let (mut num_turns, mut calls_count, mut has_terminal) = (None, None, false);
    let (mut input, mut output, mut total) = (0_u64, 0_u64, None::<u64>);
    for (index, (number, range)) in captures.strings.iter().enumerate() {
        let bytes = captures.bytes(range);
        match *number {
            capture::INTERACTION_TYPE => single = bytes == b"single_turn",
            capture::TURN => {
                if whole(bytes)? != turns {
                    return None;
                }
                turns += 1;
            }
            capture::CALL => calls += 1,
            capture::ANSWERED => {
                let near = &captures.strings[index.saturating_sub(NEAR)..index];
                let answers = |(number, range): &(u8, Range<usize>)| {
                    *number == capture::CALL && captures.bytes(range) == bytes
                };
                if !near.iter().rev().any(answers) {
                    return None;
                }
            }
            capture::ATTRIBUTED_TURN => last_attributed = last_attributed.max(Some(whole(bytes)?)),
            capture::IS_TERMINAL => has_terminal |= bytes == b"true",
            capture::NUM_TURNS => num_turns = Some(whole(bytes)?),
            capture::TOOL_CALLS_COUNT => calls_count = Some(whole(bytes)?),
            capture::INPUT_TOKENS => input = whole(bytes)?,
            capture::OUTPUT_TOKENS => output = whole(bytes)?,
            capture::TOTAL_TOKENS => total = Some(whole(bytes)?),
            _ => {}
        }
    }
    let turns = if single { 1 } else { turns };
    Some(
        has_terminal
            && last_attributed.is_some_and(|turn| turn < turns)
            && num_turns.is_none_or(|stated: u64| stated == turns)
            && calls_count.is_none_or(|stated: u64| stated == calls)
            && total.is_none_or(|total| total >= input + output),
    )
}

/// A whole number in decimal digits, few enough to fit.
fn whole(digits: &[u8]) -> Option<u64> {
    // Unchecked arithmetic: checked products are slow in wasm, which has no product of 128 bits.
    let mut number = 0_u64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
    }
    (digits.len() < 19).then_some(number)
}

/// Reports a record that is written for another version than it is checked against, or that names another. The record's other findings then
/// have no fix that changes its shape, because that would write a part of it for the other version.
fn check_version(record: &Record<'_>, checked: Version, out: &mut Findings<'_>) {
    let root = record.root;
    let other = checked.other();
    let signs = |version: Version| version.signs(root).join(", ");
    let (name, shape) = (Name::of_record(root), Version::by_shape(root));
    let names_other = name.is_some_and(|name| name.version() == other);
    let is_named_only = names_other && shape != Some(checked);
    if is_named_only || !other.signs(root).is_empty() {
        out.keep_shape();
    }
    let stated = root.get("schema_version");
    let text = stated.and_then(Value::as_str).map(clip_quoted).unwrap_or_default();
    let target = || stated.map_or_else(|| record.at_start(root), |value| record.at(value));
    if is_named_only || shape == Some(other) {
        let mut said = Vec::new();
        if names_other {
            said.push(format!("schema_version is {text}"));
        }
        if shape == Some(other) {
            said.push(signs(other));
        }
        if name.is_some() && !names_other {
            said.push(format!("though schema_version is {text}"));
        }
        let problem = VersionProblem::OtherVersion {
            other: other.name(),
            signs: said.join(", "),
            checked: checked.name(),
            advice: advice(record, checked, name),
        };
        out.report(problem, target());
    } else if names_other {
        let (effect, advice) = match checked {
            Version::V02 => (
                "the project's validator refuses it",
                "Write it for 0.3.0, which 0.2.1 to 0.2.3 are under another name: messages in place of interactions, and lists in input.reference and output.raw.",
            ),
            Version::V03 => (
                "the project's validator accepts it, and the published schema 0.2.0 does not",
                "Write \"0.3.0\" as schema_version.",
            ),
        };
        let version = checked.name();
        let problem =
            VersionProblem::NameOfOther { name: text, version, signs: signs(checked), effect, advice };
        out.report(problem, target());
    }
}

/// The advice for a record that is written for another version than it is checked against.
fn advice(record: &Record<'_>, checked: Version, name: Option<Name>) -> String {
    let (other, own) = (checked.other().name(), checked.name());
    // The other version does not help if the record has more errors in it, or if the name is right.
    let helps = name != Some(Name::V03) || checked == Version::V02;
    let choose = if helps && errors_in(record, checked.other()) < errors_in(record, checked) {
        format!(
            "Choose version {other} for the check (--format eee-instance --format-version {other}), or rewrite the record"
        )
    } else {
        "Rewrite the record".to_owned()
    };
    format!(
        "{choose} for {own}: 0.3.0 has messages where 0.2.0 has interactions, and lists in input.reference and \
         output.raw where 0.2.0 has strings."
    )
}

/// The number of errors of a record by a version of the schema.
fn errors_in(record: &Record<'_>, version: Version) -> u64 {
    let mut found = RecordFindings::within(Room::None);
    let schema = super::FORMAT.variants[version.variant()].schema;
    check_schema(record.root, schema, record.base, record.text.bytes, &mut found);
    found.errors()
}
