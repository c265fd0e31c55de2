//! The checks of the header and of one row of a CSV.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::names;
use super::document::QueryProblem;
use super::{IdProblem, clean};
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, PathBuilder, Value, clip, parse};
use evalcheck_core::rule::Problem;
use evalcheck_json::scan::Scratch;

evalcheck_core::rules! {
    /// What is wrong with the columns and the cells of a CSV.
    RowProblem {
        NoRelevanceColumn = "evret/no-relevance-column", Warning {
            summary: "A CSV without a column to score against.",
            message: "none of the columns relevant_doc_ids, expected_answers and relevant_docs is there: the document wants one, and there is nothing to score against",
            hint: "Add the column relevant_doc_ids or expected_answers.",
            meaning: "The document requires a column with the relevant documents or the expected answers. The loader does not require it, and no query can then be scored.",
            invalid: "query_id,query_text\nq1,how high is the limit",
            valid: "query_id,query_text,relevant_doc_ids\nq1,how high is the limit,travel_policy_2",
        }
        CellNotList { received: &'static str } = "evret/cell-not-a-list", Error {
            summary: "A cell contains JSON that is not a list.",
            message: "Expected array, received {received}: the loader takes JSON in this cell, and then only a list",
            hint: "Write a JSON list of strings, such as \"[\"\"travel_policy_2\"\"]\"; a single value that is JSON by itself, a number say, has to stand in a list too.",
            meaning: "The loader first tries to read the cell as JSON. JSON must then be a list: an id such as 42, true or null is JSON of another type, and loading fails.",
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,42",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"42\"\"]\"",
        }
        BrokenList { cause: String } = "evret/broken-list", Warning {
            summary: "A cell begins like a JSON list and is not one.",
            message: "the cell begins like a JSON list and is none ({cause}): the loader splits it at its commas, brackets and quotes included",
            hint: "Write a JSON list of strings in double quotes, each doubled in the CSV: \"[\"\"a\"\", \"\"b\"\"]\". Python's str() of a list is not JSON; json.dumps() is.",
            meaning: "A cell that is not valid JSON is split at its commas. The first entry then begins with a bracket, and no id or answer is as intended.",
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,\"['travel_policy_2']\"",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"travel_policy_2\"\"]\"",
        }
    }
}

/// The checks of a row.
#[derive(Debug)]
pub(in super::super) struct Row {
    /// The file has a column to score against.
    has_relevance: bool,
    /// Memory of the scanner, for lists in cells.
    scratch: RefCell<Scratch>,
}

impl Row {
    pub(in super::super) fn new(has_relevance: bool) -> Self {
        Self { has_relevance, scratch: RefCell::default() }
    }
}

impl RecordChecks for Row {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        clean::row(captures, self.has_relevance, &mut self.scratch.borrow_mut())
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        row(record, self.has_relevance, out);
    }
}

/// True when one column is before another.
pub(super) fn is_before(columns: &Value<'_>, one: &str, other: &str) -> bool {
    let Kind::Object(members) = &columns.kind else { return false };
    let position = |name: &str| members.iter().position(|member| member.key == name);
    position(one).zip(position(other)).is_some_and(|(one, other)| one < other)
}

/// Checks the columns, given as an object of them. True when one of them is there to score against.
pub(super) fn check_columns(record: &Record<'_>, out: &mut Findings<'_>) -> bool {
    let Kind::Object(members) = &record.root.kind else { return true };
    let has = |name: &str| members.iter().any(|member| member.key == name);
    let names = ["relevant_doc_ids", "expected_doc_ids", "expected_answers", "relevant_docs"];
    let has_relevance = names.iter().any(|name| has(name));
    let span = |name: &str| {
        members.iter().find(|member| member.key == name).map_or(0..0, |member| member.key_span.clone())
    };
    let path = |name: &str| {
        let mut path = PathBuilder::default();
        path.key(name);
        path.path()
    };
    // Without the column of the queries it is another file altogether, and a finding says that.
    if !has_relevance && (has("query_text") || has("query")) {
        let location = record.root.span.clone();
        out.report(RowProblem::NoRelevanceColumn, location, PathBuilder::default().path());
    }
    if has("relevant_docs") {
        let becomes = "it is read as \"relevant_doc_ids\" where there are no other ids or answers";
        let problem = QueryProblem::Deprecated { what: "the column", becomes };
        out.report(problem, span("relevant_docs"), path("relevant_docs"));
    }
    if has("expected_doc_ids") {
        out.report(
            IdProblem::Alias { count: String::new() },
            span("expected_doc_ids"),
            path("expected_doc_ids"),
        );
    }
    has_relevance
}

