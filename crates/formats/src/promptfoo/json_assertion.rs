//! Assertions in JSON.

use std::borrow::Cow;

use evalcheck_core::suggest;

use super::assertion_rules::{AssertionProblem, ERROR, blank_item, reason, without_items, without_value};
use super::assertions::{Cell, LIST, Needs, is_known, type_of};
use super::meant::nearest;
use crate::checks::{Findings, Record};
use crate::diagnose::{Kind, RecordFix, Value, clip, clip_quoted, json_string};

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
            Needs::Filled => text.is_some_and(|text| !text.is_empty()),
            // A quote may be that of an item.
            Needs::List => text.is_some_and(|text| {
                memchr::memchr(b'"', text).is_none() && text.iter().any(u8::is_ascii_alphanumeric)
            }),
            Needs::Limit => self.has_limit,
        }
    }
}

/// Checks an assertion of JSON; `is_inner` if it is one of a set.
pub(super) fn assertion(record: &Record<'_>, value: &Value<'_>, is_inner: bool, out: &mut Findings<'_>) {
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
