//! The rules of one golden beyond its schema, in JSON and JSONL.

use super::numbers::{self, Wanted};
use super::schemas::captures;
use super::texts;
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, RecordFix, Value};
use crate::python::{is_truthy, strip};

evalcheck_core::rules! {
    /// Problems of one golden.
    GoldenProblem {
        NoInput { what: &'static str, advice: &'static str } = "deepeval/no-input", Error {
            summary: "A golden without an input.",
            message: "{what}: DeepEval takes the record for a golden of one turn, which needs an input, and refuses the file",
            hint: "{advice}",
            meaning: "A record with a scenario is a conversation; any other has one turn and needs a string as its input. In a CSV an empty cell and words such as None or N/A are no input.",
            other_words: ["1 validation error for Golden input Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]"],
            invalid: r#"{"turns": [{"role": "user", "content": "Hello"}], "expected_outcome": "Greeted"}"#,
            valid: r#"{"scenario": "A customer says hello.", "turns": [{"role": "user", "content": "Hello"}], "expected_outcome": "Greeted"}"#,
        }
        NoColumn { advice: String } = "deepeval/no-input-column", Error {
            summary: "A CSV has neither a column input nor a column scenario.",
            message: "the column \"input\" is missing, and so is \"scenario\"",
            hint: "{advice}",
            meaning: "A row needs an input, or a scenario if it is a conversation.",
            invalid: "name,expected_output\nHow far is it?,12 km",
            valid: "input,expected_output\nHow far is it?,12 km",
        }
        OtherKind { key: &'static str, kind: &'static str, advice: &'static str } = "deepeval/other-kind-key", Warning {
            summary: "A key that this kind of golden does not have.",
            message: "the record loads as {kind}, which has no {key}: the value is dropped",
            hint: "{advice}",
            loss: Key,
            meaning: "A record with a scenario is a conversation, any other has one turn. Goldens of one turn have input, actual_output, expected_output, retrieval_context, tools_called, expected_tools, counts of tokens and source_file. Conversations have turns, expected_outcome, persona and user_description.",
            invalid: r#"{"scenario": "A customer asks for a refund.", "expected_output": "It is paid."}"#,
            valid: r#"{"scenario": "A customer asks for a refund.", "expected_outcome": "It is paid."}"#,
        }
        TwoNames { key: &'static str, other: &'static str } = "deepeval/two-names", Warning {
            summary: "A value under two names.",
            message: "the record loads with the value of {other}, and that of {key}, another name of the same, is dropped",
            hint: "Keep one of the two.",
            loss: Key,
            meaning: "Turns and tools have some values under two names, such as user_id and userId. Where both are given, one counts.",
            invalid: r#"{"input": "Book a table", "tools_called": [{"name": "book", "input_parameters": {"for": 2}, "inputParameters": {}}]}"#,
            valid: r#"{"input": "Book a table", "tools_called": [{"name": "book", "input_parameters": {"for": 2}}]}"#,
        }
        TwoProhibitions = "deepeval/two-prohibitions", Error {
            summary: "Expectations have must_not and mustNot.",
            message: "must_not and mustNot are two names of the same, and DeepEval refuses expectations that have both",
            hint: "Join both lists under must_not.",
            meaning: "Expectations have no other keys than those that are known, and of the two names only the first is read.",
            other_words: ["expectations.mustNot Extra inputs are not permitted"],
            invalid: r#"{"input": "Book a table", "expectations": {"must_not": ["ask twice"], "mustNot": ["ask for a card"]}}"#,
            valid: r#"{"input": "Book a table", "expectations": {"must_not": ["ask twice", "ask for a card"]}}"#,
        }
        BlankCondition = "deepeval/blank-condition", Error {
            summary: "An expectation without text.",
            message: "the condition has no text: DeepEval refuses it",
            hint: "Write the condition, or delete it.",
            meaning: "Each condition of must and must_not is a text that is not blank.",
            other_words: ["Expectations must contain non-empty conditions."],
            invalid: r#"{"input": "Book a table", "expectations": {"must": [" "]}}"#,
            valid: r#"{"input": "Book a table", "expectations": {"must": ["confirm the time"]}}"#,
        }
        Characters { what: &'static str, becomes: &'static str } = "deepeval/text-for-list", Error {
            summary: "A text in the place of the list of retrieved texts.",
            message: "the file loads, but {what} becomes a list of {becomes}, which nobody means",
            hint: "Write a list: [\"...\"].",
            fix: Unsafe,
            loss: Value,
            meaning: "In JSON, and in turns of any file, retrieval_context is a list. DeepEval goes over a text character by character, and over an object key by key, and says nothing. Only in JSONL and CSV is the retrieval_context of a golden also a text, which is cut at |.",
            invalid: r#"[{"input": "Where do they eat?", "retrieval_context": "They eat in Roma."}]"#,
            valid: r#"[{"input": "Where do they eat?", "retrieval_context": ["They eat in Roma."]}]"#,
        }
        IgnoredPersona = "deepeval/ignored-persona", Warning {
            summary: "A persona that is not an object.",
            message: "the record loads without its persona, because that is not an object",
            hint: "Write an object: {{\"characteristics\": \"...\"}}.",
            fix: Unsafe,
            loss: Key,
            meaning: "DeepEval reads a persona that is an object, and otherwise the deprecated user_description.",
            invalid: r#"{"scenario": "A customer asks for a refund.", "persona": "In a hurry, polite."}"#,
            valid: r#"{"scenario": "A customer asks for a refund.", "persona": {"characteristics": "In a hurry, polite."}}"#,
        }
        ReplacedDescription = "deepeval/replaced-description", Warning {
            summary: "A user_description beside a persona.",
            message: "the record loads with the characteristics of its persona as user_description: this text is dropped",
            hint: "Write the text into the characteristics of the persona, or delete it.",
            loss: Key,
            meaning: "user_description is the deprecated form of persona, and is not read where there is a persona.",
            invalid: r#"{"scenario": "A customer asks for a refund.", "persona": {"characteristics": "Polite."}, "user_description": "In a hurry."}"#,
            valid: r#"{"scenario": "A customer asks for a refund.", "persona": {"characteristics": "Polite. In a hurry."}}"#,
        }
    }
}

