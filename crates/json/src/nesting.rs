//! The open brackets of a text.

use crate::scan::MAX_DEPTH;

/// The number and the kinds of the open brackets of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nesting {
    depth: usize,
    /// One bit per level, set for an array; the innermost level is bit 0.
    arrays: u128,
    is_too_deep: bool,
}

impl Nesting {
    /// Takes an opening bracket.
    pub fn open(&mut self, is_array: bool) {
        self.is_too_deep |= self.depth >= MAX_DEPTH;
        self.arrays = self.arrays << 1 | u128::from(is_array);
        self.depth += 1;
    }

    /// Takes a closing bracket. Returns false if it closes nothing, or a bracket of the other kind.
    pub fn close(&mut self, is_array: bool) -> bool {
        let fits = self.depth > 0 && (self.is_too_deep || self.is_in_array() == is_array);
        self.arrays >>= 1;
        self.depth = self.depth.saturating_sub(1);
        fits
    }

    /// The number of open brackets.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the innermost open bracket is that of an array.
    pub fn is_in_array(&self) -> bool {
        self.arrays & 1 == 1
    }

    /// Whether there were more than [`MAX_DEPTH`] levels: from then on, brackets are only counted.
    pub fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }
}
