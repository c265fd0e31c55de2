//! The rules of a test in JSON, and those of assertions, which rows have too.

use std::borrow::Cow;

use evalcheck_core::suggest;

use super::assertions::{Cell, LIST, Needs, Type, is_known, nearest, type_of};
use super::schemas::{KEYS, captures};
use crate::cell_list::NotList;
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, Member, RecordFix, Value, clip, clip_quoted, json_string};
use crate::javascript::is_truthy;

evalcheck_core::rules! {
    /// Assertions that cannot tell a right output from a wrong one.
    AssertionProblem {
        Literal { name: String, advice: String } = "promptfoo/literal-assertion", Warning {
            summary: "A cell that promptfoo compares as a whole, although it looks like an assertion.",
            message: "the cell loads as equals: it looks like {name}, but promptfoo compares the output with the whole cell",
            hint: "{advice}",
            fix: Either,
            meaning: "A cell is an assertion only if it begins with the exact name of a type, in lower case, followed by a colon, by a number in parentheses, or by nothing. Any other cell is the text that the output has to equal, so that a right output fails.",
            invalid: "question,__expected\nCapital of Norway?,Contains: Oslo",
            valid: "question,__expected\nCapital of Norway?,contains: Oslo",
        }
        LostNumber { name: String, number: String } = "promptfoo/lost-number", Warning {
            summary: "A number in parentheses that promptfoo does not read.",
            message: "the cell loads without the number: promptfoo reads no number for {name}, and ({number}) is lost",
            hint: "Delete the number; a threshold goes into a column __config:__expected:threshold, which then has a number in each row.",
            fix: Unsafe,
            meaning: "Only answer-relevance, classifier, context-faithfulness, context-recall, context-relevance, cost, latency, levenshtein, perplexity, perplexity-score, rouge-n, similar and starts-with take a number in a cell. For other types it is dropped without a word, and the assertion passes at their usual threshold.",
            invalid: "question,__expected\nSay hello.,llm-rubric(0.8): is polite",
            valid: "question,__expected,__config:__expected:threshold\nSay hello.,llm-rubric: is polite,0.8",
        }
        LimitAsValue { name: String, value: String, instead: String } = "promptfoo/limit-as-value", Warning {
            summary: "A limit in the place of a value.",
            message: "the cell loads with the limit 0.75: {name} has no value, so that {value} is not read",
            hint: "Write {instead}.",
            fix: Safe,
            meaning: "The limit of cost, latency and perplexity is a number in parentheses. Without it the limit is 0.75, of latency 0.75 milliseconds, whatever follows the colon.",
            invalid: "question,__expected\nSay hello.,latency:1000",
            valid: "question,__expected\nSay hello.,latency(1000)",
        }
        NoLimit { name: String, effect: &'static str, advice: &'static str } = "promptfoo/no-limit", Warning {
            summary: "An assertion without its limit.",
            message: "{name} has no limit: it loads, and {effect}",
            hint: "{advice}",
            meaning: "latency and cost compare with a limit. In a cell it is a number in parentheses and 0.75 without one, which no latency in milliseconds is below. In JSON it is the threshold, and a test without one ends in an error.",
            invalid: "question,__expected\nSay hello.,latency",
            valid: "question,__expected\nSay hello.,latency(1000)",
        }
        Metric { name: String, metric: String, value: String, advice: &'static str } = "promptfoo/similar-metric", Warning {
            summary: "The metric of similar, which a cell cannot name.",
            message: "the cell loads as {name} with the text {value}: promptfoo reads no metric in a cell, and {metric} becomes a part of the text",
            hint: "{advice}",
            fix: Safe,
            meaning: "The types similar:cosine, similar:dot and similar:euclidean exist in JSON and YAML. In a cell, what follows similar: is the text that the output is compared with. The metric of similar is the cosine.",
            invalid: "question,__expected\nCapital of Norway?,similar:cosine:Oslo",
            valid: "question,__expected\nCapital of Norway?,similar:Oslo",
        }
        NoValue { name: String, effect: &'static str } = "promptfoo/no-value", Warning {
            summary: "An assertion without the value that it needs.",
            message: "{name} has no value to compare with: it loads, and {effect}",
            hint: "Write the value, or delete the assertion. An answer that is the name of a type is written as equals:NAME in a cell.",
            meaning: "Most types compare the output with a value. Without it promptfoo ends the test in an error, so that no output passes.",
            invalid: "question,__expected\nIn which language is promptfoo scripted?,python",
            valid: "question,__expected\nIn which language is promptfoo scripted?,equals:python",
        }
        WrongValue { name: String, wanted: &'static str, received: &'static str } = "promptfoo/wrong-value", Warning {
            summary: "An assertion with a value of a type that it does not take.",
            message: "{name} takes {wanted}, and the value is {received}: it loads, and the test ends in an error",
            hint: "Write {wanted}. For one of several texts there is contains-any, for all of them contains-all.",
            meaning: "promptfoo does not check the value when it loads tests. contains takes a text or a number, regex and starts-with take a text, and contains-any and contains-all take a list.",
            other_words: ["\"contains\" assertion type must have a string or number value"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": ["Oslo", "Bergen"]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo", "Bergen"]}]}"#,
        }
        BrokenList { name: String, why: &'static str } = "promptfoo/broken-list", Error {
            summary: "A cell with a list that promptfoo refuses.",
            message: "promptfoo refuses the file: in the list of {name}, {why}",
            hint: "Put an item in double quotes as a whole, with each quote in it doubled, or none of it; in a CSV the cell is in quotes, and its quotes are doubled again.",
            meaning: "The value of contains-any, contains-all and their kin is a list, cut at commas. An item that begins with a double quote ends with one, and a comma or the end of the cell follows.",
            other_words: ["Expected comma after quoted field in contains assertion value", "Unterminated quoted field in contains assertion value"],
            invalid: "question,__expected\nWhere?,\"contains-any: \"\"Oslo\"\" city\"",
            valid: "question,__expected\nWhere?,\"contains-any: \"\"Oslo city\"\"\"",
        }
        BrokenText { name: String, why: &'static str } = "promptfoo/broken-list-at-run", Warning {
            summary: "A list in a text that promptfoo cannot read when it runs the test.",
            message: "it loads, and the test ends in an error: in the list of {name}, {why}",
            hint: "Write a list of strings.",
            meaning: "A text in place of a list is cut at commas when the test is run. An item that begins with a double quote ends with one, and a comma or the end of the text follows.",
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": "\"Oslo\" city"}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo city"]}]}"#,
        }
        BlankItem { name: String, what: &'static str } = "promptfoo/blank-item", Warning {
            summary: "A list with an empty item, which every output contains.",
            message: "the list of {name} has an empty item: it loads, and every output {what}",
            hint: "Delete the empty item, or write its text.",
            meaning: "Every text contains the empty text. So contains-any passes whatever the output, and not-contains-any fails whatever the output.",
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo", ""]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains-any", "value": ["Oslo"]}]}"#,
        }
        Brackets { name: String } = "promptfoo/bracketed-list", Warning {
            summary: "A list in brackets in a cell.",
            message: "the cell loads with the brackets: promptfoo cuts the list of {name} at its commas only, and the brackets are text",
            hint: "Write the items without brackets, as in contains-any:Oslo,Bergen.",
            meaning: "A cell is no JSON and no Python. The first item begins with the bracket and the last one ends with it, so that neither is found in an output.",
            invalid: "question,__expected\nWhere?,\"contains-any:[Oslo, Bergen]\"",
            valid: "question,__expected\nWhere?,\"contains-any:Oslo, Bergen\"",
        }
        UnknownType { found: String, advice: String } = "promptfoo/unknown-type", Warning {
            summary: "A type of assertion that promptfoo does not know.",
            message: "{found} is no type of assertion: it loads, and the test ends in an error",
            hint: "{advice}",
            fix: Either,
            meaning: "promptfoo does not check the type when it loads tests. When it runs the test, it ends in \"Unknown assertion type\", and no output passes.",
            other_words: ["Unknown assertion type: contain"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contain", "value": "Oslo"}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": "Oslo"}]}"#,
        }
        AsText { advice: String } = "promptfoo/assertion-as-text", Error {
            summary: "An assertion as a text, where JSON needs an object.",
            title: "is no object",
            message: "Invalid assertion: expected an object, but got string",
            hint: "{advice}",
            fix: Safe,
            meaning: "The short form TYPE:VALUE is that of the cells of a CSV. In JSON an assertion is an object with a type.",
            other_words: ["Invalid assertion at tests[1].assert[0]: Expected an object, but got string"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": ["contains:Oslo"]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "contains", "value": "Oslo"}]}"#,
        }
        NestedSet = "promptfoo/nested-set", Error {
            summary: "A set of assertions in another set.",
            message: "a set of assertions in a set: promptfoo refuses the file",
            hint: "Put its assertions into the outer set, or beside it.",
            meaning: "An assert-set holds assertions, and no further set.",
            other_words: ["assert-set must have an 'assert' property that is an array"],
            invalid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "assert-set", "assert": [{"type": "assert-set", "assert": []}]}]}"#,
            valid: r#"{"vars": {"q": "Where?"}, "assert": [{"type": "assert-set", "assert": [{"type": "contains", "value": "Oslo"}]}]}"#,
        }
    }
}

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
        Path { found: String } = "promptfoo/path", Error {
            summary: "A test with the key path.",
            message: "the test is replaced by the tests of the file {found}, and its own variables and assertions are lost",
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

/// Why a list cannot be read.
pub(super) fn reason(error: NotList) -> &'static str {
    match error {
        NotList::TextAfterQuote => "text follows the closing quote of an item",
        NotList::Unclosed => "a double quote is not closed",
    }
}

