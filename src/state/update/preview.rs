//! Navigation in the results of a check: what is selected, what the details show of it, and the editor.

use std::rc::Rc;

use evalcheck_report::view::{Attachment, ByteRange, Direction};
use evalcheck_wire::question::{Answer, Question};
use evalcheck_wire::worker::RequestId;
use yew::AttrValue;

use crate::state::State;
use crate::state::action::PreviewAction;
use crate::state::answers::Answers;
use crate::state::check::Check;
use crate::state::details::{AttachmentBody, AttachmentState, Details, Edit, RecordState, Tab};
use crate::state::editing::Editing;
use crate::state::effect::Effect;
use crate::state::markdown::{MarkdownState, TextMode};
use crate::state::preview::{Focus, Seek, Selection, Visible};
use crate::state::view_id::ViewId;

impl State {
    /// Handles an action in the results of a check.
    pub(super) fn update_preview(&mut self, action: PreviewAction, effects: &mut Vec<Effect>) {
        // Lists draw the rows that scroll into view; nothing else changes until the worker answers.
        self.rendering.skip = matches!(action, PreviewAction::RowsVisible { .. });
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let front = self.views.front(check);
        let preview = &mut check.preview;
        match action {
            PreviewAction::Show(view) => preview.view = view,
            PreviewAction::RowsVisible { list, rows } => {
                preview.chosen.change(|visible| *visible = Visible { list, rows });
            }
            PreviewAction::SelectRow { row, open } => {
                if let Some(view) = front {
                    view.select(self, row, open, effects);
                }
            }
            PreviewAction::GoOn(direction) => {
                if let Some(view) = front {
                    view.go_on(self, direction, effects);
                }
            }
            PreviewAction::Select { selection, open } => self.select_and_focus(selection, open, effects),
            PreviewAction::Filter(text) => self.filter_by_text(text),
            PreviewAction::FilterSeverity(severity) => self.filter_severity(severity),
            PreviewAction::SelectInRecord(index) => preview.details.in_record = Some(index),
            PreviewAction::OpenInRecord(index) => {
                preview.details.in_record = Some(index);
                preview.details.tab = Some(Tab::Source);
            }
            PreviewAction::ShowTab(tab) => preview.details.tab = Some(tab),
            PreviewAction::BackToList => {
                preview.focus = Focus::List;
                effects.push(Effect::ShowPanes);
            }
            PreviewAction::ShowDetails => {
                preview.focus = Focus::Details;
                effects.push(Effect::ShowPanes);
            }
            PreviewAction::StopSearch => {
                if let Some(search) = preview.search_question() {
                    self.stop_question(&search, effects);
                }
            }
            PreviewAction::LoadAttachment(entry) => preview.details.show_attachment(entry),
            PreviewAction::StartEditing => self.start_editing(),
            PreviewAction::EditText { text, caret } => {
                if let Some(editing) = preview.details.editing_mut() {
                    editing.set_text(text, caret);
                }
            }
            PreviewAction::StopEditing => preview.details.edit = Edit::Closed,
        }
    }

