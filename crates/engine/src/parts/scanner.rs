//! Reads a range of a dataset, and makes its part.

use std::ops::Range;

use evalcheck_records::MAX_RECORD;
use evalcheck_wire::plan::PlannedDataset;

use super::{Part, PartProblem, check_evalcheck};
use crate::check::known_lines::{LineRules, LineScanner, OtherLines};
use crate::environment::Environment;
use crate::source::Source;

/// The number of bytes after a range that are read with it, because its last line may continue in them.
const MORE: u64 = 16 << 10;

/// Reads a range of a dataset, and makes its part. A line belongs to the range in which it begins: reading begins one byte before the
/// range, and ends with the last line that begins in it.
#[derive(Debug)]
pub struct PartScanner {
    /// `None` if the dataset cannot be cut, so that nothing is read.
    scanner: Option<LineScanner>,
    part: Part,
    /// The next byte that is read.
    at: u64,
    /// The offset of the first held byte.
    held_from: u64,
    /// Whether the held bytes begin within a line that belongs to an earlier range, or that is too long.
    is_within_line: bool,
    is_done: bool,
    /// The lines that a check has to read, if requested.
    others: Option<OtherLines>,
}

impl PartScanner {
    /// Reads this range of a dataset as it was planned. Runs of known lines with fewer bytes than `fewest` are left out, usually
    /// [`super::FEWEST`].
    ///
    /// # Errors
    /// The range is not in the file, or another version of evalcheck made the plan.
    pub fn new(dataset: &PlannedDataset, range: (u64, u64), fewest: u64) -> Result<Self, PartProblem> {
        Self::in_environment(&Environment::default(), dataset, range, fewest)
    }

    /// The same with what a driver lends: it compiles the user's own schema and the regular expressions of a query. If it cannot, all lines are left to the
    /// check, or all records to the search.
    ///
    /// # Errors
    /// See [`PartScanner::new`].
    pub fn in_environment(
        environment: &Environment,
        dataset: &PlannedDataset,
        range: (u64, u64),
        fewest: u64,
    ) -> Result<Self, PartProblem> {
        check_evalcheck(dataset)?;
        let (start, end) = range;
        if start > end || end > dataset.size {
            return Err(PartProblem::Range { range, size: dataset.size });
        }
        let scanner = dataset.lines.as_ref().map(|lines| {
            let unknown = || PartProblem::UnknownFormat(lines.format.clone());
            let rules = LineRules::of_planned(environment, dataset, lines).ok_or_else(unknown)?;
            Ok(LineScanner::new(&rules, fewest))
        });
        let scanner = scanner.transpose()?.flatten();
        let before = start.saturating_sub(1);
        Ok(Self {
            is_done: scanner.is_none() || start == end,
            scanner,
            part: Part { dataset: dataset.clone(), range, found: Vec::new() },
            at: before,
            held_from: before,
            is_within_line: start > 0,
            others: None,
        })
    }

    /// Also keeps the lines that a check has to read, at most `most` bytes ([`PartScanner::take_others`]).
    #[must_use]
    pub fn with_others(mut self, most: usize) -> Self {
        self.others = Some(OtherLines::of_at_most(most, self.part.dataset.size));
        self
    }

    /// The lines that a check has to read, as far as they were kept.
    pub fn take_others(&mut self) -> OtherLines {
        self.others.take().unwrap_or_default()
    }

    /// The bytes of the file to read next, from the start on; `None` after the range was read.
    pub fn next_range(&self) -> Option<Range<u64>> {
        (!self.is_done).then_some(self.at..self.part.dataset.size)
    }

    /// The buffer for the bytes at the start of [`PartScanner::next_range`]: at most `most`, and not many more than the range has.
    pub fn buffer(&mut self, most: usize) -> &mut [u8] {
        let Some(wanted) = self.next_range() else { return &mut [] };
        // The last line may continue after the range. Most are short.
        let end = self.part.range.1.max(wanted.start).saturating_add(MORE).min(wanted.end);
        let room = usize::try_from(end - wanted.start).unwrap_or(most).min(most).max(1);
        self.scanner.as_mut().map(|scanner| scanner.buffer(room)).unwrap_or_default()
    }

    /// Commits the first `n` bytes of the buffer.
    pub fn commit(&mut self, n: usize) {
        let Some(scanner) = &mut self.scanner else { return };
        self.at += n as u64;
        scanner.advance(n);
        if self.is_within_line {
            let (bytes, is_ended) = scanner.leave_line();
            self.held_from += bytes as u64;
            self.is_within_line = !is_ended;
        }
        if !self.is_within_line {
            let end = self.part.range.1;
            let others = self.others.as_mut();
            let bytes = scanner.scan_lines_before(self.held_from, end, &mut self.part.found, others);
            self.held_from += bytes as u64;
            if scanner.held() > MAX_RECORD {
                let (bytes, _) = scanner.leave_line();
                self.held_from += bytes as u64;
                self.is_within_line = true;
            }
        }
        let is_after = self.held_from >= self.part.range.1;
        self.is_done |= is_after || self.at >= self.part.dataset.size;
    }

    /// Reads the next bytes, at most `most`. Returns false after the range was read.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn read_piece(
        &mut self,
        source: &mut (impl Source + ?Sized),
        most: usize,
    ) -> Result<bool, PartProblem> {
        let Some(wanted) = self.next_range() else { return Ok(false) };
        let size = wanted.end;
        let start = wanted.start;
        let read = source.read_at(wanted, self.buffer(most)).map_err(PartProblem::NotRead)?;
        if read == 0 {
            return Err(PartProblem::OtherSize { found: start, planned: size });
        }
        self.commit(read);
        Ok(self.next_range().is_some())
    }

    /// The part. To be called after the range was read.
    pub fn finish(self) -> Part {
        debug_assert!(self.is_done);
        self.part
    }
}
