//! One check of one file, from the drop to the verdict and what is looked at afterwards.

use std::rc::Rc;

use evalcheck_wire::report::{Finding, Report, Severity, Verdict};
use evalcheck_wire::text::finding_line;
use evalcheck_wire::worker::{JobId, Progress};
use yew::AttrValue;

use super::action::Direction;
use super::dataset::Dataset;
use super::lines::LineCache;
use super::look::{Findings, ListKind, Look, Selection};
use super::number::grouped;

/// One check of one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Check {
    /// Its number.
    pub(crate) job: JobId,
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// Its place among several that were handed over together.
    pub(crate) place: Option<usize>,
    /// When it was begun, by the page's clock in milliseconds.
    pub(crate) started_ms: f64,
    /// How far it is.
    pub(crate) phase: Phase,
    /// The last that was heard of its progress.
    pub(crate) progress: Progress,
    /// Milliseconds from the start to that.
    pub(crate) elapsed_ms: f64,
    /// The findings that there are to look at.
    pub(crate) findings: Findings,
    /// What is looked at.
    pub(crate) look: Look,
    /// False when the worker that knew this job is gone.
    pub(crate) answering: bool,
    /// What has become of the file while it was checked, in words; `None` when it stayed as it was.
    pub(crate) changed: Option<AttrValue>,
}

/// How far a check is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// The worker is not ready yet.
    Waiting,
    /// The worker checks.
    Running,
    /// The person has stopped it, the worker has not said so yet.
    Stopping,
    /// It is over.
    Done(Ending),
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    /// With a report.
    Reported {
        /// The report.
        report: Rc<Report>,
        /// True when the person stopped it.
        cancelled: bool,
    },
    /// Without one: the worker is gone, and what the page has is all there is.
    Lost(Loss),
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loss {
    /// The engine failed; its words, for a bug report.
    Died(AttrValue),
    /// The worker did not answer for ten seconds.
    Silent,
    /// The person stopped the check, and the worker did not stop.
    Stopped,
}

impl Check {
    /// A check that begins now.
    pub(crate) fn new(job: JobId, dataset: Rc<Dataset>, started_ms: f64) -> Self {
        let progress = Progress { total_bytes: dataset.size, ..Progress::default() };
        Self {
            job,
            dataset,
            place: None,
            started_ms,
            phase: Phase::Waiting,
            progress,
            elapsed_ms: 0.0,
            findings: Findings::Early(Rc::default()),
            look: Look::default(),
            answering: true,
            changed: None,
        }
    }

    /// True until the verdict.
    pub(crate) fn is_running(&self) -> bool {
        !matches!(self.phase, Phase::Done(_))
    }

    /// The report, where there is one.
    pub(crate) fn report(&self) -> Option<&Rc<Report>> {
        match &self.phase {
            Phase::Done(Ending::Reported { report, .. }) => Some(report),
            _ => None,
        }
    }

    /// The verdict, when it is over. A file that changed meanwhile was not checked, whatever was read of it.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        match &self.phase {
            Phase::Done(Ending::Reported { report, .. }) if self.changed.is_none() => Some(report.verdict()),
            Phase::Done(_) => Some(Verdict::NotChecked),
            _ => None,
        }
    }

    /// Takes a sign of progress.
    pub(crate) fn advance(&mut self, progress: Progress, first_findings: Vec<Finding>, now_ms: f64) {
        if !self.is_running() {
            return;
        }
        self.progress = progress;
        self.elapsed_ms = now_ms - self.started_ms;
        if let (Findings::Early(findings), false) = (&mut self.findings, first_findings.is_empty()) {
            Rc::make_mut(findings).extend(first_findings);
        }
    }

    /// Takes the report.
    pub(crate) fn report_came(&mut self, report: Report, elapsed_ms: f64, cancelled: bool) {
        let chosen = match self.look.selection {
            Some(Selection::Finding(at)) => {
                // The first findings came in the order in which they were found, the report has them in its own.
                let place = self
                    .findings
                    .get(at)
                    .and_then(|finding| report.findings.iter().position(|other| other == finding));
                place.map(Selection::Finding)
            }
            other => other,
        };
        self.elapsed_ms = elapsed_ms;
        self.look.lines = Rc::new(LineCache::new(report.counts.lines));
        self.look.selection = chosen;
        self.look.list = if report.findings.is_empty() { ListKind::Lines } else { ListKind::Findings };
        let report = Rc::new(report);
        self.findings = Findings::Reported(Rc::clone(&report));
        self.phase = Phase::Done(Ending::Reported { report, cancelled });
    }

    /// What is shown first, before the person has chosen anything: the first failing line, else the first finding,
    /// else the first line.
    pub(crate) fn first_look(&self) -> Option<Selection> {
        let report = self.report()?;
        self.first_failing()
            .or_else(|| (!self.findings.is_empty()).then_some(0))
            .map(Selection::Finding)
            .or_else(|| {
                // The first record, which stands behind the header where there is one.
                let first = 1 + report.counts.header;
                (report.counts.lines > 0).then_some(Selection::Line(first.min(report.counts.lines)))
            })
    }

    /// The check has ended without a report.
    pub(crate) fn lose(&mut self, why: Loss) {
        self.look.lines = Rc::new(LineCache::new(self.progress.lines));
        self.phase = Phase::Done(Ending::Lost(why));
    }

    /// The place of the first error that stands in a line, else of the first error.
    pub(crate) fn first_failing(&self) -> Option<usize> {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        self.findings
            .iter()
            .position(|finding| is_error(finding) && finding.line.is_some())
            .or_else(|| self.findings.iter().position(is_error))
    }

    /// The nearest line with an error that is listed, from the one that is looked at.
    pub(crate) fn failing_line(&self, direction: Direction) -> Option<u64> {
        let from = self.look.line(&self.findings).unwrap_or(0);
        let lines = self
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .filter_map(|finding| finding.line);
        match direction {
            Direction::Next => lines.filter(|line| *line > from).min(),
            Direction::Previous => lines.filter(|line| *line < from).max(),
        }
    }

    /// The report as plain text. Where there is none, the findings that are known and a line that says so.
    pub(crate) fn as_text(&self) -> String {
        if let Some(report) = self.report() {
            return evalcheck_wire::text::report_text(report);
        }
        let mut text = String::new();
        for finding in self.findings.iter() {
            text.push_str(&finding_line(finding, &self.dataset.name));
            text.push('\n');
        }
        text.push_str("not checked: from byte ");
        text.push_str(&grouped(self.progress.bytes));
        text.push_str(" on\n");
        text
    }
}
