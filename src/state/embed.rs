//! The embedding in a host page: the requests of the host, and the messages to it.

use std::rc::Rc;

use evalcheck_report::Report;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::Progress;
use yew::AttrValue;

use super::dataset::FileKey;
use super::format_choice::FormatChoice;

/// The state of the embedding.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Embed {
    /// Whether the host page receives messages: a plain frame has no host that listens.
    pub(crate) is_connected: bool,
    /// The format that applies until the user chooses another.
    pub(crate) format: Option<FormatChoice>,
    /// The schema that applies until the user gives another one.
    pub(super) schema: Option<SchemaFile>,
    /// The example to start with.
    pub(super) example: Option<AttrValue>,
    /// Whether that example has been opened.
    pub(super) example_opened: bool,
    /// The file that the host wants checked and the number of its request, until it is answered.
    pub(super) requested: Option<(FileKey, u32)>,
}

impl Embed {
    /// Takes the number of the open request, which is being answered.
    pub(super) fn take_request(&mut self) -> Option<u32> {
        self.requested.take().map(|(_, request)| request)
    }
}

/// A message to the host page. `request` is the host's number, if the host requested the check.
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
    /// A check has ended.
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
