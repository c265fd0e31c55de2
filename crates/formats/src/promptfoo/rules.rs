//! The rules of a test in JSON.

use evalcheck_core::suggest;

use super::json_assertion::{self, Seen, assertions, of_cell};
use super::schemas::{KEYS, captures};
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, Member, RecordFix, Value, clip_quoted, json_string};
use crate::javascript::is_truthy;

evalcheck_core::rules! {
    /// Problems of a test in JSON beyond its schema and its assertions.
    TestProblem {
        Empty { advice: &'static str } = "promptfoo/empty-test", Error {
            summary: "A test without any of the keys that make one.",
            message: "Test case must contain one of: assert, vars, options, metadata, provider, providerOutput, threshold",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "The texts of a test are under vars, from where the prompts take them, and what is expected of the output is in assert. promptfoo refuses a file with a test that has none of these keys, or has them without a value.",
            other_words: ["Test case must contain one of the following properties: assert, vars, options, metadata, provider, providerOutput, threshold."],
            invalid: r#"{"question": "Capital of Norway?", "expected": "Oslo"}"#,
            valid: r#"{"vars": {"question": "Capital of Norway?"}, "assert": [{"type": "equals", "value": "Oslo"}]}"#,
        }
        Path { effect: String } = "promptfoo/path", Error {
            summary: "A test with the key path.",
            message: "{effect}",
            hint: "Rename the key, or put a value that a prompt uses under vars. Name a file of tests in the configuration.",
            meaning: "promptfoo takes an object with the key path for the place of a file of tests, and reads that file in its stead: it stops if the file does not exist.",
            other_words: ["ENOENT: no such file or directory, open 'other.csv'"],
            invalid: r#"{"vars": {"q": "Where?"}, "path": "other.csv"}"#,
            valid: r#"{"vars": {"q": "Where?", "path": "other.csv"}}"#,
        }
        VarsFile { found: &'static str } = "promptfoo/vars-file", Warning {
            summary: "Variables that are the path of a file.",
            message: "{found} in place of the variables: it loads as the path of YAML files, and without such files the test has no variables",
            hint: "Write an object with the variables, such as {{\"question\": \"...\"}}.",
            meaning: "A text or a list under vars names YAML files with variables. If there are none, promptfoo goes on without variables and without a word, and prompts are rendered with gaps.",
            invalid: r#"{"vars": "Capital of Norway?", "assert": [{"type": "equals", "value": "Oslo"}]}"#,
            valid: r#"{"vars": {"question": "Capital of Norway?"}, "assert": [{"type": "equals", "value": "Oslo"}]}"#,
        }
        AssertInVars = "promptfoo/assert-in-vars", Warning {
            summary: "Assertions among the variables.",
            message: "\"assert\" in vars loads as a variable: promptfoo checks none of it",
            hint: "Move it out of vars, beside it.",
            meaning: "Assertions are beside vars. promptfoo warns too, and the test passes whatever the output.",
            other_words: ["Warning: Found 'assert' key in vars. This is likely a mistake in your configuration."],
            invalid: r#"{"vars": {"q": "Where?", "assert": [{"type": "equals", "value": "Oslo"}]}}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "equals", "value": "Oslo"}]}"#,
        }
        UnreadKey { found: String, near: &'static str, effect: &'static str } = "promptfoo/unread-key", Warning {
            summary: "A key that promptfoo does not read, and that looks like one that is missing.",
            message: "the test loads, but promptfoo does not read {found}: {effect}",
            hint: "Did you mean \"{near}\"?",
            fix: Unsafe,
            meaning: "promptfoo keeps keys that it does not know, and reads none of them. Under a misspelt assert there is no assertion, and the test passes whatever the output.",
            invalid: r#"{"vars": {"q": "Where?"}, "asserts": [{"type": "equals", "value": "Oslo"}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "equals", "value": "Oslo"}]}"#,
        }
    }
}

