//! The end of a scanned part.

use std::num::NonZeroUsize;

/// The offset of the byte after the scanned part, or `None` if the record is doubtful. Nothing ends at offset 0, so both fit into one
/// register.
pub(super) type End = Option<NonZeroUsize>;

/// The scanned part ends before `at`.
#[inline]
pub(super) fn end_at(at: usize) -> End {
    NonZeroUsize::new(at)
}
