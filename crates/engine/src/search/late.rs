//! Findings that only the rest of a dataset adds to its records.

use std::collections::BTreeMap;
use std::ops::Range;

use evalcheck_core::Severity;
use evalcheck_core::finding::Finding;

use crate::dataset::Dataset;
use crate::observer::Observer;

/// Findings that a check adds to records after it has counted them: a search for findings has to know them beforehand
/// ([`Search::note_late`](super::Search::note_late)), so the dataset is read twice.
#[derive(Debug, Clone, Default)]
pub struct LateFindings {
    /// Findings of records.
    findings: BTreeMap<u64, Vec<Finding>>,
    /// Records whose errors do not count.
    retracted: Vec<Range<u64>>,
}

impl LateFindings {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.retracted.is_empty()
    }

    /// Whether a record has more findings than those that it is counted with.
    #[inline]
    pub(super) fn has(&self, record: u64) -> bool {
        !self.findings.is_empty() && self.findings.contains_key(&record)
    }

    /// All findings of a record that is counted with these; `None` if these are all.
    pub(super) fn complete(&self, record: u64, findings: &[Finding]) -> Option<Vec<Finding>> {
        let late = self.findings.get(&record).map_or(&[][..], Vec::as_slice);
        let is_retracted = self.retracted.iter().any(|records| records.contains(&record));
        if late.is_empty() && !is_retracted {
            return None;
        }
        let counts = |finding: &&Finding| !is_retracted || finding.problem.rule().severity != Severity::Error;
        Some(findings.iter().filter(counts).chain(late).cloned().collect())
    }
}

impl Observer for LateFindings {
    fn needs_all_records(&self) -> bool {
        false
    }

    fn finding(&mut self, finding: &Finding, dataset: &Dataset) {
        let is_late = |record: &u64| *record < dataset.collector.records();
        if let Some(record) = finding.location.record.filter(is_late) {
            self.findings.entry(record).or_default().push(finding.clone());
        }
    }

    fn end(&mut self, dataset: &Dataset) {
        self.retracted = dataset.lists.retracted().to_vec();
    }
}
