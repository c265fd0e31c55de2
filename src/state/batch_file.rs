//! One file of several that were opened at once.

use std::rc::Rc;

use evalcheck_report::{Finding, Report, Severity, Verdict};
use yew::AttrValue;

use super::dataset::{Dataset, FileKey};
use super::fixes::FixedFile;
use super::format_choice::FormatChoice;
use super::mistakes::FileMistakes;

/// A file of a batch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BatchFile {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// Its status.
    pub(crate) status: FileStatus,
    /// The report on the file with its fixes. It has fewer findings than the report of a single check.
    pub(crate) report: Option<Rc<Report>>,
    /// The findings of that report by rule and path.
    pub(crate) mistakes: Rc<FileMistakes>,
    /// The findings of the file as it was opened.
    pub(crate) opened_mistakes: Rc<FileMistakes>,
    /// The reason if the check has ended without a report.
    pub(crate) why: Option<AttrValue>,
    /// The format against which it is checked.
    pub(crate) choice: Option<FormatChoice>,
    /// The file with its fixes applied.
    pub(crate) fixed: Option<FixedFile>,
    /// The file that was written to disk in place of the opened one.
    pub(crate) written: Option<FileKey>,
}

/// The status of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileStatus {
    /// It will be checked.
    Waiting,
    /// It is being checked.
    Checking,
    /// It has a verdict.
    Done(Verdict),
}

impl BatchFile {
    /// The file with its fixes.
    pub(crate) fn current(&self) -> &Rc<Dataset> {
        self.fixed.as_ref().map_or(&self.dataset, |fixed| &fixed.dataset)
    }

    /// The number of its findings.
    pub(crate) fn findings(&self) -> u64 {
        let counts = self.report.as_ref().map(|report| &report.counts);
        counts.map_or(0, |counts| counts.errors + counts.warnings + counts.infos)
    }

    /// Sets its findings by rule and path.
    pub(super) fn set_mistakes(&mut self, mistakes: FileMistakes, is_fixed: bool) {
        self.mistakes = Rc::new(mistakes);
        if !is_fixed {
            self.opened_mistakes = Rc::clone(&self.mistakes);
        }
    }

    /// Makes it wait to be checked.
    pub(super) fn wait(&mut self) {
        self.status = FileStatus::Waiting;
        self.why = None;
    }

    /// Makes it wait to be checked against another format.
    pub(super) fn check_as(&mut self, choice: Option<FormatChoice>) {
        self.report = None;
        self.mistakes = Rc::default();
        self.opened_mistakes = Rc::default();
        self.choice = choice;
        self.wait();
    }

    /// The finding shown in the list of files: the first error, else the first warning.
    pub(crate) fn first_finding(&self) -> Option<&Finding> {
        let findings = &self.report.as_ref()?.findings;
        [Severity::Error, Severity::Warning]
            .into_iter()
            .find_map(|severity| findings.iter().find(|finding| finding.severity == severity))
    }
}
