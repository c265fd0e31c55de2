//! Everything that can happen to the page ([`Action`]) and everything it can ask of the browser ([`Effect`]).

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

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// The worker sent an event. Attachments arrive as [`Action::AttachmentLoaded`], with their bytes.
    Worker(Box<Event>),
    /// The worker answered a request for an attachment.
    AttachmentLoaded {
        /// The check that the attachment belongs to.
        id: CheckId,
        /// The request that this answers.
        request: RequestId,
        /// The attachment, or why it could not be read.
        attachment: Result<Attachment, String>,
        /// How to show it.
        body: AttachmentBody,
    },
    /// The worker could not be started, or failed outside of any message.
    WorkerFailed(AttrValue),
    /// A timer fired.
    TimerFired(Timer),

    /// Files are being dragged over the page, or no longer.
    DragOver(Option<DropTarget>),
    /// A folder is being read; the number of files found so far.
    ReadingFolder(u32),
    /// Files were dropped, chosen, pasted or created.
    OpenFiles(DroppedItems),
    /// The browser could not open what it was given; the reason.
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
    /// Answers the question before work is lost: true to lose it.
    Answer(bool),
    /// Open one file of a batch.
    OpenFile(usize),
    /// The user changes the file that is shown.
    Fix(FixAction),
    /// The worker has made the file that was asked for.
    Exported {
        /// The request.
        id: CheckId,
        /// The file.
        dataset: Dataset,
    },
    /// Answers [`Effect::SaveFile`]; not when the user has closed the dialogue of the browser.
    FileSaved(FileKey),
    /// The worker has changed a file.
    FileChanged {
        /// The check of the changed file.
        id: CheckId,
        /// The changed file.
        dataset: Dataset,
        /// How many fixes were applied, or records left out.
        fixes: u64,
    },
    /// Return from one file of a batch to the list of all.
    ShowOverview,
    /// Move the keyboard selection to a file of the batch.
    SelectFile(usize),
    /// List only files of this status; `None` lists all.
    FilterFiles(Option<FileStatus>),
    /// List the findings of all files, or the files.
    ShowMistakes(bool),
    /// Open a file of the batch at the findings of a rule and path.
    OpenMistake {
        /// The index of the file.
        file: usize,
        /// The rule and path.
        key: MistakeKey,
    },
    /// Something is done to all files of the batch.
    Batch(BatchAction),
    /// List only files whose path has this text.
    FindFiles(AttrValue),
    /// Sort the list of files by this column, or by it in the reverse order.
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
    /// The user navigates in the results of a check.
    Preview(PreviewAction),
    /// The user compares the file that is shown with another version.
    Compare(CompareAction),

    /// The address asks for the page of the rule with this code.
    ShowRule(Option<AttrValue>),
    /// The user went back or forward to another place in the results.
    GoToAddress(Address),
    /// A file on disk, by its handle.
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
    /// Share the width between lists and details.
    SetSplit(Split),
    /// Show texts of records in this way.
    SetTextMode(TextMode),
    /// Switch to the next theme.
    ChangeTheme,
    /// Copy the report as text to the clipboard.
    CopyReport,
    /// Copy the verdict and the groups of findings as Markdown to the clipboard.
    CopySummary,
    /// Copy a text to the clipboard; what it is.
    CopyText(Copied, String),
    /// Answers [`Effect::Copy`]; false when the browser refused.
    Copied(bool),
    /// Download the report as JSON.
    DownloadReport,

    /// The host page of an embed sets the options.
    Configure(Options),
    /// The host page of an embed asks for a check of a file.
    CheckForHost {
        /// The host's number of the request.
        request: u32,
        /// The file.
        dataset: Dataset,
    },
}

/// A change of the file that is shown, or a file that is made of it. The file that was opened stays as it is.
#[derive(Debug, Clone)]
pub(crate) enum FixAction {
    /// Apply the fixes that are selected, until there are none.
    ApplyAll(Selection),
    /// Apply the fixes that were chosen when they were reviewed.
    ApplyReviewed,
    /// Apply one fix.
    ApplyOne(Box<Fix>),
    /// Write the record that was edited.
    ApplyEdit,
    /// Convert the file from the encoding of this name to UTF-8.
    Decode(String),
    /// Leave out the records with errors.
    DropInvalid,
    /// Take back the changes at the selected place of the list of changes.
    TakeBack,
    /// Choose a file that is added to the ZIP as the entry of this name.
    PickFile(AttrValue),
    /// Add a file to the ZIP.
    AddFile {
        /// The name of the entry.
        entry: AttrValue,
        /// The file.
        file: Dataset,
    },
    /// Take back all that was changed last.
    Undo,
    /// Download the file with its fixes.
    Download,
    /// Make and download another file.
    Export(Export),
}

