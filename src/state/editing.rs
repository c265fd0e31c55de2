//! A record that the user edits as text.

use evalcheck_wire::report::{Edit, Fix};
use evalcheck_wire::view::{ByteRange, Completions, EditedRecord, Mark, TextToEdit};
use evalcheck_wire::worker::RequestId;

/// A record that the user edits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Editing {
    /// The line that it begins at.
    pub(crate) line: u64,
    /// Its bytes in the dataset.
    range: ByteRange,
    /// What the user has written.
    pub(crate) text: String,
    /// The record as it is.
    original: String,
    /// Where the caret is at first, in UTF-16 code units.
    pub(crate) mark: Option<Mark>,
    /// True while the text is written into the dataset.
    pub(crate) is_applied: bool,
    /// What the text comes to, as far as the worker has said.
    pub(crate) edited: Option<EditedRecord>,
    /// The last question to the worker, while it has no answer.
    pub(crate) request: Option<RequestId>,
}

impl Editing {
    /// Begins with the record at a line as it is.
    pub(crate) fn new(line: u64, TextToEdit { text, range, mark, .. }: TextToEdit) -> Self {
        let original = text.clone();
        Self { line, range, text, original, mark, is_applied: false, edited: None, request: None }
    }

    /// True when the text is another than that of the record.
    pub(crate) fn is_changed(&self) -> bool {
        self.text != self.original
    }

    /// What the last text comes to, once the worker has said it.
    fn latest(&self) -> Option<&EditedRecord> {
        self.edited.as_ref().filter(|_| self.request.is_none())
    }

    /// What can be written at the caret.
    pub(crate) fn completions(&self) -> Option<&Completions> {
        self.latest()?.completions.as_ref()
    }

    /// The change of the dataset, once the worker has seen the last text.
    pub(crate) fn as_fix(&self) -> Option<Fix> {
        let edited = self.latest().filter(|_| self.is_changed())?;
        let edit = Edit { start: self.range.start, end: self.range.end, text: edited.text.clone() };
        Some(Fix::safe("Write the text that was edited", vec![edit]))
    }

    /// Stores the answer to the last question; any other is stale.
    pub(crate) fn store(&mut self, request: RequestId, edited: Option<EditedRecord>) {
        if self.request == Some(request) {
            self.request = None;
            self.edited = edited;
        }
    }
}
