//! The findings of one record: a limited number of each rule in full, the others as counts.

use std::ops::{Deref, DerefMut, Range};

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::{Finding, Location, Path};
use evalcheck_core::rule::{AnyProblem, Problem, Rule};
use evalcheck_wire::report::{Applicability, Loss, Severity};

use super::{RecordFinding, RecordFix};

/// The most findings of one rule that are kept of one record, also where a dataset has no such limit: a record is
/// held in memory, and its findings must not take much more.
const MOST_OF_RECORD: u64 = 20_000;

/// Findings of one rule beyond these, and beyond as many of a record, are counted together.
const MOST_COUNTED: usize = 64;

/// Takes the findings of one record. A finding that will not be kept has no texts and no edits, and stands for as many
/// as there are of its kind.
#[derive(Debug, Default)]
pub struct RecordFindings<'r> {
    found: Vec<RecordFinding>,
    room: Room<'r>,
    tallies: Vec<Tally>,
    /// Findings that stand for others, and where they are.
    groups: Vec<(Kind, usize)>,
}

/// Which findings are kept.
#[derive(Debug, Clone, Copy, Default)]
pub enum Room<'r> {
    /// All.
    #[default]
    All,
    /// None: only which there are is asked.
    None,
    /// Those that a dataset keeps.
    Dataset {
        /// What was found before.
        collector: &'r FindingCollector,
        /// What the system loses for a finding.
        loss: fn(&Finding) -> Option<Loss>,
    },
}

/// Findings of one rule.
#[derive(Debug)]
struct Tally {
    rule: &'static Rule,
    /// How many more are kept.
    room: u64,
    counted: usize,
}

/// Findings of one kind count alike.
#[derive(Debug, PartialEq)]
struct Kind {
    code: &'static str,
    fix: Option<Applicability>,
    loss: Option<Loss>,
}

/// Whether the texts of a problem are written, which nobody reads of a finding that is only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texts {
    written: bool,
}

impl Texts {
    /// A text, or an empty one.
    pub fn of(self, text: impl FnOnce() -> String) -> String {
        if self.written { text() } else { String::new() }
    }

    /// True where they are written.
    pub fn are_written(self) -> bool {
        self.written
    }
}

impl Room<'_> {
    /// How many further findings of a rule are kept.
    fn of(self, rule: &Rule) -> u64 {
        match self {
            Self::All => u64::MAX,
            Self::None => 0,
            Self::Dataset { collector, .. } => collector.room(rule).min(MOST_OF_RECORD),
        }
    }

    /// What the system loses for a finding that is only counted.
    fn loss(self, finding: &RecordFinding) -> Option<Loss> {
        let Self::Dataset { loss, .. } = self else { return None };
        let location = Location { record: Some(0), path: finding.path.clone(), ..Location::default() };
        loss(&Finding::new(finding.problem.clone(), location))
    }
}

impl<'r> RecordFindings<'r> {
    /// Takes those for which there is room.
    pub fn within(room: Room<'r>) -> Self {
        Self { room, ..Self::default() }
    }

    /// Reports a problem. It is made without texts first, and with them where it is kept.
    pub fn report<P: Problem>(
        &mut self,
        span: Range<usize>,
        path: Option<Path>,
        fix: Option<RecordFix>,
        problem: impl Fn(Texts) -> P,
    ) {
        self.report_any(span, path, fix, &|texts| problem(texts).into());
    }

    /// The same for all types of problems, compiled once.
    fn report_any(
        &mut self,
        span: Range<usize>,
        path: Option<Path>,
        fix: Option<RecordFix>,
        problem: &dyn Fn(Texts) -> AnyProblem,
    ) {
        let brief = problem(Texts { written: false });
        let is_kept = self.has_room(brief.rule());
        let problem = if is_kept { problem(Texts { written: true }) } else { brief };
        self.add(RecordFinding::new(problem, span, path).with_fix(fix), is_kept);
    }

    /// Adds a finding whose texts were made already.
    pub fn push(&mut self, finding: RecordFinding) {
        let is_kept = self.has_room(finding.problem.rule());
        self.add(finding, is_kept);
    }

    /// Adds a finding that is kept in any case.
    pub fn push_kept(&mut self, finding: RecordFinding) {
        self.found.push(finding);
    }

    /// True while a finding of a rule is kept.
    fn has_room(&mut self, rule: &'static Rule) -> bool {
        match self.room {
            Room::All => true,
            room => room.of(rule) > 0 && self.tally(rule).room > 0,
        }
    }

    fn tally(&mut self, rule: &'static Rule) -> &mut Tally {
        let known = self.tallies.iter().position(|tally| tally.rule.code == rule.code);
        let index = known.unwrap_or_else(|| {
            self.tallies.push(Tally { rule, room: self.room.of(rule), counted: 0 });
            self.tallies.len() - 1
        });
        &mut self.tallies[index]
    }

