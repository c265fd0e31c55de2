//! The statistics of the shown file.

use std::rc::Rc;

use evalcheck_wire::overview::Overview;
use evalcheck_wire::worker::{CheckId, Progress};
use yew::AttrValue;

/// The state of the statistics.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum OverviewState {
    /// Not requested.
    #[default]
    None,
    /// They are being counted.
    Counting {
        /// The id of the count.
        id: CheckId,
        /// Its progress.
        progress: Progress,
    },
    /// The user stopped the count.
    Stopped,
    /// They are counted.
    Loaded(Rc<Overview>),
    /// They cannot be counted; the reason.
    Failed(AttrValue),
}

impl OverviewState {
    /// The id of the count, while it runs.
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
