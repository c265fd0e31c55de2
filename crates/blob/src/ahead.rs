//! What was found of a file ahead of its check.

use std::vec;

use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::{AheadOfCheck, FoundLines, Wanted};
use evalcheck_engine::parts::{FEWEST, OtherLines};

/// What was found of the bytes of a file up to some byte, ahead of its check.
#[derive(Debug)]
pub struct Ahead {
    /// The byte after them.
    end: u64,
    found: AheadOfCheck<vec::IntoIter<FoundLines>>,
    pub(crate) others: OtherLines,
    /// Something was found.
    is_made: bool,
    /// Bytes that were passed over, and those that were read of the file.
    pub(crate) passed: u64,
    pub(crate) read: u64,
}

impl Ahead {
    /// Known lines that begin before `end`, in order, and bytes of other lines.
    pub fn new(end: u64, found: vec::IntoIter<FoundLines>, others: OtherLines) -> Self {
        Self { end, found: AheadOfCheck::new(found, FEWEST), others, is_made: true, passed: 0, read: 0 }
    }

    /// Nothing was found before `end`: the check reads it.
    pub fn nothing(end: u64) -> Self {
        Self { is_made: false, ..Self::new(end, Vec::new().into_iter(), OtherLines::default()) }
    }

    /// True at the start of a file, before anything was read.
    pub fn is_start(&self) -> bool {
        self.end == 0
    }

    /// True where something was found, and the check read more of the file than it passed over.
    pub fn was_in_vain(&self) -> bool {
        self.is_made && self.read > self.passed
    }

    pub(crate) fn ends_before(&self, next: u64) -> bool {
        self.end <= next
    }

    /// Reads at a place far from the last one are short.
    pub(crate) fn is_made(&self) -> bool {
        self.is_made
    }

    /// Passes over lines where that can be, else says how many bytes are to be read next.
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
