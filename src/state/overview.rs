//! The statistics of the file that is shown.

use std::rc::Rc;

use evalcheck_wire::overview::Overview;
use evalcheck_wire::worker::{CheckId, Progress};
use yew::AttrValue;

/// The statistics, as far as they are counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum OverviewState {
    /// They were not asked for.
    #[default]
    None,
    /// They are being counted.
    Counting {
        /// The number of the counting.
        id: CheckId,
        /// How far it has come.
        progress: Progress,
    },
    /// The user stopped the counting.
    Stopped,
    /// They are counted.
    Loaded(Rc<Overview>),
    /// They cannot be counted; the reason.
    Failed(AttrValue),
}

impl OverviewState {
    /// The number of the counting, while it runs.
    pub(crate) fn counting(&self) -> Option<CheckId> {
        match self {
            Self::Counting { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// The statistics, once they are counted.
    pub(crate) fn loaded(&self) -> Option<&Rc<Overview>> {
        match self {
            Self::Loaded(overview) => Some(overview),
            _ => None,
        }
    }
}
