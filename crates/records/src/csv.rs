//! CSV: each row is a record, under a header.
//!
//! No library splits the bytes into rows and cells, because none gives the positions of cells, which findings need, and
//! none is as fast. Memory is bounded by the longest row that is read ([`MAX_RECORD`]).

mod carriage_returns;
mod clean;
mod columns;
mod fix;
mod header;
mod names;
pub(crate) mod other_quotes;
pub mod problem;
mod profile;
mod readings;
pub mod row;
mod rows;
pub mod separator;
mod spreadsheet;
pub(crate) mod table;

use std::ops::Range;
use std::rc::Rc;

use clean::Suspect;
use profile::SAMPLE;
use spreadsheet::Traces;

pub use columns::{Column, Columns, CsvLines, OneOf};
pub use fix::written;
pub use table::{Present, Table};

use crate::record_index::Mark;
use crate::{Event, MAX_RECORD, Positions, Reader, Visit};
use evalcheck_json::buffer::Buffer;
use evalcheck_json::csv::{Boundary, Row};
use evalcheck_json::schema::Schema;

/// Reads the rows of one dataset as its bytes arrive.
#[derive(Debug)]
pub struct CsvReader<V> {
    visitor: V,
    positions: Positions,
    /// The header, once it was read.
    table: Option<Rc<Table>>,
    /// Captured cells of the current row.
    captures: Vec<(u8, Range<usize>)>,
    columns: &'static Columns,
    schema: &'static Schema,
    buffer: Buffer,
    /// The offset of the buffer in the dataset.
    offset: u64,
    /// The line at which the next row begins, from 1.
    line: u64,
    boundary: Boundary,
    delimiter: u8,
    /// The cells of the current row.
    row: Row,
    suspect: Suspect,
    traces: Traces,
    /// The number of bytes of rows that the header waits for, to take a sample of them.
    awaited: usize,
    /// Whether the rest of a row that is too long is being discarded.
    skipping: bool,
    /// Whether the line before the header is Excel's hint of the separator.
    has_hint: bool,
    ends: Ends,
    /// Whether the header could not be read. No finding then says that the dataset has no record.
    lost: bool,
    /// The number of the first row that is read.
    first_record: u64,
}

/// The line ends of rows.
#[derive(Debug, Default)]
struct Ends {
    /// Whether the header has a carriage return before its line feed; `None` if that does not matter, or it was not read here.
    of_header: Option<bool>,
    /// Whether the line feed of the last row is added: the file has none.
    is_added: bool,
}

impl<V: Visit> Reader<V> for CsvReader<V> {
    fn buffer(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    fn commit(&mut self, n: usize) {
        self.buffer.advance(n);
        self.rows();
    }

    fn finish(&mut self) {
        // The table may be smaller than the sample.
        self.awaited = 0;
        self.rows();
        let left = self.buffer.held().len();
        if left > 0 && !self.skipping {
            self.buffer.space(1)[0] = b'\n';
            self.buffer.advance(1);
            self.ends.is_added = true;
            self.rows();
            let held = self.buffer.held().len();
            if held > 0 && !self.skipping {
                // A quoted cell is still open, and the last byte is the added line break.
                let row = &self.buffer.held()[..held - 1];
                let end = row.strip_suffix(b"\n").unwrap_or(row).len();
                self.row(0, end, false);
                self.consume(held);
            }
        }
        if self.skipping {
            self.skipping = false;
            self.line += u64::from(self.boundary.last_byte() != Some(b'\n'));
        }
        self.positions.text_lines = self.line - 1;
        for finding in std::mem::take(&mut self.traces).into_findings() {
            self.visitor.report(finding);
        }
        self.visitor.observe(Event::End { is_empty: self.offset == 0, is_lost: self.lost });
    }

    fn stop(&mut self) {
        self.buffer = Buffer::default();
    }

    fn positions(&self) -> &Positions {
        &self.positions
    }

    fn table(&self) -> Option<&Rc<Table>> {
        self.table.as_ref()
    }

    fn visitor(&self) -> &V {
        &self.visitor
    }

    fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    fn into_visitor(self: Box<Self>) -> V {
        self.visitor
    }
}

impl<V: Visit> CsvReader<V> {
    /// A reader for a dataset of rows.
    pub fn new(visitor: V, columns: &'static Columns, schema: &'static Schema) -> Self {
        Self {
            visitor,
            schema,
            positions: Positions::default(),
            table: None,
            captures: Vec::new(),
            columns,
            buffer: Buffer::default(),
            offset: 0,
            line: 1,
            boundary: Boundary::default(),
            delimiter: b',',
            row: Row::default(),
            suspect: Suspect::default(),
            traces: Traces::default(),
            awaited: SAMPLE,
            skipping: false,
            has_hint: false,
            ends: Ends::default(),
            lost: false,
            first_record: 0,
        }
    }

