//! The rules of a format for its records and its dataset, beyond the schema.
//!
//! Each rule is written once: as a check of one record ([`RecordChecks`]) or as a check of the dataset ([`DatasetChecks`]).

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_core::order::Order;
use evalcheck_report::Fix;
use evalcheck_report::view::OtherRecord;

use crate::loaded::{Held, Loading};
use crate::seen_ids::SeenIds;
use crate::statistics::Statistics;
use evalcheck_archive::Attachments;
use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_core::rule::{AnyProblem, Rule};
use evalcheck_diagnose::{
    Kind, PathBuilder, RecordFinding, RecordFindings, RecordFix, RecordStart, RecordText, TreeCaptures,
    Value, check_schema,
};
use evalcheck_json::schema::Schema;

use evalcheck_records::ScannedRow;

pub use evalcheck_records::Header;

/// Checks of one record by itself. Previews use them too, so they remember nothing.
pub trait RecordChecks {
    /// Whether [`RecordChecks::check`] reports nothing for a record that the scanner accepts. Called for every such record, so it is fast
    /// and allocates nothing; returns false if unsure.
    fn is_clean(&self, captures: &Captures<'_>) -> bool;

    /// Reports the problems of a record beyond its schema.
    fn check(&self, _record: &Record<'_>, _out: &mut Findings<'_>) {}

    /// Whether the system drops some or all records because of the header. [`RecordChecks::fate`] says which, and
    /// [`RecordChecks::is_clean`] returns false.
    fn depend_on_header(&self) -> bool {
        false
    }

    /// Returns how the system treats a record because of the header, whatever its findings are. `None` if the header changes nothing.
    fn fate(&self, _record: &Value<'_>) -> Option<Fate> {
        None
    }

    /// As [`Loader::held`](crate::loaded::Loader::held), of a record whose loaded form depends on others ([`DatasetChecks::record_checks`]).
    fn held(&self, _loading: &Loading<'_>) -> Option<Held> {
        None
    }
}

/// How the system treats a record that it does not load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It loads the dataset without the record.
    Dropped,
    /// It refuses the dataset because of the record.
    Refused,
}

/// Checks that need more than one record. One value checks one dataset.
///
/// Memory is bounded, or grows by a few bytes per record; each implementation says which.
pub trait DatasetChecks {
    /// Receives the first line of [`crate::Layout::JsonlWithHeader`], or the header of a CSV as an object whose keys are the columns.
    /// `None` for a line that is blank or not JSON. A value that is not an object was not compared with the header's schema.
    fn header(&mut self, _line: Option<&Record<'_>>, _out: &mut Findings<'_>) -> HeaderAnswer {
        HeaderAnswer::default()
    }

    /// Whether it has to see the first bytes of the dataset.
    fn needs_head(&self) -> bool {
        false
    }

    /// Receives the name of the file and, if it [needs](Self::needs_head) them, the first bytes of the dataset: some hundred KiB, or all of a
    /// smaller one. They are the same in whatever pieces the dataset is read. Called before anything else. Returns whether the system loads no
    /// record of such a file; a finding then says why.
    fn begin(&mut self, _file_name: Option<&str>, _head: &[u8]) -> bool {
        false
    }

    /// Receives the first line of JSONL, whether it is a record, blank or not JSON, without its line feed and including a byte order mark.
    /// Called before any record. Not called for a line that is too long to read.
    fn first_line(&mut self, _line: &[u8]) {}

    /// The part of a record that [`DatasetChecks::observe`] reads. Unless it is the record itself, several threads or machines can find
    /// known lines of JSONL.
    fn observes(&self) -> Observes {
        Observes::Records
    }

    /// Whether [`DatasetChecks::finish`] needs the [`Statistics`] of the dataset, which take time.
    fn needs_statistics(&self) -> bool {
        false
    }

    /// The ids that must be unique. If memory cannot hold all of them, a driver lists them first ([`SeenIds::list`]). `None` if the format
    /// has no such ids.
    fn ids(&mut self) -> Option<&mut SeenIds> {
        None
    }

    /// A list of a document begins; its first record will have this number.
    fn begin_list(&mut self, _list: usize, _record: u64) {}

