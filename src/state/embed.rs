//! The page embedded in another one (the host): what the host has asked for, and what it is sent.

use std::rc::Rc;

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::Progress;
use yew::AttrValue;

use super::dataset::FileKey;
use super::format_choice::FormatChoice;

/// What the host page has asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Embed {
    /// The format that applies until the user chooses another.
    pub(crate) format: Option<FormatChoice>,
    /// The example to start with.
    pub(super) example: Option<AttrValue>,
    /// True when that example has been opened.
    pub(super) example_opened: bool,
    /// The file that the host wants checked and the number of that request, until it is answered.
    pub(super) requested: Option<(FileKey, u32)>,
}

impl Embed {
    /// Takes the number of the open request, which is answered now.
    pub(super) fn take_request(&mut self) -> Option<u32> {
        self.requested.take().map(|(_, request)| request)
    }
}

/// A message to the host page. `request` is the host's number, if the host asked for the check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HostMessage {
    /// The progress of a check.
    Progress {
        /// The request.
        request: Option<u32>,
        /// The name of the file.
        file: AttrValue,
        /// The progress.
        progress: Progress,
    },
    /// A check is complete.
    Report {
        /// The request.
        request: Option<u32>,
        /// The report.
        report: Rc<Report>,
    },
    /// There will be no report.
    Error {
        /// The request.
        request: Option<u32>,
        /// The reason, for scripts.
        code: &'static str,
        /// The reason, for people.
        message: AttrValue,
    },
}
