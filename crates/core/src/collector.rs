//! Collects findings: counts all of them exactly, and keeps a limited number.

mod kept;
mod losses;

use crate::order::Order;
use evalcheck_report::view::Direction;
use evalcheck_report::{Applicability, Counts, LossCounts, Severity};

use crate::finding::Finding;
use crate::finding_index::FindingIndex;
use crate::line_set::LineSet;
use crate::location::Location;
use crate::rule::Rule;
use kept::Kept;
use losses::Losses;

/// Counts of one dataset, and the findings that are kept. Each code has its own cap, so that a flood of one code does not
/// hide another. Of findings with one [`Cause`](crate::rule::Cause), only the first is kept, unless [`FindingCollector::keep_every_cause`].
#[derive(Debug, Default)]
pub struct FindingCollector {
    /// Records without an error.
    pub valid: u64,
    /// Records with an error.
    pub invalid: u64,
    /// Lines of white space only.
    pub blank: u64,
    /// Header lines.
    pub header: u64,
    /// Further lines of JSONL records that are spread over several lines.
    pub continued: u64,
    errors: u64,
    warnings: u64,
    infos: u64,
    /// In the order of their first findings.
    by_code: Vec<CodeCounts>,
    kept: Kept,
    /// Lines with an error, kept or not.
    error_lines: LineSet,
    most_per_code: Option<u64>,
    losses: Losses,
    /// Records without an error that the system does not load because of the header.
    rejected: u64,
    /// Whether the system loads none of the records because of the header.
    pub rejects_all: bool,
    /// Errors about the file as a whole.
    file_errors: u64,
    /// The index of all findings, if one is built.
    index: Option<Box<FindingIndex>>,
}

/// The number of findings of a rule.
#[derive(Debug, Clone)]
struct CodeCounts {
    rule: &'static Rule,
    findings: u64,
    /// The number of them with a safe fix.
    safe_fixes: u64,
    /// The number of them with an unsafe fix.
    unsafe_fixes: u64,
}

/// The counts of a collector at some point of a check.
#[derive(Debug, Clone, Default)]
pub struct Checkpoint {
    by_code: Vec<CodeCounts>,
    /// Records so far.
    pub records: u64,
    invalid: u64,
    /// The last line with an error.
    last_error_line: u64,
    /// The number of findings that were kept so far, including those that were taken.
    pub findings: usize,
    /// The number of findings in the index so far.
    indexed: u64,
}

/// The numbers of findings that [`FindingCollector::retract`] removed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Removed {
    kept: usize,
    indexed: u64,
}

impl Checkpoint {
    /// The same point after findings before it were removed.
    pub fn shift(&mut self, removed: Removed) {
        self.findings -= removed.kept;
        self.indexed -= removed.indexed;
    }
}

impl CodeCounts {
    /// The counts since a checkpoint.
    fn since(&self, before: Option<&Self>) -> Self {
        let Some(before) = before else { return self.clone() };
        Self {
            rule: self.rule,
            findings: self.findings - before.findings,
            safe_fixes: self.safe_fixes - before.safe_fixes,
            unsafe_fixes: self.unsafe_fixes - before.unsafe_fixes,
        }
    }
}

impl FindingCollector {
    /// Keeps at most `most_per_code` findings of each code; `None` keeps all.
    pub fn new(most_per_code: Option<u64>) -> Self {
        Self { most_per_code, ..Self::default() }
    }

    /// The number of further findings of a rule that are kept.
    pub fn room(&self, rule: &Rule) -> u64 {
        // An index has each finding, with its place.
        let Some(most) = self.most_per_code.filter(|_| self.index.is_none()) else { return u64::MAX };
        let count = self
            .by_code
            .iter()
            .find(|counts| counts.rule.code == rule.code)
            .map_or(0, |counts| counts.findings);
        most.saturating_sub(count)
    }

    /// Counts a finding, and keeps it while its code has room and no finding with the same cause is kept.
    pub fn add(&mut self, finding: Finding) {
        self.add_found(finding, false);
    }

    fn add_found(&mut self, finding: Finding, is_of_record: bool) {
        if let Some(index) = &mut self.index {
            index.add(&finding, is_of_record);
        }
        let count = self.count(&finding);
        if finding.only_counted.is_none() {
            let has_room = self.most_per_code.is_none_or(|most| count <= most);
            // The record of this finding is counted after the finding.
            self.kept.add(finding, has_room, self.records());
        }
    }

