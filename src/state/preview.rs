//! The state of the view of the results of a check.

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

/// The maximum number of attachments that are loaded with a sample, and the maximum size of each in bytes.
const AUTO_LOADED: usize = 6;
pub(crate) const AUTO_LOADED_BYTES: u64 = 8 << 20;

/// The number of findings above which they are listed by group.
const GROUPED: u64 = 100;

/// The message for a check whose worker is gone.
pub(crate) const ENGINE_RESTARTED: AttrValue =
    AttrValue::Static("The checking engine was restarted. Check the file again to see more.");

/// One of the lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// The findings.
    #[default]
    Findings,
    /// The records of the file, or those that match the filter.
    Records,
    /// The lines of the file.
    Lines,
    /// The fixes of the file, by kind.
    Fixes,
    /// The statistics of the file.
    Overview,
    /// The files of the archive.
    Attachments,
    /// The changes of the file.
    Changes,
    /// The differences from another version of the file.
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

/// The pane that is shown on a narrow screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The list.
    #[default]
    List,
    /// The details.
    Details,
}

/// The selected item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A finding, by its number in the list, from 0.
    Finding(u64),
    /// A line, from 1.
    Line(u64),
    /// A record of the list of records.
    Record {
        /// Its number, from 0.
        record: u64,
        /// The line at which it begins, once known.
        line: Option<u64>,
    },
    /// A file of the archive, by its number in the list, from 0.
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

/// The preview of an attachment.
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
    /// No preview.
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

/// The state of the view of the results of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Preview {
    /// The shown list.
    pub(crate) list: ListKind,
    /// The filter of the lists.
    pub(crate) filter: Filter,
    /// Whether a filter without matching findings is dropped: the findings for which it was set may be fixed now.
    pub(crate) may_reset_filter: bool,
    /// The listed findings.
    pub(crate) findings: Findings,
    /// The last reported visible findings of the list, from 1. The list reports them again only when they change.
    pub(crate) finding_rows: Option<RangeInclusive<u64>>,
    /// The number of findings that match the filter, listed or not; `None` while it is unknown.
    pub(crate) kept_findings: Option<u64>,
    /// The number of findings that are counted but cannot be listed.
    pub(crate) unlisted: u64,
    /// The groups and the map of the findings.
    pub(crate) summary: Summary,
    /// Whether findings are listed by group, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// The line whose nearest finding is selected next, and the direction of the search.
    pub(crate) wanted: Option<(u64, Option<Direction>)>,
    /// The selected finding or line.
    pub(crate) selection: Option<Selection>,
    /// Changes with each selection, which is then scrolled into view, but not later when its line or record becomes known.
    pub(crate) reveals: u32,
    /// The selected finding of the record, if it is not the one selected in the list.
    pub(crate) in_record: Option<usize>,
    /// The pane that is shown on a narrow screen.
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
    /// The request for another part of the text of the loaded record, while it has no answer.
    pub(crate) moving: Option<RequestId>,
    /// Its attachments.
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
    /// The record that the user edits.
    pub(crate) editing: Option<Rc<Editing>>,
    /// The request for the text of a record to edit, and its line.
    pub(crate) wants_to_edit: Option<(RequestId, u64)>,
    /// The statistics of the file.
    pub(crate) overview: OverviewState,
    /// The kinds of fixes, and the ones that the user has selected.
    pub(crate) review: Rc<Review>,
    /// The changes of the file.
    pub(crate) changes: Rc<ChangedPlaces>,
    /// The comparison with another version of the file.
    pub(crate) compared: Option<Rc<Comparison>>,
    /// The diff of the fix of the shown finding.
    pub(crate) fix_diff: Option<Rc<ShownFix>>,
    /// The request for the next or previous invalid line.
    pub(crate) seeking: Option<RequestId>,
    /// The search for the records that match the filter.
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

    /// The number of the shown record, from 0, if known.
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

    /// The selected file of the archive, if it is loaded.
    pub(crate) fn selected_file(&self) -> Option<&AttachmentRow> {
        self.files.cache.get(self.file_number()? + 1).loaded()
    }

    /// The selected finding of the list, if it is loaded.
    pub(crate) fn listed_finding(&self) -> Option<&Finding> {
        match self.selection? {
            Selection::Finding(number) => self.findings.get(number).loaded(),
            Selection::Line(_) | Selection::Record { .. } | Selection::File(_) => None,
        }
    }

    /// Returns true while the selected finding is not loaded, or if it cannot be loaded.
    pub(crate) fn is_finding_missing(&self) -> bool {
        matches!(self.selection, Some(Selection::Finding(_))) && self.listed_finding().is_none()
    }

    /// Whether findings are listed by group: by default, if there are many of few kinds.
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

    /// The tab to show: the user's choice, else the source for a line with findings and the sample for one without.
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

    /// Returns true for lines that are not a conversation, such as a header.
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

    /// The byte offset of the selected finding, if it is outside of the loaded part of the record's text.
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

    /// Whether the user can choose whether the shown texts are rendered.
    pub(crate) fn has_rendered_switch(&self) -> bool {
        self.line().is_some() && self.tab() == Tab::Sample && !self.markdown.is_empty()
    }

    /// Returns true while a request has no answer.
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
            // The selection does not change.
        } else if let Some(shown) =
            self.fix_diff.as_mut().filter(|shown| shown.diff == DiffState::Requested(request))
        {
            Rc::make_mut(shown).diff = DiffState::Failed;
        } else if Rc::make_mut(&mut self.review).fail(request) {
            // The list reports the failure.
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

/// The attachments to which parts of a turn refer, and which are in the archive.
fn attachments(parts: &[Part]) -> impl Iterator<Item = &AttachmentInfo> {
    parts.iter().filter_map(|part| match part {
        Part::File { attachment, .. } => attachment.as_ref(),
        _ => None,
    })
}
