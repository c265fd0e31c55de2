//! Records for a list, read again from the nearest mark.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::{Column, Direction, RecordList, Row, Rows};

use super::again::read_from_record;
use super::cells::{CellReader, Cells, text_of};
use super::{View, unknown, worst};
use crate::check::state::CheckState;
use crate::collector::FindingCollector;
use crate::continued::ContinuedText;
use crate::diagnose::{self, RecordFindings, RecordStart, RecordText, Room, Value};
use crate::finding::Finding;
use crate::formats::columns::Columns;
use crate::formats::{Layout, TextPolicy};
use crate::records::csv::{Table, row};
use crate::records::{Diagnosis, Event, Extent, Part, RecordProblem, ScannedRecord, Visit, reader};
use crate::scan::Scratch;
use crate::schema::Schema;

/// The maximum number of records returned at once.
const MOST: u32 = 500;

/// Bytes after which no further record is read, unless there is none yet.
const BUDGET: u64 = 4 << 20;

/// The maximum number of lists of a document that are named.
const MOST_LISTS: usize = 64;

impl<R: Read + Seek> View<'_, R> {
    /// Records `from..from + count` (from 0, at most 500) for a list: fewer at the end of the dataset and if records are long, but
    /// at least one if there is any. For a file of no known format, those in its first 256 KiB.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn rows(&mut self, from: u64, count: u32) -> io::Result<Rows> {
        let wanted = from..from.saturating_add(u64::from(count.min(MOST)));
        if let Some(name) = self.unknown {
            return unknown::rows(self, name, wanted);
        }
        let state = self.reader.visitor();
        let total = state.dataset.collector.records();
        let wanted = wanted.start..wanted.end.min(total);
        let lists = if let Layout::Json(lists) = &state.dataset.variant.layout { lists } else { &[][..] };
        let list = |(list, first): &(usize, u64)| {
            lists.get(*list).map(|list| RecordList { key: list.key.to_owned(), first: *first })
        };
        Ok(Rows {
            total,
            is_beginning: false,
            columns: headings(&state.dataset.format.columns),
            lists: state.dataset.lists.began().iter().filter_map(list).take(MOST_LISTS).collect(),
            rows: if wanted.is_empty() { Vec::new() } else { read(self, wanted)? },
        })
    }
}

pub(super) fn headings(columns: &Columns) -> Vec<Column> {
    let heading = |column: &crate::formats::columns::Column| Column {
        name: column.name.to_owned(),
        heading: column.heading.to_owned(),
        kind: column.kind,
    };
    columns.others.iter().map(heading).collect()
}

/// Reads records from the nearest mark.
fn read<R: Read + Seek>(view: &mut View<'_, R>, wanted: Range<u64>) -> io::Result<Vec<Row>> {
    let checked = view.reader;
    let state = checked.visitor();
    let variant = state.dataset.variant;
    let is_enough =
        |finder: &RowFinder<'_>, bytes_read| bytes_read >= BUDGET && finder.has_any() || finder.is_done();
    let (mut search, _) = read_from_record(
        view,
        wanted.start,
        |first| RowFinder::new(state, first, wanted.clone()),
        is_enough,
    )?;
    let found = search.visitor_mut().take();
    drop(search);
    let mut rows = Vec::with_capacity(found.len());
    for mut row in found {
        if let Some(start) = row.unread_at {
            let _ = view.read_from(start, |bytes| {
                row.row.text = text_of(bytes, false);
                ControlFlow::Break(())
            })?;
        }
        rows.push(row);
    }
    let is_document = matches!(variant.layout, Layout::Json(_));
    for found in &mut rows {
        let list = state.dataset.lists.began().partition_point(|(_, first)| *first <= found.row.record);
        if list > 0 && state.dataset.is_replaced(list - 1) {
            // The check retracts its errors, unless it is not JSON.
            found.row.severity = None;
        }
        // In a document, other records may have a part on the first and on the last line.
        let first = found.row.line - u64::from(!is_document);
        let error = state.dataset.collector.error_line(first, Direction::Next);
        if error.is_some_and(|line| line < found.last_line + u64::from(!is_document)) {
            found.row.severity = Some(Severity::Error);
        }
    }
    let first = rows.first().map_or(0, |found| found.row.record);
    for finding in state.dataset.collector.findings() {
        let index = finding.location.record.and_then(|record| record.checked_sub(first));
        let index = index.and_then(|index| usize::try_from(index).ok());
        if let Some(found) = index.and_then(|index| rows.get_mut(index)) {
            found.add(finding.problem.rule().severity);
        }
    }
    Ok(rows.into_iter().map(|found| found.row).collect())
}

