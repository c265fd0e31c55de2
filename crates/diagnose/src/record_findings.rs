//! The findings of one record: a limited number of each rule in full, the others as counts.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::{Finding, Location, Path};
use evalcheck_core::rule::{AnyProblem, Rule};
use evalcheck_report::{Applicability, Loss, Severity};

use super::fix::RecordFix;
use super::record_finding::{Count, RecordFinding};
use super::record_text::RecordText;

/// The maximum number of findings of one rule that are kept for one record, even if the dataset has no limit: a record is held in memory,
/// and its findings must not take much more.
const MOST_OF_RECORD: u64 = 20_000;

/// Collects the findings of one record. Those that are not kept are counted: one finding represents all that are counted alike.
#[derive(Debug, Default)]
pub struct RecordFindings<'r> {
    found: Vec<RecordFinding>,
    room: Room<'r>,
    /// The number of further findings of a rule that are kept.
    left: Vec<(&'static Rule, u64)>,
    /// The indices of the findings that are only counted.
    counted: Vec<usize>,
}

/// Selects the findings that are kept.
#[derive(Debug, Clone, Copy, Default)]
pub enum Room<'r> {
    /// All.
    #[default]
    All,
    /// None: all are only counted.
    None,
    /// Those that the dataset still has room for.
    Dataset {
        /// The findings before this record.
        collector: &'r FindingCollector,
        /// Returns what the system loses for a finding.
        loss: fn(&Finding) -> Option<Loss>,
    },
}

impl Room<'_> {
    /// Returns what the system loses for a finding that is only counted.
    fn loss(self, finding: &RecordFinding) -> Option<Loss> {
        let Self::Dataset { loss, .. } = self else { return None };
        let location = Location { record: Some(0), path: finding.path.clone(), ..Location::default() };
        loss(&Finding::new(finding.problem.clone(), location))
    }
}

impl<'r> RecordFindings<'r> {
    /// An empty list that keeps the findings for which there is room.
    pub fn within(room: Room<'r>) -> Self {
        Self { room, ..Self::default() }
    }

    /// Whether the next finding of a rule is kept.
    pub(super) fn has_room(&self, rule: &'static Rule) -> bool {
        match self.room {
            Room::All => true,
            Room::None => false,
            Room::Dataset { collector, .. } => {
                let left = self.left.iter().find(|(known, _)| known.code == rule.code);
                left.map_or_else(|| collector.room(rule), |(_, left)| *left) > 0
            }
        }
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: RecordFinding) {
        let rule = finding.problem.rule();
        if !self.has_room(rule) {
            let fix = finding.fix.map(|fix| fix.applicability);
            self.count(finding.problem, finding.path, fix);
            return;
        }
        if let Room::Dataset { collector, .. } = self.room {
            match self.left.iter_mut().find(|(known, _)| known.code == rule.code) {
                Some((_, left)) => *left -= 1,
                None => self.left.push((rule, collector.room(rule).min(MOST_OF_RECORD) - 1)),
            }
        }
        self.push_kept(finding);
    }

    /// Adds a finding that is always kept.
    pub fn push_kept(&mut self, finding: RecordFinding) {
        self.found.push(finding);
    }

    /// Counts a finding that is not kept. It has no texts, and its fix has no edits, only its safety.
    pub(super) fn count(
        &mut self,
        problem: impl Into<AnyProblem>,
        path: Option<Path>,
        fix: Option<Applicability>,
    ) {
        let room = self.room;
        let finding = RecordFinding::new(problem, 0..0, path);
        let code = finding.problem.rule().code;
        let own_loss = OnceCell::new();
        for &place in &self.counted {
            let alike = &self.found[place];
            let fix_of = alike.fix.as_ref().map(|fix| fix.applicability);
            if let Some(count) = &alike.count
                && (alike.problem.rule().code, fix_of) == (code, fix)
                && count.loss.get_or_init(|| room.loss(alike)) == own_loss.get_or_init(|| room.loss(&finding))
            {
                self.found[place].count.iter_mut().for_each(|count| count.number += 1);
                return;
            }
        }
        self.counted.push(self.found.len());
        let count = Some(Count { number: 1, loss: own_loss });
        self.found.push(RecordFinding { count, ..finding.with_fix(fix.map(RecordFix::new)) });
    }

