//! Finds known lines in pieces of a dataset.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_json::buffer::Buffer;
use evalcheck_json::schema::Schema;
use evalcheck_records::line_end::trim_line_end;
use evalcheck_records::{Extent, KnownLines, MAX_RECORD, Reader, ScannedRecord};
use evalcheck_wire::query::QueryError;

use super::found::{Capture, RecordWriter};
use super::{FoundLines, LineRules, OtherLines};
use crate::check::state::CheckState;
use crate::diagnose::RecordStart;
use crate::formats::TextPolicy;
use crate::formats::checks::{Captures, Observes, RecordChecks};
use crate::overview::Overview;
use crate::scan::Scratch;
use crate::search::Search;

/// The most bytes that are passed over at once, except for a longer line: positions are noted only where lines are read or passed over.
const MOST: u64 = 256 << 10;

/// Finds lines in pieces of a dataset that a check may pass over.
pub struct LineScanner {
    texts: TextPolicy,
    schema: &'static Schema,
    checks: Rc<dyn RecordChecks>,
    /// Whether the captures for the checks of the dataset are kept.
    keeps_captures: bool,
    /// A reader after the header, which counts the statistics of a run, if requested.
    statistics: Option<Box<dyn Reader<CheckState>>>,
    scratch: Scratch,
    buffer: Buffer,
    /// Records that it may match are left to the check.
    search: Option<Result<Search, QueryError>>,
    /// Whether the system refuses all records because of the header.
    rejects_all: bool,
    /// Runs of fewer bytes are left to the check.
    fewest: u64,
    /// Lines that begin before this byte are left to the check: the first line, and those up to the header.
    first: u64,
}

// Without the buffer and the memory of the fast tier.
impl fmt::Debug for LineScanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineScanner").field("schema", &self.schema.doc).finish_non_exhaustive()
    }
}

/// The kind of a line by itself.
enum Line {
    /// A clean record.
    Record,
    Blank,
    /// Anything else.
    Doubtful,
}

impl LineScanner {
    /// Finds lines that are clean by these rules. Runs of fewer bytes than `fewest` are left to the check.
    ///
    /// `None` if the user's own schema cannot be compiled here: the check reads all lines.
    pub fn new(rules: &LineRules, fewest: u64) -> Option<Self> {
        let mut reader = rules.after_header()?;
        let state = reader.visitor();
        let (schema, checks) = (state.dataset.schema, Rc::clone(&state.dataset.record_checks));
        let mut scanner = Self {
            texts: rules.format.texts,
            schema,
            keeps_captures: rules.observes == Observes::Captures,
            checks,
            statistics: None,
            search: rules.query.as_ref().map(|query| query.search(rules.format)),
            rejects_all: state.dataset.collector.rejects_all,
            scratch: Scratch::default(),
            buffer: Buffer::default(),
            fewest,
            first: (rules.header.len() as u64).max(1),
        };
        if let Some(counting) = &rules.statistics {
            let CheckState { observers, dataset, .. } = reader.visitor_mut();
            observers.add(Overview::of_run(dataset, counting.clone()), dataset);
            scanner.statistics = Some(reader);
        }
        Some(scanner)
    }

