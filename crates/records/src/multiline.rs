//! A record that continues after its line, and the lines that may be its continuation.

use std::ops::Range;

use crate::MAX_RECORD;
use crate::brackets::Brackets;
use evalcheck_core::finding::{Finding, Location};
use evalcheck_diagnose::{RecordFix, RecordStart, RecordText, SyntaxProblem, join_lines};
use evalcheck_json::schema::{Object, Schema};
use evalcheck_json::tokens::{begins_with, first_key, significant};
use evalcheck_report::{Conversion, Edit, Fix};

/// A record of more bytes than this is not followed further, unless it is an array around all records.
const MAX_CONTINUATION: usize = 1 << 20;

/// A record that continues after its line.
#[derive(Debug)]
pub struct Unfinished {
    /// The finding of the first line, used if no other line belongs to it.
    alone: Finding,
    /// The last character of the first line, or of the line before the first line break in a string.
    end: Location,
    /// The last character of the last line that ends within a string, while strings do not continue.
    last_end: Location,
    brackets: Brackets,
    is_array: bool,
    is_header: bool,
    last_line: u64,
    /// The number of lines taken as its continuation.
    lines: u64,
    /// The lines so far, with a line feed between them. Of an array not more than [`MAX_RECORD`] bytes.
    text: Vec<u8>,
    start: RecordStart,
    /// The lines after the first, which may be records of their own; empty for an array.
    taken: Vec<TakenLine>,
    /// Whether the dataset has lines before this one, none of them blank.
    is_single_spaced: bool,
}

/// The reason why no further line is taken as the continuation of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Its brackets are closed, or it is too long.
    Closed,
    /// The next line cannot continue it. So it was cut off, and the lines taken before do not continue it either.
    Cut,
    /// There are no more lines.
    End,
}

/// A line that was taken as the continuation of a record.
#[derive(Debug)]
pub struct TakenLine {
    /// Its range in the text.
    pub range: Range<usize>,
    /// Its start in the dataset.
    pub start: RecordStart,
    /// Whether the line before it ends within a string.
    in_string: bool,
}

/// The result for a record that continues after its line.
#[derive(Debug)]
pub struct Settled {
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The start of the record.
    pub start: RecordStart,
    /// The lines that were taken, with a line feed between them.
    pub text: Vec<u8>,
    /// The length of the record in the text.
    pub length: usize,
    /// The number of lines of the record after its first.
    pub lines: u64,
    /// The last line of the record.
    pub last_line: u64,
    /// The taken lines that are records of their own.
    pub own_records: Vec<TakenLine>,
}

impl Unfinished {
    /// The record of a line that is not JSON, if it may continue on the next line. `finding` is the syntax error of the line. With
    /// `unfinished`, the error is only that the line ends too early. `is_single_spaced`: lines come before it, and none of them
    /// is blank.
    pub fn begin(
        line: &[u8],
        record_start: RecordStart,
        finding: &Finding,
        unfinished: bool,
        schema: &Schema,
        is_header: bool,
        is_single_spaced: bool,
    ) -> Option<Self> {
        let problem: Option<&SyntaxProblem> = finding.problem.downcast_ref();
        if !unfinished && !problem.is_some_and(SyntaxProblem::may_go_on) {
            return None;
        }
        let is_truncated = problem.is_some_and(SyntaxProblem::is_truncated);
        let mut brackets = Brackets::default();
        let text = RecordText::new(line, record_start);
        brackets.feed(&text);
        let in_string = is_truncated && brackets.follow_string();
        if !unfinished && !in_string && !brackets.wants_more() {
            return None;
        }
        let mut end = text.locate(line.len()..line.len(), None);
        let is_array = schema.array.is_none() && opens_array_of_records(line);
        let mut alone = finding.clone();
        if is_array {
            // In place of a header it counts as a record.
            alone.location.record = Some(record_start.record);
        }
        end.record = alone.location.record;
        end.entry.clone_from(&alone.location.entry);
        Some(Self {
            alone,
            last_end: end.clone(),
            end,
            text: line.to_vec(),
            start: record_start,
            brackets,
            is_array,
            is_header,
            last_line: record_start.line,
            lines: 0,
            taken: Vec::new(),
            is_single_spaced,
        })
    }

