//! Stretches of a CSV.
//!
//! A line break may stand in quotes, so where the first row of a stretch begins can only be guessed: behind the first line break
//! from which on several rows have as many cells as the header, each quote where it should be. A guess is all it has to be. The
//! check knows where rows begin, and takes no record of a digest anywhere else.

use std::ops::Range;
use std::rc::Rc;

use super::{Digest, Found, Stretch};
use crate::records::csv::clean::{self, Rare};
use crate::records::csv::header::Table;
use crate::records::lines::{is_blank, trim_line_end};
use crate::scan::buffer::Buffer;
use crate::scan::csv::{Boundary, Row, Texts};
use crate::session::Session;

/// Rows that have to be right behind a line break that is taken for the end of one.
const RIGHT_ROWS: usize = 8;

/// The most line breaks that are tried in one go.
const MOST_TRIED: usize = 256;

/// Bytes in which a row should begin and end. Where none does, they are written down as they are.
const MOST_HELD: usize = 1 << 20;

/// Digests rows, behind the header.
#[derive(Debug)]
pub(super) struct Rows {
    table: Rc<Table>,
    row: Row,
}

impl Rows {
    /// For rows of these columns.
    pub(super) fn new(table: Rc<Table>) -> Self {
        Self { table, row: Row::default() }
    }

    /// Digests the rows that are whole.
    pub(super) fn digest(&mut self, stretch: &mut Stretch, digest: &mut Digest) {
        if let Some(start) = if stretch.is_begun { Some(0) } else { self.guess(&stretch.buffer) } {
            digest.writer.raw(&stretch.buffer.held()[..start]);
            stretch.is_begun = true;
            self.digest_rows(start, stretch, digest);
        }
        // So much that no row will be found in it.
        if stretch.buffer.held().len() > MOST_HELD {
            stretch.end(digest);
        }
    }

    /// Digests the rows that are whole, from `start` on, where one begins.
    fn digest_rows(&mut self, mut start: usize, stretch: &mut Stretch, digest: &mut Digest) {
        let held = stretch.buffer.held();
        let rare = Rare::of(&held[start..memchr::memrchr(b'\n', held).map_or(start, |last| start.max(last))]);
        // Rows that are not clean, one after the other.
        let mut doubtful = start;
        while let Some((end, is_split)) = self.row_end(&stretch.buffer, start) {
            if is_split && !rare.is_bad && self.digest_row(doubtful, start..end, rare, stretch, digest) {
                doubtful = end + 1;
            }
            start = end + 1;
        }
        digest.writer.raw(&stretch.buffer.held()[doubtful..start]);
        stretch.buffer.consume(start);
    }

    /// The place where a row seems to begin.
    fn guess(&mut self, buffer: &Buffer) -> Option<usize> {
        let ends = memchr::memchr_iter(b'\n', buffer.held()).take(MOST_TRIED);
        let Self { row, table } = self;
        let mut begins = ends.map(|newline| newline + 1);
        begins.find(|&begins| {
            let (mut at, mut right) = (begins, 0);
            // Blank lines say nothing.
            for _ in 0..4 * RIGHT_ROWS {
                let Some(end) = clean::find(row, buffer, at, table.delimiter) else { return false };
                let is_blank = end == at;
                if !is_blank && row.cells.len() != table.columns.len() {
                    return false;
                }
                right += usize::from(!is_blank);
                at = end + 1;
                if right == RIGHT_ROWS {
                    return true;
                }
            }
            false
        })
    }

    /// The line break that ends the row at `start`, and whether its cells were found.
    fn row_end(&mut self, buffer: &Buffer, start: usize) -> Option<(usize, bool)> {
        let delimiter = self.table.delimiter;
        if let Some(end) = clean::find(&mut self.row, buffer, start, delimiter) {
            return Some((end, true));
        }
        let end = Boundary::default().find(&buffer.held()[start..], delimiter)?;
        Some((start + end, false))
    }

    /// Digests the row at hand, and what stands in front of it from `doubtful` on, when there is nothing to say of it by
    /// itself.
    fn digest_row(
        &mut self,
        doubtful: usize,
        row: Range<usize>,
        rare: Rare,
        stretch: &mut Stretch,
        digest: &mut Digest,
    ) -> bool {
        let Range { start, end } = row;
        let Stretch { checker, buffer, .. } = stretch;
        let content = trim_line_end(&buffer.held()[start..end]);
        if is_blank(content) {
            return false;
        }
        let content = start..start + content.len();
        let Session { scratch, rules, .. } = checker.session_mut();
        let captures = &mut scratch.captures;
        let texts = clean::texts(&mut self.row, buffer, &content, rare.has_returns, &self.table, captures);
        let Some(Texts { bytes, like_a_formula: false }) = texts else { return false };
        let (strings, breaks) = (&scratch.captures, &self.row.breaks);
        let found = Found { bytes, start: 0, strings, length: end + 1 - start, breaks };
        digest.record(&found, &mut **rules, &bytes[doubtful..start])
    }
}
