//! CSV: each row is a record, under a header.
//!
//! No library splits the bytes into rows and cells, because none gives the positions of cells, which findings need, and
//! none is as fast. Memory is bounded by the longest row that is read ([`MAX_RECORD`]).

mod carriage_returns;
mod clean;
mod columns;
mod fix;
mod formulas;
mod header;
pub mod problem;
pub mod row;
mod separator;
mod table;

use std::ops::Range;
use std::rc::Rc;

use clean::Suspect;
use formulas::Formulas;

pub use columns::{Column, Columns};
pub use table::{Present, Table};

use crate::jsonl::{line_break, trim_line_end};
use crate::reader::byte_order_mark;
use crate::record_index::Mark;
use crate::{Event, MAX_RECORD, Part, Positions, Reader, RecordProblem, RecordRead, ScannedRecord, Visit};
use evalcheck_core::finding::{Finding, Location};
use evalcheck_json::buffer::Buffer;
use evalcheck_json::csv::{Boundary, Row, Texts, split};
use evalcheck_json::diagnose::{RecordFindings, RecordStart, RecordText};
use evalcheck_json::scan::BOM;
use evalcheck_json::schema::Schema;
use evalcheck_wire::report::{Edit, Fix};
use problem::Csv;

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
    /// Byte of the dataset at which the buffer begins.
    offset: u64,
    /// The line at which the next row begins, from 1.
    line: u64,
    boundary: Boundary,
    delimiter: u8,
    /// The cells of the current row.
    row: Row,
    suspect: Suspect,
    formulas: Formulas,
    /// The rest of a row that is too long is being discarded.
    skipping: bool,
    /// The header could not be read. No finding then says that the dataset has no record.
    lost: bool,
    /// The number of the first row that is read.
    first_record: u64,
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
        let left = self.buffer.held().len();
        if left > 0 && !self.skipping {
            self.buffer.space(1)[0] = b'\n';
            self.buffer.advance(1);
            self.rows();
            let held = self.buffer.held().len();
            if held > 0 && !self.skipping {
                // A quoted cell is still open, and the last byte is the line break that was added.
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
        if let Some(finding) = std::mem::take(&mut self.formulas).into_finding() {
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
            formulas: Formulas::default(),
            skipping: false,
            lost: false,
            first_record: 0,
        }
    }

    /// A reader that begins at a row, under a header that was read before.
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

    /// Checks the row from `start` to the line break at `end` of the buffer. With `is_split`, its cells and line breaks are
    /// known; otherwise only its boundary.
    fn row(&mut self, start: usize, end: usize, is_split: bool) {
        let at = self.offset + start as u64;
        self.positions.lines.note(self.line, at);
        let line = self.line;
        if is_split {
            for &newline in &self.row.breaks {
                self.line += 1;
                self.positions.lines.note(self.line, at + newline as u64 + 1);
            }
        } else if self.boundary.has_quotes() {
            self.note_lines(start, end);
        }
        self.line += 1;
        let mut content = start..start + trim_line_end(&self.buffer.held()[start..end]).len();
        if at == 0 && self.buffer.held()[content.clone()].starts_with(BOM) {
            content.start += BOM.len();
            let mark = byte_order_mark(&self.visitor);
            self.visitor.report(mark);
        }
        if self.visitor.texts().lines.is_blank(&self.buffer.held()[content.clone()]) {
            self.blank(&content, line);
            return;
        }
        let record_start = RecordStart {
            offset: self.offset + content.start as u64,
            line,
            column: 1,
            record: self.record_number(),
        };
        let Some(table) = self.table.clone() else {
            return self.header(content, record_start);
        };
        self.positions.records.note(record_start, 0, record_start.record);
        if self.clean_row(&content, record_start, &table, is_split) {
            self.visitor.collector_mut().valid += 1;
        } else {
            self.doubtful_row(content.clone(), record_start);
        }
        self.visitor.observe(Event::Read(RecordRead {
            line_break: line_break(&self.buffer.held()[content.end..]),
            bytes: &self.buffer.held()[content],
            mark: Mark { record_start, list: 0, index: record_start.record },
            last_line: self.line - 1,
            is_partial: false,
        }));
    }

    /// Counts a blank line, and reports it if the system does not skip it.
    fn blank(&mut self, content: &Range<usize>, line: u64) {
        self.visitor.collector_mut().blank += 1;
        let problem = match &self.table {
            _ if !self.columns.white_space_is_a_row => return,
            None if line == 1 => Csv::BlankHeader,
            Some(_) if !content.is_empty() => Csv::WhiteSpaceRow,
            _ => return,
        };
        let start = self.offset + content.start as u64;
        // For an empty line, the span is its line break.
        let bytes = Some(start..start + content.len().max(1) as u64);
        let edits = vec![Edit { start, end: start + content.len().max(1) as u64, text: String::new() }];
        let fix = Fix::safe("Delete what is on the blank line", edits);
        let location = Location { line: Some(line), column: Some(1), bytes, ..Location::default() };
        self.visitor.report(Finding::new(problem, location).with_fix(Some(fix)));
    }

    /// The first row that is not blank.
    fn header(&mut self, content: Range<usize>, record_start: RecordStart) {
        self.visitor.collector_mut().header += 1;
        let bytes = &self.buffer.held()[content];
        // A table without columns finds the mistakes that any row can have.
        let no_columns = Table::of_no_columns();
        let mut found = RecordFindings::default();
        row::read(bytes, &no_columns, record_start.line, &mut found);
        let problems = || found.iter().filter_map(|found| found.problem.downcast_ref());
        let is_unterminated = problems().any(|problem| matches!(problem, Csv::UnterminatedQuote { .. }));
        self.lost = is_unterminated || problems().any(|problem| matches!(problem, Csv::CarriageReturn));
        let mut table = no_columns;
        let mut of_columns = Vec::new();
        if !is_unterminated {
            let header = header::read(bytes, record_start, self.columns, self.schema, &mut found);
            of_columns = self.visitor.check(Part::Columns(&header.value), bytes, record_start).findings;
            table = header.table;
            table.header_line = record_start.line;
            // Only a byte order mark can be before the header on its line.
            table.has_mark = record_start.line == 1 && record_start.offset > 0;
        }
        for found in found.iter_mut() {
            if let Some(Csv::CarriageReturn) = found.problem.downcast_ref() {
                let ends_rows = carriage_returns::ends_rows(bytes, table.delimiter);
                found.fix = Some(Box::new(fix::carriage_returns(table.delimiter, ends_rows)));
            }
        }
        self.delimiter = table.delimiter;
        let mut findings = found.locate(&RecordText::new(bytes, record_start));
        findings.append(&mut of_columns);
        for finding in &mut findings {
            finding.location.record = None;
        }
        for finding in findings {
            self.visitor.report(finding);
        }
        self.table = Some(Rc::new(table));
    }

    /// True when the fast tier finds the row clean.
    #[inline]
    fn clean_row(
        &mut self,
        content: &Range<usize>,
        record_start: RecordStart,
        table: &Table,
        is_split: bool,
    ) -> bool {
        if self.suspect.is_bad(record_start.offset) || content.len() > self.columns.longest_cell {
            return false;
        }
        let bytes = &self.buffer.held()[content.clone()];
        let has_quotes = self.boundary.has_quotes();
        if !is_split && split(bytes, self.delimiter, has_quotes, &mut self.row.cells).is_some() {
            return false;
        }
        let has_returns = self.suspect.has_returns(record_start.offset);
        let Self { row, buffer, captures, .. } = self;
        let texts = clean::texts(row, buffer, content, has_returns, table, captures);
        let Some(Texts { bytes, like_a_formula }) = texts else { return false };
        let captures = Some(&*self.captures);
        if !self.visitor.accept(&ScannedRecord { bytes, start: 0, captures, at: record_start, list: 0 }) {
            return false;
        }
        if like_a_formula {
            let row = &self.buffer.held()[content.clone()];
            self.formulas.note(row, &self.row.cells, table, record_start);
        }
        true
    }

    #[cold]
    fn doubtful_row(&mut self, content: Range<usize>, record_start: RecordStart) {
        let Some(table) = self.table.clone() else { return };
        let bytes = &self.buffer.held()[content.clone()];
        if table.names_nothing()
            && table.header_below.get().is_none()
            && let Some(cells) = self.columns.cells_of_header(bytes, self.delimiter)
        {
            table.header_below.get_or_init(|| cells);
        }
        let findings = self.visitor.check(Part::Row(&table), bytes, record_start).findings;
        split(bytes, self.delimiter, true, &mut self.row.cells);
        self.visitor.count_record(findings);
        if self.row.cells.len() == table.columns.len() {
            let row = &self.buffer.held()[content];
            self.formulas.note(row, &self.row.cells, &table, record_start);
        }
    }

    /// Reports the row at the start of the buffer as too long. Its bytes are discarded as they arrive.
    #[cold]
    fn too_long(&mut self) {
        self.positions.lines.note(self.line, self.offset);
        let record = self.record_number();
        let record_start = RecordStart { offset: self.offset, line: self.line, column: 1, record };
        let row = &self.buffer.held()[..=MAX_RECORD];
        let text = RecordText::new(row, record_start);
        let found = if let Some(open) = self.boundary.open_quote() {
            let lines = memchr::memchr_iter(b'\n', row).count();
            let until =
                format!("is not closed within {MAX_RECORD} bytes and {lines} lines; the row was not checked");
            Finding::new(Csv::UnterminatedQuote { until, closed: None }, text.locate(open..open + 1, None))
        } else {
            let problem = RecordProblem::TooLong { limit: MAX_RECORD as u64 };
            Finding::new(problem, text.locate(0..row.len(), None))
        };
        self.visitor.count_record(vec![found]);
        if self.table.is_none() {
            // The row would have been the header.
            self.lost = true;
            self.table = Some(Rc::new(Table::of_no_columns()));
        }
        self.skipping = true;
    }
}