/// The checks of a golden.
#[derive(Debug)]
pub(super) struct Golden {
    pub(super) is_jsonl: bool,
}

/// The index of the list of [`super::LISTS`] that is one golden.
const SINGLE_GOLDEN: usize = 2;

/// Keys that only goldens of one turn have.
pub(super) const SINGLE: [&str; 10] = [
    "input",
    "actual_output",
    "expected_output",
    "retrieval_context",
    "tools_called",
    "expected_tools",
    "token_cost",
    "input_token_count",
    "output_token_count",
    "source_file",
];

/// Keys that only conversations have.
pub(super) const CONVERSATION: [&str; 4] = ["turns", "expected_outcome", "persona", "user_description"];

/// Values with several names: the one that the loader holds a value under, and all of them, the one that counts first.
pub(super) type Names = [(&'static str, &'static [&'static str])];

pub(super) const OF_TOOLS: &Names = &[("input_parameters", &["inputParameters", "input_parameters"])];

pub(super) const OF_TURNS: &Names = &[
    ("user_id", &["userId", "user_id"]),
    ("retrieval_context", &["retrievalContext", "retrieval_context"]),
    ("tools_called", &["toolsCalled", "tools_called"]),
    ("latency_ms", &["latencyMs", "latency_ms"]),
    ("provider_transcript", &["providerTranscript", "provider_transcript"]),
    ("metadata", &["metadata", "additionalMetadata", "additional_metadata"]),
];

impl RecordChecks for Golden {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let (mut is_conversation, mut has_input, mut has_single, mut has_turns) =
            (false, false, false, false);
        let mut persona = false;
        for (number, range) in captures.strings {
            let bytes = captures.bytes(range);
            match *number {
                captures::SCENARIO => is_conversation = !bytes.is_empty(),
                captures::INPUT => has_input = true,
                captures::PERSONA => persona = true,
                captures::DESCRIPTION if persona => return false,
                captures::TURN | captures::OUTCOME | captures::DESCRIPTION => has_turns = true,
                captures::CONDITION if is_doubtful(bytes) => return false,
                captures::NUMBER | captures::LATENCY if !is_plain_number(bytes) => return false,
                captures::HOLD if bytes.iter().all(|digit| !(b'1'..=b'9').contains(digit)) => return false,
                captures::FLAG if !matches!(bytes, b"true" | b"false") => return false,
                captures::DOUBT | captures::JSON_TEXT => return false,
                captures::CONTEXT
                | captures::CONTEXT_ITEM
                | captures::CONTEXT_TEXT
                | captures::CONDITION
                | captures::HOLD
                | captures::LATENCY
                | captures::FLAG => {}
                _ => has_single = true,
            }
        }
        if is_conversation { !has_input && !has_single } else { has_input && !has_turns && !persona }
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let root = record.root;
        let Kind::Object(members) = &root.kind else { return };
        // A file that is an empty object has no golden.
        if members.is_empty() && record.list == SINGLE_GOLDEN {
            return;
        }
        let is_conversation = is_conversation(root);
        check_kind(record, is_conversation, out);
        expectations(record, out);
        if is_conversation {
            persona(record, out);
            if let Some(turns) = root.get("turns") {
                texts::json_text(record, turns, "turns", &texts::TURNS, out);
                for turn in turns.as_array().unwrap_or_default() {
                    check_turn(record, turn, out);
                }
            }
            return;
        }
        for key in ["tools_called", "expected_tools"] {
            let Some(tools) = root.get(key) else { continue };
            if self.is_jsonl {
                texts::json_text(record, tools, key, &texts::TOOLS, out);
            }
            check_tools(record, tools, out);
        }
        if !self.is_jsonl
            && let Some(value) = root.get("retrieval_context")
        {
            characters(record, value, out);
        }
        for key in ["token_cost", "input_token_count", "output_token_count"] {
            if let Some(value) = root.get(key) {
                let wanted = if key == "token_cost" { Wanted::Number } else { Wanted::Whole };
                numbers::check(record, value, wanted, out);
            }
        }
    }
}

/// Whether a golden is a conversation: Python takes an empty scenario for none.
pub(super) fn is_conversation(golden: &Value<'_>) -> bool {
    golden.get("scenario").is_some_and(is_truthy)
}

impl GoldenProblem {
    /// A value that a kind of goldens does not have.
    pub(super) fn other_kind(key: &'static str, is_conversation: bool) -> Self {
        let advice = if is_conversation && ["retrieval_context", "tools_called"].contains(&key) {
            "In a conversation it belongs into a turn, under the same name."
        } else {
            "Delete the value, or write it under a name that this kind has."
        };
        Self::OtherKind { key, kind: kind_name(is_conversation), advice }
    }
}

/// The name of a kind of goldens in a sentence.
pub(super) fn kind_name(is_conversation: bool) -> &'static str {
    if is_conversation { "a conversation" } else { "a golden of one turn" }
}

/// Whether a condition may be blank: it has no visible character of ASCII.
fn is_doubtful(text: &[u8]) -> bool {
    !text.iter().any(|byte| byte.is_ascii_graphic() && *byte != b'\\')
}

/// Whether a number is valid for every field of numbers.
fn is_plain_number(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.'))
}

fn check_kind(record: &Record<'_>, is_conversation: bool, out: &mut Findings<'_>) {
    let root = record.root;
    let unread: &[&'static str] = if is_conversation { &SINGLE } else { &CONVERSATION };
    let input = root.get("input").filter(|input| input.kind != Kind::Null);
    let mut has_turns = false;
    for &key in unread {
        let Some(value) = root.get(key) else { continue };
        out.replace_schema_findings(&value.span);
        if is_truthy(value) {
            has_turns = true;
            // Without an input, the scenario is what is missing.
            if is_conversation || input.is_some() {
                out.report(GoldenProblem::other_kind(key, is_conversation), record.at(value));
            }
        }
    }
    if is_conversation || input.is_some() {
        return;
    }
    let null = root.get("input");
    let (what, advice) = match null {
        _ if has_turns => (
            "the record has keys of a conversation and no scenario",
            "Add a scenario, which says what the conversation is about.",
        ),
        Some(_) => ("\"input\" is null", "Write the input, or delete the record."),
        None => ("\"input\" is missing", "Write the question under the key \"input\"."),
    };
    if let Some(null) = null {
        out.replace_schema_findings(&null.span);
    }
    let target = null.map_or_else(|| record.at_missing("input"), |null| record.at(null));
    out.report(GoldenProblem::NoInput { what, advice }, target);
}

fn expectations(record: &Record<'_>, out: &mut Findings<'_>) {
    let Some(expectations) = record.root.get("expectations") else { return };
    if let (Some(_), Some(value)) = (expectations.get("must_not"), expectations.get("mustNot")) {
        out.report(GoldenProblem::TwoProhibitions, record.at(value));
    }
    for condition in blank_conditions(expectations) {
        out.report(GoldenProblem::BlankCondition, record.at(condition));
    }
}

/// Keys of expectations with lists of conditions.
pub(super) const CONDITIONS: [&str; 3] = ["must", "must_not", "mustNot"];

/// The conditions of expectations that have no text.
pub(super) fn blank_conditions<'v, 'a>(expectations: &'v Value<'a>) -> impl Iterator<Item = &'v Value<'a>> {
    let lists = CONDITIONS.into_iter().filter_map(|key| expectations.get(key).and_then(Value::as_array));
    lists.flatten().filter(|condition| condition.as_str().is_some_and(|text| strip(text).is_empty()))
}

fn persona(record: &Record<'_>, out: &mut Findings<'_>) {
    let Some(persona) = record.root.get("persona").filter(|persona| persona.kind != Kind::Null) else {
        return;
    };
    let description = record.root.get("user_description").filter(|text| text.kind != Kind::Null);
    if !matches!(persona.kind, Kind::Object(_)) {
        out.replace_schema_findings(&persona.span);
        let fix = persona.as_str().filter(|_| description.is_none()).map(|_| {
            RecordFix::not_safe("Write an object, which guesses that the text is the characteristics")
                .replace(persona.span.start..persona.span.start, "{\"characteristics\": ")
                .replace(persona.span.end..persona.span.end, "}")
        });
        return out.report_fixed(GoldenProblem::IgnoredPersona, record.at(persona), fix);
    }
    for (keys, wanted) in OF_PERSONA {
        if let Some(value) = keys.iter().try_fold(persona, |value, key| value.get(key)) {
            numbers::check(record, value, *wanted, out);
        }
    }
    if let Some(description) = description {
        out.replace_schema_findings(&description.span);
        let characteristics = persona.get("characteristics");
        if characteristics.is_some_and(|text| !text.is_same(description)) {
            out.report(GoldenProblem::ReplacedDescription, record.at(description));
        }
    }
}

/// Values of a persona that pydantic converts, by their keys.
pub(super) const OF_PERSONA: &[(&[&str], Wanted)] = &[
    (&["hold_timeout"], Wanted::Wait),
    (&["speaks_first"], Wanted::Flag),
    (&["muted"], Wanted::Flag),
    (&["multilingual_stt"], Wanted::Flag),
    (&["background_noise", "volume"], Wanted::Volume),
];

/// Values of a turn that pydantic converts. Of two names of one value the first counts.
pub(super) fn converted_values<'v, 'a>(turn: &'v Value<'a>) -> [Option<(&'v Value<'a>, Wanted)>; 2] {
    let latency = turn.get("latencyMs").or_else(|| turn.get("latency_ms"));
    let interrupted = turn.get("interrupted");
    [latency.map(|value| (value, Wanted::Number)), interrupted.map(|value| (value, Wanted::Flag))]
}

fn check_turn(record: &Record<'_>, turn: &Value<'_>, out: &mut Findings<'_>) {
    two_names(record, turn, OF_TURNS, out);
    for (value, wanted) in converted_values(turn).into_iter().flatten() {
        numbers::check(record, value, wanted, out);
    }
    if let Some(value) = turn.get("retrieval_context") {
        characters(record, value, out);
    }
    for key in ["tools_called", "toolsCalled"] {
        if let Some(tools) = turn.get(key) {
            check_tools(record, tools, out);
        }
    }
}

fn check_tools(record: &Record<'_>, tools: &Value<'_>, out: &mut Findings<'_>) {
    for tool in tools.as_array().unwrap_or_default() {
        two_names(record, tool, OF_TOOLS, out);
    }
}

fn two_names(record: &Record<'_>, object: &Value<'_>, names: &Names, out: &mut Findings<'_>) {
    for (_, order) in names {
        let mut present = order.iter().filter_map(|&name| Some((name, object.get(name)?)));
        let Some((other, counting)) = present.next() else { continue };
        for (key, value) in present {
            out.replace_schema_findings(&value.span);
            // The scanner does not see a null that counts.
            if value.kind != Kind::Null && counting.kind != Kind::Null {
                out.report(GoldenProblem::TwoNames { key, other }, record.at(value));
            }
        }
    }
}

/// Reports a text or an object that is read as a list of its parts.
fn characters(record: &Record<'_>, value: &Value<'_>, out: &mut Findings<'_>) {
    let (what, becomes) = match &value.kind {
        Kind::String(_) => ("the text", "its characters"),
        Kind::Object(_) => ("the object", "its keys"),
        _ => return,
    };
    out.replace_schema_findings(&value.span);
    let fix = value.as_str().filter(|text| !text.is_empty()).map(|_| {
        RecordFix::not_safe("Write a list of the text, which guesses that it is one")
            .replace(value.span.start..value.span.start, "[")
            .replace(value.span.end..value.span.end, "]")
    });
    out.report_fixed(GoldenProblem::Characters { what, becomes }, record.at(value), fix);
}
