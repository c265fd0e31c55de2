//! What the user looks at in the results of a check.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::attachments::AttachmentRow;
use evalcheck_wire::report::Finding;
use evalcheck_wire::view::{Attachment, AttachmentInfo, Column, Direction, Part, Record};
use evalcheck_wire::worker::RequestId;
use yew::AttrValue;
use yew::html::ImplicitClone;

use super::archive_files::ArchiveFiles;
use super::changes::ChangedPlaces;
use super::compared::Comparison;
use super::editing::Editing;
use super::filter::Filter;
use super::findings::{Findings, Grouping, Summary};
use super::markdown::{Markdown, MarkdownState};
use super::overview::OverviewState;
use super::page_cache::{LineCache, Lookup, RowCache};
use super::review::{DiffState, Review, ShownFix};
use super::search::Search;

/// Lines shown before and after the selected line.
const CONTEXT_LINES: u64 = 2;

/// The number of attachments of a sample that are loaded with it, and the size limit for each in bytes.
const AUTO_LOADED: usize = 6;
pub(crate) const AUTO_LOADED_BYTES: u64 = 8 << 20;

/// More findings than this are listed by groups.
const GROUPED: u64 = 100;

/// Why nothing more is shown of a check whose worker is gone.
pub(crate) const ENGINE_RESTARTED: AttrValue =
    AttrValue::Static("The checking engine was restarted. Check the file again to see more.");

/// One of the lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// The findings.
    #[default]
    Findings,
    /// The records of the file, or those that the filter keeps.
    Records,
    /// The lines of the file.
    Lines,
    /// The fixes of the file, by kinds.
    Fixes,
    /// The statistics of the file.
    Overview,
    /// The files of the archive.
    Attachments,
    /// What was changed in the file.
    Changes,
    /// What differs from another version of the file.
    Compared,
}

/// One of the tabs of the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The finding, the source and the rule.
    Source,
    /// The record as a conversation.
    Sample,
    /// The record as the system holds it.
    Loaded,
}

/// The pane in front on a narrow screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The list.
    #[default]
    List,
    /// The details.
    Details,
}

/// What is selected in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A finding, by its number among those that are listed, from 0.
    Finding(u64),
    /// A line, from 1.
    Line(u64),
    /// A record of the list of records.
    Record {
        /// Its number, from 0.
        record: u64,
        /// The line on which it begins, once that is known.
        line: Option<u64>,
    },
    /// A file of the archive, by its number among those that are listed, from 0.
    File(u64),
}

/// The record of the selected line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum RecordState {
    /// The selection is not in a line.
    #[default]
    None,
    /// It was requested.
    Requested(RequestId),
    /// It is loaded.
    Loaded(Rc<Record>),
    /// The line holds no record.
    Missing,
    /// It cannot be loaded; the reason.
    Failed(AttrValue),
}

impl ImplicitClone for RecordState {}

/// How the bytes of an attachment are shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AttachmentBody {
    /// As text.
    Text(AttrValue),
    /// As an image, by its object URL.
    Image(AttrValue),
    /// As a PDF, by its object URL.
    Pdf(AttrValue),
    /// As audio, by its object URL.
    Audio(AttrValue),
    /// As a video, by its object URL.
    Video(AttrValue),
    /// Not at all.
    None,
}

/// An attachment that was requested.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttachmentView {
    /// Its entry in the archive.
    pub(crate) entry: AttrValue,
    /// The state of the request.
    pub(crate) state: AttachmentState,
}

/// The state of a request for an attachment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AttachmentState {
    /// It was requested.
    Requested(RequestId),
    /// It is loaded.
    Loaded(Rc<Attachment>, AttachmentBody),
    /// It cannot be loaded; the reason.
    Failed(AttrValue),
}

