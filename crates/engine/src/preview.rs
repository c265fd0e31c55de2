//! Reads lines, records and attachments again to show them, a few at a time.

mod again;
mod attachment;
mod attachments;
mod cells;
mod changes;

mod edited;
mod encodings;
mod example_groups;
mod excerpt;
mod findings;
mod fingerprint;
mod fix_diff;
mod fixes;
mod hits;
mod limits;
mod linked;
mod pdf;
mod record;
mod records_again;
mod rows;
mod sample;
mod source;
mod table;
mod unknown;

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_core::excerpt::is_continuation;
use evalcheck_wire::report::Severity;
use evalcheck_wire::view::{Line, Lines, Mark, Record, Source};

use crate::archive::Archive;
use crate::check::state::CheckState;
use crate::diagnose::{PathBuilder, RecordStart};
use crate::finding::Finding;
use crate::formats::Layout;
use crate::loaded::Candidate;
use crate::records::finder::FoundRecord;
use crate::records::{MAX_RECORD, Reader};
use crate::rules::SyntaxProblem;

use sample::Shows;
pub(crate) use source::Packing;
pub use source::View;

/// The maximum number of lines returned at once.
const MOST_LINES: u32 = 500;

/// The maximum number of bytes of a line in a list.
const LINE_BYTES: usize = 600;

/// The maximum number of bytes of a line that is checked for a list; a longer one shows the findings that the check kept of it.
const CHECKED: usize = 1 << 20;

/// The rest of a line is skipped if it is longer than this; a shorter one is read as fast.
const GAP: u64 = 1 << 20;

/// The maximum number of bytes of a record that are shown.
const SOURCE: usize = 128 << 10;

impl<R: Read + Seek> View<'_, R> {
    /// Lines `from..from + count` (from 1) for a list, with the worst severity of each.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn lines(&mut self, from: u64, count: u32) -> io::Result<Lines> {
        let total = self.reader.positions().text_lines;
        let from = from.max(1);
        let count = u64::from(count.min(MOST_LINES)).min((total + 1).saturating_sub(from));
        let mut lines = Vec::new();
        // The spans of findings beyond the kept bytes of a long line, with the indices of the lines.
        let mut beyond = Vec::new();
        if count > 0 {
            let reader = self.reader;
            let mut before = String::new();
            // The line before is read as well, for the beginning that the first one has in common with it.
            each_line(self, (from - 1).max(1), CHECKED, |raw| {
                let head = String::from_utf8_lossy(clip_utf8(&raw.bytes, LINE_BYTES)).into_owned();
                if raw.number >= from {
                    let (line, span) = line(&raw, reader, &before);
                    beyond.extend(span.map(|span| (lines.len(), span)));
                    lines.push(line);
                }
                before = head;
                if lines.len() as u64 == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        for (index, span) in beyond {
            lines[index].excerpt = self.excerpt_within(span, LINE_BYTES / 2)?;
            lines[index].shared = 0;
        }
        Ok(Lines { total, lines })
    }

    /// The record with a number, from 0, in full, as [`View::record`] returns it; alone even if others are on its line.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn record_of_number(&mut self, number: u64, at: Option<u64>) -> io::Result<Option<Record>> {
        if let Some(name) = self.unknown {
            return unknown::record(self, name, number);
        }
        if number >= self.reader.visitor().dataset.collector.records() {
            return Ok(None);
        }
        if let Some(found) = record::find_number(self, number)?.and_then(|finder| finder.found) {
            return self.found_record(&found, at).map(Some);
        }
        match self.rows(number, 1)?.rows.first() {
            Some(row) => self.record(row.line, at),
            None => Ok(None),
        }
    }

    /// A record that was found, with samples in other encodings, and with the records that it names.
    fn found_record(&mut self, found: &FoundRecord, at: Option<u64>) -> io::Result<Record> {
        let encodings = encodings::samples(&found.bytes, self.decoders);
        let mut record = Record { encodings, ..record::record(found, self.reader, self.archive, at) };
        linked::add(self, &found.bytes, &mut record)?;
        Ok(record)
    }

    /// The record at a line in full; `None` if the dataset has no such line. The text of a long record is that around a byte of the
    /// dataset, by default around its first finding.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn record(&mut self, line: u64, at: Option<u64>) -> io::Result<Option<Record>> {
        let count = self.reader.positions().text_lines;
        // The end of a record that is cut off is after the last line break.
        let number = if line == count + 1 { count } else { line };
        if number == 0 || number > count {
            return Ok(None);
        }
        let mut record = None;
        let (reader, archive, decoders) = (self.reader, self.archive, self.decoders);
        let finder = record::find(self, number)?;
        let several = finder.as_ref().is_some_and(|finder| finder.several);
        let found = finder.and_then(|finder| finder.found);
        if let Some(found) = &found
            && !several
        {
            return self.found_record(found, at).map(Some);
        }
        each_line(self, number, MAX_RECORD, |raw| {
            let encodings = encodings::samples(&raw.bytes, decoders);
            record = Some(Record { encodings, ..whole_record(&raw, reader, archive, at) });
            ControlFlow::Break(())
        })?;
        if let (Some(record), Some(found)) = (&mut record, &found) {
            // For several records on one line, all of it is shown, and the sample is that of the first one.
            let first = record::record(found, reader, archive, at);
            record.sample = first.sample;
            record.sample_is_fixed = first.sample_is_fixed;
            record.loaded = first.loaded;
        }
        Ok(record)
    }
}

