//! The end of what was read.

use std::num::NonZeroUsize;

/// The offset of the byte after what was read, or `None` when the record is doubtful. Nothing ends at offset 0, so both
/// fit into one register.
pub(super) type End = Option<NonZeroUsize>;

/// What was read ends before `at`.
#[inline]
pub(super) fn end_at(at: usize) -> End {
    NonZeroUsize::new(at)
}