    /// Counts a finding, or as many as it represents. Returns the number of findings of its rule so far.
    fn count(&mut self, finding: &Finding) -> u64 {
        let (rule, loss) = (finding.problem.rule(), finding.loss);
        let Location { line, record, .. } = finding.location;
        let number = finding.only_counted.unwrap_or(1);
        match rule.severity {
            Severity::Error => {
                self.errors += number;
                match line {
                    Some(line) => self.error_lines.insert(line),
                    None => self.file_errors += number,
                }
            }
            Severity::Warning => self.warnings += number,
            Severity::Info => self.infos += number,
        }
        self.losses.count(loss, record, number);
        let known = self.by_code.iter().position(|counts| counts.rule.code == rule.code);
        let location = known.unwrap_or_else(|| {
            self.by_code.push(CodeCounts { rule, findings: 0, safe_fixes: 0, unsafe_fixes: 0 });
            self.by_code.len() - 1
        });
        let counts = &mut self.by_code[location];
        counts.findings += number;
        match finding.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => counts.safe_fixes += number,
            Some(Applicability::Unsafe) => counts.unsafe_fixes += number,
            None => {}
        }
        counts.findings
    }

    /// Keeps all findings that share a cause, because all are to be listed or each has its own fix. To be called before bytes are read.
    pub fn keep_every_cause(&mut self) {
        self.kept.keeps_every_cause = true;
    }

    /// Keeps the findings that were held back for causes that the last records do not have. To be called after the last record.
    pub fn finish(&mut self) {
        self.kept.finish(self.records());
    }

    /// Builds an index of all findings. To be called before bytes are read; findings that were made before are in it as far as they are kept.
    pub fn build_index(&mut self) {
        let mut index = FindingIndex::default();
        for finding in &self.kept.findings {
            index.add(finding, false);
        }
        index.skip_unknown((self.errors + self.warnings + self.infos).saturating_sub(index.len()));
        self.index = Some(Box::new(index));
    }

    /// The index of all findings, if one is built.
    pub fn index(&self) -> Option<&FindingIndex> {
        self.index.as_deref()
    }

    /// Sorts the index in the order of [`FindingCollector::in_order`], once every finding was added.
    pub fn sort_index(&mut self) {
        if let Some(index) = self.index.as_mut().filter(|_| self.kept.is_late) {
            index.sort();
        }
    }

    /// The counts so far.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            by_code: self.by_code.clone(),
            records: self.records(),
            invalid: self.invalid,
            last_error_line: self.error_lines.last().unwrap_or(0),
            findings: self.kept.number(),
            indexed: self.index.as_ref().map_or(0, |index| index.len()),
        }
    }

    /// Retracts the errors between two checkpoints, because the part of the dataset that they are about does not count. Its
    /// records are then valid. If one of the errors may not be removed, none is. Returns how many were removed.
    pub fn retract(
        &mut self,
        from: &Checkpoint,
        to: &Checkpoint,
        may_be_retracted: impl Fn(&Rule) -> bool,
    ) -> Removed {
        let is_error = |rule: &Rule| rule.severity == Severity::Error;
        let between = to.by_code.iter().enumerate().filter(|(_, counts)| is_error(counts.rule));
        let between: Vec<(usize, CodeCounts)> = between
            .map(|(index, counts)| (index, counts.since(from.by_code.get(index))))
            .filter(|(_, counts)| counts.findings > 0)
            .collect();
        if !between.iter().all(|(_, counts)| may_be_retracted(counts.rule)) {
            return Removed::default();
        }
        let indexed = self.index.as_mut().map_or(0, |index| index.retract(from.indexed, to.indexed));
        let errors: u64 = between.iter().map(|(_, counts)| counts.findings).sum();
        for (index, counts) in between {
            self.by_code[index] = self.by_code[index].since(Some(&counts));
        }
        self.errors -= errors;
        let invalid = to.invalid - from.invalid;
        self.invalid -= invalid;
        self.valid += invalid;
        self.error_lines.truncate(from.last_error_line);
        let removed = self.kept.retract(from.findings..to.findings, errors);
        // The errors before `from` are on lines up to the one to which the set was truncated.
        for finding in self.kept.since(from.findings).iter().filter(|finding| finding.is_error()) {
            finding.location.line.into_iter().for_each(|line| self.error_lines.insert(line));
        }
        Removed { kept: removed, indexed }
    }

    /// Counts the findings of one record and the record itself. Findings on several lines are sorted by their lines.
    pub fn add_record(&mut self, mut findings: Vec<Finding>) {
        let before = self.errors;
        findings.order_by_key(|finding| finding.location.line);
        for finding in findings {
            self.add_found(finding, true);
        }
        if self.errors > before {
            self.invalid += 1;
        } else {
            self.valid += 1;
        }
    }

    /// Records read so far.
    pub fn records(&self) -> u64 {
        self.valid + self.invalid
    }

    /// The losses of the system so far.
    pub fn loss(&self) -> LossCounts {
        self.losses.counts
    }

    /// Counts a record that the system drops because of the header. `has_errors`: the record has errors of its own; `is_lost`: one
    /// of its findings says that it is lost.
    pub fn reject(&mut self, has_errors: bool, is_lost: bool) {
        self.losses.counts.lines += u64::from(!is_lost);
        self.rejected += u64::from(!has_errors);
    }

    /// Sets the number of lost lines, when one finding is about several lines.
    pub fn set_lost_lines(&mut self, lines: u64) {
        self.losses.counts.lines = lines;
    }

    /// Adds a finding about this number of lost values, in records that are not known.
    pub fn add_lost_values(&mut self, finding: Finding, values: u64) {
        let before = self.losses.counts;
        self.add(finding);
        self.losses.counts = LossCounts { values: before.values + values, ..before };
    }

    /// Sets the losses to none: a dataset that is refused as a whole loses nothing.
    pub fn forget_loss(&mut self) {
        self.losses.counts = LossCounts::default();
    }

    /// Errors so far.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Warnings so far.
    pub fn warnings(&self) -> u64 {
        self.warnings
    }

    /// Whether a line has an error, kept or not.
    pub fn has_error(&self, line: u64) -> bool {
        self.error_lines.contains(line)
    }

    /// The nearest line before or after `from` that has an error, kept or not, as far as the dataset was read. Lines beyond the 134,217,728th
    /// are not known.
    pub fn error_line(&self, from: u64, direction: Direction) -> Option<u64> {
        match direction {
            Direction::Next => self.error_lines.after(from),
            Direction::Previous => self.error_lines.before(from),
        }
    }

    /// The findings that are kept, in the order in which they were added.
    pub fn findings(&self) -> &[Finding] {
        &self.kept.findings
    }

    /// The findings that are kept, in the order of the file. A finding without a line stays after those that were added before
    /// it, and before those that were added after it.
    pub fn in_order(&self) -> impl Iterator<Item = &Finding> {
        self.kept.ordered(self.kept.findings.iter().collect()).into_iter()
    }

    /// Removes and returns the findings that are kept, in the order of [`FindingCollector::in_order`]. For drivers that show all
    /// findings as they come, and keep none. The counts do not change.
    pub fn take(&mut self) -> Vec<Finding> {
        self.kept.take()
    }

    /// The number of findings that were taken and no longer count.
    pub fn retracted(&self) -> u64 {
        self.kept.retracted
    }

    /// The cap for each code.
    pub fn most_per_code(&self) -> Option<u64> {
        self.most_per_code
    }

    /// Whether some findings were counted and never kept.
    pub fn truncated(&self) -> bool {
        self.kept.number() as u64 != self.errors + self.warnings + self.infos + self.kept.retracted
    }

    /// The counts for the report of a file with this many lines.
    pub fn counts(&self, lines: u64) -> Counts {
        // A code may have no findings left, after its errors were retracted.
        let by_code = |count: fn(&CodeCounts) -> u64| {
            let counted = self.by_code.iter().map(|counts| (counts.rule.code.to_owned(), count(counts)));
            counted.filter(|(_, count)| *count > 0).collect()
        };
        let rejected = if self.rejects_all { self.valid } else { self.rejected };
        // A system that drops lines loads the others. Any other refuses a dataset with an error.
        let is_loaded = self.errors == 0 || (self.losses.counts.lines > 0 && self.file_errors == 0);
        Counts {
            lines,
            records: self.records(),
            valid: self.valid - rejected,
            invalid: self.invalid + rejected,
            blank: self.blank,
            header: self.header,
            continued: self.continued,
            errors: self.errors,
            warnings: self.warnings,
            infos: self.infos,
            by_code: by_code(|counts| counts.findings),
            safe_fixes: by_code(|counts| counts.safe_fixes),
            unsafe_fixes: by_code(|counts| counts.unsafe_fixes),
            loss: if is_loaded { self.losses.counts } else { LossCounts::default() },
        }
    }
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro declares groups for other crates")]
mod tests {
    use super::kept::MOST_HELD_BACK;
    use super::*;
    use crate::rule::Cause;

