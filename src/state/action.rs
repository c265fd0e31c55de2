//! Everything that can happen to the page ([`Action`]).

use std::fmt;
use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_report::view::{Attachment, Direction};
use evalcheck_report::{Fix, Severity};
use evalcheck_wire::catalogue::RuleInfo;
use evalcheck_wire::embed::Options;
use evalcheck_wire::fix::Selection;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::{CheckId, Event, RequestId};
use yew::AttrValue;

use super::address::Address;
use super::batch_file::FileStatus;
use super::dataset::{Dataset, FileKey};
use super::details::{AttachmentBody, Tab};
use super::dropped_items::DroppedItems;
use super::effect::{Effect, FilePurpose, Timer};
use super::file_order::Column;
use super::format_choice::FormatChoice;
use super::keys::{Key, KeyList};
use super::markdown::TextMode;
use super::mistakes::MistakeKey;
use super::on_disk::Watch;
use super::preview::{Focus, Selection as Selected};
use super::screen::Screen;
use super::split::Split;
use super::view_id::ViewId;
use super::{Copied, Export, Loaded, State};

/// An event, or a command of the user.
#[derive(Debug)]
pub(crate) enum Action {
    /// The worker sent an event. Attachments arrive as [`Action::AttachmentLoaded`], with their bytes.
    Worker(Box<Event>),
    /// The worker answered a request for an attachment.
    AttachmentLoaded {
        /// The request.
        request: RequestId,
        /// The facts about the attachment.
        attachment: Attachment,
        /// The preview.
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
    /// Give, change or remove the schema of the user's own.
    Schema(SchemaAction),
    /// Check this file of the shown ZIP.
    ChooseEntry(AttrValue),
    /// Check the same file or files again.
    CheckAgain,
    /// Cancel the running check.
    Cancel,
    /// Show the start screen. What is open stays open, except in a frame.
    StartOver,
    /// Return from the start screen to what is open.
    Return,
    /// Answer the question before work is lost: true to lose it.
    Answer(bool),
    /// Download the fixes, and then apply the action that would lose them.
    SaveFirst,
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
    /// Answers [`Effect::SaveFile`], with the name under which the file is saved, unless the user has closed the browser's dialog.
    FileSaved(FileKey, AttrValue),
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
    /// An action in one of the views.
    InView(ViewAction),
    /// Compare the shown file with another version.
    Compare(CompareAction),

    /// Show the page of the rule with this code, which the address names.
    ShowRule(Option<AttrValue>),
    /// Go to another place in the results, which the address names.
    GoToAddress(Address),
    /// Go to a screen and a place in it, because the user went back or forward.
    GoToScreen(Screen, Option<Address>),
    /// An action for a file on disk with a handle.
    Disk(DiskAction),

    /// More of the engine has been loaded.
    Loaded(Loaded),
    /// The rules with their pages have been loaded.
    RulesLoaded(Rc<[RuleInfo]>),
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
    /// Move the keyboard's focus to the pane in front, because a key has opened a row of a list.
    FocusFront,
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
    /// Apply one fix.
    ApplyOne(Box<Fix>),
    /// Apply the edit of the record.
    ApplyEdit,
    /// Convert the file from the encoding of this name to UTF-8.
    Decode(String),
    /// Remove the records with errors.
    DropInvalid,
    /// Take back the changes at a place of the list of changes, from 0.
    TakeBack(u64),
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
    /// Apply the safe fixes of one rule and path in every file.
    FixMistake(MistakeKey),
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

/// An action for the schema of the user's own.
#[derive(Debug, Clone)]
pub(crate) enum SchemaAction {
    /// Choose its files.
    Pick,
    /// Make the JSON Schema that fits the shown file.
    Make,
    /// Hold records against the schema that was made.
    UseMade,
    /// Download the schema that was made.
    DownloadMade,
    /// Hold records against a schema of these files, of which the first is the schema.
    Use(Vec<SchemaFile>),
    /// Hold records against no schema.
    Remove,
    /// Set whether strings are held against the formats that the schema names.
    CheckFormats(bool),
}

impl From<SchemaAction> for Action {
    fn from(action: SchemaAction) -> Self {
        Self::Schema(action)
    }
}

/// A comparison of the shown file with another version of it.
#[derive(Debug, Clone)]
pub(crate) enum CompareAction {
    /// Choose the other version.
    Pick,
    /// Compare with this version.
    With(Dataset),
    /// Compare with the previously shown file.
    WithPrevious,
    /// Compare with the dropped file instead of opening it.
    WithDropped,
    /// Swap the older and the newer version.
    Swap,
    /// Close the comparison.
    End,
}

impl From<CompareAction> for Action {
    fn from(action: CompareAction) -> Self {
        Self::Compare(action)
    }
}

/// An action of the user in the results of a check.
#[derive(Debug, Clone)]
pub(crate) enum PreviewAction {
    /// Show a view.
    Show(ViewId),
    /// These rows of a list are visible.
    RowsVisible {
        /// The id of the list.
        list: &'static str,
        /// The rows, from 0.
        rows: RangeInclusive<u64>,
    },
    /// Select a row of the list in front.
    SelectRow {
        /// Its number, from 0.
        row: u64,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// Select a finding, a line, a record or a file.
    Select {
        /// The item.
        selection: Selected,
        /// True to show the details on a narrow screen.
        open: bool,
    },
    /// Select the next or previous match of the search if the list in front has its matches, else the next or previous line, record or
    /// finding with an error.
    GoOn(Direction),
    /// Filter the lists by this text, see [`evalcheck_wire::query`].
    Filter(AttrValue),
    /// List only findings of this severity; `None` removes the filter.
    FilterSeverity(Option<Severity>),
    /// Stop the search.
    StopSearch,
    /// Select another finding of the shown record, by its index among the record's findings.
    SelectInRecord(usize),
    /// Select a finding of the shown record, and show it.
    OpenInRecord(usize),
    /// Show a tab of the details.
    ShowTab(Tab),
    /// Return from the details to the list on a narrow screen.
    BackToList,
    /// Show the details on a narrow screen.
    ShowDetails,
    /// Load an attachment.
    LoadAttachment(AttrValue),
    /// Edit the shown record as text.
    StartEditing,
    /// The user changed the text of the edited record.
    EditText {
        /// The text.
        text: String,
        /// The caret, in UTF-16 code units; `None` if a part is selected.
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

/// An action of the user in one view, which alone knows it.
pub(crate) struct ViewAction(Box<Change>);

/// Changes the state.
type Change = dyn FnOnce(&mut State, &mut Vec<Effect>);

impl ViewAction {
    /// Does it.
    pub(super) fn run(self, state: &mut State, effects: &mut Vec<Effect>) {
        (self.0)(state, effects);
    }
}

impl fmt::Debug for ViewAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ViewAction")
    }
}

impl Action {
    /// An action of a view.
    pub(crate) fn of_view(run: impl FnOnce(&mut State, &mut Vec<Effect>) + 'static) -> Self {
        Self::InView(ViewAction(Box::new(run)))
    }

    /// An action of a view that only changes the user's choices in it.
    pub(crate) fn choose<T: Clone + Default + 'static>(change: impl FnOnce(&mut T) + 'static) -> Self {
        Self::of_view(move |state, _| state.choose(change))
    }
}

/// The target of dragged files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropTarget {
    /// The page, which opens the files.
    Page,
    /// The card of a missing file of the archive, which takes one file.
    Card,
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