    /// Receives the captured fields of a record that could be read. Called for every such record, in the order of the file, after the
    /// checks of the record. Allocates nothing for most records.
    fn observe(&mut self, _captures: &Captures<'_>, _at: RecordStart, _out: &mut Observations) {}

    /// The records that a record refers to by id, as far as they are known. They are shown with it.
    fn linked(&self, _record: &Value<'_>) -> Vec<OtherRecord> {
        Vec::new()
    }

    /// A record of a document, or the rest of the document, could not be read.
    fn unread(&mut self) {}

    /// Whether [`DatasetChecks::finish`] may report problems of records.
    fn concludes_on_records(&self) -> bool {
        false
    }

    /// The checks of the records that know how the system holds them because of all others ([`RecordChecks::held`]). Called after
    /// [`DatasetChecks::finish`]; needed if [`Loader::needs_all`](crate::loaded::Loader::needs_all).
    fn record_checks(&self) -> Option<Rc<dyn RecordChecks>> {
        None
    }

    /// Every record was read.
    fn finish(&mut self, _summary: &Summary<'_>, _out: &mut Conclusions<'_>) {}
}

/// The part of a record that the checks of a dataset read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observes {
    /// Nothing: they need no record that is clean by itself.
    Nothing,
    /// Only the texts and kinds of the captures; of a list or an object only the kind.
    Captures,
    /// The record itself, such as the locations of captures, so records are read in order.
    Records,
}

/// The checks of a dataset.
#[derive(Debug)]
pub struct Checks {
    /// The checks of its records. A header may replace them ([`HeaderAnswer::checks`]).
    pub record: Rc<dyn RecordChecks>,
    /// The checks of the dataset as a whole.
    pub dataset: Box<dyn DatasetChecks>,
}

impl Checks {
    /// Checks made of these two parts.
    pub fn new(record: impl RecordChecks + 'static, dataset: impl DatasetChecks + 'static) -> Self {
        Self { record: Rc::new(record), dataset: Box::new(dataset) }
    }
}

/// The checks of a format that has none beyond its schema.
#[derive(Debug, Clone, Copy)]
pub struct NoChecks;

impl RecordChecks for NoChecks {
    fn is_clean(&self, _captures: &Captures<'_>) -> bool {
        true
    }
}

impl DatasetChecks for NoChecks {
    fn observes(&self) -> Observes {
        Observes::Nothing
    }
}

/// The effects of a header.
#[derive(Debug, Default)]
pub struct HeaderAnswer {
    /// The settings for the reader. Not used for a CSV.
    pub header: Header,
    /// The checks of the records; `None` keeps the current ones.
    pub checks: Option<Rc<dyn RecordChecks>>,
    /// Whether the system refuses the whole dataset because of the header.
    pub is_refused: bool,
}

impl From<Header> for HeaderAnswer {
    fn from(header: Header) -> Self {
        Self { header, ..Self::default() }
    }
}

/// A record that was read into a tree.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The record.
    pub root: &'a Value<'a>,
    /// Its bytes; spans are offsets into them.
    pub text: &'a RecordText<'a>,
    /// The attachments that the record may refer to; `None` if the dataset is not in an archive.
    pub attachments: Option<&'a Attachments>,
    /// The number of the record's list in a document; 0 elsewhere.
    pub list: usize,
    /// The path from the document to the record, which begins every path; empty if the record is not part of a document.
    pub base: &'a PathBuilder,
}

impl Record<'_> {
    /// The target for a value of the record.
    pub fn at(&self, value: &Value<'_>) -> Target {
        Target { span: value.span.clone(), path: self.root.path_to(value, self.base) }
    }

    /// The target for the opening bracket of an object or list, to report a missing part.
    pub fn at_start(&self, value: &Value<'_>) -> Target {
        let Target { span, path } = self.at(value);
        Target { span: span.start..span.start + 1, path }
    }

    /// The target for a missing key of the record: the path of the key, and the opening bracket of the record.
    pub fn at_missing(&self, key: &str) -> Target {
        let mut target = self.at_start(self.root);
        target.path.0.push(Step::Key(key.into()));
        target
    }

    /// The location of a value in the dataset.
    pub fn location(&self, value: &Value<'_>) -> Location {
        let Target { span, path } = self.at(value);
        self.text.locate(span, Some(path))
    }
}

/// The subject of a finding in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The bytes of the record.
    pub span: Range<usize>,
    /// The path of the value, from the root of the document.
    pub path: Path,
}

/// Collects the findings of one record.
#[derive(Debug)]
pub struct Findings<'a> {
    found: RecordFindings<'a>,
    misfits: Vec<Range<usize>>,
    keeps_shape: bool,
}

