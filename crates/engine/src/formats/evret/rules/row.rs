//! The explaining tier: the header and the rows of a CSV.

use std::collections::BTreeMap;

use super::super::{QUERIES, names};
use super::{Rules, trail};
use crate::explain::{Context, Kind, PathBuilder, Value, clip, parse};
use crate::rules::Evret;
use crate::rules::Problem;

impl Rules {
    pub(super) fn columns(&mut self, context: &mut Context<'_>) {
        let Kind::Object(members) = &context.root.kind else { return };
        let has = |name: &str| members.iter().any(|member| member.key == name);
        let names = ["relevant_doc_ids", "expected_doc_ids", "expected_answers", "relevant_docs"];
        self.has_relevance = names.iter().any(|name| has(name));
        let span = |name: &str| {
            members.iter().find(|member| member.key == name).map_or(0..0, |member| member.key_span.clone())
        };
        let path = |name: &str| {
            let mut trail = PathBuilder::default();
            trail.key(name);
            trail.path()
        };
        // Without the column of the queries it is another file altogether, and a finding says that.
        if !self.has_relevance && (has("query_text") || has("query")) {
            let location = context.root.span.clone();
            context.report(Evret::NoRelevanceColumn, location, PathBuilder::default().path());
        }
        if has("relevant_docs") {
            let becomes = "it is read as \"relevant_doc_ids\" where there are no other ids or answers";
            let problem = Evret::Deprecated { what: "the column", becomes };
            context.report(problem, span("relevant_docs"), path("relevant_docs"));
        }
        if has("expected_doc_ids") {
            context.report(
                Evret::Alias { count: String::new() },
                span("expected_doc_ids"),
                path("expected_doc_ids"),
            );
        }
    }

    pub(super) fn row(&mut self, context: &mut Context<'_>) {
        let root = context.root;
        let filled = |name: &str| {
            root.get(name).filter(|value| value.as_str().is_some_and(|text| !text.trim().is_empty()))
        };
        for [first, second] in [["query_text", "query"], ["query_id", "id"]] {
            if let (Some(one), Some(other)) = (filled(first), filled(second))
                && one.as_str() != other.as_str()
            {
                let path = trail(context, &[second]).path();
                context.report(Evret::TwoNames { read: first, ignored: second }, other.span.clone(), path);
            }
        }
        let (mut ids, mut answers, mut any) = (None, false, false);
        for key in ["relevant_doc_ids", "expected_doc_ids", "expected_answers", "relevant_docs"] {
            let Some(value) = filled(key) else { continue };
            any = true;
            let has_entries = cell(context, key, value);
            match key {
                "expected_answers" => answers = has_entries,
                "relevant_docs" => {}
                key if has_entries => ids = ids.or(Some(key)),
                _ => {}
            }
        }
        if let (Some(ids), true) = (ids, answers) {
            let span = root.get("expected_answers").map_or(root.span.clone(), |value| value.span.clone());
            let path = trail(context, &["expected_answers"]).path();
            context.report(Evret::BothRelevance { ids }, span, path);
        } else if !any && self.has_relevance {
            context.report(
                Evret::NoRelevance,
                root.span.start..root.span.start + 1,
                PathBuilder::default().path(),
            );
        }
        if context.looking {
            return;
        }
        self.queries += 1;
        if let Some((name, value)) = names::first_of(root, ["query_id", "id"])
            && let Some(id) = names::as_string(value).filter(|id| !id.is_empty())
        {
            self.remember(context, name, &id, QUERIES);
        }
    }
}

/// What is to be said of a cell that holds a list; gives whether anything is in the list.
fn cell(context: &mut Context<'_>, key: &'static str, value: &Value<'_>) -> bool {
    let Some(text) = value.as_str() else { return false };
    let path = trail(context, &[key]).path();
    let parsed = parse(text.as_bytes());
    let entries: Vec<String> = match &parsed {
        Ok(parsed) => {
            let Kind::Array(elements) = &parsed.value.kind else {
                let received = parsed.value.type_name();
                context.report(Evret::CellNotList { received }, value.span.clone(), path);
                return true;
            };
            let is_coerced =
                |element: &&Value<'_>| !matches!(element.kind, Kind::String(_)) && names::is_truthy(element);
            for element in elements.iter().filter(is_coerced) {
                let found = clip(text.get(element.span.clone()).unwrap_or_default(), 40);
                let problem = Evret::Coerced { found, name: key.to_owned() };
                context.report(problem, value.span.clone(), path.clone());
            }
            let text_of = |element: &Value<'_>| match &element.kind {
                Kind::Array(_) | Kind::Object(_) => {
                    text.get(element.span.clone()).unwrap_or_default().to_owned()
                }
                _ => names::as_string(element).filter(|_| names::is_truthy(element)).unwrap_or_default(),
            };
            elements.iter().map(text_of).collect()
        }
        // Python's reader takes these for numbers.
        Err(_) if matches!(text.trim(), "NaN" | "Infinity" | "-Infinity") => {
            context.report(Evret::CellNotList { received: "number" }, value.span.clone(), path);
            return true;
        }
        Err(fault) if text.trim_start().starts_with('[') => {
            let message = fault.problem.message();
            let cause = message.strip_prefix("invalid JSON: ").unwrap_or(&message).to_owned();
            context.report(Evret::BrokenList { cause }, value.span.clone(), path);
            return true;
        }
        Err(_) => text.split(',').map(|entry| entry.trim().to_owned()).collect(),
    };
    let mut seen = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_empty() {
            context.report(Evret::BlankEntry, value.span.clone(), path.clone());
        } else if let Some(first) = seen.get(entry) {
            let found = format!("\"{}\"", clip(entry, 80));
            context.report(
                Evret::RepeatedEntry { found, first: first + 1 },
                value.span.clone(),
                path.clone(),
            );
        } else {
            seen.insert(entry, index as u64);
        }
    }
    !entries.is_empty()
}
