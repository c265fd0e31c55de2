//! Several files that were handed over at once: one is checked after the other, and what comes of each is kept.

use std::rc::Rc;

use evalcheck_wire::report::{Finding, Report, Severity, Verdict};
use evalcheck_wire::text;
use evalcheck_wire::worker::{JobId, Progress};
use yew::AttrValue;

use super::choice::FormatChoice;
use super::dataset::Dataset;

/// The most findings of one code that are kept for each file, where there are few files.
const MOST_PER_CODE: u64 = 1_000;

/// Findings that are kept of all files together, about. Above it, each file keeps one of each code.
const KEPT: u64 = 200_000;

/// Why a file that was not reached is not checked.
const STOPPED: AttrValue = AttrValue::Static("you stopped the check");

/// Files handed over together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Batch {
    /// The files, in the order in which they came.
    pub(crate) files: Vec<Rc<BatchFile>>,
    /// The format that all of them were asked to be checked against.
    pub(crate) choice: Option<FormatChoice>,
    /// The row that the keyboard is on.
    pub(crate) chosen: Option<usize>,
    /// Which files are listed; `None` for all.
    pub(crate) filter: Option<Standing>,
    /// The check that runs.
    pub(crate) running: Option<Running>,
    /// True from the order to stop until the worker has.
    pub(crate) stopping: bool,
    /// Milliseconds that checks have taken.
    pub(crate) elapsed_ms: f64,
    /// Every file before this one has its result.
    first_open: usize,
    /// Findings that are kept so far.
    kept: u64,
}

/// The file that is being checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Running {
    /// Its place.
    pub(crate) at: usize,
    /// The number of its check.
    pub(crate) job: JobId,
    /// How far that is.
    pub(crate) progress: Progress,
}

/// One of the files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BatchFile {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// Where it stands.
    pub(crate) standing: Standing,
    /// The report, with fewer findings than one of a file that is checked alone.
    pub(crate) report: Option<Rc<Report>>,
    /// Why there is none, when it was tried.
    pub(crate) why: Option<AttrValue>,
    /// The format it was asked to be checked against.
    pub(crate) choice: Option<FormatChoice>,
}

/// Where a file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its turn has not come.
    Waiting,
    /// It is being checked.
    Checking,
    /// It has its verdict.
    Done(Verdict),
}

/// Sums over all files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Files that have a verdict.
    pub(crate) done: u64,
    /// Those that are valid.
    pub(crate) valid: u64,
    /// Those that are not.
    pub(crate) invalid: u64,
    /// Those of which part was not checked.
    pub(crate) not_checked: u64,
    /// Records read.
    pub(crate) records: u64,
    /// Errors found.
    pub(crate) errors: u64,
    /// Warnings found.
    pub(crate) warnings: u64,
    /// Bytes of the files that are done, and of the one that is being checked as far as that is.
    pub(crate) bytes: u64,
    /// Bytes of all files.
    pub(crate) total_bytes: u64,
}

impl BatchFile {
    /// The finding that is told of a file in the list: the first error, else the first warning.
    pub(crate) fn first_finding(&self) -> Option<&Finding> {
        let findings = &self.report.as_ref()?.findings;
        [Severity::Error, Severity::Warning]
            .into_iter()
            .find_map(|severity| findings.iter().find(|finding| finding.severity == severity))
    }
}

impl Batch {
    /// A batch of which nothing is checked yet.
    pub(crate) fn new(files: Vec<Dataset>, choice: Option<&FormatChoice>) -> Self {
        let file = |dataset: Dataset| {
            Rc::new(BatchFile {
                dataset: Rc::new(dataset),
                standing: Standing::Waiting,
                report: None,
                why: None,
                choice: choice.cloned(),
            })
        };
        Self { files: files.into_iter().map(file).collect(), choice: choice.cloned(), ..Self::default() }
    }

    /// True when the file at this place is listed.
    pub(crate) fn lists(&self, at: usize) -> bool {
        self.files.get(at).is_some_and(|file| self.filter.is_none_or(|standing| standing == file.standing))
    }

