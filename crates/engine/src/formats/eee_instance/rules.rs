//! The rules beyond the schema. The fast half, for records that have nothing unusual; [`super::transcript`] is the
//! other.

use std::ops::Range;

use super::memory::{Facts, Memory, Sample};
use super::schemas::capture;
use super::transcript;
use super::version::Version;
use crate::explain::{Context, Kind, PathBuilder, Value, clip, clip_quoted};
use crate::rules::dataset_rules::{Accepted, DatasetRules, End};
use crate::rules::{AnyProblem, Eee};

/// How many captures back the call that a turn answers is looked for before the other tier does it.
const NEAR: usize = 256;

/// The rules for one file; see [`Memory`] for what is remembered.
#[derive(Debug)]
pub(super) struct Rules {
    version: Version,
    memory: Memory,
}

impl Rules {
    pub(super) fn new(version: Version) -> Self {
        Self { version, memory: Memory::new() }
    }
}

impl DatasetRules for Rules {
    fn accept(&mut self, record: &Accepted<'_>) -> bool {
        if !is_consistent(record) {
            return false;
        }
        let Some(facts) = facts_of(record) else { return false };
        let memory = &mut self.memory;
        if !memory.is_quiet(&facts, self.version) {
            return false;
        }
        let line = record.origin.line;
        let Some(sample) = memory.sample(&facts) else { return false };
        if memory.samples.insert(sample, line).is_some() {
            return false;
        }
        memory.versions.count(self.version);
        if self.version == Version::V02
            && let Some(boolean) = facts.score_is_boolean
        {
            let _ = memory.scores.remember(boolean, line);
        }
        true
    }

    fn examine(&mut self, record: &mut Context<'_>) {
        if !matches!(record.root.kind, Kind::Object(_)) {
            return;
        }
        other_version(record, self.version);
        transcript::check(record, self.version);
        if !record.looking {
            self.remember(record);
        }
    }

    fn finish(&mut self, end: &mut End<'_>) {
        self.memory.note(self.version, end);
    }

    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self::new(self.version))
    }
}

impl Rules {
    /// Remembers a record, and reports what differs from those before.
    fn remember(&mut self, record: &mut Context<'_>) {
        let root = record.root;
        let number = match root.get("sample_id").map(|sample| &sample.kind) {
            Some(Kind::Number(number, text)) => written(*number, text),
            _ => String::new(),
        };
        let facts = facts(root, Some(&number));
        let line = record.origin.line;
        let memory = &mut self.memory;
        let mut said: Vec<(&[&str], AnyProblem)> = Vec::new();
        let text = |bytes| std::str::from_utf8(bytes).ok();
        if let Some(text) = facts.schema_version.and_then(text) {
            let problem = memory.versions.remember(text, line, self.version);
            said.extend(problem.map(|problem| (&["schema_version"][..], problem)));
        }
        if let Some(id) = facts.evaluation_id.and_then(text)
            && let Some((first, line)) = memory.evaluation_ids.remember(id, line)
        {
            let problem = Eee::EvaluationIdDiffers { found: clip_quoted(id), first, line };
            said.push((&["evaluation_id"], problem.into()));
        }
        if let Some(id) = facts.model_id.and_then(text)
            && let Some((first, line)) = memory.model_ids.remember(id, line)
        {
            let problem = Eee::ModelIdDiffers { found: clip_quoted(id), first, line };
            said.push((&["model_id"], problem.into()));
        }
        // In 0.3 a boolean is an error already.
        if self.version == Version::V02
            && let Some(boolean) = facts.score_is_boolean
        {
            let problem = memory.scores.remember(boolean, line);
            said.extend(problem.map(|problem| (&["evaluation", "score"][..], problem)));
        }
        if let Some(sample) = memory.sample(&facts)
            && let Some(first_line) = memory.samples.insert(sample, line)
        {
            let sample = match facts.sample {
                Some(Sample::Text(id)) => text(id).map(|id| format!("\"{}\"", clip(id, 80))),
                Some(Sample::Number(id)) => text(id).map(|id| clip(id, 80)),
                None => None,
            };
            let sample = sample.unwrap_or_default();
            said.push((&["sample_id"], Eee::RepeatedSample { sample, first_line }.into()));
        }
        for (keys, problem) in said {
            let value = keys.iter().try_fold(root, |value, key| value.get(key));
            if let Some(value) = value {
                record.report(problem, value.span.clone(), path(keys));
            }
        }
    }
}