impl<'a> Findings<'a> {
    /// Adds to existing findings.
    pub fn new(found: RecordFindings<'a>) -> Self {
        Self { found, misfits: Vec::new(), keeps_shape: false }
    }

    /// Reports a problem.
    pub fn report(&mut self, problem: impl Into<AnyProblem>, target: Target) {
        self.report_fixed(problem, target, None);
    }

    /// Reports a problem with a fix, if there is one.
    pub fn report_fixed(
        &mut self,
        problem: impl Into<AnyProblem>,
        Target { span, path }: Target,
        fix: Option<RecordFix>,
    ) {
        self.found.push(RecordFinding::new(problem, span, Some(path)).with_fix(fix));
    }

    /// Omits the schema findings about the value at a span, because a rule reports that the value has another type. Its unknown keys are
    /// not captured either.
    pub fn replace_schema_findings(&mut self, span: &Range<usize>) {
        self.misfits.push(span.clone());
    }

    /// Compares a value of the record with a schema, in place of the comparison of the whole record. `convert` returns the problem that is
    /// reported for a difference; `None` to report none.
    pub fn check_schema(
        &mut self,
        record: &Record<'_>,
        value: &Value<'_>,
        schema: &'static Schema,
        convert: impl Fn(&RecordFinding) -> Option<AnyProblem>,
    ) {
        self.replace_schema_findings(&value.span);
        let base = PathBuilder::from(record.at(value).path.0);
        let mut found = self.found.alike();
        check_schema(value, schema, &base, record.text.bytes, &mut found);
        self.found.append_as(found, convert);
    }

    /// Omits the fixes of the schema findings about the record.
    pub fn keep_shape(&mut self) {
        self.keeps_shape = true;
    }

    /// Whether [`Findings::keep_shape`] was called.
    pub fn keeps_shape(&self) -> bool {
        self.keeps_shape
    }

    /// Ends the checks. Returns the findings, and the spans of the values whose type the schema does not expect, in order.
    pub fn finish(self) -> (RecordFindings<'a>, Vec<Range<usize>>) {
        let Self { found, mut misfits, .. } = self;
        misfits.order_by_key(|span| span.start);
        (found, misfits)
    }
}

/// The captured fields of one record ([`evalcheck_json::schema::StringSchema::capture`] and similar), the same from the scanner and from a
/// tree.
#[derive(Debug, Clone, Copy)]
pub struct Captures<'a> {
    /// The bytes that the ranges refer to; [`evalcheck_json::scan::PADDING`] bytes follow the last range that the scanner captured.
    pub texts: &'a [u8],
    /// For each capture, in the order of the file: its number, and the range of its text (the content of a string, without quotes).
    pub strings: &'a [(u8, Range<usize>)],
    /// The number of the record's list in a document; 0 elsewhere.
    pub list: usize,
    /// The attachments that the record may refer to; `None` if the dataset is not in an archive.
    pub attachments: Option<&'a Attachments>,
    /// Whether the record already has an error.
    pub has_errors: bool,
    /// The record as written, without its line break, if the scanner found it clean; otherwise empty.
    pub record: &'a [u8],
    /// Its cells, if it is such a row.
    pub row: Option<ScannedRow<'a>>,
    /// The record, if it was read into a tree.
    pub root: Option<&'a Value<'a>>,
    /// The bytes that hold the record, and its offset in them.
    source: &'a [u8],
    start: usize,
    /// The spans in `source` of the captures of a tree.
    spans: Option<&'a [Range<usize>]>,
}

impl<'a> Captures<'a> {
    /// The captures that the scanner made of the record at `start` of `bytes`.
    pub fn of_scan(
        bytes: &'a [u8],
        start: usize,
        strings: &'a [(u8, Range<usize>)],
        list: usize,
        attachments: Option<&'a Attachments>,
    ) -> Self {
        Self {
            texts: bytes,
            strings,
            list,
            attachments,
            has_errors: false,
            record: &[],
            row: None,
            root: None,
            source: bytes,
            start,
            spans: None,
        }
    }

    /// The same with the record itself.
    #[must_use]
    pub fn with_record(self, record: &'a [u8], row: Option<ScannedRow<'a>>) -> Self {
        Self { record, row, ..self }
    }

