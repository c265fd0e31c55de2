//! Reads a dataset in order, and passes over the known lines that were found ahead.

use std::iter::Fuse;

use super::FoundLines;
use crate::check::{Check, Source};

/// Reads a dataset in order, and passes over the known lines that were found ahead.
#[derive(Debug)]
pub struct AheadOfCheck<I> {
    found: Fuse<I>,
    /// The lines that are passed over next.
    next: Option<FoundLines>,
    fewest: u64,
}

impl<I: Iterator<Item = FoundLines>> AheadOfCheck<I> {
    /// `found` yields known lines in the order of the dataset. Fewer bytes than `fewest` are not worth a read of their own.
    pub fn new(found: I, fewest: u64) -> Self {
        Self { found: found.fuse(), next: None, fewest }
    }

    /// As [`Check::read_piece`]. Nothing is read where lines are passed over.
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

    /// Passes over lines where that can be, else says how many bytes are to be read next, at most `most`.
    pub fn pass_over(&mut self, check: &mut Check, most: usize) -> Wanted {
        let Some(wanted) = check.next_range() else { return Wanted::Nothing };
        loop {
            self.next = self.next.take().or_else(|| self.found.next());
            let Some(next) = &mut self.next else { return Wanted::Bytes(most) };
            let start = next.lines().bytes.start;
            if start > wanted.start {
                let until = usize::try_from(start - wanted.start).unwrap_or(most);
                return Wanted::Bytes(until.min(most));
            }
            if check.skip(next, self.fewest) {
                return Wanted::Passed;
            }
            // What is left of them may begin later.
            if next.lines().bytes.start == start {
                self.next = None;
            }
        }
    }
}

/// What a check wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: it has read all.
    Nothing,
    /// Nothing yet: it has passed over lines.
    Passed,
    /// So many bytes.
    Bytes(usize),
}
