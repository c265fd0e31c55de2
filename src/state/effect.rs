//! The tasks of the page for the browser.

use std::rc::Rc;

use evalcheck_report::Report;
use evalcheck_report::view::Direction;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::{CheckId, Command};
use yew::AttrValue;

use super::address::{Address, Step};
use super::dataset::FileKey;
use super::embed::HostMessage;
use super::keys::{Place, Shortcut};
use super::markdown::TextMode;
use super::screen::Screen;
use super::split::Split;
use super::theme::Theme;

/// The purpose of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timer {
    /// Check that the worker is alive.
    Heartbeat,
    /// Stop waiting for a check to be cancelled.
    CancelDeadline(CheckId),
    /// Hide the notice with this id; a newer notice stays.
    Notice(u32),
}

/// The purpose of a chosen file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FilePurpose {
    /// Comparison with the shown file; answered by [`super::action::CompareAction::With`].
    Version,
    /// Addition to the ZIP as the entry with this name; answered by [`super::action::FixAction::AddFile`].
    Entry(AttrValue),
}

/// A task for the browser.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// Terminate the worker, if there is one, and start a new one.
    StartWorker,
    /// Post a command to the worker, with its file.
    Post(Command, Option<FileKey>),
    /// Create a file of this content; answered by [`super::action::Action::OpenFiles`].
    CreateFile(Rc<NewFile>),
    /// Release all files that were opened before this one.
    ReleaseFilesBefore(FileKey),
    /// Release a file that is no longer shown, which the browser may hold in memory.
    ReleaseFile(FileKey),
    /// Read the size and time of a file again; answered by [`super::action::Action::FileInspected`].
    InspectFile(FileKey, CheckId),
    /// Scroll to the top of the page.
    ScrollToTop,
    /// Scroll to the panes on a narrow screen.
    ShowPanes,
    /// Revoke the object URLs of all attachments.
    ReleaseAttachments,
    /// Start a timer; answered by [`super::action::Action::TimerFired`].
    StartTimer {
        /// Milliseconds from now.
        after_ms: u32,
        /// Its purpose.
        timer: Timer,
    },
    /// Copy a text to the clipboard; answered by [`super::action::Action::Copied`].
    Copy(String),
    /// Post a command with two files to the worker.
    PostPair {
        /// The command.
        command: Command,
        /// Its file; the newer one of two versions.
        key: FileKey,
        /// The older version, or the file to add.
        other: FileKey,
    },
    /// Let the user choose a file.
    PickFile(FilePurpose),
    /// Let the user choose the files of a schema; answered by [`super::action::SchemaAction::Use`].
    PickSchema,
    /// Download a file under this name; answered by [`super::action::Action::FileSaved`].
    SaveFile(FileKey, String),
    /// Write a file into the folder from which another file was opened; answered by [`super::action::BatchAction::Written`].
    WriteFile {
        /// The id for the answer.
        id: CheckId,
        /// The file as it was opened.
        original: FileKey,
        /// The content to write.
        content: FileKey,
        /// The path of the file as it was opened.
        path: AttrValue,
    },
    /// Download reports or a schema as a JSON file.
    Download(Download),
    /// Enable only these keys.
    BindKeys(Vec<Shortcut>),
    /// Move the keyboard's focus.
    MoveFocus(Place),
    /// Select the next or previous row of the shown list.
    MoveInList(Direction),
    /// Start or stop asking before the page is left.
    GuardUnload(bool),
    /// Change the address of the page, and the screen that its entry of the history names; `None` removes the place in the results.
    SetAddress(Option<Address>, Screen, Step),
    /// Divide the width between lists and details, and store the division.
    ApplySplit(Split),
    /// Store the display mode of the texts of records.
    StoreTextMode(TextMode),
    /// Set the title of the page; `None` for its own.
    SetTitle(Option<AttrValue>),
    /// Apply a theme and store it.
    ApplyTheme(Theme),
    /// Load the newer version of the page.
    ApplyUpdate,
    /// Mark the page as ready, as soon as all of it is loaded.
    SayReady,
    /// Apply the options of the host page; nothing is stored.
    ApplyEmbedOptions {
        /// The theme.
        theme: Theme,
        /// Whether header and examples are hidden.
        compact: bool,
        /// Whether the frame grows with the page.
        grow: bool,
    },
    /// Post a message to the host page.
    PostToHost(HostMessage),
}

/// The content of a download.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Download {
    /// One report.
    One(Rc<Report>),
    /// An array of reports.
    All(Vec<Rc<Report>>),
    /// A JSON Schema.
    Schema(SchemaFile),
}

impl Download {
    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        let of = match self {
            Self::One(report) => report.file.name.as_str(),
            Self::All(_) => "reports",
            Self::Schema(schema) => return schema.name.clone(),
        };
        format!("{of}.evalcheck.json")
    }
}

/// A file to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    /// Its name.
    pub(crate) name: String,
    /// Its content.
    pub(crate) content: ExampleContent,
}
