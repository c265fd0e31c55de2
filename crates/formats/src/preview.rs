//! Records as conversations. A record with findings is shown as far as it can be read.

mod answer;
mod indent;
mod token;

use std::ops::Range;

use evalcheck_archive::{Archive, Attachments};
use evalcheck_report::Severity;
use evalcheck_report::view::{
    Answer, AttachmentInfo, Badge, LabelledText, Part, TextMark, TextMarkKind, ToolCall,
};

use crate::diagnose::{self, Kind, Value, clip};
pub use answer::{add_mark, mark_answer};
use indent::indented;

/// The number of characters of a text that are shown.
const TEXT_CHARS: usize = 64 << 10;

/// The number of characters of a value that is shown as JSON.
const JSON_CHARS: usize = 4 << 10;

/// The number of characters of the arguments of a tool call that are shown.
const ARGUMENTS_CHARS: usize = 16 << 10;

/// The number of characters of a value in the head, and of the name of an answer.
const BADGE_CHARS: usize = 80;

/// The number of findings that are marked in a text.
const MOST_MARKED: usize = 50;

/// The length of the longest id of a tool call.
const ID_BYTES: usize = 1_000;

/// The input of a format's preview of a record.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The record.
    pub root: &'a Value<'a>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The attachments that it may refer to.
    pub attachments: Option<&'a Attachments>,
    /// The archive that contains them.
    pub archive: Option<&'a Archive>,
    /// The findings to mark in texts: severities, and spans in the bytes.
    pub findings: &'a [(Severity, Range<usize>)],
}

impl Shown<'_> {
    /// A value as written in the file, clipped.
    pub fn json(&self, value: &Value<'_>) -> String {
        let end = value.span.end.min(value.span.start + JSON_CHARS * 4);
        clip(&String::from_utf8_lossy(&self.bytes[value.span.start..end]), JSON_CHARS)
    }

    /// A reference to a file: the attachment, or the nearest name if it does not exist.
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

    /// A text with the findings about parts of it; anything else as JSON.
    pub fn text(&self, value: &Value<'_>) -> Part {
        let Some(text) = value.as_str() else { return self.other(value) };
        let mut part = text_part(text);
        let Part::Text { text: shown, marks, .. } = &mut part else { return part };
        let string = &value.span;
        let is_within = |span: &Range<usize>| string.start <= span.start && span.end <= string.end;
        let within = self.findings.iter().filter(|(_, span)| is_within(span)).take(MOST_MARKED);
        for (severity, span) in within {
            let span = span.start - string.start..span.end - string.start;
            let span = token::in_text(&self.bytes[string.clone()], text, &span);
            if let Some(Range { start, end }) = span.filter(|span| span.end <= shown.len()) {
                add_mark(marks, TextMark { start, end, kind: TextMarkKind::Finding(*severity) });
            }
        }
        part
    }

    /// A part of an unknown kind.
    pub fn other(&self, value: &Value<'_>) -> Part {
        Part::Other { json: self.json(value) }
    }

    /// A tool call at a path of the record. Its name and arguments are its own, or those of its `function`.
    pub fn tool_call(&self, call: &Value<'_>, path: String) -> Part {
        if !matches!(call.kind, Kind::Object(_)) {
            return self.other(call);
        }
        let of = |key: &str| call.get(key).or_else(|| call.get("function")?.get(key));
        Part::ToolCall(ToolCall {
            path,
            id: call.get("id").and_then(tool_call_id),
            name: of("name").map_or_else(String::new, |name| self.labelled("name", name).text),
            arguments: of("arguments")
                .filter(|value| value.kind != Kind::Null)
                .map(|value| self.arguments(value)),
        })
    }

    /// The arguments of a tool call. A string that contains a JSON object or array is shown as JSON.
    fn arguments(&self, value: &Value<'_>) -> LabelledText {
        let labelled = |text, is_json| LabelledText { label: "arguments".to_owned(), text, is_json };
        let Some(text) = value.as_str() else {
            return labelled(indented(&self.bytes[value.span.clone()], ARGUMENTS_CHARS), true);
        };
        match json_in(text) {
            Some(json) => labelled(json, true),
            None => labelled(clip(text, ARGUMENTS_CHARS), false),
        }
    }

    /// The name of an answer.
    pub fn name(&self, value: &Value<'_>) -> String {
        clip(&self.labelled("", value).text, BADGE_CHARS)
    }

    /// A value in the head of the sample.
    pub fn badge(&self, label: &str, value: &Value<'_>) -> Badge {
        Badge { label: label.to_owned(), text: self.name(value), is_correct: None }
    }

    /// A value beside the conversation.
    pub fn labelled(&self, label: &str, value: &Value<'_>) -> LabelledText {
        let string = value.as_str().map(|text| clip(text, JSON_CHARS));
        let is_json = string.is_none();
        LabelledText { label: label.to_owned(), text: string.unwrap_or_else(|| self.json(value)), is_json }
    }
}

