//! Parts of the state of the page.

use std::rc::Rc;

use evalcheck_wire::worker::CheckId;
use yew::AttrValue;

use super::action::DropTarget;
use super::address::Address;
use super::dataset::FileKey;
use super::dropped_items::Skipped;
use super::keys::{KeyList, Shortcut};
use super::markdown::TextMode;
use super::screen::Screen;
use super::split::Split;
use super::theme::Theme;

/// The user's choices that stay from file to file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Look {
    /// The theme.
    pub(crate) theme: Theme,
    /// The division of the width between lists and details.
    pub(crate) split: Split,
    /// The display mode of the texts of records.
    pub(crate) text_mode: TextMode,
    /// Whether the details below the bar are shown.
    pub(crate) bar_details: BarDetails,
    /// Whether the keyboard shortcuts are listed.
    pub(crate) keys: KeyList,
    /// Whether a newer version of the page is offered.
    pub(crate) update_offer: UpdateOffer,
}

/// The loaded parts of the page and of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loaded {
    /// The part that a check needs, in percent.
    pub(crate) checker: u8,
    /// Whether the page has the rest of its module, which details need.
    pub(crate) page: bool,
    /// The rests of the page and of the engine, which lists and details need, in percent. 100 unless it takes long.
    pub(crate) rest: u8,
}

impl Default for Loaded {
    fn default() -> Self {
        Self { checker: 0, page: false, rest: 100 }
    }
}

/// The files that are being opened, and those that were opened last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Opening {
    /// The target below dragged files, while files are dragged.
    pub(crate) dragging: Option<DropTarget>,
    /// Whether the panel for pasted text is open.
    pub(crate) pasting: bool,
    /// The number of files found so far in a folder that is being read.
    pub(crate) files_found: Option<u32>,
    /// The reason why the last files could not be opened, or something else was not done.
    pub(crate) error: Option<AttrValue>,
    /// The opened files that are not checked.
    pub(crate) skipped: Rc<Skipped>,
    /// The name of the shown built-in example, such as `juryarena/broken`.
    pub(super) example: Option<AttrValue>,
    /// The example that is being opened.
    pub(super) next_example: Option<AttrValue>,
    /// The place to show once there are results.
    pub(super) address: Option<Address>,
}

/// The files that are made of the shown ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exports {
    /// The file that the worker is exporting.
    pub(crate) exporting: Option<Exporting>,
    /// A ZIP that is being saved, and the files that it contains.
    pub(super) packed: Option<(FileKey, Vec<FileKey>)>,
}

/// The notices.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notices {
    /// A short notice.
    pub(crate) shown: Option<Notice>,
    /// The id of the last notice.
    pub(super) id: u32,
    /// The name of the last saved file.
    pub(crate) saved: AttrValue,
    /// The kind of the last copied text.
    pub(super) copied: Copied,
}

/// The values that the browser got last: only changes are sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    /// The keys that do something.
    pub(super) keys: Vec<Shortcut>,
    /// The place in the results that the page's address names.
    pub(super) address: Option<Address>,
    /// The screen that the entry of the history names.
    pub(super) screen: Screen,
    /// The title; `None` for the page's own.
    pub(super) title: Option<AttrValue>,
}

/// Whether and when the page was rendered.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rendering {
    /// Whether the last action needs no rendering.
    pub(crate) skip: bool,
    /// The time when the running batch was last rendered.
    pub(super) batch_ms: f64,
}

/// A short notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// This was copied.
    Copied(Copied),
    /// The browser refused to copy it.
    NotCopied(Copied),
    /// A file was saved.
    Saved,
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
