//! Who is told of records.

use std::ops::Range;

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::AnyProblem;
use evalcheck_json::diagnose::{Parsed, PathBuilder, RecordStart, Value};
use evalcheck_json::scan::TextPolicy;
use evalcheck_json::schema::Schema;

use crate::csv::Table;
use crate::record_index::Mark;

/// What a [`Reader`](crate::Reader) calls for each record, and for what stands between them.
///
/// A record goes through [`Visit::scan`] and [`Visit::accept`]; when either says no, through [`Visit::check`], which
/// decides. Rows of a CSV go through [`Visit::accept`] and [`Visit::check`].
pub trait Visit {
    /// Counts, and the findings so far.
    fn collector(&self) -> &FindingCollector;

    /// The same, to count.
    fn collector_mut(&mut self) -> &mut FindingCollector;

    /// What the system does with text.
    fn texts(&self) -> TextPolicy;

    /// The fast tier: the end of what begins at `start`, when nothing is wrong with it itself.
    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize>;

    /// A record that the fast tier found clean: true when nothing else is wrong with it either. It is remembered then.
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool;

    /// The thorough tier: everything that is wrong with a part of the dataset, which is in these bytes.
    fn check(&mut self, part: Part<'_>, bytes: &[u8], at: RecordStart) -> Diagnosis;

    /// Counts a record, and adds what is wrong with it.
    fn count_record(&mut self, findings: Vec<Finding>);

    /// Adds a finding in the dataset that is not a record's.
    fn report(&mut self, finding: Finding);

    /// Takes notice of what else a reader comes upon.
    fn observe(&mut self, event: Event<'_>);
}

/// What is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A value on a line, up to the line break.
    Line,
    /// A value in a list of a document.
    Element,
}

/// A part of a dataset that is checked.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A record in JSON.
    Record {
        /// The way to it from the document.
        base: &'a PathBuilder,
        /// Which list of a document it is in; 0 elsewhere.
        list: usize,
    },
    /// A row of a CSV, without its line break.
    Row(&'a Table),
    /// The line that governs the others.
    Header(&'static Schema),
    /// The header of a CSV, as an object whose keys are the columns.
    Columns(&'a Value<'a>),
    /// A value of a document that is no record.
    Value {
        /// The value.
        parsed: &'a Parsed<'a>,
        /// The way to it from the document.
        base: &'a PathBuilder,
        /// What it looks like.
        schema: &'static Schema,
    },
}

/// What a reader comes upon beside records.
#[derive(Debug)]
pub enum Event<'a> {
    /// The records from here on have this schema.
    Schema(&'static Schema),
    /// A list of a document begins.
    List {
        /// Which.
        list: usize,
        /// The schema of its records.
        schema: &'static Schema,
        /// The number of its first record.
        record: u64,
    },
    /// The value of the key of a list of a document begins, whether it is a list or not. Of several for one list the last
    /// counts.
    ValueBegins(usize),
    /// It ends.
    ValueEnds,
    /// A record of a document could not be read, or the rest of it cannot be.
    Unread,
    /// Some of the dataset is not looked at.
    NotChecked,
    /// A record that is no line was read and counted.
    Read(RecordRead<'a>),
    /// A record is invalid. For records that are lines; not of a line that is too long.
    InvalidLines {
        /// Its number.
        record: u64,
        /// Whole lines with their line breaks.
        bytes: Range<u64>,
    },
    /// Every record was read.
    End {
        /// There was not one byte.
        is_empty: bool,
        /// A finding says already why there is no record.
        is_lost: bool,
    },
}

/// A record that the fast tier found clean.
#[derive(Debug, Clone, Copy)]
pub struct ScannedRecord<'a> {
    /// The buffer that holds it, and [`PADDING`](evalcheck_json::scan::PADDING) bytes behind it. Of a row of a CSV the
    /// buffer that `captures` point into.
    pub bytes: &'a [u8],
    /// Where it begins in it; without meaning for a row.
    pub start: usize,
    /// Captured cells of a row; `None` for a JSON record, whose captures the scan has.
    pub captures: Option<&'a [(u8, Range<usize>)]>,
    /// Where it stands in the dataset.
    pub at: RecordStart,
    /// Which list of a document it is in; 0 elsewhere.
    pub list: usize,
}

/// A record that was read, where records are no lines.
#[derive(Debug, Clone, Copy)]
pub struct RecordRead<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Bytes of the line break behind it, where that ends it.
    pub line_break: usize,
    /// Where it begins.
    pub mark: Mark,
    /// The line on which it ends.
    pub last_line: u64,
    /// Its end could not be found: these are its first bytes.
    pub is_partial: bool,
}

/// Everything that is wrong with a part of a dataset.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// The findings: errors of the schema in the order in which the system's checker comes upon them, then the rules'.
    pub findings: Vec<Finding>,
    /// The record may go on behind the end of its line; then its only finding is that the line ends too early.
    pub unfinished: bool,
    /// What a header comes to.
    pub header: Header,
}

impl From<Vec<Finding>> for Diagnosis {
    fn from(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }
}

/// What a header comes to.
#[derive(Debug, Default)]
pub struct Header {
    /// The schema of the records, when the header says; otherwise it stays.
    pub schema: Option<&'static Schema>,
    /// What is wrong with a line that is blank or another value than an object.
    pub problem: Option<AnyProblem>,
    /// The line is no header but a record already.
    pub is_record: bool,
}
