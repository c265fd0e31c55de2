//! The state of the page. It changes only here.
//!
//! [`State::update`] takes an [`Action`] and returns the [`Effect`]s for the browser to run. Nothing here depends on the browser: time is a
//! number, files are identified by a key, and the worker by the messages of `evalcheck-wire`.

mod action;
mod address;
mod again;
mod archive_files;
mod batch;
mod batch_file;
mod batch_run;
mod changes;
mod check;
mod compared;
mod dataset;
mod dropped_items;
mod editing;
mod embed;
mod file_order;
mod filter;
mod findings;
mod fixing;
mod format_choice;
mod heartbeat;
mod id_counter;
mod keys;
mod markdown;
mod mistakes;
mod overview;
mod page_cache;
mod preview;
mod review;
mod search;
mod split;
mod theme;
mod title;
mod unsaved;
mod update;
mod verdict;

#[cfg(test)]
pub(crate) mod tests;

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::embed::Options;
use evalcheck_wire::worker::CheckId;
use yew::AttrValue;
use yew::html::ImplicitClone;

pub(crate) use self::action::{
    Action, BatchAction, CompareAction, DiskAction, Download, DropTarget, Effect, FilePurpose, FixAction,
    NewFile, NotWritten, PreviewAction,
};
pub(crate) use self::address::{Address, Step};
pub(crate) use self::again::{OnDisk, Watch, since};
pub(crate) use self::batch::{Batch, FolderAccess, Totals};
pub(crate) use self::batch_file::{BatchFile, FileStatus, FixedFile};
pub(crate) use self::batch_run::FixedFiles;
pub(crate) use self::changes::ChangedPlaces;
pub(crate) use self::check::{Check, Ending, Loss, Phase};
pub(crate) use self::compared::{Comparison, ComparisonPhase};
pub(crate) use self::dataset::{Dataset, FileKey};
pub(crate) use self::dropped_items::{DroppedItems, Skipped, system_file};
pub(crate) use self::editing::Editing;
pub(crate) use self::embed::{Embed, HostMessage};
pub(crate) use self::file_order::Column;
pub(crate) use self::filter::Filter;
pub(crate) use self::findings::{Findings, Grouping};
pub(crate) use self::fixing::{Fixes, Fixing};
pub(crate) use self::format_choice::FormatChoice;
pub(crate) use self::keys::{Key, KeyList, Place, SHORTCUTS};
pub(crate) use self::markdown::{Markdown, MarkdownState, ShownText, TextMode};
pub(crate) use self::mistakes::{FindingCount, Mistake};
pub(crate) use self::overview::OverviewState;
pub(crate) use self::page_cache::{LineCache, Lookup, RowCache};
pub(crate) use self::preview::{
    AttachmentBody, AttachmentState, AttachmentView, Focus, ListKind, Preview, RecordState, Selection, Tab,
};
pub(crate) use self::review::{DiffState, Review};
pub(crate) use self::search::{Search, SearchPhase};
pub(crate) use self::split::Split;
pub(crate) use self::theme::Theme;
pub(crate) use self::unsaved::{Question, Unsaved};
pub(crate) use self::verdict::{Headline, as_loaded, headline, is_unknown};
pub(crate) use evalcheck_wire::view::Direction;

use self::heartbeat::Heartbeat;
use self::id_counter::IdCounter;
use crate::display::format_number::{counted, grouped};

/// Whether the worker accepts commands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum EngineState {
    /// It is loading.
    #[default]
    Loading,
    /// It is ready.
    Ready,
    /// It could not be loaded; the reason.
    Failed(AttrValue),
}

impl ImplicitClone for EngineState {}

/// A short notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// This was copied.
    Copied(Copied),
    /// The browser refused to copy it.
    NotCopied(Copied),
}

/// The kinds of texts that are copied to the clipboard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Copied {
    /// The report.
    #[default]
    Report,
    /// The verdict and the groups of findings.
    Summary,
    /// The line of a finding with its fix.
    FixedLine,
    /// The value of a finding, as JSON.
    Value,
    /// The text of the record.
    Record,
    /// The path of a finding.
    Path,
    /// The path of a finding as a `jq` filter.
    JqPath,
    /// A finding as text.
    FindingText,
    /// A finding for an issue.
    FindingMarkdown,
}

impl Copied {
    /// Its name, for the user.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Summary => "summary",
            Self::FixedLine => "fixed line",
            Self::Value => "value",
            Self::Record => "record",
            Self::Path => "path",
            Self::JqPath => "path for jq",
            Self::FindingText => "finding as text",
            Self::FindingMarkdown => "finding as Markdown",
        }
    }
}

/// Whether the details below the bar are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum BarDetails {
    /// Only the bar is shown.
    #[default]
    Hidden,
    /// They are shown.
    Shown,
}

impl BarDetails {
    /// The opposite.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Hidden => Self::Shown,
            Self::Shown => Self::Hidden,
        }
    }
}

/// Whether a newer version of the page is offered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum UpdateOffer {
    /// No newer version is known, or the user dismissed the offer.
    #[default]
    None,
    /// A newer version is available.
    Available,
}

/// A file that can be exported from a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Export {
    /// The records with errors, each with its findings.
    InvalidRecords,
    /// The diff of the fixes.
    Diff,
    /// The files with fixes, as a ZIP.
    FixedFiles,
    /// The report as an HTML page.
    Report {
        /// Whether it contains parts of the dataset.
        quotes_data: bool,
    },
}

