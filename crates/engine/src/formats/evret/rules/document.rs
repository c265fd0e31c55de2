//! The explaining tier: the elements of a JSON document.

use std::collections::BTreeMap;

use super::super::references::{At, List};
use super::super::{DOCUMENTS, QUERIES, names};
use super::{Rules, trail};
use crate::explain::{Context, Kind, Value, clip};
use crate::rules::Evret;

impl Rules {
    pub(super) fn query(&mut self, context: &mut Context<'_>) {
        let root = context.root;
        let Kind::Object(_) = root.kind else { return };
        let id = one_of(context, ["query_id", "id"]);
        one_of(context, ["query_text", "query"]);
        let list = |key: &str| root.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
        let (relevant, answers) = (list("relevant_doc_ids"), list("expected_answers"));
        let (alias, deprecated) = (list("expected_doc_ids"), list("relevant_docs"));
        if root.get("expected_doc_ids").is_some_and(|value| matches!(value.kind, Kind::Array(_))) {
            self.note_alias(context, "expected_doc_ids");
        }
        if let Some(value) = root.get("relevant_docs").filter(|value| matches!(value.kind, Kind::Array(_))) {
            let unused = relevant.or(answers).or(alias).is_some();
            let becomes = if unused {
                "it is ignored, because there are ids or answers under the names of today"
            } else {
                "it is read as \"relevant_doc_ids\""
            };
            let path = trail(context, &["relevant_docs"]).path();
            context.report(Evret::Deprecated { what: "the key", becomes }, value.span.clone(), path);
        }
        let ids = if relevant.is_some() { "relevant_doc_ids" } else { "expected_doc_ids" };
        if let (Some(_), Some(_)) = (relevant.or(alias), answers) {
            let span = root.get("expected_answers").map_or(root.span.clone(), |value| value.span.clone());
            let path = trail(context, &["expected_answers"]).path();
            context.report(Evret::BothRelevance { ids }, span, path);
        }
        // A list that is none is reported as that, and not also as missing.
        let given = ["relevant_doc_ids", "expected_answers", "expected_doc_ids", "relevant_docs"];
        let is_no_list =
            |key: &&str| root.get(key).is_some_and(|value| !matches!(value.kind, Kind::Array(_)));
        if relevant.or(answers).or(alias).or(deprecated).is_none() && !given.iter().any(is_no_list) {
            let path = trail(context, &[]).path();
            context.report(Evret::NoRelevance, root.span.start..root.span.start + 1, path);
        }
        for (key, list, of) in [
            ("relevant_doc_ids", relevant, Some(List::Relevant)),
            ("expected_answers", answers, None),
            ("relevant_docs", deprecated, Some(List::Deprecated)),
            ("expected_doc_ids", alias, Some(List::Alias)),
        ] {
            self.entries(context, key, list.unwrap_or_default(), of);
        }
        if context.looking {
            return;
        }
        self.queries += 1;
        if let Some((name, id)) = id {
            self.remember(context, name, &id, QUERIES);
        }
    }

