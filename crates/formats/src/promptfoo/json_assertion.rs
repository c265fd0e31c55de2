//! Assertions in JSON.

use std::borrow::Cow;

use evalcheck_core::suggest;

use super::assertion_rules::{
    AssertionProblem, COUNT, ERROR, NO_NUMBER, blank_item, reason, usual_limit, without_items, without_value,
};
use super::assertions::{Cell, LIST, Needs, Type, is_count, is_known, of_python, type_of};
use super::meant::{ENDS_WITH, ENDS_WITH_ADVICE, nearest};
use super::rules::TestProblem;
use crate::checks::{Findings, Record};
use crate::diagnose::{Kind, Member, RecordFix, Value, clip, clip_quoted, json_string};

/// The captures of an assertion.
#[derive(Default)]
pub(super) struct Seen<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) value: Option<(&'a [u8], Option<&'static str>)>,
    pub(super) has_limit: bool,
}

impl Seen<'_> {
    pub(super) fn is_clean(&self) -> bool {
        let Some(of) = self.name.and_then(type_of) else { return false };
        let text = self.value.filter(|(_, kind)| *kind == Some("a string")).map(|(text, _)| text);
        match of.needs {
            Needs::Nothing => true,
            Needs::Value => self.value.is_some(),
            Needs::Text | Needs::Texts => text.is_some(),
            Needs::Count => self.value.is_some_and(|(_, kind)| kind == Some("a number")),
            Needs::Filled => {
                text.is_some_and(|text| !text.is_empty() && memchr::memmem::find(text, b"(?").is_none())
            }
            // A quote may be that of an item.
            Needs::List => text.is_some_and(|text| {
                memchr::memchr(b'"', text).is_none() && text.iter().any(u8::is_ascii_alphanumeric)
            }),
            Needs::Limit => self.has_limit,
        }
    }
}

/// Checks the assertions of a test, or of a set if `is_inner`.
pub(super) fn assertions(record: &Record<'_>, of: &Value<'_>, is_inner: bool, out: &mut Findings<'_>) {
    let Some(list) = of.get("assert") else { return };
    match &list.kind {
        Kind::Array(all) => all.iter().for_each(|value| assertion(record, value, is_inner, out)),
        Kind::String(text) if !text.is_empty() => as_text(record, list, text, true, out),
        _ => {}
    }
}

