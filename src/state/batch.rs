//! Several files opened at once: they are checked one after another, and their reports are kept.

use std::collections::VecDeque;
use std::rc::Rc;

use evalcheck_render::sum::Sum;
use evalcheck_render::text;
use evalcheck_report::text::one_line;
use evalcheck_report::{Report, Verdict};
use evalcheck_wire::findings::FindingGroup;
use evalcheck_wire::worker::{CheckId, Progress};
use yew::AttrValue;

use super::batch_file::{BatchFile, FileStatus};
use super::batch_task::{BatchRun, Running, Undo};
use super::check::Loss;
use super::dataset::{Dataset, FileKey};
use super::file_order::FileOrder;
use super::fixes::FixedFile;
use super::format_choice::FormatChoice;
use super::mistakes::{self, Mistake};
use super::user_schema::UserSchema;

/// The maximum number of findings of one code that a file keeps.
const MAX_PER_CODE: u64 = 1_000;

/// The approximate maximum number of findings that all files keep together. Beyond it, a file keeps one finding of each code.
const MAX_TOTAL: u64 = 200_000;

/// The maximum number of files that the worker has at once: it reads small ones in advance.
const POSTED: usize = 8;

/// Files opened together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Batch {
    /// The files, in order.
    pub(crate) files: Vec<Rc<BatchFile>>,
    /// The format against which all of them are checked.
    pub(crate) choice: Option<FormatChoice>,
    /// The schema of the user's own against which all of them are checked.
    pub(crate) schema: UserSchema,
    /// The selected file.
    pub(crate) selected: Option<usize>,
    /// The filter and order of the list.
    pub(crate) order: FileOrder,
    /// Whether the findings of all files are listed in place of the files.
    pub(crate) shows_mistakes: bool,
    /// The checks that the worker has, in order: one runs, the others wait for it.
    pub(crate) running: VecDeque<Running>,
    /// Whether the user cancelled, and the worker has not confirmed it yet.
    pub(crate) stopping: bool,
    /// The task in progress for all files.
    pub(crate) run: Option<BatchRun>,
    /// Whether the page can write into the folder.
    pub(crate) folder: FolderAccess,
    /// The data to take back the fixes that were applied to all files.
    pub(super) undo: Vec<Undo>,
    /// The index before which no file waits.
    first_waiting: usize,
    /// The number of findings kept so far.
    kept: u64,
    /// The last check that has ended, while its groups of findings are requested from the worker.
    ended: Option<Ended>,
    /// The number of groups of findings kept so far.
    kept_groups: usize,
}

/// Whether the page can write into the folder of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum FolderAccess {
    /// There is no handle of a folder.
    #[default]
    None,
    /// The browser may allow it.
    Writable,
    /// The browser may allow it, and the page asks the user.
    Asking,
}

/// A check that has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ended {
    /// Its id.
    id: CheckId,
    /// The index of its file.
    index: usize,
    /// Whether the file has fixes.
    is_fixed: bool,
}

/// Sums over all files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Files with a verdict.
    pub(crate) done: u64,
    /// Valid files.
    pub(crate) valid: u64,
    /// Invalid files.
    pub(crate) invalid: u64,
    /// Files that were not checked, or not to the end.
    pub(crate) not_checked: u64,
    /// Files of plain data without an error.
    pub(crate) readable: u64,
    /// Records read.
    pub(crate) records: u64,
    /// Errors found.
    pub(crate) errors: u64,
    /// Warnings found.
    pub(crate) warnings: u64,
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Bytes of all files.
    pub(crate) total_bytes: u64,
}

impl Batch {
    /// A batch in which all files wait.
    pub(crate) fn new(files: Vec<Dataset>, choice: Option<&FormatChoice>, schema: UserSchema) -> Self {
        let file = |dataset: Dataset| {
            Rc::new(BatchFile {
                dataset: Rc::new(dataset),
                status: FileStatus::Waiting,
                report: None,
                mistakes: Rc::default(),
                opened_mistakes: Rc::default(),
                why: None,
                choice: choice.cloned(),
                fixed: None,
                written: None,
            })
        };
        let files = files.into_iter().map(file).collect();
        Self { files, choice: choice.cloned(), schema, ..Self::default() }
    }

    /// The indices of the listed files in their order.
    pub(crate) fn listed(&self) -> Vec<usize> {
        self.order.list(&self.files)
    }

    /// The index of the next file to post to the worker; `None` if it has enough.
    pub(crate) fn next_waiting(&mut self) -> Option<usize> {
        if self.running.len() >= POSTED {
            return None;
        }
        let waits = |index: &usize| {
            self.files[*index].status == FileStatus::Waiting
                && !self.running.iter().any(|running| running.index == *index)
        };
        let next = (self.first_waiting..self.files.len()).find(waits);
        self.first_waiting = next.unwrap_or(self.files.len());
        next
    }