/// What of the record is compared with others, as the fast tier captured it; whatever is unusual is left to the other tier.
fn facts_of<'a>(record: &Accepted<'a>) -> Option<Facts<'a>> {
    let mut facts = Facts::default();
    for (number, range) in record.strings {
        let bytes = &record.bytes[range.clone()];
        match *number {
            capture::SCHEMA_VERSION => facts.schema_version = Some(bytes),
            capture::EVALUATION_ID => facts.evaluation_id = Some(bytes),
            capture::MODEL_ID => facts.model_id = Some(bytes),
            capture::EVALUATION_NAME => facts.evaluation_name = Some(bytes),
            capture::RESULT_ID => facts.result_id = Some(bytes),
            capture::SAMPLE_ID => {
                let is_text = range.start > 0 && record.bytes[range.start - 1] == b'"';
                if !is_text && bytes.starts_with(b"-") {
                    // -0 is 0.
                    return None;
                }
                facts.sample = Some(if is_text { Sample::Text(bytes) } else { Sample::Number(bytes) });
            }
            capture::SCORE => facts.score_is_boolean = Some(matches!(bytes.first(), Some(b't' | b'f'))),
            _ => {}
        }
    }
    Some(facts)
}

/// True when what the fast tier captured of a record agrees with itself.
fn is_consistent(record: &Accepted<'_>) -> bool {
    agrees(record).unwrap_or(false)
}

/// The same; `None` where something is unusual.
fn agrees(record: &Accepted<'_>) -> Option<bool> {
    let mut single = false;
    let (mut turns, mut calls, mut last_attributed) = (0_u64, 0_u64, None::<u64>);
    let (mut num_turns, mut calls_count, mut has_terminal) = (None, None, false);
    let (mut input, mut output, mut total) = (0_u64, 0_u64, None::<u64>);
    for (index, (number, range)) in record.strings.iter().enumerate() {
        let bytes = &record.bytes[range.clone()];
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
                let near = &record.strings[index.saturating_sub(NEAR)..index];
                let answers = |(number, range): &(u8, Range<usize>)| {
                    *number == capture::CALL && record.bytes[range.clone()] == *bytes
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

/// The same of a record that was read; `number` is the text of its sample's id where that is a number.
fn facts<'a>(record: &'a Value<'_>, number: Option<&'a str>) -> Facts<'a> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::as_bytes);
    let sample = record.get("sample_id").and_then(|sample| match &sample.kind {
        Kind::String(text) => Some(Sample::Text(text.as_bytes())),
        Kind::Number(..) => number.map(|number| Sample::Number(number.as_bytes())),
        _ => None,
    });
    let score = record.get("evaluation").and_then(|evaluation| evaluation.get("score"));
    Facts {
        schema_version: text("schema_version"),
        evaluation_id: text("evaluation_id"),
        model_id: text("model_id"),
        evaluation_name: text("evaluation_name"),
        result_id: text("evaluation_result_id"),
        sample,
        score_is_boolean: score.and_then(|score| match score.kind {
            Kind::Boolean(_) => Some(true),
            Kind::Number(..) => Some(false),
            _ => None,
        }),
    }
}

/// The text of a number, the same for `1`, `1.0` and `1e0`.
fn written(number: f64, text: &str) -> String {
    if text.contains(['.', 'e', 'E', '-']) && number.fract() == 0.0 && number.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most fifteen digits")]
        return (number as i64).to_string();
    }
    text.to_owned()
}

/// A record that is written for the other version: said once, beside the errors that come of it.
fn other_version(record: &mut Context<'_>, version: Version) {
    let root = record.root;
    let (other, checked) = (version.other().name(), version.name());
    let mut signs: Vec<String> = version.other().signs(root).into_iter().map(str::to_owned).collect();
    let stated = root.get("schema_version");
    let named = stated.filter(|value| value.as_str().and_then(Version::named) == Some(version.other()));
    let advice = if signs.is_empty() && !version.signs(root).is_empty() {
        format!("The record is written as {checked} wants it: write \"{checked}\" as schema_version too.")
    } else {
        format!(
            "Choose version {other} for the check, or write the record anew for {checked}: 0.3 has messages where 0.2 \
             has interactions, and lists in input.reference and output.raw where 0.2 has strings."
        )
    };
    if let Some(text) = named.and_then(Value::as_str) {
        signs.insert(0, format!("schema_version is {}", clip_quoted(text)));
    }
    if signs.is_empty() {
        return;
    }
    let problem = Eee::OtherVersion { other, signs: signs.join(", "), checked, advice };
    match named {
        Some(value) => record.report(problem, value.span.clone(), path(&["schema_version"])),
        None => record.report(problem, root.span.start..root.span.start + 1, path(&[])),
    }
}

fn path(keys: &[&str]) -> crate::finding::Path {
    let mut trail = PathBuilder::default();
    for key in keys {
        trail.key(key);
    }
    trail.path()
}