/// Reports an assertion as a text, in place of an object or of the list of all.
fn as_text(record: &Record<'_>, value: &Value<'_>, text: &str, is_list: bool, out: &mut Findings<'_>) {
    let wanted = if is_list { "a list of objects" } else { "an object" };
    let written = |json: String| if is_list { format!("[{json}]") } else { json };
    let fix = of_cell(text).map(|json| {
        RecordFix::safe("Write the assertion as an object").replace(value.span.clone(), written(json))
    });
    let example = || written(r#"{"type": "equals", "value": "..."}"#.to_owned());
    let advice = match &fix {
        Some(fix) => format!("Write {}.", clip(&fix.edits[0].1, 120)),
        None => format!("Write {wanted}, such as {}.", example()),
    };
    out.replace_schema_findings(&value.span);
    out.report_fixed(AssertionProblem::AsText { wanted, advice }, record.at(value), fix);
}

/// Checks an assertion of JSON; `is_inner` if it is one of a set.
fn assertion(record: &Record<'_>, value: &Value<'_>, is_inner: bool, out: &mut Findings<'_>) {
    if let Some(text) = value.as_str() {
        return as_text(record, value, text, false, out);
    }
    let Some(of) = value.get("type") else { return };
    let Some(name) = of.as_str() else { return };
    if name == "assert-set" {
        if is_inner {
            return out.report(AssertionProblem::NestedSet, record.at(of));
        }
        return assertions(record, value, true, out);
    }
    let Some(known) = type_of(name) else {
        if !is_known(name) {
            let near = nearest(name);
            let advice = near.as_ref().map_or_else(
                || match name {
                    ENDS_WITH => ENDS_WITH_ADVICE.to_owned(),
                    _ => "promptfoo's documentation lists the types, such as equals, contains, regex and llm-rubric.".to_owned(),
                },
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
    let mut given = Vec::new();
    for member in value.live_members() {
        if let Some(near) = near_key(&member.key).filter(|near| value.get(near).is_none()) {
            if near == "value" && known.needs != Needs::Nothing {
                continue;
            }
            let fix = RecordFix::not_safe(format!("Rename the key to \"{near}\", which is a guess"));
            let fix = fix.replace(member.key_span.clone(), json_string(near));
            let fix = Some(fix).filter(|_| !given.contains(&near));
            given.push(near);
            let found = clip_quoted(&member.key);
            let problem = TestProblem::UnreadKey { found, near, effect: "it has no effect" };
            out.report_fixed(problem, record.at(&member.value), fix);
        }
    }
    if let Some((problem, fix)) = problem(value, name, known) {
        out.report_fixed(problem, record.at(value.get("value").unwrap_or(of)), fix);
    }
}

/// The problem of an assertion of a known type, and its fix.
fn problem(
    value: &Value<'_>,
    name: &str,
    known: &'static Type,
) -> Option<(AssertionProblem, Option<RecordFix>)> {
    let own = value.get("value");
    let text = own.and_then(Value::as_str);
    let name = || name.to_owned();
    let no_value = |effect| {
        let is_other = |member: &&Member<'_>| own.is_none() && near_key(&member.key) == Some("value");
        let other = value.live_members().find(is_other);
        let advice = match other {
            Some(other) => format!("Did you mean \"value\" in place of {}?", clip_quoted(&other.key)),
            None => "Write the value, or delete the assertion.".to_owned(),
        };
        let fix = other.map(|other| {
            RecordFix::not_safe("Rename the key to \"value\", which is a guess")
                .replace(other.key_span.clone(), json_string("value"))
        });
        Some((AssertionProblem::NoValue { name: name(), effect, advice }, fix))
    };
    let wrong_value = |wanted| {
        let received = match own?.kind {
            Kind::Boolean(_) => "true or false",
            Kind::Number(..) => "a number",
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
            _ => NO_NUMBER,
        };
        let advice = match (known.name, &own?.kind) {
            ("contains" | "icontains", Kind::Array(_)) => {
                format!("For one of several texts there is {0}-any, for all of them {0}-all.", known.name)
            }
            _ => format!("Write {wanted}."),
        };
        Some((AssertionProblem::WrongValue { name: name(), wanted, received, advice }, None))
    };
    let without_fix = |problem| Some((problem, None));
    let kind = own.map(|own| &own.kind);
    let is_missing = kind.is_none_or(|kind| *kind == Kind::Null);
    match known.needs {
        Needs::Nothing => None,
        Needs::Limit if value.get("threshold").is_some() => None,
        Needs::Limit => {
            let effect = if known.name.starts_with("perplexity") { "every output passes" } else { ERROR };
            let advice = format!("Write the limit, as in \"threshold\": {}.", usual_limit(known));
            without_fix(AssertionProblem::NoLimit { name: name(), effect, advice })
        }
        Needs::Filled if is_missing || text == Some("") => no_value(ERROR),
        Needs::List if text == Some("") => no_value(ERROR),
        _ if is_missing => no_value(without_value(known)),
        Needs::Text if text.is_none() => wrong_value("a text"),
        Needs::Text | Needs::Value => None,
        Needs::Texts if matches!(kind, Some(Kind::String(_) | Kind::Array(_))) => None,
        Needs::Texts => wrong_value("a text, or a list of texts"),
        Needs::Count => match kind {
            Some(Kind::Number(..) | Kind::Object(_)) => None,
            _ if text.is_some_and(is_count) => None,
            _ => wrong_value(COUNT),
        },
        Needs::List => match (text, own.and_then(Value::as_array)) {
            (Some(text), _) => match LIST.items(text) {
                Err(error) => without_fix(AssertionProblem::BrokenText { name: name(), why: reason(error) }),
                Ok(items) if items.is_empty() => no_value(without_items(&name())),
                Ok(items) if items.contains(&Cow::Borrowed("")) => without_fix(blank_item(&name())?),
                Ok(_) => None,
            },
            (None, Some([])) => no_value(without_items(&name())),
            (None, Some(items)) => {
                let is_blank = |item: &Value<'_>| item.as_str() == Some("");
                items.iter().any(is_blank).then(|| blank_item(&name())).flatten().and_then(without_fix)
            }
            _ => wrong_value("a list"),
        },
        Needs::Filled => match (text, kind) {
            (Some(pattern), _) if known.name == "regex" => {
                let (found, advice) = of_python(pattern)?;
                let found = clip_quoted(found);
                without_fix(AssertionProblem::PythonPattern { name: name(), found, advice })
            }
            (Some(_), _) => None,
            (None, Some(Kind::Number(..))) if known.name.ends_with("contains") => None,
            _ if known.name.ends_with("contains") => wrong_value("a text or a number"),
            _ => wrong_value("a text"),
        },
    }
}

/// The key of an assertion that an unknown one may be meant as.
pub(super) fn near_key(key: &str) -> Option<&'static str> {
    const NEAR: [&str; 5] = ["value", "threshold", "weight", "metric", "transform"];
    let is_near =
        |name: &&str| suggest::is_same_word(key, name) || *name != "value" && suggest::resembles(key, name);
    match key {
        "values" | "expected" => Some("value"),
        _ => NEAR.into_iter().find(is_near),
    }
}

/// A text that a cell reads as an assertion, as JSON; `None` if it is none for certain, or something of it is lost.
pub(super) fn of_cell(text: &str) -> Option<String> {
    let cell = Cell::read(text.trim())?;
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