/// The problem of an empty item, which every output contains.
pub(super) fn blank_item(name: &str) -> Option<AssertionProblem> {
    let is_not = name.starts_with("not-");
    let what = if is_not { "fails" } else { "passes" };
    name.ends_with("-any").then(|| AssertionProblem::BlankItem { name: name.to_owned(), what })
}

/// The effect of an assertion without its value.
pub(super) fn without_value(of: &Type) -> &'static str {
    match of.name {
        "equals" => "it compares with the text undefined",
        "javascript" => "no output passes",
        _ => ERROR,
    }
}

/// The effect of an assertion with a list without items.
pub(super) fn without_items(name: &str) -> &'static str {
    let passes = name.ends_with("-all") != name.starts_with("not-");
    if passes { "every output passes" } else { "no output passes" }
}

const ERROR: &str = "the test ends in an error";

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
                captures::USER_KEY if near_key(captures.text(range)).is_none() => {}
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
            let advice = if root.get("tests").is_some() {
                "The list under tests is a part of promptfoo's configuration: write the list alone into the file."
            } else {
                "Put the texts that prompts use under vars, and what is expected of the output into assert."
            };
            out.report_fixed(TestProblem::Empty { advice }, record.at_start(root), wrapped(record, members));
        }
        if let Some(path) = root.get("path").filter(|path| path.as_str().is_some()) {
            let found = clip_quoted(path.as_str().unwrap_or_default());
            out.report(TestProblem::Path { found }, record.at(path));
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
        for member in root.live_members().filter(|_| is_test) {
            if let Some(near) = near_key(&member.key).filter(|near| missing.contains(near)) {
                let effect = match near {
                    "assert" => "it has no assertion, and passes whatever the output",
                    "vars" => "its prompts have no variables",
                    _ => "it has no effect",
                };
                let fix = RecordFix::not_safe(format!("Rename the key to \"{near}\", which is a guess"));
                let fix = fix.replace(member.key_span.clone(), json_string(near));
                let problem = TestProblem::UnreadKey { found: clip_quoted(&member.key), near, effect };
                out.report_fixed(problem, record.at(&member.value), Some(fix));
            }
        }
        for value in root.get("assert").and_then(Value::as_array).unwrap_or_default() {
            assertion(record, value, false, out);
        }
    }
}