/// What the user looks at in the results of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Preview {
    /// The list in front.
    pub(crate) list: ListKind,
    /// What the lists are filtered by.
    pub(crate) filter: Filter,
    /// A filter that keeps no finding is dropped: those that it was for may be fixed now.
    pub(crate) may_reset_filter: bool,
    /// The findings that are listed.
    pub(crate) findings: Findings,
    /// The findings that the list shows, from 1, as it said last. It says so again only when they are others.
    pub(crate) finding_rows: Option<RangeInclusive<u64>>,
    /// How many findings there are, listed or not; `None` while the worker has not said how many the filter keeps.
    pub(crate) kept_findings: Option<u64>,
    /// Findings that are counted and cannot be listed.
    pub(crate) unlisted: u64,
    /// What the findings come to.
    pub(crate) summary: Summary,
    /// Whether findings are listed by groups, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// The line whose nearest finding is selected next, and where it is looked for.
    pub(crate) wanted: Option<(u64, Option<Direction>)>,
    /// The selected finding or line.
    pub(crate) selection: Option<Selection>,
    /// Changes with each selection: it is scrolled into view then, and not later, when it becomes known which line or record it is about.
    pub(crate) reveals: u32,
    /// The selected finding of the record, if the user selected another one than that of the list.
    pub(crate) in_record: Option<usize>,
    /// The pane in front on a narrow screen.
    pub(crate) focus: Focus,
    /// The tab that the user selected.
    pub(crate) tab: Option<Tab>,
    /// The cached lines.
    pub(crate) lines: Rc<LineCache>,
    /// The cached rows of records.
    pub(crate) rows: Rc<RowCache>,
    /// The files of the archive.
    pub(crate) files: Rc<ArchiveFiles>,
    /// The columns of the rows.
    pub(crate) columns: Rc<Vec<Column>>,
    /// The record of the selected line.
    pub(crate) record: RecordState,
    /// Its texts as Markdown.
    pub(crate) markdown: Rc<Markdown>,
    /// The request for another part of the text of the record that is loaded, while it has no answer.
    pub(crate) moving: Option<RequestId>,
    /// Its attachments.
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
    /// The record that the user edits.
    pub(crate) editing: Option<Rc<Editing>>,
    /// The question for the text of a record that is to be edited, and its line.
    pub(crate) wants_to_edit: Option<(RequestId, u64)>,
    /// The statistics of the file.
    pub(crate) overview: OverviewState,
    /// The fixes by kinds, and which of them the user wants.
    pub(crate) review: Rc<Review>,
    /// What was changed in the file.
    pub(crate) changes: Rc<ChangedPlaces>,
    /// The comparison with another version of the file.
    pub(crate) compared: Option<Rc<Comparison>>,
    /// What the fix of the finding that is shown changes.
    pub(crate) fix_diff: Option<Rc<ShownFix>>,
    /// The request for the next or previous invalid line.
    pub(crate) seeking: Option<RequestId>,
    /// The search for the records that the filter keeps.
    pub(crate) search: Option<Rc<Search>>,
}

impl Preview {
    /// The selected line.
    pub(crate) fn line(&self) -> Option<u64> {
        match self.selection? {
            Selection::Finding(_) => self.listed_finding()?.line,
            Selection::Line(line) => Some(line),
            Selection::Record { line, .. } => line,
            Selection::File(_) => None,
        }
    }

    /// The number of the record that is shown, from 0, where it is known.
    pub(crate) fn record_number(&self) -> Option<u64> {
        match self.selection? {
            Selection::Record { record, .. } => Some(record),
            Selection::Finding(_) => self.listed_finding()?.record,
            Selection::Line(_) | Selection::File(_) => None,
        }
    }

    /// The number of the selected file of the archive.
    pub(crate) fn file_number(&self) -> Option<u64> {
        match self.selection? {
            Selection::File(number) => Some(number),
            _ => None,
        }
    }

    /// The selected file of the archive, when it is loaded.
    pub(crate) fn selected_file(&self) -> Option<&AttachmentRow> {
        self.files.cache.get(self.file_number()? + 1).loaded()
    }

    /// The selected finding of the list, when it is loaded.
    pub(crate) fn listed_finding(&self) -> Option<&Finding> {
        match self.selection? {
            Selection::Finding(number) => self.findings.get(number).loaded(),
            Selection::Line(_) | Selection::Record { .. } | Selection::File(_) => None,
        }
    }

    /// True while the selected finding is not loaded, or where it cannot be.
    pub(crate) fn is_finding_missing(&self) -> bool {
        matches!(self.selection, Some(Selection::Finding(_))) && self.listed_finding().is_none()
    }

    /// True when findings are listed by groups: where there are many of few kinds, if the user has not chosen.
    pub(crate) fn is_grouped(&self) -> bool {
        let Some(summary) = self.summary.loaded() else { return false };
        let is_better =
            self.findings.len() > GROUPED && (summary.groups.len() as u64) < self.findings.len() / 2;
        self.grouping.map_or(is_better, |grouping| grouping == Grouping::Groups)
    }