/// The JSON object or array that a string contains, indented and clipped.
pub fn json_in(text: &str) -> Option<String> {
    let json = Some(text.as_bytes()).filter(|json| json.len() <= 4 * ARGUMENTS_CHARS)?;
    let parsed = diagnose::parse(json).ok()?;
    matches!(parsed.value.kind, Kind::Object(_) | Kind::Array(_)).then(|| indented(json, ARGUMENTS_CHARS))
}

/// The number of characters of a text; 0 for any other value.
pub fn text_length(value: &Value<'_>) -> u64 {
    value.as_str().map_or(0, |text| text.chars().count() as u64)
}

/// The answers of a sample, if there are several to compare.
pub fn several(answers: Vec<Answer>) -> Vec<Answer> {
    if answers.len() < 2 { Vec::new() } else { answers }
}

/// The id of a tool call; `None` if it is too long to be one.
pub fn tool_call_id(value: &Value<'_>) -> Option<String> {
    value.as_str().filter(|id| (1..=ID_BYTES).contains(&id.len())).map(str::to_owned)
}

/// A text part, clipped.
pub fn text_part(text: &str) -> Part {
    let shown: String = text.chars().take(TEXT_CHARS).collect();
    Part::Text { clipped: shown.len() < text.len(), text: shown, marks: Vec::new() }
}

/// A part with the reasoning of a model, clipped.
pub fn reasoning_part(text: &str) -> Part {
    let shown: String = text.chars().take(TEXT_CHARS).collect();
    Part::Reasoning { clipped: shown.len() < text.len(), text: shown, marks: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name and the arguments of a tool call, and whether the arguments are JSON.
    fn tool_call(json: &str) -> Option<(String, String, bool)> {
        let parsed = diagnose::parse(json.as_bytes()).ok()?;
        let shown = Shown {
            root: &parsed.value,
            bytes: json.as_bytes(),
            attachments: None,
            archive: None,
            findings: &[],
        };
        let Part::ToolCall(call) = shown.tool_call(shown.root, String::new()) else { return None };
        let arguments = call.arguments?;
        Some((call.name, arguments.text, arguments.is_json))
    }

    #[test]
    fn arguments_that_are_json_are_indented_however_they_are_written() {
        let expected = Some(("f".to_owned(), "{\n  \"a\": 1.0\n}".to_owned(), true));
        assert_eq!(tool_call(r#"{"name":"f","arguments":{"a":1.0}}"#), expected);
        assert_eq!(tool_call(r#"{"name":"f","arguments":"{\"a\":1.0}"}"#), expected);
        assert_eq!(
            tool_call(r#"{"type":"function","function":{"name":"f","arguments":"{\"a\":1.0}"}}"#),
            expected
        );
    }

    #[test]
    fn arguments_that_are_no_json_are_shown_as_they_are() {
        let text = |text: &str| Some(("f".to_owned(), text.to_owned(), false));
        assert_eq!(tool_call(r#"{"name":"f","arguments":"{\"a\":"}"#), text("{\"a\":"));
        assert_eq!(tool_call(r#"{"name":"f","arguments":"5"}"#), text("5"));
        assert_eq!(tool_call(r#"{"name":"f","arguments":null}"#), None);
        assert_eq!(tool_call("[5]"), None);
    }
}
