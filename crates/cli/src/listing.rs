//! Listed findings: the first ones of each rule.

use std::collections::BTreeMap;

use evalcheck_report::{Finding, Report};

/// The first findings of each rule, and their number.
#[derive(Debug)]
pub(crate) struct Listing {
    /// The most findings of each rule.
    most: Option<u64>,
    pub(crate) kept: Vec<Finding>,
    /// The number of findings of each rule.
    pub(crate) of_rules: BTreeMap<String, u64>,
}

impl Listing {
    /// Lists at most `most` findings of each rule; all without a limit.
    pub(crate) fn new(most: Option<u64>) -> Self {
        Self { most, kept: Vec::new(), of_rules: BTreeMap::new() }
    }

    /// Lists a finding, unless there are too many of its rule.
    pub(crate) fn add(&mut self, finding: &Finding) {
        let count = self.of_rules.entry(finding.code.clone()).or_default();
        *count += 1;
        if self.most.is_none_or(|most| *count <= most) {
            self.kept.push(finding.clone());
        }
    }

    /// A report with these findings in place of its own.
    pub(crate) fn into_report(self, report: &Report) -> Report {
        let leaves_out = self.of_rules.values().any(|count| self.most.is_some_and(|most| *count > most));
        Report {
            findings: self.kept,
            truncated: report.truncated || leaves_out,
            max_findings_per_code: self.most,
            ..report.clone()
        }
    }
}