    /// Returns true until every file has a verdict.
    pub(crate) fn is_running(&self) -> bool {
        !self.running.is_empty() || self.waiting() > 0
    }

    /// Returns true while the worker is busy with it.
    pub(crate) fn is_busy(&self) -> bool {
        !self.running.is_empty() || self.run.as_ref().is_some_and(|run| run.now.is_some())
    }

    /// The number of waiting files.
    pub(crate) fn waiting(&self) -> usize {
        self.files.iter().filter(|file| file.status == FileStatus::Waiting).count()
    }

    /// The maximum number of findings of one code that the next file may keep.
    pub(crate) fn max_per_code(&self) -> u64 {
        if self.kept >= MAX_TOTAL {
            return 1;
        }
        (MAX_TOTAL / self.files.len().max(1) as u64).clamp(1, MAX_PER_CODE)
    }

    /// Notes that a file was posted to the worker.
    pub(crate) fn start(&mut self, index: usize, id: CheckId) {
        let Some(file) = self.files.get(index) else { return };
        let progress = Progress { total_bytes: file.current().size, ..Progress::default() };
        self.running.push_back(Running { index, id, progress });
        self.note_first();
    }

    /// Notes that the first file that the worker has is being checked.
    fn note_first(&mut self) {
        if let Some(Running { index, .. }) = self.running.front().copied() {
            self.change(index, |file| file.status = FileStatus::Checking);
        }
    }

    /// The running check, if it has this id.
    pub(crate) fn running(&mut self, id: CheckId) -> Option<&mut Running> {
        self.running.front_mut().filter(|running| running.id == id)
    }

    /// Stores the report of a file that was checked in the batch or opened separately. `is_fixed` is true if it has fixes. Returns true if
    /// its findings by path are not known.
    pub(crate) fn store(
        &mut self,
        index: usize,
        report: Rc<Report>,
        choice: Option<FormatChoice>,
        is_fixed: bool,
    ) -> bool {
        self.kept += report.findings.len() as u64;
        let mut is_new = false;
        self.change(index, |file| {
            // The same counts by rule imply the same counts by path.
            let is_same = file.report.as_ref().is_some_and(|old| old.counts.by_code == report.counts.by_code);
            is_new = !is_same || file.mistakes.is_empty();
            if is_new {
                file.set_mistakes(mistakes::by_rule(&report), is_fixed);
            }
            file.status = FileStatus::Done(report.verdict());
            file.report = Some(report);
            file.why = None;
            file.choice = choice;
        });
        is_new
    }

    /// Stores the fixed file, for when it is opened again.
    pub(crate) fn keep(&mut self, index: usize, fixed: Option<FixedFile>) {
        self.change(index, |file| file.fixed = fixed);
    }

    /// Notes that a fixed file was downloaded.
    pub(crate) fn file_saved(&mut self, key: FileKey) {
        let saved = |file: &Rc<BatchFile>| file.fixed.as_ref().is_some_and(|fixed| fixed.dataset.key == key);
        let fixed = self.files.iter_mut().find(|file| saved(file)).map(Rc::make_mut);
        if let Some(fixed) = fixed.and_then(|file| file.fixed.as_mut()) {
            fixed.fixes.saved = Some(key);
        }
    }

    /// Stores the report of the running check; `None` if the running check has another id.
    pub(crate) fn finish(&mut self, id: CheckId, report: Report) -> Option<Rc<Report>> {
        let Running { index, .. } = self.running(id).copied()?;
        self.running.pop_front();
        let file = self.files.get(index)?;
        let (choice, is_fixed) = (file.choice.clone(), file.fixed.is_some());
        self.ended(id, index, is_fixed);
        let report = Rc::new(report);
        self.store(index, Rc::clone(&report), choice, is_fixed);
        self.note_first();
        if self.stopping {
            self.stop();
        }
        Some(report)
    }

    /// Notes that a check has ended, so that its groups of findings are stored for this file.
    pub(super) fn ended(&mut self, id: CheckId, index: usize, is_fixed: bool) {
        self.ended = Some(Ended { id, index, is_fixed });
    }

    /// Returns true if the groups of findings of a check are expected.
    pub(super) fn expects_groups(&self, id: CheckId) -> bool {
        self.ended.is_some_and(|ended| ended.id == id)
    }

    /// Stores the groups of findings of the last check that has ended.
    pub(crate) fn store_groups(&mut self, id: CheckId, groups: Vec<FindingGroup>) {
        let Some(Ended { index, is_fixed, .. }) = self.ended.take_if(|ended| ended.id == id) else { return };
        if self.kept_groups < mistakes::MAX_TOTAL {
            let mistakes = mistakes::by_path(groups);
            self.kept_groups += mistakes.len();
            self.change(index, |file| file.set_mistakes(mistakes, is_fixed));
        }
    }

