//! Findings by number. Most are made again from their records, which are read again from the nearest mark.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::finding_index::{Entry, FindingIndex};
use evalcheck_wire::findings::FindingList;
use evalcheck_wire::report;

use super::again::read_from_record;
use super::{View, rows};
use crate::check::state::CheckState;
use crate::collector::FindingCollector;
use crate::diagnose::RecordStart;
use crate::finding::Finding;
use crate::findings::FindingFilter;
use crate::formats::TextPolicy;
use crate::records::{Diagnosis, Event, Extent, Part, ScannedRecord, Visit};
use crate::scan::Scratch;
use crate::schema::Schema;

/// Most findings given at once.
const MOST: u32 = 500;

/// Bytes after which no further record is read, unless there is none yet.
const BUDGET: u64 = 4 << 20;

/// A record that is at most so many records after another is read on from there.
const NEAR: u64 = 64;

/// The findings of records that were read again.
type Found = BTreeMap<u64, Vec<Finding>>;

impl<R: Read + Seek> View<'_, R> {
    /// Findings `from..from + count` (from 0, at most 500) of those that a filter keeps: fewer at the end and where records are long,
    /// but at least one if there is any. None where the check has no index of its findings
    /// ([`crate::check::Check::index_findings`]).
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn findings(&mut self, from: u64, count: u32, filter: &FindingFilter<'_>) -> io::Result<FindingList> {
        let state = self.reader.visitor();
        let Some(index) = state.collector.index() else { return Ok(FindingList::default()) };
        let (total, mut page) = page(index, from, count.min(MOST), filter);
        let record_of = |entry: &Entry| entry.record.filter(|_| index.kept(entry).is_none());
        let mut wanted: Vec<u64> = page.iter().filter_map(|(_, entry)| record_of(entry)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let found = read(self, &wanted)?;
        let is_read = |entry: &Entry| record_of(entry).is_none_or(|record| found.contains_key(&record));
        let whole = page.iter().take_while(|(_, entry)| is_read(entry)).count();
        page.truncate(whole);
        let mut list = FindingList { total, unlisted: index.unlisted(), ..FindingList::default() };
        for (number, entry) in &page {
            let again = || find_again(index, *number, entry, found.get(&entry.record?)?);
            let finding = index.kept(entry).or_else(again).map(Finding::to_wire);
            list.summaries += u64::from(finding.is_none());
            list.findings.push(finding.unwrap_or_else(|| summary(index, entry, state)));
        }
        Ok(list)
    }
}

/// The number of findings that a filter keeps, and those that are asked for, with their numbers in the index.
fn page(index: &FindingIndex, from: u64, count: u32, filter: &FindingFilter<'_>) -> (u64, Vec<(u64, Entry)>) {
    if filter.keeps_all() {
        let page = (from..).zip(index.entries(from)).take(count as usize);
        return (index.len(), page.collect());
    }
    let keeps = filter.of(index);
    let wanted = from..from.saturating_add(u64::from(count));
    let (mut total, mut page) = (0, Vec::new());
    for numbered in (0..).zip(index.entries(0)).filter(|(_, entry)| keeps(entry)) {
        if wanted.contains(&total) {
            page.push(numbered);
        }
        total += 1;
    }
    (total, page)
}

/// The finding of an entry, among those of its record. Of several that are alike it is the one with the same number.
fn find_again<'f>(
    index: &FindingIndex,
    number: u64,
    entry: &Entry,
    of_record: &'f [Finding],
) -> Option<&'f Finding> {
    let is_alike = |finding: &&Finding| {
        finding.location.line == entry.line
            && finding.location.bytes.as_ref().map(|bytes| bytes.start) == entry.byte
            && finding.fix.as_ref().map(|fix| fix.applicability) == entry.fix
            && index.group_of(finding) == Some(entry.group)
    };
    let mut alike = of_record.iter().filter(is_alike);
    if alike.clone().nth(1).is_none() {
        return alike.next();
    }
    let first = index.first_of_record(number);
    let before = (first..number).zip(index.entries(first)).filter(|(_, other)| other == entry).count();
    alike.nth(before)
}