fn row(record: &Record<'_>, has_relevance: bool, out: &mut Findings<'_>) {
    let root = record.root;
    let filled = |name: &str| {
        root.get(name).filter(|value| value.as_str().is_some_and(|text| !text.trim().is_empty()))
    };
    for [first, second] in [["query_text", "query"], ["query_id", "id"]] {
        if let (Some(one), Some(other)) = (filled(first), filled(second))
            && one.as_str() != other.as_str()
        {
            let path = record.path(&[second]).path();
            out.report(QueryProblem::TwoNames { read: first, ignored: second }, other.span.clone(), path);
        }
    }
    let (mut ids, mut answers, mut any) = (None, false, false);
    for key in ["relevant_doc_ids", "expected_doc_ids", "expected_answers", "relevant_docs"] {
        let Some(value) = filled(key) else { continue };
        any = true;
        let has_entries = cell(record, out, key, value);
        match key {
            "expected_answers" => answers = has_entries,
            "relevant_docs" => {}
            key if has_entries => ids = ids.or(Some(key)),
            _ => {}
        }
    }
    if let (Some(ids), true) = (ids, answers) {
        let span = root.get("expected_answers").map_or(root.span.clone(), |value| value.span.clone());
        let path = record.path(&["expected_answers"]).path();
        out.report(QueryProblem::BothRelevance { ids }, span, path);
    } else if !any && has_relevance {
        out.report(
            QueryProblem::NoRelevance,
            root.span.start..root.span.start + 1,
            PathBuilder::default().path(),
        );
    }
}

/// Checks a cell that holds a list. True when the list has an entry.
fn cell(record: &Record<'_>, out: &mut Findings<'_>, key: &'static str, value: &Value<'_>) -> bool {
    let Some(text) = value.as_str() else { return false };
    let path = record.path(&[key]).path();
    let parsed = parse(text.as_bytes());
    let entries: Vec<String> = match &parsed {
        Ok(parsed) => {
            let Kind::Array(elements) = &parsed.value.kind else {
                let received = parsed.value.type_name();
                out.report(RowProblem::CellNotList { received }, value.span.clone(), path);
                return true;
            };
            let is_coerced =
                |element: &&Value<'_>| !matches!(element.kind, Kind::String(_)) && names::is_truthy(element);
            for element in elements.iter().filter(is_coerced) {
                let found = clip(text.get(element.span.clone()).unwrap_or_default(), 40);
                let problem = QueryProblem::Coerced { found, name: key.to_owned() };
                out.report(problem, value.span.clone(), path.clone());
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
            out.report(RowProblem::CellNotList { received: "number" }, value.span.clone(), path);
            return true;
        }
        Err(fault) if text.trim_start().starts_with('[') => {
            let message = fault.problem.message();
            let cause = message.strip_prefix("invalid JSON: ").unwrap_or(&message).to_owned();
            out.report(RowProblem::BrokenList { cause }, value.span.clone(), path);
            return true;
        }
        Err(_) => text.split(',').map(|entry| entry.trim().to_owned()).collect(),
    };
    let mut seen = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_empty() {
            out.report(QueryProblem::BlankEntry, value.span.clone(), path.clone());
        } else if let Some(first) = seen.get(entry) {
            let found = format!("\"{}\"", clip(entry, 80));
            out.report(
                QueryProblem::RepeatedEntry { found, first: first + 1 },
                value.span.clone(),
                path.clone(),
            );
        } else {
            seen.insert(entry, index as u64);
        }
    }
    !entries.is_empty()
}
