//! Known lines that were found ahead of a check.

use std::vec;

use evalcheck_engine::ahead::{AheadOfCheck, Wanted};
use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::{FoundLines, OtherLines};
use evalcheck_engine::parts::FEWEST;

/// Lines in the bytes of a file up to `end`, found ahead of its check.
#[derive(Debug)]
pub struct Ahead {
    /// The end of these bytes.
    end: u64,
    found: AheadOfCheck<vec::IntoIter<FoundLines>>,
    pub(crate) others: OtherLines,
    /// Whether anything was found.
    is_made: bool,
    /// Bytes that the check skipped, and bytes that it read.
    pub(crate) passed: u64,
    pub(crate) read: u64,
}

impl Ahead {
    /// Known lines that begin before `end`, in order, and bytes of other lines.
    pub fn new(end: u64, found: vec::IntoIter<FoundLines>, others: OtherLines) -> Self {
        Self { end, found: AheadOfCheck::new(found, FEWEST), others, is_made: true, passed: 0, read: 0 }
    }

    /// Returns an empty result: the check reads the bytes up to `end`.
    pub fn nothing(end: u64) -> Self {
        Self { is_made: false, ..Self::new(end, Vec::new().into_iter(), OtherLines::default()) }
    }

    /// Returns true at the start of a file, before anything was read.
    pub fn is_start(&self) -> bool {
        self.end == 0
    }

    /// Returns true if something was found, but the check read more of the file than it skipped.
    pub fn was_in_vain(&self) -> bool {
        self.is_made && self.read > self.passed
    }

    pub(crate) fn ends_before(&self, next: u64) -> bool {
        self.end <= next
    }

    /// Returns true if something was found. Reads far from the last one are then short.
    pub(crate) fn is_made(&self) -> bool {
        self.is_made
    }

    /// Skips known lines if possible, else returns how many bytes to read next.
    pub(crate) fn pass_over(&mut self, check: &mut Check) -> Wanted {
        let Some(next) = check.next_range() else { return Wanted::Nothing };
        let most = usize::try_from(self.end.saturating_sub(next.start)).unwrap_or(usize::MAX).max(1);
        let wanted = self.found.pass_over(check, most);
        if wanted == Wanted::Passed {
            self.passed += check.next_range().map_or(0, |after| after.start - next.start);
        }
        wanted
    }
}
