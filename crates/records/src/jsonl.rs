//! JSONL: each line is a record.

use std::ops::Range;

use crate::line_end::trim_line_end;
use crate::multiline::{Reason, Settled, Unfinished};
use crate::reader::byte_order_mark;
use crate::record_index::Mark;
use crate::{
    CountedRecord, Diagnosis, Event, Extent, KnownLines, MAX_RECORD, Part, Positions, Reader, RecordProblem,
    ScannedRecord, Visit,
};
use evalcheck_core::finding::{Finding, Location};
use evalcheck_diagnose::{PathBuilder, RecordStart};
use evalcheck_json::buffer::Buffer;
use evalcheck_json::scan::{BOM, FileKind};
use evalcheck_json::schema::Schema;
use evalcheck_report::{Edit, Fix};

/// Reads the lines of one dataset as its bytes arrive.
#[derive(Debug)]
pub struct JsonlReader<V> {
    visitor: V,
    /// The schema of a record.
    schema: &'static Schema,
    positions: Positions,
    buffer: Buffer,
    /// The offset of the buffer in the dataset.
    offset: u64,
    /// The line at which the buffer begins, from 1.
    line: u64,
    header: Option<Awaited>,
    /// Whether the rest of a line that is too long is being discarded.
    skipping: bool,
    /// A record that continues after its line.
    pending: Option<Unfinished>,
    /// The range of its lines so far.
    pending_lines: Range<u64>,
    /// The byte order mark before it.
    pending_mark: Option<Finding>,
    /// The number of the first record that is read.
    first_record: u64,
    /// Whether blank lines are before the place where reading began.
    began_after_blank: bool,
    /// The path of every record, which is empty.
    root: PathBuilder,
}

/// A header that has not arrived.
#[derive(Debug)]
struct Awaited {
    schema: &'static Schema,
    /// The finding of a blank line in its place, which is reported once.
    blank: Option<Finding>,
}

