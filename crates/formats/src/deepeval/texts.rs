//! JSON in texts, as Python reads it.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::numbers;
use super::rules::{blank_conditions, converted_values};
use super::schemas;
use crate::checks::{Findings, Record};
use crate::diagnose::{
    Kind, PathBuilder, RecordFindings, RecordStart, RecordText, Room, Value, check_anomalies, check_schema,
    fix_syntax, parse,
};
use crate::python::{is_space, strip};
use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::{Finding, Path};
use evalcheck_core::rule::Problem as _;
use evalcheck_json::scan::TextPolicy;
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
            message: "the text loads without the values of keys that are unknown or repeated: {keys}",
            hint: "Delete the keys, or rename them. The arguments of a tool are called input_parameters.",
            loss: Value,
            meaning: "Unknown keys of tools and turns are dropped without a message, in a text too. Of a repeated key the last value counts.",
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
    expected: &Expected,
    out: &mut Findings<'_>,
) {
    // An empty text is no list.
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
    match expected.compare(text) {
        Some(Difference::Fault { fault, .. }) => {
            out.report(TextProblem::BadJson { key, fault }, record.at(value));
        }
        Some(Difference::Dropped(keys)) => {
            out.report(TextProblem::UnknownInText { keys }, record.at(value));
        }
        None => {}
    }
}

/// The unknown keys of a text that a message lists.
const MOST_SHOWN: u64 = 4;

/// The form that JSON in a text must have.
#[derive(Debug)]
pub(super) struct Expected {
    schema: &'static Schema,
    /// Whether a comma after the last element or member is allowed.
    is_lenient: bool,
    /// Why the loader refuses a value that fits the schema, if it does.
    fault: fn(&Value<'_>) -> Option<String>,
    /// The form, as advice.
    advice: &'static str,
}

pub(super) static TOOLS: Expected = Expected {
    schema: &schemas::TOOLS,
    is_lenient: true,
    fault: |_| None,
    advice: "Write a JSON list of objects: [{\"name\": \"...\"}].",
};
pub(super) static TURNS: Expected = Expected {
    schema: &schemas::TURN_LIST,
    is_lenient: false,
    fault: fault_of_turns,
    advice: "Write a JSON list of turns: [{\"role\": \"user\", \"content\": \"...\"}].",
};
pub(super) static METADATA: Expected = Expected {
    schema: &schemas::METADATA,
    is_lenient: true,
    fault: |_| None,
    advice: "Write a JSON object: {\"key\": \"value\"}.",
};
pub(super) static CUSTOM: Expected = Expected {
    schema: &schemas::CUSTOM,
    is_lenient: true,
    fault: |_| None,
    advice: "Write a JSON object of texts: {\"key\": \"value\"}.",
};
pub(super) static EXPECTATIONS: Expected = Expected {
    schema: &schemas::EXPECTATIONS,
    is_lenient: true,
    fault: fault_of_expectations,
    advice: "Write a JSON object: {\"must\": [\"...\"]}.",
};

/// The difference of JSON in a text from what it has to be.
#[derive(Debug)]
pub(super) enum Difference {
    /// The loader refuses it.
    Fault { fault: String, advice: String },
    /// It has keys that are unknown or repeated.
    Dropped(String),
}

impl Expected {
    /// Compares a text.
    pub(super) fn compare(&self, text: &str) -> Option<Difference> {
        let refused = |fault| Difference::Fault { fault, advice: self.advice.to_owned() };
        let (text, made) = (strip(text), OnceCell::new());
        let written = parse(text.as_bytes());
        let is_exact = written.is_ok();
        // Not null, which more values may be.
        let in_json = || made.get_or_init(|| without_extras(text, self.is_lenient, "0.5")).as_bytes();
        let parsed = match written.or_else(|_| parse(in_json())) {
            Ok(parsed) => parsed,
            Err(error) => {
                return Some(refused(format!("it is not JSON (within it, {})", error.problem.detail())));
            }
        };
        let bytes = if is_exact { text.as_bytes() } else { in_json() };
        // A few of each rule: the text may be of any size.
        let collector = FindingCollector::new(Some(MOST_SHOWN));
        let room = Room::Dataset { collector: &collector, loss: |_| None };
        let mut found = RecordFindings::within(room);
        let (base, record) = (PathBuilder::of_element(), RecordText::new(bytes, RecordStart::default()));
        check_schema(&parsed.value, self.schema, &base, &[], &mut found);
        check_anomalies(&parsed, &record, TextPolicy::NONE, &base, &mut found);
        let found = found.locate(&record);
        let path = |finding: &Finding| {
            finding.location.path.as_ref().filter(|path| !path.0.is_empty()).map(Path::dotted)
        };
        if let Some(error) = found.iter().find(|finding| finding.problem.rule().severity == Severity::Error) {
            let message = error.problem.message();
            let Some(path) = path(error) else { return Some(refused(message)) };
            let advice = error.problem.hint().filter(|hint| is_exact && !hint.is_empty());
            let advice = advice
                .map_or_else(|| self.advice.to_owned(), |hint| format!("In the JSON, at {path}: {hint}"));
            return Some(Difference::Fault { fault: format!("at {path}: {message}"), advice });
        }
        if let Some(fault) = (self.fault)(&parsed.value) {
            return Some(refused(fault));
        }
        let is_dropped = |finding: &&Finding| {
            ["shape/unknown-key", "json/duplicate-key"].contains(&finding.problem.rule().code)
        };
        let keys: Vec<String> = found.iter().filter(is_dropped).filter_map(path).collect();
        (!keys.is_empty()).then(|| Difference::Dropped(keys.join(", ")))
    }
}

/// A fault of turns that the schema does not find.
fn fault_of_turns(turns: &Value<'_>) -> Option<String> {
    let values = turns.as_array()?.iter().flat_map(converted_values).flatten();
    let mut faults = values.filter_map(|(value, wanted)| numbers::fault(value, wanted));
    faults.next().map(|fault| fault.message())
}

/// A fault of expectations that the schema does not find.
fn fault_of_expectations(expectations: &Value<'_>) -> Option<String> {
    if expectations.get("must_not").and(expectations.get("mustNot")).is_some() {
        return Some("must_not and mustNot are two names of the same".to_owned());
    }
    blank_conditions(expectations).next().map(|_| "a condition has no text".to_owned())
}

/// Why tools are refused in a row that does not use them.
pub(super) fn fault_of_unused_tools(text: &str) -> Option<Difference> {
    // What is not JSON is not used.
    let text = in_python(text, TOOLS.is_lenient);
    let parsed = parse(text.as_bytes()).ok()?;
    let is_object = |tool: &Value<'_>| matches!(tool.kind, Kind::Object(_));
    let fits = parsed.value.as_array().is_some_and(|tools| tools.iter().all(is_object));
    let fault = "it is JSON, but not a list of objects".to_owned();
    (!fits).then(|| Difference::Fault { fault, advice: TOOLS.advice.to_owned() })
}

/// A text without what only Python's reader takes: NaN and numbers that are not finite become null. Commas after the last element are removed
/// if `is_lenient`.
pub(super) fn in_python(text: &str, is_lenient: bool) -> Cow<'_, str> {
    let text = strip(text);
    match parse(text.as_bytes()) {
        Ok(_) => text.into(),
        Err(_) => without_extras(text, is_lenient, "null").into(),
    }
}

