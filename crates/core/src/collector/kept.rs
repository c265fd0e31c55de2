//! The findings that are kept.

use std::borrow::Borrow;
use std::ops::Range;

use crate::finding::Finding;
use crate::order::Order;
use crate::rule::Cause;

/// The findings that are kept. Of those with one [`Cause`], it is the first, unless `keeps_every_cause`.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// In the order in which they were added.
    pub(super) findings: Vec<Finding>,
    /// The number of findings that were kept and taken by [`Kept::take`].
    taken: usize,
    /// The number of these that no longer count.
    pub(super) retracted: u64,
    /// Whether all findings that share a cause are kept.
    pub(super) keeps_every_cause: bool,
    /// Causes whose first finding is kept, with the code of the finding.
    causes: Vec<(&'static str, String)>,
    /// Causes that every record so far has.
    shared: Vec<Shared>,
    /// The last line with a finding.
    last_line: u64,
    /// Whether findings were added after those of later lines.
    pub(super) is_late: bool,
}

/// A cause that every record so far has.
#[derive(Debug)]
struct Shared {
    code: &'static str,
    cause: String,
    /// Records up to the last one that has it.
    records: u64,
    /// The findings after the first. They are kept once a record does not have the cause.
    held_back: Vec<Finding>,
}

/// The most findings that are held back for one cause. When there are more, all of them are kept.
pub(super) const MOST_HELD_BACK: usize = 10_000;

impl Kept {
    /// Adds a finding after this number of records, and keeps it if its code has room.
    pub(super) fn add(&mut self, finding: Finding, has_room: bool, records: u64) {
        if let Some(line) = finding.location.line {
            self.is_late |= line < self.last_line;
            self.last_line = self.last_line.max(line);
        }
        if has_room {
            self.keep(finding, records);
        }
    }

    /// Keeps a finding, unless one with the same cause is kept.
    fn keep(&mut self, finding: Finding, records: u64) {
        let code = finding.problem.rule().code;
        match finding.problem.cause().filter(|_| !self.keeps_every_cause) {
            None => self.findings.push(finding),
            Some(Cause::File(cause)) => {
                if !self.causes.iter().any(|(known, of)| (*known, of) == (code, &cause)) {
                    self.causes.push((code, cause));
                    self.findings.push(finding);
                }
            }
            Some(Cause::EveryRecord(cause)) => self.keep_shared(finding, records, code, cause),
        }
    }

    /// Keeps a finding with a cause that every record may have. While all records have it, the finding is held back.
    fn keep_shared(&mut self, finding: Finding, before: u64, code: &'static str, cause: String) {
        let Some(index) = self.shared.iter().position(|shared| shared.code == code && shared.cause == cause)
        else {
            if before == 0 {
                self.shared.push(Shared { code, cause, records: 1, held_back: Vec::new() });
            }
            self.findings.push(finding);
            return;
        };
        let shared = &mut self.shared[index];
        if shared.records < before || shared.held_back.len() == MOST_HELD_BACK {
            self.is_late = true;
            self.findings.append(&mut self.shared.remove(index).held_back);
            self.findings.push(finding);
        } else {
            shared.records = before + 1;
            shared.held_back.push(finding);
        }
    }

    /// Keeps the findings that were held back for causes that the last records do not have. `records` is the number of all records.
    pub(super) fn finish(&mut self, records: u64) {
        for mut shared in std::mem::take(&mut self.shared) {
            if shared.records < records {
                self.is_late |= !shared.held_back.is_empty();
                self.findings.append(&mut shared.held_back);
            }
        }
    }

    /// The number of findings that are kept or were taken.
    pub(super) fn number(&self) -> usize {
        self.taken + self.findings.len()
    }

    /// The findings from one on that are kept; those that were taken are counted.
    pub(super) fn since(&self, first: usize) -> &[Finding] {
        self.findings.get(first.saturating_sub(self.taken)..).unwrap_or_default()
    }

    /// Removes the errors among the findings with these numbers, of `errors` errors that no longer count. Returns how many were removed.
    pub(super) fn retract(&mut self, range: Range<usize>, errors: u64) -> usize {
        let kept = self.findings.len();
        let place = |findings: usize| findings.saturating_sub(self.taken);
        let later = self.findings.split_off(place(range.end));
        let others =
            self.findings.split_off(place(range.start)).into_iter().filter(|finding| !finding.is_error());
        self.findings.extend(others.chain(later));
        let removed = kept - self.findings.len();
        if self.taken > 0 {
            self.retracted += errors.saturating_sub(removed as u64);
        }
        removed
    }

    /// Sorts findings. Most are in order already, and a stable sort keeps them so.
    pub(super) fn ordered<F: Borrow<Finding>>(&self, findings: Vec<F>) -> Vec<F> {
        if !self.is_late {
            return findings;
        }
        // A finding without a line begins another run.
        let mut run = 0;
        let runs = findings.into_iter().map(|finding| {
            let line = finding.borrow().location.line;
            run += u64::from(line.is_none());
            (run, line, finding)
        });
        let mut sorted: Vec<_> = runs.collect();
        sorted.order_by_key(|(run, line, _)| (*run, *line));
        sorted.into_iter().map(|(_, _, finding)| finding).collect()
    }

    /// Removes and returns the findings, in the order of the file.
    pub(super) fn take(&mut self) -> Vec<Finding> {
        let findings = std::mem::take(&mut self.findings);
        self.taken += findings.len();
        self.ordered(findings)
    }
}
