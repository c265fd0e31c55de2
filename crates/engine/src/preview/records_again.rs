//! Findings and hits of some records, made again by reading the records again.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::order::Order;
use evalcheck_wire::view::Hit;

use super::again::read_from_record;
use super::{View, rows};
use crate::collector::FindingCollector;
use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;
use crate::formats::TextPolicy;
use crate::observer::Observer;
use crate::records::{CountedRecord, Diagnosis, Event, Extent, Part, ScannedRecord, Visit};
use crate::scan::Scratch;
use crate::schema::Schema;
use crate::search::Search;

/// Bytes after which no further record is read, unless there is none yet.
const BUDGET: u64 = 4 << 20;

/// A record at most this far after another is reached by reading on from there.
const NEAR: u64 = 64;

/// Findings and hits that were made again. Records that were not read, because the budget of bytes was used up, have none.
#[derive(Debug, Default)]
pub(super) struct RecordsAgain {
    /// The findings of each record that was read, except for those that need the records before it.
    pub(super) findings: BTreeMap<u64, Vec<Finding>>,
    /// The hits of a search, in the order of the records.
    pub(super) hits: Vec<Hit>,
}

/// Reads records again, those that are near each other at once. Their numbers are in ascending order. `search` makes their hits.
pub(super) fn read_records<R: Read + Seek>(
    view: &mut View<'_, R>,
    wanted: &[u64],
    search: Option<&Search>,
) -> io::Result<RecordsAgain> {
    let (mut found, mut bytes_read) = (RecordsAgain::default(), 0);
    for wanted in wanted.chunk_by(|record, next| next - record <= NEAR) {
        if bytes_read >= BUDGET && !found.findings.is_empty() {
            break;
        }
        read_run(view, wanted, search, &mut bytes_read, &mut found)?;
    }
    Ok(found)
}

fn read_run<R: Read + Seek>(
    view: &mut View<'_, R>,
    wanted: &[u64],
    search: Option<&Search>,
    bytes_read: &mut u64,
    found: &mut RecordsAgain,
) -> io::Result<()> {
    let (Some(&first), Some(&last)) = (wanted.first(), wanted.last()) else { return Ok(()) };
    let dataset = &view.reader.visitor().dataset;
    let bytes_before = *bytes_read;
    let (mut reader, is_end) = read_from_record(
        view,
        first,
        |begins| RecordFinder::new(dataset, begins, wanted.to_vec(), search.map(Search::again)),
        |finder, of_run| {
            *bytes_read = bytes_before + of_run;
            let next = finder.next();
            *bytes_read >= BUDGET && next > first || next > last
        },
    )?;
    let finder = reader.visitor_mut();
    let next = finder.next();
    let is_read = |record: u64| is_end || record < next;
    for record in wanted.iter().filter(|record| is_read(**record)) {
        found.findings.insert(*record, finder.findings.remove(record).unwrap_or_default());
    }
    if let Some(search) = &mut finder.search {
        found.hits.extend(search.take_hits().into_iter().filter(|hit| is_read(hit.record)));
    }
    Ok(())
}

/// A visitor that checks some records again.
#[derive(Debug)]
struct RecordFinder<'a> {
    dataset: &'a Dataset,
    schema: &'static Schema,
    /// The number of the first record that is read.
    first: u64,
    /// In their order.
    wanted: Vec<u64>,
    findings: BTreeMap<u64, Vec<Finding>>,
    search: Option<Search>,
    counts: FindingCollector,
    scratch: Scratch,
}

impl<'a> RecordFinder<'a> {
    fn new(dataset: &'a Dataset, first: u64, wanted: Vec<u64>, search: Option<Search>) -> Self {
        Self {
            dataset,
            schema: dataset.schema,
            first,
            wanted,
            findings: BTreeMap::new(),
            search,
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
        self.dataset.complete(&mut findings);
        self.findings.entry(record).or_default().append(&mut findings);
    }
}

impl Visit for RecordFinder<'_> {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn texts(&self) -> TextPolicy {
        self.dataset.format.texts
    }

    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, self.schema, self.dataset.format.texts, &mut self.scratch)
    }

    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        !self.wants(record.at.record)
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        match part {
            Part::Record { base, list } => self.dataset.preview(bytes, start, base, list),
            Part::Row(table) if self.wants(start.record) => {
                self.dataset.preview_row(bytes, start, table).into()
            }
            Part::Header(schema) => {
                rows::broken_header(self.texts(), bytes, start, schema).unwrap_or_default()
            }
            Part::Row(_) | Part::Columns(_) | Part::Value { .. } => Diagnosis::default(),
        }
    }

    fn count_record(&mut self, record: &CountedRecord<'_>, mut findings: Vec<Finding>) {
        self.counts.valid += 1;
        let number = record.mark.record_start.record;
        if !self.wants(number) {
            return;
        }
        findings.order_by_key(|finding| finding.location.line);
        if let Some(search) = &mut self.search {
            search.counted(record, &findings, self.dataset);
        }
        self.keep(number, findings);
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
