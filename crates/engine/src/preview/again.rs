//! Reads records of the dataset again.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use super::View;
use crate::collector::FindingCollector;
use crate::dataset::Dataset;
use crate::diagnose::{self, RecordStart, RecordText};
use crate::finding::Finding;
use crate::formats::TextPolicy;
use crate::records::{
    CountedRecord, Diagnosis, Event, Extent, Part, Reader, ScannedRecord, Visit, reader, resume,
};
use crate::scan::Scratch;
use crate::schema::Schema;

/// The records that are wanted, and what is kept of them.
pub(super) trait Wanted {
    /// Whether a record is wanted.
    fn wants(&self, record: u64) -> bool;

    /// Takes a wanted record with its findings, except for those that need the records before it.
    fn take(&mut self, record: &CountedRecord<'_>, findings: Vec<Finding>);

    /// Takes a finding outside of the record that is counted.
    fn report(&mut self, _finding: Finding) {}
}

/// A visitor that checks wanted records again, one by one.
#[derive(Debug)]
pub(super) struct Again<'a, W> {
    dataset: &'a Dataset,
    schema: &'static Schema,
    /// The number of the first record that is read.
    first: u64,
    /// Whether a wanted record was read, perhaps without its end.
    pub(super) has_begun: bool,
    pub(super) wanted: W,
    counts: FindingCollector,
    scratch: Scratch,
}

impl<'a, W> Again<'a, W> {
    /// A visitor for records of a dataset, from the record `first` on.
    pub(super) fn new(dataset: &'a Dataset, first: u64, wanted: W) -> Self {
        Self {
            dataset,
            schema: dataset.schema,
            first,
            has_begun: false,
            wanted,
            counts: FindingCollector::new(Some(0)),
            scratch: Scratch::default(),
        }
    }

    /// The number of the record that is counted next.
    pub(super) fn next(&self) -> u64 {
        self.first + self.counts.records()
    }
}

impl<W: Wanted> Visit for Again<'_, W> {
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
        extent.scan(bytes, start, self.schema, self.texts(), &mut self.scratch)
    }

    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        !self.wanted.wants(record.at.record)
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        let is_wanted = self.wanted.wants(start.record);
        let diagnosis = match part {
            Part::Record { base, list } => self.dataset.preview(bytes, start, base, list),
            Part::Row(table) if is_wanted => self.dataset.preview_row(bytes, start, table).into(),
            // It may be the first line of an array around all records, which is a record.
            Part::Header(schema) => match broken_header(self.texts(), bytes, start, schema) {
                Some(diagnosis) => diagnosis,
                None => return Diagnosis::default(),
            },
            Part::Row(_) | Part::Columns(_) | Part::Value { .. } => return Diagnosis::default(),
        };
        self.has_begun |= is_wanted;
        diagnosis
    }

    fn count_record(&mut self, record: &CountedRecord<'_>, findings: Vec<Finding>) {
        self.counts.valid += 1;
        if self.wanted.wants(record.mark.record_start.record) {
            self.wanted.take(record, findings);
        }
    }

    fn report(&mut self, finding: Finding) {
        self.wanted.report(finding);
    }

    fn observe(&mut self, event: Event<'_>) {
        if let Event::List { schema, .. } = event {
            self.schema = schema;
        }
    }
}

/// The diagnosis of a header that is not JSON.
fn broken_header(
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

/// Bytes after which no further record is read.
const BUDGET: u64 = 4 << 20;

/// A record at most this far after another is reached by reading on from there.
const NEAR: u64 = 64;

/// Reads records again whose numbers are in ascending order, those that are near each other at once. When [`BUDGET`] is used up, it reads on until
/// `has_enough` is true for a visitor and the first record of its run, and no further. `take` receives the records of a run, what was kept of
/// them, and the number of the first record that was not read to its end.
pub(super) fn read_records<'v, R: Read + Seek, W: Wanted + 'v>(
    view: &mut View<'v, R>,
    records: &[u64],
    wanted: impl Fn(&[u64]) -> W,
    has_enough: impl Fn(&Again<'v, W>, u64) -> bool,
    mut take: impl FnMut(&[u64], W, u64),
) -> io::Result<()> {
    let mut bytes_read = 0;
    for run in records.chunk_by(|record, next| next - record <= NEAR) {
        let (Some(&first), Some(&last)) = (run.first(), run.last()) else { continue };
        if bytes_read >= BUDGET {
            break;
        }
        let before = bytes_read;
        let (kept, next) = read_from_record(view, first, wanted(run), |again, of_run| {
            bytes_read = before + of_run;
            bytes_read >= BUDGET && has_enough(again, first) || again.next() > last
        })?;
        take(run, kept, next);
    }
    Ok(())
}

/// Reads records from the nearest mark before the record `first`, as [`feed`] does. Returns what was kept, and the number of the first record
/// that was not read to its end; it is kept as far as it was read.
pub(super) fn read_from_record<'v, R: Read + Seek, W: Wanted + 'v>(
    view: &mut View<'v, R>,
    first: u64,
    wanted: W,
    is_enough: impl FnMut(&Again<'v, W>, u64) -> bool,
) -> io::Result<(W, u64)> {
    let checked = view.reader;
    let dataset = &checked.visitor().dataset;
    let layout = &dataset.variant.layout;
    let mark = checked.positions().records.before_record(first).copied();
    let start = mark.map(|mark| mark.record_start).unwrap_or_default();
    let visitor = Again::new(dataset, start.record, wanted);
    let mut again = match mark {
        Some(mark) => resume(layout, dataset.schema, checked.table(), mark, visitor),
        None => reader(layout, dataset.schema, visitor),
    };
    let is_end = feed(view, &mut *again, start.offset, is_enough)?;
    let next = if is_end { u64::MAX } else { again.visitor().next() };
    again.stop();
    Ok((again.into_visitor().wanted, next))
}

/// Gives a reader the bytes from an offset of the dataset on, until `is_enough` is true for its visitor and the number of bytes read, or
/// the dataset ends. Returns whether it ended.
pub(super) fn feed<R: Read + Seek, V: Visit>(
    view: &mut View<'_, R>,
    again: &mut (dyn Reader<V> + '_),
    offset: u64,
    mut is_enough: impl FnMut(&V, u64) -> bool,
) -> io::Result<bool> {
    let mut bytes_read = 0;
    let flow = view.read_from(offset, |bytes| {
        again.buffer(bytes.len()).copy_from_slice(bytes);
        again.commit(bytes.len());
        bytes_read += bytes.len() as u64;
        if is_enough(again.visitor(), bytes_read) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let is_end = flow.is_continue();
    if is_end {
        // Every byte was read: the last record may end here.
        again.finish();
    }
    Ok(is_end)
}
