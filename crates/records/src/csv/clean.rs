//! What the fast tier asks of rows.

use std::ops::Range;

use super::header::Table;
use evalcheck_json::buffer::Buffer;
use evalcheck_json::csv::{Row, Texts};
use evalcheck_json::scan::{BOM, PADDING};

/// What bytes hold that keeps rows from the fast tier, found by a look at many rows at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rare {
    /// A NUL, or something that is not UTF-8.
    pub(crate) is_bad: bool,
    /// A carriage return.
    pub(crate) has_returns: bool,
}

impl Rare {
    /// Looks at whole rows.
    pub(crate) fn of(rows: &[u8]) -> Self {
        let has_some = memchr::memchr2(0, b'\r', rows).is_some();
        Self {
            is_bad: simdutf8::basic::from_utf8(rows).is_err()
                || (has_some && memchr::memchr(0, rows).is_some()),
            has_returns: has_some && memchr::memchr(b'\r', rows).is_some(),
        }
    }
}

/// The line break that ends the row at `start`, when it is whole and one pass is enough to find its cells.
#[inline]
pub(crate) fn find(row: &mut Row, buffer: &Buffer, start: usize, delimiter: u8) -> Option<usize> {
    let held = buffer.held().len();
    // What stands in the memory behind the held bytes is no row.
    row.find(&buffer.with_padding()[..held + PADDING], start, delimiter).filter(|end| *end < held)
}

/// The texts of a row whose cells were found, as [`Row::texts`] gives them; `content` is the row without its line break.
#[inline]
pub(crate) fn texts<'b>(
    row: &mut Row,
    buffer: &'b mut Buffer,
    content: &Range<usize>,
    has_returns: bool,
    table: &Table,
    captures: &mut Vec<(u8, Range<usize>)>,
) -> Option<Texts<'b>> {
    let bytes = &buffer.held()[content.clone()];
    if bytes.starts_with(BOM) || (has_returns && memchr::memchr(b'\r', bytes).is_some()) {
        return None;
    }
    let (bytes, spare) = buffer.with_spare(row.spare());
    row.texts(bytes, content.start, spare, &table.wanted, captures)
}
