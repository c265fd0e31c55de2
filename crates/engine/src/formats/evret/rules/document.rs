//! The checks of one element of a JSON document.

use std::collections::BTreeMap;

use super::super::{QUERIES, names};
use super::clean;
use crate::explain::{Kind, Value, clip};
use crate::formats::checks::{Captures, Findings, Record, RecordChecks};
use crate::rules::Evret;

/// The checks of a query or of a document.
#[derive(Debug)]
pub(in super::super) struct Element;

impl RecordChecks for Element {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        if captures.list == QUERIES { clean::query(captures) } else { clean::document(captures) }
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        if !matches!(record.root.kind, Kind::Object(_)) {
            return;
        }
        if record.list == QUERIES {
            query(record, out);
        } else {
            document(record, out);
        }
    }
}

fn query(record: &Record<'_>, out: &mut Findings<'_>) {
    let root = record.root;
    one_of(record, out, ["query_id", "id"]);
    one_of(record, out, ["query_text", "query"]);
    let list = |key: &str| root.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let (relevant, answers) = (list("relevant_doc_ids"), list("expected_answers"));
    let (alias, deprecated) = (list("expected_doc_ids"), list("relevant_docs"));
    if let Some(value) = root.get("relevant_docs").filter(|value| matches!(value.kind, Kind::Array(_))) {
        let unused = relevant.or(answers).or(alias).is_some();
        let becomes = if unused {
            "it is ignored, because there are ids or answers under the names of today"
        } else {
            "it is read as \"relevant_doc_ids\""
        };
        let path = record.path(&["relevant_docs"]).path();
        out.report(Evret::Deprecated { what: "the key", becomes }, value.span.clone(), path);
    }
    let ids = if relevant.is_some() { "relevant_doc_ids" } else { "expected_doc_ids" };
    if let (Some(_), Some(_)) = (relevant.or(alias), answers) {
        let span = root.get("expected_answers").map_or(root.span.clone(), |value| value.span.clone());
        let path = record.path(&["expected_answers"]).path();
        out.report(Evret::BothRelevance { ids }, span, path);
    }
    // A list that is none is reported as that, and not also as missing.
    let given = ["relevant_doc_ids", "expected_answers", "expected_doc_ids", "relevant_docs"];
    let is_no_list = |key: &&str| root.get(key).is_some_and(|value| !matches!(value.kind, Kind::Array(_)));
    if relevant.or(answers).or(alias).or(deprecated).is_none() && !given.iter().any(is_no_list) {
        let path = record.path(&[]).path();
        out.report(Evret::NoRelevance, root.span.start..root.span.start + 1, path);
    }
    for (key, list) in [
        ("relevant_doc_ids", relevant),
        ("expected_answers", answers),
        ("relevant_docs", deprecated),
        ("expected_doc_ids", alias),
    ] {
        entries(record, out, key, list.unwrap_or_default());
    }
}

fn document(record: &Record<'_>, out: &mut Findings<'_>) {
    let root = record.root;
    one_of(record, out, ["doc_id", "doc_id"]);
    let text = root.get("text");
    let is_none = |value: &Value<'_>| {
        matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) && !names::is_truthy(value)
    };
    match text.filter(|value| !is_none(value)) {
        None => {
            let span = text.map_or(root.span.start..root.span.start + 1, |value| value.span.clone());
            let path = record.path(&["text"]).path();
            out.report(Evret::NoText, span, path);
        }
        Some(value) => scalar(record, out, "text", value),
    }
}

/// What is to be said of the entries of a list.
fn entries(record: &Record<'_>, out: &mut Findings<'_>, key: &'static str, list: &[Value<'_>]) {
    let mut seen = BTreeMap::new();
    for (index, value) in list.iter().enumerate() {
        if matches!(value.kind, Kind::Array(_) | Kind::Object(_)) {
            continue;
        }
        let mut path = record.path(&[key]);
        path.index(index);
        let path = path.path();
        let Some(text) = names::as_string(value).filter(|text| names::is_truthy(value) && !text.is_empty())
        else {
            out.report(Evret::BlankEntry, value.span.clone(), path);
            continue;
        };
        if !matches!(value.kind, Kind::String(_)) {
            let problem = Evret::Coerced { found: found(record, value), name: key.to_owned() };
            out.report(problem, value.span.clone(), path.clone());
        }
        if let Some(&first) = seen.get(&text) {
            let found = format!("\"{}\"", clip(&text, 80));
            out.report(Evret::RepeatedEntry { found, first: first + 1 }, value.span.clone(), path);
            continue;
        }
        seen.insert(text, index as u64);
    }
}

/// Checks a value that has two names.
fn one_of(
    record: &Record<'_>,
    out: &mut Findings<'_>,
    names: [&'static str; 2],
) -> Option<(&'static str, String)> {
    let root = record.root;
    let [first, second] = names;
    let Some((name, value)) = names::first_of(root, names) else {
        let present = names.into_iter().find_map(|name| Some((name, root.get(name)?)));
        let Some((name, value)) = present else {
            // A single name that is missing is said by the shape.
            if first != second {
                let path = record.path(&[first]).path();
                let problem = Evret::Missing { name: first, other: second };
                out.report(problem, root.span.start..root.span.start + 1, path);
            }
            return None;
        };
        let path = record.path(&[name]).path();
        match value.kind {
            Kind::String(_) if first == second => {}
            Kind::String(_) => out.report(Evret::Blank, value.span.clone(), path),
            Kind::Array(_) | Kind::Object(_) => {}
            _ => {
                let problem = Evret::Falsy { found: found(record, value), name };
                out.report(problem, value.span.clone(), path);
            }
        }
        return None;
    };
    scalar(record, out, name, value);
    if name == first
        && first != second
        && let Some(other) = root.get(second).filter(|other| names::is_truthy(other))
        && names::as_string(other) != names::as_string(value)
    {
        let path = record.path(&[second]).path();
        out.report(Evret::TwoNames { read: first, ignored: second }, other.span.clone(), path);
    }
    let text = names::as_string(value)?;
    if text.is_empty() {
        if first != second {
            let path = record.path(&[name]).path();
            out.report(Evret::Blank, value.span.clone(), path);
        }
        return None;
    }
    Some((name, text))
}

/// Says of a scalar that is no string what is made of it.
fn scalar(record: &Record<'_>, out: &mut Findings<'_>, name: &str, value: &Value<'_>) {
    if matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) {
        let problem = Evret::Coerced { found: found(record, value), name: name.to_owned() };
        let path = record.path(&[name]).path();
        out.report(problem, value.span.clone(), path);
    }
}

/// A value as it stands in the file.
fn found(record: &Record<'_>, value: &Value<'_>) -> String {
    clip(&String::from_utf8_lossy(&record.bytes[value.span.clone()]), 40)
}
