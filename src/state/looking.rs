//! What the person looks at, and what is asked of the worker for it.

use std::rc::Rc;

use evalcheck_wire::view::Record;
use evalcheck_wire::worker::{Command, JobId, RequestId};
use yew::AttrValue;

use super::State;
use super::action::{Action, Effect};
use super::look::{AttachmentState, AttachmentView, Filter, Focus, ListKind, RecordState, Selection};

/// Why nothing more can be shown of a check whose worker is gone.
pub(super) const NOT_ANSWERING: AttrValue = AttrValue::Static(
    "The checking engine was started anew and does not know this file. Check it again to look further.",
);

impl State {
    /// Takes the record that was asked for last; any other is stale.
    pub(super) fn take_record(
        &mut self,
        job: JobId,
        request: RequestId,
        record: Option<Box<Record>>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.check_of(job).filter(|check| check.look.record == RecordState::Asked(request))
        else {
            return;
        };
        check.look.record = match record {
            Some(record) => RecordState::Here(Rc::from(record)),
            None => RecordState::Missing,
        };
        for entry in check.look.entries_to_show() {
            self.ask_for_attachment(entry, effects);
        }
    }

    /// What the person looks at.
    pub(super) fn look(&mut self, action: Action, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let look = &mut check.look;
        let focus = |open: bool| if open { Focus::Detail } else { Focus::List };
        match action {
            Action::ShowList(list) => look.list = list,
            Action::FilterSeverity(severity) => look.filter = Filter { severity, code: None },
            Action::FilterCode(code) => look.filter.code = code,
            Action::SelectFinding { at, open } => {
                look.focus = focus(open);
                effects.extend(open.then_some(Effect::ShowPanes));
                self.select(Selection::Finding(at), effects);
            }
            Action::SelectLine { line, open } => {
                look.focus = focus(open);
                effects.extend(open.then_some(Effect::ShowPanes));
                self.select(Selection::Line(line), effects);
            }
            Action::SelectInRecord(at) => look.in_record = Some(at),
            Action::ShowTab(tab) => look.tab = Some(tab),
            Action::Back => {
                look.focus = Focus::List;
                effects.push(Effect::ShowPanes);
            }
            Action::LinesSeen(lines) => Rc::make_mut(&mut look.lines).show_in_list(lines),
            Action::GoToLine(line) => {
                look.list = ListKind::Lines;
                look.reveals += 1;
                let line = line.clamp(1, look.lines.total().max(1));
                self.select(Selection::Line(line), effects);
            }
            Action::GoToFailing(direction) => {
                if let Some(line) = check.failing_line(direction) {
                    check.look.reveals += 1;
                    self.select(Selection::Line(line), effects);
                }
            }
            Action::ReadAttachment(entry) => self.ask_for_attachment(entry, effects),
            _ => {}
        }
    }

    fn select(&mut self, selection: Selection, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let before = check.look.line(&check.findings);
        check.look.selection = Some(selection);
        check.look.in_record = None;
        let same_line = before.is_some() && check.look.line(&check.findings) == before;
        if !same_line || !matches!(check.look.record, RecordState::Here(_) | RecordState::Asked(_)) {
            self.ask_for_record(effects);
        }
    }

    /// Asks for the record of the line that is looked at, and for the lines round it.
    pub(super) fn ask_for_record(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if !check.look.attachments.is_empty() {
            check.look.attachments = Rc::default();
            effects.push(Effect::ReleaseAttachments);
        }
        check.look.record = match check.look.line(&check.findings) {
            None => RecordState::Nothing,
            Some(_) if !check.answering => RecordState::Failed(NOT_ANSWERING),
            Some(line) => {
                let request = self.numbers.next();
                effects.push(Effect::Post(Command::Record { job: check.job, request, line }, None));
                RecordState::Asked(request)
            }
        };
        self.show_neighbours();
    }

    /// Keeps the lines round the one that is looked at.
    pub(super) fn show_neighbours(&mut self) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if let Some(line) = check.look.line(&check.findings) {
            let neighbours = check.look.neighbours(line);
            Rc::make_mut(&mut check.look.lines).show_as_neighbours(neighbours);
        }
    }

    /// Asks for lines that are in sight and not here, a few questions at a time.
    pub(super) fn ask_for_lines(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().filter(|check| check.answering && !check.is_running()) else {
            return;
        };
        loop {
            let request = self.numbers.peek();
            // A look first: `make_mut` would make every child render again.
            let mut lines = Rc::clone(&check.look.lines);
            let Some(wanted) = Rc::make_mut(&mut lines).ask(request) else { return };
            let check = Rc::make_mut(check);
            check.look.lines = lines;
            let request = self.numbers.next();
            let command = Command::Lines { job: check.job, request, from: wanted.from, count: wanted.count };
            effects.push(Effect::Post(command, None));
        }
    }

    fn ask_for_attachment(&mut self, entry: AttrValue, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if check.look.attachments.iter().any(|view| view.entry == entry) {
            return;
        }
        let state = if check.answering {
            let request = self.numbers.next();
            let command = Command::Attachment { job: check.job, request, entry: entry.to_string() };
            effects.push(Effect::Post(command, None));
            AttachmentState::Asked(request)
        } else {
            AttachmentState::Failed(NOT_ANSWERING)
        };
        Rc::make_mut(&mut check.look.attachments).push(AttachmentView { entry, state });
    }
}
