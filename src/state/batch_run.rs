//! What is done to all files of a batch, one after another.

use std::rc::Rc;

use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::{CheckId, Progress};

use super::batch::{Batch, Running};
use super::batch_file::{BatchFile, FixedFile};
use super::dataset::{Dataset, FileKey};
use super::fixing::Fixes;

/// What is done to a file of the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchTask {
    /// Its safe fixes are applied.
    Fix,
    /// It is packed into a ZIP.
    Pack,
}

impl BatchTask {
    /// What is done, for the user.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Fix => "Fixing",
            Self::Pack => "Packing",
        }
    }
}

/// A task, and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BatchRun {
    /// The task.
    pub(crate) task: BatchTask,
    /// How many files it is for.
    pub(crate) all: usize,
    /// The file at hand.
    pub(crate) now: Option<Running>,
    /// The files that wait, the next one last.
    waiting: Vec<usize>,
    /// The fixed file at hand and how many fixes it has, until its report comes.
    made: Option<(Dataset, u64)>,
    /// The files for which it could not be done, each with the reason.
    failed: Vec<String>,
}

impl BatchRun {
    /// The number of the file at hand, from 1.
    pub(crate) fn number(&self) -> usize {
        self.all - self.waiting.len()
    }

    /// The file at hand, if its check has this id.
    pub(super) fn now(&mut self, id: CheckId) -> Option<&mut Running> {
        self.now.as_mut().filter(|now| now.id == id)
    }

    /// Which files failed, for the user.
    pub(super) fn failures(&self) -> Option<String> {
        /// The first ones are named.
        const NAMED: usize = 5;
        let more = self.failed.len().checked_sub(NAMED).filter(|more| *more > 0);
        let named = self.failed.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(" ");
        let more = more.map_or_else(String::new, |more| format!(" And {more} more."));
        (!named.is_empty()).then(|| named + &more)
    }
}

/// What takes back the fixes of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Undo {
    index: usize,
    /// The file before them.
    pub(super) before: Rc<BatchFile>,
    /// The file with them.
    made: FileKey,
}

/// Fixes that were applied to all files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedFiles {
    /// How many files have any.
    pub(crate) files: u64,
    /// How many fixes there are.
    pub(crate) fixes: u64,
    /// How many findings these files have now.
    pub(crate) left: u64,
}

impl Batch {
    /// How many safe fixes there are, and the files that have any.
    pub(crate) fn safe_fixes(&self) -> (u64, Vec<usize>) {
        let selection = Selection::default();
        let of = |file: &BatchFile| file.report.as_ref().map_or(0, |report| selection.count(&report.counts));
        let all = self.files.iter().map(|file| of(file)).enumerate().filter(|(_, safe)| *safe > 0);
        let (files, safe): (Vec<usize>, Vec<u64>) = all.unzip();
        (safe.iter().sum(), files)
    }

    /// The fixes that were applied to all files and can be taken back.
    pub(crate) fn fixed_files(&self) -> FixedFiles {
        let mut sums = FixedFiles::default();
        for undo in &self.undo {
            let Some(file) = self.files.get(undo.index) else { continue };
            let Some(fixed) = file.fixed.as_ref().filter(|fixed| fixed.dataset.key == undo.made) else {
                continue;
            };
            let before = undo.before.fixed.as_ref().map_or(0, |fixed| fixed.fixes.applied);
            sums.files += 1;
            sums.fixes += fixed.fixes.applied.saturating_sub(before);
            sums.left += file.findings();
        }
        sums
    }

    /// The files that have fixes.
    pub(crate) fn changed_files(&self) -> Vec<usize> {
        let is_changed = |index: &usize| self.files[*index].fixed.is_some();
        (0..self.files.len()).filter(is_changed).collect()
    }

    /// True when a file has fixes that were not saved.
    pub(crate) fn has_unsaved(&self) -> bool {
        self.files.iter().any(|file| file.fixed.as_ref().is_some_and(|fixed| !fixed.is_saved()))
    }

    /// The name of a ZIP of files with fixes: that of their folder, where they are in one.
    pub(super) fn zip_name(&self) -> String {
        let folder =
            |file: &Rc<BatchFile>| file.dataset.path.split_once('/').map(|(folder, _)| folder.to_owned());
        let mut folders = self.files.iter().map(folder);
        let first = folders.next().flatten();
        let common = first.filter(|first| folders.all(|folder| folder.as_ref() == Some(first)));
        common.map_or_else(|| "fixed.zip".to_owned(), |folder| format!("{folder}.fixed.zip"))
    }

