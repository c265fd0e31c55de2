//! The change of the shown file in progress, and the changes that were made.

use std::rc::Rc;

use evalcheck_wire::fix::Change;

use super::check::Check;
use super::dataset::FileKey;

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
