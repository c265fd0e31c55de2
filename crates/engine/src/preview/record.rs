//! Records that are not lines, read again from the nearest mark.

use std::io::{self, Read, Seek};
use std::rc::Rc;

use evalcheck_report::view::{Loaded, Record};

use super::again::feed;
use super::sample::Shows;
use super::{View, limits};
use crate::archive::Archive;
use crate::check::state::CheckState;
use crate::diagnose::{PathBuilder, RecordStart};
use crate::finding::Finding;
use crate::formats::Layout;
use crate::loaded::Candidate;
use crate::records::finder::{FoundRecord, RecordFinder};
use crate::records::record_index::Mark;
use crate::records::{Reader, resume};

/// Searches for the first record that has a part on a line. `None` if records are lines, or there is none.
pub(super) fn find<R: Read + Seek>(view: &mut View<'_, R>, line: u64) -> io::Result<Option<RecordFinder>> {
    let mark = view.reader.positions().records.before(line).copied();
    find_from(view, mark, RecordFinder::on_line(line))
}

/// Searches for the record with a number, from 0. `None` if records are lines, or there is none.
pub(super) fn find_number<R: Read + Seek>(
    view: &mut View<'_, R>,
    record: u64,
) -> io::Result<Option<RecordFinder>> {
    let mark = view.reader.positions().records.before_record(record).copied();
    find_from(view, mark, RecordFinder::of_number(record))
}

fn find_from<R: Read + Seek>(
    view: &mut View<'_, R>,
    mark: Option<Mark>,
    finder: RecordFinder,
) -> io::Result<Option<RecordFinder>> {
    let reader = view.reader;
    let variant = reader.visitor().dataset.variant;
    let (Some(mark), Layout::Csv(_) | Layout::Json(_)) = (mark, &variant.layout) else { return Ok(None) };
    let mut search = resume(&variant.layout, variant.schema, reader.table(), mark, finder);
    feed(view, &mut *search, mark.record_start.offset, |finder, _| finder.is_done)?;
    Ok(Some(search.into_visitor()))
}

/// The record in full.
pub(super) fn record(
    found: &FoundRecord,
    reader: &dyn Reader<CheckState>,
    archive: Option<&Archive>,
    at: Option<u64>,
) -> Record {
    let record_start = found.mark.record_start;
    let kept: Vec<Finding> = reader.visitor().dataset.findings_of(record_start.record).cloned().collect();
    // Only the check knows why a record without an end has none.
    let mut findings = if found.is_partial && !kept.is_empty() { Vec::new() } else { recheck(found, reader) };
    super::merge(&mut findings, kept);
    let loaded = load(found, reader, &findings);
    limits::limit_findings(&mut findings, at);
    let shows = Shows {
        bytes: &found.bytes,
        start: record_start.offset,
        line: record_start.line,
        findings: &findings,
        reader,
        archive,
    };
    let (sample, sample_is_fixed) = shows.sample(|bytes| {
        let at_start = RecordStart { offset: 0, ..record_start };
        let bytes = bytes.to_vec();
        recheck(
            &FoundRecord { bytes, mark: Mark { record_start: at_start, ..found.mark }, is_partial: false },
            reader,
        )
    });
    let length = found.bytes.len() as u64;
    let mut source = super::text::source(&found.bytes, length, record_start.offset, &findings, at);
    source.editable = source.editable.filter(|_| !found.is_partial);
    Record {
        loaded: limits::limit_loaded(loaded).into(),
        line: record_start.line,
        findings: findings.iter().map(Finding::to_wire).collect(),
        source,
        sample,
        sample_is_fixed,
        encodings: Vec::new(),
    }
}

pub(super) fn recheck(found: &FoundRecord, reader: &dyn Reader<CheckState>) -> Vec<Finding> {
    let record_start = found.mark.record_start;
    let state = reader.visitor();
    match (reader.table(), &state.dataset.variant.layout) {
        (Some(table), _) => state.dataset.preview_row(&found.bytes, record_start, table),
        (None, Layout::Json(lists)) => {
            let list = found.mark.list;
            let base =
                lists.get(list).map_or_else(PathBuilder::of_element, |list| list.path(found.mark.index));
            state.dataset.preview_record(&found.bytes, record_start, &base, list)
        }
        _ => Vec::new(),
    }
}

fn load(found: &FoundRecord, reader: &dyn Reader<CheckState>, findings: &[Finding]) -> Loaded {
    let (text, start, list) = (Some(&*found.bytes), found.mark.record_start, found.mark.list);
    let table = reader.table().map(Rc::as_ref);
    reader.visitor().dataset.load(&Candidate { text, start, list, table, findings }).to_wire()
}
