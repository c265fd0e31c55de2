//! Lines of the dataset, read again.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_report::view::{Line, Lines, Record};

use super::sample::Shows;
use super::text::clip_utf8;
use super::{View, excerpt, limits, text, worst};
use crate::archive::Archive;
use crate::check::state::CheckState;
use crate::diagnose::{PathBuilder, RecordStart};
use crate::finding::Finding;
use crate::formats::Layout;
use crate::loaded::Candidate;
use crate::records::Reader;
use crate::rules::SyntaxProblem;

/// The maximum number of lines returned at once.
const MOST_LINES: u32 = 500;

/// The maximum number of bytes of a line in a list.
const LINE_BYTES: usize = 600;

/// The maximum number of bytes of a line that is checked for a list; a longer one shows the findings that the check kept of it.
const CHECKED: usize = 1 << 20;

/// The rest of a line is skipped if it is longer than this; a shorter one is read as fast.
const GAP: u64 = 1 << 20;

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
}

/// A line as it was read.
pub(super) struct Raw {
    pub(super) number: u64,
    pub(super) start: u64,
    /// Its length in bytes, with a carriage return that belongs to its line break.
    pub(super) length: u64,
    /// Its first bytes: all of it if it is no longer than requested. Without a byte order mark.
    pub(super) bytes: Vec<u8>,
    /// Bytes of a byte order mark before them.
    pub(super) skipped: u64,
    pub(super) whole: bool,
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

    /// The line at its end.
    fn finished(mut self) -> Self {
        if self.number == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
            self.skipped = 3;
        }
        if self.whole && self.bytes.ends_with(b"\r") {
            self.bytes.pop();
            self.length -= 1;
        }
        self
    }
}

/// Calls `each` with the lines from `from` on, until it breaks or the dataset ends. At most `most` bytes of each line are kept; the
/// rest of a longer line is skipped if the index has its end.
pub(super) fn each_line<R: Read + Seek>(
    view: &mut View<'_, R>,
    from: u64,
    most: usize,
    mut each: impl FnMut(Raw) -> ControlFlow<()>,
) -> io::Result<()> {
    let positions = view.reader.positions();
    let most_of = |line: u64| if line < from { 0 } else { most };
    let (mut number, mut offset) = positions.lines.before(from);
    loop {
        let mut raw = Raw::new(number, offset);
        let mut next = None;
        let flow = view.read_from(offset, |mut bytes| {
            while let Some(newline) = memchr::memchr(b'\n', bytes) {
                raw.push(&bytes[..newline], most_of(raw.number));
                let following = Raw::new(raw.number + 1, raw.start + raw.length + 1);
                let line = std::mem::replace(&mut raw, following);
                if line.number >= from {
                    each(line.finished())?;
                }
                bytes = &bytes[newline + 1..];
            }
            raw.push(bytes, most_of(raw.number));
            let (line, start) = positions.lines.before(raw.number + 1);
            if line > raw.number && !raw.whole && start > raw.start + raw.length + GAP {
                next = Some(start);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        let Some(start) = next else {
            if flow.is_continue() && raw.length > 0 && raw.number >= from {
                let _ = each(raw.finished());
            }
            return Ok(());
        };
        (number, offset) = (raw.number + 1, start);
        raw.length = start - 1 - raw.start;
        if raw.number >= from && each(raw.finished()).is_break() {
            return Ok(());
        }
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
pub(super) fn is_record(raw: &Raw, reader: &dyn Reader<CheckState>) -> bool {
    let state = reader.visitor();
    let is_record = match state.dataset.variant.layout {
        Layout::Jsonl => true,
        Layout::JsonlWithHeader(_) => !reader.positions().header_lines.contains(&raw.number),
        Layout::Csv(_) | Layout::Json(_) => false,
    };
    is_record && raw.whole && !state.dataset.format.texts.lines.is_blank(&raw.bytes)
}

/// The findings on a line by itself: none if the line is not a record, or is too long.
pub(super) fn check_line(raw: &Raw, reader: &dyn Reader<CheckState>) -> Vec<Finding> {
    if !is_record(raw, reader) {
        return Vec::new();
    }
    let record_start =
        RecordStart { offset: raw.start + raw.skipped, line: raw.number, column: 1, record: 0 };
    reader.visitor().dataset.preview_record(&raw.bytes, record_start, &PathBuilder::default(), 0)
}

/// The record of a line, or a line that is none, in full.
pub(super) fn record_of_line(
    raw: &Raw,
    reader: &dyn Reader<CheckState>,
    archive: Option<&Archive>,
    at: Option<u64>,
) -> Record {
    let state = reader.visitor();
    let kept: Vec<Finding> = state.dataset.findings_at(raw.number).cloned().collect();
    let mut findings = check_line(raw, reader);
    // The check explains a record over several lines: it saw the lines after this one.
    let goes_on =
        |finding: &Finding| finding.problem.downcast_ref().is_some_and(SyntaxProblem::has_several_lines);
    if kept.iter().any(goes_on) {
        findings.clear();
    }
    let record = kept.iter().find_map(|finding| finding.location.record);
    super::merge(&mut findings, kept);
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
        source: text::source(&raw.bytes, raw.length - raw.skipped, start, &findings, at),
        sample,
        sample_is_fixed,
        encodings: Vec::new(),
    }
}