/// A row, and facts that are not part of it.
#[derive(Debug)]
struct FoundRow {
    row: Row,
    /// The line on which the record ends.
    last_line: u64,
    /// The offset of a record that was not kept.
    unread_at: Option<u64>,
    /// Whether only findings of the record are known.
    is_stub: bool,
}

impl FoundRow {
    fn add(&mut self, severity: Severity) {
        self.row.severity = self.row.severity.into_iter().chain([severity]).min();
    }
}

/// A record that is not counted yet.
#[derive(Debug)]
struct Current {
    found: FoundRow,
    /// Its lines, because it may continue.
    lines: ContinuedText,
}

/// A visitor that makes rows of records.
#[derive(Debug)]
pub(super) struct RowFinder<'a> {
    state: &'a CheckState,
    schema: &'static Schema,
    cells: CellReader,
    /// The number of the first record that is read.
    first: u64,
    wanted: Range<u64>,
    current: Option<Current>,
    rows: Vec<FoundRow>,
    counts: FindingCollector,
    scratch: Scratch,
}

impl<'a> RowFinder<'a> {
    fn new(state: &'a CheckState, first: u64, wanted: Range<u64>) -> Self {
        Self {
            state,
            schema: state.dataset.schema,
            cells: CellReader::new(&state.dataset.format.columns),
            first,
            wanted,
            current: None,
            rows: Vec::new(),
            counts: FindingCollector::new(Some(0)),
            scratch: Scratch::default(),
        }
    }

    /// Whether all records were found.
    fn is_done(&self) -> bool {
        self.rows.len() as u64 == self.wanted.end - self.wanted.start
    }

    /// Whether at least one record was found, perhaps without its end.
    fn has_any(&self) -> bool {
        !self.rows.is_empty() || self.current.is_some()
    }

    /// Removes and returns the rows, with that of a record whose end was not found.
    fn take(&mut self) -> Vec<FoundRow> {
        self.end_record();
        std::mem::take(&mut self.rows)
    }

    fn end_record(&mut self) {
        self.rows.extend(self.current.take().map(|current| current.found));
    }

    fn begin_record(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        root: Option<&Value<'_>>,
        findings: &[Finding],
    ) {
        if !self.wanted.contains(&start.record) {
            return;
        }
        let mut row = row_of(&self.cells, bytes, root);
        (row.record, row.line, row.byte_start) = (start.record, start.line, start.offset);
        row.severity = worst(findings);
        let found = FoundRow { row, last_line: start.line, unread_at: None, is_stub: false };
        self.current = Some(Current { found, lines: ContinuedText::new(bytes) });
    }
}

/// The row of a record, whose number, line and byte are yet to be set. Without a value, the record cannot be read.
pub(super) fn row_of(reader: &CellReader, bytes: &[u8], root: Option<&Value<'_>>) -> Row {
    let cells = root.map_or_else(|| reader.none(), |root| reader.read(root));
    let text = if cells.has_any { None } else { text_of(bytes, true) };
    let Cells { id, question, answer, columns, .. } = cells;
    Row { record: 0, line: 0, byte_start: 0, severity: None, id, question, answer, columns, text }
}

