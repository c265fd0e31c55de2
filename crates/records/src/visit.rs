//! The visitor that a reader calls.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::AnyProblem;
use evalcheck_diagnose::{Parsed, PathBuilder, RecordStart, Value};
use evalcheck_json::csv::Cell;
use evalcheck_json::scan::{self, Scratch, TextPolicy};
use evalcheck_json::schema::Schema;
use evalcheck_report::Fix;

use crate::csv::table::Table;
use crate::record_index::Mark;

/// A [`Reader`](crate::Reader) calls a visitor for each record, and for the parts between records.
///
/// It passes a record to [`Visit::scan`] and [`Visit::accept`]. If either rejects it, [`Visit::check`] decides. It passes rows
/// of a CSV to [`Visit::accept`] and [`Visit::check`].
pub trait Visit {
    /// The counts and findings so far.
    fn collector(&self) -> &FindingCollector;

    /// The same, mutable.
    fn collector_mut(&mut self) -> &mut FindingCollector;

    /// How the system treats text.
    fn texts(&self) -> TextPolicy;

    /// The fast tier: the end of the value that begins at `start`, if it is clean by itself.
    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize>;

    /// Checks the rules for a record that the fast tier found clean. Returns true if it is clean; the rules then remember it.
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool;

    /// The thorough tier: finds all problems of a part of the dataset, whose bytes are `bytes`.
    fn check(&mut self, part: Part<'_>, bytes: &[u8], at: RecordStart) -> Diagnosis;

    /// Counts a record, and adds its findings. Each record is counted by this, or as valid if [`Visit::accept`] accepted it.
    fn count_record(&mut self, record: &CountedRecord<'_>, findings: Vec<Finding>);

    /// Adds a finding that does not belong to a record.
    fn report(&mut self, finding: Finding);

    /// Takes any other event of a reader.
    fn observe(&mut self, event: Event<'_>);
}

/// The kind of value to scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A value on a line, up to the line break.
    Line,
    /// A value in a list of a document.
    Element,
}

impl Extent {
    /// Scans the value at `start`, and returns the offset of its end; `None` if it is not clean.
    #[inline]
    pub fn scan(
        self,
        bytes: &[u8],
        start: usize,
        schema: &'static Schema,
        texts: TextPolicy,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        match self {
            Self::Line => scan::line(bytes, start, schema, texts, scratch).ok(),
            Self::Element => scan::element(bytes, start, schema, texts, scratch).ok(),
        }
    }
}

/// A part of a dataset that is checked.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A record in JSON.
    Record {
        /// Its path in the document.
        base: &'a PathBuilder,
        /// The index of its list in a document; otherwise 0.
        list: usize,
    },
    /// A row of a CSV, without its line break.
    Row(&'a Table),
    /// The header of JSONL: the line that decides the schema of the others. It may turn out to be a record ([`Header::is_record`]).
    Header(&'static Schema),
    /// The header of a CSV, as an object whose keys are the columns.
    Columns(&'a Value<'a>),
    /// A value of a document that is not a record.
    Value {
        /// The value.
        parsed: &'a Parsed<'a>,
        /// Its path in the document.
        base: &'a PathBuilder,
        /// Its schema.
        schema: &'static Schema,
    },
}

/// The events of a reader, apart from records to check.
#[derive(Debug)]
pub enum Event<'a> {
    /// The first line of JSONL, unchanged and without its line feed. Not for a line that is too long.
    FirstLine(&'a [u8]),
    /// The following records have this schema.
    Schema(&'static Schema),
    /// A list of a document begins.
    List {
        /// The index of the list.
        list: usize,
        /// Its key in the document, if it has one; not known where reading begins in the list.
        key: Option<&'a Rc<str>>,
        /// The schema of its records.
        schema: &'static Schema,
        /// The number of its first record.
        record: u64,
    },
    /// The value of the key of a list of a document begins, whether it is a list or not. If the key occurs again, the last value
    /// counts.
    ValueBegins(&'a Rc<str>),
    /// That value ends.
    ValueEnds,
    /// A record of a document, or the rest of the document, could not be read.
    Unread,
    /// A part of the dataset is not checked.
    NotChecked,
    /// The header of JSONL, which is no record and on one line, without its line break.
    Header(&'a [u8]),
    /// Every record was read.
    End {
        /// Whether the dataset has no bytes.
        is_empty: bool,
        /// Whether a finding already says why there is no record.
        is_lost: bool,
    },
}

/// A record that the fast tier found clean.
#[derive(Debug, Clone, Copy)]
pub struct ScannedRecord<'a> {
    /// The buffer that holds it, with [`PADDING`](evalcheck_json::scan::PADDING) bytes after it. For a row of a CSV, the
    /// buffer that `captures` point into.
    pub bytes: &'a [u8],
    /// Its offset in the buffer; without meaning for a row.
    pub start: usize,
    /// The record as written in the dataset, without its line break.
    pub text: &'a [u8],
    /// Captured cells of a row; `None` for a JSON record, whose captures are those of the scan.
    pub captures: Option<&'a [(u8, Range<usize>)]>,
    /// The cells of a row; `None` for a JSON record.
    pub row: Option<ScannedRow<'a>>,
    /// Its location in the dataset.
    pub at: RecordStart,
    /// The index of its list in a document; otherwise 0.
    pub list: usize,
    /// Its index in the list; otherwise its number.
    pub index: u64,
}

impl ScannedRecord<'_> {
    /// The line on which it ends.
    pub fn last_line(&self) -> u64 {
        self.at.line + memchr::memchr_iter(b'\n', self.text).count() as u64
    }
}

/// The cells of a row that the fast tier found clean.
#[derive(Debug, Clone, Copy)]
pub struct ScannedRow<'a> {
    /// The cells; their offsets count from the row's start.
    pub cells: &'a [Cell],
    /// The columns, as many as the cells.
    pub table: &'a Table,
}

/// A record that is counted because it is not clean.
#[derive(Debug, Clone)]
pub struct CountedRecord<'a> {
    /// Its text without the line break after it; of several lines of JSONL, all that belong to it. Of a record whose end could not be found,
    /// its first bytes. `None` for one that is too long, or has too many cells.
    pub text: Option<&'a [u8]>,
    /// Its start.
    pub mark: Mark,
    /// The line on which it ends, as far as it was read.
    pub last_line: u64,
    /// Its bytes in the dataset, with the line break after it; the last line of a file may have none, and its bytes then end one after the
    /// file. `None` if its end could not be found.
    pub bytes: Option<Range<u64>>,
    /// The columns, if it is a row.
    pub table: Option<&'a Table>,
    /// Whether it goes over several lines, although records are lines.
    pub is_continued: bool,
}

impl<'a> CountedRecord<'a> {
    /// A line, whose bytes in the dataset are `bytes`.
    pub(crate) fn line(text: &'a [u8], start: RecordStart, bytes: Range<u64>) -> Self {
        Self { text: Some(text), bytes: Some(bytes), ..Self::unread(start) }
    }

    /// A record without its text.
    pub(crate) fn unread(start: RecordStart) -> Self {
        let (mark, last_line) = (Mark::new(start), start.line);
        Self { text: None, mark, last_line, bytes: None, table: None, is_continued: false }
    }
}

/// All problems of a part of a dataset.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// The findings: first differences from the schema in the order in which the system's own checker finds them, then those of
    /// rules.
    pub findings: Vec<Finding>,
    /// Whether the record may continue on the next line. Its only finding is then that the line ends too early.
    pub unfinished: bool,
    /// The result of reading a header.
    pub header: Header,
}

impl From<Vec<Finding>> for Diagnosis {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }
}

/// The result of reading a header.
#[derive(Debug, Default)]
pub struct Header {
    /// The schema of the records, if the header decides it; otherwise it does not change.
    pub schema: Option<&'static Schema>,
    /// The problem of a line that is blank or not an object.
    pub problem: Option<AnyProblem>,
    /// The fix of that problem.
    pub fix: Option<Fix>,
    /// Whether the line is not a header but already a record.
    pub is_record: bool,
}
