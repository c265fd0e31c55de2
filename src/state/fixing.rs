//! What is done to the file that is shown, while it is done.

use std::rc::Rc;

use evalcheck_wire::fix::Change;

use super::check::Check;
use super::dataset::FileKey;

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
