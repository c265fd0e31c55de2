//! `check --where`: filters the listed findings.

use std::collections::btree_map::Entry;

use evalcheck_engine::check::Check;
use evalcheck_engine::search::Search;
use evalcheck_report::{self as report, Applicability, Counts, Finding, Loss, Report, Severity};
use evalcheck_wire::query::{Query, QueryError};

use crate::compilers::compile;

/// A query for the findings of files.
#[derive(Debug)]
pub(crate) struct Filter {
    /// The query, as the user wrote it.
    pub(crate) text: String,
    /// The query.
    pub(crate) query: Query,
    /// The most findings of each rule that are listed.
    pub(crate) most: Option<u64>,
}

/// The findings of one file that match a filter.
#[derive(Debug)]
pub(crate) struct Filtered<'f> {
    filter: &'f Filter,
    /// The counts of matching findings, listed or not.
    counts: Counts,
    /// Whether some matching findings are not listed.
    is_truncated: bool,
}

impl<'f> Filtered<'f> {
    /// Filters the findings of a check, before bytes are read.
    ///
    /// # Errors
    /// The query does not fit the format of the file.
    pub(crate) fn new(filter: &'f Filter, check: &mut Check) -> Result<Self, QueryError> {
        check.observe(Search::of_findings(&filter.query, check.dataset().format, compile)?);
        Ok(Self { filter, counts: Counts::default(), is_truncated: false })
    }

    /// Counts findings that match, and keeps those to list.
    pub(crate) fn take(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| {
            let number = self.count(finding);
            let is_listed = self.filter.most.is_none_or(|most| number <= most);
            self.is_truncated |= !is_listed;
            is_listed
        });
    }

    /// Counts a finding. Returns the number of findings of its rule so far.
    fn count(&mut self, finding: &Finding) -> u64 {
        let counts = &mut self.counts;
        match finding.severity {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Info => counts.infos += 1,
        }
        match finding.loss {
            Some(Loss::Line) => counts.loss.lines += 1,
            Some(Loss::Value) => counts.loss.values += 1,
            Some(Loss::Key) => counts.loss.keys += 1,
            None => {}
        }
        let fixes = match finding.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => Some(&mut counts.safe_fixes),
            Some(Applicability::Unsafe) => Some(&mut counts.unsafe_fixes),
            None => None,
        };
        let mut number = 0;
        for by_code in fixes.into_iter().chain([&mut counts.by_code]) {
            number = match by_code.entry(finding.code.clone()) {
                Entry::Vacant(vacant) => *vacant.insert(1),
                Entry::Occupied(mut known) => {
                    *known.get_mut() += 1;
                    *known.get()
                }
            };
        }
        number
    }

    /// Adds the filter and the number of matching records to a report. Returns the counts of the matching findings, and of all records.
    pub(crate) fn finish(self, report: &mut Report, records: u64) -> Counts {
        report.truncated = self.is_truncated;
        report.max_findings_per_code = self.filter.most;
        report.filter = Some(report::Filter {
            query: self.filter.text.clone(),
            records,
            by_code: self.counts.by_code.clone(),
        });
        let Counts { lines, valid, invalid, blank, header, continued, .. } = report.counts;
        Counts {
            lines,
            records: report.counts.records,
            valid,
            invalid,
            blank,
            header,
            continued,
            ..self.counts
        }
    }
}
