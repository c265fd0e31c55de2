//! Unsaved work: fixes that were not downloaded, and typed text. The page asks before it loses any.

use super::action::Action;
use super::dataset::Dataset;

/// Work that would be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsaved {
    /// Fixes that were not downloaded.
    Fixes,
    /// Edits of the text of a record that were not applied.
    Text,
}

/// The question before work is lost.
#[derive(Debug)]
pub(crate) struct LossQuestion {
    /// The work.
    pub(crate) unsaved: Unsaved,
    /// The action that would lose it.
    pub(super) action: Box<Action>,
}

impl LossQuestion {
    /// The file to open, if there is exactly one.
    pub(crate) fn file(&self) -> Option<&Dataset> {
        match &*self.action {
            Action::OpenFiles(items) => match &items.files[..] {
                [file] => Some(file),
                _ => None,
            },
            _ => None,
        }
    }
}
