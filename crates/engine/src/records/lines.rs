//! JSONL: a record a line.

use std::rc::Rc;

use crate::archive::Attachments;
use crate::explain::{self, Explanation, Origin};
use crate::finding::{Finding, Place};
use crate::formats::{Captures, Format};
use crate::records::brackets::Brackets;
use crate::records::buffer::Buffer;
use crate::records::line_index::LineIndex;
use crate::rules::{Dataset, Json, Problem, Text};
use crate::scan::{self, Scratch, Simd};
use crate::tally::Tally;

/// The longest line that is read, in bytes. It is held in memory while it is checked, and a browser's tab has to
/// bear it.
pub const MAX_LINE: usize = 64 << 20;

/// A record over more lines than this is not followed any further, unless it is an array around all records.
const MAX_CONTINUATION: u64 = 10_000;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Checks the lines of one dataset as its bytes come.
#[derive(Debug)]
pub struct LineChecker {
    format: &'static Format,
    buffer: Buffer,
    scratch: Scratch,
    tally: Tally,
    index: LineIndex,
    /// The attachments that records may refer to.
    pub attachments: Option<Attachments>,
    /// The entry of the ZIP that the dataset is.
    entry: Option<Rc<str>>,
    /// Byte of the dataset at which the buffer begins.
    offset: u64,
    /// The line that begins there, from 1.
    line: u64,
    /// The rest of a line that is too long is thrown away.
    skipping: bool,
    /// A record that its line did not end.
    pending: Option<Pending>,
}

/// A record that its line did not end, and the lines that are taken for its continuation.
#[derive(Debug)]
struct Pending {
    truncated: Finding,
    brackets: Brackets,
    is_array: bool,
    last_line: u64,
    lines: u64,
}

impl LineChecker {
    /// A checker for a dataset of this format.
    pub fn new(
        format: &'static Format,
        attachments: Option<Attachments>,
        entry: Option<Rc<str>>,
        most_per_code: Option<u64>,
    ) -> Self {
        Self {
            format,
            buffer: Buffer::default(),
            scratch: Scratch::default(),
            tally: Tally::new(most_per_code),
            index: LineIndex::default(),
            attachments,
            entry,
            offset: 0,
            line: 1,
            skipping: false,
            pending: None,
        }
    }

    /// Room for the bytes that come next.
    pub fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    /// Takes `n` bytes of the space as read and checks every line that is whole now.
    pub fn advance(&mut self, n: usize) {
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

    /// Checks what is left as the last line, and what concerns the dataset as a whole.
    pub fn finish(&mut self) {
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
        self.settle_pending(true);
        let records = self.tally.records();
        let limits = self.format.limits;
        let problem = match (limits.most, limits.usual) {
            _ if records == 0 && self.offset == 0 => Some(Dataset::EmptyFile),
            _ if records == 0 => Some(Dataset::NoRecords),
            (Some(limit), _) if records > limit => Some(Dataset::TooManyRecords { found: records, limit }),
            (_, Some(limit)) if records > limit => Some(Dataset::ManyRecords { found: records, limit }),
            _ => None,
        };
        if let Some(problem) = problem {
            self.add(Finding::new(problem, Place::file()));
        }
    }

    /// Adds a finding that is not a record's.
    pub fn add(&mut self, mut finding: Finding) {
        if finding.place.entry.is_none() {
            finding.place.entry.clone_from(&self.entry);
        }
        self.tally.add(finding);
    }

    /// What was counted and found so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Where lines begin.
    pub fn index(&self) -> &LineIndex {
        &self.index
    }

    /// Bytes of the dataset that were checked.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line at that place.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The format that lines are checked against.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The entry of the ZIP that the dataset is.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The same, to be kept.
    pub fn entry_rc(&self) -> Option<Rc<str>> {
        self.entry.clone()
    }

    /// Adds a finding about the file or the archive, whatever entry the dataset is.
    pub fn add_as_it_is(&mut self, finding: Finding) {
        self.tally.add(finding);
    }

    /// No more bytes will come, and the dataset is not at its end: what was read of a line is not judged.
    pub fn stop(&mut self) {
        self.settle_pending(false);
        self.buffer = Buffer::default();
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
        self.index.note(self.line, self.offset + start as u64);
        self.tally.lines += 1;
        if let Some(end) = self.clean_line_at(start) {
            if self.pending.is_some() {
                return self.line_after_unfinished(start, Some(end));
            }
            self.tally.valid += 1;
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
        let bytes = self.buffer.with_padding();
        let end =
            scan::line::<Simd>(bytes, start, self.format.shape, self.format.texts, &mut self.scratch).ok()?;
        let strings = &self.scratch.captures;
        let clean = strings.is_empty()
            || (self.format.fast_rule)(&Captures { bytes, strings, attachments: self.attachments.as_ref() });
        clean.then_some(end)
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
                self.tally.valid += 1;
                return end;
            }
        }
        let origin = Origin {
            offset: self.offset + content as u64,
            line: self.line,
            column: 1,
            record: self.tally.records(),
        };
        let bytes = trim_line_end(&self.buffer.held()[content..end]);
        if is_blank(bytes) {
            self.tally.blank += 1;
            return end;
        }
        let Explanation { findings, unfinished } =
            explain::explain(bytes, origin, self.format, self.attachments.as_ref());
        let mut findings = findings.into_iter().map(|finding| in_entry(finding, self.entry.as_ref()));
        if unfinished && let Some(truncated) = findings.next() {
            let mut brackets = Brackets::default();
            brackets.feed(bytes);
            let is_array = opens_array_of_records(bytes);
            self.tally.invalid += 1;
            self.pending = Some(Pending { truncated, brackets, is_array, last_line: self.line, lines: 0 });
            return end;
        }
        self.tally.add_record(findings);
        end
    }

