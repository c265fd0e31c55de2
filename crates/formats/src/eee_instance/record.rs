//! The checks of one record beyond the schema: the version that it is written for, and fields that disagree with each other.

use std::ops::Range;

use super::schemas::capture;
use super::transcript;
use super::version::Version;
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, RecordFindings, RecordFix, Room, Value, check_schema, clip_quoted};

evalcheck_core::rules! {
    /// The version of a record.
    VersionProblem {
        OtherVersion { other: &'static str, signs: String, checked: &'static str, advice: String } = "eee/other-version", Warning {
            summary: "The record is written for another version of the schema.",
            message: "this record appears to be version {other} ({signs}); it was checked against {checked}",
            hint: "{advice}",
            fix: Safe,
            meaning: "Versions 0.2 and 0.3 differ in names and types, so a record of one version is refused by the other. Most errors beside this warning are about that difference.",
            invalid: "{\"schema_version\":\"0.2.0\",\"sample_id\":\"q1\"}\n{\"schema_version\":\"0.3.0\",\"sample_id\":\"q2\"}",
            valid: "{\"schema_version\":\"0.2.0\",\"sample_id\":\"q1\"}\n{\"schema_version\":\"0.2.0\",\"sample_id\":\"q2\"}",
        }
    }
}

/// How many captures back the call that a turn answers is looked for by [`RecordChecks::is_clean`].
const NEAR: usize = 256;

/// The checks of a record of a version.
#[derive(Debug)]
pub(super) struct Instance(pub(super) Version);

impl RecordChecks for Instance {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let Some(version) = captures.texts(capture::SCHEMA_VERSION).next() else { return false };
        let is_other = || Version::named(version) == Some(self.0.other());
        (version == self.0.name() || !is_other()) && agrees(captures).unwrap_or(false)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        if matches!(record.root.kind, Kind::Object(_)) {
            other_version(record, self.0, out);
            transcript::check(record, self.0, out);
        }
    }
}

/// Whether the captured fields agree with each other; `None` where something is unusual.
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

/// A whole number that is written so, of no more digits than always fit; the scanner lets none through that has many.
fn whole(digits: &[u8]) -> Option<u64> {
    // No arithmetic that is checked: in wasm, which has no product of 128 bits, it takes long.
    let mut number = 0_u64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
    }
    (digits.len() < 19).then_some(number)
}

/// A record that is written for the other version: said once, beside the errors that come of it.
fn other_version(record: &Record<'_>, version: Version, out: &mut Findings<'_>) {
    let root = record.root;
    let (other, checked) = (version.other().name(), version.name());
    let mut signs: Vec<String> = version.other().signs(root).into_iter().map(str::to_owned).collect();
    let stated = root.get("schema_version");
    let named = stated.filter(|value| value.as_str().and_then(Version::named) == Some(version.other()));
    if signs.is_empty() && named.is_none() {
        return;
    }
    let is_name_only = signs.is_empty() && !version.signs(root).is_empty();
    let advice = if is_name_only {
        format!("The record is written as {checked} requires: write \"{checked}\" as schema_version too.")
    } else {
        // The other version is no help where the record has more errors in it.
        let choose = if errors_in(record, version.other()) < errors_in(record, version) {
            format!(
                "Choose version {other} for the check (--format eee-instance --format-version {other}), or rewrite the record"
            )
        } else {
            "Rewrite the record".to_owned()
        };
        format!(
            "{choose} for {checked}: 0.3 has messages where 0.2 has interactions, and lists in input.reference and \
             output.raw where 0.2 has strings."
        )
    };
    if let Some(text) = named.and_then(Value::as_str) {
        signs.insert(0, format!("schema_version is {}", clip_quoted(text)));
    }
    let problem = VersionProblem::OtherVersion { other, signs: signs.join(", "), checked, advice };
    match named {
        Some(value) => {
            let fix = is_name_only.then(|| {
                let title = format!("Write \"{checked}\", as the record is written");
                RecordFix::safe(title).replace(value.span.clone(), format!("\"{checked}\""))
            });
            out.report_fixed(problem, record.at(value), fix);
        }
        None => out.report(problem, record.at_start(root)),
    }
}

/// How many errors a version of the schema has in a record.
fn errors_in(record: &Record<'_>, version: Version) -> u64 {
    let mut found = RecordFindings::within(Room::None);
    let schema = super::FORMAT.variants[version.variant()].schema;
    check_schema(record.root, schema, record.base, record.text.bytes, &mut found);
    found.errors()
}
