//! The state of the page. It changes only here.
//!
//! [`State::update`] takes an [`Action`] and returns the [`Effect`]s for the browser to run. Nothing here depends on the browser: time is a
//! number, files are identified by a key, and the worker by the messages of `evalcheck-wire`.

mod action;
mod address;
mod again;
mod answers;
mod batch;
mod batch_file;
mod batch_run;
mod batch_task;
mod check;
mod comparing;
mod dataset;
mod details;
mod dropped_items;
mod editing;
mod effect;
mod embed;
mod file_order;
mod filter;
mod finding_list;
mod findings;
mod fixes;
mod fixing;
mod format_choice;
mod heartbeat;
mod id_counter;
mod items;
mod keys;
mod markdown;
mod mistakes;
mod on_disk;
mod page;
mod preview;
mod remote;
mod screen;
mod search;
mod since;
mod split;
mod theme;
mod title;
mod unsaved;
mod update;
mod user_schema;
mod verdict;
mod view;
mod view_id;
mod view_states;

#[cfg(test)]
pub(crate) mod tests;

use std::rc::Rc;

use evalcheck_wire::catalogue::{Catalogue, RuleInfo};
use evalcheck_wire::embed::Options;
use yew::AttrValue;
use yew::html::ImplicitClone;

pub(crate) use self::action::{
    Action, BatchAction, CompareAction, DiskAction, DropTarget, FixAction, NotWritten, PreviewAction,
    SchemaAction,
};
pub(crate) use self::address::{Address, Step};
pub(crate) use self::answers::Wanted;
pub(crate) use self::batch::{Batch, FolderAccess, Totals};
pub(crate) use self::batch_file::{BatchFile, FileStatus};
pub(crate) use self::batch_task::FixedFiles;
pub(crate) use self::check::{Check, Ending, Loss, Phase};
pub(crate) use self::dataset::{Dataset, FileKey};
pub(crate) use self::details::{
    AUTO_LOADED_BYTES, AttachmentBody, AttachmentState, AttachmentView, Edit, RecordState, Tab,
};
pub(crate) use self::dropped_items::{DroppedItems, Skipped, system_file};
pub(crate) use self::editing::Editing;
pub(crate) use self::effect::{Download, Effect, FilePurpose, NewFile};
pub(crate) use self::embed::{Embed, HostMessage};
pub(crate) use self::file_order::Column;
pub(crate) use self::filter::{Completing, Filter};
pub(crate) use self::findings::Grouping;
pub(crate) use self::fixes::{FixedFile, Fixes};
pub(crate) use self::fixing::Fixing;
pub(crate) use self::format_choice::FormatChoice;
pub(crate) use self::items::{Items, Lookup};
pub(crate) use self::keys::{Key, KeyList, Place, Shortcut};
pub(crate) use self::markdown::{Markdown, MarkdownState, ShownText, TextMode};
pub(crate) use self::mistakes::{FindingCount, Mistake};
pub(crate) use self::on_disk::{OnDisk, Watch};
pub(crate) use self::page::{BarDetails, Copied, Export, Exporting, Loaded, Notice, UpdateOffer};
pub(crate) use self::preview::{Focus, Preview, Seek, Selection};
pub(crate) use self::remote::{Remote, percent_of};
pub(crate) use self::screen::Screen;
pub(crate) use self::search::Search;
pub(crate) use self::split::Split;
pub(crate) use self::theme::Theme;
pub(crate) use self::unsaved::{LossQuestion, Unsaved};
pub(crate) use self::verdict::{Headline, as_loaded, headline, is_schema_refused, is_unknown};
pub(crate) use self::view::{About, Count, Shown, View, Views};
pub(crate) use self::view_id::ViewId;
pub(crate) use evalcheck_report::view::Direction;

use self::comparing::Previous;
use self::heartbeat::Heartbeat;
use self::id_counter::IdCounter;
use self::page::{Exports, Look, Notices, Opening, Rendering, Told};
use self::screen::Aside;
use self::user_schema::UserSchema;
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