/// The checks of a test in JSON.
#[derive(Debug)]
pub(super) struct Test;

impl RecordChecks for Test {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let (mut is_test, mut own) = (false, Seen::default());
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            match *number {
                captures::KEPT => is_test |= !range.is_empty() && captures.bytes(range) != b"0",
                captures::TYPE => own.name = Some(captures.text(range)),
                captures::VALUE => own.value = Some((captures.bytes(range), captures.kind(index))),
                captures::LIMIT => own.has_limit = true,
                captures::ASSERTION => {
                    if !std::mem::take(&mut own).is_clean() {
                        return false;
                    }
                }
                captures::INNER_KEY if json_assertion::near_key(captures.text(range)).is_none() => {}
                captures::USER_KEY if is_harmless(captures.text(range)) => {}
                _ => return false,
            }
        }
        is_test
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Kind::Object(members) = &record.root.kind else { return };
        let root = record.root;
        let is_test = KEYS.iter().any(|key| root.get(key).is_some_and(|value| makes_test(key, value)));
        if !is_test {
            let advice = if is_results(root) {
                "This is a file of results. Check the file of tests from which they come."
            } else if root.get("tests").is_some() {
                "The list under tests is a part of promptfoo's configuration: write the list alone into the file."
            } else {
                "Put the texts that prompts use under vars, and what is expected of the output into assert."
            };
            out.report_fixed(TestProblem::Empty { advice }, record.at_start(root), wrapped(record, members));
        }
        if let Some(path) = root.get(PATH) {
            let effect = match path.as_str().map(clip_quoted) {
                Some(file) => format!(
                    "the test is replaced by the tests of the file {file}, and its own variables and assertions are lost"
                ),
                None => format!(
                    "promptfoo takes path for the name of a file of tests, and stops at a value of the type {}",
                    path.type_name()
                ),
            };
            out.report(TestProblem::Path { effect }, record.at(path));
        }
        if let Some(vars) = root.get("vars") {
            let found = match &vars.kind {
                Kind::String(_) => Some("a text"),
                Kind::Array(files) if !files.is_empty() => Some("a list"),
                _ => None,
            };
            if let Some(found) = found {
                out.report(TestProblem::VarsFile { found }, record.at(vars));
            }
            if let Some(assert) = vars.get("assert").filter(|assert| is_truthy(assert)) {
                out.report(TestProblem::AssertInVars, record.at(assert));
            }
        }
        let missing: Vec<&str> = NEAR.into_iter().filter(|key| root.get(key).is_none()).collect();
        let mut given = Vec::new();
        for member in root.live_members().filter(|_| is_test) {
            if let Some(near) = near_key(&member.key).filter(|near| missing.contains(near)) {
                let effect = match near {
                    "assert" => "it has no assertion, and passes whatever the output",
                    "vars" => "its prompts have no variables",
                    _ => "it has no effect",
                };
                // Two keys cannot both become one.
                let fix = renamed(record, member, near).filter(|_| !given.contains(&near));
                given.extend(fix.is_some().then_some(near));
                let problem = TestProblem::UnreadKey { found: clip_quoted(&member.key), near, effect };
                out.report_fixed(problem, record.at(&member.value), fix);
            }
        }
        assertions(record, root, false, out);
    }
}

/// Whether a value makes the record a test.
fn makes_test(key: &str, value: &Value<'_>) -> bool {
    match (key, &value.kind) {
        ("threshold", kind) => matches!(kind, Kind::Number(..)),
        // The path of a file.
        ("vars", Kind::String(_)) => true,
        _ => is_truthy(value),
    }
}

/// The key that makes a test the place of a file of tests, whatever its value.
const PATH: &str = "path";

/// Whether a key that no test has does nothing.
fn is_harmless(key: &str) -> bool {
    key != PATH && near_key(key).is_none()
}

/// The keys that another may be meant as.
const NEAR: [&str; 7] =
    ["assert", "vars", "description", "threshold", "options", "metadata", "providerOutput"];

