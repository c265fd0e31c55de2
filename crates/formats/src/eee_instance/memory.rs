//! The checks of a dataset: fields that should be the same in all records, and sample ids that should not.

use evalcheck_core::finding::Location;
use std::borrow::Cow;

use super::schemas::capture;
use super::version::{Name, Version};
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::diagnose::{RecordStart, clip, clip_quoted};
use crate::first_value::FirstValue;
use crate::seen_ids::{IdHash, SeenIds};

evalcheck_core::rules! {
    /// Differences between the records of a file, and repeated samples.
    MemoryProblem {
        MixedVersions { found: String, first: String, line: u64 } = "eee/mixed-versions", Warning {
            summary: "One file mixes versions of the schema.",
            message: "schema_version is {found} here and {first} on line {line}: one file holds records of one version",
            hint: "Rewrite all records for one version, or put the records of each version into a file of their own.",
            related: "the other value is first used here" => Location::line(*line),
            meaning: "A file is checked against one version. Records of another version are refused or misread. Only the first record of another version is reported; the overview counts them.",
            invalid: "a line with \"schema_version\":\"0.2.0\" and one with \"schema_version\":\"0.3.0\"",
            valid: "both lines with the same version",
        }
        EvaluationIdDiffers { found: String, first: String, line: u64 } = "eee/evaluation-id-differs", Warning {
            summary: "Records of one file belong to different evaluations.",
            message: "evaluation_id is {found} here and {first} on line {line}: one file belongs to one evaluation, and the project's validator refuses others than that of the aggregate file",
            hint: "Put the records of each evaluation into a file of their own.",
            related: "the other value is first used here" => Location::line(*line),
            meaning: "An instance-level file belongs to one aggregate file, by evaluation_id. The aggregate file does not find records with another id. The first record of each other id is reported.",
            invalid: "a line with \"evaluation_id\":\"run-1\" and one with \"evaluation_id\":\"run-2\"",
            valid: "a file for each evaluation_id",
        }
        ModelIdDiffers { found: String, first: String, line: u64 } = "eee/model-id-differs", Warning {
            summary: "Records of one file are about different models.",
            message: "model_id is {found} here and {first} on line {line}: one file is about one model, and the project's validator refuses others than that of the aggregate file",
            hint: "Put the records of each model into a file of their own.",
            related: "the other value is first used here" => Location::line(*line),
            meaning: "The aggregate file of the instances names one model. The first record of each other model is reported.",
            invalid: "a line with \"model_id\":\"org/a\" and one with \"model_id\":\"org/b\"",
            valid: "a file for each model_id",
        }
        RepeatedSample { sample: String, first_line: u64 } = "eee/repeated-sample", Warning {
            summary: "The file contains a sample twice.",
            message: "sample_id {sample} is already used on line {first_line}, for the same evaluation",
            hint: "Delete one of them. Where a sample counts for several results, give each record an evaluation_result_id of its own, which needs schema_version 0.3.0.",
            related: "first used here" => Location::line(*first_line),
            meaning: "The same sample_id for the same evaluation_id and evaluation_name (and the same evaluation_result_id, where there is one) is counted twice in every score.",
            invalid: "two lines with \"sample_id\":\"gsm8k_0001\"",
            valid: "one line for each sample",
        }
        MixedScores { found: &'static str, first: &'static str, line: u64 } = "eee/mixed-scores", Warning {
            summary: "One file contains both boolean and numeric scores.",
            message: "the score is a {found} here and a {first} on line {line}: they cannot be averaged together",
            hint: "Write all scores as numbers, 1 and 0 for right and wrong.",
            related: "the other value is first used here" => Location::line(*line),
            meaning: "Version 0.2.0 accepts a boolean as a score. Beside numbers it is most likely an is_correct in the wrong place. Only the first record that differs is reported; the overview counts them.",
            invalid: "\"score\":true in one record and \"score\":0.5 in another",
            valid: "\"score\":1 and \"score\":0.5",
        }
    }
}

/// The number of different values of one key that are counted separately.
const MOST_VALUES: usize = 64;

/// The length of the longest value that is kept for comparison with the next record.
const KEPT: usize = 4096;

