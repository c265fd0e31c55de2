//! A record whose text the user edits.

use std::rc::Rc;

use evalcheck_report::view::{ByteRange, Completions, EditedRecord, Mark, TextToEdit};
use evalcheck_report::{Edit, Fix};
use evalcheck_wire::question::Question;

/// A record that the user edits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Editing {
    /// The line at which it begins.
    pub(crate) line: u64,
    /// Its bytes in the dataset.
    range: ByteRange,
    /// The edited text.
    pub(crate) text: String,
    /// The unedited record.
    original: String,
    /// The initial selection or caret, in UTF-16 code units.
    pub(crate) mark: Option<Mark>,
    /// Whether the text is being written into the dataset.
    pub(crate) is_applied: bool,
    /// The worker's last result for the text.
    pub(crate) edited: Option<EditedRecord>,
    /// The question about the current text, while it has no answer.
    pub(super) question: Option<Rc<Question>>,
}

impl Editing {
    /// Begins with the unedited record at a line.
    pub(crate) fn new(line: u64, TextToEdit { text, range, mark, .. }: TextToEdit) -> Self {
        let original = text.clone();
        Self { line, range, text, original, mark, is_applied: false, edited: None, question: None }
    }

    /// Whether the text differs from the record.
    pub(crate) fn is_changed(&self) -> bool {
        self.text != self.original
    }

    /// The worker's result for the current text, once it has arrived.
    fn latest(&self) -> Option<&EditedRecord> {
        self.edited.as_ref().filter(|_| self.question.is_none())
    }

    /// The completions at the caret.
    pub(crate) fn completions(&self) -> Option<&Completions> {
        self.latest()?.completions.as_ref()
    }

    /// The fix with the edit, once the worker has checked the current text.
    pub(crate) fn as_fix(&self) -> Option<Fix> {
        let edited = self.latest().filter(|_| self.is_changed())?;
        let edit = Edit { start: self.range.start, end: self.range.end, text: edited.text.clone() };
        Some(Fix::safe("Write the text that was edited", vec![edit]))
    }

    /// The user changed the text, or asked what can be written at the caret.
    pub(super) fn set_text(&mut self, text: String, caret: Option<u64>) {
        self.text.clone_from(&text);
        self.question = Some(Rc::new(Question::EditedRecord { line: self.line, text, caret }));
    }
}