    /// The buffer for the bytes of a piece.
    pub fn buffer(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    /// The known lines among the complete lines in the first `n` bytes of the buffer, which begin at byte `start` of the dataset.
    /// The first line may have begun earlier and is left out.
    pub fn scan(&mut self, start: u64, n: usize) -> Vec<FoundLines> {
        self.buffer.advance(n);
        let held = self.buffer.held().len();
        let first = memchr::memchr(b'\n', self.buffer.held()).map_or(held, |first| first + 1);
        let mut found = Vec::new();
        self.scan_lines(start, first, usize::MAX, &mut found);
        self.buffer.consume(held);
        found
    }

    /// Commits the first `n` bytes of the buffer.
    pub(crate) fn advance(&mut self, n: usize) {
        self.buffer.advance(n);
    }

    /// The number of bytes that are read and not scanned.
    pub(crate) fn held(&self) -> usize {
        self.buffer.held().len()
    }

    /// Leaves out the rest of a line, as far as it was read. Returns the number of bytes, and whether the line ends there.
    pub(crate) fn leave_line(&mut self) -> (usize, bool) {
        let end = memchr::memchr(b'\n', self.buffer.held());
        let bytes = end.map_or(self.buffer.held().len(), |end| end + 1);
        self.buffer.consume(bytes);
        (bytes, end.is_some())
    }

    /// Adds the known lines among those that were read, are complete and begin before `end`. The first one begins at `start`.
    /// `others` takes all other lines among them. Returns the number of bytes scanned.
    pub(crate) fn scan_lines_before(
        &mut self,
        start: u64,
        end: u64,
        found: &mut Vec<FoundLines>,
        others: Option<&mut OtherLines>,
    ) -> usize {
        let before = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let known = found.len();
        let scanned = self.scan_lines(start, 0, before, found);
        if let Some(others) = others {
            others.add(start, &self.buffer.held()[..scanned], &found[known..]);
        }
        self.buffer.consume(scanned);
        scanned
    }

    /// Scans the complete lines that begin at offset `at` of the buffer or later, and before `before`. The buffer begins at
    /// `start`. Returns the offset after them.
    fn scan_lines(&mut self, start: u64, mut at: usize, before: usize, found: &mut Vec<FoundLines>) -> usize {
        let last = memchr::memrchr(b'\n', self.buffer.held()).map_or(0, |last| last + 1);
        let mut run = Run::new(start + at as u64);
        while at < last && at < before {
            let (end, line) = self.line(at);
            let line = if start + (at as u64) < self.first { Line::Doubtful } else { line };
            let is_doubtful = matches!(line, Line::Doubtful);
            if is_doubtful || run.length() >= MOST {
                let next = if is_doubtful { end } else { at };
                self.keep(found, std::mem::replace(&mut run, Run::new(start + next as u64)));
            }
            match line {
                Line::Record => self.add_record(&mut run, at..end),
                Line::Blank => run.add_blank(end - at),
                Line::Doubtful => {}
            }
            at = end;
        }
        self.keep(found, run);
        at
    }

    fn add_record(&mut self, run: &mut Run, line: Range<usize>) {
        let length = line.len();
        if let Some(check) = &mut self.statistics {
            let bytes = self.buffer.with_padding();
            let text = trim_line_end(&bytes[line.start..line.end - 1]);
            // Lines are counted in the run.
            let at = RecordStart { offset: 0, line: run.lines.lines + 1, column: 1, record: 0 };
            let (captures, row, list, index) = (None, None, 0, 0);
            let record = ScannedRecord { bytes, start: line.start, text, captures, row, at, list, index };
            check.visitor_mut().show_clean(&record, &[]);
        }
        if self.keeps_captures {
            let bytes = self.buffer.with_padding();
            let captures = Captures::of_scan(bytes, line.start, &self.scratch.captures, 0, None);
            run.records.add(length, Capture::all(&captures));
        } else {
            run.records.pass(length, true);
        }
        run.add(length, true);
    }

    fn keep(&mut self, found: &mut Vec<FoundLines>, run: Run) {
        if run.lines.lines == 0 {
            return;
        }
        let check = self.statistics.as_mut().map(|check| check.visitor_mut());
        let statistics = check.and_then(|check| {
            let overview = check.observers.get_mut::<Overview>()?;
            let next = Overview::of_run(&check.dataset, overview.counting());
            Some(std::mem::replace(overview, next))
        });
        if run.length() >= self.fewest {
            found.push(FoundLines::new(run.lines, run.records, statistics));
        }
    }

    /// The end of the line at `start` of the buffer, after its line break, and its kind.
    fn line(&mut self, start: usize) -> (usize, Line) {
        let bytes = self.buffer.with_padding();
        if let Some(end) = Extent::Line.scan(bytes, start, self.schema, self.texts, &mut self.scratch) {
            let text = trim_line_end(&bytes[start..end]);
            let captures =
                Captures::of_scan(bytes, start, &self.scratch.captures, 0, None).with_record(text, None);
            let is_sought = |search: &Result<Search, QueryError>| {
                search.as_ref().map_or(true, |search| search.may_match_anywhere(text, self.rejects_all))
            };
            let is_clean = end - start <= MAX_RECORD
                && self.checks.is_clean(&captures)
                && !self.search.as_ref().is_some_and(is_sought);
            return (end + 1, if is_clean { Line::Record } else { Line::Doubtful });
        }
        let held = self.buffer.held();
        let end = memchr::memchr(b'\n', &held[start..]).map_or(held.len(), |length| start + length);
        let text = trim_line_end(&held[start..end]);
        if end - start > MAX_RECORD {
            return (end + 1, Line::Doubtful);
        }
        (end + 1, if self.texts.lines.is_blank(text) { Line::Blank } else { Line::Doubtful })
    }
}

/// Consecutive lines that a check may pass over.
struct Run {
    lines: KnownLines,
    records: RecordWriter,
}

impl Run {
    fn new(start: u64) -> Self {
        let lines = KnownLines { bytes: start..start, lines: 0, records: 0 };
        Self { lines, records: RecordWriter::default() }
    }

    fn length(&self) -> u64 {
        self.lines.bytes.end - self.lines.bytes.start
    }

    fn add(&mut self, length: usize, is_record: bool) {
        self.lines.lines += 1;
        self.lines.records += u64::from(is_record);
        self.lines.bytes.end += length as u64;
    }

    fn add_blank(&mut self, length: usize) {
        self.records.pass(length, false);
        self.add(length, false);
    }
}
