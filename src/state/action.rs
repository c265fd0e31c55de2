//! Everything that can happen to the page ([`Action`]), and everything that it can request from the browser ([`Effect`]).

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::attachments::AttachmentQuery;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::compare::DifferenceKind;
use evalcheck_wire::embed::Options;
use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::{Fix, Report, Severity};
use evalcheck_wire::view::{Attachment, Direction};
use evalcheck_wire::worker::{CheckId, Command, Event, RequestId};
use yew::AttrValue;

use super::address::{Address, Step};
use super::again::Watch;
use super::batch_file::FileStatus;
use super::dataset::{Dataset, FileKey};
use super::dropped_items::DroppedItems;
use super::embed::HostMessage;
use super::file_order::Column;
use super::format_choice::FormatChoice;
use super::keys::{Key, KeyList, Place};
use super::markdown::TextMode;
use super::mistakes::MistakeKey;
use super::preview::{AttachmentBody, Focus, ListKind, Tab};
use super::split::Split;
use super::theme::Theme;
use super::{Copied, Export};

/// An event, or a command of the user.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// The worker sent an event. Attachments arrive as [`Action::AttachmentLoaded`], with their bytes.
    Worker(Box<Event>),
    /// The worker answered a request for an attachment.
    AttachmentLoaded {
        /// The check of the attachment.
        id: CheckId,
        /// The request.
        request: RequestId,
        /// The attachment, or the reason why it could not be read.
        attachment: Result<Attachment, String>,
        /// How to show it.
        body: AttachmentBody,
    },
    /// The worker could not be started, or failed outside of any message.
    WorkerFailed(AttrValue),
    /// A timer fired.
    TimerFired(Timer),

    /// Files are being dragged over this target, or no longer.
    DragOver(Option<DropTarget>),
    /// A folder is being read; the number of files found so far.
    ReadingFolder(u32),
    /// Files were dropped, chosen, pasted or created.
    OpenFiles(DroppedItems),
    /// The browser could not open the files; the reason.
    OpenFailed(AttrValue),
    /// Hide the message about files that could not be opened.
    DismissOpenError,
    /// Check a built-in example, by its indices in the catalogue.
    OpenExample {
        /// The format.
        format: usize,
        /// The example of that format.
        example: usize,
    },
    /// Open or close the panel for pasted text.
    ShowPastePanel(bool),
    /// Check this text.
    CheckText(String),

    /// Check against this format; `None` detects the format by content.
    ChooseFormat(Option<FormatChoice>),
    /// Check the same file or files again.
    CheckAgain,
    /// Cancel the running check.
    Cancel,
    /// Close everything and show the start screen.
    StartOver,
    /// Answer the question before work is lost: true to lose it.
    Answer(bool),
    /// Open one file of a batch.
    OpenFile(usize),
    /// Change the shown file.
    Fix(FixAction),
    /// The worker has exported a file.
    Exported {
        /// The id of the request.
        id: CheckId,
        /// The file.
        dataset: Dataset,
    },
    /// Answers [`Effect::SaveFile`], unless the user has closed the browser's dialog.
    FileSaved(FileKey),
    /// The worker has changed a file.
    FileChanged {
        /// The check of the changed file.
        id: CheckId,
        /// The changed file.
        dataset: Dataset,
        /// How many fixes were applied, or records removed.
        fixes: u64,
    },
    /// Return from one file of a batch to the list of all.
    ShowOverview,
    /// Move the keyboard selection to a file of the batch.
    SelectFile(usize),
    /// List only files of this status; `None` lists all.
    FilterFiles(Option<FileStatus>),
    /// List the findings of all files (true), or the files.
    ShowMistakes(bool),
    /// Open a file of the batch at the findings of a rule and path.
    OpenMistake {
        /// The index of the file.
        file: usize,
        /// The rule and path.
        key: MistakeKey,
    },
    /// An action for all files of the batch.
    Batch(BatchAction),
    /// List only files whose path contains this text.
    FindFiles(AttrValue),
    /// Sort the list of files by this column, or reverse the order if it is already sorted by it.
    SortFiles(Column),
    /// Answers [`Effect::InspectFile`].
    FileInspected {
        /// The check that read the file.
        id: CheckId,
        /// Its size now, in bytes.
        size: u64,
        /// When it was last modified, in milliseconds since 1970.
        modified_ms: f64,
    },
    /// Navigate in the results of a check.
    Preview(PreviewAction),
    /// Compare the shown file with another version.
    Compare(CompareAction),

    /// Show the page of the rule with this code, which the address names.
    ShowRule(Option<AttrValue>),
    /// Go to another place in the results, because the user went back or forward.
    GoToAddress(Address),
    /// An action for a file on disk with a handle.
    Disk(DiskAction),

    /// A newer version of the page is available.
    UpdateAvailable,
    /// Load the newer version.
    ApplyUpdate,
    /// Hide the offer of the newer version.
    DismissUpdate,

    /// Show or hide the details below the bar.
    ToggleBarDetails,
    /// A shortcut was pressed in a pane.
    Key(Key, Focus),
    /// Show or hide the list of keyboard shortcuts.
    ShowKeys(KeyList),
    /// Set the division of the width between lists and details.
    SetSplit(Split),
    /// Set the display mode of the texts of records.
    SetTextMode(TextMode),
    /// Switch to the next theme.
    ChangeTheme,
    /// Copy the report as text to the clipboard.
    CopyReport,
    /// Copy the verdict and the groups of findings as Markdown to the clipboard.
    CopySummary,
    /// Copy a text of this kind to the clipboard.
    CopyText(Copied, String),
    /// Answers [`Effect::Copy`]; false if the browser refused.
    Copied(bool),
    /// Download the report as JSON.
    DownloadReport,

    /// The host page sets the options.
    Configure(Options),
    /// The host page requests the check of a file.
    CheckForHost {
        /// The host's number of the request.
        request: u32,
        /// The file.
        dataset: Dataset,
    },
}

