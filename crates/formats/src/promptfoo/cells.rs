//! The cells of assertions.

use super::assertion_rules::{
    AssertionProblem, COUNT, ERROR, NO_NUMBER, blank_item, reason, usual_limit, without_items, without_value,
};
use super::assertions::{Cell, Needs, is_count, of_python, type_of};
use super::meant::{ENDS_WITH, ENDS_WITH_ADVICE, may_be_meant, meant};
use crate::diagnose::{RecordFix, Value, clip, clip_quoted};
use crate::javascript::trim;
use evalcheck_records::csv::written;

/// A text in place of a cell.
pub(super) struct CellFix {
    title: &'static str,
    is_safe: bool,
    text: String,
}

impl CellFix {
    pub(super) fn of(self, cell: &Value<'_>) -> RecordFix {
        let fix = if self.is_safe { RecordFix::safe(self.title) } else { RecordFix::not_safe(self.title) };
        fix.replace(cell.span.clone(), written(&self.text, b','))
    }
}

/// Whether a cell of assertions, without white space around it, has no problem. False if unsure.
pub(super) fn is_plain(text: &str) -> bool {
    let Some(cell) = Cell::read(text) else { return !may_be_meant(text) };
    let has_number = cell.number.is_some();
    let is_complete = match cell.of.needs {
        Needs::List => cell.value.is_some_and(|value| {
            !value.contains(['"', '[']) && value.bytes().any(|byte| byte.is_ascii_alphanumeric())
        }),
        Needs::Limit => has_number,
        Needs::Filled => cell.value.is_some_and(|value| !value.is_empty() && !value.contains("(?")),
        Needs::Count => cell.value.is_some_and(is_count),
        Needs::Text | Needs::Texts | Needs::Value => cell.value.is_some(),
        Needs::Nothing => true,
    };
    // What follows `similar:` may begin with a metric.
    is_complete
        && (!has_number || cell.of.threshold.is_some())
        && (has_number || cell.of.name != "levenshtein")
        && cell.of.name != "similar"
}

