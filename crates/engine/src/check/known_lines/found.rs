//! Clean lines that were found ahead of a check, and the captures of their records for the checks of a dataset.
//!
//! Records are listed if the checks of the dataset look at them. The list is bytes, in which numbers are unsigned LEB128. For each record:
//! the number of lines before it that are not listed, and if there are any, their bytes and the number of records among them; the bytes of
//! its line with the line break; then the number of its captures, and for each its number (a byte) and its text. A text is 0 if it
//! equals that of the capture at the same index of the record before, else 1 more than its length, a mark (a quote for a string, a
//! space for any other value) and its bytes; of a list or an object only the opening bracket.

use std::ops::Range;
use std::sync::Arc;

use evalcheck_records::KnownLines;

use crate::formats::checks::Captures;
use crate::numbers;
use crate::overview::Overview;
use crate::scan::PADDING;

/// Consecutive lines that a check may pass over, with the captures of their records for the checks of the dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLines {
    /// See the module; followed by [`PADDING`] zeros. Empty if no record is listed.
    records: Vec<u8>,
    /// The statistics of all lines.
    statistics: Option<Statistics>,
    rest: Rest,
}

/// The statistics of lines. They are compared by their address.
#[derive(Debug, Clone)]
struct Statistics(Arc<Overview>);

impl PartialEq for Statistics {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Statistics {}

/// The remaining part of [`FoundLines`].
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rest {
    lines: KnownLines,
    /// The offset in the list at which the next record begins.
    at: usize,
    /// A record that was read and not left out.
    next: Option<FoundRecord>,
    /// The captures of the record that was read last.
    captures: Vec<(u8, Range<usize>)>,
}

/// A record of [`FoundLines`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) struct FoundRecord {
    /// Lines before it that are not listed.
    pub(in crate::check) before: Before,
    /// Bytes of its line, with the line break.
    pub(in crate::check) length: u64,
}

/// Lines before a record: clean records that are not listed, and blank ones.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) struct Before {
    pub(in crate::check) lines: u64,
    pub(in crate::check) bytes: u64,
    pub(in crate::check) records: u64,
}

impl FoundLines {
    pub(in crate::check) fn new(
        lines: KnownLines,
        records: RecordWriter,
        statistics: Option<Overview>,
    ) -> Self {
        let statistics = statistics.map(|statistics| Statistics(Arc::new(statistics)));
        Self { statistics, ..Self::read(lines, records.bytes) }
    }

    fn read(lines: KnownLines, mut records: Vec<u8>) -> Self {
        if !records.is_empty() {
            records.resize(records.len() + PADDING, 0);
        }
        Self { records, statistics: None, rest: Rest { lines, at: 0, next: None, captures: Vec::new() } }
    }

    /// Decodes the results of [`FoundLines::encoded`] and [`FoundLines::encoded_statistics`] for these lines. `None` if they are
    /// malformed, or the numbers do not fit.
    pub(crate) fn decode(lines: KnownLines, records: &[u8], statistics: &[u8]) -> Option<Self> {
        let mut read = Self::read(lines, records.to_vec());
        if !statistics.is_empty() {
            read.statistics = Some(Statistics(Arc::new(Overview::of_bytes(statistics)?)));
        }
        let whole = read.clone();
        // Each record must be well-formed and within the lines.
        while let Some(record) = read.next_record() {
            let lines = record.before.lines.checked_add(1)?;
            let records = record.before.records.checked_add(1)?;
            let bytes = record.before.bytes.checked_add(record.length)?;
            let left = &read.rest.lines;
            let is_within =
                lines <= left.lines && records <= left.records && bytes <= left.bytes.end - left.bytes.start;
            if !is_within || records > lines {
                return None;
            }
            read.leave(record);
        }
        let is_at_end = read.rest.at == read.encoded().len();
        (is_at_end && read.rest.lines.records <= read.rest.lines.lines).then_some(whole)
    }

    /// The list of the records, see the module.
    pub(crate) fn encoded(&self) -> &[u8] {
        &self.records[..self.records.len().saturating_sub(PADDING)]
    }

    /// The statistics of all lines, as bytes; empty if they are not counted.
    pub(crate) fn encoded_statistics(&self) -> Vec<u8> {
        self.statistics.as_ref().and_then(|statistics| statistics.0.to_bytes()).unwrap_or_default()
    }