impl<V: Visit> Reader<V> for JsonlReader<V> {
    fn buffer(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    fn commit(&mut self, n: usize) {
        self.buffer.advance(n);
        let fresh = self.buffer.held().len() - n.min(self.buffer.held().len());
        let last = memchr::memrchr(b'\n', &self.buffer.held()[fresh..]).map(|location| fresh + location);
        if let Some(last) = last {
            self.lines(last);
        }
        if self.skipping {
            self.consume(self.buffer.held().len());
        } else if self.buffer.held().len() > MAX_RECORD {
            self.too_long();
        }
    }

    fn next_line(&self) -> Option<RecordStart> {
        // The first line is observed, and decides the header.
        let has_begun = self.line > 1 && self.header.is_none() && self.buffer.held().is_empty();
        (has_begun && !self.skipping && self.pending.is_none()).then(|| self.record_start(0))
    }

    fn skip(&mut self, lines: &KnownLines) {
        debug_assert_eq!(self.next_line().map(|next| next.offset), Some(lines.bytes.start));
        self.positions.lines.note(self.line, self.offset);
        self.positions.text_lines += lines.lines;
        self.mark(0);
        let collector = self.visitor.collector_mut();
        collector.valid += lines.records;
        collector.blank += lines.lines - lines.records;
        self.line += lines.lines;
        self.offset = lines.bytes.end;
    }

    fn finish(&mut self) {
        let left = self.buffer.held().len();
        if left > 0 {
            self.buffer.space(1)[0] = b'\n';
            self.buffer.advance(1);
            self.lines(left);
        }
        if self.skipping {
            // The line that was too long was the last one.
            self.skipping = false;
            self.line += 1;
        }
        self.report_blank();
        self.settle_pending(Reason::End);
        self.visitor.observe(Event::End { is_empty: self.offset == 0, is_lost: false });
    }

    fn stop(&mut self) {
        self.report_blank();
        self.settle_pending(Reason::End);
        self.buffer = Buffer::default();
    }

    fn positions(&self) -> &Positions {
        &self.positions
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

impl<V: Visit> JsonlReader<V> {
    /// A reader for a dataset of lines. With `header`, the first line has that schema.
    pub fn new(visitor: V, schema: &'static Schema, header: Option<&'static Schema>) -> Self {
        let header = header.map(|schema| Awaited { schema, blank: None });
        Self {
            visitor,
            schema,
            positions: Positions::default(),
            buffer: Buffer::default(),
            offset: 0,
            line: 1,
            header,
            skipping: false,
            pending: None,
            pending_lines: 0..0,
            pending_mark: None,
            first_record: 0,
            began_after_blank: false,
            root: PathBuilder::default(),
        }
    }

    /// A reader that begins at a record, or at blank lines before it, after the header.
    pub fn resume(visitor: V, schema: &'static Schema, mark: Mark) -> Self {
        let mut reader = Self::new(visitor, schema, None);
        reader.offset = mark.record_start.offset;
        reader.line = mark.record_start.line;
        reader.first_record = mark.record_start.record;
        reader.began_after_blank = mark.after_blank;
        reader
    }

    /// Whether blank lines came before.
    fn is_after_blank(&self) -> bool {
        self.began_after_blank || self.visitor.collector().blank > 0
    }

    fn consume(&mut self, n: usize) {
        self.buffer.consume(n);
        self.offset += n as u64;
    }

    /// Marks a line at which reading can begin, because no earlier line is part of its record.
    #[inline]
    fn mark(&mut self, start: usize) {
        if self.positions.records.wants(self.offset + start as u64) {
            let record_start = self.record_start(start);
            let (index, after_blank) = (record_start.record, self.is_after_blank());
            self.positions.records.note(Mark { record_start, list: 0, index, after_blank });
        }
    }

    /// Checks the lines up to the line break at `last` of the buffer.
    fn lines(&mut self, last: usize) {
        let mut start = 0;
        if self.skipping {
            let newline = memchr::memchr(b'\n', self.buffer.held()).unwrap_or(last);
            start = newline + 1;
            self.skipping = false;
            self.line += 1;
        }
        if self.line == 1 {
            let end = self.line_end(start);
            if end - start <= MAX_RECORD {
                self.visitor.observe(Event::FirstLine(&self.buffer.held()[start..end]));
            }
        }
        while start <= last {
            let end = self.line_at(start);
            start = end + 1;
            self.line += 1;
        }
        self.consume(start);
    }

    /// Checks the line at `start` of the buffer, and returns the offset of its line break.
    #[inline]
    fn line_at(&mut self, start: usize) -> usize {
        self.positions.lines.note(self.line, self.offset + start as u64);
        self.positions.text_lines += 1;
        if self.pending.is_none() && self.header.is_none() {
            self.mark(start);
        }
        if self.buffer.held().len() > MAX_RECORD && self.line_end(start) - start > MAX_RECORD {
            let end = self.line_end(start);
            self.report_too_long(start);
            return end;
        }
        if self.pending.is_none()
            && let Some(awaited) = self.header.take()
        {
            return self.header_line(start, awaited);
        }
        self.record_line(start)
    }

    /// The same for a line that is not a header.
    #[inline]
    fn record_line(&mut self, start: usize) -> usize {
        if let Some(end) = self.clean_line_at(start) {
            if self.pending.is_some() {
                return self.line_after_unfinished(start, Some(end));
            }
            self.visitor.collector_mut().valid += 1;
            return end;
        }
        if self.pending.is_some() {
            return self.line_after_unfinished(start, None);
        }
        self.doubtful_line(start)
    }

    /// The offset of the line break of the line at `start`, if the fast tier finds the line clean.
    #[inline]
    fn clean_line_at(&mut self, start: usize) -> Option<usize> {
        let end = self.visitor.scan(self.buffer.with_padding(), start, Extent::Line)?;
        if self.pending.is_some() {
            // The rules remember records, so they are asked only once the line is known to be a record.
            return Some(end);
        }
        let at = self.record_start(start);
        let bytes = self.buffer.with_padding();
        let text = trim_line_end(&bytes[start..end]);
        let index = at.record;
        self.visitor
            .accept(&ScannedRecord { bytes, start, text, captures: None, row: None, at, list: 0, index })
            .then_some(end)
    }

    /// The number of the current record.
    fn record_number(&self) -> u64 {
        self.first_record + self.visitor.collector().records()
    }

    fn record_start(&self, start: usize) -> RecordStart {
        RecordStart {
            offset: self.offset + start as u64,
            line: self.line,
            column: 1,
            record: self.record_number(),
        }
    }

    /// Reports a blank first line, if only blank lines follow it.
    fn report_blank(&mut self) {
        if let Some(blank) = self.header.take().and_then(|awaited| awaited.blank) {
            self.visitor.report(blank);
        }
    }

    /// Reads the header: the first line, which decides the schema of the others. Blank lines may precede it, and it may be missing.
    #[cold]
    fn header_line(&mut self, start: usize, awaited: Awaited) -> usize {
        let end = self.line_end(start);
        let has_mark = self.has_byte_order_mark(start);
        let content = if has_mark { start + BOM.len() } else { start };
        let record_start = self.record_start(content);
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        let diagnosis = self.visitor.check(Part::Header(awaited.schema), bytes, record_start);
        let Diagnosis { mut findings, unfinished, header } = diagnosis;
        if header.is_record {
            // It is read as a record next, which repeats them.
            findings.clear();
        }
        let blank = self.visitor.texts().lines.is_blank(bytes);
        if let Some(problem) = header.problem.filter(|_| awaited.blank.is_none()) {
            // For an empty line, the span is its line break.
            let length = bytes.len().max(usize::from(content < self.buffer.held().len()));
            let bytes = record_start.offset..record_start.offset + length as u64;
            let location = Location {
                line: Some(self.line),
                column: Some(1),
                bytes: Some(bytes),
                ..Location::default()
            };
            findings.push(Finding::new(problem, location).with_fix(header.fix));
        }
        if has_mark && !header.is_record {
            let mark = byte_order_mark(self.visitor.texts(), FileKind::Lines);
            self.visitor.report(mark);
        }
        if blank {
            self.visitor.collector_mut().blank += 1;
            self.header = Some(Awaited { blank: awaited.blank.or_else(|| findings.pop()), ..awaited });
            return end;
        }
        if let Some(found) = awaited.blank {
            let blank = found.location.bytes.as_ref().map(|bytes| {
                let edit = Edit { start: bytes.start, end: record_start.offset, text: String::new() };
                Fix::safe("Delete the blank lines", vec![edit])
            });
            self.visitor.report(found.with_fix(blank));
        }
        let pending = findings.first().and_then(|finding| {
            Unfinished::begin(bytes, record_start, finding, unfinished, awaited.schema, true, false)
        });
        if let Some(pending) = pending {
            if pending.is_header() {
                self.count_header_lines(1);
            }
            self.pending = Some(pending);
            self.pending_lines = record_start.offset..self.offset + end as u64 + 1;
            return end;
        }
        for finding in findings {
            self.visitor.report(finding);
        }
        if header.is_record {
            self.mark(start);
            return self.record_line(start);
        }
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        self.visitor.observe(Event::Header(bytes));
        if let Some(schema) = header.schema {
            self.schema = schema;
            self.visitor.observe(Event::Schema(schema));
        }
        self.count_header_lines(1);
        end
    }

    /// Counts further lines, up to the current one, as part of the header.
    fn count_header_lines(&mut self, lines: u64) {
        self.visitor.collector_mut().header += lines;
        let taken = &mut self.positions.header_lines;
        let from = if taken.is_empty() { self.line } else { taken.start };
        *taken = from..from + self.visitor.collector().header;
    }

    /// Whether the dataset begins here with a byte order mark.
    fn has_byte_order_mark(&self, start: usize) -> bool {
        self.offset == 0 && start == 0 && self.buffer.held().starts_with(BOM)
    }

    fn line_end(&self, start: usize) -> usize {
        let held = self.buffer.held();
        memchr::memchr(b'\n', &held[start..]).map_or(held.len(), |location| start + location)
    }

    #[cold]
    fn doubtful_line(&mut self, start: usize) -> usize {
        let end = self.line_end(start);
        let mark =
            self.has_byte_order_mark(start).then(|| byte_order_mark(self.visitor.texts(), FileKind::Lines));
        let content = if mark.is_some() { start + BOM.len() } else { start };
        let record_start = self.record_start(content);
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        if self.visitor.texts().lines.is_blank(bytes) {
            self.visitor.collector_mut().blank += 1;
            if let Some(mark) = mark {
                self.visitor.report(mark);
            }
            return end;
        }
        let mark = mark.map(|mark| {
            let location = Location { record: Some(record_start.record), ..mark.location.clone() };
            Finding { location, ..mark }
        });
        // A byte order mark is part of the first record: if it stayed, it would break the next one.
        let lines = self.offset + start as u64..self.offset + end as u64 + 1;
        let part = Part::Record { base: &self.root, list: 0 };
        let Diagnosis { mut findings, unfinished, .. } = self.visitor.check(part, bytes, record_start);
        let is_single_spaced = self.line > 1 && !self.is_after_blank();
        let pending = findings.first().and_then(|finding| {
            Unfinished::begin(bytes, record_start, finding, unfinished, self.schema, false, is_single_spaced)
        });
        if pending.is_some() {
            self.pending = pending;
            self.pending_lines = lines;
            self.pending_mark = mark;
            return end;
        }
        if let Some(mark) = mark {
            findings.insert(0, mark);
        }
        self.visitor.count_record(&CountedRecord::line(bytes, record_start, lines), findings);
        end
    }

    /// Reads a line after an incomplete record. The line continues that record, or is a record of its own.
    fn line_after_unfinished(&mut self, start: usize, clean_end: Option<usize>) -> usize {
        let end = clean_end.unwrap_or_else(|| self.line_end(start));
        let record_start = self.record_start(start);
        let line = trim_line_end(&self.buffer.held()[start..end]);
        let Some(pending) = &mut self.pending else { return end };
        if self.visitor.texts().lines.is_blank(line) {
            match pending.take_blank(line, record_start) {
                None => self.visitor.collector_mut().blank += 1,
                Some(is_last) => {
                    self.pending_lines.end = self.offset + end as u64 + 1;
                    if is_last {
                        self.settle_pending(Reason::Closed);
                    }
                }
            }
            return end;
        }
        if pending.may_go_on_with(line, clean_end.is_some(), self.schema) {
            self.pending_lines.end = self.offset + end as u64 + 1;
            if pending.take(line, record_start) {
                self.settle_pending(Reason::Closed);
            }
            return end;
        }
        self.settle_pending(Reason::Cut);
        self.mark(start);
        match self.clean_line_at(start) {
            Some(end) => {
                self.visitor.collector_mut().valid += 1;
                end
            }
            None => self.doubtful_line(start),
        }
    }

    /// Reports and counts an incomplete record, once its continuation is known.
    fn settle_pending(&mut self, reason: Reason) {
        let Some(pending) = self.pending.take() else { return };
        let is_header = pending.is_header();
        let Settled { mut findings, start, text, length, lines, last_line, own_records } =
            pending.settle(reason);
        let mut ends: Vec<u64> = own_records.iter().map(|line| line.start.offset).collect();
        ends.push(self.pending_lines.end);
        if is_header {
            self.count_header_lines(lines);
            for finding in findings {
                self.visitor.report(finding);
            }
        } else {
            self.visitor.collector_mut().continued += lines;
            findings.splice(0..0, self.pending_mark.take());
            let lost = self.visitor.collector().loss().lines;
            let bytes = self.pending_lines.start..ends[0];
            let line = CountedRecord::line(&text[..length], start, bytes);
            let record = CountedRecord { last_line, is_continued: lines > 0, ..line };
            self.visitor.count_record(&record, findings);
            if self.visitor.collector().loss().lines > lost {
                // A loader that drops lines has no records of several lines, so it drops each of them.
                self.visitor.collector_mut().set_lost_lines(lost + 1 + lines);
            }
        }
        for (line, end) in own_records.into_iter().zip(ends.into_iter().skip(1)) {
            let text = &text[line.range];
            if self.visitor.texts().lines.is_blank(text) {
                self.visitor.collector_mut().blank += 1;
                continue;
            }
            let start = RecordStart { record: self.record_number(), ..line.start };
            let part = Part::Record { base: &self.root, list: 0 };
            let findings = self.visitor.check(part, text, start).findings;
            let bytes = start.offset..end;
            self.visitor.count_record(&CountedRecord::line(text, start, bytes), findings);
        }
    }

    /// Reports the line in the buffer as too long. Its bytes are discarded as they arrive.
    fn too_long(&mut self) {
        self.positions.lines.note(self.line, self.offset);
        self.positions.text_lines += 1;
        let held = self.buffer.held().len();
        if self.pending.is_none() && self.header.is_none() {
            self.mark(0);
        }
        self.report_too_long(0);
        self.skipping = true;
        self.consume(held);
    }

    /// Reports a line of more than [`MAX_RECORD`] bytes.
    #[cold]
    fn report_too_long(&mut self, start: usize) {
        self.settle_pending(Reason::Cut);
        let location = Location {
            line: Some(self.line),
            column: Some(1),
            // A fixed length, because the number of bytes that have arrived varies.
            bytes: Some(self.offset + start as u64..self.offset + (start + MAX_RECORD) as u64),
            record: Some(self.record_number()),
            ..Location::default()
        };
        let finding = Finding::new(RecordProblem::TooLong { limit: MAX_RECORD as u64 }, location);
        let start = self.record_start(start);
        self.visitor.count_record(&CountedRecord::unread(start), vec![finding]);
    }
}
