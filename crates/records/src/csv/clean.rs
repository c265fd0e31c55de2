//! The fast tier for rows.

use std::ops::Range;

use super::table::Table;
use evalcheck_json::buffer::Buffer;
use evalcheck_json::csv::{Row, Texts};
use evalcheck_json::scan::{BOM, PADDING};

/// Bytes that exclude rows from the fast tier, found by searching many rows at once. Offsets count in the dataset.
#[derive(Debug, Default)]
pub(super) struct Suspect {
    /// The offset up to which the bytes were searched.
    seen: u64,
    /// Rows that begin before this offset may contain a NUL or bytes that are not UTF-8.
    bad_until: u64,
    /// Rows that begin before this offset may contain a carriage return.
    returns_until: u64,
}

impl Suspect {
    /// No such bytes, for a reader that begins at an offset.
    pub(super) fn from(offset: u64) -> Self {
        Self { seen: offset, ..Self::default() }
    }

    /// Searches the new bytes up to the last line break. `held` begins at `offset`.
    pub(super) fn inspect(&mut self, held: &[u8], offset: u64) {
        let from = usize::try_from(self.seen.saturating_sub(offset)).unwrap_or(usize::MAX);
        let Some(fresh) = held.get(from..) else { return };
        let Some(last) = memchr::memrchr(b'\n', fresh) else { return };
        let rows = &fresh[..=last];
        self.seen = offset + (from + rows.len()) as u64;
        if simdutf8::basic::from_utf8(rows).is_err() || memchr::memchr(0, rows).is_some() {
            self.bad_until = self.seen;
        }
        if memchr::memchr(b'\r', rows).is_some() {
            self.returns_until = self.seen;
        }
    }

    /// Whether a row at this offset may contain a NUL or bytes that are not UTF-8.
    pub(super) fn is_bad(&self, offset: u64) -> bool {
        offset < self.bad_until
    }

    /// Whether a row at this offset may contain a carriage return.
    pub(super) fn has_returns(&self, offset: u64) -> bool {
        offset < self.returns_until
    }
}

/// The offset of the line break that ends the row at `start`, if the row is complete and one pass finds its cells.
#[inline]
pub(super) fn find(row: &mut Row, buffer: &Buffer, start: usize, delimiter: u8) -> Option<usize> {
    let held = buffer.held().len();
    // The memory after the held bytes is not part of the dataset.
    row.find(&buffer.with_padding()[..held + PADDING], start, delimiter).filter(|end| *end < held)
}

/// The texts of a row whose cells were found, as from [`Row::texts`]. `content` is the row without its line break.
#[inline]
pub(super) fn texts<'b>(
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
