//! JSONL: a record a line.

use crate::explain::{Explanation, Origin, Trail};
use crate::finding::{Finding, Place};
use crate::formats::Layout;
use crate::records::Records;
use crate::records::brackets::Brackets;
use crate::records::buffer::Buffer;
use crate::rules::{Dataset, Json, Text};
use crate::scan::{self, Simd};
use crate::session::Session;
use crate::shape::{Object, Shape};

/// The longest line that is read, in bytes. It is held in memory while it is checked, and a browser's tab has to
/// bear it.
pub const MAX_LINE: usize = 64 << 20;

/// A record over more bytes than this is not followed any further, unless it is an array around all records.
const MAX_CONTINUATION: usize = 1 << 20;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Checks the lines of one dataset as its bytes come.
#[derive(Debug)]
pub struct Lines {
    session: Session,
    buffer: Buffer,
    /// Byte of the dataset at which the buffer begins.
    offset: u64,
    /// The line that begins there, from 1.
    line: u64,
    /// The shape of the header, while it is still to come.
    header: Option<&'static Shape>,
    /// The rest of a line that is too long is thrown away.
    skipping: bool,
    /// A record that its line did not end.
    pending: Option<Pending>,
    /// The way to a record that is a document.
    root: Trail,
}

/// A record that its line did not end, and the lines that are taken for its continuation.
#[derive(Debug)]
struct Pending {
    truncated: Finding,
    brackets: Brackets,
    is_array: bool,
    last_line: u64,
    lines: u64,
    /// The lines taken so far, for when it turns out that they are none; empty for an array.
    taken: Vec<u8>,
    /// Where each of them begins and stands.
    origins: Vec<(std::ops::Range<usize>, Origin)>,
}

/// Why no further line is taken for the continuation of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Its brackets are closed, or it goes on for too long.
    Closed,
    /// A line cannot go on with it: so it was cut off, and did not go on at all.
    Cut,
    /// There are no more lines.
    End,
}

impl Records for Lines {
    fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    fn advance(&mut self, n: usize) {
        self.buffer.advance(n);
        let fresh = self.buffer.held().len() - n.min(self.buffer.held().len());
        let last = memchr::memrchr(b'\n', &self.buffer.held()[fresh..]).map(|place| fresh + place);
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
            Layout::HeadedLines(shape) => Some(shape),
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
            root: Trail::default(),
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
        while start <= last {
            let end = self.line_at(start);
            start = end + 1;
            self.line += 1;
        }
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
        if self.header.is_some() {
            return self.header_line(start);
        }
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
        let Session { shape, format, scratch, .. } = &mut self.session;
        let bytes = self.buffer.with_padding();
        let end = scan::line::<Simd>(bytes, start, shape, format.texts, scratch).ok()?;
        if self.pending.is_some() {
            // Whether it is a record of its own is decided before the rules are asked, who would remember it.
            return Some(end);
        }
        let origin = self.origin(start);
        self.session.accept(self.buffer.with_padding(), start, origin, 0).then_some(end)
    }

    fn origin(&self, start: usize) -> Origin {
        Origin {
            offset: self.offset + start as u64,
            line: self.line,
            column: 1,
            record: self.session.tally.records(),
        }
    }

    /// The first line, which governs the rest.
    #[cold]
    fn header_line(&mut self, start: usize) -> usize {
        let end = self.line_end(start);
        let Some(shape) = self.header.take() else { return end };
        let mut content = start;
        if self.buffer.held()[start..].starts_with(BOM) {
            self.note_byte_order_mark();
            content += BOM.len();
        }
        let origin = self.origin(content);
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        self.session.tally.header += 1;
        let mut findings = Vec::new();
        let header = self.session.explain_header(bytes, origin, shape, &mut findings);
        if let Some(problem) = header.problem {
            let place = Place { line: Some(self.line), column: Some(1), ..Place::default() };
            findings.push(Finding::new(problem, place));
            self.session.name_entry(&mut findings);
        }
        if let Some(shape) = header.shape {
            self.session.shape = shape;
        }
        for finding in findings {
            self.session.tally.add(finding);
        }
        end
    }