/// A line as it was read.
struct Raw {
    number: u64,
    start: u64,
    /// Its length in bytes, with a carriage return that belongs to its line break.
    length: u64,
    /// Its first bytes: all of it if it is no longer than requested. Without a byte order mark.
    bytes: Vec<u8>,
    /// Bytes of a byte order mark before them.
    skipped: u64,
    whole: bool,
}

impl Raw {
    fn new(number: u64, start: u64) -> Self {
        Self { number, start, length: 0, bytes: Vec::new(), skipped: 0, whole: true }
    }

    fn push(&mut self, bytes: &[u8], most: usize) {
        let room = most.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
        self.whole &= bytes.len() <= room;
    }

    fn finish(&mut self) {
        if self.number == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
            self.skipped = 3;
        }
        if self.whole && self.bytes.ends_with(b"\r") {
            self.bytes.pop();
            self.length -= 1;
        }
    }
}

/// Calls `each` with the lines from `from` on, until it breaks or the dataset ends. At most `most` bytes of each line are kept; the
/// rest of a longer line is skipped if the index has its end.
fn each_line<R: Read + Seek>(
    view: &mut View<'_, R>,
    from: u64,
    most: usize,
    mut each: impl FnMut(Raw) -> ControlFlow<()>,
) -> io::Result<()> {
    let positions = view.reader.positions();
    let (mut number, mut offset) = positions.lines.before(from);
    loop {
        let mut raw = Raw::new(number, offset);
        let mut at = offset;
        let mut jump = None;
        let flow = view.read_from(offset, |mut bytes| {
            while let Some(newline) = memchr::memchr(b'\n', bytes) {
                if number >= from {
                    raw.push(&bytes[..newline], most);
                    raw.finish();
                    let line = std::mem::replace(&mut raw, Raw::new(0, 0));
                    each(line)?;
                }
                at += newline as u64 + 1;
                bytes = &bytes[newline + 1..];
                number += 1;
                raw = Raw::new(number, at);
            }
            at += bytes.len() as u64;
            if number >= from {
                raw.push(bytes, most);
            }
            let marked = positions.lines.before(number + 1);
            if marked.0 == number + 1 && marked.1 > at + GAP && (number < from || !raw.whole) {
                jump = Some(marked.1);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        if let Some(next) = jump {
            raw.length = next - 1 - raw.start;
            raw.finish();
            number += 1;
            offset = next;
            if number > from && each(raw).is_break() {
                return Ok(());
            }
            continue;
        }
        if flow.is_continue() && raw.length > 0 && number >= from {
            raw.finish();
            let _ = each(raw);
        }
        return Ok(());
    }
}

/// A line for a list, and the span of the finding around which its excerpt is, if that is beyond the kept bytes. `before` is the
/// beginning of the line before.
fn line(raw: &Raw, reader: &dyn Reader<CheckState>, before: &str) -> (Line, Option<Range<u64>>) {
    let state = reader.visitor();
    let blank = raw.whole && state.dataset.format.texts.lines.is_blank(&raw.bytes);
    let again = if blank { Vec::new() } else { check_line(raw, reader) };
    let severity = worst(&again).into_iter().chain(state.dataset.severity_at(raw.number)).min();
    let begin = raw.start + raw.skipped;
    let first = again
        .iter()
        .chain(state.dataset.findings_at(raw.number))
        .filter_map(|finding| Some((finding.problem.rule().severity, finding.location.bytes.clone()?)))
        .filter(|(_, bytes)| begin <= bytes.start && bytes.start <= raw.start + raw.length)
        .min_by_key(|(severity, bytes)| (*severity, bytes.start));
    let span = first.map_or(begin..begin, |(_, bytes)| bytes);
    let local = |byte: u64| usize::try_from(byte - begin).unwrap_or(usize::MAX).min(raw.bytes.len());
    let excerpt = excerpt::around(
        &raw.bytes,
        raw.length - raw.skipped,
        local(span.start)..local(span.end.max(span.start)),
        LINE_BYTES,
    );
    let same = excerpt.text.chars().zip(before.chars()).take_while(|(one, other)| one == other);
    let shared = if excerpt.clipped_before { 0 } else { same.map(|(c, _)| c.len_utf8()).sum() };
    let is_beyond = span.start > begin + raw.bytes.len() as u64;
    let line = Line {
        number: raw.number,
        byte_start: raw.start,
        bytes: raw.length,
        excerpt,
        shared,
        severity,
        blank,
    };
    (line, is_beyond.then_some(span))
}

/// Whether a line is a record, and not too long.
fn is_record(raw: &Raw, reader: &dyn Reader<CheckState>) -> bool {
    let state = reader.visitor();
    let is_record = match state.dataset.variant.layout {
        Layout::Jsonl => true,
        Layout::JsonlWithHeader(_) => !reader.positions().header_lines.contains(&raw.number),
        Layout::Csv(_) | Layout::Json(_) => false,
    };
    is_record && raw.whole && !state.dataset.format.texts.lines.is_blank(&raw.bytes)
}

/// The findings on a line by itself: none if the line is not a record, or is too long.
fn check_line(raw: &Raw, reader: &dyn Reader<CheckState>) -> Vec<Finding> {
    if !is_record(raw, reader) {
        return Vec::new();
    }
    let record_start =
        RecordStart { offset: raw.start + raw.skipped, line: raw.number, column: 1, record: 0 };
    reader.visitor().dataset.preview_record(&raw.bytes, record_start, &PathBuilder::default(), 0)
}

fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.problem.rule().severity).min()
}

fn whole_record(
    raw: &Raw,
    reader: &dyn Reader<CheckState>,
    archive: Option<&Archive>,
    at: Option<u64>,
) -> Record {
    let state = reader.visitor();
    let kept: Vec<Finding> = state.dataset.findings_at(raw.number).cloned().collect();
    let mut findings = check_line(raw, reader);
    // The check explains a record over several lines: it saw the lines after this one.
    if kept.iter().any(|finding| {
        matches!(
            finding.problem.downcast_ref(),
            Some(SyntaxProblem::SeveralLines { .. } | SyntaxProblem::ArrayOfRecords { .. })
        )
    }) {
        findings.clear();
    }
    let record = kept.iter().find_map(|finding| finding.location.record);
    merge(&mut findings, kept);
    if matches!(state.dataset.variant.layout, Layout::Jsonl | Layout::JsonlWithHeader(_)) {
        for finding in &mut findings {
            finding.location.record = record;
        }
    }
    let start = raw.start + raw.skipped;
    let is_record = is_record(raw, reader);
    let record_start = RecordStart { line: raw.number, ..RecordStart::default() };
    let loaded = is_record.then(|| {
        let (text, start) = (Some(&*raw.bytes), record_start);
        let line = Candidate { text, start, list: 0, table: None, findings: &findings };
        limits::limit_loaded(state.dataset.load(&line).to_wire())
    });
    limits::limit_findings(&mut findings, at);
    let (sample, sample_is_fixed) = if raw.whole {
        let shows =
            Shows { bytes: &raw.bytes, start, line: raw.number, findings: &findings, reader, archive };
        shows.sample(|bytes| {
            if is_record {
                state.dataset.preview_record(bytes, record_start, &PathBuilder::default(), 0)
            } else {
                Vec::new()
            }
        })
    } else {
        (None, None)
    };
    Record {
        line: raw.number,
        loaded,
        findings: findings.iter().map(Finding::to_wire).collect(),
        source: source(&raw.bytes, raw.length - raw.skipped, start, &findings, at),
        sample,
        sample_is_fixed,
        encodings: Vec::new(),
    }
}

/// The severities of findings, and their spans in a record of `length` bytes that begins at a byte of the dataset.
fn spans(findings: &[Finding], start: u64, length: usize) -> Vec<(Severity, Range<usize>)> {
    let local = |byte: u64| {
        let byte = usize::try_from(byte.checked_sub(start)?).ok()?;
        (byte <= length).then_some(byte)
    };
    let span = |finding: &Finding| {
        let bytes = finding.location.bytes.as_ref()?;
        Some((finding.problem.rule().severity, local(bytes.start)?..local(bytes.end)?))
    };
    findings.iter().filter_map(span).collect()
}

/// Adds the findings that the check kept, except those that were found again.
fn merge(findings: &mut Vec<Finding>, kept: Vec<Finding>) {
    let own = findings.len();
    for finding in kept {
        let twin = |other: &Finding| {
            other.location.bytes == finding.location.bytes
                && other.problem.rule().code == finding.problem.rule().code
                && other.problem.message() == finding.problem.message()
        };
        if !findings[..own].iter().any(twin) {
            findings.push(finding);
        }
    }
}

/// The text of a record of `length` bytes that begins at a byte of the dataset; `bytes` are its first bytes.
fn source(bytes: &[u8], length: u64, start: u64, findings: &[Finding], at: Option<u64>) -> Source {
    let first = || findings.iter().find_map(|finding| Some(finding.location.bytes.as_ref()?.start));
    let at =
        at.or_else(first).map_or(0, |at| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX));
    let mut from = at.saturating_sub(SOURCE / 2).min(bytes.len().saturating_sub(SOURCE));
    from += bytes[from..].iter().take_while(|byte| from > 0 && is_continuation(**byte)).take(3).count();
    let shown = clip_utf8(&bytes[from..], SOURCE);
    let before = from as u64;
    let after = length.saturating_sub(before + shown.len() as u64);
    Source {
        text: String::from_utf8_lossy(shown).into_owned(),
        marks: marks(findings, start + before, shown),
        editable: edited::range(bytes, start).filter(|_| bytes.len() as u64 == length),
        before,
        after,
    }
}