    /// A reader that begins at a row, under a header that is already known.
    pub fn resume(
        visitor: V,
        columns: &'static Columns,
        schema: &'static Schema,
        table: Option<Rc<Table>>,
        mark: Mark,
    ) -> Self {
        let mut reader = Self::new(visitor, columns, schema);
        if let Some(table) = &table {
            reader.delimiter = table.delimiter;
        }
        reader.table = table;
        reader.offset = mark.record_start.offset;
        reader.suspect = Suspect::from(mark.record_start.offset);
        reader.line = mark.record_start.line;
        reader.first_record = mark.record_start.record;
        reader
    }

    /// The number of the current record.
    fn record_number(&self) -> u64 {
        self.first_record + self.visitor.collector().records()
    }

    fn consume(&mut self, n: usize) {
        self.buffer.consume(n);
        self.offset += n as u64;
    }

    /// Checks the complete rows.
    fn rows(&mut self) {
        self.suspect.inspect(self.buffer.held(), self.offset);
        let mut start = 0;
        loop {
            let held = self.buffer.held();
            let rest = &held[start..];
            let most = if self.skipping { rest.len() } else { rest.len().min(MAX_RECORD + 1) };
            if self.offset == 0 && start == 0 && !self.skipping {
                self.boundary.skip_byte_order_mark(rest);
            }
            if let Some(end) = self.whole_row(start) {
                start = end + 1;
                continue;
            }
            let rest = &self.buffer.held()[start..];
            let Some(end) = self.boundary.find(&rest[..most], self.delimiter) else {
                self.consume(start);
                if self.skipping {
                    let gone = self.boundary.forget();
                    self.skip(gone);
                } else if most > MAX_RECORD {
                    self.too_long();
                    start = 0;
                    continue;
                }
                break;
            };
            let end = start + end;
            if self.table.is_none() && !self.skipping && self.buffer.held().len() - end <= self.awaited {
                // The sample of the rows below the header has not arrived.
                self.consume(start);
                break;
            }
            if self.skipping {
                self.skipping = false;
                self.note_lines(start, end);
                self.line += 1;
            } else {
                self.row(start, end, false);
            }
            self.boundary = Boundary::default();
            start = end + 1;
        }
        self.positions.text_lines = self.line - 1;
    }

    /// Checks the row at `start` of the buffer if it is complete and one pass finds its cells. Returns the offset of its line
    /// break.
    #[inline]
    fn whole_row(&mut self, start: usize) -> Option<usize> {
        if self.skipping || !self.boundary.is_fresh() || self.table.is_none() {
            return None;
        }
        let end = clean::find(&mut self.row, &self.buffer, start, self.delimiter)?;
        self.row(start, end, true);
        Some(end)
    }

    /// Discards the beginning of a row that is too long.
    fn skip(&mut self, gone: usize) {
        self.note_lines(0, gone);
        self.consume(gone);
    }

    /// Counts the line breaks of a range of the buffer, and notes the lines that begin after them.
    fn note_lines(&mut self, start: usize, end: usize) {
        for newline in memchr::memchr_iter(b'\n', &self.buffer.held()[start..end]) {
            self.line += 1;
            self.positions.lines.note(self.line, self.offset + (start + newline + 1) as u64);
        }
    }
}
