//! Navigation in the results of a check, and the resulting requests to the worker.

use std::rc::Rc;

use evalcheck_wire::view::{ByteRange, Direction, EditedRecord, Record, TextToEdit};
use evalcheck_wire::worker::{CheckId, Command, RequestId};
use yew::AttrValue;

use crate::state::State;
use crate::state::action::{Effect, PreviewAction};
use crate::state::check::Check;
use crate::state::editing::Editing;
use crate::state::findings::Grouping;
use crate::state::markdown::Markdown;
use crate::state::preview::{
    AttachmentState, AttachmentView, ENGINE_RESTARTED, Focus, ListKind, RecordState, Selection, Tab,
};

impl State {
    /// Handles an action in the results of a check.
    pub(super) fn update_preview(&mut self, action: PreviewAction, effects: &mut Vec<Effect>) {
        // Lists draw the rows that scroll into view; nothing else changes until the worker answers.
        self.skip_render = matches!(
            action,
            PreviewAction::FindingsVisible(_)
                | PreviewAction::FilesVisible(_)
                | PreviewAction::HitsVisible(_)
                | PreviewAction::LinesVisible(_)
                | PreviewAction::RowsVisible(_)
        );
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let preview = &mut check.preview;
        match action {
            PreviewAction::ShowList(list) => preview.list = list,
            PreviewAction::Filter(text) => self.filter_by_text(text, effects),
            PreviewAction::FilterSeverity(severity) => self.filter_severity(severity, effects),
            PreviewAction::ReviewFixes => self.review_fixes(),
            PreviewAction::CountOverview => self.count_overview(effects),
            PreviewAction::StopCounting => self.stop_counting(effects),
            PreviewAction::FindRecords(query) => self.find_records(query, effects),
            PreviewAction::SelectChange { number, open } => self.select_change(number, open, effects),
            PreviewAction::ChangesVisible(places) => {
                Rc::make_mut(&mut preview.changes).cache.show_in_list(places);
            }
            PreviewAction::ShowMoreFixes => Rc::make_mut(&mut preview.review).show_more(),
            PreviewAction::ChooseFixes(kind) => Rc::make_mut(&mut preview.review).toggle(kind),
            PreviewAction::OpenGroup { code, path } => self.open_group(&code, path.as_deref(), effects),
            PreviewAction::ShowGroups => self.show_groups(effects),
            PreviewAction::ShowSingle => preview.grouping = Some(Grouping::Single),
            PreviewAction::SelectFirstError => self.select_first_error(effects),
            PreviewAction::SelectFinding { number, open } => {
                self.select_and_focus(Selection::Finding(number), open, effects);
            }
            PreviewAction::FindingsVisible(numbers) => {
                preview.finding_rows = Some(numbers.clone());
                if let Some(cache) = preview.findings.cache() {
                    cache.show_in_list(numbers);
                }
            }
            PreviewAction::SelectLine { line, open } => {
                self.select_and_focus(Selection::Line(line), open, effects);
            }
            PreviewAction::SelectInRecord(index) => {
                preview.in_record = Some(index);
                self.request_source(effects);
            }
            PreviewAction::OpenInRecord(index) => {
                preview.in_record = Some(index);
                preview.tab = Some(Tab::Source);
                self.request_source(effects);
            }
            PreviewAction::ShowTab(tab) => preview.tab = Some(tab),
            PreviewAction::BackToList => {
                preview.focus = Focus::List;
                effects.push(Effect::ShowPanes);
            }
            PreviewAction::ShowDetails => {
                preview.focus = Focus::Details;
                effects.push(Effect::ShowPanes);
            }
            PreviewAction::LinesVisible(lines) => Rc::make_mut(&mut preview.lines).show_in_list(lines),
            PreviewAction::SelectRecord { record, line, open } => {
                self.select_and_focus(Selection::Record { record, line }, open, effects);
            }
            PreviewAction::RowsVisible(rows) => Rc::make_mut(&mut preview.rows).show_in_list(rows),
            PreviewAction::GoToLine(line) => self.go_to_line(line, effects),
            PreviewAction::GoToRecord(record) => {
                preview.list = ListKind::Records;
                let record = record.min(preview.rows.total().saturating_sub(1));
                self.select(Some(Selection::Record { record, line: None }), effects);
            }
            PreviewAction::GoOn(direction) => self.go_on(direction, effects),
            PreviewAction::StopSearch => self.stop_search(effects),
            PreviewAction::SelectHit { number, open } => self.select_hit(number, open, effects),
            PreviewAction::HitsVisible(numbers) => {
                if let Some(search) = &mut preview.search {
                    Rc::make_mut(&mut Rc::make_mut(search).hits).show_in_list(numbers);
                }
            }
            PreviewAction::ListFiles(query) => self.list_files(query, effects),
            PreviewAction::FilesVisible(files) => {
                Rc::make_mut(&mut preview.files).cache.show_in_list(files);
            }
            PreviewAction::SelectFile { number, open } => self.select_file(number, open, effects),
            PreviewAction::LoadAttachment(entry) => self.request_attachment(entry, effects),
            PreviewAction::StartEditing => {
                self.start_editing(effects);
            }
            PreviewAction::EditText { text, caret } => self.edit_text(text, caret, effects),
            PreviewAction::StopEditing => preview.editing = None,
        }
    }

