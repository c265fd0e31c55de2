//! What is done to the file that is shown, while it is done, and what was done to a file.

use std::rc::Rc;

use evalcheck_wire::fix::Change;

use super::check::Check;
use super::dataset::{Dataset, FileKey};
use super::preview::{ListKind, Selection};

/// A change of the file that is shown, or the undoing of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fixing {
    /// The check that takes the place of the one that is shown once it has a report. It is of the file that is shown until
    /// the changed file is there.
    pub(crate) check: Rc<Check>,
    /// What is done.
    pub(crate) task: Task,
    /// How often the worker has changed the file.
    pub(crate) passes: u32,
    /// The file that is added to it, until the worker has it.
    pub(crate) added: Option<FileKey>,
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// The worker changes it.
    Change(Change),
    /// The file as it was before is checked again.
    Undo,
}

impl Task {
    /// What is done, for the user.
    pub(crate) fn verb(&self) -> &'static str {
        match self {
            Self::Change(Change::TakeBack(_)) => "Taking back a change of",
            Self::Change(Change::AddFile(_)) => "Adding a file to",
            Self::Change(_) => "Fixing",
            Self::Undo => "Undoing the fixes of",
        }
    }
}

/// Fixes that were applied to the file that was opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fixes {
    /// The file as it was opened.
    pub(crate) original: Rc<Dataset>,
    /// How many there were.
    pub(crate) applied: u64,
    /// How many invalid records were left out.
    pub(crate) left_out: u64,
    /// How often the changes at a place were taken back.
    pub(crate) taken_back: u64,
    /// The file before each time that the user asked.
    pub(crate) before: Vec<Before>,
    /// The file that was downloaded last.
    pub(crate) saved: Option<FileKey>,
}

/// A file before fixes were applied to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Before {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// How many fixes it had.
    pub(crate) applied: u64,
    /// How many records had been left out of it.
    pub(crate) left_out: u64,
    /// How often changes had been taken back.
    pub(crate) taken_back: u64,
    /// What was selected in it.
    pub(crate) selected: Option<(ListKind, Selection)>,
}

impl Fixes {
    /// Adds a step, before which the file was `before`. The counts are still those before it.
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