/// The captures of the fields that should be the same in all records.
const COMPARED: [u8; 4] =
    [capture::SCHEMA_VERSION, capture::EVALUATION_ID, capture::MODEL_ID, capture::SCORE];

/// Memory: the ids of samples as [`SeenIds`] states, otherwise a fixed amount (hashes of [`MOST_VALUES`] values of each key that should not
/// change, and the last value if it has at most [`KEPT`] bytes).
#[derive(Debug)]
pub(super) struct Memory {
    /// The version that records are checked against.
    version: Version,
    samples: SeenIds,
    evaluation_ids: Values,
    model_ids: Values,
    versions: Versions,
    scores: Scores,
}

impl Memory {
    pub(super) fn new(version: Version) -> Self {
        Self {
            version,
            samples: SeenIds::default(),
            evaluation_ids: Values::new(),
            model_ids: Values::new(),
            versions: Versions::default(),
            scores: Scores::default(),
        }
    }

    /// Compares one field with that of earlier records.
    fn observe_field(&mut self, number: u8, text: &str, line: u64) -> Option<MemoryProblem> {
        match number {
            capture::SCHEMA_VERSION => self.versions.remember(text, line, self.version),
            capture::EVALUATION_ID => {
                let (first, line) = self.evaluation_ids.remember(text, line)?;
                Some(MemoryProblem::EvaluationIdDiffers { found: clip_quoted(text), first, line })
            }
            capture::MODEL_ID => {
                let (first, line) = self.model_ids.remember(text, line)?;
                Some(MemoryProblem::ModelIdDiffers { found: clip_quoted(text), first, line })
            }
            // In 0.3 a boolean is already an error.
            capture::SCORE if self.version == Version::V02 => {
                self.scores.remember(matches!(text, "true" | "false"), line)
            }
            _ => None,
        }
    }

    /// The identity of a sample: the evaluation's id and name, the result's id, and its own. `None` if the record lacks one.
    fn sample(&self, captures: &Captures<'_>) -> Option<(usize, IdHash)> {
        let (mut evaluation_id, mut evaluation_name, mut result_id, mut sample) =
            (None, None, &b""[..], None);
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            match *number {
                capture::EVALUATION_ID => evaluation_id = Some(captures.bytes(range)),
                capture::EVALUATION_NAME => evaluation_name = Some(captures.bytes(range)),
                capture::RESULT_ID => result_id = captures.bytes(range),
                capture::SAMPLE_ID | capture::SAMPLE_NUMBER => sample = Some((index, *number, range)),
                _ => {}
            }
        }
        let (index, number, range) = sample?;
        let text = captures.text(range);
        let (kind, id): (&[u8], _) = match number {
            capture::SAMPLE_NUMBER => (b"number", whole_number(text)),
            _ => (b"text", Cow::Borrowed(text)),
        };
        let parts = [evaluation_id?, evaluation_name?, result_id, kind, id.as_bytes()];
        Some((index, self.samples.hash(&parts)))
    }
}

impl DatasetChecks for Memory {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn ids(&mut self) -> Option<&mut SeenIds> {
        Some(&mut self.samples)
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            if COMPARED.contains(number)
                && let Some(problem) = self.observe_field(*number, captures.text(range), at.line)
            {
                out.report(index, problem);
            }
        }
        if let Some((index, sample)) = self.sample(captures)
            && let Some(first_line) = self.samples.insert(sample, at.line)
        {
            let (number, range) = &captures.strings[index];
            let text = captures.text(range);
            let sample = match *number {
                capture::SAMPLE_NUMBER => clip(&whole_number(text), 80),
                _ => format!("\"{}\"", clip(text, 80)),
            };
            out.report(index, MemoryProblem::RepeatedSample { sample, first_line });
        }
    }

    fn finish(&mut self, _summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        self.versions.note(self.version, out);
        self.evaluation_ids.note("evaluation_id", out);
        self.model_ids.note("model_id", out);
        self.scores.note(out);
    }
}

/// The canonical text of a number: the same for `1`, `1.0` and `1e0`.
fn whole_number(text: &str) -> Cow<'_, str> {
    if text.contains(['.', 'e', 'E', '-'])
        && let Ok(number) = text.parse::<f64>()
        && number.fract() == 0.0
        && number.abs() < 1e15
    {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most fifteen digits")]
        return Cow::Owned((number as i64).to_string());
    }
    Cow::Borrowed(text)
}