impl Visit for RowFinder<'_> {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn texts(&self) -> TextPolicy {
        self.state.dataset.format.texts
    }

    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, self.schema, self.state.dataset.format.texts, &mut self.scratch)
    }

    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        !self.wanted.contains(&record.at.record)
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        match part {
            Part::Record { base, list } => {
                let diagnosis = self.state.dataset.preview(bytes, start, base, list);
                let parsed = diagnose::parse(bytes).ok();
                let root = parsed.as_ref().map(|parsed| &parsed.value);
                self.begin_record(bytes, start, root, &diagnosis.findings);
                diagnosis
            }
            Part::Row(table) => self.check_row(bytes, start, table),
            Part::Header(schema) => self.check_header(bytes, start, schema),
            Part::Columns(_) | Part::Value { .. } => Diagnosis::default(),
        }
    }

    fn count_record(&mut self, findings: Vec<Finding>) {
        let record = self.first + self.counts.records();
        self.counts.valid += 1;
        if let Some(current) = &mut self.current {
            if let Some(severity) = worst(&findings) {
                current.found.add(severity);
            }
            return self.end_record();
        }
        if self.wanted.contains(&record)
            && let Some(finding) = findings.first()
        {
            let start = finding.location.bytes.as_ref().map(|bytes| bytes.start);
            let row = Row {
                record,
                line: finding.location.line.unwrap_or(1),
                byte_start: start.unwrap_or_default(),
                severity: worst(&findings),
                ..row_of(&self.cells, b"", None)
            };
            // Other findings are not at the start of the record.
            let unread_at = start.filter(|_| finding.problem.is::<RecordProblem>());
            self.rows.push(FoundRow { last_line: row.line, row, unread_at, is_stub: true });
        }
    }

    fn report(&mut self, finding: Finding) {
        if let Some(current) = &mut self.current
            && finding.location.record == Some(current.found.row.record)
        {
            current.found.add(finding.problem.rule().severity);
        }
    }

    fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::List { schema, .. } => self.schema = schema,
            Event::Continues { line, offset } => {
                if let Some(current) = &mut self.current {
                    current.lines.push(line, offset);
                }
            }
            Event::InvalidLines { record, bytes, .. } => {
                let is_current = |current: &&mut Current| current.found.row.record == record;
                let Some(current) = self.current.as_mut().filter(is_current) else { return };
                if current.lines.end_at(bytes.end) {
                    let text = &current.lines.text;
                    let parsed = diagnose::parse(text).ok();
                    let row = row_of(&self.cells, text, parsed.as_ref().map(|parsed| &parsed.value));
                    let Row { record, line, byte_start, severity, .. } = current.found.row;
                    current.found.row = Row { record, line, byte_start, severity, ..row };
                }
            }
            Event::Read(record) => {
                let number = record.mark.record_start.record;
                if let Some(found) = self.rows.last_mut().filter(|found| found.row.record == number) {
                    found.last_line = record.last_line;
                    if found.is_stub {
                        found.row.line = record.mark.record_start.line;
                        found.row.byte_start = record.mark.record_start.offset;
                        found.row.text = text_of(record.bytes, false);
                        found.unread_at = None;
                    }
                }
            }
            _ => {}
        }
    }
}

impl RowFinder<'_> {
    /// Checks a header that is not JSON: it may be the first line of an array around all records, which is a record.
    fn check_header(&mut self, bytes: &[u8], start: RecordStart, schema: &'static Schema) -> Diagnosis {
        let Some(diagnosis) = broken_header(self.texts(), bytes, start, schema) else {
            return Diagnosis::default();
        };
        self.begin_record(bytes, start, None, &diagnosis.findings);
        diagnosis
    }

    fn check_row(&mut self, bytes: &[u8], start: RecordStart, table: &Table) -> Diagnosis {
        if !self.wanted.contains(&start.record) {
            return Diagnosis::default();
        }
        let findings = self.state.dataset.preview_row(bytes, start, table);
        let parsed = row::read(bytes, table, start.line, &mut RecordFindings::within(Room::None));
        self.begin_record(bytes, start, parsed.as_ref().map(|parsed| &parsed.value), &findings);
        findings.into()
    }
}

/// The diagnosis of a header that is not JSON.
pub(super) fn broken_header(
    texts: TextPolicy,
    bytes: &[u8],
    start: RecordStart,
    schema: &'static Schema,
) -> Option<Diagnosis> {
    let error = diagnose::parse_at(bytes, start).err().filter(|_| !texts.lines.is_blank(bytes))?;
    let unfinished = error.unfinished;
    let finding = diagnose::fixed_syntax_finding(error, bytes, true, schema);
    let findings = vec![finding.locate(&RecordText::new(bytes, start))];
    Some(Diagnosis { findings, unfinished, ..Diagnosis::default() })
}

/// The rows of a whole dataset that is in memory, without findings.
pub(super) fn rows_of(state: &CheckState, dataset: &[u8], most: u64) -> Vec<Row> {
    let finder = RowFinder::new(state, 0, 0..most);
    let mut search = reader(&state.dataset.variant.layout, state.dataset.schema, finder);
    search.buffer(dataset.len()).copy_from_slice(dataset);
    search.commit(dataset.len());
    search.finish();
    let rows = search.visitor_mut().take();
    rows.into_iter().map(|found| Row { severity: None, ..found.row }).collect()
}