    /// The tab that the user chose, if any.
    pub(in crate::state) const fn chosen_tab(&self) -> Option<Tab> {
        self.tab
    }

    /// Shows this tab.
    pub(in crate::state) const fn choose_tab(&mut self, tab: Option<Tab>) {
        self.tab = tab;
    }

    /// The tab to show: the user's choice, else the source of a line with findings and the sample of one without.
    pub(crate) fn tab(&self) -> Tab {
        self.tab.unwrap_or(match self.selection {
            Some(Selection::Line(line) | Selection::Record { line: Some(line), .. })
                if !self.has_findings(line) && !self.has_no_sample() =>
            {
                Tab::Sample
            }
            _ => Tab::Source,
        })
    }

    /// True for a header and any other line that is not a conversation.
    fn has_no_sample(&self) -> bool {
        matches!(&self.record, RecordState::Loaded(record) if record.sample.is_none())
    }

    fn has_findings(&self, line: u64) -> bool {
        let in_list = matches!(self.lines.get(line), Lookup::Loaded(line) if line.severity.is_some());
        in_list || matches!(&self.record, RecordState::Loaded(record) if !record.findings.is_empty())
    }

    /// The index of the selected finding among the findings of the record.
    pub(crate) fn selected_in_record(&self) -> Option<usize> {
        let RecordState::Loaded(record) = &self.record else { return None };
        if let Some(index) = self.in_record.filter(|index| *index < record.findings.len()) {
            return Some(index);
        }
        match self.selection? {
            Selection::File(_) => None,
            Selection::Line(_) | Selection::Record { .. } => (!record.findings.is_empty()).then_some(0),
            Selection::Finding(_) => {
                let selected = self.listed_finding()?;
                let same = |finding: &Finding| {
                    finding.code == selected.code
                        && finding.path == selected.path
                        && finding.byte_start == selected.byte_start
                };
                record.findings.iter().position(same)
            }
        }
    }

    /// A byte at which the text of the loaded record has to be, because the selected finding is outside of what is loaded of it.
    pub(crate) fn missing_source(&self, finding: Option<&Finding>) -> Option<u64> {
        let RecordState::Loaded(record) = &self.record else { return None };
        let source = &record.source;
        let mark = self.selected_in_record().and_then(|index| *source.marks.get(index)?);
        let is_shown = mark.is_some() || (source.before == 0 && source.after == 0);
        finding?.byte_start.filter(|_| !is_shown)
    }

    /// A line and the lines around it.
    pub(crate) fn context(&self, line: u64) -> RangeInclusive<u64> {
        line.saturating_sub(CONTEXT_LINES).max(1)..=(line + CONTEXT_LINES).min(self.lines.total().max(line))
    }

    /// The entries of the attachments that are loaded with the sample.
    pub(crate) fn auto_loaded_entries(&self) -> Vec<AttrValue> {
        let RecordState::Loaded(record) = &self.record else { return Vec::new() };
        let turns = record.sample.iter().flat_map(|sample| &sample.turns);
        let mut entries: Vec<AttrValue> = Vec::new();
        for info in turns.flat_map(|turn| attachments(&turn.parts)) {
            if info.size <= AUTO_LOADED_BYTES && !entries.iter().any(|entry| entry.as_str() == info.entry) {
                entries.push(AttrValue::from(info.entry.clone()));
            }
        }
        entries.truncate(AUTO_LOADED);
        entries
    }

    /// True where the user can choose whether the texts that are shown are rendered.
    pub(crate) fn has_rendered_switch(&self) -> bool {
        self.line().is_some() && self.tab() == Tab::Sample && !self.markdown.is_empty()
    }