    /// Whether this is the header of the dataset, not an array around the whole dataset.
    pub fn is_header(&self) -> bool {
        self.is_header && !self.is_array
    }

    /// Whether a line that is not blank can be the next line of the record. `is_clean`: the line is a complete record by itself.
    pub fn may_go_on_with(&mut self, line: &[u8], is_clean: bool, schema: &Schema) -> bool {
        // Text in a string can continue with anything, but hardly with the beginning of a record.
        let is_text = self.brackets.is_in_string() && !self.is_array && !begins_as_record(line);
        if self.brackets.follows_strings() && self.brackets.is_in_string() && !is_text {
            return false;
        }
        if !self.is_array && (is_clean || is_record(line, schema)) {
            return false;
        }
        if !self.brackets.may_go_on_with(line) {
            if !is_text {
                return false;
            }
            // The line before ends in a string, and this line is only its text.
            self.brackets.follow_string();
            self.end =
                Location { record: self.end.record, entry: self.end.entry.clone(), ..self.last_end.clone() };
        }
        true
    }

    /// Takes a blank line if the line before it ends within a string. Returns `None` if it is between the parts of the record, otherwise
    /// whether no further line is taken.
    pub fn take_blank(&mut self, line: &[u8], record_start: RecordStart) -> Option<bool> {
        if self.is_array || !self.brackets.is_in_string() {
            return None;
        }
        self.add(line, record_start, true);
        Some(self.is_too_long())
    }

    fn add(&mut self, line: &[u8], start: RecordStart, in_string: bool) {
        self.lines += 1;
        if self.is_array && self.text.len() + line.len() >= MAX_RECORD {
            return;
        }
        self.text.push(b'\n');
        let from = self.text.len();
        self.text.extend_from_slice(line);
        if !self.is_array {
            self.taken.push(TakenLine { range: from..self.text.len(), start, in_string });
        }
    }

    fn is_too_long(&self) -> bool {
        let first = self.taken.first().map_or(self.text.len(), |line| line.range.start);
        !self.is_array && self.text.len() - first > MAX_CONTINUATION
    }

    /// Takes a line as the next line of the record. Returns true if it is the last one.
    pub fn take(&mut self, line: &[u8], record_start: RecordStart) -> bool {
        let in_string = self.brackets.is_in_string();
        let text = RecordText::new(line, record_start);
        self.brackets.feed(&text);
        self.last_line = record_start.line;
        if !self.is_array && !self.brackets.follows_strings() && self.brackets.is_in_string() {
            self.last_end = text.locate(line.len()..line.len(), None);
        }
        self.add(line, record_start, in_string);
        self.brackets.done() || self.is_too_long()
    }