    /// Changes the user's choices in a view of the check that is shown.
    pub(crate) fn choose<T: Clone + Default + 'static>(&mut self, change: impl FnOnce(&mut T)) {
        if let Some(check) = self.check.as_mut() {
            Rc::make_mut(check).preview.chosen.change(change);
        }
    }

    /// Looks for the next or previous line or record that is invalid or, where a search marks them, that it has found.
    pub(crate) fn seek_invalid(&mut self, direction: Direction, record: Option<u64>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let from = check.preview.line().unwrap_or(0);
        let search = check.preview.search().map(|search| search.request);
        let question = Question::InvalidLine { from, record, direction, search };
        check.preview.seek = Some(Seek::Line(Rc::new(question)));
    }

    /// Requests the text of the shown record. A running fix would close the editor when it is done.
    fn start_editing(&mut self) {
        let is_idle = self.fixing.is_none();
        let check = self.check.as_mut().filter(|check| is_idle && check.is_editable()).map(Rc::make_mut);
        let Some(check) = check else { return };
        let Some(line) = check.preview.details.record.loaded().map(|record| record.line) else { return };
        let span = check
            .preview
            .shown_finding()
            .and_then(|finding| Some(ByteRange { start: finding.byte_start?, end: finding.byte_end? }));
        let details = &mut check.preview.details;
        details.tab = Some(Tab::Source);
        details.edit = Edit::Requested(line, Rc::new(Question::TextToEdit { line, span }));
    }

    /// Selects something, and shows the details on a narrow screen if it is opened.
    pub(crate) fn select_and_focus(&mut self, selection: Selection, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if open {
            check.preview.focus = Focus::Details;
            effects.push(Effect::ShowPanes);
        }
        self.select(Some(selection), effects);
    }

    /// Selects something. The details stay as they are if it is on the same line.
    pub(crate) fn select(&mut self, selection: Option<Selection>, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let preview = &mut check.preview;
        let before = preview.line();
        if let Some(seek) = preview.seek_question() {
            Rc::make_mut(&mut preview.answers).forget(&seek);
        }
        // Several records may be on one line.
        let is_record = |selection| matches!(selection, Some(Selection::Record { .. }));
        let may_stay = !is_record(selection) && !is_record(preview.selection);
        preview.selection = selection;
        preview.seek = None;
        preview.reveals += 1;
        preview.details.in_record = None;
        let stays = may_stay && before.is_some() && preview.line() == before;
        if !stays || matches!(preview.details.record, RecordState::Failed(_)) {
            self.clear_details(effects);
        }
    }

    /// The details are about something else. Whatever is typed into the editor stays.
    pub(super) fn clear_details(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let details = &mut check.preview.details;
        if !details.attachments.is_empty() {
            effects.push(Effect::ReleaseAttachments);
        }
        let edit = match std::mem::take(&mut details.edit) {
            Edit::Open(editing) => Edit::Open(editing),
            Edit::Closed | Edit::Requested(..) | Edit::Failed(_) => Edit::Closed,
        };
        *details = Details { tab: details.tab, edit, ..Details::default() };
    }

    /// Does what follows from answers about the selection.
    pub(super) fn settle_preview(&mut self, effects: &mut Vec<Effect>) {
        self.settle_seek(effects);
        self.settle_record();
        self.settle_fix();
        self.settle_markdown();
        self.settle_attachments();
        self.settle_edit();
    }

    /// Takes the answer to a question about the check that is shown, when it is there, with its details.
    fn settled(
        &mut self,
        question: impl FnOnce(&Check) -> Option<Rc<Question>>,
    ) -> Option<(Result<Answer, AttrValue>, &mut Details)> {
        let question = question(self.check.as_ref()?)?;
        if !self.check.as_ref()?.preview.answers.is_settled(&question) {
            return None;
        }
        let preview = &mut Rc::make_mut(self.check.as_mut()?).preview;
        let answer = Answers::take(Rc::make_mut(&mut preview.answers), &question)?;
        Some((answer, &mut preview.details))
    }

    /// Selects what was looked for.
    fn settle_seek(&mut self, effects: &mut Vec<Effect>) {
        let Some((found, _)) = self.settled(|check| check.preview.seek_question()) else { return };
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.seek = None;
        let selection = match found {
            Ok(Answer::NearestFinding(Some(number))) => Selection::Finding(number),
            Ok(Answer::InvalidLine(Some(line), record)) => {
                match record.filter(|_| check.preview.view == ViewId::RECORDS) {
                    Some(record) => Selection::Record { record, line: Some(line) },
                    None => Selection::Line(line),
                }
            }
            _ => return,
        };
        self.select(Some(selection), effects);
    }

    /// Shows the record that was requested.
    fn settle_record(&mut self) {
        let question = self.check.as_ref().and_then(|check| check.preview.record_question());
        let Some(Question::Record { at, search, .. }) = question else { return };
        let Some((answer, details)) = self.settled(|_| question.map(Rc::new)) else { return };
        (details.shown_byte, details.marked) = (at, search);
        match answer {
            Ok(Answer::Record(record)) => details.set_record(record.map(|record| *record)),
            Err(why) if details.record == RecordState::None => details.record = RecordState::Failed(why),
            // The part of its text that is shown stays.
            _ => {}
        }
    }

    /// Requests the changes of the fix of the shown finding.
    fn settle_fix(&mut self) {
        let Some(check) = self.check.as_ref().filter(|check| check.report().is_some()) else { return };
        let fix = check.preview.shown_finding().and_then(|finding| finding.fix.as_deref());
        let asked = match check.preview.details.fix.as_deref() {
            Some(Question::FixDiff(asked)) => Some(&**asked),
            _ => None,
        };
        if fix != asked {
            let question = fix.map(|fix| Rc::new(Question::FixDiff(Box::new(fix.clone()))));
            if let Some(check) = self.check.as_mut() {
                Rc::make_mut(check).preview.details.fix = question;
            }
        }
    }

    /// Requests the shown texts if they are to be rendered, and stores them.
    fn settle_markdown(&mut self) {
        let answer = self.settled(|check| check.preview.details.markdown.question().map(Rc::clone));
        if let Some((answer, details)) = answer {
            let markdown = Rc::make_mut(&mut details.markdown);
            match answer {
                Ok(Answer::Markdown(rendered)) => markdown.store(rendered.read()),
                Ok(_) => markdown.store(None),
                Err(why) => markdown.state = MarkdownState::Failed(why),
            }
        }
        let is_rendered = self.look.text_mode == TextMode::Rendered;
        let Some(check) = self.check.as_mut().filter(|check| {
            let preview = &check.preview;
            is_rendered && preview.has_rendered_switch() && preview.details.markdown.is_needed()
        }) else {
            return;
        };
        let details = &mut Rc::make_mut(check).preview.details;
        if let Some(record) = details.record.loaded().map(Rc::clone) {
            Rc::make_mut(&mut details.markdown).request(&record);
        }
    }

    /// Stores an attachment that was requested.
    pub(super) fn store_attachment(
        &mut self,
        request: RequestId,
        attachment: Attachment,
        body: AttachmentBody,
    ) {
        let Some(answers) = self.answers() else { return };
        let Some(question) = answers.answer(request, Ok(Answer::Attachment(attachment.clone()))) else {
            return;
        };
        answers.forget(&question);
        if let (Question::Attachment(entry), Some(check)) = (&*question, &mut self.check) {
            let state = AttachmentState::Loaded(Rc::new(attachment), body);
            Rc::make_mut(check).preview.details.set_attachment(entry, state);
        }
    }

    /// Notes which attachments cannot be loaded. The platform brings those that can be, with their bytes.
    fn settle_attachments(&mut self) {
        let Some(check) = &self.check else { return };
        let open = check.preview.details.attachments.iter();
        let open = open.filter(|view| view.state == AttachmentState::Requested);
        let entries: Vec<String> = open.map(|view| view.entry.to_string()).collect();
        for entry in entries {
            let question = Rc::new(Question::Attachment(entry.clone()));
            if let Some((Err(why), details)) = self.settled(|_| Some(question)) {
                details.set_attachment(&entry, AttachmentState::Failed(why));
            }
        }
    }

    /// Opens the editor, and stores the worker's results for its text.
    fn settle_edit(&mut self) {
        let requested = |check: &Check| match &check.preview.details.edit {
            Edit::Requested(_, question) => Some(Rc::clone(question)),
            _ => None,
        };
        if let Some((answer, details)) = self.settled(requested)
            && let Edit::Requested(line, _) = details.edit
        {
            details.edit = match answer {
                Ok(Answer::TextToEdit(Some(text))) => Edit::Open(Rc::new(Editing::new(line, text))),
                Err(why) => Edit::Failed(why),
                Ok(_) => Edit::Failed("This record cannot be edited.".into()),
            };
        }
        let typed = |check: &Check| check.preview.details.editing()?.question.clone();
        if let Some((answer, details)) = self.settled(typed)
            && let Some(editing) = details.editing_mut()
        {
            editing.question = None;
            editing.edited = answer.ok().and_then(|answer| answer.try_as_edited_record().flatten());
        }
    }
}
