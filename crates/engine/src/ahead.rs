//! Reads a dataset in order, and passes over the known lines that were found ahead.

use crate::check::Check;
use crate::check::known_lines::FoundLines;
use crate::source::Source;

/// Reads a dataset in order, and passes over the known lines that were found ahead.
#[derive(Debug)]
pub struct AheadOfCheck<I> {
    /// `None` after the last lines.
    found: Option<I>,
    /// The lines that are passed over next.
    next: Option<FoundLines>,
    fewest: u64,
}

impl<I: Iterator<Item = FoundLines>> AheadOfCheck<I> {
    /// `found` yields known lines in the order of the dataset. Fewer bytes than `fewest` are not worth a separate read.
    pub fn new(found: I, fewest: u64) -> Self {
        Self { found: Some(found), next: None, fewest }
    }

    /// As [`Check::read_piece`]. Nothing is read if lines are passed over.
    pub fn read_piece(
        &mut self,
        check: &mut Check,
        source: &mut (impl Source + ?Sized),
        most: usize,
    ) -> bool {
        match self.pass_over(check, most) {
            Wanted::Nothing => false,
            Wanted::Passed => true,
            Wanted::Bytes(most) => check.read_piece(source, most),
        }
    }

    /// Passes over lines if it can, else returns the number of bytes to read next, at most `most`.
    pub fn pass_over(&mut self, check: &mut Check, most: usize) -> Wanted {
        let Some(wanted) = check.next_range() else { return Wanted::Nothing };
        loop {
            self.next = self.next.take().or_else(|| self.found.as_mut()?.next());
            let Some(next) = &mut self.next else {
                self.found = None;
                return Wanted::Bytes(most);
            };
            let start = next.lines().bytes.start;
            if start > wanted.start {
                let until = usize::try_from(start - wanted.start).unwrap_or(most);
                return Wanted::Bytes(until.min(most));
            }
            if check.skip(next, self.fewest) {
                return Wanted::Passed;
            }
            // The remaining lines may begin later.
            if next.lines().bytes.start == start {
                self.next = None;
            }
        }
    }
}

/// The next step of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: all bytes were read.
    Nothing,
    /// Nothing yet: lines were passed over.
    Passed,
    /// This number of bytes.
    Bytes(usize),
}
