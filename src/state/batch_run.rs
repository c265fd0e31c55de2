//! Tasks for all files of a batch, one after another.

use std::rc::Rc;

use evalcheck_report::Report;
use evalcheck_wire::fix::Selection;
use evalcheck_wire::worker::{CheckId, Progress};

use super::action::NotWritten;
use super::batch::{Batch, FolderAccess};
use super::batch_file::BatchFile;
use super::batch_task::{BatchRun, BatchTask, FixedFiles, Running, Undo};
use super::dataset::{Dataset, FileKey};
use super::fixes::{FixedFile, Fixes};
use super::mistakes::MistakeKey;
use crate::display::format_number::counted;

impl Batch {
    /// The number of safe fixes, and the files that have any.
    pub(crate) fn safe_fixes(&self) -> (u64, Vec<usize>) {
        let selection = Selection::default();
        let of = |file: &BatchFile| file.report.as_ref().map_or(0, |report| selection.count(&report.counts));
        let all = self.files.iter().map(|file| of(file)).enumerate().filter(|(_, safe)| *safe > 0);
        let (files, safe): (Vec<usize>, Vec<u64>) = all.unzip();
        (safe.iter().sum(), files)
    }

    /// The files that have safe fixes of a rule at a path.
    pub(super) fn files_to_fix(&self, key: &MistakeKey) -> Vec<usize> {
        let has_fixes = |file: &BatchFile| file.mistakes.get(key).is_some_and(|count| count.safe_fixes > 0);
        (0..self.files.len()).filter(|index| has_fixes(&self.files[*index])).collect()
    }

    /// Sums over the fixes that were applied to all files and can be taken back.
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
        }
        sums
    }

    /// The files with fixes.
    pub(crate) fn changed_files(&self) -> Vec<usize> {
        let is_changed = |index: &usize| self.files[*index].fixed.is_some();
        (0..self.files.len()).filter(is_changed).collect()
    }

    /// Whether a file has fixes that were not saved.
    pub(crate) fn has_unsaved(&self) -> bool {
        self.files.iter().any(|file| file.fixed.as_ref().is_some_and(|fixed| !fixed.is_saved()))
    }

    /// The name of a ZIP of files with fixes: the name of their folder, if they share one.
    pub(super) fn zip_name(&self) -> String {
        let folder =
            |file: &Rc<BatchFile>| file.dataset.path.split_once('/').map(|(folder, _)| folder.to_owned());
        let mut folders = self.files.iter().map(folder);
        let first = folders.next().flatten();
        let common = first.filter(|first| folders.all(|folder| folder.as_ref() == Some(first)));
        common.map_or_else(|| "fixed.zip".to_owned(), |folder| format!("{folder}.fixed.zip"))
    }

    /// Ends the packing of a file. Returns the packed file; `None` if it is not the current one.
    pub(super) fn packed(&mut self, id: CheckId) -> Option<FileKey> {
        let run = self.run.as_mut()?;
        let index = run.now(id)?.index;
        run.now = None;
        self.files.get(index).map(|file| file.current().key)
    }

    /// Returns true while files are packed.
    pub(super) fn is_packing(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.task == BatchTask::Pack)
    }

    /// Ends packing without a ZIP.
    pub(super) fn end_packing(&mut self) {
        self.run.take_if(|run| run.task == BatchTask::Pack);
    }

    /// The files with fixes that are not on disk.
    pub(crate) fn files_to_write(&self) -> Vec<usize> {
        let is_to_write = |index: &usize| {
            let file = &self.files[*index];
            file.fixed.is_some() && file.written != Some(file.current().key)
        };
        (0..self.files.len()).filter(is_to_write).collect()
    }

    /// Whether there are fixes that can be written into the folder.
    pub(crate) fn can_write(&self) -> bool {
        self.folder != FolderAccess::None && !self.files_to_write().is_empty()
    }

    /// The files that were replaced on disk.
    pub(crate) fn written_files(&self) -> Vec<usize> {
        (0..self.files.len()).filter(|index| self.files[*index].written.is_some()).collect()
    }

    /// The bytes of the originals that the page keeps once all fixes are written.
    pub(super) fn bytes_to_keep(&self) -> u64 {
        let is_kept = |file: &&Rc<BatchFile>| file.fixed.is_some() || file.written.is_some();
        self.files.iter().filter(is_kept).map(|file| file.dataset.size).sum()
    }

    /// Returns true while files on disk are replaced.
    pub(crate) fn is_writing(&self) -> bool {
        let task = self.run.as_ref().map(|run| run.task);
        matches!(task, Some(BatchTask::Write | BatchTask::Restore))
    }

    /// Stores whether the current file was written.
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

    /// Notes that a file is on disk with its fixes. The states between its fixes can no longer be read.
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

    /// Notes that a file is on disk as it was opened.
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

    /// Ends a run after the current file.
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
            selection: Selection::default(),
            all,
            now: None,
            waiting: files,
            made: None,
            failed: Vec::new(),
            changed: Vec::new(),
        });
    }

    /// Starts the next file of the task, with this id.
    pub(super) fn next_of_run(&mut self, id: CheckId) -> Option<(BatchTask, Rc<BatchFile>)> {
        let run = self.run.as_mut().filter(|run| run.now.is_none())?;
        let index = run.waiting.pop()?;
        let file = Rc::clone(self.files.get(index)?);
        let progress = Progress { total_bytes: file.current().size, ..Progress::default() };
        run.now = Some(Running { index, id, progress });
        Some((run.task, file))
    }

    /// Makes the file that is being fixed wait again, because the worker is needed for something else. Returns a fixed file that is no
    /// longer wanted.
    pub(super) fn pause_run(&mut self) -> Option<FileKey> {
        let run = self.run.as_mut().filter(|run| run.task == BatchTask::Fix)?;
        run.waiting.extend(run.now.take().map(|now| now.index));
        run.made.take().map(|(made, _)| made.key)
    }

    /// Stores a fixed file from the worker. Returns false if it is not wanted.
    pub(super) fn note_made(&mut self, id: CheckId, made: Dataset, fixes: u64) -> bool {
        let run = self.run.as_mut().filter(|run| run.now.is_some_and(|now| now.id == id));
        let is_wanted = run.is_some();
        if let Some(run) = run {
            run.made = Some((made, fixes));
        }
        is_wanted
    }

    /// Notes that the current file could not be fixed.
    pub(super) fn fail_run(&mut self, why: &str) {
        let Some(run) = &mut self.run else { return };
        let Some(file) = run.now.take().and_then(|now| self.files.get(now.index)) else { return };
        run.made = None;
        run.failed.push(format!("{} was not fixed: {why}", file.dataset.path));
    }

    /// Stores the fixed file and its report; `None` if it is not the current file.
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

    /// Stores how to take back fixes. Fixes that follow earlier ones are taken back with them.
    fn note_undo(&mut self, undo: Undo) {
        let known = self.undo.iter().position(|known| known.index == undo.index);
        match known.map(|known| &mut self.undo[known]) {
            Some(known) if known.made == undo.before.current().key => known.made = undo.made,
            Some(known) => *known = undo,
            None => self.undo.push(undo),
        }
    }

    /// Takes back the fixes that were applied to all files, except in files that were changed since or are on disk. Returns the files that
    /// are no longer shown.
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
