//! Records for a list, read again from the nearest mark.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use evalcheck_core::excerpt::clip;
use evalcheck_report::Severity;
use evalcheck_report::view::{Column, Direction, RecordList, Row, Rows};

use super::again::{Wanted, read_records};
use super::cells::{CellReader, Cells, text_of};
use super::{View, worst};
use crate::check::state::CheckState;
use crate::dataset::BegunList;
use crate::diagnose::Value;
use crate::finding::Finding;
use crate::formats::Layout;
use crate::formats::fields::Field;
use crate::records::{CountedRecord, parse};
use crate::search::{Search, Terms};

/// The maximum length of the name of a list, in characters.
const MOST_KEY: usize = 80;

/// The maximum number of lists of a document that are named.
const MOST_LISTS: usize = 64;

/// Records for a list: fewer than are wanted at the end of the dataset and if records are long, but at least one if there is any.
pub(super) fn rows<R: Read + Seek>(view: &mut View<'_, R>, wanted: Range<u64>) -> io::Result<Rows> {
    let total = view.reader.visitor().dataset.collector.records();
    let wanted: Vec<u64> = (wanted.start..wanted.end.min(total)).collect();
    list(view, total, &wanted, None)
}

/// Records that a search has found, by their numbers in any order, with what it has found in them.
pub(super) fn found<R: Read + Seek>(
    view: &mut View<'_, R>,
    records: &[u64],
    search: &Search,
) -> io::Result<Rows> {
    let (total, terms) = (search.listed(), Some(search.terms()));
    let mut ascending = records.to_vec();
    ascending.sort_unstable();
    let mut rows = list(view, total, &ascending, terms)?;
    let mut read: BTreeMap<u64, Row> = rows.rows.drain(..).map(|row| (row.record, row)).collect();
    rows.rows = records.iter().map_while(|record| read.remove(record)).collect();
    // Those that were read may all be behind one that was not.
    match records.first() {
        Some(first) if rows.rows.is_empty() && !read.is_empty() => list(view, total, &[*first], terms),
        _ => Ok(rows),
    }
}

fn list<R: Read + Seek>(
    view: &mut View<'_, R>,
    total: u64,
    wanted: &[u64],
    terms: Option<&Rc<Terms>>,
) -> io::Result<Rows> {
    let state = view.reader.visitor();
    let list =
        |list: &BegunList| Some(RecordList { key: clip(list.key.as_deref()?, MOST_KEY), first: list.first });
    Ok(Rows {
        total,
        columns: headings(state.dataset.format.fields),
        lists: state.dataset.lists.began().iter().filter_map(list).take(MOST_LISTS).collect(),
        rows: read(view, wanted, terms)?,
    })
}

fn headings(fields: &[Field]) -> Vec<Column> {
    let column = |field: &Field| {
        let (heading, kind) = field.column()?;
        Some(Column { name: field.name.to_owned(), heading: heading.to_owned(), kind })
    };
    fields.iter().filter_map(column).collect()
}

/// Reads records from the nearest marks, those that are near each other at once.
fn read<R: Read + Seek>(
    view: &mut View<'_, R>,
    wanted: &[u64],
    terms: Option<&Rc<Terms>>,
) -> io::Result<Vec<Row>> {
    let checked = view.reader;
    let state = checked.visitor();
    let variant = state.dataset.variant;
    let found = |run: &[u64]| FoundRows::new(state, run.to_vec(), terms.map(Rc::clone));
    let mut rows = Vec::new();
    // A row shows a record as far as it was read.
    read_records(view, wanted, found, |again, _| again.has_begun, |_, found, _| rows.extend(found.rows))?;
    for row in &mut rows {
        if let Some(start) = row.unread_at {
            let _ = view.read_from(start, |bytes| {
                row.row.text = text_of(bytes, false);
                ControlFlow::Break(())
            })?;
        }
    }
    let is_document = matches!(variant.layout, Layout::Json(_));
    for found in &mut rows {
        let list = state.dataset.lists.began().partition_point(|list| list.first <= found.row.record);
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
    for finding in state.dataset.collector.findings() {
        let Some(record) = finding.location.record else { continue };
        if let Ok(index) = rows.binary_search_by_key(&record, |found| found.row.record) {
            rows[index].add(finding.problem.rule().severity);
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
    /// Their numbers, in ascending order.
    wanted: Vec<u64>,
    /// The terms of the search that has found them.
    terms: Option<Rc<Terms>>,
    rows: Vec<FoundRow>,
}

impl FoundRows {
    fn new(state: &CheckState, wanted: Vec<u64>, terms: Option<Rc<Terms>>) -> Self {
        Self { cells: CellReader::new(state.dataset.format.fields), wanted, terms, rows: Vec::new() }
    }
}

/// The row of a record, whose number, line and byte are yet to be set. Without a value, the record cannot be read.
fn row_of(reader: &CellReader, bytes: &[u8], root: Option<&Value<'_>>, terms: Option<&Terms>) -> Row {
    let found = terms.map(|terms| terms.in_record(root, bytes));
    let cells = root.map_or_else(|| reader.none(), |root| reader.read(root, found.as_ref()));
    let Cells { id, question, answer, columns, has_any } = cells;
    let text = || {
        let found = found.as_ref().filter(|_| root.is_none());
        let around = found.and_then(|found| found.excerpt(&String::from_utf8_lossy(bytes)));
        around.or_else(|| text_of(bytes, true))
    };
    let text = if has_any { None } else { text() };
    let shown = [&id, &question, &answer, &text].into_iter().chain(&columns).flatten();
    let found = found.and_then(|found| found.beside(shown));
    Row { id, question, answer, columns, text, found, ..Row::default() }
}

impl Wanted for FoundRows {
    fn wants(&self, record: u64) -> bool {
        self.wanted.binary_search(&record).is_ok()
    }

    fn take(&mut self, record: &CountedRecord<'_>, findings: Vec<Finding>) {
        let (start, text) = (record.mark.record_start, record.text.unwrap_or_default());
        let parsed = parse(text, start.line, record.table);
        let mut row =
            row_of(&self.cells, text, parsed.as_ref().map(|parsed| &parsed.value), self.terms.as_deref());
        (row.record, row.line, row.byte_start) = (start.record, start.line, start.offset);
        row.severity = worst(&findings);
        if record.bytes.is_none() {
            row.text = text_of(text, false);
        }
        let unread_at = record.text.is_none().then_some(start.offset);
        self.rows.push(FoundRow { row, last_line: record.last_line, unread_at });
    }
}
