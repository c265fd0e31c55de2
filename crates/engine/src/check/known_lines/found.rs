//! Lines that were found ahead of a check, and the captures of their records for the checks of a dataset.
//!
//! Records are listed if the checks of the dataset look at them, or if they have findings; all others are clean. The list is bytes,
//! in which numbers are unsigned LEB128. For each record: the number of lines before it that are not listed, and if there are any,
//! their bytes and the number of records among them; the bytes of its line with the line break; 0 for a clean record, else 1 more
//! than the index of its counts; then the number of its captures, and for each its number (a byte) and its text. A text is 0 if it
//! equals that of the capture at the same index of the record before, else 1 more than its length, a mark (a quote for a string, a
//! space for any other value) and its bytes; of a list or an object only the opening bracket.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use evalcheck_records::KnownLines;

use super::counts::RecordCounts;
use crate::formats::checks::Captures;
use crate::numbers;
use crate::overview::Overview;
use crate::scan::PADDING;

/// Consecutive lines that a check may pass over, with the captures of their records for the checks of the dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLines {
    /// See the module; followed by [`PADDING`] zeros. Empty if no record is listed.
    records: Vec<u8>,
    /// The counts of the records with findings.
    counts: Vec<RecordCounts>,
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
    /// The index of its counts, for [`FoundLines::counts`]; `None` for a clean record.
    counts: Option<usize>,
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
        let RecordWriter { bytes, counts, .. } = records;
        let statistics = statistics.map(|statistics| Statistics(Arc::new(statistics)));
        Self { statistics, ..Self::read(lines, bytes, counts) }
    }

    fn read(lines: KnownLines, mut records: Vec<u8>, counts: Vec<RecordCounts>) -> Self {
        if !records.is_empty() {
            records.resize(records.len() + PADDING, 0);
        }
        Self {
            records,
            counts,
            statistics: None,
            rest: Rest { lines, at: 0, next: None, captures: Vec::new() },
        }
    }

    /// Decodes the results of [`FoundLines::encoded`], [`FoundLines::encoded_counts`] and [`FoundLines::encoded_statistics`] for
    /// these lines. `None` if they are malformed, or the numbers do not fit.
    pub(crate) fn decode(
        lines: KnownLines,
        records: &[u8],
        mut counts: &[u8],
        statistics: &[u8],
    ) -> Option<Self> {
        let mut all = Vec::new();
        while !counts.is_empty() {
            all.push(RecordCounts::read(&mut counts)?);
        }
        let mut read = Self::read(lines, records.to_vec(), all);
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
            let has_counts = record.counts.is_none_or(|place| place < read.counts.len());
            if !is_within || records > lines || !has_counts {
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

    /// The counts of the records with findings, as bytes.
    pub(crate) fn encoded_counts(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for counts in &self.counts {
            counts.write(&mut bytes);
        }
        bytes
    }

    /// The statistics of all lines, as bytes; empty if they are not counted.
    pub(crate) fn encoded_statistics(&self) -> Vec<u8> {
        self.statistics.as_ref().and_then(|statistics| statistics.0.to_bytes()).unwrap_or_default()
    }

    /// Bytes of memory that these take, without the counts of records, which are few.
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

    /// The counts of a record with findings.
    pub(in crate::check) fn counts(&self, record: FoundRecord) -> Option<&RecordCounts> {
        self.counts.get(record.counts?)
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

    /// Leaves out lines until at least `fewest` bytes follow before the next record that has to be read.
    pub(in crate::check) fn leave_dense(&mut self, fewest: u64, is_read: impl Fn(&RecordCounts) -> bool) {
        let mut rest = self.rest.clone();
        while let Some(record) = self.next_record() {
            let known = self.rest.lines.bytes.start + record.before.bytes - rest.lines.bytes.start;
            let is_read = self.counts(record).is_some_and(&is_read);
            if known + if is_read { 0 } else { record.length } >= fewest {
                self.rest = rest;
                return;
            }
            self.leave(record);
            if is_read {
                rest = self.rest.clone();
            }
        }
        if self.rest.lines.bytes.end - rest.lines.bytes.start >= fewest {
            self.rest = rest;
        } else {
            self.take_rest();
        }
    }

    /// Leaves out all lines, and returns them.
    pub(in crate::check) fn take_rest(&mut self) -> KnownLines {
        let end = self.rest.lines.bytes.end;
        self.rest.at = self.records.len();
        self.rest.next = None;
        std::mem::replace(
            &mut self.rest.lines,
            KnownLines { bytes: end..end, lines: 0, records: 0, counted: 0 },
        )
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
        let counts = usize::try_from(numbers::read(&mut left)?).ok()?.checked_sub(1);
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
        Some(FoundRecord { before, length, counts })
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
    text: Cow<'a, [u8]>,
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
            Self { number: *number, mark, text: text.into() }
        })
    }

    /// The same capture, without a borrow from the record.
    pub(super) fn into_owned(self) -> Capture<'static> {
        Capture { text: self.text.into_owned().into(), ..self }
    }
}

/// Writes the list of records, see the module.
#[derive(Debug, Default)]
pub(in crate::check) struct RecordWriter {
    bytes: Vec<u8>,
    counts: Vec<RecordCounts>,
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

    /// Adds a record to the list. `length` is the number of bytes of its line, with the line break; `counts` is `None` for a clean record.
    pub(super) fn add<'c>(
        &mut self,
        length: usize,
        counts: Option<RecordCounts>,
        captures: impl ExactSizeIterator<Item = Capture<'c>>,
    ) {
        let before = std::mem::take(&mut self.before);
        self.number(before.lines);
        if before.lines > 0 {
            self.number(before.bytes);
            self.number(before.records);
        }
        self.number(length as u64);
        let place = counts.map_or(0, |counts| self.place(counts) as u64 + 1);
        self.number(place);
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
                self.bytes.extend_from_slice(&text);
                start..start + text.len()
            };
            put(&mut self.captures, index, (number, range));
        }
        self.captures.truncate(count);
    }

    /// The index of these counts.
    fn place(&mut self, counts: RecordCounts) -> usize {
        self.counts.iter().position(|known| *known == counts).unwrap_or_else(|| {
            self.counts.push(counts);
            self.counts.len() - 1
        })
    }

    fn number(&mut self, number: u64) {
        numbers::write(&mut self.bytes, number);
    }
}
