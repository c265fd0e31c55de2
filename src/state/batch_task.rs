//! A task for all files of a batch, and its progress.

use std::rc::Rc;

use evalcheck_wire::fix::Selection;
use evalcheck_wire::worker::{CheckId, Progress};

use super::batch_file::BatchFile;
use super::dataset::{Dataset, FileKey};
use super::dropped_items::named;

/// A file that the worker has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Running {
    /// Its index.
    pub(crate) index: usize,
    /// The id of its check.
    pub(crate) id: CheckId,
    /// The progress of the check.
    pub(crate) progress: Progress,
}

/// The task for a file of the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchTask {
    /// Apply its safe fixes.
    Fix,
    /// Pack it into a ZIP.
    Pack,
    /// Write it to disk.
    Write,
    /// Write the file as it was opened back to disk.
    Restore,
}

impl BatchTask {
    /// The task, for the user.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Fix => "Fixing",
            Self::Pack => "Packing",
            Self::Write => "Writing",
            Self::Restore => "Restoring",
        }
    }
}

/// A task and its progress.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BatchRun {
    /// The task.
    pub(crate) task: BatchTask,
    /// The fixes to apply.
    pub(super) selection: Selection,
    /// The number of files.
    pub(crate) all: usize,
    /// The current file.
    pub(crate) now: Option<Running>,
    /// The waiting files, the next one last.
    pub(super) waiting: Vec<usize>,
    /// The fixed version of the current file and its number of fixes, until its report arrives.
    pub(super) made: Option<(Dataset, u64)>,
    /// The files for which the task failed, each with the reason.
    pub(super) failed: Vec<String>,
    /// The files that changed on disk and were not written.
    pub(super) changed: Vec<String>,
}

/// The number of files that a message names; the others are counted.
const NAMED: usize = 5;

impl BatchRun {
    /// The number of the current file, from 1.
    pub(crate) fn number(&self) -> usize {
        self.all - self.waiting.len()
    }

    /// The current file, if its check has this id.
    pub(super) fn now(&mut self, id: CheckId) -> Option<&mut Running> {
        self.now.as_mut().filter(|now| now.id == id)
    }

    /// The files that failed, for the user.
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

/// The data to take back the fixes of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Undo {
    pub(super) index: usize,
    /// The file before the fixes.
    pub(super) before: Rc<BatchFile>,
    /// The file with the fixes.
    pub(super) made: FileKey,
}

/// Sums over the fixes that were applied to all files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedFiles {
    /// The number of files with fixes.
    pub(crate) files: u64,
    /// The number of fixes.
    pub(crate) fixes: u64,
    /// The number of files written to disk.
    pub(crate) written: u64,
}