    pub(super) fn document(&mut self, context: &mut Context<'_>) {
        let root = context.root;
        let Kind::Object(_) = root.kind else {
            self.unread = true;
            return;
        };
        let id = one_of(context, ["doc_id", "doc_id"]);
        let text = root.get("text");
        let is_none = |value: &Value<'_>| {
            matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) && !names::is_truthy(value)
        };
        match text.filter(|value| !is_none(value)) {
            None => {
                let span = text.map_or(root.span.start..root.span.start + 1, |value| value.span.clone());
                let path = trail(context, &["text"]).path();
                context.report(Evret::NoText, span, path);
            }
            Some(value) => scalar(context, "text", value),
        }
        if context.looking {
            return;
        }
        self.documents += 1;
        match id {
            Some((name, id)) => {
                self.references.name(&id);
                self.remember(context, name, &id, DOCUMENTS);
            }
            None => self.unread = true,
        }
    }

    /// Remembers the id of a record that stands under a key, and reports it where it is not new.
    pub(super) fn remember(&mut self, context: &mut Context<'_>, key: &str, id: &str, list: usize) {
        let Some(first) = self.insert(list, id.as_bytes(), context.origin.record) else { return };
        let (what, first) = match list {
            DOCUMENTS => ("doc_id", format!("documents.{first}")),
            _ if self.is_csv => ("query_id", format!("row {}", first + 1)),
            _ => ("query_id", format!("queries.{first}")),
        };
        let span = context.root.get(key).map_or(0..0, |value| value.span.clone());
        let path = trail(context, &[key]).path();
        context.report(Evret::DuplicateId { what, id: clip(id, 80), first }, span, path);
    }

    fn note_alias(&mut self, context: &Context<'_>, key: &str) {
        if context.looking {
            return;
        }
        self.aliases += 1;
        if self.first_alias.is_none() {
            let span = context.root.get(key).map_or(0..0, |value| value.span.clone());
            self.first_alias = Some(context.location(span, trail(context, &[key]).path()));
        }
    }

    /// What is to be said of the entries of a list: of ids, where `of` is given.
    fn entries(
        &mut self,
        context: &mut Context<'_>,
        key: &'static str,
        list: &[Value<'_>],
        of: Option<List>,
    ) {
        let mut seen = BTreeMap::new();
        for (index, value) in list.iter().enumerate() {
            if matches!(value.kind, Kind::Array(_) | Kind::Object(_)) {
                continue;
            }
            let mut path = trail(context, &[key]);
            path.index(index);
            let path = path.path();
            let Some(text) =
                names::as_string(value).filter(|text| names::is_truthy(value) && !text.is_empty())
            else {
                context.report(Evret::BlankEntry, value.span.clone(), path);
                continue;
            };
            if !matches!(value.kind, Kind::String(_)) {
                let problem = Evret::Coerced { found: found(context, value), name: key.to_owned() };
                context.report(problem, value.span.clone(), path.clone());
            }
            if let Some(&first) = seen.get(&text) {
                let found = format!("\"{}\"", clip(&text, 80));
                context.report(Evret::RepeatedEntry { found, first: first + 1 }, value.span.clone(), path);
                continue;
            }
            if let Some(list) = of
                && !context.looking
            {
                let location = context.location(value.span.clone(), path);
                let query = self.index_of(context.origin.record, QUERIES);
                self.refer(&text, || At {
                    bytes: location.bytes.unwrap_or(0..0),
                    line: location.line.unwrap_or(1),
                    column: location.column.unwrap_or(1),
                    record: context.origin.record,
                    query,
                    entry: index,
                    list,
                });
            }
            seen.insert(text, index as u64);
        }
    }
}

/// Judges a value that has two names; gives the name that the loader reads and the string that it has.
fn one_of(context: &mut Context<'_>, names: [&'static str; 2]) -> Option<(&'static str, String)> {
    let root = context.root;
    let [first, second] = names;
    let Some((name, value)) = names::first_of(root, names) else {
        let present = names.into_iter().find_map(|name| Some((name, root.get(name)?)));
        let Some((name, value)) = present else {
            // A single name that is missing is said by the shape.
            if first != second {
                let path = trail(context, &[first]).path();
                let problem = Evret::Missing { name: first, other: second };
                context.report(problem, root.span.start..root.span.start + 1, path);
            }
            return None;
        };
        let path = trail(context, &[name]).path();
        match value.kind {
            Kind::String(_) if first == second => {}
            Kind::String(_) => context.report(Evret::Blank, value.span.clone(), path),
            Kind::Array(_) | Kind::Object(_) => {}
            _ => {
                let problem = Evret::Falsy { found: found(context, value), name };
                context.report(problem, value.span.clone(), path);
            }
        }
        return None;
    };
    scalar(context, name, value);
    if name == first
        && first != second
        && let Some(other) = root.get(second).filter(|other| names::is_truthy(other))
        && names::as_string(other) != names::as_string(value)
    {
        let path = trail(context, &[second]).path();
        context.report(Evret::TwoNames { read: first, ignored: second }, other.span.clone(), path);
    }
    let text = names::as_string(value)?;
    if text.is_empty() {
        if first != second {
            let path = trail(context, &[name]).path();
            context.report(Evret::Blank, value.span.clone(), path);
        }
        return None;
    }
    Some((name, text))
}

/// Says of a scalar that is no string what is made of it.
fn scalar(context: &mut Context<'_>, name: &str, value: &Value<'_>) {
    if matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) {
        let problem = Evret::Coerced { found: found(context, value), name: name.to_owned() };
        let path = trail(context, &[name]).path();
        context.report(problem, value.span.clone(), path);
    }
}

/// A value as it stands in the file.
fn found(context: &Context<'_>, value: &Value<'_>) -> String {
    clip(&String::from_utf8_lossy(&context.bytes[value.span.clone()]), 40)
}