/// The first bytes, not cut within a character.
fn clip_utf8(bytes: &[u8], most: usize) -> &[u8] {
    let mut end = bytes.len().min(most);
    while end < bytes.len() && end > 0 && is_continuation(bytes[end]) {
        end -= 1;
    }
    &bytes[..end]
}

/// The positions of the findings in the shown text, as far as it goes, in UTF-16 code units.
fn marks(findings: &[Finding], start: u64, shown: &[u8]) -> Vec<Option<Mark>> {
    let end = start + shown.len() as u64;
    let local = |byte: u64| usize::try_from(byte.clamp(start, end) - start).unwrap_or(shown.len());
    let units = |bytes: &[u8]| String::from_utf8_lossy(bytes).encode_utf16().count() as u64;
    // Findings are mostly in the order of the text, so counting continues from the one before.
    let mut counted = (0, 0);
    let mark = |finding: &Finding| {
        let span = finding.location.bytes.as_ref().filter(|span| start <= span.end && span.start <= end)?;
        let (from, to) = (local(span.start), local(span.end));
        if from == to && !span.is_empty() {
            return None;
        }
        if counted.0 > from {
            counted = (0, 0);
        }
        counted = (from, counted.1 + units(&shown[counted.0..from]));
        Some(Mark { start_utf16: counted.1, end_utf16: counted.1 + units(&shown[from..to]) })
    };
    findings.iter().map(mark).collect()
}