/// What is known of a finding that cannot be made again.
fn summary(index: &FindingIndex, entry: &Entry, state: &CheckState) -> report::Finding {
    let group = &index.groups()[entry.group];
    report::Finding {
        code: group.rule.code.to_owned(),
        severity: group.rule.severity,
        line: entry.line,
        column: None,
        byte_start: entry.byte,
        byte_end: None,
        record: entry.record,
        path: group.path.clone().filter(|path| !path.split('.').any(|step| step == "*")),
        message: group.rule.summary.to_owned(),
        hint: None,
        fix: None,
        loss: None,
        says: None,
        related: Vec::new(),
        entry: state.entry().map(ToString::to_string),
    }
}

/// Reads records again, those that are near each other at once.
fn read<R: Read + Seek>(view: &mut View<'_, R>, wanted: &[u64]) -> io::Result<Found> {
    let (mut found, mut bytes_read) = (Found::new(), 0);
    for wanted in wanted.chunk_by(|record, next| next - record <= NEAR) {
        if bytes_read >= BUDGET && !found.is_empty() {
            break;
        }
        read_run(view, wanted, &mut bytes_read, &mut found)?;
    }
    Ok(found)
}

fn read_run<R: Read + Seek>(
    view: &mut View<'_, R>,
    wanted: &[u64],
    bytes_read: &mut u64,
    found: &mut Found,
) -> io::Result<()> {
    let (Some(&first), Some(&last)) = (wanted.first(), wanted.last()) else { return Ok(()) };
    let state = view.reader.visitor();
    let bytes_before = *bytes_read;
    let (mut search, is_end) = read_from_record(
        view,
        first,
        |begins| FindingFinder::new(state, begins, wanted.to_vec()),
        |finder, of_run| {
            *bytes_read = bytes_before + of_run;
            let next = finder.next();
            *bytes_read >= BUDGET && next > first || next > last
        },
    )?;
    let next = search.visitor().next();
    let is_read = |record: &&u64| is_end || **record < next;
    for record in wanted.iter().filter(is_read) {
        found.insert(*record, search.visitor_mut().found.remove(record).unwrap_or_default());
    }
    Ok(())
}

/// A visitor that makes the findings of records again.
#[derive(Debug)]
struct FindingFinder<'a> {
    state: &'a CheckState,
    schema: &'static Schema,
    /// The number of the first record that is read.
    first: u64,
    /// In their order.
    wanted: Vec<u64>,
    found: Found,
    counts: FindingCollector,
    scratch: Scratch,
}

impl<'a> FindingFinder<'a> {
    fn new(state: &'a CheckState, first: u64, wanted: Vec<u64>) -> Self {
        Self {
            state,
            schema: state.schema,
            first,
            wanted,
            found: Found::new(),
            counts: FindingCollector::new(Some(0)),
            scratch: Scratch::default(),
        }
    }

    /// The number of the record that is counted next.
    fn next(&self) -> u64 {
        self.first + self.counts.records()
    }

    fn wants(&self, record: u64) -> bool {
        self.wanted.binary_search(&record).is_ok()
    }

    fn keep(&mut self, record: u64, mut findings: Vec<Finding>) {
        self.state.complete(&mut findings);
        self.found.entry(record).or_default().append(&mut findings);
    }
}

impl Visit for FindingFinder<'_> {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn texts(&self) -> TextPolicy {
        self.state.format.texts
    }

    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, self.schema, self.state.format.texts, &mut self.scratch)
    }

    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        !self.wants(record.at.record)
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        match part {
            Part::Record { base, list } => self.state.preview(bytes, start, base, list),
            Part::Row(table) if self.wants(start.record) => {
                self.state.preview_row(bytes, start, table).into()
            }
            Part::Header(schema) => {
                rows::broken_header(self.texts(), bytes, start, schema).unwrap_or_default()
            }
            Part::Row(_) | Part::Columns(_) | Part::Value { .. } => Diagnosis::default(),
        }
    }

    fn count_record(&mut self, mut findings: Vec<Finding>) {
        let record = self.next();
        self.counts.valid += 1;
        if self.wants(record) {
            findings.sort_by_key(|finding| finding.location.line);
            self.keep(record, findings);
        }
    }

    fn report(&mut self, finding: Finding) {
        if let Some(record) = finding.location.record.filter(|record| self.wants(*record)) {
            self.keep(record, vec![finding]);
        }
    }

    fn observe(&mut self, event: Event<'_>) {
        if let Event::List { schema, .. } = event {
            self.schema = schema;
        }
    }
}