    /// Adds the findings of another list of the same record.
    pub fn append(&mut self, others: RecordFindings<'_>) {
        self.found.extend(others.found);
    }

    /// An empty list with the same room.
    #[must_use]
    pub fn alike(&self) -> Self {
        Self::within(self.room)
    }

    /// Adds the findings of another list of the same record as other problems, by `convert`; without those for which it returns `None`.
    pub fn append_as(
        &mut self,
        others: RecordFindings<'_>,
        convert: impl Fn(&RecordFinding) -> Option<AnyProblem>,
    ) {
        for finding in others.found {
            let Some(problem) = convert(&finding) else { continue };
            let finding = RecordFinding { problem, ..finding };
            if finding.count.is_some() {
                self.found.push(finding);
            } else {
                self.push(finding);
            }
        }
    }

    /// The number of errors.
    pub fn errors(&self) -> u64 {
        let is_error = |finding: &&RecordFinding| finding.problem.rule().severity == Severity::Error;
        let number = |finding: &RecordFinding| finding.count.as_ref().map_or(1, |count| count.number);
        self.found.iter().filter(is_error).map(number).sum()
    }

    /// Converts them to findings of the dataset.
    pub fn locate(self, record: &RecordText<'_>) -> Vec<Finding> {
        self.found.into_iter().map(|found| found.locate(record)).collect()
    }

    /// The findings.
    pub fn into_vec(self) -> Vec<RecordFinding> {
        self.found
    }
}

impl Deref for RecordFindings<'_> {
    type Target = [RecordFinding];

    fn deref(&self) -> &Self::Target {
        &self.found
    }
}

impl DerefMut for RecordFindings<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PathBuilder, check_schema, parse};
    use evalcheck_json::schema::{Object, Property, Schema, UnknownKeys};

    static RECORD: Schema =
        Schema::object(Object::new(&[Property::required("id", &Schema::STRING)], UnknownKeys::Ignore));

    /// The findings of a record with a thousand unknown keys; at most `most` of them are kept.
    fn found(most: u64, collector: &mut FindingCollector) -> Vec<RecordFinding> {
        *collector = FindingCollector::new(Some(most));
        let members: Vec<String> = (0..1000).map(|number| format!("\"key {number}\":0")).collect();
        let record = format!("{{\"id\":\"a\",{}}}", members.join(","));
        let parsed = parse(record.as_bytes()).unwrap();
        let mut found = RecordFindings::within(Room::Dataset { collector, loss: |_| None });
        check_schema(&parsed.value, &RECORD, &PathBuilder::default(), record.as_bytes(), &mut found);
        assert_eq!(found.errors(), 0);
        found.into_vec()
    }

    #[test]
    fn what_is_not_kept_is_counted_without_texts_and_edits() {
        for most in [0, 10] {
            let found = found(most, &mut FindingCollector::default());
            let unknown = found.iter().filter(|finding| finding.problem.rule().severity == Severity::Warning);
            let (counted, kept): (Vec<_>, Vec<_>) = unknown.partition(|finding| finding.count.is_some());
            assert_eq!(kept.len() as u64, most);
            assert!(kept.iter().all(|finding| finding.problem.message().contains("key \"key ")));
            let [counted] = counted[..] else { panic!("one stands for all: {counted:?}") };
            assert_eq!(counted.count.as_ref().unwrap().number, 1000 - most);
            assert!(!counted.problem.message().contains("key \"key "));
            let fix = counted.fix.as_ref().unwrap();
            assert!(fix.title.is_empty() && fix.edits.is_empty());
        }
    }

    #[test]
    fn a_record_has_no_more_findings_than_its_dataset_has_room_for() {
        let found = found(u64::MAX, &mut FindingCollector::default());
        assert_eq!(found.len(), 1000);
        assert!(found.iter().all(|finding| finding.count.is_none()));
    }
}
