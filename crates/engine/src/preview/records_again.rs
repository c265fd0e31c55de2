//! Findings of some records, made again by reading the records again.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::order::Order;

use super::View;
use super::again::{Wanted, read_from_record};
use crate::dataset::Dataset;
use crate::finding::Finding;
use crate::records::CountedRecord;

/// Bytes after which no further record is read, unless there is none yet.
pub(super) const BUDGET: u64 = 4 << 20;

/// A record at most this far after another is reached by reading on from there.
pub(super) const NEAR: u64 = 64;

/// The findings of some records, except for those that need the records before them. Records that were not read, because the budget of bytes
/// was used up, have none. Reads records again that are near each other at once. Their numbers are in ascending order.
pub(super) fn read_records<R: Read + Seek>(
    view: &mut View<'_, R>,
    wanted: &[u64],
) -> io::Result<BTreeMap<u64, Vec<Finding>>> {
    let (mut found, mut bytes_read) = (BTreeMap::new(), 0);
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
    found: &mut BTreeMap<u64, Vec<Finding>>,
) -> io::Result<()> {
    let (Some(&first), Some(&last)) = (wanted.first(), wanted.last()) else { return Ok(()) };
    let dataset = &view.reader.visitor().dataset;
    let bytes_before = *bytes_read;
    let wanted_again = FoundRecords { dataset, records: wanted.to_vec(), findings: BTreeMap::new() };
    let (mut again, next) = read_from_record(view, first, wanted_again, |again, of_run| {
        *bytes_read = bytes_before + of_run;
        *bytes_read >= BUDGET && again.next() > first || again.next() > last
    })?;
    for record in wanted.iter().filter(|record| **record < next) {
        found.insert(*record, again.findings.remove(record).unwrap_or_default());
    }
    Ok(())
}

/// The findings of wanted records.
struct FoundRecords<'a> {
    dataset: &'a Dataset,
    /// In their order.
    records: Vec<u64>,
    findings: BTreeMap<u64, Vec<Finding>>,
}

impl FoundRecords<'_> {
    fn keep(&mut self, record: u64, mut findings: Vec<Finding>) {
        self.dataset.complete(&mut findings);
        self.findings.entry(record).or_default().append(&mut findings);
    }
}

impl Wanted for FoundRecords<'_> {
    fn wants(&self, record: u64) -> bool {
        self.records.binary_search(&record).is_ok()
    }

    fn take(&mut self, record: &CountedRecord<'_>, mut findings: Vec<Finding>) {
        findings.order_by_key(|finding| finding.location.line);
        self.keep(record.mark.record_start.record, findings);
    }

    fn report(&mut self, finding: Finding) {
        if let Some(record) = finding.location.record.filter(|record| self.wants(*record)) {
            self.keep(record, vec![finding]);
        }
    }
}
