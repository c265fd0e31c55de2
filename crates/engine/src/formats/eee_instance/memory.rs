//! What is remembered from record to record.

use super::version::Version;
use crate::explain::{clip, clip_quoted};
use crate::rules::dataset_rules::End;
use crate::rules::unique::UniqueIds;
use crate::rules::{Eee, Problem};
use crate::scan::bytes::are_same;
use crate::scan::hashes::{Keyed, join};

/// Different values of one key that are told apart.
const MOST_VALUES: usize = 64;

/// The longest value that is kept to be compared with the next record's.
const KEPT: usize = 4096;

/// What of a record is remembered, or compared with what is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facts<'a> {
    pub(super) schema_version: Option<&'a [u8]>,
    pub(super) evaluation_id: Option<&'a [u8]>,
    pub(super) model_id: Option<&'a [u8]>,
    pub(super) evaluation_name: Option<&'a [u8]>,
    pub(super) result_id: Option<&'a [u8]>,
    pub(super) sample: Option<Sample<'a>>,
    pub(super) score_is_boolean: Option<bool>,
}

/// A sample's id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sample<'a> {
    Text(&'a [u8]),
    /// As it is written.
    Number(&'a [u8]),
}

/// What is remembered: at most twelve bytes a record for the ids of samples, and otherwise a fixed amount (hashes of
/// [`MOST_VALUES`] values of each key that should not change, and the last value when it has at most [`KEPT`] bytes).
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) samples: UniqueIds,
    pub(super) evaluation_ids: Values,
    pub(super) model_ids: Values,
    pub(super) versions: Versions,
    pub(super) scores: Scores,
    /// Of the sample that was come to last.
    pub(super) key: Key,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            samples: UniqueIds::new(|id, first_line| {
                let sample = id.rsplit(SEPARATOR).next().unwrap_or_default();
                let sample = match sample.strip_prefix('"') {
                    Some(text) => format!("\"{}\"", clip(text, 80)),
                    None => clip(sample, 80),
                };
                Eee::RepeatedSample { sample, first_line }.into()
            }),
            evaluation_ids: Values::new(),
            model_ids: Values::new(),
            versions: Versions::default(),
            scores: Scores::default(),
            key: Key::default(),
        }
    }

    /// True when nothing in the record differs from what was there before; the sample's id is not looked at.
    pub(super) fn is_quiet(&self, facts: &Facts<'_>, checked: Version) -> bool {
        facts.schema_version.is_some_and(|text| self.versions.is_usual(text))
            && facts.evaluation_id.is_some_and(|id| self.evaluation_ids.is_last(id))
            && facts.model_id.is_some_and(|id| self.model_ids.is_last(id))
            // In 0.3 a score is a number.
            && (checked == Version::V03
                || facts.score_is_boolean.is_some_and(|boolean| self.scores.is_usual(boolean)))
    }
}

/// Between the parts of a sample's key; no text has it but by an escape.
pub(super) const SEPARATOR: char = '\0';
const SEPARATOR_BYTE: u8 = SEPARATOR as u8;

/// What tells a sample from all others: the evaluation's id and name, the result's id, and its own.
#[derive(Debug, Default)]
pub(super) struct Key {
    pub(super) bytes: Vec<u8>,
}

impl Key {
    /// Writes that of a sample, when its record says it in full.
    pub(super) fn write(&mut self, facts: &Facts<'_>) -> bool {
        let (Some(evaluation), Some(name), Some(sample)) =
            (facts.evaluation_id, facts.evaluation_name, facts.sample)
        else {
            return false;
        };
        // What stands before its own id is the same for most samples in a row, so it is written when it is another.
        let before = [evaluation, name, facts.result_id.unwrap_or_default()];
        let mut at = 0;
        let is_written = before.iter().all(|part| {
            let (start, end) = (at, at + part.len());
            at = end + 1;
            self.bytes.get(end) == Some(&SEPARATOR_BYTE) && are_same(&self.bytes[start..end], part)
        });
        if is_written {
            self.bytes.truncate(at);
        } else {
            let [evaluation, name, result] = before;
            let separator = &[SEPARATOR_BYTE];
            join(&mut self.bytes, &[evaluation, separator, name, separator, result, separator]);
        }
        let sample = match sample {
            Sample::Text(text) => {
                self.bytes.push(b'"');
                text
            }
            Sample::Number(text) => text,
        };
        self.bytes.extend_from_slice(sample);
        true
    }
}

/// The values of a key that should be the same in all records.
#[derive(Debug)]
pub(super) struct Values {
    first: Option<(String, u64)>,
    last: String,
    seen: Vec<u64>,
    more: bool,
    keyed: Keyed,
}

