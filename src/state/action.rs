//! Everything that can happen to the page, and everything that it can ask of the browser.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::embed::Options;
use evalcheck_wire::report::{Report, Severity};
use evalcheck_wire::view::Attachment;
use evalcheck_wire::worker::{Command, Event, JobId, RequestId};
use yew::AttrValue;

use super::batch::Standing;
use super::choice::FormatChoice;
use super::dataset::{Dataset, FileKey};
use super::embed::Told;
use super::handed::Handed;
use super::look::{AttachmentBody, ListKind, Tab};
use super::theme::Theme;

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// The worker said something (attachments come as [`Action::AttachmentRead`], with their bytes).
    Worker(Box<Event>),
    /// An attachment was read and can be shown.
    AttachmentRead {
        /// The job that was asked about.
        job: JobId,
        /// The question.
        request: RequestId,
        /// What it is, or why it could not be read.
        attachment: Result<Attachment, String>,
        /// How to show it.
        body: AttachmentBody,
    },
    /// The worker could not be started, or failed outside of any message.
    WorkerFailed(AttrValue),
    /// A timer went off.
    Woke(Timer),

    /// Something that may be a file is held over the page, or no longer.
    DragOver(bool),
    /// A folder is being read; so many files were found in it so far.
    Gathering(u32),
    /// Files were handed over.
    Take(Handed),
    /// What was handed over can't be taken; why.
    Refuse(AttrValue),
    /// The person has read why.
    Noted,
    /// A built-in example, by its places in the catalogue.
    OpenExample {
        /// The format.
        format: usize,
        /// The example of that format.
        example: usize,
    },
    /// The panel for pasted text was opened or closed.
    Paste(bool),
    /// This text is the dataset.
    CheckText(String),

    /// Check against this format; `None` lets the content decide.
    ChooseFormat(Option<FormatChoice>),
    /// Check the same file once more.
    CheckAgain,
    /// Stop the check.
    Cancel,
    /// Put everything away and begin anew.
    Leave,
    /// Look at one of several files.
    OpenFile(usize),
    /// Back from it to all of them.
    ShowOverview,
    /// One of several files, for the keyboard.
    SelectFile(usize),
    /// List the files that stand so; `None` for all.
    FilterFiles(Option<Standing>),
    /// The browser's word on the file after it was checked.
    FileSeen {
        /// The job that it was checked in.
        job: JobId,
        /// Its size now, in bytes.
        size: u64,
        /// When it was last changed, in milliseconds since 1970.
        modified_ms: f64,
    },

    /// The list of findings or the list of lines.
    ShowList(ListKind),
    /// Only findings of this severity; `None` for all.
    FilterSeverity(Option<Severity>),
    /// Only findings of this code; `None` for all.
    FilterCode(Option<AttrValue>),
    /// A finding of the list, by its place in the list of all findings.
    SelectFinding {
        /// Which.
        at: usize,
        /// True to go and read it: where there is room for one pane only, the detail takes it.
        open: bool,
    },
    /// A line.
    SelectLine {
        /// Its number, from 1.
        line: u64,
        /// As for findings.
        open: bool,
    },
    /// Another finding of the record that is shown.
    SelectInRecord(usize),
    /// A part of the detail.
    ShowTab(Tab),
    /// From the detail to the list, where there is room for one pane only.
    Back,
    /// These lines are in sight.
    LinesSeen(RangeInclusive<u64>),
    /// Show the line list at this line.
    GoToLine(u64),
    /// The next or the one before of the lines that fail.
    GoToFailing(Direction),
    /// Read an attachment to show it.
    ReadAttachment(AttrValue),

    /// A newer version of the page is there.
    UpdateFound,
    /// Take it.
    Update,
    /// Not now.
    PutOffUpdate,

    /// The next theme.
    ChangeTheme,
    /// The report as text to the clipboard.
    CopyReport,
    /// It is there, or the clipboard is not to be had.
    Copied(bool),
    /// The report as a file.
    DownloadReport,

    /// The page around this one wants it so.
    Configure(Options),
    /// The page around this one wants a check of a file.
    Ask {
        /// Its number for that.
        request: u32,
        /// The file.
        dataset: Dataset,
    },
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Towards the end.
    Next,
    /// Towards the beginning.
    Previous,
}

/// What a timer was set for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timer {
    /// To look whether the worker is alive.
    Heartbeat,
    /// To give up waiting for a check to stop.
    CancelDeadline(JobId),
    /// To take back a short notice, by its number: a newer one stays.
    Notice(u32),
}

/// What the browser is to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// End the worker, if there is one, and start a new one.
    StartWorker,
    /// Send a command, with the file that it is about.
    Post(Command, Option<FileKey>),
    /// Make a file of this content; answered by [`Action::Take`].
    MakeFile(Rc<NewFile>),
    /// Let go of the files that came before this one.
    ForgetBefore(FileKey),
    /// Look at the file again; answered by [`Action::FileSeen`].
    LookAtFile(FileKey, JobId),
    /// Show the page from its top.
    ScrollToTop,
    /// Show the pane in front from its top, where there is room for one pane only.
    ShowPanes,
    /// Let go of everything that attachments are shown from.
    ReleaseAttachments,
    /// Set a timer; answered by [`Action::Woke`].
    Wake {
        /// Milliseconds from now.
        after_ms: u32,
        /// What for.
        timer: Timer,
    },
    /// Put a text on the clipboard; answered by [`Action::Copied`].
    Copy(String),
    /// Hand over reports as a JSON file.
    Download(Download),
    /// Show the page in this theme, and remember it.
    ApplyTheme(Theme),
    /// Load the newer version of the page.
    Update,
    /// Show the page as the one around it wants it, and remember nothing.
    Dress {
        /// The theme.
        theme: Theme,
        /// Without header and examples.
        compact: bool,
        /// In a frame that becomes as tall as the page.
        grow: bool,
    },
    /// Tell the page around this one.
    Tell(Told),
}

/// What is to be saved.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Download {
    /// One report.
    One(Rc<Report>),
    /// An array of reports.
    All(Vec<Rc<Report>>),
}

/// A file to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    /// Its name.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) content: ExampleContent,
}