    crate::rules! {
        /// Problems with causes.
        Example {
            Header { cause: &'static str } = "test/header", Error {
                summary: "", message: "{cause}", cause: Cause::EveryRecord((*cause).to_owned()), meaning: "", invalid: "", valid: "",
            }
            Password = "test/password", Error {
                summary: "", message: "", cause: Cause::File("password".to_owned()), meaning: "", invalid: "", valid: "",
            }
            Single = "test/single", Error { summary: "", message: "", meaning: "", invalid: "", valid: "", }
        }
    }

    /// Adds records with these problems, and returns the records, from 0, of the findings that are kept.
    fn kept(records: Vec<Vec<Example>>) -> Vec<u64> {
        let mut collector = FindingCollector::new(None);
        let errors = records.iter().map(Vec::len).sum::<usize>() as u64;
        let invalid = records.iter().filter(|problems| !problems.is_empty()).count() as u64;
        for (record, problems) in (0..).zip(records) {
            let location = Location { record: Some(record), ..Location::line(record + 1) };
            let findings = problems.into_iter().map(|problem| Finding::new(problem, location.clone()));
            collector.add_record(findings.collect());
        }
        collector.finish();
        assert_eq!((collector.errors(), collector.invalid), (errors, invalid), "counts are exact");
        assert_eq!(collector.truncated(), collector.findings().len() as u64 != errors);
        collector.in_order().filter_map(|finding| finding.location.record).collect()
    }