    /// The captures of a record that was read into a tree.
    pub fn of_tree(tree: &'a TreeCaptures, record: &Record<'a>, has_errors: bool) -> Self {
        Self {
            texts: &tree.texts,
            strings: &tree.strings,
            list: record.list,
            attachments: record.attachments,
            has_errors,
            record: &[],
            row: None,
            root: Some(record.root),
            source: record.text.bytes,
            start: 0,
            spans: Some(&tree.spans),
        }
    }

    /// Calls `take` with the index and the text of each cell of a row of a CSV.
    pub fn each_cell(&self, mut take: impl FnMut(usize, &str)) {
        if let Some(Kind::Object(members)) = self.root.map(|root| &root.kind) {
            for (index, cell) in members.iter().enumerate() {
                take(index, cell.value.as_str().unwrap_or_default());
            }
        }
        for (index, cell) in self.row.iter().flat_map(|row| row.cells).enumerate() {
            if cell.needs_decoding {
                take(index, &cell.text(self.record));
            } else {
                take(index, std::str::from_utf8(&self.record[cell.content()]).unwrap_or_default());
            }
        }
    }

    /// The location of a cell of a row of a CSV that begins at `at`.
    pub fn locate_cell(&self, index: usize, at: RecordStart, path: Path) -> Location {
        let of_tree = || match self.root.map(|root| &root.kind) {
            Some(Kind::Object(members)) => members.get(index).map(|cell| cell.value.span.clone()),
            _ => None,
        };
        let span =
            self.row.and_then(|row| row.cells.get(index)).map(|cell| cell.span.clone()).or_else(of_tree);
        let row = if self.root.is_some() { self.source } else { self.record };
        RecordText::new(row, at).locate(span.unwrap_or(0..0), Some(path))
    }

    /// The bytes that hold a record of JSON, and its offset in them.
    pub fn json(&self) -> (&'a [u8], usize) {
        self.root.map_or((self.record, 0), |root| (self.source, root.span.start))
    }

    /// The bytes of a range.
    #[inline]
    pub fn bytes(&self, range: &Range<usize>) -> &'a [u8] {
        &self.texts[range.clone()]
    }

    /// The text of a range; empty if it is not UTF-8, which no capture is.
    #[inline]
    pub fn text(&self, range: &Range<usize>) -> &'a str {
        std::str::from_utf8(self.bytes(range)).unwrap_or_default()
    }

    /// The bytes of the captures with a number.
    pub fn contents(&self, number: u8) -> impl Iterator<Item = &'a [u8]> + Clone {
        let (texts, strings) = (self.texts, self.strings);
        strings.iter().filter(move |(n, _)| *n == number).map(move |(_, range)| &texts[range.clone()])
    }

    /// The texts of the captures with a number.
    pub fn texts(&self, number: u8) -> impl Iterator<Item = &'a str> + Clone {
        self.contents(number).map(|bytes| std::str::from_utf8(bytes).unwrap_or_default())
    }

    /// The type of a captured value by its first byte: a string, a number, a list or an object; `None` for a boolean. Not for a CSV.
    pub fn kind(&self, capture: usize) -> Option<&'static str> {
        match self.source.get(self.span(capture).start)? {
            b'"' => Some("a string"),
            b'[' => Some("a list"),
            b'{' => Some("an object"),
            b'-' | b'0'..=b'9' => Some("a number"),
            _ => None,
        }
    }

    /// Returns a finder of the locations of captures; not for a CSV.
    pub fn locations(&self, at: RecordStart) -> Locations<'a> {
        Locations { captures: *self, record: at, reached: self.start, line: at.line, column: at.column }
    }

    /// The span of a capture in `source`, quotes included.
    fn span(&self, capture: usize) -> Range<usize> {
        if let Some(spans) = self.spans {
            return spans[capture].clone();
        }
        let range = self.strings[capture].1.clone();
        let is_quoted = range.start > self.start && self.source[range.start - 1] == b'"';
        if is_quoted { range.start - 1..range.end + 1 } else { range }
    }
}

/// The locations of captures, in one pass over the record.
#[derive(Debug)]
pub struct Locations<'a> {
    captures: Captures<'a>,
    record: RecordStart,
    /// The offset that the pass has reached, with its line and column.
    reached: usize,
    line: u64,
    column: u64,
}

