//! The change of the shown file in progress, and the changes that were made.

use std::rc::Rc;

use evalcheck_wire::fix::Change;

use super::check::Check;
use super::dataset::{Dataset, FileKey};
use super::preview::{ListKind, Selection};

/// A change of the shown file, or the undoing of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fixing {
    /// The check that replaces the shown one once it has a report. It checks the shown file until the changed file exists.
    pub(crate) check: Rc<Check>,
    /// The kind of the change.
    pub(crate) task: Task,
    /// The number of times the worker has changed the file.
    pub(crate) passes: u32,
    /// The file to add, until the worker has it.
    pub(crate) added: Option<FileKey>,
}

/// The kind of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// The worker changes it.
    Change(Change),
    /// The previous file is checked again.
    Undo,
}

impl Task {
    /// The task, for the user.
    pub(crate) fn verb(&self) -> &'static str {
        match self {
            Self::Change(Change::TakeBack(_)) => "Taking back a change of",
            Self::Change(Change::AddFile(_)) => "Adding a file to",
            Self::Change(_) => "Fixing",
            Self::Undo => "Undoing the fixes of",
        }
    }
}

/// The fixes that were applied to the opened file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fixes {
    /// The file as it was opened.
    pub(crate) original: Rc<Dataset>,
    /// The number of applied fixes.
    pub(crate) applied: u64,
    /// The number of removed invalid records.
    pub(crate) left_out: u64,
    /// The number of times that changes at a place were taken back.
    pub(crate) taken_back: u64,
    /// The files before each step of the user.
    pub(crate) before: Vec<Before>,
    /// The last downloaded file.
    pub(crate) saved: Option<FileKey>,
}

/// A file before a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Before {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// The number of fixes applied before.
    pub(crate) applied: u64,
    /// The number of records removed before.
    pub(crate) left_out: u64,
    /// The number of times that changes were taken back before.
    pub(crate) taken_back: u64,
    /// The list and the selection before.
    pub(crate) selected: Option<(ListKind, Selection)>,
}

impl Fixes {
    /// Adds a step after the file `before`. The caller updates the counts.
    pub(super) fn step(
        fixes: &mut Option<Self>,
        before: Rc<Dataset>,
        selected: Option<(ListKind, Selection)>,
    ) -> &mut Self {
        let fixes = fixes.get_or_insert_with(|| Self {
            original: Rc::clone(&before),
            applied: 0,
            left_out: 0,
            taken_back: 0,
            before: Vec::new(),
            saved: None,
        });
        let Self { applied, left_out, taken_back, .. } = *fixes;
        fixes.before.push(Before { dataset: before, applied, left_out, taken_back, selected });
        fixes
    }
}
