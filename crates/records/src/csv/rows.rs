//! Decides what a row is: the header, a record, or a blank line.

use std::ops::Range;
use std::rc::Rc;

use super::columns::CsvLines;
use super::other_quotes::{self, OtherQuotes};
use super::problem::Csv;
use super::profile::Sample;
use super::separator::SEPARATORS;
use super::spreadsheet::LONGEST_CELL;
use super::table::Table;
use super::{CsvReader, carriage_returns, clean, fix, header, row, separator};
use crate::line_end::{line_break, trim_line_end};
use crate::reader::byte_order_mark;
use crate::record_index::Mark;
use crate::{CountedRecord, MAX_RECORD, Part, RecordProblem, ScannedRecord, ScannedRow, Visit};
use evalcheck_core::finding::{Finding, Location};
use evalcheck_diagnose::{RecordFinding, RecordFindings, RecordFix, RecordStart, RecordText};
use evalcheck_json::csv::{Texts, split};
use evalcheck_json::scan::{BOM, FileKind, LineReader};
use evalcheck_report::{Conversion, Edit, Fix};

/// The maximum number of cells of a row that is read: the profile of a column takes about a kilobyte.
const MAX_CELLS: usize = 1 << 16;

impl<V: Visit> CsvReader<V> {
    /// Checks the row from `start` to the line break at `end` of the buffer. With `is_split`, its cells and line breaks are
    /// known; otherwise only its boundary.
    pub(super) fn row(&mut self, start: usize, end: usize, is_split: bool) {
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
            let mark = byte_order_mark(self.visitor.texts(), FileKind::Table);
            self.visitor.report(mark);
        }
        // Above the header it is reported, and the line after it is read as the header. What the system does with lines of JSONL says nothing of
        // rows.
        let is_skipped = self.columns.lines != CsvLines::Rows || self.table.is_none();
        if is_skipped && LineReader::Plain.is_blank(&self.buffer.held()[content.clone()]) {
            self.blank(&content, line);
            return;
        }
        let record_start = RecordStart {
            offset: self.offset + content.start as u64,
            line,
            column: 1,
            record: self.record_number(),
        };
        if self.has_many_cells(&content) {
            return self.many_cells(&content, record_start);
        }
        let has_return = content.end < end;
        let Some(table) = self.table.clone() else {
            self.ends.of_header = Some(has_return).filter(|_| self.columns.lines == CsvLines::Rows);
            return self.header(content, record_start);
        };
        self.positions.records.note(Mark::new(record_start));
        let ends_otherwise = self.ends_otherwise(has_return);
        if ends_otherwise.is_none() && self.clean_row(&content, record_start, &table, is_split) {
            self.visitor.collector_mut().valid += 1;
        } else {
            self.doubtful_row(content, record_start, ends_otherwise);
        }
    }

    /// The line ends of a row and of the header, if they differ. `has_return`: the row ends with a carriage return.
    fn ends_otherwise(&self, has_return: bool) -> Option<LineEnds> {
        let of_header = if self.ends.of_header? { "CRLF" } else { "LF" };
        let own = match has_return {
            true if self.ends.is_added => "CR",
            false if self.ends.is_added => return None,
            true => "CRLF",
            false => "LF",
        };
        (own != of_header).then_some((own, of_header))
    }

    /// Whether a row has more than [`MAX_CELLS`] cells.
    fn has_many_cells(&self, content: &Range<usize>) -> bool {
        if content.len() < MAX_CELLS {
            return false;
        }
        let row = &self.buffer.held()[content.clone()];
        let has_many = |delimiter: u8| {
            let mut cells = Vec::new();
            memchr::memchr_iter(delimiter, row).nth(MAX_CELLS - 1).is_some() && {
                split(row, delimiter, true, &mut cells);
                cells.len() > MAX_CELLS
            }
        };
        match &self.table {
            Some(table) => has_many(table.delimiter),
            None => SEPARATORS.into_iter().any(|(delimiter, _)| has_many(delimiter)),
        }
    }

    #[cold]
    fn many_cells(&mut self, content: &Range<usize>, record_start: RecordStart) {
        let row = &self.buffer.held()[content.clone()];
        let location = RecordText::new(row, record_start).locate(0..1, None);
        let finding = Finding::new(Csv::ManyCells { limit: MAX_CELLS }, location);
        self.count_unread(record_start, finding);
    }

    /// Counts a row that is not read.
    fn count_unread(&mut self, record_start: RecordStart, finding: Finding) {
        self.visitor.count_record(&CountedRecord::unread(record_start), vec![finding]);
        if self.table.is_none() {
            // The row would have been the header.
            self.lost = true;
            self.table = Some(Rc::new(Table::of_no_columns(b',')));
        }
    }

    /// Counts a blank line, and reports it if the system does not skip it.
    fn blank(&mut self, content: &Range<usize>, line: u64) {
        self.visitor.collector_mut().blank += 1;
        let problem = match &self.table {
            _ if self.columns.lines == CsvLines::Skipped => return,
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
        let line_break = line_break(&self.buffer.held()[content.end..]);
        if separator::is_hint(&self.buffer.held()[content.clone()]) && !self.has_hint {
            return self.separator_hint(&content, record_start);
        }
        let below = &self.buffer.held()[content.end + line_break..];
        let sample = Sample::new(below, self.line, self.awaited == 0);
        let bytes = &self.buffer.held()[content];
        // A table without columns finds the mistakes that any row can have.
        let (delimiter, _) = header::delimiter(bytes, self.columns);
        let no_columns = Table::of_no_columns(delimiter);
        let mut found = RecordFindings::default();
        row::read(bytes, &no_columns, record_start.line, &mut found);
        let problems = || found.iter().filter_map(|found| found.problem.downcast_ref());
        let is_unterminated = problems().any(|problem| matches!(problem, Csv::UnterminatedQuote { .. }));
        self.lost = is_unterminated || problems().any(|problem| matches!(problem, Csv::CarriageReturn));
        let mut table = no_columns;
        let mut of_columns = Vec::new();
        if !is_unterminated {
            let header =
                header::read(bytes, record_start, self.columns, self.schema, sample, line_break, &mut found);
            of_columns = self.visitor.check(Part::Columns(&header.value), bytes, record_start).findings;
            // The finding of the hint covers the separator.
            let separator = header.separator.filter(|_| !self.has_hint);
            if let Some(name) = separator {
                found.push(header::separator(
                    bytes,
                    header.table.delimiter,
                    name,
                    !self.columns.takes_others,
                ));
            }
            table = header.table;
            table.header_line = record_start.line;
            // The name of a single column may also be a text.
            if table.columns.len() > 1 && !table.names_nothing() {
                table.expect_other_headers(self.columns.columns);
            }
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
        if table.names_nothing()
            && let Some((_, _, cells)) =
                table.sample.get().and_then(|sample| sample.names(self.columns, table.delimiter))
        {
            table.header_below.get_or_init(|| cells);
        }
        let quotes = other_quotes::find(bytes, &table);
        let _ = table.other_quotes.set(quotes.as_ref().map(|quotes| quotes.pair));
        if let Some(OtherQuotes { pair: [open, close], is_certain }) = quotes {
            let conversion = Conversion::StraightQuotes { open, close };
            let fix = if is_certain {
                RecordFix::safe("Put the cells in straight double quotes")
            } else {
                RecordFix::not_safe(
                    "Put the cells in straight double quotes, which guesses that the others are no text",
                )
            };
            let fix = (table.delimiter == b',').then(|| fix.convert(conversion));
            let problem = Csv::OtherQuotes { open, close };
            found.push(RecordFinding::new(problem, 0..bytes.len(), None).with_fix(fix));
        }
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

    /// Reports Excel's hint of the separator. The row after it is then read as the header.
    fn separator_hint(&mut self, content: &Range<usize>, record_start: RecordStart) {
        self.has_hint = true;
        let bytes = &self.buffer.held()[content.clone()];
        let line_break = line_break(&self.buffer.held()[content.end..]);
        let fix = RecordFix::safe("Delete the line").replace(0..bytes.len() + line_break, "");
        let advice = if memchr::memchr(b',', bytes).is_some() {
            "Delete the line: only Excel understands it."
        } else {
            "Delete the line, which only Excel understands, and then write commas between the columns."
        };
        let problem = Csv::SeparatorHint { advice };
        let mut found = RecordFindings::default();
        found.push(RecordFinding::new(problem, 0..bytes.len(), None).with_fix(Some(fix)));
        for mut finding in found.locate(&RecordText::new(bytes, record_start)) {
            finding.location.record = None;
            self.visitor.report(finding);
        }
    }

    /// Whether the fast tier finds the row clean.
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
        if table.may_repeat_header(bytes) {
            return false;
        }
        let has_quotes = self.boundary.has_quotes();
        if !is_split && split(bytes, self.delimiter, has_quotes, &mut self.row.cells).is_some() {
            return false;
        }
        let has_returns = self.suspect.has_returns(record_start.offset);
        let Self { row, buffer, captures, .. } = self;
        let texts = clean::texts(row, buffer, content, has_returns, table, captures);
        let Some(Texts { bytes, like_of_spreadsheet }) = texts else { return false };
        let captures = Some(&*self.captures);
        let text = &bytes[content.clone()];
        let row = Some(ScannedRow { cells: &self.row.cells, table });
        let (at, index) = (record_start, record_start.record);
        let scanned = ScannedRecord { bytes, start: 0, text, captures, row, at, list: 0, index };
        if !self.visitor.accept(&scanned) {
            return false;
        }
        let row = &self.buffer.held()[content.clone()];
        if like_of_spreadsheet || content.len() >= LONGEST_CELL {
            self.traces.note(row, &self.row.cells, table, record_start);
        }
        self.traces.note_ids(row, &self.row.cells, table, record_start);
        true
    }

    #[cold]
    fn doubtful_row(
        &mut self,
        content: Range<usize>,
        record_start: RecordStart,
        ends_otherwise: Option<LineEnds>,
    ) {
        let Some(table) = self.table.clone() else { return };
        if record_start.record == 0 {
            let _ = table.first_row.set(record_start.line);
        }
        let bytes = &self.buffer.held()[content.clone()];
        if table.names_nothing()
            && table.header_below.get().is_none()
            && let Some(cells) = self.columns.cells_of_header(bytes, self.delimiter)
        {
            table.header_below.get_or_init(|| cells);
        }
        let mut findings = self.visitor.check(Part::Row(&table), bytes, record_start).findings;
        let length = bytes.len() + line_break(&self.buffer.held()[content.end..]);
        let range = record_start.offset..record_start.offset + length as u64;
        let is_blank = self.columns.lines == CsvLines::Rows && bytes.trim_ascii().is_empty();
        let is_ragged =
            |found: &&mut Finding| matches!(found.problem.downcast_ref(), Some(Csv::RaggedRow { .. }));
        if is_blank && let Some(finding) = findings.iter_mut().find(is_ragged) {
            // An empty line has no other byte than its line break.
            let edit = Edit { start: range.start, end: range.end, text: String::new() };
            finding.fix = Some(Box::new(Fix::safe("Delete the blank line", vec![edit])));
            finding.location.column = Some(1);
            finding.location.bytes = Some(range.clone());
        }
        if let Some(ends) = ends_otherwise {
            findings.push(line_end(bytes, record_start, ends));
        }
        split(bytes, self.delimiter, true, &mut self.row.cells);
        let last_line = self.line - 1;
        let line = CountedRecord::line(bytes, record_start, range);
        let record = CountedRecord { last_line, table: Some(&table), ..line };
        self.visitor.count_record(&record, findings);
        if self.row.cells.len() == table.columns.len() {
            let row = &self.buffer.held()[content];
            self.traces.note(row, &self.row.cells, &table, record_start);
            self.traces.note_ids(row, &self.row.cells, &table, record_start);
        }
    }

    /// Reports the row at the start of the buffer as too long. Its bytes are discarded as they arrive.
    #[cold]
    pub(super) fn too_long(&mut self) {
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
        self.count_unread(record_start, found);
        self.skipping = true;
    }
}

/// The names of the line ends of a row and of the header.
type LineEnds = (&'static str, &'static str);

/// The finding of a row that ends otherwise than the header.
fn line_end(row: &[u8], record_start: RecordStart, (own, header): LineEnds) -> Finding {
    let start = record_start.offset + row.len() as u64;
    let (end, text) = if own == "LF" { (start, "\r") } else { (start + 1, "") };
    let fix = Fix::safe("End the row as the header ends", vec![Edit { start, end, text: text.to_owned() }]);
    let location = RecordText::new(row, record_start).locate(row.len()..row.len(), None);
    let finding = Finding::new(Csv::LineEnd { own, header }, location).with_fix(Some(fix));
    // Its row alone does not show it.
    Finding { needs_dataset: true, ..finding }
}
