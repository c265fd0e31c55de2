//! Findings of some records, made again by reading the records again.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::order::Order;

use super::View;
use super::again::{Wanted, read_records};
use crate::dataset::Dataset;
use crate::finding::Finding;
use crate::records::CountedRecord;

/// The findings of some records, except for those that need the records before them. Records that were not read, because the budget of bytes
/// was used up, have none. Their numbers are in ascending order.
pub(super) fn findings_of<R: Read + Seek>(
    view: &mut View<'_, R>,
    records: &[u64],
) -> io::Result<BTreeMap<u64, Vec<Finding>>> {
    let dataset = &view.reader.visitor().dataset;
    let wanted = |run: &[u64]| FoundRecords { dataset, records: run.to_vec(), findings: BTreeMap::new() };
    let mut found = BTreeMap::new();
    read_records(
        view,
        records,
        wanted,
        |again, first| again.next() > first,
        |run, mut kept, next| {
            for record in run.iter().filter(|record| **record < next) {
                found.insert(*record, kept.findings.remove(record).unwrap_or_default());
            }
        },
    )?;
    Ok(found)
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
