//! A file on disk, compared with the opened file.

use std::rc::Rc;

use super::dataset::Dataset;

/// The state of a file on disk, compared with the opened file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum OnDisk {
    /// Unknown, because there is no handle.
    #[default]
    Unknown,
    /// Unchanged.
    Same,
    /// Changed; the current file.
    Changed(Rc<Dataset>),
}

/// Whether a file that changed on disk is checked automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Watch {
    /// On demand of the user.
    #[default]
    OnDemand,
    /// Automatically.
    ByItself,
}
