//! The lines of the records that match.

use std::ops::RangeInclusive;

use evalcheck_report::view::Direction;

use super::Matches;

/// The lines of the records that match, from 1.
#[derive(Debug, Clone, Default)]
pub struct MatchedLines {
    /// The lines on which a record begins.
    first: Matches,
    /// The further lines of a record.
    further: Matches,
}

impl MatchedLines {
    /// Adds the lines of a record.
    pub(super) fn add(&mut self, mut lines: RangeInclusive<u64>) {
        lines.next().into_iter().for_each(|first| self.first.insert(first));
        lines.for_each(|line| self.further.insert(line));
    }

    /// Whether a line belongs to a record that matches.
    pub fn contains(&self, line: u64) -> bool {
        self.first.contains(line) || self.further.contains(line)
    }

    /// The nearest line after or before another one on which a matching record begins.
    pub fn next(&self, from: u64, direction: Direction) -> Option<u64> {
        let number = match direction {
            Direction::Next => self.first.rank(from.saturating_add(1)),
            Direction::Previous => self.first.rank(from).checked_sub(1)?,
        };
        self.first.select(number)
    }
}
