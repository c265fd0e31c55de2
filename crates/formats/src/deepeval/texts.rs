//! JSON in texts, as Python reads it.

use std::borrow::Cow;

use crate::checks::{Findings, Record};
use crate::diagnose::{
    PathBuilder, RecordFindings, RecordStart, RecordText, Room, Value, check_schema, fix_syntax, parse,
};
use crate::python::{is_space, strip};
use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Path;
use evalcheck_json::schema::Schema;
use evalcheck_json::tokens::{TokenKind, significant};
use evalcheck_report::Severity;

evalcheck_core::rules! {
    /// Problems of JSON in a text.
    TextProblem {
        BadJson { key: &'static str, fault: String } = "deepeval/bad-json-text", Error {
            summary: "JSON in a text is not what its key needs.",
            message: "the JSON in this text is refused: {fault}",
            hint: "Write {key} as a list itself, not as a text. Tools are objects: [{{\"name\": \"...\"}}]; turns too: [{{\"role\": \"user\", \"content\": \"...\"}}].",
            meaning: "turns may be a text with JSON, and in JSONL and CSV tools_called and expected_tools too. The text is read as the list would be.",
            other_words: ["argument after ** must be a mapping, not str", "Turn at index 0 is missing a valid 'role'.", "Expected a list of turns."],
            invalid: r#"{"input": "Book a table", "expected_tools": "book"}"#,
            valid: r#"{"input": "Book a table", "expected_tools": [{"name": "book"}]}"#,
        }
        UnknownInText { keys: String } = "deepeval/unknown-key-in-text", Warning {
            summary: "JSON in a text has keys that are dropped.",
            message: "the text loads, but keys in it are not known and are dropped: {keys}",
            hint: "Delete the keys, or rename them. The arguments of a tool are called input_parameters.",
            loss: Value,
            meaning: "Unknown keys of tools and turns are dropped without a message, in a text too.",
            invalid: r#"{"input": "Book a table", "expected_tools": "[{\"name\": \"book\", \"arguments\": {}}]"}"#,
            valid: r#"{"input": "Book a table", "expected_tools": [{"name": "book", "input_parameters": {}}]}"#,
        }
    }
}

/// Checks JSON in a text.
pub(super) fn json_text(
    record: &Record<'_>,
    value: &Value<'_>,
    key: &'static str,
    schema: &'static Schema,
    is_lenient: bool,
    out: &mut Findings<'_>,
) {
    // An empty text is no list.
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
    match Inner::of(text, schema, is_lenient) {
        Inner::Fault(fault) => out.report(TextProblem::BadJson { key, fault }, record.at(value)),
        Inner::Unknown(keys) => out.report(TextProblem::UnknownInText { keys }, record.at(value)),
        Inner::Fine => {}
    }
}

/// The unknown keys of a text that a message lists.
const MOST_SHOWN: u64 = 4;

/// The result of holding JSON in a text against a schema.
#[derive(Debug)]
pub(super) enum Inner {
    /// A fault for which the loader refuses it.
    Fault(String),
    /// It has keys that are dropped.
    Unknown(String),
    Fine,
}

impl Inner {
    /// Holds a text against a schema. With `is_lenient`, a comma after the last element or member is allowed.
    pub(super) fn of(text: &str, schema: &'static Schema, is_lenient: bool) -> Self {
        let text = &*in_python(text, is_lenient);
        let bytes = text.as_bytes();
        let parsed = match parse(bytes) {
            Ok(parsed) => parsed,
            Err(error) => {
                return Self::Fault(format!("it is not JSON (within it, {})", error.problem.detail()));
            }
        };
        // A few of each rule: the text may be of any size.
        let collector = FindingCollector::new(Some(MOST_SHOWN));
        let room = Room::Dataset { collector: &collector, loss: |_| None };
        let mut found = RecordFindings::within(room);
        check_schema(&parsed.value, schema, &PathBuilder::of_element(), &[], &mut found);
        let found = found.locate(&RecordText::new(bytes, RecordStart::default()));
        let error = found.iter().find(|finding| finding.problem.rule().severity == Severity::Error);
        if let Some(error) = error {
            let path = error.location.path.as_ref().map(Path::dotted).unwrap_or_default();
            let at = if path.is_empty() { String::new() } else { format!("at {path}: ") };
            return Self::Fault(format!("{at}{}", error.problem.message()));
        }
        let keys = found.iter().filter(|finding| finding.problem.rule().code == "shape/unknown-key");
        let keys: Vec<String> =
            keys.filter_map(|finding| Some(finding.location.path.as_ref()?.dotted())).collect();
        if keys.is_empty() { Self::Fine } else { Self::Unknown(keys.join(", ")) }
    }
}

/// A text without what only Python's reader takes: commas after the last element, if `is_lenient`.
pub(super) fn in_python(text: &str, is_lenient: bool) -> Cow<'_, str> {
    let text = strip(text);
    if !is_lenient || parse(text.as_bytes()).is_ok() {
        return text.into();
    }
    // As the loader does, in strings too.
    let mut made = String::with_capacity(text.len());
    for (index, c) in text.char_indices() {
        let after = || text[index + 1..].trim_start_matches(is_space);
        if c != ',' || !after().starts_with([']', '}']) {
            made.push(c);
        }
    }
    made.into()
}

/// A mapping as JSON: a Python literal is one where JSON can say the same. What is neither stays as it is.
pub(super) fn as_json(text: &str) -> Cow<'_, str> {
    if parse(in_python(text, true).as_bytes()).is_ok() || !is_literal(text) {
        return text.into();
    }
    let fixed = fix_syntax(text.as_bytes()).map(|fix| fix.apply(text.as_bytes()));
    fixed.and_then(|fixed| String::from_utf8(fixed).ok()).map_or(text.into(), Cow::Owned)
}

/// Whether a text may be a Python literal of strings, numbers, lists and dictionaries.
fn is_literal(text: &str) -> bool {
    let mut open = Vec::new();
    let fits = significant(text.as_bytes()).all(|token| match token.kind {
        TokenKind::Word => matches!(&text[token.span], "True" | "False" | "None"),
        TokenKind::String { quote, is_closed, content } => {
            is_closed && matches!(quote, '\'' | '"') && !text[content].contains(['\n', '\r'])
        }
        TokenKind::Punctuation(bracket @ (b'{' | b'[')) => {
            // The closing bracket of ASCII is two characters after the opening one.
            open.push(bracket + 2);
            true
        }
        TokenKind::Punctuation(bracket @ (b'}' | b']')) => open.pop() == Some(bracket),
        TokenKind::Number | TokenKind::Punctuation(_) => true,
        _ => false,
    });
    fits && open.is_empty()
}