    fn line_end(&self, start: usize) -> usize {
        let held = self.buffer.held();
        memchr::memchr(b'\n', &held[start..]).map_or(held.len(), |place| start + place)
    }

    #[cold]
    fn doubtful_line(&mut self, start: usize) -> usize {
        let end = self.line_end(start);
        let mut content = start;
        if self.offset == 0 && start == 0 && self.buffer.held().starts_with(BOM) {
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
        let mut findings = findings.into_iter();
        if unfinished && let Some(truncated) = findings.next() {
            let mut brackets = Brackets::default();
            brackets.feed(bytes);
            let is_array = self.session.shape.array.is_none() && opens_array_of_records(bytes);
            self.session.tally.invalid += 1;
            self.pending = Some(Pending {
                truncated,
                brackets,
                is_array,
                last_line: self.line,
                lines: 0,
                taken: Vec::new(),
                origins: Vec::new(),
            });
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
        let first = line.trim_ascii_start().first().copied();
        let goes_on = match first {
            None => {
                self.session.tally.blank += 1;
                return end;
            }
            Some(byte) => {
                pending.brackets.may_go_on_with(byte)
                    && (pending.is_array || (clean_end.is_none() && !is_record(line, self.session.shape)))
            }
        };
        if goes_on {
            pending.brackets.feed(line);
            pending.lines += 1;
            pending.last_line = self.line;
            let mut enough = false;
            if !pending.is_array {
                let from = pending.taken.len();
                pending.taken.extend_from_slice(line);
                pending.origins.push((from..pending.taken.len(), origin));
                enough = pending.taken.len() > MAX_CONTINUATION;
            }
            if pending.brackets.done() || enough {
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
        let Some(Pending { mut truncated, brackets, is_array, last_line, lines, taken, origins }) =
            self.pending.take()
        else {
            return;
        };
        if lines > 0 && reason == Reason::Cut && !is_array {
            // The lines behind it were no continuation after all: each is a record of its own.
            self.session.tally.add(truncated);
            for (range, origin) in origins {
                let origin = Origin { record: self.session.tally.records(), ..origin };
                let findings = self.session.explain(&taken[range], origin, &self.root, 0).findings;
                self.session.tally.add_record(findings);
            }
            return;
        }
        if lines > 0 {
            truncated.problem = if is_array {
                Json::ArrayOfRecords { column: 1 }.into()
            } else {
                let until = if reason == Reason::End && !brackets.done() {
                    ", to the end of the file".to_owned()
                } else {
                    format!(", to line {last_line}")
                };
                let column = truncated.place.column.unwrap_or(1).saturating_sub(1).max(1);
                Json::SeveralLines { column, until }.into()
            };
        }
        self.session.tally.invalid += lines;
        self.session.tally.add(truncated);
    }

    fn note_byte_order_mark(&mut self) {
        let place =
            Place { line: Some(1), column: Some(1), bytes: Some(0..BOM.len() as u64), ..Place::default() };
        self.session.add(Text::ByteOrderMark, place);
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
        let place = Place {
            line: Some(self.line),
            column: Some(1),
            bytes: Some(self.offset + start as u64..self.offset + end as u64),
            record: Some(self.session.tally.records()),
            ..Place::default()
        };
        let mut finding = [Finding::new(Dataset::RecordTooLong { limit: MAX_LINE as u64 }, place)];
        self.session.name_entry(&mut finding);
        self.session.tally.add_record(finding);
    }
}

/// A line without the carriage return of its line break.
pub fn trim_line_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Nothing but space, tab and carriage return.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// True for a line that begins an array around records: nothing stands behind its bracket, or an object.
fn opens_array_of_records(line: &[u8]) -> bool {
    let inside = line.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(b"{"))
}

/// True for a line that begins an object with one of the record's own top keys: a new record, not a part of another,
/// whose inner objects have other keys.
fn is_record(line: &[u8], shape: &Shape) -> bool {
    let Some(Object::Fields(fields)) = &shape.object else { return false };
    let Some(inside) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    let Some(key) = inside.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let key = &key[..memchr::memchr(b'"', key).unwrap_or(0)];
    fields.position(key).is_some()
}
