//! A search for records in the shown file.

use evalcheck_wire::question::List;
use evalcheck_wire::worker::RequestId;

use super::remote::{Remote, percent_of};
use crate::display::format_number::counted;

/// The search for the records that the filter keeps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Search {
    /// The number of its request.
    pub(crate) request: RequestId,
    /// The key of its values, if it is for values of one key of the data.
    pub(super) key: Option<String>,
    /// Its progress, or the number of records that it has found.
    pub(super) state: Remote<u64>,
}

impl Search {
    /// The list of the records that it has found.
    pub(crate) fn hits(&self) -> List {
        List::Hits(self.request)
    }

    /// How many records it has found so far.
    pub(crate) fn count(&self) -> u64 {
        match &self.state {
            Remote::Waiting(advance) | Remote::Stopped(advance) => advance.count,
            Remote::Loaded(count) => *count,
            Remote::Failed(_) => 0,
        }
    }

    /// Whether it goes on.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.state, Remote::Waiting(_))
    }

    /// Whether the user stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.state, Remote::Stopped(_))
    }

    /// Whether the file was searched to its end.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, Remote::Loaded(_))
    }

    /// Whether the file could not be searched.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.state, Remote::Failed(_))
    }

    /// Whether no more records can come: findings can be filtered by what was found.
    pub(crate) fn has_all_hits(&self) -> bool {
        matches!(self.state, Remote::Loaded(_) | Remote::Stopped(_))
    }

    /// The status above the list of lines.
    pub(crate) fn status_of_lines(&self) -> String {
        let status = self.status();
        match self.state {
            Remote::Loaded(_) => format!("{status} Other lines are dimmed."),
            Remote::Stopped(_) => format!("{status} Lines of these are marked."),
            Remote::Waiting(_) | Remote::Failed(_) => status,
        }
    }

    /// The number of records found, and the part of the file that was searched.
    pub(crate) fn status(&self) -> String {
        let found = match (self.count(), &self.key) {
            (0, Some(key)) if self.is_done() => format!("No record has such a value of {key}"),
            (0, _) => "No record matches".to_owned(),
            (1, _) => "1 record matches".to_owned(),
            (n, _) => format!("{} match", counted(n, "record")),
        };
        match &self.state {
            Remote::Waiting(advance) => {
                format!("{found} so far, {} % searched…", percent_of(advance))
            }
            Remote::Stopped(advance) => {
                let searched = percent_of(advance);
                format!("Stopped: {found} so far, {searched} % searched.")
            }
            Remote::Loaded(_) => format!("{found}."),
            Remote::Failed(why) => why.to_string(),
        }
    }
}