    /// A line behind one that did not end its record: its continuation, or a record of its own.
    fn line_after_unfinished(&mut self, start: usize, clean_end: Option<usize>) -> usize {
        let end = clean_end.unwrap_or_else(|| self.line_end(start));
        let line = trim_line_end(&self.buffer.held()[start..end]);
        let Some(pending) = &mut self.pending else { return end };
        let first = line.trim_ascii_start().first().copied();
        let goes_on = match first {
            None => {
                self.tally.blank += 1;
                return end;
            }
            Some(byte) => {
                pending.brackets.may_go_on_with(byte)
                    && (pending.is_array || (clean_end.is_none() && !is_record(line, self.format)))
            }
        };
        if goes_on {
            pending.brackets.feed(line);
            pending.lines += 1;
            pending.last_line = self.line;
            self.tally.invalid += 1;
            let enough = !pending.is_array && pending.lines == MAX_CONTINUATION;
            if pending.brackets.done() || enough {
                self.settle_pending(false);
            }
            return end;
        }
        self.settle_pending(false);
        if clean_end.is_some() {
            self.tally.valid += 1;
            return end;
        }
        self.doubtful_line(start)
    }

    /// Says what became of a record that its line did not end.
    fn settle_pending(&mut self, at_end: bool) {
        let Some(Pending { mut truncated, brackets, is_array, last_line, lines }) = self.pending.take()
        else {
            return;
        };
        if lines > 0 {
            let column = 1;
            truncated.problem = if is_array {
                Json::ArrayOfRecords { column }.into()
            } else {
                let until = if at_end && !brackets.done() {
                    ", to the end of the file".to_owned()
                } else {
                    format!(", to line {last_line}")
                };
                let column = truncated.place.column.unwrap_or(1).saturating_sub(1).max(1);
                Json::SeveralLines { column, until }.into()
            };
        }
        self.tally.add(truncated);
    }

    fn note_byte_order_mark(&mut self) {
        let place =
            Place { line: Some(1), column: Some(1), bytes: Some(0..BOM.len() as u64), ..Place::default() };
        self.add(Finding::new(Text::ByteOrderMark, place));
    }

    /// The line in the buffer is longer than is read: says so, and throws it away as it comes.
    fn too_long(&mut self) {
        self.settle_pending(false);
        self.index.note(self.line, self.offset);
        self.tally.lines += 1;
        let held = self.buffer.held().len() as u64;
        let place = Place {
            line: Some(self.line),
            column: Some(1),
            bytes: Some(self.offset..self.offset + held),
            record: Some(self.tally.records()),
            path: None,
            entry: self.entry.clone(),
        };
        let problem: Problem = Dataset::RecordTooLong { limit: MAX_LINE as u64 }.into();
        self.tally.add_record([Finding::new(problem, place)]);
        self.skipping = true;
        self.consume(self.buffer.held().len());
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

fn in_entry(mut finding: Finding, entry: Option<&Rc<str>>) -> Finding {
    finding.place.entry = entry.cloned();
    finding
}

/// True for a line that begins an array around records: nothing stands behind its bracket, or an object.
fn opens_array_of_records(line: &[u8]) -> bool {
    let inside = line.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(b"{"))
}

/// True for a line that begins an object with one of the record's own top keys: a new record, not a part of another,
/// whose inner objects have other keys.
fn is_record(line: &[u8], format: &Format) -> bool {
    use crate::shape::Object;
    let Some(Object::Fields(fields)) = &format.shape.object else { return false };
    let Some(inside) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    let Some(key) = inside.trim_ascii_start().strip_prefix(b"\"") else { return false };
    let key = &key[..memchr::memchr(b'"', key).unwrap_or(0)];
    fields.position(key).is_some()
}
