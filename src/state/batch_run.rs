//! What is done to all files of a batch, one after another.

use std::rc::Rc;

use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::{CheckId, Progress};

use super::action::NotWritten;
use super::batch::{Batch, FolderAccess, Running};
use super::batch_file::{BatchFile, FixedFile};
use super::dataset::{Dataset, FileKey};
use super::dropped_items::named;
use super::fixing::Fixes;
use crate::display::format_number::counted;

/// What is done to a file of the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchTask {
    /// Its safe fixes are applied.
    Fix,
    /// It is packed into a ZIP.
    Pack,
    /// It is written to disk.
    Write,
    /// The file as it was opened is written to disk again.
    Restore,
}

impl BatchTask {
    /// What is done, for the user.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Fix => "Fixing",
            Self::Pack => "Packing",
            Self::Write => "Writing",
            Self::Restore => "Restoring",
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
    /// The files that changed on disk, and were not written.
    changed: Vec<String>,
}

/// The first files are named, the others are counted.
const NAMED: usize = 5;

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
        let changed = (!self.changed.is_empty()).then(|| {
            let names = named(&self.changed, self.changed.len() as u64, NAMED);
            format!("Not written, because they changed on disk: {names}.")
        });
        let more = self.failed.len().checked_sub(NAMED).filter(|more| *more > 0);
        let named = self.failed.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(" ");
        let more = more.map_or_else(String::new, |more| format!(" And {more} more."));
        let failed = (!named.is_empty()).then(|| named + &more);
        changed.into_iter().chain(failed).reduce(|all, sentence| format!("{all} {sentence}"))
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
    /// How many files were written to disk.
    pub(crate) written: u64,
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
        let mut sums = FixedFiles { written: self.written_files().len() as u64, ..FixedFiles::default() };
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

    /// True while files are packed.
    pub(super) fn is_packing(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.task == BatchTask::Pack)
    }

    /// The ZIP is not made.
    pub(super) fn end_packing(&mut self) {
        self.run.take_if(|run| run.task == BatchTask::Pack);
    }

    /// The files whose fixes are not on disk.
    pub(crate) fn files_to_write(&self) -> Vec<usize> {
        let is_to_write = |index: &usize| {
            let file = &self.files[*index];
            file.fixed.is_some() && file.written != Some(file.current().key)
        };
        (0..self.files.len()).filter(is_to_write).collect()
    }

    /// True when there are fixes that can be written into the folder.
    pub(crate) fn can_write(&self) -> bool {
        self.folder != FolderAccess::None && !self.files_to_write().is_empty()
    }

    /// The files on disk that are not those that were opened.
    pub(crate) fn written_files(&self) -> Vec<usize> {
        (0..self.files.len()).filter(|index| self.files[*index].written.is_some()).collect()
    }

    /// The bytes of the originals that the page keeps once all fixes are written.
    pub(super) fn bytes_to_keep(&self) -> u64 {
        let is_kept = |file: &&Rc<BatchFile>| file.fixed.is_some() || file.written.is_some();
        self.files.iter().filter(is_kept).map(|file| file.dataset.size).sum()
    }

    /// True while files on disk are replaced.
    pub(crate) fn is_writing(&self) -> bool {
        let task = self.run.as_ref().map(|run| run.task);
        matches!(task, Some(BatchTask::Write | BatchTask::Restore))
    }

    /// The file at hand was written, or not.
    pub(super) fn file_written(&mut self, id: CheckId, result: Result<(), NotWritten>) {
        let Some(run) = self.run.as_mut() else { return };
        let Some(Running { index, .. }) = run.now.take_if(|now| now.id == id) else { return };
        let (task, Some(file)) = (run.task, self.files.get(index)) else { return };
        let path = file.dataset.path.to_string();
        match (result, task) {
            (Ok(()), BatchTask::Restore) => self.restored(index),
            (Ok(()), _) => self.written(index),
            (Err(NotWritten::Changed), _) => run.changed.push(path),
            (Err(NotWritten::Failed(why)), _) => {
                let after = match std::mem::take(&mut run.waiting).len() {
                    0 => String::new(),
                    after => format!(" Not written either: {} after it.", counted(after as u64, "file")),
                };
                run.failed.push(format!("{path} was not written: {}.{after}", why.trim_end_matches('.')));
            }
        }
    }

    /// A file is on disk with its fixes. What it was between its fixes cannot be read any more.
    fn written(&mut self, index: usize) {
        self.change(index, |file| {
            file.written = Some(file.current().key);
            if let Some(fixed) = &mut file.fixed {
                fixed.fixes.saved = Some(fixed.dataset.key);
                fixed.fixes.before.truncate(1);
            }
        });
        self.undo.retain(|undo| undo.index != index || undo.before.fixed.is_none());
    }

    /// A file is on disk as it was opened.
    fn restored(&mut self, index: usize) {
        let undo = self.undo.iter().position(|undo| undo.index == index);
        let made = self.files.get(index).map(|file| file.current().key);
        match undo.map(|undo| self.undo.swap_remove(undo)) {
            Some(undo) if Some(undo.made) == made => self.put_back(index, undo.before),
            _ => {
                self.keep(index, None);
                self.wait(index);
            }
        }
        self.change(index, |file| file.written = None);
    }

    /// Ends a run after the file at hand.
    pub(super) fn end_run_early(&mut self) {
        if let Some(run) = &mut self.run {
            run.waiting.clear();
        }
    }

    /// Starts a task for these files.
    pub(super) fn begin(&mut self, task: BatchTask, mut files: Vec<usize>) {
        files.reverse();
        let all = files.len();
        self.run = Some(BatchRun {
            task,
            all,
            now: None,
            waiting: files,
            made: None,
            failed: Vec::new(),
            changed: Vec::new(),
        });
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

    /// Takes back what was applied to all files, but not to those that were changed since or are on disk. Returns the files that nothing shows
    /// any more.
    pub(super) fn undo_all(&mut self) -> Vec<FileKey> {
        let mut released = Vec::new();
        let (on_disk, undone): (Vec<Undo>, Vec<Undo>) = std::mem::take(&mut self.undo)
            .into_iter()
            .partition(|undo| self.files.get(undo.index).is_some_and(|file| file.written.is_some()));
        self.undo = on_disk;
        for Undo { index, before, made } in undone {
            if self.files.get(index).is_some_and(|file| file.current().key == made) {
                self.put_back(index, before);
                released.push(made);
            }
        }
        released
    }
}