    /// Bytes of memory that these take.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>() + self.records.len()
    }

    /// Removes and returns the statistics of all lines.
    pub(in crate::check) fn take_statistics(&mut self) -> Option<Arc<Overview>> {
        self.statistics.take().map(|statistics| statistics.0)
    }

    /// The remaining lines.
    pub fn lines(&self) -> &KnownLines {
        &self.rest.lines
    }

    /// Leaves out the lines of a record, which is the next one, and the lines before it.
    pub(in crate::check) fn leave(&mut self, record: FoundRecord) {
        let FoundRecord { before, length, .. } = record;
        self.rest.next = None;
        self.rest.lines.lines -= before.lines + 1;
        self.rest.lines.records -= before.records + 1;
        self.rest.lines.bytes.start += before.bytes + length;
    }

    /// Leaves out records that begin before a byte of the dataset.
    pub(in crate::check) fn leave_before(&mut self, byte: u64) {
        while self.rest.lines.bytes.start < byte
            && let Some(record) = self.next_record()
        {
            self.leave(record);
        }
    }

    /// Leaves out records until they have `bytes` bytes. Stops at a record with as many bytes before it.
    pub(in crate::check) fn leave_bytes(&mut self, bytes: u64) {
        let end = self.rest.lines.bytes.start.saturating_add(bytes);
        while self.rest.lines.bytes.start < end
            && let Some(record) = self.next_record().filter(|record| record.before.bytes < bytes)
        {
            self.leave(record);
        }
    }

    /// Leaves out all lines, and returns them.
    pub(in crate::check) fn take_rest(&mut self) -> KnownLines {
        let end = self.rest.lines.bytes.end;
        self.rest.at = self.records.len();
        self.rest.next = None;
        std::mem::replace(&mut self.rest.lines, KnownLines { bytes: end..end, lines: 0, records: 0 })
    }

    /// The next record of the list, until it is left out; `None` after the last one. [`FoundLines::captures`] are then its captures.
    pub(in crate::check) fn next_record(&mut self) -> Option<FoundRecord> {
        if self.rest.next.is_none() {
            self.rest.next = self.read_record();
        }
        self.rest.next
    }

    fn read_record(&mut self) -> Option<FoundRecord> {
        let end = self.encoded().len();
        let mut left = &self.records[self.rest.at.min(end)..end];
        if left.is_empty() {
            return None;
        }
        let mut before = Before { lines: numbers::read(&mut left)?, ..Before::default() };
        if before.lines > 0 {
            before.bytes = numbers::read(&mut left)?;
            before.records = numbers::read(&mut left)?;
        }
        let length = numbers::read(&mut left)?;
        let count = usize::try_from(numbers::read(&mut left)?).ok()?;
        for index in 0..count {
            let (&capture, rest) = left.split_first()?;
            left = rest;
            let stated = usize::try_from(numbers::read(&mut left)?).ok()?;
            let range = match stated.checked_sub(1) {
                Some(length) => {
                    let start = end - left.len() + 1;
                    left = left.get(length + 1..)?;
                    start..start + length
                }
                None => self.rest.captures.get(index)?.1.clone(),
            };
            put(&mut self.rest.captures, index, (capture, range));
        }
        self.rest.captures.truncate(count);
        self.rest.at = end - left.len();
        Some(FoundRecord { before, length })
    }

    /// The captures of the record that was read last.
    pub(in crate::check) fn captures(&self) -> Captures<'_> {
        Captures::of_scan(&self.records, 0, &self.rest.captures, 0, None)
    }
}

/// Sets the capture at an index, which is at most one after the last.
fn put(captures: &mut Vec<(u8, Range<usize>)>, place: usize, capture: (u8, Range<usize>)) {
    match captures.get_mut(place) {
        Some(before) => *before = capture,
        None => captures.push(capture),
    }
}

/// A capture of a record.
#[derive(Debug, Clone)]
pub(in crate::check) struct Capture<'a> {
    number: u8,
    /// A quote for a string, a space for any other value.
    mark: u8,
    text: &'a [u8],
}

impl<'a> Capture<'a> {
    /// The captures of a record. Of a list or an object only the opening bracket.
    pub(super) fn all(captures: &Captures<'a>) -> impl ExactSizeIterator<Item = Self> {
        let captures = *captures;
        captures.strings.iter().enumerate().map(move |(index, (number, range))| {
            let text = captures.bytes(range);
            let (mark, text) = match captures.kind(index) {
                Some("a string") => (b'"', text),
                Some("a list" | "an object") => (b' ', &text[..1]),
                _ => (b' ', text),
            };
            Self { number: *number, mark, text }
        })
    }
}

/// Writes the list of records, see the module.
#[derive(Debug, Default)]
pub(in crate::check) struct RecordWriter {
    bytes: Vec<u8>,
    /// Lines after the last record of the list.
    before: Before,
    /// The captures of the last record.
    captures: Vec<(u8, Range<usize>)>,
}

impl RecordWriter {
    /// Adds a line of `length` bytes that is not listed: blank, or a clean record.
    pub(super) fn pass(&mut self, length: usize, is_record: bool) {
        self.before.lines += 1;
        self.before.bytes += length as u64;
        self.before.records += u64::from(is_record);
    }

    /// Adds a record to the list. `length` is the number of bytes of its line, with the line break.
    pub(super) fn add<'c>(&mut self, length: usize, captures: impl ExactSizeIterator<Item = Capture<'c>>) {
        let before = std::mem::take(&mut self.before);
        self.number(before.lines);
        if before.lines > 0 {
            self.number(before.bytes);
            self.number(before.records);
        }
        self.number(length as u64);
        let count = captures.len();
        self.number(count as u64);
        for (index, Capture { number, mark, text }) in captures.enumerate() {
            self.bytes.push(number);
            let before = self.captures.get(index).map(|(_, before)| before.clone());
            let is_same = |before: &Range<usize>| {
                self.bytes[before.clone()] == *text && self.bytes[before.start - 1] == mark
            };
            let range = if let Some(before) = before.filter(is_same) {
                self.number(0);
                before
            } else {
                self.number(text.len() as u64 + 1);
                self.bytes.push(mark);
                let start = self.bytes.len();
                self.bytes.extend_from_slice(text);
                start..start + text.len()
            };
            put(&mut self.captures, index, (number, range));
        }
        self.captures.truncate(count);
    }

    fn number(&mut self, number: u64) {
        numbers::write(&mut self.bytes, number);
    }
}