/// The same for a text that is not JSON, with `special` in place of NaN and numbers that are not finite.
fn without_extras(text: &str, is_lenient: bool, special: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut end = 0;
    for token in significant(text.as_bytes()) {
        let word = &text[token.span.clone()];
        let is_special = match token.kind {
            TokenKind::Word => matches!(word, "NaN" | "Infinity"),
            TokenKind::Number => word == "-Infinity" || is_too_large(word),
            _ => false,
        };
        if is_special {
            made.push_str(&text[end..token.span.start]);
            made.push_str(special);
            end = token.span.end;
        }
    }
    made.push_str(&text[end..]);
    if is_lenient {
        // As the loader does, in strings too.
        made = made
            .char_indices()
            .filter(|&(at, c)| {
                c != ',' || !made[at + 1..].trim_start_matches(is_space).starts_with([']', '}'])
            })
            .map(|(_, c)| c)
            .collect();
    }
    made
}

/// Whether Python reads a number of JSON as infinity, or holds it as an integer beyond the range of doubles.
fn is_too_large(number: &str) -> bool {
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    is_number && number.parse().is_ok_and(f64::is_infinite)
}

/// A mapping as JSON: a Python literal is one where JSON can say the same. What is neither stays as it is.
pub(super) fn as_json(text: &str) -> Cow<'_, str> {
    let is_json = match in_python(text, true) {
        Cow::Borrowed(_) => true,
        Cow::Owned(made) => parse(made.as_bytes()).is_ok(),
    };
    if is_json || !is_literal(text) {
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