    /// Decides which lines belong to the record, and reports it.
    pub fn settle(mut self, reason: Reason) -> Settled {
        // Any line can continue the text of a string, so only the end of the record proves that the lines belong to it.
        let is_cut = reason == Reason::Cut || (self.brackets.follows_strings() && !self.brackets.is_closed());
        if self.lines == 0 || (is_cut && !self.is_array) {
            // The lines after it do not continue it: each is a record of its own.
            return Settled {
                findings: vec![self.alone],
                start: self.start,
                length: self.taken.first().map_or(self.text.len(), |line| line.range.start - 1),
                text: self.text,
                lines: 0,
                last_line: self.start.line,
                own_records: self.taken,
            };
        }
        let problem = if self.is_array {
            let others = match self.brackets.second_value() {
                Some(line) => format!(", and in another one on line {line}, as when files are joined"),
                None => String::new(),
            };
            SyntaxProblem::ArrayOfRecords { column: 1, others }
        } else if self.brackets.follows_strings() {
            SyntaxProblem::RawLineBreak { column: self.end.column.unwrap_or(1), until: self.last_line }
        } else {
            let until = if reason == Reason::End && !self.brackets.done() {
                ", to the end of the file".to_owned()
            } else {
                format!(", to line {}", self.last_line)
            };
            let column = self.end.column.unwrap_or(1);
            SyntaxProblem::SeveralLines { column, until }
        };
        let record = self.end.record;
        let causes = self.brackets.take_causes();
        let fix = if self.is_array {
            let fix = RecordFix::safe("Put each record on its own line");
            // No fix for an array that begins in the middle of the file.
            let conversion = Conversion::ArrayToLines { first_only: self.is_header };
            (record == Some(0)).then(|| fix.convert(conversion).locate(0))
        } else {
            self.joined()
        };
        let mut findings = vec![Finding::new(problem, self.end).with_fix(fix)];
        findings.extend(causes.into_iter().map(|mut cause| {
            cause.location.record = record;
            cause
        }));
        Settled {
            findings,
            start: self.start,
            length: self.text.len(),
            text: self.text,
            lines: self.lines,
            last_line: self.last_line,
            own_records: Vec::new(),
        }
    }
}

impl Unfinished {
    /// Whether no line of the record is blank, or blank lines are certainly part of its text. They are not if a program doubled all line
    /// breaks of the file.
    fn keeps_blank_lines(&self) -> bool {
        let is_blank = |line: &TakenLine| self.text[line.range.clone()].trim_ascii().is_empty();
        let is_blank: Vec<bool> = self.taken.iter().map(is_blank).collect();
        let is_pair = |pair: &[bool]| pair == [false, false];
        // The first line precedes the taken ones.
        let has_single_break = is_blank.first() == Some(&false) || is_blank.windows(2).any(is_pair);
        self.is_single_spaced || has_single_break || !is_blank.contains(&true)
    }

    /// The fix that joins the lines. `None` for an array around records.
    fn joined(&self) -> Option<Fix> {
        if self.is_array || self.taken.is_empty() {
            return None;
        }
        let breaks_in_strings = self.taken.iter().filter(|line| line.in_string);
        let breaks_in_strings: Vec<usize> = breaks_in_strings.map(|line| line.range.start - 1).collect();
        let mut fix = join_lines(&self.text, &breaks_in_strings)?;
        if !self.keeps_blank_lines() {
            let title = "Join the lines, which guesses that their blank lines are part of the text";
            fix = RecordFix { edits: fix.edits, ..RecordFix::not_safe(title) };
        }
        let offset = |at: usize| {
            let line = self.taken.partition_point(|line| line.range.start <= at).checked_sub(1);
            let (from, start) =
                line.map_or((0, &self.start), |line| (self.taken[line].range.start, &self.taken[line].start));
            start.offset + (at - from) as u64
        };
        let edit = |(span, text): (Range<usize>, String)| Edit {
            start: offset(span.start),
            end: offset(span.end),
            text,
        };
        let edits = fix.edits.into_iter().map(edit).collect();
        Some(Fix { edits, ..Fix::new(fix.title, fix.applicability) })
    }
}

/// Whether a line begins an array around records: an object, a comment or nothing follows its bracket.
fn opens_array_of_records(line: &[u8]) -> bool {
    begins_with(line, b"[{") || (begins_with(line, b"[") && significant(line).nth(1).is_none())
}

/// Whether a line begins with an object and its first key, or with an array of objects.
fn begins_as_record(line: &[u8]) -> bool {
    begins_with(line, b"{\"") || begins_with(line, b"[{\"")
}

/// Whether bytes begin an object whose first key is a top key of records. Such an object is a new record, because the inner objects of a
/// record have other keys.
pub(crate) fn is_record(bytes: &[u8], schema: &Schema) -> bool {
    let mut sets = schema.object.iter().flat_map(Object::sets);
    first_key(bytes).is_some_and(|key| sets.any(|fields| fields.position(key).is_some()))
}
