//! Records as the conversations that they are. Lenient: a record with findings is shown as far as it can be read.

use evalcheck_wire::view::{AttachmentInfo, LabelledText, Part};

use crate::diagnose::{Value, clip};
use evalcheck_archive::{Archive, Attachments};

/// Characters of a text that are shown.
const TEXT_CHARS: usize = 64 << 10;

/// Characters of a value that is shown as JSON.
const JSON_CHARS: usize = 4 << 10;

/// What a format's view of a record works on.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The record.
    pub root: &'a Value<'a>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The attachments that it may refer to.
    pub attachments: Option<&'a Attachments>,
    /// The archive that they are in.
    pub archive: Option<&'a Archive>,
}

impl Shown<'_> {
    /// A value as it is written in the file, clipped.
    pub fn json(&self, value: &Value<'_>) -> String {
        let end = value.span.end.min(value.span.start + JSON_CHARS * 4);
        clip(&String::from_utf8_lossy(&self.bytes[value.span.start..end]), JSON_CHARS)
    }

    /// A reference to a file: the attachment, or the nearest name when there is none.
    pub fn file(&self, path: &str) -> Part {
        let found = self.attachments.and_then(|attachments| attachments.find(path));
        let entry = found.and_then(|index| self.archive?.entries().get(index));
        let attachment =
            entry.map(|entry| AttachmentInfo { entry: entry.name.to_string(), size: entry.size });
        let suggestion = match (&attachment, self.attachments) {
            (None, Some(attachments)) => {
                let near = attachments.suggest(path);
                near.and_then(|near| attachments.path(near.index)).map(str::to_owned)
            }
            _ => None,
        };
        Part::File { path: clip(path, 2048), attachment, suggestion }
    }

    /// A part that is not one of the known kinds.
    pub fn other(&self, value: &Value<'_>) -> Part {
        Part::Other { json: self.json(value) }
    }

    /// A value beside the conversation.
    pub fn labelled(&self, label: &str, value: &Value<'_>) -> LabelledText {
        let string = value.as_str().map(|text| clip(text, JSON_CHARS));
        let is_json = string.is_none();
        LabelledText { label: label.to_owned(), text: string.unwrap_or_else(|| self.json(value)), is_json }
    }
}

/// A text part, clipped.
pub fn text_part(text: &str) -> Part {
    let shown: String = text.chars().take(TEXT_CHARS).collect();
    Part::Text { clipped: shown.len() < text.len(), text: shown }
}