/// The state of the page.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The views.
    pub(crate) views: Views,
    /// Formats and rules; empty until the worker is ready.
    pub(crate) catalogue: Rc<Catalogue>,
    /// All rules with their pages; empty until they are loaded, which is after the rests of the modules.
    pub(crate) rules: Rc<[RuleInfo]>,
    /// Whether the worker accepts commands.
    pub(crate) engine: EngineState,
    /// The loaded parts of it.
    pub(crate) loaded: Loaded,
    /// The format to check against; `None` detects the format by content.
    pub(crate) format: Option<FormatChoice>,
    /// The schema of the user's own to check against.
    pub(crate) schema: UserSchema,
    /// The user's choices that stay from file to file.
    pub(crate) look: Look,
    /// The files that are being opened, and those that were opened last.
    pub(crate) opening: Opening,
    /// Set while the start screen is shown in front of what is open.
    pub(crate) aside: Option<Aside>,
    /// The shown check.
    pub(crate) check: Option<Rc<Check>>,
    /// The change in progress for the shown file.
    pub(crate) fixing: Option<Fixing>,
    /// The question before work is lost.
    pub(crate) question: Option<LossQuestion>,
    /// The files that were opened together, if there are several; the shown check may belong to one of them.
    pub(crate) batch: Option<Rc<Batch>>,
    /// The file that was shown before.
    previous: Option<Previous>,
    /// Whether a file that changed on disk is checked automatically.
    pub(crate) watch: Watch,
    /// The files that are made of the shown ones.
    pub(crate) exports: Exports,
    /// The notices.
    pub(crate) notices: Notices,
    /// The code of the rule whose page is on the start screen.
    pub(crate) rule: Option<AttrValue>,
    /// The state of the embedding, if there is a host page.
    pub(crate) embed: Option<Embed>,
    /// The values that the browser got last: only changes are sent.
    told: Told,
    /// Whether and when the page was rendered.
    pub(crate) rendering: Rendering,
    heartbeat: Heartbeat,
    ids: IdCounter,
}

impl State {
    /// The state of a newly opened page, and the first effects. `embed` holds the options in the page's address if a host page embeds it,
    /// `address` a place in the results.
    pub(crate) fn new(
        views: Views,
        theme: Theme,
        embed: Option<Options>,
        address: Option<Address>,
    ) -> (Self, Vec<Effect>) {
        let mut effects = vec![Effect::StartWorker];
        let mut state = Self {
            views,
            look: Look { theme, ..Look::default() },
            embed: embed.as_ref().map(|_| Embed::default()),
            opening: Opening {
                address: address.filter(|address| embed.is_none() || address.example.is_none()),
                ..Opening::default()
            },
            ..Self::default()
        };
        if let Some(options) = embed {
            state.configure(options, 0.0, &mut effects);
        }
        (state, effects)
    }

    /// The status that screen readers announce when it changes.
    pub(crate) fn status(&self) -> AttrValue {
        if self.aside.is_some() && self.notices.shown.is_none() {
            return AttrValue::default();
        }
        if let (None, Some(fixing)) = (self.notices.shown, &self.fixing) {
            return format!("{} {}.", fixing.task.verb(), fixing.check.dataset.name).into();
        }
        match (self.notices.shown, &self.check) {
            (Some(Notice::Copied(what)), _) => format!("The {} was copied.", what.name()).into(),
            (Some(Notice::NotCopied(what)), _) => {
                format!("The browser did not allow copying the {}.", what.name()).into()
            }
            (Some(Notice::Saved), _) => format!("Saved as {}.", self.notices.saved).into(),
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
    let for_no_system = match totals.readable {
        0 => String::new(),
        files => format!(", {} for no system", grouped(files)),
    };
    format!(
        "{} of {files} valid, {} not valid, {} not checked{for_no_system}.",
        grouped(totals.valid),
        grouped(totals.invalid),
        grouped(totals.not_checked)
    )
    .into()
}