impl Locations<'_> {
    /// The location of a capture, without its path. Captures are requested in the order of the file, each at most once.
    pub fn of(&mut self, capture: usize) -> Location {
        let span = self.captures.span(capture);
        let passed = self.captures.source.get(self.reached..span.start).unwrap_or_default();
        let mut first = 0;
        for newline in memchr::memchr_iter(b'\n', passed) {
            self.line += 1;
            self.column = 1;
            first = newline + 1;
        }
        self.column += evalcheck_json::scan::characters(&passed[first..]);
        self.reached = span.start;
        let start = self.record.offset + (span.start - self.captures.start) as u64;
        Location {
            line: Some(self.line),
            column: Some(self.column),
            bytes: Some(start..start + span.len() as u64),
            record: Some(self.record.record),
            ..Location::default()
        }
    }
}

/// Collects the findings of [`DatasetChecks::observe`].
#[derive(Debug, Default)]
pub struct Observations(Vec<Observation>);

/// A problem of a captured field.
#[derive(Debug)]
pub struct Observation {
    /// The capture, counted from 0.
    pub capture: usize,
    /// The problem.
    pub problem: AnyProblem,
    /// Whether it is a repeated id, which a number can make unique.
    pub is_repeated: bool,
}

impl Observations {
    /// Reports a problem of a captured field; captures are counted from 0.
    #[cold]
    pub fn report(&mut self, capture: usize, problem: impl Into<AnyProblem>) {
        self.0.push(Observation { capture, problem: problem.into(), is_repeated: false });
    }

    /// Reports a repeated id.
    #[cold]
    pub fn report_repeated(&mut self, capture: usize, problem: impl Into<AnyProblem>) {
        self.0.push(Observation { capture, problem: problem.into(), is_repeated: true });
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all observations are of rules for which this holds.
    pub fn are_all(&self, of: impl Fn(&'static Rule) -> bool) -> bool {
        self.0.iter().all(|observation| of(observation.problem.rule()))
    }

    /// Returns the observations.
    pub fn into_problems(self) -> Vec<Observation> {
        self.0
    }
}

/// Facts about a dataset whose records were all read.
#[derive(Debug, Clone, Copy)]
pub struct Summary<'a> {
    /// The file's name; `None` for a stream without a name.
    pub file_name: Option<&'a str>,
    /// The number of records, readable or not.
    pub records: u64,
    /// Whether unreadable lines may contain any number of records: a record over several lines, an array of records, or further values on a
    /// line.
    pub has_lost_records: bool,
    /// The statistics of the records, if [`DatasetChecks::needs_statistics`].
    pub statistics: Option<&'a Statistics>,
}

/// Collects the findings about a dataset as a whole.
#[derive(Debug)]
pub struct Conclusions<'a> {
    collector: &'a mut FindingCollector,
    notes: &'a mut Vec<String>,
}

impl<'a> Conclusions<'a> {
    /// Adds to a collector and to the notes of its report.
    pub fn new(collector: &'a mut FindingCollector, notes: &'a mut Vec<String>) -> Self {
        Self { collector, notes }
    }

    /// Reports a problem of the dataset as a whole.
    pub fn report(&mut self, problem: impl Into<AnyProblem>) {
        self.collector.add(Finding::new(problem, Location::file()));
    }

    /// Reports a problem at an earlier location; it is listed there.
    pub fn report_at(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        self.collector.add(Finding::new(problem, location));
    }

    /// Reports a problem by which the system loses this number of values, the first at a location.
    pub fn report_lost_values(&mut self, problem: impl Into<AnyProblem>, location: Location, values: u64) {
        self.collector.add_lost_values(Finding::new(problem, location), values);
    }

    /// Reports a problem at an earlier location, with a fix.
    pub fn report_fixed_at(&mut self, problem: impl Into<AnyProblem>, location: Location, fix: Option<Fix>) {
        self.collector.add(Finding::new(problem, location).with_fix(fix));
    }

    /// The number of errors so far, with those in records.
    pub fn errors(&self) -> u64 {
        self.collector.errors()
    }

    /// The number of blank lines.
    pub fn blank_lines(&self) -> u64 {
        self.collector.blank
    }

    /// The number of lines that the system drops.
    pub fn lost_lines(&self) -> u64 {
        self.collector.loss().lines
    }

    /// States that the system refuses the dataset as a whole, so that it loses no part of it.
    pub fn loses_nothing(&mut self) {
        self.collector.forget_loss();
    }

    /// Adds a note to the overview: one sentence with a count or a fact that is not a finding.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }
}

// By name only, so that a format need not print its memory.
impl fmt::Debug for dyn RecordChecks + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecordChecks")
    }
}

impl fmt::Debug for dyn DatasetChecks + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatasetChecks")
    }
}