/// What is done to all files of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BatchAction {
    /// Apply the safe fixes of every file.
    FixAll,
    /// Take back what was applied to all files.
    Undo,
    /// Download the files with fixes as a ZIP.
    Pack,
    /// Ask whether to write the files with fixes into their folder, or no longer.
    AskToWrite(bool),
    /// Write the files with fixes into their folder.
    Write,
    /// Answers [`Effect::WriteFile`], with its number.
    Written(CheckId, Result<(), NotWritten>),
}

/// Why a file was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotWritten {
    /// It changed on disk since it was checked, or written by the page.
    Changed,
    /// The browser says why.
    Failed(String),
}

impl From<BatchAction> for Action {
    fn from(action: BatchAction) -> Self {
        Self::Batch(action)
    }
}

/// What happens to a file on disk that has a handle.
#[derive(Debug, Clone)]
pub(crate) enum DiskAction {
    /// The browser has a handle of the file with this key, and will say when it changes.
    HasHandle(FileKey),
    /// A file changed.
    Changed {
        /// The file as it was opened.
        key: FileKey,
        /// The file as it is now.
        dataset: Dataset,
    },
    /// Opens the file that is shown as it is now.
    Open,
    /// Checks a file that changes again by itself, or on demand.
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

/// A comparison of the file that is shown with another version of it.
#[derive(Debug, Clone)]
pub(crate) enum CompareAction {
    /// Choose the other version.
    Pick,
    /// Compare with this version.
    With(Dataset),
    /// Compare with the file of the same name that was shown before.
    WithPrevious,
    /// Compare with the file that was dropped, in place of opening it.
    WithDropped,
    /// Take the older version for the newer one.
    Swap,
    /// Close the comparison.
    End,
    /// List the records that differ in this way; `None` lists all.
    List(Option<DifferenceKind>),
    /// These records, from 1, are visible in the list.
    Visible(RangeInclusive<u64>),
    /// Select a record of the list.
    Select {
        /// Its number in the list, from 0.
        number: u64,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
}

impl From<CompareAction> for Action {
    fn from(action: CompareAction) -> Self {
        Self::Compare(action)
    }
}

/// What the user does in the results of a check.
#[derive(Debug, Clone)]
pub(crate) enum PreviewAction {
    /// Show a list.
    ShowList(ListKind),
    /// Filter the lists by this text, see [`evalcheck_wire::query`].
    Filter(AttrValue),
    /// List only findings of this severity; `None` removes the filter.
    FilterSeverity(Option<Severity>),
    /// List the fixes by kinds.
    ReviewFixes,
    /// Count the statistics of the file.
    CountOverview,
    /// Stop counting them.
    StopCounting,
    /// List the records that this query finds.
    FindRecords(AttrValue),
    /// Show more kinds of fixes.
    ShowMoreFixes,
    /// Select a place of the list of changes, from 0; true to open its record.
    SelectChange {
        /// The number of the place.
        number: u64,
        /// Shows the details.
        open: bool,
    },
    /// These places of the list of changes are visible, from 1.
    ChangesVisible(RangeInclusive<u64>),
    /// Apply the fixes of a kind, or not, when fixes are applied next.
    ChooseFixes(usize),
    /// List the findings of a group.
    OpenGroup {
        /// The rule.
        code: String,
        /// The path with `*` for each index; `None` for all.
        path: Option<String>,
    },
    /// List findings by groups.
    ShowGroups,
    /// List findings one by one.
    ShowSingle,
    /// Select the first error.
    SelectFirstError,
    /// Select a finding.
    SelectFinding {
        /// Its number among those that are listed, from 0.
        number: u64,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
    /// These findings, from 1, are visible in the list of findings.
    FindingsVisible(RangeInclusive<u64>),
    /// Select a line.
    SelectLine {
        /// Its number, from 1.
        line: u64,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
    /// Select another finding of the record that is shown, by its index among the record's findings.
    SelectInRecord(usize),
    /// Select a finding of the record that is shown, and show it.
    OpenInRecord(usize),
    /// Show a tab of the details.
    ShowTab(Tab),
    /// Return from the details to the list on a narrow screen.
    BackToList,
    /// Bring the details to the front on a narrow screen.
    ShowDetails,
    /// Select a record by its number.
    SelectRecord {
        /// Its number, from 0.
        record: u64,
        /// The line on which it begins, where that is known.
        line: Option<u64>,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
    /// These records, from 1, are visible in the list of records.
    RowsVisible(RangeInclusive<u64>),
    /// These lines are visible in the line list.
    LinesVisible(RangeInclusive<u64>),
    /// Scroll the line list to this line and select it.
    GoToLine(u64),
    /// Scroll the list of records to this one, from 0, and select it.
    GoToRecord(u64),
    /// Select the next or previous match of the search, where its matches are listed, else the next or previous line, record or
    /// finding with an error.
    GoOn(Direction),
    /// Stop the search.
    StopSearch,
    /// Select a record that was found.
    SelectHit {
        /// Its number in the list, from 0.
        number: u64,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
    /// These hits, from 1, are visible in the list of records.
    HitsVisible(RangeInclusive<u64>),
    /// List these files of the archive, in this order.
    ListFiles(AttachmentQuery),
    /// These files, from 1, are visible in the list.
    FilesVisible(RangeInclusive<u64>),
    /// Select a file of the archive.
    SelectFile {
        /// Its number in the list, from 0.
        number: u64,
        /// True to bring the details to the front on a narrow screen.
        open: bool,
    },
    /// Load an attachment.
    LoadAttachment(AttrValue),
    /// Edit the record that is shown, as text.
    StartEditing,
    /// The text of the edited record.
    EditText {
        /// What is written.
        text: String,
        /// Where the caret is, in UTF-16 code units; `None` where a part is selected.
        caret: Option<u64>,
    },
    /// Leave the record as it is.
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

/// What files are dragged over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropTarget {
    /// The page, which opens them.
    Page,
    /// The card of a missing file of the archive, which takes one.
    Card,
}

/// What a file is chosen for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FilePurpose {
    /// It is compared with the file that is shown; answered by [`CompareAction::With`].
    Version,
    /// It is added to the ZIP as the entry of this name; answered by [`FixAction::AddFile`].
    Entry(AttrValue),
}

impl FilePurpose {
    /// What is done with the file.
    pub(crate) fn with(&self, file: Dataset) -> Action {
        match self {
            Self::Version => CompareAction::With(file).into(),
            Self::Entry(entry) => FixAction::AddFile { entry: entry.clone(), file }.into(),
        }
    }
}

/// What the browser has to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// Terminate the worker, if there is one, and start a new one.
    StartWorker,
    /// Post a command to the worker, with the file that it is about.
    Post(Command, Option<FileKey>),
    /// Create a file of this content; answered by [`Action::OpenFiles`].
    CreateFile(Rc<NewFile>),
    /// Release the files that were opened before this one.
    ReleaseFilesBefore(FileKey),
    /// Release a file that nothing shows any more, which the browser may hold in memory.
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
    /// Post a command to the worker that is about two files.
    PostPair {
        /// The command.
        command: Command,
        /// The file that it is about; the newer one of two versions.
        key: FileKey,
        /// The older version, or the file that is added.
        other: FileKey,
    },
    /// Let the user choose a file.
    PickFile(FilePurpose),
    /// Download a file under this name; answered by [`Action::FileSaved`].
    SaveFile(FileKey, String),
    /// Write a file into the folder that another one was opened from; answered by [`BatchAction::Written`].
    WriteFile {
        /// A number for the answer.
        id: CheckId,
        /// The file as it was opened.
        original: FileKey,
        /// What is written.
        content: FileKey,
        /// The path of the file as it was opened.
        path: AttrValue,
    },
    /// Download reports as a JSON file.
    Download(Download),
    /// Only these keys do something.
    BindKeys(Vec<Key>),
    /// Move the keyboard's focus.
    MoveFocus(Place),
    /// Select the next or previous row of the list in front.
    MoveInList(Direction),
    /// Ask before the page is left, or no longer.
    GuardUnload(bool),
    /// Change the address of the page; `None` for one without a place in results.
    SetAddress(Option<Address>, Step),
    /// Share the width between lists and details, and remember it.
    ApplySplit(Split),
    /// Remember how texts of records are shown.
    StoreTextMode(TextMode),
    /// Set the title of the page; `None` for its own.
    SetTitle(Option<AttrValue>),
    /// Apply a theme and remember it.
    ApplyTheme(Theme),
    /// Load the newer version of the page.
    ApplyUpdate,
    /// Say on the page that it is ready, as soon as nothing of it is loading any more.
    SayReady,
    /// Apply the options of the host page; nothing is remembered.
    ApplyEmbedOptions {
        /// The theme.
        theme: Theme,
        /// Hide header and examples.
        compact: bool,
        /// The frame grows with the page.
        grow: bool,
    },
    /// Post a message to the host page.
    PostToHost(HostMessage),
}

/// What a download contains.
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
