//! One check of one file, from opening it to the verdict and the preview of the results.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_render::text::{finding_line, report_text};
use evalcheck_report::text::one_line;
use evalcheck_report::{Finding, Report, Verdict};
use evalcheck_wire::catalogue::{Catalogue, FormatInfo};
use evalcheck_wire::fix::Selection as FixSelection;
use evalcheck_wire::question::List;
use evalcheck_wire::worker::{CheckId, History, Progress};
use yew::AttrValue;

use super::on_disk::OnDisk;

use super::dataset::{Dataset, FileKey};
use super::details::Tab;
use super::fixes::{FixedFile, Fixes};
use super::preview::{Preview, Selection};
use super::since::differences;
use super::view_id::ViewId;
use crate::display::format_number::grouped;

/// Lines shown before and after the selected line.
const CONTEXT_LINES: u64 = 2;

/// One check of one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Check {
    /// Its id.
    pub(crate) id: CheckId,
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// The index of the file in the batch, if there is one.
    pub(crate) batch_index: Option<usize>,
    /// The file of a ZIP that the user chose to check.
    pub(crate) entry: Option<AttrValue>,
    /// The start time, in milliseconds of the page's clock.
    pub(crate) started_ms: f64,
    /// Its phase.
    pub(crate) phase: Phase,
    /// The last progress that the worker sent.
    pub(crate) progress: Progress,
    /// Bytes from the beginning of the file that were known from the previous check, and not read again.
    pub(crate) known_bytes: u64,
    /// Milliseconds from the start to that progress.
    pub(crate) elapsed_ms: f64,
    /// The number of the first error among all findings, preferably one about a line.
    pub(crate) first_error: Option<u64>,
    /// The state of the view of its results.
    pub(crate) preview: Preview,
    /// How the file changed during the check, for the user; `None` if it did not.
    pub(crate) changed: Option<AttrValue>,
    /// The changes from the opened file to the checked one.
    pub(crate) fixes: Option<Fixes>,
    /// The check that knows the changes of the file, if it is another one.
    pub(crate) history: Option<History>,
    /// The report of the previous check, until this one has ended, if the same file is checked again.
    pub(super) report_before: Option<Rc<Report>>,
    /// The differences from the previous check, in a sentence.
    pub(crate) since: Option<AttrValue>,
    /// The state of the file on disk, if the browser has a handle of it.
    pub(crate) on_disk: OnDisk,
    /// The list and the selection before the file was changed.
    pub(crate) resume: Option<(ViewId, Selection)>,
    /// The record and the tab of its details that were shown before the file was changed.
    pub(crate) shown_before: Option<(Selection, Tab)>,
    /// Whether it was started because the engine that knew the file was gone.
    pub(crate) is_revived: bool,
}

/// The phase of a check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// The worker is not ready.
    Waiting,
    /// The worker checks the file.
    Running,
    /// The user cancelled the check, and the worker has not confirmed it.
    Stopping,
    /// The check has ended.
    Done(Ending),
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    /// With a report.
    Reported {
        /// The report.
        report: Rc<Report>,
        /// Whether the user cancelled the check.
        cancelled: bool,
    },
    /// Without a report, because the worker is gone.
    Lost(Loss),
}

/// The reason why there is no report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loss {
    /// The engine failed; its message, for a bug report.
    Died(AttrValue),
    /// The worker stopped responding.
    Silent,
    /// The user cancelled the check, and the worker did not stop.
    Cancelled,
}

impl Loss {
    /// The reason, for the user.
    pub(crate) fn reason(&self) -> AttrValue {
        match self {
            Self::Died(_) => "the checking engine failed".into(),
            Self::Silent => "the checking engine stopped responding".into(),
            Self::Cancelled => "you cancelled the check".into(),
        }
    }
}

impl Check {
    /// A check that starts now.
    pub(crate) fn new(id: CheckId, dataset: Rc<Dataset>, started_ms: f64) -> Self {
        let progress = Progress { total_bytes: dataset.size, ..Progress::default() };
        Self {
            id,
            dataset,
            batch_index: None,
            entry: None,
            started_ms,
            phase: Phase::Waiting,
            progress,
            known_bytes: 0,
            elapsed_ms: 0.0,
            first_error: None,
            preview: Preview::default(),
            changed: None,
            fixes: None,
            history: None,
            report_before: None,
            since: None,
            on_disk: OnDisk::default(),
            resume: None,
            shown_before: None,
            is_revived: false,
        }
    }

