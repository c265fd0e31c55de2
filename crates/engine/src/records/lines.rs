//! JSONL: a record a line.

use crate::explain::{Explanation, PathBuilder, RecordStart};
use crate::finding::{Finding, Location};
use crate::formats::Layout;
use crate::records::Records;
use crate::records::unfinished::{Reason, Settled, Unfinished};
use crate::rules::{Dataset, TextProblem};
use crate::scan::{self, BOM};
use crate::schema::Schema;
use crate::session::Session;
use evalcheck_json::buffer::Buffer;

/// The longest line that is read, in bytes. It is held in memory while it is checked, and a browser's tab has to
/// bear it.
pub const MAX_LINE: usize = 64 << 20;

/// Checks the lines of one dataset as its bytes come.
#[derive(Debug)]
pub struct Lines {
    session: Session,
    buffer: Buffer,
    /// Byte of the dataset at which the buffer begins.
    offset: u64,
    /// The line that begins there, from 1.
    line: u64,
    header: Option<Awaited>,
    /// The rest of a line that is too long is thrown away.
    skipping: bool,
    /// A record that its line did not end.
    pending: Option<Unfinished>,
    /// The way to a record that is a document.
    root: PathBuilder,
}

/// The header, while it is still to come.
#[derive(Debug, Clone, Copy)]
struct Awaited {
    schema: &'static Schema,
    /// A blank line stood where it should be; that is said once.
    is_late: bool,
}

impl Records for Lines {
    fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    fn advance(&mut self, n: usize) {
        self.buffer.advance(n);
        let fresh = self.buffer.held().len() - n.min(self.buffer.held().len());
        let last = memchr::memrchr(b'\n', &self.buffer.held()[fresh..]).map(|location| fresh + location);
        if let Some(last) = last {
            self.lines(last);
        }
        if self.skipping {
            self.consume(self.buffer.held().len());
        } else if self.buffer.held().len() > MAX_LINE {
            self.too_long();
        }
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
        self.settle_pending(Reason::End);
        self.session.finish(self.offset == 0);
    }

