//! Clean lines that were found, and what the checks of a dataset look at in their records.
//!
//! That is kept as bytes, in which numbers are unsigned LEB128. For each record: the number of blank lines before it, the bytes of
//! these, and the bytes of its line with the line break; then the number of its captures, and for each its number (a byte) and its text.
//! A text is 0 where it is that of the capture at the same place of the record before, else 1 more than its length, a mark (a quote for
//! a string, a space for any other value) and its bytes; of a list or an object only the opening bracket.

use std::ops::Range;

use evalcheck_records::CleanLines;

use crate::formats::checks::Captures;
use crate::numbers;
use crate::scan::PADDING;

/// Clean and blank lines in a row, with what the checks of the dataset look at in the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLines {
    lines: CleanLines,
    /// See the module; followed by [`PADDING`] zeros. Empty where nothing is looked at.
    records: Vec<u8>,
    /// Where the next record begins in these.
    at: usize,
    /// The captures of the record that was read last.
    captures: Vec<(u8, Range<usize>)>,
}

/// A record of [`FoundLines`].
#[derive(Debug, Clone, Copy)]
pub(in crate::check) struct FoundRecord {
    /// Blank lines before it, and their bytes.
    pub(in crate::check) blank: (u64, u64),
    /// Bytes of its line, with the line break.
    pub(in crate::check) length: u64,
}

impl FoundLines {
    pub(in crate::check) fn new(lines: CleanLines, records: RecordWriter) -> Self {
        Self::read(lines, records.finish())
    }

    fn read(lines: CleanLines, mut records: Vec<u8>) -> Self {
        if !records.is_empty() {
            records.resize(records.len() + PADDING, 0);
        }
        Self { lines, records, at: 0, captures: Vec::new() }
    }

    /// These lines, of what [`FoundLines::encoded`] returned. `None` where that is not of the form, or the numbers do not fit.
    pub(crate) fn decode(lines: CleanLines, records: &[u8]) -> Option<Self> {
        let mut read = Self::read(lines, records.to_vec());
        if records.is_empty() {
            return (read.lines.records <= read.lines.lines).then_some(read);
        }
        let whole = read.clone();
        // Each record is of this form and within the lines.
        while let Some(record) = read.next_record() {
            let (blank_lines, blank_bytes) = record.blank;
            let lines = blank_lines.checked_add(1)?;
            let bytes = blank_bytes.checked_add(record.length)?;
            let left = &read.lines;
            if left.records == 0 || left.lines < lines || left.bytes.end - left.bytes.start < bytes {
                return None;
            }
            read.leave(record);
        }
        let is_at_end = read.at + PADDING == read.records.len();
        (is_at_end && read.lines.records == 0).then_some(whole)
    }

    /// What the checks of the dataset look at in the records, see the module.
    pub(crate) fn encoded(&self) -> &[u8] {
        &self.records[..self.records.len().saturating_sub(PADDING)]
    }

    /// The lines that are left.
    pub fn lines(&self) -> &CleanLines {
        &self.lines
    }

    /// True where the checks of the dataset look at the records.
    pub(in crate::check) fn has_captures(&self) -> bool {
        !self.records.is_empty()
    }

    /// Leaves out the lines of a record and the blank ones before it.
    pub(in crate::check) fn leave(&mut self, record: FoundRecord) {
        let FoundRecord { blank: (lines, bytes), length } = record;
        self.lines.lines -= lines + 1;
        self.lines.records -= 1;
        self.lines.bytes.start += bytes + length;
    }

    /// Leaves out lines until they have so many bytes.
    pub(in crate::check) fn leave_bytes(&mut self, bytes: u64) {
        let end = self.lines.bytes.start.saturating_add(bytes);
        while self.lines.bytes.start < end
            && let Some(record) = self.next_record()
        {
            self.leave(record);
        }
    }

    /// Leaves out all lines, and returns them.
    pub(in crate::check) fn take_rest(&mut self) -> CleanLines {
        let end = self.lines.bytes.end;
        self.at = self.records.len();
        std::mem::replace(&mut self.lines, CleanLines { bytes: end..end, lines: 0, records: 0 })
    }

    /// The next record; `None` after the last one. Its captures are those of [`FoundLines::captures`] then.
    pub(in crate::check) fn next_record(&mut self) -> Option<FoundRecord> {
        let end = self.encoded().len();
        let mut left = &self.records[self.at.min(end)..end];
        if left.is_empty() {
            return None;
        }
        let lines = numbers::read(&mut left)?;
        let blank = (lines, if lines > 0 { numbers::read(&mut left)? } else { 0 });
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
                None => self.captures.get(index)?.1.clone(),
            };
            put(&mut self.captures, index, (capture, range));
        }
        self.captures.truncate(count);
        self.at = end - left.len();
        Some(FoundRecord { blank, length })
    }

    /// What the checks of the dataset look at in the record that was read last.
    pub(in crate::check) fn captures(&self) -> Captures<'_> {
        Captures::of_scan(&self.records, 0, &self.captures, 0, None)
    }
}

/// Sets the capture at a place, which is at most one after the last.
fn put(captures: &mut Vec<(u8, Range<usize>)>, place: usize, capture: (u8, Range<usize>)) {
    match captures.get_mut(place) {
        Some(before) => *before = capture,
        None => captures.push(capture),
    }
}

/// Writes records, see the module.
#[derive(Debug, Default)]
pub(in crate::check) struct RecordWriter {
    bytes: Vec<u8>,
    /// Blank lines after the last record, and their bytes.
    blank: (u64, u64),
    /// The captures of the last record.
    captures: Vec<(u8, Range<usize>)>,
}

impl RecordWriter {
    pub(in crate::check) fn add_blank(&mut self, length: usize) {
        self.blank.0 += 1;
        self.blank.1 += length as u64;
    }

    /// Adds a record. `length` is that of its line in bytes, with the line break.
    pub(in crate::check) fn add(&mut self, length: usize, captures: &Captures<'_>) {
        let (lines, bytes) = std::mem::take(&mut self.blank);
        self.number(lines);
        if lines > 0 {
            self.number(bytes);
        }
        self.number(length as u64);
        self.number(captures.strings.len() as u64);
        for (index, (capture, range)) in captures.strings.iter().enumerate() {
            let text = captures.bytes(range);
            let (mark, text) = match captures.kind(index) {
                Some("a string") => (b'"', text),
                Some("a list" | "an object") => (b' ', &text[..1]),
                _ => (b' ', text),
            };
            self.bytes.push(*capture);
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
            put(&mut self.captures, index, (*capture, range));
        }
        self.captures.truncate(captures.strings.len());
    }

    fn number(&mut self, number: u64) {
        numbers::write(&mut self.bytes, number);
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