/// The problem of a cell of assertions, and its fix.
pub(super) fn problem(cell: &str) -> Option<(AssertionProblem, Option<CellFix>)> {
    let text = trim(cell);
    if text.is_empty() {
        return None;
    }
    let Some(cell) = Cell::read(text) else { return literal(text) };
    let name = || cell.name.to_owned();
    let items = cell.items().unwrap_or(Ok(Vec::new()));
    if let Err(error) = &items {
        let value = trim(cell.value.unwrap_or_default());
        let advice = match value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
            Some(list) => format!("A cell has no list in JSON. Write {}: {}.", cell.name, clip(&list.replace('"', ""), 80)),
            None => "Put an item in double quotes as a whole, with each quote in it doubled, or none of it; in a CSV the cell is in quotes, and its quotes are doubled again.".to_owned(),
        };
        return Some((AssertionProblem::BrokenList { name: name(), why: reason(*error), advice }, None));
    }
    let needs_value = !matches!(cell.of.needs, Needs::Nothing | Needs::Limit);
    if let Some(number) =
        cell.number.filter(|_| cell.value.is_some() || !needs_value).filter(|_| cell.of.threshold.is_none())
    {
        let text = text.replacen(&format!("({number})"), "", 1);
        let fix = CellFix { title: "Delete the number, which loses it", is_safe: false, text };
        return Some((AssertionProblem::LostNumber { name: name(), number: number.to_owned() }, Some(fix)));
    }
    let value = cell.value.unwrap_or_default();
    let no_value = |effect| {
        let advice = "Write the value, or delete the assertion. An answer that is the name of a type is written as equals:NAME.";
        Some((AssertionProblem::NoValue { name: name(), effect, advice: advice.to_owned() }, None))
    };
    let no_limit = |effect, value: &str| {
        let advice =
            format!("Write the limit in parentheses, as in {}({}){value}.", cell.name, usual_limit(cell.of));
        Some((AssertionProblem::NoLimit { name: name(), effect, advice }, None))
    };
    match cell.of.needs {
        Needs::Limit if cell.number.is_none() => {
            let instead = format!("{}({value})", cell.name);
            let limit = Cell::read(&instead).and_then(|cell| cell.number);
            if limit.is_some_and(|limit| cell.of.divides(limit)) {
                let fix =
                    CellFix { title: "Write the limit in parentheses", is_safe: true, text: instead.clone() };
                let problem =
                    AssertionProblem::LimitAsValue { name: name(), value: clip_quoted(value), instead };
                return Some((problem, Some(fix)));
            }
            let is_latency = cell.of.name == "latency";
            no_limit(
                if is_latency { "its limit is then 0.75 milliseconds" } else { "its limit is then 0.75" },
                "",
            )
        }
        _ if needs_value && cell.value.is_none() => no_value(without_value(cell.of)),
        Needs::Filled | Needs::List if value.is_empty() => no_value(ERROR),
        Needs::Filled
            if cell.of.name == "regex"
                && let Some((found, advice)) = of_python(value) =>
        {
            let found = clip_quoted(found);
            Some((AssertionProblem::PythonPattern { name: name(), found, advice }, None))
        }
        Needs::Count if !is_count(value) => {
            let advice = "Write a number. Only JSON and YAML have an object with min and max.".to_owned();
            let (wanted, received) = (COUNT, NO_NUMBER);
            Some((AssertionProblem::WrongValue { name: name(), wanted, received, advice }, None))
        }
        Needs::Text if cell.of.name == "levenshtein" && cell.number.is_none() => {
            no_limit("its limit is then 0.75 edits", ":TEXT")
        }
        Needs::Texts if cell.of.name == "similar" => metric(&cell, text),
        Needs::List => match items {
            Ok(items) if items.is_empty() => no_value(without_items(cell.name)),
            Ok(items) if items.iter().any(|item| item.is_empty()) => Some((blank_item(cell.name)?, None)),
            Ok(_) if trim(value).starts_with('[') && trim(value).ends_with(']') => {
                Some((AssertionProblem::Brackets { name: name() }, None))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The problem of a cell, without white space around it, that is compared as a whole, and its fix.
fn literal(text: &str) -> Option<(AssertionProblem, Option<CellFix>)> {
    let meant = meant(text)?;
    let (advice, fix) = match meant.cell {
        Some((text, is_safe)) => {
            let title = if is_safe {
                "Write the assertion as promptfoo reads it"
            } else {
                "Write the assertion as promptfoo reads it, which guesses that one is meant"
            };
            (format!("Did you mean {}?", clip_quoted(&text)), Some(CellFix { title, is_safe, text }))
        }
        None if let Some(of) = type_of(&meant.name) => {
            let name = &meant.name;
            let advice = match of.threshold {
                Some(_) => format!(
                    "After {name} comes a colon, or a number such as 0.8 or 1000 in parentheses: with a point, and without commas."
                ),
                None => {
                    format!("After {name} comes a colon: promptfoo reads no number in parentheses there.")
                }
            };
            (advice, None)
        }
        None if meant.name.ends_with(ENDS_WITH) => (ENDS_WITH_ADVICE.to_owned(), None),
        None => ("Only JSON and YAML have this type: write the test there.".to_owned(), None),
    };
    Some((AssertionProblem::Literal { name: meant.name, advice }, fix))
}

/// The metric in a cell of `similar`, and its fix. `text` is the cell.
fn metric(cell: &Cell<'_>, text: &str) -> Option<(AssertionProblem, Option<CellFix>)> {
    let value = cell.value.unwrap_or_default();
    let (metric, _) = value.split_once(':')?;
    let metric = ["cosine", "dot", "euclidean"].into_iter().find(|known| *known == metric)?;
    let is_usual = metric == "cosine";
    let (advice, fix) = if is_usual {
        let text = text.replacen("cosine:", "", 1);
        let title = "Delete the metric, which is the usual one";
        (
            "Write similar: without the metric, which is the cosine.",
            Some(CellFix { title, is_safe: true, text }),
        )
    } else {
        ("Write the test in JSON or YAML, which have the type with its metric.", None)
    };
    let problem = AssertionProblem::Metric {
        name: cell.name.to_owned(),
        metric: metric.to_owned(),
        value: clip_quoted(value),
        advice,
    };
    Some((problem, fix))
}