/// The captures of an assertion.
#[derive(Default)]
struct Seen<'a> {
    name: Option<&'a str>,
    value: Option<(&'a [u8], Option<&'static str>)>,
    has_limit: bool,
}

impl Seen<'_> {
    fn is_clean(&self) -> bool {
        let Some(of) = self.name.and_then(type_of) else { return false };
        let text = self.value.filter(|(_, kind)| *kind == Some("a string")).map(|(text, _)| text);
        match of.needs {
            Needs::Nothing => true,
            Needs::Value => self.value.is_some(),
            Needs::Filled => text.is_some_and(|text| !text.is_empty()),
            // A quote may be that of an item.
            Needs::List => text.is_some_and(|text| {
                memchr::memchr(b'"', text).is_none() && text.iter().any(u8::is_ascii_alphanumeric)
            }),
            Needs::Limit => self.has_limit,
        }
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

/// The fix of a flat record: its values as variables, and a text under `expected` as an assertion.
fn wrapped(record: &Record<'_>, members: &[Member<'_>]) -> Option<RecordFix> {
    let span = &record.root.span;
    let is_meant = |member: &Member<'_>| KEYS.contains(&&*member.key) || member.key == "tests";
    if members.is_empty() || members.iter().any(is_meant) {
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
    let assert = format!("}}, \"assert\": [{{\"type\": \"equals\", \"value\": {raw}}}]}}");
    Some(fix.delete_member(members, index).replace(span.end - 1..span.end, assert))
}

/// Checks an assertion of JSON; `is_inner` if it is one of a set.
fn assertion(record: &Record<'_>, value: &Value<'_>, is_inner: bool, out: &mut Findings<'_>) {
    if let Some(text) = value.as_str() {
        let cell = Cell::read(text.trim());
        let fix = cell.as_ref().and_then(|cell| object(cell, text)).map(|json| {
            RecordFix::safe("Write the assertion as an object").replace(value.span.clone(), json)
        });
        let advice = match &fix {
            Some(fix) => format!("Write {}.", clip(&fix.edits[0].1, 120)),
            None => "Write an object, such as {\"type\": \"equals\", \"value\": \"...\"}.".to_owned(),
        };
        out.replace_schema_findings(&value.span);
        return out.report_fixed(AssertionProblem::AsText { advice }, record.at(value), fix);
    }
    let Some(of) = value.get("type") else { return };
    let Some(name) = of.as_str() else { return };
    if name == "assert-set" {
        if is_inner {
            return out.report(AssertionProblem::NestedSet, record.at(of));
        }
        for inner in value.get("assert").and_then(Value::as_array).unwrap_or_default() {
            assertion(record, inner, true, out);
        }
        return;
    }
    let Some(known) = type_of(name) else {
        if !is_known(name) {
            let near = nearest(name);
            let advice = near.as_ref().map_or_else(
                || "promptfoo's documentation lists the types, such as equals, contains, regex and llm-rubric.".to_owned(),
                |near| format!("Did you mean \"{near}\"?"),
            );
            let fix = near.map(|near| {
                let is_certain = suggest::is_same_word(name, &near) && !name.contains('_');
                RecordFix::safe_if(is_certain, format!("Write the type \"{near}\""))
                    .replace(of.span.clone(), json_string(&near))
            });
            let problem = AssertionProblem::UnknownType { found: clip_quoted(name), advice };
            out.report_fixed(problem, record.at(of), fix);
        }
        return;
    };
    let own = value.get("value");
    let text = own.and_then(Value::as_str);
    let name = || name.to_owned();
    let no_value = |effect| Some(AssertionProblem::NoValue { name: name(), effect });
    let wrong_value = |wanted| {
        let received = match own?.kind {
            Kind::Boolean(_) => "true or false",
            Kind::Number(..) => "a number",
            Kind::Array(_) => "a list",
            _ => "an object",
        };
        Some(AssertionProblem::WrongValue { name: name(), wanted, received })
    };
    let is_missing = own.is_none_or(|own| own.kind == Kind::Null);
    let problem = match known.needs {
        Needs::Value | Needs::List if is_missing => no_value(without_value(known)),
        Needs::Filled | Needs::List if is_missing || text == Some("") => no_value(ERROR),
        Needs::List => match (text, own.and_then(Value::as_array)) {
            (Some(text), _) => match LIST.items(text) {
                Err(error) => Some(AssertionProblem::BrokenText { name: name(), why: reason(error) }),
                Ok(items) if items.is_empty() => no_value(without_items(&name())),
                Ok(items) => items.contains(&Cow::Borrowed("")).then(|| blank_item(&name())).flatten(),
            },
            (None, Some([])) => no_value(without_items(&name())),
            (None, Some(items)) => {
                let is_blank = |item: &Value<'_>| item.as_str() == Some("");
                items.iter().any(is_blank).then(|| blank_item(&name())).flatten()
            }
            _ => wrong_value("a list"),
        },
        Needs::Filled if text.is_none() => {
            let is_number = own.is_some_and(|own| matches!(own.kind, Kind::Number(..)));
            match known.name {
                "contains" | "icontains" if is_number => None,
                "contains" | "icontains" => wrong_value("a text or a number"),
                _ => wrong_value("a text"),
            }
        }
        Needs::Limit if value.get("threshold").is_none() => Some(AssertionProblem::NoLimit {
            name: name(),
            effect: ERROR,
            advice: "Write the limit as threshold: of latency in milliseconds.",
        }),
        _ => None,
    };
    if let Some(problem) = problem {
        out.report(problem, record.at(own.unwrap_or(of)));
    }
}

/// An assertion of a cell as JSON; `None` if a text is no assertion for certain, or something of it is lost.
fn object(cell: &Cell<'_>, text: &str) -> Option<String> {
    let is_named = text.trim().starts_with(cell.name);
    if !is_named || cell.number.is_some() && cell.of.threshold.is_none() || cell.of.needs == Needs::Limit {
        return None;
    }
    let mut json = format!("{{\"type\": {}", json_string(cell.name));
    match cell.items() {
        Some(items) => {
            let items: Vec<String> = items.ok()?.iter().map(|item| json_string(item)).collect();
            json += &[", \"value\": [", &items.join(", "), "]"].concat();
        }
        None if cell.of.needs != Needs::Nothing && cell.value.is_none() => return None,
        None => {
            let value = cell.value.map(|value| [", \"value\": ", &json_string(value)].concat());
            json += &value.unwrap_or_default();
        }
    }
    if let Some(number) = cell.number.and_then(|number| number.parse::<f64>().ok()) {
        json += &[", \"threshold\": ", &number.to_string()].concat();
    }
    Some(json + "}")
}