/// A change of the shown file, or a file made from it. The opened file itself is not changed.
#[derive(Debug, Clone)]
pub(crate) enum FixAction {
    /// Apply the selected fixes, until there are none.
    ApplyAll(Selection),
    /// Apply the fixes that were selected in the review.
    ApplyReviewed,
    /// Apply one fix.
    ApplyOne(Box<Fix>),
    /// Apply the edit of the record.
    ApplyEdit,
    /// Convert the file from the encoding of this name to UTF-8.
    Decode(String),
    /// Remove the records with errors.
    DropInvalid,
    /// Take back the changes at the selected place of the list of changes.
    TakeBack,
    /// Choose a file to add to the ZIP as the entry with this name.
    PickFile(AttrValue),
    /// Add a file to the ZIP.
    AddFile {
        /// The name of the entry.
        entry: AttrValue,
        /// The file.
        file: Dataset,
    },
    /// Take back the last change.
    Undo,
    /// Download the file with its fixes.
    Download,
    /// Create and download another file.
    Export(Export),
}

/// An action for all files of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BatchAction {
    /// Apply the safe fixes of every file.
    FixAll,
    /// Take back the fixes that were applied to all files.
    Undo,
    /// Download the files with fixes as a ZIP.
    Pack,
    /// Show (true) or close the question whether to write the files with fixes into their folder.
    AskToWrite(bool),
    /// Write the files with fixes into their folder.
    Write,
    /// Answers [`Effect::WriteFile`], with its id.
    Written(CheckId, Result<(), NotWritten>),
}

/// The reason why a file was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotWritten {
    /// It changed on disk since it was checked or last written by the page.
    Changed,
    /// The browser's reason.
    Failed(String),
}

impl From<BatchAction> for Action {
    fn from(action: BatchAction) -> Self {
        Self::Batch(action)
    }
}