    fn add(&mut self, mut finding: RecordFinding, is_kept: bool) {
        if is_kept {
            if !matches!(self.room, Room::All) {
                self.tally(finding.problem.rule()).room -= 1;
            }
            self.found.push(finding);
            return;
        }
        finding.is_only_counted = true;
        if let Some(fix) = &mut finding.fix {
            **fix = RecordFix { applicability: fix.applicability, ..RecordFix::safe("") };
        }
        if self.found.len() < MOST_COUNTED {
            self.found.push(finding);
            return;
        }
        let rule = finding.problem.rule();
        let tally = self.tally(rule);
        tally.counted += 1;
        if tally.counted > MOST_COUNTED {
            let fix = finding.fix.as_ref().map(|fix| fix.applicability);
            let kind = Kind { code: rule.code, fix, loss: self.room.loss(&finding) };
            if let Some((_, first)) = self.groups.iter().find(|(known, _)| *known == kind) {
                self.found[*first].others.push(finding.span.start);
                return;
            }
            self.groups.push((kind, self.found.len()));
        }
        self.found.push(finding);
    }

    /// Keeps those findings for which this is true; of those that stand for others it is asked for each.
    ///
    /// To be called when all of the findings that it is about were added.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&RecordFinding, &Range<usize>) -> bool) {
        self.groups.clear();
        self.found.retain_mut(|finding| {
            let mut others = std::mem::take(&mut finding.others);
            others.retain(|&start| is_kept(finding, &(start..start)));
            if is_kept(finding, &finding.span) {
                finding.others = others;
                return true;
            }
            let Some(first) = others.pop() else { return false };
            finding.span = first..first;
            finding.others = others;
            true
        });
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        let is_error = |finding: &&RecordFinding| finding.problem.rule().severity == Severity::Error;
        self.found.iter().filter(is_error).map(|finding| 1 + finding.others.len()).sum()
    }

    /// The findings.
    pub fn into_vec(self) -> Vec<RecordFinding> {
        self.found
    }

    /// Removes the findings at these places.
    pub(super) fn remove(&mut self, places: &[usize]) {
        let mut index = 0;
        self.groups.clear();
        self.found.retain(|_| {
            index += 1;
            !places.contains(&(index - 1))
        });
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
    use crate::diagnose::SchemaProblem;

    /// Findings of one rule at these places, of which so many are kept.
    fn found(most: u64, count: usize, collector: &mut FindingCollector) -> Vec<RecordFinding> {
        *collector = FindingCollector::new(Some(most));
        let mut found = RecordFindings::within(Room::Dataset { collector, loss: |_| None });
        for at in 0..count {
            // Every third has a fix.
            let fix = (at % 3 == 0).then(|| RecordFix::not_safe("Delete it").replace(at..at + 1, ""));
            found.report(at..at + 1, None, fix, |texts| SchemaProblem::UnknownKey {
                key: texts.of(|| "\"key\"".to_owned()),
                advice: String::new(),
            });
        }
        found.into_vec()
    }

    /// How many findings they stand for, and how many of them have a fix.
    fn counts(found: &[RecordFinding]) -> (usize, usize) {
        let with_fix = found.iter().filter(|finding| finding.fix.is_some());
        let number = |finding: &RecordFinding| 1 + finding.others.len();
        (found.iter().map(number).sum(), with_fix.map(number).sum())
    }

    #[test]
    fn what_is_not_kept_is_counted_without_texts_and_edits() {
        let found = found(10, 1000, &mut FindingCollector::default());
        assert_eq!(counts(&found), (1000, 334));
        assert!(found.len() < 2 * MOST_COUNTED + 3, "{}", found.len());
        let (kept, counted) = found.split_at(10);
        assert!(kept.iter().all(|finding| !finding.is_only_counted && finding.others.is_empty()));
        assert!(kept[0].problem.message().contains("key \"key\""), "{:?}", kept[0].problem);
        for finding in counted {
            assert!(finding.is_only_counted && !finding.problem.message().contains("key \"key\""));
            assert!(finding.fix.as_ref().is_none_or(|fix| fix.title.is_empty() && fix.edits.is_empty()));
        }
    }

    #[test]
    fn what_is_removed_is_not_counted() {
        let mut collector = FindingCollector::default();
        for most in [0, 10, 2000] {
            let found = found(most, 1000, &mut collector);
            let mut found = RecordFindings { found, ..RecordFindings::default() };
            found.retain(|_, span| span.start >= 500);
            assert_eq!(counts(&found), (500, 167), "{most} are kept");
        }
    }
}