impl Values {
    fn new() -> Self {
        Self { first: None, last: String::new(), seen: Vec::new(), more: false, keyed: Keyed::default() }
    }

    /// True for the value of the record before.
    fn is_last(&self, value: &[u8]) -> bool {
        self.first.is_some() && are_same(self.last.as_bytes(), value)
    }

    /// Remembers a value; gives the first one and its line when this one is another and is met for the first time.
    pub(super) fn remember(&mut self, value: &str, line: u64) -> Option<(String, u64)> {
        self.last.clear();
        if value.len() <= KEPT {
            self.last.push_str(value);
        }
        let hash = self.keyed.hash(value.as_bytes());
        if self.seen.contains(&hash) {
            return None;
        }
        let Some(first) = self.first.clone() else {
            self.first = Some((clip_quoted(value), line));
            self.seen.push(hash);
            return None;
        };
        if self.seen.len() == MOST_VALUES {
            self.more = true;
            return None;
        }
        self.seen.push(hash);
        Some(first)
    }

    fn note(&self, key: &str, end: &mut End<'_>) {
        let more = if self.more { "more than " } else { "" };
        if self.seen.len() > 1 {
            end.note(format!("{key} has {more}{} different values.", self.seen.len()));
        }
    }
}

/// The versions that records say they are written for.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// The last text that named the version checked against.
    usual: String,
    /// Another record named another version.
    first: Option<(Version, String, u64)>,
    told: bool,
    odd: Option<(String, u64)>,
    old: u64,
    new: u64,
}

impl Versions {
    fn is_usual(&self, text: &[u8]) -> bool {
        !text.is_empty() && are_same(self.usual.as_bytes(), text)
    }

    /// Counts a record whose text is as usual.
    pub(super) fn count(&mut self, version: Version) {
        match version {
            Version::V02 => self.old += 1,
            Version::V03 => self.new += 1,
        }
    }

    /// Remembers what a record says; gives the problem when it is the first that differs from those before.
    pub(super) fn remember(&mut self, text: &str, line: u64, checked: Version) -> Option<Problem> {
        let Some(version) = Version::named(text) else {
            self.odd.get_or_insert_with(|| (clip_quoted(text), line));
            return None;
        };
        self.count(version);
        if version == checked && text.len() <= KEPT {
            text.clone_into(&mut self.usual);
        }
        let (first, shown, first_line) = self.first.get_or_insert_with(|| (version, clip_quoted(text), line));
        if *first == version || self.told {
            return None;
        }
        self.told = true;
        Some(Eee::MixedVersions { found: clip_quoted(text), first: shown.clone(), line: *first_line }.into())
    }

    fn note(&self, checked: Version, end: &mut End<'_>) {
        if self.told {
            let (old, new) = (self.old, self.new);
            end.note(format!("By schema_version, {old} records are of 0.2 and {new} of 0.3."));
        }
        if let Some((text, line)) = &self.odd {
            let checked = checked.name();
            end.note(format!(
                "schema_version is {text} on line {line}, which is neither 0.2 nor 0.3; it was checked against {checked}."
            ));
        }
    }
}

/// Whether scores are booleans or numbers.
#[derive(Debug, Default)]
pub(super) struct Scores {
    first: Option<(bool, u64)>,
    told: bool,
    booleans: u64,
    numbers: u64,
}

impl Scores {
    fn is_usual(&self, boolean: bool) -> bool {
        self.first.is_some_and(|(first, _)| first == boolean)
    }

    /// Counts a score, and gives the problem when it is the first that differs from those before.
    pub(super) fn remember(&mut self, boolean: bool, line: u64) -> Option<Problem> {
        if boolean {
            self.booleans += 1;
        } else {
            self.numbers += 1;
        }
        let (first, first_line) = *self.first.get_or_insert((boolean, line));
        if first == boolean || self.told {
            return None;
        }
        self.told = true;
        let name = |boolean| if boolean { "boolean" } else { "number" };
        Some(Eee::MixedScores { found: name(boolean), first: name(first), line: first_line }.into())
    }

    fn note(&self, end: &mut End<'_>) {
        if self.told {
            let (booleans, numbers) = (self.booleans, self.numbers);
            end.note(format!("The score is a boolean in {booleans} records and a number in {numbers}."));
        }
    }
}

impl Memory {
    /// What was counted over all records.
    pub(super) fn note(&self, checked: Version, end: &mut End<'_>) {
        self.versions.note(checked, end);
        self.evaluation_ids.note("evaluation_id", end);
        self.model_ids.note("model_id", end);
        self.scores.note(end);
    }
}