    fn header(cause: &'static str) -> Vec<Example> {
        vec![Example::Header { cause }]
    }

    #[test]
    fn of_findings_with_a_cause_that_every_record_has_the_first_is_kept() {
        assert_eq!(kept(vec![header("a"), header("a"), header("a")]), [0]);
        assert_eq!(kept(vec![[header("a"), header("a")].concat()]), [0]);
        assert_eq!(kept(vec![header("a"), vec![Example::Header { cause: "a" }, Example::Single]]), [0, 1]);
    }

    #[test]
    fn of_findings_with_a_cause_that_some_record_does_not_have_all_are_kept() {
        assert_eq!(kept(vec![header("a"), vec![], header("a"), vec![], header("a")]), [0, 2, 4]);
        assert_eq!(kept(vec![header("a"), header("a"), header("a"), vec![]]), [0, 1, 2]);
        assert_eq!(kept(vec![header("a"), header("a"), vec![Example::Single], header("a")]), [0, 1, 2, 3]);
        assert_eq!(kept(vec![header("a"), header("b"), header("b")]), [0, 1, 2]);
        assert_eq!(kept(vec![vec![], header("a"), header("a")]), [1, 2]);
    }

    #[test]
    fn no_more_than_a_few_findings_are_held_back_for_a_cause() {
        let last = MOST_HELD_BACK as u64;
        assert_eq!(kept((0..=last).map(|_| header("a")).collect()), [0]);
        assert_eq!(kept((0..=last + 1).map(|_| header("a")).collect()).len() as u64, last + 2);
    }

    #[test]
    fn findings_come_in_the_order_of_their_lines() {
        let mut collector = FindingCollector::new(None);
        for line in [Some(2), Some(1), None, Some(4), Some(3)] {
            collector.add(Finding::new(Example::Single, Location { line, ..Location::file() }));
        }
        let lines: Vec<_> = collector.in_order().map(|finding| finding.location.line).collect();
        assert_eq!(lines, [Some(1), Some(2), None, Some(3), Some(4)]);
    }

    #[test]
    fn of_findings_with_a_cause_in_the_file_the_first_is_kept() {
        assert_eq!(kept(vec![vec![], vec![Example::Password], vec![], vec![Example::Password]]), [1]);
    }
}