    /// A file was packed. Returns the packed file; `None` where it is not the one at hand.
    pub(super) fn packed(&mut self, id: CheckId) -> Option<FileKey> {
        let run = self.run.as_mut()?;
        let index = run.now(id)?.index;
        run.now = None;
        self.files.get(index).map(|file| file.current().key)
    }

    /// The ZIP is not made.
    pub(super) fn end_packing(&mut self) {
        self.run.take_if(|run| run.task == BatchTask::Pack);
    }

    /// Starts a task for these files.
    pub(super) fn begin(&mut self, task: BatchTask, mut files: Vec<usize>) {
        files.reverse();
        let all = files.len();
        self.run = Some(BatchRun { task, all, now: None, waiting: files, made: None, failed: Vec::new() });
    }

    /// The next file of the task, which gets this id.
    pub(super) fn next_of_run(&mut self, id: CheckId) -> Option<(BatchTask, Rc<BatchFile>)> {
        let run = self.run.as_mut().filter(|run| run.now.is_none())?;
        let index = run.waiting.pop()?;
        let file = Rc::clone(self.files.get(index)?);
        let progress = Progress { total_bytes: file.current().size, ..Progress::default() };
        run.now = Some(Running { index, id, progress });
        Some((run.task, file))
    }

    /// The file that is fixed waits again, because the worker does something else. Returns a fixed file that is not wanted any more.
    pub(super) fn pause_run(&mut self) -> Option<FileKey> {
        let run = self.run.as_mut().filter(|run| run.task == BatchTask::Fix)?;
        run.waiting.extend(run.now.take().map(|now| now.index));
        run.made.take().map(|(made, _)| made.key)
    }

    /// The worker has made a fixed file. False when nobody waits for it.
    pub(super) fn note_made(&mut self, id: CheckId, made: Dataset, fixes: u64) -> bool {
        let run = self.run.as_mut().filter(|run| run.now.is_some_and(|now| now.id == id));
        let is_wanted = run.is_some();
        if let Some(run) = run {
            run.made = Some((made, fixes));
        }
        is_wanted
    }

    /// The file at hand could not be fixed.
    pub(super) fn fail_run(&mut self, why: &str) {
        let Some(run) = &mut self.run else { return };
        let Some(file) = run.now.take().and_then(|now| self.files.get(now.index)) else { return };
        run.made = None;
        run.failed.push(format!("{} was not fixed: {why}", file.dataset.path));
    }

    /// Stores the file that was made and its report; `None` where it is not of the file at hand.
    pub(super) fn finish_fix(&mut self, id: CheckId, report: Report) -> Option<Rc<Report>> {
        let run = self.run.as_mut()?;
        let index = run.now(id)?.index;
        let (made, applied) = run.made.take()?;
        run.now = None;
        let before = Rc::clone(self.files.get(index)?);
        let mut fixes = before.fixed.as_ref().map(|fixed| fixed.fixes.clone());
        let step = Fixes::step(&mut fixes, Rc::clone(before.current()), None);
        step.applied += applied;
        let (choice, report) = (before.choice.clone(), Rc::new(report));
        self.note_undo(Undo { index, before, made: made.key });
        self.keep(index, fixes.map(|fixes| FixedFile { dataset: Rc::new(made), fixes }));
        self.store(index, Rc::clone(&report), choice, true);
        self.ended(id, index, true);
        Some(report)
    }

    /// Fixes that follow earlier ones are taken back with them.
    fn note_undo(&mut self, undo: Undo) {
        let known = self.undo.iter().position(|known| known.index == undo.index);
        match known.map(|known| &mut self.undo[known]) {
            Some(known) if known.made == undo.before.current().key => known.made = undo.made,
            Some(known) => *known = undo,
            None => self.undo.push(undo),
        }
    }

    /// Takes back what was applied to all files, but not to those that were changed since. Returns the files that nothing shows
    /// any more.
    pub(super) fn undo_all(&mut self) -> Vec<FileKey> {
        let mut released = Vec::new();
        for Undo { index, before, made } in std::mem::take(&mut self.undo) {
            if self.files.get(index).is_some_and(|file| file.current().key == made) {
                self.put_back(index, before);
                released.push(made);
            }
        }
        released
    }
}