    /// The number of bytes read so far.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.progress.bytes.saturating_sub(self.known_bytes)
    }

    /// The file as it was opened.
    pub(crate) fn original(&self) -> &Rc<Dataset> {
        self.fixes.as_ref().map_or(&self.dataset, |fixes| &fixes.original)
    }

    /// Whether the file can be compared with another version.
    pub(crate) fn can_compare(&self) -> bool {
        self.answering() && self.report().is_some_and(|report| !report.format.id.is_empty())
    }

    /// Returns true until the verdict.
    pub(crate) fn is_running(&self) -> bool {
        !matches!(self.phase, Phase::Done(_))
    }

    /// Whether the worker answers questions about it.
    pub(crate) fn answering(&self) -> bool {
        self.preview.answers.is_open()
    }

    /// The number of lines, as far as it is known.
    pub(crate) fn lines(&self) -> u64 {
        let counted = self.report().map_or(self.progress.lines, |report| report.counts.lines);
        // A report counts rows and elements, and their text may have more lines.
        self.preview.answers.total(&List::Lines).unwrap_or(0).max(counted)
    }

    /// The number of records, as far as it is known.
    pub(crate) fn records(&self) -> u64 {
        let counted = self.report().map_or(0, |report| report.counts.records);
        self.preview.answers.total(&List::Records).unwrap_or(0).max(counted)
    }

    /// Whether lines can be listed.
    pub(crate) fn has_lines(&self) -> bool {
        self.report().is_some() && self.answering() && self.lines() > 0
    }

    /// Whether records can be listed.
    pub(crate) fn has_records(&self) -> bool {
        self.has_lines() && self.report().is_some_and(|report| report.counts.records > 0)
    }

    /// Whether there are statistics.
    pub(crate) fn has_statistics(&self) -> bool {
        self.has_records() && self.report().is_some_and(|report| !report.format.id.is_empty())
    }

    /// A line and the lines around it, which the details show.
    pub(crate) fn context(&self, line: u64) -> RangeInclusive<u64> {
        if !self.answering() {
            return line..=line;
        }
        line.saturating_sub(CONTEXT_LINES).max(1)..=(line + CONTEXT_LINES).min(self.lines().max(line))
    }

    /// Whether the view in front contains or marks the matches of a search.
    pub(crate) fn lists_matches(&self) -> bool {
        self.lists_hits() || self.preview.view == ViewId::LINES && self.preview.search().is_some()
    }

    /// Whether the view in front contains the matches of a search.
    pub(crate) fn lists_hits(&self) -> bool {
        self.preview.view == ViewId::RECORDS && self.preview.search().is_some() && self.has_records()
    }

    /// The number of findings with a fix, safe or not.
    pub(crate) fn all_fixes(&self) -> u64 {
        let all = FixSelection { not_safe: true, ..FixSelection::default() };
        self.report().map_or(0, |report| all.count(&report.counts))
    }

    /// The number of findings with a selected fix, listed or not.
    pub(crate) fn fixable(&self, selection: &FixSelection) -> u64 {
        self.report().map_or(0, |report| selection.count(&report.counts))
    }

    /// Whether the shown record can be edited.
    pub(crate) fn is_editable(&self) -> bool {
        let record = self.preview.details.record.loaded();
        let is_editable = record.is_some_and(|record| record.source.editable.is_some());
        is_editable && !self.is_running() && self.answering()
    }

    /// The report, if there is one.
    pub(crate) fn report(&self) -> Option<&Rc<Report>> {
        match &self.phase {
            Phase::Done(Ending::Reported { report, .. }) => Some(report),
            _ => None,
        }
    }

    /// The format against which the file was checked, if any.
    pub(crate) fn format<'c>(&self, catalogue: &'c Catalogue) -> Option<&'c FormatInfo> {
        catalogue.format(&self.report()?.format.id)
    }

    /// The verdict, once the check has ended. A file that changed during the check counts as not checked.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        match &self.phase {
            Phase::Done(Ending::Reported { report, .. }) if self.changed.is_none() => Some(report.verdict()),
            Phase::Done(_) => Some(Verdict::NotChecked),
            _ => None,
        }
    }

    /// Stores progress.
    pub(crate) fn advance(&mut self, progress: Progress, first_findings: Vec<Finding>, now_ms: f64) {
        if !self.is_running() {
            return;
        }
        self.progress = progress;
        self.elapsed_ms = now_ms - self.started_ms;
        if let (Some(findings), false) = (&mut self.preview.findings.early, first_findings.is_empty()) {
            Rc::make_mut(findings).extend(first_findings);
        }
    }

    /// Ends the check with a report. A selected finding remains selected.
    pub(crate) fn finish(
        &mut self,
        report: Report,
        first_error: Option<u64>,
        elapsed_ms: f64,
        cancelled: bool,
    ) {
        // The first findings are in the order in which they were found, the findings of the report are sorted.
        if let Some(Selection::Finding(_)) = self.preview.selection {
            self.preview.selection =
                self.preview.listed_finding().and_then(|finding| selection_of(finding, &report));
        }
        self.elapsed_ms = elapsed_ms;
        self.first_error = first_error;
        self.preview.findings.early = None;
        self.preview.view = match &report.findings[..] {
            [] if report.counts.records > 0 => ViewId::RECORDS,
            [] => ViewId::LINES,
            _ => ViewId::FINDINGS,
        };
        let before = self.report_before.take();
        self.since = before.map(|before| differences(&before, &report).into());
        self.phase = Phase::Done(Ending::Reported { report: Rc::new(report), cancelled });
    }

    /// Ends the check without a report.
    pub(crate) fn lose(&mut self, why: Loss) {
        self.phase = Phase::Done(Ending::Lost(why));
    }

    /// The selection if the user has selected nothing: the first error, else the first finding, else the first record.
    pub(crate) fn default_selection(&self) -> Option<Selection> {
        let counts = &self.report()?.counts;
        if self.listed_findings() > 0 {
            let first_error = self.first_error.filter(|_| self.preview.filter.is_empty());
            return Some(Selection::Finding(first_error.unwrap_or(0)));
        }
        let line = (1 + counts.header).min(counts.lines);
        if counts.records > 0 {
            return Some(Selection::Record { record: 0, line: Some(line) });
        }
        (line > 0).then_some(Selection::Line(line))
    }

    /// The selection and its list; for a check without a report, those to resume.
    pub(crate) fn selected(&self) -> Option<(ViewId, Selection)> {
        self.preview.selection.map(|selection| (self.preview.view, selection)).or(self.resume)
    }

    /// The selection after a change of the file, at the place of the previous one.
    pub(crate) fn resumed_selection(&self, selection: Selection, is_resumed: bool) -> Option<Selection> {
        match selection {
            Selection::Line(line) => {
                let lines = self.report()?.counts.lines;
                (lines > 0).then_some(Selection::Line(line.min(lines)))
            }
            Selection::Record { record, line } => {
                let records = self.report()?.counts.records;
                (record < records).then_some(Selection::Record { record, line })
            }
            // The worker sends the number of findings in the list.
            Selection::Finding(number) => {
                Some(Selection::Finding(number)).filter(|_| self.all_findings() > 0)
            }
            Selection::File(_) => Some(selection).filter(|_| is_resumed),
        }
    }

    /// Stays at the record that was shown before a change removed the last finding.
    pub(super) fn stay_at_record(&mut self) -> Option<Selection> {
        let (record, tab) = self.shown_before.take().filter(|_| self.all_findings() == 0)?;
        let record = self.resumed_selection(record, true)?;
        self.preview.details.tab = Some(tab);
        Some(record)
    }

    /// The verdict and the groups of all findings as Markdown, if no filter hides any of them.
    pub(crate) fn summary_markdown(&self) -> Option<String> {
        let summary = self.finding_summary().filter(|_| self.preview.filter.is_empty())?;
        Some(evalcheck_render::markdown::summary(self.report()?, &summary.groups, &self.dataset.name))
    }

    /// Returns true for the checked file, and for the files that undoing its fixes restores.
    pub(crate) fn leads_to(&self, key: FileKey) -> bool {
        let leads_to = |fixes: &Fixes| fixes.before.iter().any(|before| before.dataset.key == key);
        self.dataset.key == key || self.fixes.as_ref().is_some_and(leads_to)
    }

    /// The file with its fixes, if it has any.
    pub(crate) fn fixed_file(&self) -> Option<FixedFile> {
        let fixes = self.fixes.clone()?;
        Some(FixedFile { dataset: Rc::clone(&self.dataset), fixes })
    }

    /// The report as plain text. Without a report, the first findings and a note on the unchecked part.
    pub(crate) fn as_text(&self) -> String {
        if let Some(report) = self.report() {
            return report_text(report, &self.dataset.name);
        }
        let mut text = String::new();
        let findings = self.preview.findings.early.as_ref().map(|findings| &findings[..]);
        for finding in findings.unwrap_or_default() {
            text.push_str(&finding_line(finding, &self.dataset.name).to_string());
            text.push('\n');
        }
        let (name, bytes) = (one_line(&self.dataset.name), grouped(self.progress.bytes));
        text + &format!("{name}: not checked: from byte {bytes} on\n")
    }
}

/// Returns the selection in the complete list for a finding. If the report is truncated, the number of the finding is not known.
fn selection_of(finding: &Finding, report: &Report) -> Option<Selection> {
    let place = report.findings.iter().position(|other| other == finding).filter(|_| !report.truncated);
    let listed = place.map(|place| Selection::Finding(place as u64));
    listed.or_else(|| finding.line.map(Selection::Line))
}
