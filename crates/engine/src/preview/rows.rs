//! Records for a list, read again from the nearest mark.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_report::Severity;
use evalcheck_report::view::{Column, Direction, RecordList, Row, Rows};

use super::again::{Again, Wanted, read_from_record};
use super::cells::{CellReader, Cells, text_of};
use super::{View, worst};
use crate::check::state::CheckState;
use crate::diagnose::Value;
use crate::finding::Finding;
use crate::formats::Layout;
use crate::formats::columns::Columns;
use crate::records::{CountedRecord, parse, reader};

/// Bytes after which no further record is read, unless there is none yet.
const BUDGET: u64 = 4 << 20;

/// The maximum number of lists of a document that are named.
const MOST_LISTS: usize = 64;

/// Records for a list: fewer than are wanted at the end of the dataset and if records are long, but at least one if there is any.
pub(super) fn rows<R: Read + Seek>(view: &mut View<'_, R>, wanted: Range<u64>) -> io::Result<Rows> {
    let state = view.reader.visitor();
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
        rows: if wanted.is_empty() { Vec::new() } else { read(view, wanted)? },
    })
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
    let first = wanted.start;
    let (found, _) = read_from_record(view, first, FoundRows::new(state, wanted), |again, bytes_read| {
        bytes_read >= BUDGET && again.has_begun || again.wanted.is_done()
    })?;
    let found = found.rows;
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
}

impl FoundRow {
    fn add(&mut self, severity: Severity) {
        self.row.severity = self.row.severity.into_iter().chain([severity]).min();
    }
}

/// The rows of wanted records.
struct FoundRows {
    cells: CellReader,
    wanted: Range<u64>,
    rows: Vec<FoundRow>,
}

impl FoundRows {
    fn new(state: &CheckState, wanted: Range<u64>) -> Self {
        Self { cells: CellReader::new(&state.dataset.format.columns), wanted, rows: Vec::new() }
    }

    /// Whether all records were found.
    fn is_done(&self) -> bool {
        self.rows.len() as u64 == self.wanted.end - self.wanted.start
    }
}

/// The row of a record, whose number, line and byte are yet to be set. Without a value, the record cannot be read.
pub(super) fn row_of(reader: &CellReader, bytes: &[u8], root: Option<&Value<'_>>) -> Row {
    let cells = root.map_or_else(|| reader.none(), |root| reader.read(root));
    let text = if cells.has_any { None } else { text_of(bytes, true) };
    let Cells { id, question, answer, columns, .. } = cells;
    Row { record: 0, line: 0, byte_start: 0, severity: None, id, question, answer, columns, text }
}

impl Wanted for FoundRows {
    fn wants(&self, record: u64) -> bool {
        self.wanted.contains(&record)
    }

    fn take(&mut self, record: &CountedRecord<'_>, findings: Vec<Finding>) {
        let (start, text) = (record.mark.record_start, record.text.unwrap_or_default());
        let parsed = parse(text, start.line, record.table);
        let mut row = row_of(&self.cells, text, parsed.as_ref().map(|parsed| &parsed.value));
        (row.record, row.line, row.byte_start) = (start.record, start.line, start.offset);
        row.severity = worst(&findings);
        if record.bytes.is_none() {
            row.text = text_of(text, false);
        }
        let unread_at = record.text.is_none().then_some(start.offset);
        self.rows.push(FoundRow { row, last_line: record.last_line, unread_at });
    }
}

/// The rows of a whole dataset that is in memory, without findings.
pub(super) fn rows_of(state: &CheckState, dataset: &[u8], most: u64) -> Vec<Row> {
    let again = Again::new(&state.dataset, 0, FoundRows::new(state, 0..most));
    let mut reader = reader(&state.dataset.variant.layout, state.dataset.schema, again);
    reader.buffer(dataset.len()).copy_from_slice(dataset);
    reader.commit(dataset.len());
    reader.finish();
    let rows = reader.into_visitor().wanted.rows;
    rows.into_iter().map(|found| Row { severity: None, ..found.row }).collect()
}
