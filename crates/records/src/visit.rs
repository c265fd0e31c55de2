//! Who is told of records.

use std::ops::Range;

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Finding;
use evalcheck_core::rule::AnyProblem;
use evalcheck_json::diagnose::{Parsed, PathBuilder, RecordFindings, RecordStart, Value};
use evalcheck_json::scan::TextPolicy;
use evalcheck_json::schema::Schema;

use crate::csv::header::Table;
use crate::record_index::Mark;

/// What a [`Reader`](crate::Reader) calls for each record, and for what stands between them.
///
/// A record goes through [`Visit::scan_line`] (or `scan_element`) and [`Visit::accept`]; when either says no, through
/// [`Visit::check`], whose word is final. Rows of a CSV go through [`Visit::accept`] and [`Visit::check_row`].
pub trait Visit {
    /// Counts, and the findings so far.
    fn collector(&self) -> &FindingCollector;

    /// The same, to count.
    fn collector_mut(&mut self) -> &mut FindingCollector;

    /// Adds a finding in the dataset that is not a record's.
    fn report(&mut self, finding: Finding);

    /// The same about a location that was passed already; it is listed there.
    fn report_late(&mut self, finding: Finding);

    /// Counts a record, and adds what is wrong with it.
    fn count_record(&mut self, findings: Vec<Finding>);

    /// The fast tier: the line break of the line at `start`, when nothing is wrong with the line itself.
    fn scan_line(&mut self, bytes: &[u8], start: usize) -> Option<usize>;

    /// The fast tier: the end of the value at `start`, when nothing is wrong with the value itself.
    fn scan_element(&mut self, bytes: &[u8], start: usize) -> Option<usize>;

    /// A record that the fast tier found clean: true when nothing else is wrong with it either. It is remembered then.
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool;

    /// The thorough tier: everything that is wrong with a record. `base` is the way to it from the document.
    fn check(&mut self, bytes: &[u8], at: RecordStart, base: &PathBuilder, list: usize) -> Diagnosis;

    /// The same for a row of a CSV, without its line break.
    fn check_row(&mut self, bytes: &[u8], at: RecordStart, table: &Table) -> Vec<Finding>;

    /// What the system does with text.
    fn texts(&self) -> TextPolicy;

    /// The line that governs the others.
    fn check_header(&mut self, bytes: &[u8], at: RecordStart, schema: &'static Schema)
    -> (Header, Diagnosis);

    /// The header of a CSV, as an object whose keys are the columns.
    fn check_columns(
        &mut self,
        columns: &Value<'_>,
        bytes: &[u8],
        at: RecordStart,
        found: &mut RecordFindings<'_>,
    );

    /// A value of a document that is no record.
    fn check_value(
        &mut self,
        parsed: &Parsed<'_>,
        bytes: &[u8],
        at: RecordStart,
        base: &PathBuilder,
        schema: &'static Schema,
    ) -> Vec<Finding>;

    /// The records from here on have this schema.
    fn set_schema(&mut self, schema: &'static Schema);

    /// A list of a document begins; its first record will have this number.
    fn begin_list(&mut self, list: usize, schema: &'static Schema, record: u64);

    /// The value behind the key of a list of a document begins, whether it is a list or not. Of several for one list the
    /// last counts.
    fn begin_value(&mut self, _list: usize) {}

    /// It ends.
    fn end_value(&mut self) {}

    /// A record of a document could not be read, or the rest of it cannot be.
    fn unread(&mut self) {}

    /// Some of the dataset is not looked at.
    fn not_checked(&mut self) {}

    /// A record that is no line was read and counted.
    fn passed(&mut self, _record: &PassedRecord<'_>) {}

    /// The record with this number is invalid and stands in these bytes: whole lines with their line breaks. For records that
    /// are lines; not told of a line that is too long.
    fn invalid_lines(&mut self, _record: u64, _bytes: Range<u64>) {}

    /// Every record was read. `is_empty` when there was not one byte; `is_lost` when a finding says already why there is
    /// no record.
    fn finish(&mut self, is_empty: bool, is_lost: bool);
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
pub struct PassedRecord<'a> {
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

/// Everything that is wrong with one record.
#[derive(Debug)]
pub struct Diagnosis {
    /// The findings: errors of the schema in the order in which the system's checker comes upon them, then the rules'.
    pub findings: Vec<Finding>,
    /// The record may go on behind the end of its line; then its only finding is that the line ends too early.
    pub unfinished: bool,
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