    /// The file whose turn it is.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let waits = |file: &Rc<BatchFile>| file.standing == Standing::Waiting;
        let next = self.files.iter().skip(self.first_open).position(waits).map(|at| at + self.first_open);
        self.first_open = next.unwrap_or(self.files.len());
        next
    }

    /// True until every file has its verdict.
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some() || self.waiting() > 0
    }

    /// Files whose turn has not come.
    pub(crate) fn waiting(&self) -> usize {
        self.files.iter().filter(|file| file.standing == Standing::Waiting).count()
    }

    /// The most findings of one code that the next file may bring.
    pub(crate) fn most_per_code(&self) -> u64 {
        if self.kept >= KEPT { 1 } else { (KEPT / self.files.len().max(1) as u64).clamp(1, MOST_PER_CODE) }
    }

    /// The check of a file begins.
    pub(crate) fn start(&mut self, at: usize, job: JobId) {
        let Some(file) = self.files.get_mut(at) else { return };
        let file = Rc::make_mut(file);
        file.standing = Standing::Checking;
        let progress = Progress { total_bytes: file.dataset.size, ..Progress::default() };
        self.running = Some(Running { at, job, progress });
    }

    /// The check that has this number.
    pub(crate) fn running(&mut self, job: JobId) -> Option<&mut Running> {
        self.running.as_mut().filter(|running| running.job == job)
    }

    /// Keeps the report on a file, whether it was checked in its turn or looked at by itself.
    pub(crate) fn keep(&mut self, at: usize, report: Rc<Report>, choice: Option<FormatChoice>) {
        self.kept += report.findings.len() as u64;
        self.settle(at, |file| {
            file.standing = Standing::Done(report.verdict());
            file.report = Some(report);
            file.why = None;
            file.choice = choice;
        });
    }

    /// Takes the report of the check that runs; `None` when this is not the one.
    pub(crate) fn report_came(&mut self, job: JobId, report: Report, elapsed_ms: f64) -> Option<Rc<Report>> {
        let Running { at, .. } = self.running(job).copied()?;
        self.running = None;
        self.elapsed_ms += elapsed_ms;
        let choice = self.files.get(at).and_then(|file| file.choice.clone());
        let report = Rc::new(report);
        self.keep(at, Rc::clone(&report), choice);
        if self.stopping {
            self.stopped();
        }
        Some(report)
    }

    /// The check that runs will have no report.
    pub(crate) fn lose(&mut self, why: &AttrValue) {
        let Some(Running { at, .. }) = self.running.take() else { return };
        self.settle(at, |file| {
            file.standing = Standing::Done(Verdict::NotChecked);
            file.report = None;
            file.why = Some(why.clone());
        });
        if self.stopping {
            self.stopped();
        }
    }

    /// The check that runs is given up for another one; the file gets its turn again.
    pub(crate) fn pause(&mut self) {
        if let Some(Running { at, .. }) = self.running.take() {
            self.wait(at);
        }
    }

    /// Nothing more is checked.
    pub(crate) fn stopped(&mut self) {
        self.stopping = false;
        for at in 0..self.files.len() {
            if self.files[at].standing == Standing::Waiting {
                self.settle(at, |file| {
                    file.standing = Standing::Done(Verdict::NotChecked);
                    file.why = Some(STOPPED);
                });
            }
        }
    }

    /// Files of which something was not checked get their turn again.
    pub(crate) fn try_again(&mut self) {
        for at in 0..self.files.len() {
            if self.files[at].standing == Standing::Done(Verdict::NotChecked) {
                self.wait(at);
            }
        }
    }

    /// Everything is checked again, against this format.
    pub(crate) fn check_as(&mut self, choice: Option<FormatChoice>) {
        self.running = None;
        self.stopping = false;
        self.elapsed_ms = 0.0;
        self.kept = 0;
        for at in 0..self.files.len() {
            self.settle(at, |file| {
                file.report = None;
                file.choice.clone_from(&choice);
            });
            self.wait(at);
        }
        self.choice = choice;
    }

    /// Sums over all files.
    pub(crate) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for file in &self.files {
            totals.total_bytes += file.dataset.size;
            let Standing::Done(verdict) = file.standing else { continue };
            totals.bytes += file.dataset.size;
            totals.done += 1;
            *match verdict {
                Verdict::Valid => &mut totals.valid,
                Verdict::Invalid => &mut totals.invalid,
                Verdict::NotChecked => &mut totals.not_checked,
            } += 1;
            if let Some(report) = &file.report {
                totals.records += report.counts.records;
                totals.errors += report.counts.errors;
                totals.warnings += report.counts.warnings;
            }
        }
        if let Some(Running { at, progress, .. }) = &self.running {
            totals.bytes += progress.bytes.min(self.files.get(*at).map_or(0, |file| file.dataset.size));
            totals.records += progress.records;
            totals.errors += progress.errors;
            totals.warnings += progress.warnings;
        }
        totals
    }

    /// All reports that there are.
    pub(crate) fn reports(&self) -> Vec<Rc<Report>> {
        self.files.iter().filter_map(|file| file.report.clone()).collect()
    }

    /// All reports as plain text, as the command writes them for several files.
    pub(crate) fn as_text(&self) -> String {
        let mut out = String::new();
        for file in &self.files {
            let path = file.dataset.path.as_str();
            if let Some(report) = &file.report {
                out.push_str(&text::named_report_text(report, path));
            } else {
                let why = file.why.as_deref().unwrap_or("its turn has not come");
                out.push_str(&text::named_line(path, &format!("not checked: {why}")));
                out.push('\n');
            }
        }
        out
    }

    fn settle(&mut self, at: usize, change: impl FnOnce(&mut BatchFile)) {
        if let Some(file) = self.files.get_mut(at) {
            change(Rc::make_mut(file));
        }
    }

    fn wait(&mut self, at: usize) {
        self.settle(at, |file| {
            file.standing = Standing::Waiting;
            file.why = None;
        });
        self.first_open = self.first_open.min(at);
    }
}