/// The key that an unknown key of a test may be meant as.
fn near_key(key: &str) -> Option<&'static str> {
    const OTHER_NAMES: &[(&str, &str)] = &[
        ("assertion", "assert"),
        ("assertions", "assert"),
        ("expected", "assert"),
        ("variables", "vars"),
        ("var", "vars"),
    ];
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == key).map(|(_, near)| *near);
    // A word of four letters is near too many others.
    let is_near = |name: &&str| {
        if *name == "vars" { suggest::is_same_word(key, name) } else { suggest::resembles(key, name) }
    };
    other.or_else(|| NEAR.into_iter().find(is_near))
}

/// Whether an object is the file of results that promptfoo writes.
fn is_results(root: &Value<'_>) -> bool {
    ["results", "config"].iter().all(|key| root.get(key).is_some())
}

/// An assertion for a text under a key that promptfoo does not read: one as in a cell, or else the text that the output has to equal. `raw`
/// is the text as written.
fn expected_as(text: &str, raw: &str) -> String {
    of_cell(text).unwrap_or_else(|| format!("{{\"type\": \"equals\", \"value\": {raw}}}"))
}

/// The fix of a key that is probably meant as another one; `None` if the value is of another type.
fn renamed(record: &Record<'_>, member: &Member<'_>, near: &str) -> Option<RecordFix> {
    let (key, value) = (member.key_span.clone(), &member.value);
    let raw = std::str::from_utf8(record.text.bytes.get(value.span.clone())?).ok()?;
    let is_typed = |value: &Value<'_>| value.get("type").is_some_and(|of| of.as_str().is_some());
    let assertion = match (near, &value.kind) {
        ("assert", Kind::String(text)) => expected_as(text, raw),
        ("assert", Kind::Object(_)) if is_typed(value) => raw.to_owned(),
        ("assert", Kind::Array(all)) if !all.iter().all(is_typed) => return None,
        ("assert", Kind::Array(_))
        | ("vars" | "options" | "metadata", Kind::Object(_))
        | ("description" | "providerOutput", Kind::String(_))
        | ("threshold", Kind::Number(..)) => {
            let title = format!("Rename the key to \"{near}\", which is a guess");
            return Some(RecordFix::not_safe(title).replace(key, json_string(near)));
        }
        _ => return None,
    };
    let fix = RecordFix::not_safe("Write the value as an assertion, which guesses what it is");
    Some(fix.replace(key.start..value.span.end, format!("\"assert\": [{assertion}]")))
}

/// The fix of a flat record: its values as variables, and a text under `expected` as an assertion.
fn wrapped(record: &Record<'_>, members: &[Member<'_>]) -> Option<RecordFix> {
    let span = &record.root.span;
    let is_meant = |member: &Member<'_>| KEYS.contains(&&*member.key) || member.key == "tests";
    if members.is_empty() || is_results(record.root) || members.iter().any(is_meant) {
        return None;
    }
    let expected =
        members.iter().position(|member| member.key == "expected" && member.value.as_str().is_some());
    let title = match expected {
        Some(_) => {
            "Put the values under vars and the text under expected into assert, which guesses what they are"
        }
        None => "Put the values under vars, which guesses that prompts use them",
    };
    let fix = RecordFix::not_safe(title).replace(span.start..span.start + 1, "{\"vars\": {");
    let Some(index) = expected.filter(|_| members.len() > 1) else {
        return Some(fix.replace(span.end - 1..span.end, "}}"));
    };
    let value = &members[index].value.span;
    let raw = std::str::from_utf8(record.text.bytes.get(value.clone())?).ok()?;
    let text = members[index].value.as_str().unwrap_or_default();
    let assert = format!("}}, \"assert\": [{}]}}", expected_as(text, raw));
    Some(fix.delete_member(members, index).replace(span.end - 1..span.end, assert))
}
