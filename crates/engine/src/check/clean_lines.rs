//! Clean lines of JSONL, found in any order and on any thread, ahead of the check that passes over them.
//!
//! Whether the fast tier finds a line clean depends on nothing before the line, and most lines of most datasets are clean. So this is
//! the part of a check that can be cut: [`LineScanner`] reads a piece of the dataset anywhere, and says which of its lines are clean
//! or blank. [`Check::skip`] passes over them. All else is read by the one check, in order: the lines that are in doubt,
//! and those that may continue a record before them. The report is that of a check that reads every byte.

use std::fmt;
use std::rc::Rc;

use evalcheck_json::buffer::Buffer;
use evalcheck_records::jsonl::trim_line_end;
use evalcheck_records::{CleanLines, Extent};

use crate::check::{Check, Source};
use crate::formats::checks::{Captures, Checks, RecordChecks};
use crate::formats::{Format, Variant};
use crate::scan::Scratch;

/// The most bytes that are passed over at once, but for a longer line: positions are noted only where lines are read or passed over.
const MOST: u64 = 256 << 10;

/// What the lines of a dataset are compared with ([`Check::line_rules`]).
#[derive(Debug, Clone, Copy)]
pub struct LineRules {
    pub(super) format: &'static Format,
    pub(super) variant: &'static Variant,
}

/// Finds clean lines in pieces of a dataset.
pub struct LineScanner {
    rules: LineRules,
    checks: Rc<dyn RecordChecks>,
    scratch: Scratch,
    buffer: Buffer,
    /// Fewer bytes of clean lines are left to the check.
    fewest: u64,
}

// A buffer and memory of the fast tier.
impl fmt::Debug for LineScanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineScanner").field("format", &self.rules.format.id).finish_non_exhaustive()
    }
}

impl LineScanner {
    /// Finds lines that are clean by these rules. Fewer bytes in a row than `fewest` are not worth it to pass over.
    pub fn new(rules: LineRules, fewest: u64) -> Self {
        let Checks { record: checks, .. } = (rules.format.rules.checks)(rules.variant);
        Self { rules, checks, scratch: Scratch::default(), buffer: Buffer::default(), fewest }
    }

    /// Space for the bytes of a piece.
    pub fn buffer(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    /// The clean and blank lines among those that are whole in the first `n` bytes of the space, which begin at a byte of the dataset.
    /// The first line may have begun before and is left out.
    pub fn scan(&mut self, start: u64, n: usize) -> Vec<CleanLines> {
        self.buffer.advance(n);
        let mut found = Vec::new();
        let mut run = CleanLines { bytes: start..start, lines: 0, records: 0 };
        let held = self.buffer.held().len();
        let mut at = memchr::memchr(b'\n', self.buffer.held()).map_or(held, |first| first + 1);
        let last = memchr::memrchr(b'\n', self.buffer.held()).map_or(0, |last| last + 1);
        while at < last {
            let (end, is_record) = self.line(at);
            if is_record.is_none() || run.bytes.end - run.bytes.start >= MOST {
                self.keep(&mut found, &run);
                run.lines = 0;
            }
            if let Some(is_record) = is_record {
                if run.lines == 0 {
                    let bytes = start + at as u64..start + at as u64;
                    run = CleanLines { bytes, lines: 0, records: 0 };
                }
                run.lines += 1;
                run.records += u64::from(is_record);
                run.bytes.end = start + end as u64;
            }
            at = end;
        }
        self.keep(&mut found, &run);
        self.buffer.consume(held);
        found
    }

    fn keep(&self, found: &mut Vec<CleanLines>, run: &CleanLines) {
        if run.lines > 0 && run.bytes.end - run.bytes.start >= self.fewest {
            found.push(run.clone());
        }
    }

    /// The end of the line at `start` of the buffer, and whether it is a clean record (true) or blank (false); `None` for any other.
    fn line(&mut self, start: usize) -> (usize, Option<bool>) {
        let LineRules { format, variant } = self.rules;
        let bytes = self.buffer.with_padding();
        let scanned = Extent::Line.scan(bytes, start, variant.schema, format.texts, &mut self.scratch);
        if let Some(end) = scanned {
            let captures = Captures::of_scan(bytes, start, &self.scratch.captures, 0, None);
            return (end + 1, self.checks.is_clean(&captures).then_some(true));
        }
        let held = self.buffer.held();
        let end = memchr::memchr(b'\n', &held[start..]).map_or(held.len(), |length| start + length);
        let is_blank = format.texts.lines.is_blank(trim_line_end(&held[start..end]));
        (end + 1, is_blank.then_some(false))
    }
}

/// Reads a dataset in order, and passes over the clean lines that were found ahead.
#[derive(Debug)]
pub struct AheadOfCheck<I: Iterator<Item = CleanLines>> {
    found: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = CleanLines>> AheadOfCheck<I> {
    /// `found` yields clean lines in the order of the dataset.
    pub fn new(found: I) -> Self {
        Self { found: found.peekable() }
    }

    /// As [`Check::read_piece`]. Nothing is read where lines are passed over.
    pub fn read_piece(
        &mut self,
        check: &mut Check,
        source: &mut (impl Source + ?Sized),
        most: usize,
    ) -> bool {
        let Some(wanted) = check.next_range() else { return false };
        while let Some(lines) = self.found.next_if(|lines| lines.bytes.start <= wanted.start) {
            if check.skip(&lines) {
                return true;
            }
        }
        let until_next = self.found.peek().map(|lines| lines.bytes.start - wanted.start);
        let most = until_next.map_or(most, |bytes| usize::try_from(bytes).unwrap_or(most).min(most));
        check.read_piece(source, most)
    }
}
