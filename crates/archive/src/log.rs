//! Collects findings while an archive is opened.

use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::order::Order;
use evalcheck_core::rule::AnyProblem;

use crate::entry::Entry;

/// Findings with the index of their entry. They are finally in the order of the directory, whatever the order of the checks.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Vec<(Option<usize>, Finding)>);

impl Log {
    pub(crate) fn whole(&mut self, problem: impl Into<AnyProblem>) {
        self.0.push((None, Finding::new(problem, Location::file())));
    }

    pub(crate) fn entry(&mut self, index: usize, entry: &Entry, problem: impl Into<AnyProblem>) {
        self.0.push((Some(index), Finding::new(problem, Location::entry(entry.name.clone()))));
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.0;
        findings.order_by_key(|(index, _)| *index);
        findings.into_iter().map(|(_, finding)| finding).collect()
    }
}
