//! The content of the details of the selected finding, line or record.

use std::rc::Rc;

use evalcheck_report::view::{Attachment, AttachmentInfo, Part, Record};
use evalcheck_wire::question::Question;
use evalcheck_wire::worker::RequestId;
use yew::AttrValue;
use yew::html::ImplicitClone;

use super::editing::Editing;
use super::markdown::Markdown;

/// The maximum number of attachments that are loaded with a sample, and the maximum size of each in bytes.
const AUTO_LOADED: usize = 6;
pub(crate) const AUTO_LOADED_BYTES: u64 = 8 << 20;

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

/// The record of the selected line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum RecordState {
    /// It is not loaded yet, or the selection is not in a line.
    #[default]
    None,
    /// It is loaded.
    Loaded(Rc<Record>),
    /// The line holds no record.
    Missing,
    /// It cannot be loaded; the reason.
    Failed(AttrValue),
}

impl ImplicitClone for RecordState {}

impl RecordState {
    /// The record, if it is loaded.
    pub(crate) fn loaded(&self) -> Option<&Rc<Record>> {
        match self {
            Self::Loaded(record) => Some(record),
            Self::None | Self::Missing | Self::Failed(_) => None,
        }
    }
}

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

/// An attachment that is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttachmentView {
    /// Its entry in the archive.
    pub(crate) entry: AttrValue,
    /// Its state.
    pub(crate) state: AttachmentState,
}

/// The state of an attachment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AttachmentState {
    /// It is not loaded yet.
    Requested,
    /// It is loaded.
    Loaded(Rc<Attachment>, AttachmentBody),
    /// It cannot be loaded; the reason.
    Failed(AttrValue),
}

/// The editor of a record.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Edit {
    /// It is closed.
    #[default]
    Closed,
    /// The text of the record on this line was requested.
    Requested(u64, Rc<Question>),
    /// The record cannot be edited; the reason.
    Failed(AttrValue),
    /// The user edits.
    Open(Rc<Editing>),
}

/// The content of the details.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Details {
    /// The tab that the user selected.
    pub(crate) tab: Option<Tab>,
    /// The selected finding of the record, if it is not the one selected in the list.
    pub(crate) in_record: Option<usize>,
    /// The record of the selected line.
    pub(crate) record: RecordState,
    /// The byte that the text of the record was requested to show.
    pub(super) shown_byte: Option<u64>,
    /// The search whose matches were requested to be marked.
    pub(super) marked: Option<RequestId>,
    /// Its texts as Markdown.
    pub(crate) markdown: Rc<Markdown>,
    /// The attachments that are shown.
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
    /// The question for the changes of the fix of the shown finding.
    pub(crate) fix: Option<Rc<Question>>,
    /// The editor.
    pub(crate) edit: Edit,
}

impl Details {
    /// The record that the user edits.
    pub(crate) fn editing(&self) -> Option<&Rc<Editing>> {
        match &self.edit {
            Edit::Open(editing) => Some(editing),
            Edit::Closed | Edit::Requested(..) | Edit::Failed(_) => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn editing_mut(&mut self) -> Option<&mut Editing> {
        match &mut self.edit {
            Edit::Open(editing) => Some(Rc::make_mut(editing)),
            Edit::Closed | Edit::Requested(..) | Edit::Failed(_) => None,
        }
    }

    /// The questions that are open.
    pub(super) fn questions(&self) -> impl Iterator<Item = Rc<Question>> {
        let edit = match &self.edit {
            Edit::Requested(_, question) => Some(question),
            Edit::Open(editing) => editing.question.as_ref(),
            Edit::Closed | Edit::Failed(_) => None,
        };
        let attachments = self.attachments.iter().filter(|view| view.state == AttachmentState::Requested);
        let attachments = attachments.map(|view| Rc::new(Question::Attachment(view.entry.to_string())));
        [edit, self.fix.as_ref(), self.markdown.question()].into_iter().flatten().cloned().chain(attachments)
    }

    /// Shows an attachment, if it is not shown yet.
    pub(crate) fn show_attachment(&mut self, entry: AttrValue) {
        if !self.attachments.iter().any(|view| view.entry == entry) {
            let view = AttachmentView { entry, state: AttachmentState::Requested };
            Rc::make_mut(&mut self.attachments).push(view);
        }
    }

    /// Stores an attachment that was requested, or why it cannot be loaded.
    pub(super) fn set_attachment(&mut self, entry: &str, state: AttachmentState) {
        let is_requested = |view: &&mut AttachmentView| {
            view.entry.as_str() == entry && view.state == AttachmentState::Requested
        };
        if let Some(view) = Rc::make_mut(&mut self.attachments).iter_mut().find(is_requested) {
            view.state = state;
        }
    }

    /// Stores a record that was requested.
    pub(super) fn set_record(&mut self, record: Option<Record>) {
        // Another part of the text of a record comes with the same conversation.
        let sample = record.as_ref().map(|record| &record.sample);
        if self.record.loaded().map(|shown| &shown.sample) != sample {
            self.markdown = Rc::new(record.as_ref().map(Markdown::of).unwrap_or_default());
        }
        self.record = record.map_or(RecordState::Missing, |record| RecordState::Loaded(Rc::new(record)));
        for entry in self.auto_loaded_entries() {
            self.show_attachment(entry);
        }
    }

    /// The entries of the attachments that are loaded with the sample.
    fn auto_loaded_entries(&self) -> Vec<AttrValue> {
        let Some(record) = self.record.loaded() else { return Vec::new() };
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
}

/// The attachments that parts of a turn refer to and that exist in the archive.
fn attachments(parts: &[Part]) -> impl Iterator<Item = &AttachmentInfo> {
    parts.iter().filter_map(|part| match part {
        Part::File { attachment, .. } => attachment.as_ref(),
        _ => None,
    })
}
