//! The fixes that were applied to a file.

use std::rc::Rc;

use super::dataset::{Dataset, FileKey};
use super::preview::Selection;
use super::view_id::ViewId;

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
    pub(crate) selected: Option<(ViewId, Selection)>,
}

impl Fixes {
    /// Adds a step after the file `before`. The caller updates the counts.
    pub(super) fn step(
        fixes: &mut Option<Self>,
        before: Rc<Dataset>,
        selected: Option<(ViewId, Selection)>,
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

/// A file with its fixes applied.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FixedFile {
    /// The file.
    pub(crate) dataset: Rc<Dataset>,
    /// The fixes.
    pub(crate) fixes: Fixes,
}

impl FixedFile {
    /// Whether its current state was downloaded.
    pub(crate) fn is_saved(&self) -> bool {
        self.fixes.saved == Some(self.dataset.key)
    }
}