/// An event or command for a file on disk with a handle.
#[derive(Debug, Clone)]
pub(crate) enum DiskAction {
    /// The browser has a handle of the file with this key, and will report changes.
    HasHandle(FileKey),
    /// A file changed.
    Changed {
        /// The file as it was opened.
        key: FileKey,
        /// The file as it is now.
        dataset: Dataset,
    },
    /// Open the current state of the shown file.
    Open,
    /// Set whether a changed file is checked automatically or on demand.
    Watch(Watch),
}

impl From<DiskAction> for Action {
    fn from(action: DiskAction) -> Self {
        Self::Disk(action)
    }
}

impl From<FixAction> for Action {
    fn from(action: FixAction) -> Self {
        Self::Fix(action)
    }
}

/// A comparison of the shown file with another version of it.
#[derive(Debug, Clone)]
pub(crate) enum CompareAction {
    /// Choose the other version.
    Pick,
    /// Compare with this version.
    With(Dataset),
    /// Compare with the previously shown file of the same name.
    WithPrevious,
    /// Compare with the dropped file instead of opening it.
    WithDropped,
    /// Swap the older and the newer version.
    Swap,
    /// Close the comparison.
    End,
    /// List the records with this kind of difference; `None` lists all.
    List(Option<DifferenceKind>),
    /// These records, from 1, are visible in the list.
    Visible(RangeInclusive<u64>),
    /// Select a record of the list.
    Select {
        /// Its number in the list, from 0.
        number: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
}

impl From<CompareAction> for Action {
    fn from(action: CompareAction) -> Self {
        Self::Compare(action)
    }
}

/// An action of the user in the results of a check.
#[derive(Debug, Clone)]
pub(crate) enum PreviewAction {
    /// Show a list.
    ShowList(ListKind),
    /// Filter the lists by this text, see [`evalcheck_wire::query`].
    Filter(AttrValue),
    /// List only findings of this severity; `None` removes the filter.
    FilterSeverity(Option<Severity>),
    /// List the fixes by kind.
    ReviewFixes,
    /// Count the statistics of the file.
    CountOverview,
    /// Stop counting the statistics.
    StopCounting,
    /// List the records that match this query.
    FindRecords(AttrValue),
    /// Show more kinds of fixes.
    ShowMoreFixes,
    /// Select a place of the list of changes, from 0; true to open its record.
    SelectChange {
        /// The number of the place.
        number: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// These places of the list of changes are visible, from 1.
    ChangesVisible(RangeInclusive<u64>),
    /// Select or deselect a kind of fixes to apply.
    ChooseFixes(usize),
    /// List the findings of a group.
    OpenGroup {
        /// The rule.
        code: String,
        /// The path with `*` for each index; `None` for all.
        path: Option<String>,
    },
    /// List findings by group.
    ShowGroups,
    /// List single findings.
    ShowSingle,
    /// Select the first error.
    SelectFirstError,
    /// Select a finding.
    SelectFinding {
        /// Its number in the list, from 0.
        number: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// These findings, from 1, are visible in the list of findings.
    FindingsVisible(RangeInclusive<u64>),
    /// Select a line.
    SelectLine {
        /// Its number, from 1.
        line: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// Select another finding of the shown record, by its index in the record.
    SelectInRecord(usize),
    /// Select a finding of the shown record, and show it.
    OpenInRecord(usize),
    /// Show a tab of the details.
    ShowTab(Tab),
    /// Return from the details to the list on a narrow screen.
    BackToList,
    /// Show the details on a narrow screen.
    ShowDetails,
    /// Select a record by its number.
    SelectRecord {
        /// Its number, from 0.
        record: u64,
        /// The line at which it begins, if known.
        line: Option<u64>,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// These records, from 1, are visible in the list of records.
    RowsVisible(RangeInclusive<u64>),
    /// These lines are visible in the line list.
    LinesVisible(RangeInclusive<u64>),
    /// Scroll the line list to this line and select it.
    GoToLine(u64),
    /// Scroll the list of records to this record, from 0, and select it.
    GoToRecord(u64),
    /// Select the next or previous match of the search if its matches are listed, else the next or previous line, record or finding with an
    /// error.
    GoOn(Direction),
    /// Stop the search.
    StopSearch,
    /// Select a record that the search found.
    SelectHit {
        /// Its number in the list, from 0.
        number: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// These matches, from 1, are visible in the list of records.
    HitsVisible(RangeInclusive<u64>),
    /// List these files of the archive, in this order.
    ListFiles(AttachmentQuery),
    /// These files, from 1, are visible in the list.
    FilesVisible(RangeInclusive<u64>),
    /// Select a file of the archive.
    SelectFile {
        /// Its number in the list, from 0.
        number: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// Load an attachment.
    LoadAttachment(AttrValue),
    /// Edit the text of the shown record.
    StartEditing,
    /// The text of the edited record.
    EditText {
        /// The text.
        text: String,
        /// The position of the caret, in UTF-16 code units; `None` if text is selected.
        caret: Option<u64>,
    },
    /// Discard the edit.
    StopEditing,
}

impl From<PreviewAction> for Action {
    fn from(action: PreviewAction) -> Self {
        Self::Preview(action)
    }
}

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

/// The target of dragged files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropTarget {
    /// The page, which opens the files.
    Page,
    /// The card of a missing file of the archive, which takes one file.
    Card,
}

/// The purpose of a chosen file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FilePurpose {
    /// Comparison with the shown file; answered by [`CompareAction::With`].
    Version,
    /// Addition to the ZIP as the entry with this name; answered by [`FixAction::AddFile`].
    Entry(AttrValue),
}

impl FilePurpose {
    /// The action for the chosen file.
    pub(crate) fn with(&self, file: Dataset) -> Action {
        match self {
            Self::Version => CompareAction::With(file).into(),
            Self::Entry(entry) => FixAction::AddFile { entry: entry.clone(), file }.into(),
        }
    }
}

/// A task for the browser.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// Terminate the worker, if there is one, and start a new one.
    StartWorker,
    /// Post a command to the worker, with its file.
    Post(Command, Option<FileKey>),
    /// Create a file of this content; answered by [`Action::OpenFiles`].
    CreateFile(Rc<NewFile>),
    /// Release all files that were opened before this one.
    ReleaseFilesBefore(FileKey),
    /// Release a file that is no longer shown, which the browser may hold in memory.
    ReleaseFile(FileKey),
    /// Read the size and time of a file again; answered by [`Action::FileInspected`].
    InspectFile(FileKey, CheckId),
    /// Scroll to the top of the page.
    ScrollToTop,
    /// Scroll to the panes on a narrow screen.
    ShowPanes,
    /// Revoke the object URLs of all attachments.
    ReleaseAttachments,
    /// Start a timer; answered by [`Action::TimerFired`].
    StartTimer {
        /// Milliseconds from now.
        after_ms: u32,
        /// Its purpose.
        timer: Timer,
    },
    /// Copy a text to the clipboard; answered by [`Action::Copied`].
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
    /// Download a file under this name; answered by [`Action::FileSaved`].
    SaveFile(FileKey, String),
    /// Write a file into the folder from which another file was opened; answered by [`BatchAction::Written`].
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
    /// Download reports as a JSON file.
    Download(Download),
    /// Enable only these keys.
    BindKeys(Vec<Key>),
    /// Move the keyboard's focus.
    MoveFocus(Place),
    /// Select the next or previous row of the shown list.
    MoveInList(Direction),
    /// Start or stop asking before the page is left.
    GuardUnload(bool),
    /// Change the address of the page; `None` removes the place in the results.
    SetAddress(Option<Address>, Step),
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
}

/// A file to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    /// Its name.
    pub(crate) name: String,
    /// Its content.
    pub(crate) content: ExampleContent,
}