/// A file that the worker is exporting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exporting {
    /// The id of the request.
    pub(crate) id: CheckId,
    /// The kind of the file.
    pub(crate) what: Export,
    /// The name under which it is saved.
    pub(crate) name: String,
    /// The files that it contains.
    pub(crate) files: Vec<FileKey>,
}

/// The state of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Formats and rules; empty until the worker is ready.
    pub(crate) catalogue: Rc<Catalogue>,
    /// Whether the worker accepts commands.
    pub(crate) engine: EngineState,
    /// The format to check against; `None` detects the format by content.
    pub(crate) format: Option<FormatChoice>,
    /// The theme.
    pub(crate) theme: Theme,
    /// The target below dragged files, while files are dragged.
    pub(crate) dragging: Option<DropTarget>,
    /// Whether the panel for pasted text is open.
    pub(crate) pasting: bool,
    /// The reason why the last files could not be opened.
    pub(crate) open_error: Option<AttrValue>,
    /// The file that the worker is exporting.
    pub(crate) exporting: Option<Exporting>,
    /// A ZIP that is being saved, and the files that it contains.
    packed: Option<(FileKey, Vec<FileKey>)>,
    /// A short notice.
    pub(crate) notice: Option<Notice>,
    /// The shown check.
    pub(crate) check: Option<Rc<Check>>,
    /// The change in progress for the shown file.
    pub(crate) fixing: Option<Fixing>,
    /// The question before work is lost.
    pub(crate) question: Option<Question>,
    /// The files that were opened together, if there are several; the shown check may belong to one of them.
    pub(crate) batch: Option<Rc<Batch>>,
    /// The file of the same name that was shown before.
    pub(crate) previous: Option<Rc<Dataset>>,
    /// The opened files that are not checked.
    pub(crate) skipped: Rc<Skipped>,
    /// The number of files found so far in a folder that is being read.
    pub(crate) files_found: Option<u32>,
    /// Whether a newer version of the page is offered.
    pub(crate) update_offer: UpdateOffer,
    /// The division of the width between lists and details.
    pub(crate) split: Split,
    /// The display mode of the texts of records.
    pub(crate) text_mode: TextMode,
    /// Whether the keyboard shortcuts are listed.
    pub(crate) keys: KeyList,
    /// The state of the embedding, if there is a host page.
    pub(crate) embed: Option<Embed>,
    /// Whether the details below the bar are shown.
    pub(crate) bar_details: BarDetails,
    /// Whether the last action needs no rendering.
    pub(crate) skip_render: bool,
    /// The time when the running batch was last rendered.
    batch_rendered_ms: f64,
    /// The last bound keys.
    bound_keys: Vec<Key>,
    /// The kind of the last copied text.
    copied: Copied,
    /// The code of the rule whose page is on the start screen.
    pub(crate) rule: Option<AttrValue>,
    /// The place in the results that the page's address names.
    address: Option<Address>,
    /// The place to show once there are results.
    wanted_address: Option<Address>,
    /// Whether a file that changed on disk is checked automatically.
    pub(crate) watch: Watch,
    /// The name of the shown built-in example, such as `juryarena/broken`.
    example: Option<AttrValue>,
    /// The example that is being opened.
    opening_example: Option<AttrValue>,
    /// The last title that was set; `None` for the page's own.
    shown_title: Option<AttrValue>,
    /// The id of the last notice.
    notice_id: u32,
    heartbeat: Heartbeat,
    ids: IdCounter,
}

impl State {
    /// The state of a newly opened page, and the first effects. `embed` holds the options in the page's address if a host page embeds it,
    /// `address` a place in the results.
    pub(crate) fn new(theme: Theme, embed: Option<Options>, address: Option<Address>) -> (Self, Vec<Effect>) {
        let mut effects = vec![Effect::StartWorker];
        let mut state = Self {
            theme,
            embed: embed.as_ref().map(|_| Embed::default()),
            wanted_address: address.filter(|address| embed.is_none() || address.example.is_none()),
            ..Self::default()
        };
        if let Some(options) = embed {
            state.configure(options, 0.0, &mut effects);
        }
        (state, effects)
    }

    /// The status that screen readers announce when it changes.
    pub(crate) fn status(&self) -> AttrValue {
        if let (None, Some(fixing)) = (self.notice, &self.fixing) {
            return format!("{} {}.", fixing.task.verb(), fixing.check.dataset.name).into();
        }
        match (self.notice, &self.check) {
            (Some(Notice::Copied(what)), _) => format!("The {} was copied.", what.name()).into(),
            (Some(Notice::NotCopied(what)), _) => {
                format!("The browser did not allow copying the {}.", what.name()).into()
            }
            (None, None) => self.batch.as_deref().map_or_else(|| "".into(), batch_status),
            (None, Some(check)) => match &check.phase {
                Phase::Stopping => "Cancelling.".into(),
                Phase::Done(_) => headline(check, &self.catalogue)
                    .map_or_else(|| "".into(), |headline| headline.title.into()),
                Phase::Waiting | Phase::Running => format!("Checking {}.", check.dataset.name).into(),
            },
        }
    }
}

fn batch_status(batch: &Batch) -> AttrValue {
    let totals = batch.totals();
    let files = counted(batch.files.len() as u64, "file");
    if let Some(run) = &batch.run {
        return format!("{} {}.", run.task.verb(), counted(run.all as u64, "file")).into();
    }
    if batch.is_running() {
        return format!("Checking {files}.").into();
    }
    format!(
        "{} of {files} valid, {} not valid, {} not checked.",
        grouped(totals.valid),
        grouped(totals.invalid),
        grouped(totals.not_checked)
    )
    .into()
}