    /// Goes to the next or previous match or invalid item of the shown list.
    fn go_on(&mut self, direction: Direction, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let preview = &mut check.preview;
        match preview.list {
            ListKind::Findings => self.seek_error(direction),
            ListKind::Records if preview.search.is_some() => self.go_to_hit(direction, effects),
            ListKind::Fixes
            | ListKind::Overview
            | ListKind::Attachments
            | ListKind::Changes
            | ListKind::Compared => {}
            ListKind::Records | ListKind::Lines => {
                let from = preview.line().unwrap_or(0);
                let record = preview.record_number().filter(|_| preview.list == ListKind::Records);
                let request = self.ids.next();
                preview.seeking = Some(request);
                let (id, search) = (check.id, preview.search.as_ref().map(|search| search.id));
                let command = Command::InvalidLine { id, request, from, record, direction, search };
                effects.push(Effect::Post(command, None));
            }
        }
    }

    /// Lists the lines, and selects one of them.
    fn go_to_line(&mut self, line: u64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.list = ListKind::Lines;
        let line = line.clamp(1, check.preview.lines.total().max(1));
        self.select(Some(Selection::Line(line)), effects);
    }

    /// Selects the last requested invalid line or record; other answers are stale.
    pub(super) fn show_invalid_line(
        &mut self,
        id: CheckId,
        request: RequestId,
        line: Option<u64>,
        record: Option<u64>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.check_of(id) else { return };
        let requested = check.preview.seeking.take_if(|seeking| *seeking == request);
        if let (Some(_), Some(line)) = (requested, line) {
            let record = record.filter(|_| check.preview.list == ListKind::Records);
            let selection = match record {
                Some(record) => Selection::Record { record, line: Some(line) },
                None => Selection::Line(line),
            };
            self.select(Some(selection), effects);
        }
    }

    /// Requests the text of the shown record. Not during a fix, which would close the editor at its end.
    fn start_editing(&mut self, effects: &mut Vec<Effect>) {
        let request = self.ids.next();
        let is_idle = self.fixing.is_none();
        let Some(check) =
            self.check.as_mut().filter(|check| is_idle && check.is_editable()).map(Rc::make_mut)
        else {
            return;
        };
        let RecordState::Loaded(record) = &check.preview.record else { return };
        let line = record.line;
        let finding = check.shown_finding();
        let span = finding
            .and_then(|finding| Some(ByteRange { start: finding.byte_start?, end: finding.byte_end? }));
        effects.push(Effect::Post(Command::TextToEdit { id: check.id, request, line, span }, None));
        check.preview.tab = Some(Tab::Source);
        check.preview.wants_to_edit = Some((request, line));
    }

    /// Starts to edit the requested record; other answers are stale.
    pub(super) fn store_text_to_edit(&mut self, id: CheckId, request: RequestId, text: Option<TextToEdit>) {
        let Some(check) = self.check_of(id) else { return };
        let wanted = check.preview.wants_to_edit.take_if(|(wanted, _)| *wanted == request);
        if let (Some((_, line)), Some(text)) = (wanted, text) {
            check.preview.editing = Some(Rc::new(Editing::new(line, text)));
        }
    }

    /// Stores the result for the edited text.
    pub(super) fn store_rechecked(&mut self, id: CheckId, request: RequestId, edited: Option<EditedRecord>) {
        if let Some(editing) = self.check_of(id).and_then(|check| check.preview.editing.as_mut()) {
            Rc::make_mut(editing).store(request, edited);
        }
    }

    /// Requests the result for another text of the edited record.
    fn edit_text(&mut self, text: String, caret: Option<u64>, effects: &mut Vec<Effect>) {
        let request = self.ids.next();
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let Some(editing) = check.preview.editing.as_mut().map(Rc::make_mut) else { return };
        editing.request = Some(request);
        editing.text.clone_from(&text);
        let command = Command::Recheck { id: check.id, request, line: editing.line, text, caret };
        effects.push(Effect::Post(command, None));
    }

    pub(super) fn select_and_focus(&mut self, selection: Selection, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.focus = if open { Focus::Details } else { Focus::List };
        if open {
            effects.push(Effect::ShowPanes);
        }
        self.select(Some(selection), effects);
    }