/// The values of a key that should be the same in all records.
#[derive(Debug)]
pub(super) struct Values {
    first: Option<(String, u64)>,
    last: String,
    seen: SeenIds,
    more: bool,
}

impl Values {
    fn new() -> Self {
        Self { first: None, last: String::new(), seen: SeenIds::default(), more: false }
    }

    /// Remembers a value. Returns the first value and its line if this one differs from it and is new.
    fn remember(&mut self, value: &str, line: u64) -> Option<(String, u64)> {
        if self.first.is_some() && self.last == value {
            return None;
        }
        self.last.clear();
        if value.len() <= KEPT {
            self.last.push_str(value);
        }
        let id = self.seen.hash(&[value.as_bytes()]);
        if self.seen.len() == MOST_VALUES {
            self.more |= !self.seen.contains(id);
            return None;
        }
        if self.seen.insert(id, line).is_some() {
            return None;
        }
        if self.first.is_none() {
            self.first = Some((clip_quoted(value), line));
            return None;
        }
        self.first.clone()
    }

    fn note(&self, key: &str, out: &mut Conclusions<'_>) {
        let more = if self.more { "more than " } else { "" };
        if self.seen.len() > 1 {
            out.note(format!("{key} has {more}{} different values.", self.seen.len()));
        }
    }
}

/// The versions that records name.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// The last text that named the checked version.
    usual: String,
    first: FirstValue<Version>,
    /// The text of the first version.
    first_text: String,
    odd: Option<(String, u64)>,
    old: u64,
    new: u64,
}

impl Versions {
    fn count(&mut self, version: Version) {
        match version {
            Version::V02 => self.old += 1,
            Version::V03 => self.new += 1,
        }
    }

    /// Remembers the version of a record; returns the problem if it is the first that differs from the earlier ones.
    fn remember(&mut self, text: &str, line: u64, checked: Version) -> Option<MemoryProblem> {
        if !text.is_empty() && self.usual == text {
            self.count(checked);
            return None;
        }
        let Some(version) = Name::of(text).map(Name::version) else {
            self.odd.get_or_insert_with(|| (clip_quoted(text), line));
            return None;
        };
        self.count(version);
        if version == checked && text.len() <= KEPT {
            text.clone_into(&mut self.usual);
        }
        if self.first_text.is_empty() {
            self.first_text = clip_quoted(text);
        }
        let (_, line) = self.first.differing(version, line)?;
        Some(MemoryProblem::MixedVersions { found: clip_quoted(text), first: self.first_text.clone(), line })
    }

    fn note(&self, checked: Version, out: &mut Conclusions<'_>) {
        if self.first.is_mixed() {
            let (old, new) = (self.old, self.new);
            out.note(format!("By schema_version, {old} records are of 0.2.0 and {new} of 0.3.0, or of 0.2.1 to 0.2.3, which have the same schema."));
        }
        if let Some((text, line)) = &self.odd {
            let checked = checked.name();
            out.note(format!(
                "schema_version is {text} on line {line}, which is neither 0.2.0 to 0.2.3 nor 0.3; it was checked against {checked}."
            ));
        }
    }
}

/// Whether scores are booleans or numbers.
#[derive(Debug, Default)]
pub(super) struct Scores {
    /// Whether the first score is a boolean.
    first: FirstValue<bool>,
    booleans: u64,
    numbers: u64,
}

impl Scores {
    /// Counts a score; returns the problem if it is the first that differs from the earlier ones.
    fn remember(&mut self, boolean: bool, line: u64) -> Option<MemoryProblem> {
        if boolean {
            self.booleans += 1;
        } else {
            self.numbers += 1;
        }
        let (first, line) = self.first.differing(boolean, line)?;
        let name = |boolean| if boolean { "boolean" } else { "number" };
        Some(MemoryProblem::MixedScores { found: name(boolean), first: name(first), line })
    }

    fn note(&self, out: &mut Conclusions<'_>) {
        if self.first.is_mixed() {
            let (booleans, numbers) = (self.booleans, self.numbers);
            out.note(format!("The score is a boolean in {booleans} records and a number in {numbers}."));
        }
    }
}
