//! The list of the findings of a check, and their summary.

use evalcheck_wire::findings::FindingSummary;
use evalcheck_wire::question::{List, Question};

use super::check::Check;
use super::details::RecordState;
use super::findings::Grouping;

/// The number of findings of one kind from which on findings are listed by group.
const GROUPED: u64 = 4;

impl Check {
    /// The list of the findings that the filter keeps; `None` while the first ones are listed, or a search has to end before.
    pub(crate) fn finding_list(&self) -> Option<List> {
        self.report()?;
        self.preview.listed_query().map(List::Findings)
    }

    /// How many findings there are.
    pub(crate) fn all_findings(&self) -> u64 {
        if let Some(report) = self.report() {
            return report.counts.errors + report.counts.warnings + report.counts.infos;
        }
        self.preview.findings.early.as_ref().map_or(0, |findings| findings.len() as u64)
    }

    /// How many findings are listed, as far as it is known.
    pub(crate) fn listed_findings(&self) -> u64 {
        let answered = self.finding_list().and_then(|list| self.preview.answers.total(&list));
        // With a filter there may be any number; the first answer tells.
        let expected = if self.preview.filter.is_empty() { self.all_findings() } else { 1 };
        answered.unwrap_or(expected)
    }

    /// How many findings the filter keeps, listed or not; `None` while it is not known.
    pub(crate) fn kept_findings(&self) -> Option<u64> {
        let answers = &self.preview.answers;
        let kept = |list: &List| {
            answers.last_page(list, |answer| {
                let list = answer.try_as_findings_ref()?;
                Some(list.total + list.unlisted)
            })
        };
        let unfiltered = self.preview.filter.is_empty().then(|| self.all_findings());
        self.finding_list().and_then(|list| kept(&list)).or(unfiltered)
    }

    /// The number of findings that are counted but cannot be listed.
    pub(crate) fn unlisted_findings(&self) -> u64 {
        let unlisted = |list: &List| {
            self.preview.answers.last_page(list, |answer| Some(answer.try_as_findings_ref()?.unlisted))
        };
        self.finding_list().and_then(|list| unlisted(&list)).unwrap_or(0)
    }

    /// Whether the file cannot be read again, to show more of it.
    pub(crate) fn is_unreadable(&self) -> bool {
        let of_list = |list: &List| {
            self.preview.answers.last_page(list, |answer| Some(answer.try_as_findings_ref()?.is_unreadable))
        };
        let has_failed = matches!(self.preview.details.record, RecordState::Failed(_));
        self.answering() && (has_failed || self.finding_list().and_then(|list| of_list(&list)) == Some(true))
    }

    /// The question for the groups and the map of the findings that the filter keeps.
    pub(crate) fn summary_question(&self) -> Option<Question> {
        self.report()?;
        self.preview.listed_query().map(Question::FindingSummary)
    }

    /// The groups and the map of the findings that the filter keeps, if they are loaded.
    pub(crate) fn finding_summary(&self) -> Option<&FindingSummary> {
        self.preview.answers.get(&self.summary_question()?, |answer| answer.try_as_finding_summary_ref())
    }

    /// Whether findings are listed by group: by default, if there are several of one kind.
    pub(crate) fn is_grouped(&self) -> bool {
        let Some(summary) = self.finding_summary() else { return false };
        let is_better = summary.groups.iter().any(|group| group.findings >= GROUPED);
        self.preview.findings.grouping.map_or(is_better, |grouping| grouping == Grouping::Groups)
    }
}