    /// Changes the selection, and requests its details.
    pub(super) fn select(&mut self, selection: Option<Selection>, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let before = check.preview.line();
        // Several records may be on one line.
        let is_record = |selection| matches!(selection, Some(Selection::Record { .. }));
        let may_stay = !is_record(selection) && !is_record(check.preview.selection);
        check.preview.selection = selection;
        check.preview.reveals += 1;
        check.preview.in_record = None;
        check.preview.seeking = None;
        check.preview.wanted = None;
        if let (Some(Selection::Finding(number)), Some(cache)) = (selection, check.preview.findings.cache()) {
            cache.show_in_details(number + 1..=number + 1);
        }
        let same_line = may_stay && before.is_some() && check.preview.line() == before;
        if same_line && matches!(check.preview.record, RecordState::Loaded(_)) {
            self.request_source(effects);
        } else {
            self.request_record(effects);
        }
    }

    /// Requests the text of the record around the selected finding, if it is outside of the loaded part.
    fn request_source(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut).filter(|check| check.answering) else {
            return;
        };
        let missing = check.preview.missing_source(check.shown_finding());
        check.preview.moving = missing.zip(check.preview.line()).map(|(at, line)| {
            let request = self.ids.next();
            let command = Command::Record { id: check.id, request, line, at: Some(at) };
            effects.push(Effect::Post(command, None));
            request
        });
    }

    /// Requests the record of the selected line, and keeps the lines around it.
    pub(super) fn request_record(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if !check.preview.attachments.is_empty() {
            check.preview.attachments = Rc::default();
            effects.push(Effect::ReleaseAttachments);
        }
        check.preview.moving = None;
        check.preview.markdown = Rc::default();
        let line = check.preview.line();
        let is_record = matches!(check.preview.selection, Some(Selection::Record { .. }));
        check.preview.record = match line {
            None if !is_record => RecordState::None,
            _ if !check.answering => RecordState::Failed(ENGINE_RESTARTED),
            line => {
                let line = line.unwrap_or_default();
                let request = self.ids.next();
                let at = check.preview.listed_finding().and_then(|finding| finding.byte_start);
                let id = check.id;
                let command = match check.preview.selection {
                    Some(Selection::Record { record, .. }) => {
                        Command::RecordOfNumber { id, request, record, at }
                    }
                    _ => Command::Record { id, request, line, at },
                };
                effects.push(Effect::Post(command, None));
                RecordState::Requested(request)
            }
        };
        self.show_context();
    }

    /// Stores the last requested record; other answers are stale.
    pub(super) fn store_record(
        &mut self,
        id: CheckId,
        request: RequestId,
        record: Option<Box<Record>>,
        effects: &mut Vec<Effect>,
    ) {
        let requested = RecordState::Requested(request);
        let is_requested =
            |check: &&mut Check| check.preview.record == requested || check.preview.moving == Some(request);
        let Some(check) = self.check_of(id).filter(is_requested) else { return };
        check.preview.moving = None;
        if let (Some(Selection::Record { line, .. }), Some(record)) = (&mut check.preview.selection, &record)
        {
            *line = Some(record.line);
        }
        // Another part of the text of a record has the same conversation.
        let sample = record.as_ref().map(|record| &record.sample);
        if !matches!(&check.preview.record, RecordState::Loaded(shown) if Some(&shown.sample) == sample) {
            check.preview.markdown = Rc::new(record.as_deref().map(Markdown::of).unwrap_or_default());
        }
        check.preview.record = match record {
            Some(record) => RecordState::Loaded(Rc::from(record)),
            None => RecordState::Missing,
        };
        for entry in check.preview.auto_loaded_entries() {
            self.request_attachment(entry, effects);
        }
    }

    /// Keeps the lines around the selected line in the cache.
    pub(super) fn show_context(&mut self) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if let Some(line) = check.preview.line() {
            let context = check.preview.context(line);
            Rc::make_mut(&mut check.preview.lines).show_in_details(context);
        }
    }

    /// Requests an attachment, unless it was requested before.
    pub(super) fn request_attachment(&mut self, entry: AttrValue, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if check.preview.attachments.iter().any(|view| view.entry == entry) {
            return;
        }
        let state = if check.answering {
            let request = self.ids.next();
            let command = Command::Attachment { id: check.id, request, entry: entry.to_string() };
            effects.push(Effect::Post(command, None));
            AttachmentState::Requested(request)
        } else {
            AttachmentState::Failed(ENGINE_RESTARTED)
        };
        Rc::make_mut(&mut check.preview.attachments).push(AttachmentView { entry, state });
    }
}
