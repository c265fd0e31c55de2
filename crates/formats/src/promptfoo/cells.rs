//! The cells of assertions.

use super::assertion_rules::{AssertionProblem, blank_item, reason, without_items, without_value};
use super::assertions::{Cell, Needs, type_of};
use super::meant::{may_be_meant, meant};
use crate::diagnose::{RecordFix, Value, clip_quoted};
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
        Needs::Filled => cell.value.is_some_and(|value| !value.is_empty()),
        Needs::Value => cell.value.is_some(),
        Needs::Nothing => true,
    };
    // What follows `similar:` may begin with a metric.
    is_complete && (!has_number || cell.of.threshold.is_some()) && cell.of.name != "similar"
}

/// The problem of a cell of assertions, and its fix.
pub(super) fn problem(cell: &str) -> Option<(AssertionProblem, Option<CellFix>)> {
    let text = trim(cell);
    if text.is_empty() {
        return None;
    }
    let Some(cell) = Cell::read(text) else {
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
            None if type_of(&meant.name).is_some() => (
                format!("What follows {} is a colon, or a number in parentheses and a colon.", meant.name),
                None,
            ),
            None => ("Only JSON and YAML have this type: write the test there.".to_owned(), None),
        };
        return Some((AssertionProblem::Literal { name: meant.name, advice }, fix));
    };
    let name = || cell.name.to_owned();
    let items = cell.items().unwrap_or(Ok(Vec::new()));
    if let Err(error) = &items {
        return Some((AssertionProblem::BrokenList { name: name(), why: reason(*error) }, None));
    }
    let needs_value = matches!(cell.of.needs, Needs::Value | Needs::Filled | Needs::List);
    if let Some(number) =
        cell.number.filter(|_| cell.value.is_some() || !needs_value).filter(|_| cell.of.threshold.is_none())
    {
        let text = text.replacen(&format!("({number})"), "", 1);
        let fix = CellFix { title: "Delete the number, which loses it", is_safe: false, text };
        return Some((AssertionProblem::LostNumber { name: name(), number: number.to_owned() }, Some(fix)));
    }
    let value = cell.value.unwrap_or_default();
    let no_value = |effect| Some((AssertionProblem::NoValue { name: name(), effect }, None));
    match cell.of.needs {
        Needs::Limit if cell.number.is_none() => {
            let instead = format!("{}({value})", cell.name);
            let is_number = Cell::read(&instead).is_some_and(|cell| cell.number.is_some());
            if is_number {
                let fix =
                    CellFix { title: "Write the limit in parentheses", is_safe: true, text: instead.clone() };
                let problem =
                    AssertionProblem::LimitAsValue { name: name(), value: clip_quoted(value), instead };
                return Some((problem, Some(fix)));
            }
            let advice = "Write the limit in parentheses, as in latency(1000).";
            let effect = match cell.of.name {
                "latency" => "its limit is then 0.75 milliseconds",
                _ => "its limit is then 0.75",
            };
            Some((AssertionProblem::NoLimit { name: name(), effect, advice }, None))
        }
        Needs::Value if cell.value.is_none() => no_value(without_value(cell.of)),
        Needs::Filled | Needs::List if value.is_empty() => no_value("the test ends in an error"),
        Needs::Value if cell.of.name == "similar" => {
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
                name: name(),
                metric: metric.to_owned(),
                value: clip_quoted(value),
                advice,
            };
            Some((problem, fix))
        }
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
