//! Stretches of a CSV.
//!
//! A line break may stand in quotes, so where the first row of a stretch begins can only be guessed: behind the first line break
//! from which on several rows have as many cells as the header, each quote where it should be. A guess is all it has to be. The
//! check knows where rows begin, and takes no record of a digest anywhere else.

use std::ops::Range;
use std::rc::Rc;

use super::{Digest, Found};
use crate::records::Records;
use crate::records::csv::header::Table;
use crate::records::lines::{is_blank, trim_line_end};
use crate::scan::buffer::Buffer;
use crate::scan::csv::{Boundary, Row, Texts};
use crate::scan::{BOM, PADDING};
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
    checker: Box<dyn Records>,
    table: Rc<Table>,
    buffer: Buffer,
    row: Row,
    /// The first row of the stretch was found.
    is_found: bool,
}

/// What some whole rows hold that keeps them from the fast tier.
#[derive(Clone, Copy)]
struct Suspect {
    is_bad: bool,
    has_returns: bool,
}

impl Rows {
    /// By the format, the rules and the columns of a check that has read the header.
    pub(super) fn new(checker: Box<dyn Records>) -> Option<Self> {
        let table = checker.session().table.clone()?;
        Some(Self { checker, table, buffer: Buffer::default(), row: Row::default(), is_found: false })
    }

    pub(super) fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    pub(super) fn advance(&mut self, n: usize, digest: &mut Digest) {
        self.buffer.advance(n);
        let mut start = 0;
        if !self.is_found {
            let Some(first) = self.guess() else { return self.give_up(digest) };
            start = first;
            digest.raw(&self.buffer.held()[..start]);
            self.is_found = true;
        }
        let suspect = self.inspect(start);
        // Rows that are not clean, one after the other.
        let mut doubtful = start;
        while let Some((end, is_split)) = self.row_end(start) {
            if is_split && !suspect.is_bad && self.digest_row(doubtful, start..end, suspect, digest) {
                doubtful = end + 1;
            }
            start = end + 1;
        }
        digest.raw(&self.buffer.held()[doubtful..start]);
        self.buffer.consume(start);
        self.give_up(digest);
    }

    pub(super) fn left(&self) -> usize {
        self.buffer.held().len()
    }

    pub(super) fn end_stretch(&mut self, digest: &mut Digest) {
        digest.raw(self.buffer.held());
        self.buffer.consume(self.buffer.held().len());
        self.is_found = false;
    }

    /// Writes down what is held as it is, when it is so much that no row will be found in it.
    fn give_up(&mut self, digest: &mut Digest) {
        if self.buffer.held().len() > MOST_HELD {
            self.end_stretch(digest);
        }
    }

    /// The place where a row seems to begin.
    fn guess(&mut self) -> Option<usize> {
        let ends = memchr::memchr_iter(b'\n', self.buffer.held()).take(MOST_TRIED);
        let row = &mut self.row;
        let (buffer, table) = (&self.buffer, &*self.table);
        let mut begins = ends.map(|newline| newline + 1);
        begins.find(|&begins| {
            let (mut at, mut right) = (begins, 0);
            // Blank lines say nothing.
            for _ in 0..4 * RIGHT_ROWS {
                let Some(end) = find(row, buffer, at, table.delimiter) else { return false };
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

    /// Looks at the bytes from a row on, up to the last line break, for what is rare.
    fn inspect(&self, start: usize) -> Suspect {
        let held = self.buffer.held();
        let whole = &held[start..memchr::memrchr(b'\n', held).map_or(start, |last| start.max(last))];
        Suspect {
            is_bad: simdutf8::basic::from_utf8(whole).is_err() || memchr::memchr(0, whole).is_some(),
            has_returns: memchr::memchr(b'\r', whole).is_some(),
        }
    }

    /// The line break that ends the row at `start`, and whether its cells were found.
    fn row_end(&mut self, start: usize) -> Option<(usize, bool)> {
        let delimiter = self.table.delimiter;
        if let Some(end) = find(&mut self.row, &self.buffer, start, delimiter) {
            return Some((end, true));
        }
        let end = Boundary::default().find(&self.buffer.held()[start..], delimiter)?;
        Some((start + end, false))
    }

    /// Digests the row at hand, and what stands in front of it from `doubtful` on, when there is nothing to say of it by
    /// itself.
    fn digest_row(
        &mut self,
        doubtful: usize,
        row: Range<usize>,
        suspect: Suspect,
        digest: &mut Digest,
    ) -> bool {
        let Range { start, end } = row;
        let content = trim_line_end(&self.buffer.held()[start..end]);
        if is_blank(content)
            || content.starts_with(BOM)
            || (suspect.has_returns && memchr::memchr(b'\r', content).is_some())
        {
            return false;
        }
        let Session { scratch, rules, .. } = self.checker.session_mut();
        let (bytes, spare) = self.buffer.with_spare(self.row.spare());
        let Table { wanted, filled, .. } = &*self.table;
        let texts = self.row.texts(bytes, start, spare, wanted, filled, &mut scratch.captures);
        let Some(Texts { bytes, like_a_formula: false }) = texts else { return false };
        let strings = &scratch.captures;
        let found = Found { bytes, start: 0, strings, length: end + 1 - start, breaks: &self.row.breaks };
        digest.record(&found, &mut **rules, &bytes[doubtful..start])
    }
}

/// The line break that ends the row at `start`, when its cells can be found in one pass.
fn find(row: &mut Row, buffer: &Buffer, start: usize, delimiter: u8) -> Option<usize> {
    let held = buffer.held().len();
    // What stands in the memory behind the held bytes is no row.
    row.find(&buffer.with_padding()[..held + PADDING], start, delimiter).filter(|end| *end < held)
}
