//! Passes over lines that are known.

use evalcheck_records::KnownLines;

use super::FoundLines;
use crate::check::state::CheckState;
use crate::diagnose::RecordStart;
use crate::formats::checks::{Captures, Observations};
use crate::overview::Overview;

impl CheckState {
    /// Passes over the first lines of `found`, which begin at `next`, and returns them. The checks of the dataset look at their
    /// records. A record that has to be read, because it is not clean beside others, is left out of `found`, and so are the lines after it,
    /// until `fewest` bytes may be passed over.
    pub(in crate::check) fn pass_over(
        &mut self,
        found: &mut FoundLines,
        next: RecordStart,
        fewest: u64,
    ) -> KnownLines {
        let mut passed = KnownLines { bytes: next.offset..next.offset, lines: 0, records: 0 };
        while let Some(record) = found.next_record() {
            passed.lines += record.before.lines;
            passed.records += record.before.records;
            passed.bytes.end += record.before.bytes;
            let at = RecordStart {
                offset: passed.bytes.end,
                line: next.line + passed.lines,
                column: 1,
                record: next.record + passed.records,
            };
            let is_clean = self.is_known_clean(&found.captures(), at);
            found.leave(record);
            if !is_clean {
                // Repeated ids are rarely alone.
                found.leave_bytes(fewest);
                return passed;
            }
            passed.lines += 1;
            passed.records += 1;
            passed.bytes.end += record.length;
        }
        let rest = found.take_rest();
        passed.lines += rest.lines;
        passed.records += rest.records;
        passed.bytes.end = rest.bytes.end;
        passed
    }

    /// Passes over all lines of `found`, which begin at `next`, and counts their statistics. `None` if the check has to read all of
    /// them, because a record is not clean beside others.
    pub(in crate::check) fn count_run(
        &mut self,
        found: &mut FoundLines,
        next: RecordStart,
    ) -> Option<KnownLines> {
        let run = found.take_statistics()?;
        let lines = found.lines().clone();
        let mut at = next;
        while let Some(record) = found.next_record() {
            at.line += record.before.lines;
            at.record += record.before.records;
            at.offset += record.before.bytes;
            if !self.is_known_clean(&found.captures(), at) {
                return None;
            }
            found.leave(record);
            at = RecordStart {
                offset: at.offset + record.length,
                line: at.line + 1,
                record: at.record + 1,
                ..at
            };
            self.observed_until = at.offset;
        }
        if let Some(overview) = self.observers.get_mut::<Overview>() {
            overview.merge(&run, next.line - 1);
        }
        found.take_rest();
        Some(lines)
    }

    /// Shows a record that is clean by itself to the checks of the dataset. Returns false if it has to be read.
    fn is_known_clean(&mut self, captures: &Captures<'_>, at: RecordStart) -> bool {
        let mut observed = Observations::default();
        self.checks.observe(captures, at, &mut observed);
        if observed.is_empty() || self.noted.has_conflict {
            return true;
        }
        let Some(findings) = self.settle_observed(observed, at) else { return false };
        for finding in findings {
            self.dataset.collector.add(finding);
        }
        true
    }
}
