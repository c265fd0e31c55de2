//! What is remembered from record to record.

use super::version::Version;
use crate::explain::clip_quoted;
use crate::rules::dataset_rules::End;
use crate::rules::{AnyProblem, Eee};
use crate::seen_ids::{IdHash, SeenIds};

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

/// What is remembered: the ids of samples as [`SeenIds`] does, and otherwise a fixed amount (hashes of
/// [`MOST_VALUES`] values of each key that should not change, and the last value when it has at most [`KEPT`] bytes).
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) samples: SeenIds,
    pub(super) evaluation_ids: Values,
    pub(super) model_ids: Values,
    pub(super) versions: Versions,
    pub(super) scores: Scores,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            samples: SeenIds::default(),
            evaluation_ids: Values::new(),
            model_ids: Values::new(),
            versions: Versions::default(),
            scores: Scores::default(),
        }
    }

    /// What tells a sample from all others: the evaluation's id and name, the result's id, and its own. `None` where the
    /// record lacks one.
    pub(super) fn sample(&self, facts: &Facts<'_>) -> Option<IdHash> {
        let (kind, id): (&[u8], _) = match facts.sample? {
            Sample::Text(id) => (b"text", id),
            Sample::Number(id) => (b"number", id),
        };
        let result = facts.result_id.unwrap_or_default();
        Some(self.samples.hash(&[facts.evaluation_id?, facts.evaluation_name?, result, kind, id]))
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

    /// True for the value of the record before.
    fn is_last(&self, value: &[u8]) -> bool {
        self.first.is_some() && self.last.as_bytes() == value
    }

    /// Remembers a value; gives the first one and its line when this one is another and is met for the first time.
    pub(super) fn remember(&mut self, value: &str, line: u64) -> Option<(String, u64)> {
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
        !text.is_empty() && self.usual.as_bytes() == text
    }

    /// Counts a record whose text is as usual.
    pub(super) fn count(&mut self, version: Version) {
        match version {
            Version::V02 => self.old += 1,
            Version::V03 => self.new += 1,
        }
    }

    /// Remembers what a record says; gives the problem when it is the first that differs from those before.
    pub(super) fn remember(&mut self, text: &str, line: u64, checked: Version) -> Option<AnyProblem> {
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
    pub(super) fn remember(&mut self, boolean: bool, line: u64) -> Option<AnyProblem> {
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