    /// The findings of all files by rule and path.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        mistakes::of_all(self.files.iter().map(|file| [&*file.mistakes, &*file.opened_mistakes]))
    }

    /// Ends the running check without a report. The other files that the worker had wait again.
    pub(crate) fn lose(&mut self, why: &AttrValue) {
        let Some(Running { index, .. }) = self.running.pop_front() else { return };
        self.pause();
        self.change(index, |file| {
            file.status = FileStatus::Done(Verdict::NotChecked);
            file.report = None;
            file.mistakes = Rc::default();
            file.why = Some(why.clone());
        });
        if self.stopping {
            self.stop();
        }
    }

    /// Gives up the running check in favour of another one; all files that the worker has wait again.
    pub(crate) fn pause(&mut self) {
        for Running { index, .. } in std::mem::take(&mut self.running) {
            self.wait(index);
        }
    }

    /// Ends the batch: waiting files are not checked.
    pub(crate) fn stop(&mut self) {
        self.stopping = false;
        self.pause();
        for index in 0..self.files.len() {
            if self.files[index].status == FileStatus::Waiting {
                self.change(index, |file| {
                    file.status = FileStatus::Done(Verdict::NotChecked);
                    file.why = Some(Loss::Cancelled.reason());
                });
            }
        }
    }

    /// Makes files that were not checked wait again.
    pub(crate) fn retry_not_checked(&mut self) {
        for index in 0..self.files.len() {
            if self.files[index].status == FileStatus::Done(Verdict::NotChecked) {
                self.wait(index);
            }
        }
    }

    /// Checks all files again, against this format.
    pub(crate) fn check_as(&mut self, choice: Option<FormatChoice>) {
        self.check_all(|_| choice.clone());
        self.choice = choice;
    }

    /// Checks all files again, against this schema and each as its own format.
    pub(super) fn check_with(&mut self, schema: UserSchema) {
        self.check_all(|file| file.choice.clone());
        self.schema = schema;
    }

    fn check_all(&mut self, choice: impl Fn(&BatchFile) -> Option<FormatChoice>) {
        self.running.clear();
        self.ended = None;
        self.stopping = false;
        self.run = None;
        self.kept = 0;
        self.kept_groups = 0;
        self.first_waiting = 0;
        for file in self.files.iter_mut().chain(self.undo.iter_mut().map(|undo| &mut undo.before)) {
            let choice = choice(file);
            Rc::make_mut(file).check_as(choice);
        }
    }

    /// Sums over all files.
    pub(crate) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for file in &self.files {
            totals.total_bytes += file.current().size;
            let FileStatus::Done(verdict) = file.status else { continue };
            totals.bytes += file.current().size;
            totals.done += 1;
            *match verdict {
                Verdict::Valid => &mut totals.valid,
                Verdict::Invalid => &mut totals.invalid,
                Verdict::NotChecked => &mut totals.not_checked,
                Verdict::Readable | Verdict::Undecided => &mut totals.readable,
            } += 1;
            if let Some(report) = &file.report {
                totals.records += report.counts.records;
                totals.errors += report.counts.errors;
                totals.warnings += report.counts.warnings;
            }
        }
        if let Some(Running { index, progress, .. }) = self.running.front() {
            totals.bytes += progress.bytes.min(self.files.get(*index).map_or(0, |file| file.current().size));
            totals.records += progress.records;
            totals.errors += progress.errors;
            totals.warnings += progress.warnings;
        }
        totals
    }

    /// All reports.
    pub(crate) fn reports(&self) -> Vec<Rc<Report>> {
        self.files.iter().filter_map(|file| file.report.clone()).collect()
    }

    /// All reports as plain text, as the command prints them for several files.
    pub(crate) fn as_text(&self) -> String {
        let (mut out, mut sum) = (String::new(), Sum::default());
        for file in &self.files {
            let path = file.dataset.path.as_str();
            if let Some(report) = &file.report {
                out.push_str(&text::file_text(report, path));
                sum.add(report);
            } else {
                let why = file.why.as_deref().unwrap_or("waiting");
                out.extend([one_line(path).as_str(), ": not checked: ", why, "\n"]);
                sum.add_not_checked();
            }
        }
        out + &text::sum_text(&sum)
    }

    pub(super) fn change(&mut self, index: usize, apply: impl FnOnce(&mut BatchFile)) {
        if let Some(file) = self.files.get_mut(index) {
            apply(Rc::make_mut(file));
        }
    }

    /// Restores a file to its previous state.
    pub(super) fn put_back(&mut self, index: usize, before: Rc<BatchFile>) {
        if let Some(file) = self.files.get_mut(index) {
            *file = before;
            self.first_waiting = self.first_waiting.min(index);
        }
    }

    /// Makes a file wait to be checked.
    pub(super) fn wait(&mut self, index: usize) {
        self.change(index, BatchFile::wait);
        self.first_waiting = self.first_waiting.min(index);
    }
}