    fn stop(&mut self) {
        self.settle_pending(Reason::End);
        self.buffer = Buffer::default();
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Lines {
    /// A checker for a dataset of lines.
    pub fn new(session: Session) -> Self {
        let header = match session.variant.layout {
            Layout::JsonlWithHeader(schema) => Some(Awaited { schema, is_late: false }),
            _ => None,
        };
        Self {
            session,
            buffer: Buffer::default(),
            offset: 0,
            line: 1,
            header,
            skipping: false,
            pending: None,
            root: PathBuilder::default(),
        }
    }

    fn consume(&mut self, n: usize) {
        self.buffer.consume(n);
        self.offset += n as u64;
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
        scan::begin_piece(
            self.buffer.held().get(start..=last).unwrap_or_default(),
            &mut self.session.scratch,
        );
        while start <= last {
            let end = self.line_at(start);
            start = end + 1;
            self.line += 1;
        }
        scan::end_piece(&mut self.session.scratch);
        self.consume(start);
    }

    /// Checks the line at `start` of the buffer and gives the place of its line break.
    #[inline]
    fn line_at(&mut self, start: usize) -> usize {
        self.session.index.note(self.line, self.offset + start as u64);
        self.session.tally.lines += 1;
        if self.buffer.held().len() > MAX_LINE && self.line_end(start) - start > MAX_LINE {
            let end = self.line_end(start);
            self.report_too_long(start, end);
            return end;
        }
        if let Some(awaited) = self.header.filter(|_| self.pending.is_none()) {
            return self.header_line(start, awaited);
        }
        self.record_line(start)
    }

    /// The same for a line that is no header.
    #[inline]
    fn record_line(&mut self, start: usize) -> usize {
        if let Some(end) = self.clean_line_at(start) {
            if self.pending.is_some() {
                return self.line_after_unfinished(start, Some(end));
            }
            self.session.tally.valid += 1;
            return end;
        }
        if self.pending.is_some() {
            return self.line_after_unfinished(start, None);
        }
        self.doubtful_line(start)
    }

    /// The line break of the line at `start`, when the fast tier has nothing to say of the line.
    #[inline]
    fn clean_line_at(&mut self, start: usize) -> Option<usize> {
        let Session { schema, format, scratch, .. } = &mut self.session;
        let bytes = self.buffer.with_padding();
        let end = scan::line(bytes, start, schema, format.texts, scratch).ok()?;
        if self.pending.is_some() {
            // Whether it is a record of its own is decided before the rules are asked, who would remember it.
            return Some(end);
        }
        let origin = self.origin(start);
        self.session.accept(self.buffer.with_padding(), start, origin, 0).then_some(end)
    }

    fn origin(&self, start: usize) -> RecordStart {
        RecordStart {
            offset: self.offset + start as u64,
            line: self.line,
            column: 1,
            record: self.session.tally.records(),
        }
    }

    /// The first line, which governs the rest. It may be late, after blank ones, and it may be missing.
    #[cold]
    fn header_line(&mut self, start: usize, awaited: Awaited) -> usize {
        let end = self.line_end(start);
        let has_mark = self.has_byte_order_mark(start);
        let content = if has_mark { start + BOM.len() } else { start };
        let origin = self.origin(content);
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        let (header, explanation) = self.session.explain_header(bytes, origin, awaited.schema);
        let Explanation { mut findings, unfinished } = explanation;
        if let Some(problem) = header.problem.filter(|_| !awaited.is_late) {
            let bytes = origin.offset..origin.offset + bytes.len() as u64;
            let location = Location {
                line: Some(self.line),
                column: Some(1),
                bytes: Some(bytes),
                ..Location::default()
            };
            findings.push(Finding::new(problem, location));
            self.session.name_entry(&mut findings);
        }
        let blank = is_blank(bytes);
        let pending = findings
            .first()
            .and_then(|finding| Unfinished::begin(bytes, origin, finding, unfinished, awaited.schema, true));
        if has_mark && !header.is_record {
            self.note_byte_order_mark();
        }
        if blank {
            self.session.tally.blank += 1;
            self.header = Some(Awaited { is_late: true, ..awaited });
        } else {
            self.header = None;
        }
        if let Some(pending) = pending {
            if pending.is_header() {
                self.count_header_lines(1);
            } else {
                self.session.tally.invalid += 1;
            }
            self.pending = Some(pending);
            return end;
        }
        for finding in findings {
            self.session.tally.add(finding);
        }
        if header.is_record {
            return self.record_line(start);
        }
        if let Some(schema) = header.schema {
            self.session.schema = schema;
        }
        if !blank {
            self.count_header_lines(1);
        }
        end
    }

    /// Counts further lines, up to the one at hand, as the header's.
    fn count_header_lines(&mut self, lines: u64) {
        self.session.tally.header += lines;
        let taken = &mut self.session.header_lines;
        let from = if taken.is_empty() { self.line } else { taken.start };
        *taken = from..from + self.session.tally.header;
    }

    /// True when a byte order mark begins the dataset here.
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
        let mut content = start;
        if self.has_byte_order_mark(start) {
            self.note_byte_order_mark();
            content += BOM.len();
            if let Some(end) = self.clean_line_at(content) {
                self.session.tally.valid += 1;
                return end;
            }
        }
        let origin = self.origin(content);
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        if is_blank(bytes) {
            self.session.tally.blank += 1;
            return end;
        }
        let Explanation { findings, unfinished } = self.session.explain(bytes, origin, &self.root, 0);
        let pending = findings.first().and_then(|finding| {
            Unfinished::begin(bytes, origin, finding, unfinished, self.session.schema, false)
        });
        if pending.is_some() {
            self.session.tally.invalid += 1;
            self.pending = pending;
            return end;
        }
        self.session.tally.add_record(findings);
        end
    }

    /// A line behind one that did not end its record: its continuation, or a record of its own.
    fn line_after_unfinished(&mut self, start: usize, clean_end: Option<usize>) -> usize {
        let end = clean_end.unwrap_or_else(|| self.line_end(start));
        let origin = self.origin(start);
        let line = trim_line_end(&self.buffer.held()[start..end]);
        let Some(pending) = &mut self.pending else { return end };
        if is_blank(line) {
            self.session.tally.blank += 1;
            return end;
        }
        if pending.may_go_on_with(line, clean_end.is_some(), self.session.schema) {
            if pending.take(line, origin) {
                self.settle_pending(Reason::Closed);
            }
            return end;
        }
        self.settle_pending(Reason::Cut);
        match self.clean_line_at(start) {
            Some(end) => {
                self.session.tally.valid += 1;
                end
            }
            None => self.doubtful_line(start),
        }
    }

    /// Says what became of a record that its line did not end.
    fn settle_pending(&mut self, reason: Reason) {
        let Some(pending) = self.pending.take() else { return };
        let is_header = pending.is_header();
        let Settled { findings, lines, own_records } = pending.settle(reason);
        if is_header {
            self.count_header_lines(lines);
        } else {
            self.session.tally.invalid += lines;
        }
        for finding in findings {
            self.session.tally.add(finding);
        }
        let (bytes, origins) = own_records;
        for (range, origin) in origins {
            let origin = RecordStart { record: self.session.tally.records(), ..origin };
            let findings = self.session.explain(&bytes[range], origin, &self.root, 0).findings;
            self.session.tally.add_record(findings);
        }
    }

    fn note_byte_order_mark(&mut self) {
        let location = Location {
            line: Some(1),
            column: Some(1),
            bytes: Some(0..BOM.len() as u64),
            ..Location::default()
        };
        self.session.add(TextProblem::ByteOrderMark, location);
    }

    /// The line in the buffer is longer than is read: says so, and throws it away as it comes.
    fn too_long(&mut self) {
        self.session.index.note(self.line, self.offset);
        self.session.tally.lines += 1;
        let held = self.buffer.held().len();
        self.report_too_long(0, held);
        self.skipping = true;
        self.consume(held);
    }

    /// A line of more bytes than are read.
    #[cold]
    fn report_too_long(&mut self, start: usize, end: usize) {
        self.settle_pending(Reason::Cut);
        let location = Location {
            line: Some(self.line),
            column: Some(1),
            bytes: Some(self.offset + start as u64..self.offset + end as u64),
            record: Some(self.session.tally.records()),
            ..Location::default()
        };
        let mut finding = [Finding::new(Dataset::RecordTooLong { limit: MAX_LINE as u64 }, location)];
        self.session.name_entry(&mut finding);
        self.session.tally.add_record(finding);
    }
}

/// A line without the carriage return of its line break.
#[inline]
pub fn trim_line_end(line: &[u8]) -> &[u8] {
    match line {
        [before @ .., b'\r'] => before,
        _ => line,
    }
}

/// Nothing but space, tab and carriage return.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