    /// True while a request has no answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.lines.open_requests() > 0
            || self.rows.open_requests() > 0
            || self.files.cache.open_requests() > 0
            || matches!(&self.findings, Findings::Listed(cache) if cache.open_requests() > 0)
            || matches!(self.summary, Summary::Requested(_))
            || self.seeking.is_some()
            || self.review.is_waiting()
            || self.changes.cache.open_requests() > 0
            || self.overview.counting().is_some()
            || self.compared.as_ref().is_some_and(|compared| compared.is_waiting())
            || self.fix_diff.as_ref().is_some_and(|shown| matches!(shown.diff, DiffState::Requested(_)))
            || self.editing.as_ref().is_some_and(|editing| editing.request.is_some())
            || matches!(self.record, RecordState::Requested(_))
            || self.moving.is_some()
            || matches!(self.markdown.state, MarkdownState::Requested(_))
            || self.search.as_ref().is_some_and(|search| search.is_waiting())
            || self.attachments.iter().any(|view| matches!(view.state, AttachmentState::Requested(_)))
    }

    /// Fails all open requests.
    pub(crate) fn fail_all(&mut self, why: &AttrValue) {
        Rc::make_mut(&mut self.lines).fail_all();
        Rc::make_mut(&mut self.rows).fail_all();
        Rc::make_mut(&mut self.files).cache.fail_all();
        if let Some(cache) = self.findings.cache() {
            cache.fail_all();
        }
        if matches!(self.summary, Summary::Requested(_)) {
            self.summary = Summary::Failed;
        }
        self.review = Rc::default();
        if self.overview.counting().is_some() {
            self.overview = OverviewState::Failed(why.clone());
        }
        if let Some(compared) = &mut self.compared {
            Rc::make_mut(compared).fail(why);
        }
        self.fix_diff = None;
        self.wanted = None;
        self.editing = None;
        self.seeking = None;
        self.moving = None;
        if matches!(self.markdown.state, MarkdownState::Requested(_)) {
            Rc::make_mut(&mut self.markdown).state = MarkdownState::Failed(why.clone());
        }
        if let Some(search) = &mut self.search {
            Rc::make_mut(search).fail_all(why);
        }
        if matches!(self.record, RecordState::Requested(_)) {
            self.record = RecordState::Failed(why.clone());
        }
        for view in Rc::make_mut(&mut self.attachments) {
            if matches!(view.state, AttachmentState::Requested(_)) {
                view.state = AttachmentState::Failed(why.clone());
            }
        }
    }

    /// Fails one request.
    pub(crate) fn fail(&mut self, request: RequestId, why: &AttrValue) {
        if let Some(editing) = &mut self.editing
            && editing.request == Some(request)
        {
            Rc::make_mut(editing).store(request, None);
        } else if self.seeking.take_if(|seeking| *seeking == request).is_some() {
            // The list stays where it is.
        } else if let Some(shown) =
            self.fix_diff.as_mut().filter(|shown| shown.diff == DiffState::Requested(request))
        {
            Rc::make_mut(shown).diff = DiffState::Failed;
        } else if Rc::make_mut(&mut self.review).fail(request) {
            // The list says so.
        } else if self.record == RecordState::Requested(request) {
            self.record = RecordState::Failed(why.clone());
        } else if self.moving == Some(request) {
            self.moving = None;
        } else if self.markdown.state == MarkdownState::Requested(request) {
            Rc::make_mut(&mut self.markdown).state = MarkdownState::Failed(why.clone());
        } else if self.summary == Summary::Requested(request) {
            self.summary = Summary::Failed;
        } else if !Rc::make_mut(&mut self.lines).fail(request)
            && !Rc::make_mut(&mut self.rows).fail(request)
            && !Rc::make_mut(&mut self.files).cache.fail(request)
            && !Rc::make_mut(&mut self.changes).fail(request)
            && !self.compared.as_mut().is_some_and(|shown| Rc::make_mut(shown).cache.fail(request))
            && !self.findings.cache().is_some_and(|cache| cache.fail(request))
            && !self.search.as_mut().is_some_and(|search| Rc::make_mut(search).fail(request))
        {
            self.set_attachment(request, AttachmentState::Failed(why.clone()));
        }
    }

    /// Stores the answer to a request for an attachment.
    pub(crate) fn set_attachment(&mut self, request: RequestId, state: AttachmentState) {
        let requested = |view: &&mut AttachmentView| view.state == AttachmentState::Requested(request);
        if let Some(view) = Rc::make_mut(&mut self.attachments).iter_mut().find(requested) {
            view.state = state;
        }
    }
}

/// The attachments that parts of a turn refer to and that are in the archive.
fn attachments(parts: &[Part]) -> impl Iterator<Item = &AttachmentInfo> {
    parts.iter().filter_map(|part| match part {
        Part::File { attachment, .. } => attachment.as_ref(),
        _ => None,
    })
}
