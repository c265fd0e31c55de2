//! The checks of one element of a JSON document.

use evalcheck_core::finding::Location;
use evalcheck_core::names::{ROUNDED, is_rounded};
use std::collections::BTreeMap;

use super::super::{QUERIES, SCORED, Version, names};
use super::{clean, fix};
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, Value, clip, may_be_meant};
use crate::python;

/// The advice for ids together with answers.
pub(super) const KEEP_ONE: &str =
    "Keep the ids to compare document ids, or the answers to have a judge compare texts.";

/// The advice for a value that is converted.
const QUOTE: &str = "Put the value in double quotes.";

evalcheck_core::rules! {
    /// Problems of queries (rows of a CSV too) and documents beyond their schema.
    QueryProblem {
        Missing { name: &'static str, other: &'static str, advice: String } = "evret/missing", Error {
            summary: "A required value is missing under both of its names.",
            title: "is missing",
            message: "Required: \"{name}\" or \"{other}\"",
            hint: "{advice}",
            meaning: "A query has an id and a text. Each has two possible names, and one of them is required.",
            other_words: ["query_text must be a non-empty string"],
            invalid: r#"{"queries": [{"query_id": "q1", "text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        Blank = "evret/blank", Error {
            summary: "A blank id or text.",
            title: "is blank",
            message: "String must not be blank",
            hint: "Write the id or the text, or leave the query out.",
            meaning: "The loader treats an empty string as a missing value, and refuses the query when the other name has no value either. A string of white space is neither an id nor a text.",
            other_words: ["query_text must be a non-empty string", "query_text is required in row 1"],
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": " ", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        Falsy { found: String, name: &'static str, advice: &'static str } = "evret/counts-as-missing", Error {
            summary: "A value that the loader treats as missing.",
            message: "{found} counts as missing: the loader requires a \"{name}\" that is not empty",
            hint: "{advice}",
            fix: Either,
            meaning: "The loader tests the value for truth as Python does. 0, false and null are not true, so the query or document has no such value and is refused.",
            other_words: ["query_id must be a non-empty string"],
            invalid: r#"{"queries": [{"query_id": 0, "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "0", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        CountsAsEmpty { found: String, kind: &'static str, instead: &'static str } = "evret/counts-as-empty", Warning {
            summary: "A value that the loader takes for an empty list or object.",
            message: "{found} is not {kind}: the loader treats it as empty",
            hint: "Write {instead}, or leave the key out.",
            fix: Either,
            loss: Value,
            meaning: "The loader tests the value for truth as Python does. null, false, 0 and empty values of another type are not true, and it goes on as if the key were missing. Any other value of a wrong type is refused.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": null, "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": [], "expected_answers": ["500 dollars"]}]}"#,
        }
        Coerced { found: String, name: String, advice: String } = "evret/coerced", Warning {
            summary: "A value that is not a string and is converted to one.",
            message: "{found} is not a string: the loader converts it for \"{name}\"",
            hint: "{advice}",
            fix: Either,
            loss: Value,
            meaning: "The document requires a string. The loader converts other values as Python prints them: 1.0 becomes \"1.0\" and true becomes \"True\". An id then no longer matches the id it is compared with.",
            invalid: r#"{"queries": [{"query_id": 1, "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        TwoNames { read: &'static str, ignored: &'static str } = "evret/two-names", Warning {
            summary: "A value is given under two names.",
            message: "\"{ignored}\" is ignored, because there is \"{read}\" too, with another value",
            hint: "Delete one of them.",
            fix: Unsafe,
            loss: Key,
            meaning: "The loader knows two names for the value and uses the second only when the first is missing or empty.",
            invalid: r#"{"queries": [{"query_id": "q1", "id": "7", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        BothRelevance { ids: &'static str, advice: &'static str } = "evret/both-relevance-fields", Error {
            summary: "A query with both ids and answers.",
            message: "both \"{ids}\" and \"expected_answers\" are given: the document allows only one of the two, and the loader does not notice",
            hint: "{advice}",
            meaning: "The document, which describes release 0.0.1, says: provide either relevant_doc_ids or expected_answers, not both. The loader silently accepts both, and which of the two is scored is then left to chance. In release 0.0.3 both together are normal, and its name for the ids is expected_doc_ids.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"], "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        NoRelevance { missing: &'static str, advice: &'static str } = "evret/nothing-to-score", Warning {
            summary: "A query with neither ids nor answers.",
            message: "{missing}: there is nothing to score against",
            hint: "{advice}",
            meaning: "The query is run but its results cannot be scored, so it counts for nothing or lowers every score.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit"}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        UnreadIds { name: &'static str, advice: String } = "evret/unread-ids", Warning {
            summary: "Ids that release 0.0.2 does not read.",
            message: "release 0.0.2 of Evret does not read \"{name}\": its ids are lost",
            hint: "{advice}",
            loss: Key,
            meaning: "Release 0.0.2 reads expected_answers alone. It loads a file with ids under relevant_doc_ids, expected_doc_ids or relevant_docs without an error, and scores the queries without their ids.",
            invalid: "a query with the key relevant_doc_ids, checked for release 0.0.2",
            valid: "the same query with the key expected_answers, or checked for release 0.0.1",
        }
        Deprecated { what: &'static str, is_read: bool, becomes: &'static str, advice: String } = "evret/deprecated-relevant-docs", Warning {
            summary: "The deprecated name relevant_docs.",
            message: "{what} \"relevant_docs\" is deprecated; {becomes}",
            hint: "{advice}",
            fix: Either,
            loss: Key,
            meaning: "The name is from earlier releases. Release 0.0.1 reads it as relevant_doc_ids when there are neither ids nor answers under their current names; otherwise, and in later releases, it is ignored.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_docs": ["d1"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        BlankEntry = "evret/blank-entry", Warning {
            summary: "A blank entry in a list.",
            message: "a blank entry: the loader drops it",
            hint: "Write the entry, or delete it.",
            fix: Either,
            loss: Value,
            meaning: "The loader keeps only entries that are not blank. A blank entry is left over from a template or an export, and perhaps an id or an answer is missing.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1", ""]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        RepeatedEntry { found: String, first: usize, first_at: Option<Location> } = "evret/repeated-entry", Warning {
            summary: "Duplicate entry in a list.",
            message: "{found} is already in the list, as entry {first}: the loader drops the repetition",
            hint: "Delete it, or write the entry that was meant.",
            related: "first listed here" => first_at.clone(),
            fix: Either,
            loss: Value,
            meaning: "The loader keeps each entry once. Perhaps another id or answer was meant.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1", "d1"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        NoText = "evret/document-without-text", Warning {
            summary: "A document without text.",
            message: "the document has no \"text\"",
            hint: "Write the text of the document.",
            meaning: "The system's document lists the text beside the id, and only the metadata as optional. A document without text cannot be found.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d1", "metadata": {"page": 3}}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d1", "text": "b", "metadata": {"page": 3}}]}"#,
        }
    }
}

impl QueryProblem {
    /// A query that this release cannot score.
    pub(super) fn nothing_to_score(version: Version) -> Self {
        Self::NoRelevance { missing: version.nothing_to_score(), advice: version.advice_of_nothing() }
    }
}

/// The checks of a query or of a document.
#[derive(Debug)]
pub(in super::super) struct Element(pub(in super::super) Version);

impl RecordChecks for Element {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        if captures.list == QUERIES { clean::query(captures, self.0) } else { clean::document(captures) }
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        if !matches!(record.root.kind, Kind::Object(_)) {
            return;
        }
        if record.list == QUERIES {
            query(record, self.0, out);
        } else {
            document(record, out);
        }
    }
}

fn query(record: &Record<'_>, version: Version, out: &mut Findings<'_>) {
    let root = record.root;
    one_of(record, out, ["query_id", "id"]);
    one_of(record, out, ["query_text", "query"]);
    let is_true = |key: &str| root.get(key).is_some_and(python::is_truthy);
    let has_entries = |key: &str| root.get(key).is_some_and(names::has_entries);
    // For a release that reads no ids, the answers are the only list.
    let ids = version.ids().unwrap_or("expected_answers");
    let mut has_relevance = false;
    for key in LISTS {
        let Some(value) = root.get(key) else { continue };
        if version.ids().is_none() && key != ids {
            out.replace_schema_findings(&value.span);
            if python::is_truthy(value) {
                has_relevance = true;
                let advice = version.advice_of_unread(key, false);
                out.report(QueryProblem::UnreadIds { name: key, advice }, record.at(value));
            }
            continue;
        }
        // Whether the loader reads the list; it does not refuse a list that it does not read.
        let is_read = match (version, key) {
            (Version::V001, "relevant_docs") => !has_entries(ids) && !has_entries("expected_answers"),
            (Version::V001, "expected_doc_ids") | (Version::V003, "relevant_docs") => false,
            (Version::V003, "relevant_doc_ids") => !is_true(ids),
            _ => true,
        };
        if key == "relevant_docs" {
            let becomes = match (version, is_read) {
                (Version::V003, _) => "release 0.0.3 does not read it, and the ids are lost",
                (_, true) => "it is read as \"relevant_doc_ids\"",
                (_, false) => "it is ignored, because there are ids or answers under the current names",
            };
            let advice = if !is_read && version == Version::V001 {
                "Delete it, or delete the ids and answers under the current names and then rename it."
                    .to_owned()
            } else if value.as_array().is_none() {
                format!("Rename it to \"{ids}\", and write a list of strings.")
            } else {
                format!("Rename it to \"{ids}\".")
            };
            let has_others = root.get(ids).is_some() || root.get("relevant_doc_ids").is_some();
            let fix = if !is_read && (version == Version::V001 || has_others) {
                fix::without_key(record, key)
            } else {
                fix::renamed(record, key, ids).filter(|_| value.as_array().is_some() && !has_others)
            };
            let problem = QueryProblem::Deprecated { what: "the key", is_read, becomes, advice };
            out.report_fixed(problem, record.at(value), fix);
        } else if !is_read
            && version == Version::V003
            && is_true(key)
            && strings(Some(value)) != strings(root.get(ids))
        {
            let problem = QueryProblem::TwoNames { read: ids, ignored: "relevant_doc_ids" };
            out.report_fixed(problem, record.at(value), fix::without_key(record, key));
        }
        // A value of another type than a list is reported as such, not also as missing.
        has_relevance |= has_entries(key) || (is_read && is_true(key) && value.as_array().is_none());
        if is_read {
            empty(record, out, key, "[]");
        } else {
            out.replace_schema_findings(&value.span);
        }
        entries(record, out, key, value.as_array().unwrap_or_default());
    }
    // If an unknown key is meant as a list, its own finding says so.
    if !has_relevance && holder(root, SCORED).is_none() {
        out.report(QueryProblem::nothing_to_score(version), record.at_start(root));
    }
    let forbidden = ["relevant_doc_ids", "relevant_docs"].into_iter().find(|key| has_entries(key));
    if let (Version::V001, Some(ids), true) = (version, forbidden, has_entries("expected_answers")) {
        let answers = root.get("expected_answers").unwrap_or(root);
        let advice = if ids == "relevant_doc_ids" {
            "Keep the ids to compare document ids, or the answers to have a judge compare texts. If release 0.0.3 reads the file, which takes both, check for it with --format evret --format-version 0.0.3."
        } else {
            KEEP_ONE
        };
        out.report(QueryProblem::BothRelevance { ids, advice }, record.at(answers));
    }
}

/// The first unknown key of a query that is meant as one of these.
fn holder<'v>(query: &'v Value<'_>, keys: &[&str]) -> Option<&'v str> {
    let Kind::Object(members) = &query.kind else { return None };
    let is_absent = |key: &&&str| query.get(key).is_none();
    let is_meant = |written: &str| keys.iter().filter(is_absent).any(|key| may_be_meant(written, key));
    let mut unknown = members.iter().map(|member| &*member.key).filter(|key| !fix::is_known(key));
    unknown.find(|key| is_meant(key))
}

/// The strings that the loader makes of a list.
fn strings(list: Option<&Value<'_>>) -> Option<Vec<Option<String>>> {
    Some(list?.as_array()?.iter().map(names::as_string).collect())
}

/// The keys of lists.
const LISTS: [&str; 4] = ["relevant_doc_ids", "expected_answers", "relevant_docs", "expected_doc_ids"];

/// Checks a value that Python treats as false in place of a list or an object; the loader treats it as missing.
fn empty(record: &Record<'_>, out: &mut Findings<'_>, key: &'static str, instead: &'static str) {
    let Some(value) = record.root.get(key).filter(|value| !python::is_truthy(value)) else { return };
    let is_fit = match &value.kind {
        Kind::Array(_) => instead == "[]",
        Kind::Object(_) => instead == "{}",
        _ => false,
    };
    if !is_fit {
        out.replace_schema_findings(&value.span);
        let kind = if instead == "[]" { "a list" } else { "an object" };
        let problem = QueryProblem::CountsAsEmpty { found: found(record, value), kind, instead };
        let fix = fix::emptied(value, instead);
        out.report_fixed(problem, record.at(value), Some(fix));
    }
}

fn document(record: &Record<'_>, out: &mut Findings<'_>) {
    let root = record.root;
    empty(record, out, "metadata", "{}");
    one_of(record, out, ["doc_id", "doc_id"]);
    let text = root.get("text");
    let is_none = |value: &Value<'_>| {
        matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) && !python::is_truthy(value)
    };
    match text.filter(|value| !is_none(value)) {
        None => {
            let target = text.map_or_else(|| record.at_missing("text"), |value| record.at(value));
            out.report(QueryProblem::NoText, target);
        }
        Some(value) => scalar(record, out, "text", value),
    }
}

/// Checks the entries of a list.
fn entries(record: &Record<'_>, out: &mut Findings<'_>, key: &'static str, list: &[Value<'_>]) {
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    for (index, value) in list.iter().enumerate() {
        if matches!(value.kind, Kind::Array(_) | Kind::Object(_)) {
            continue;
        }
        let Some(text) = names::as_string(value).filter(|text| !text.is_empty()) else {
            let fix = Some(fix::without_entry(list, index));
            out.report_fixed(QueryProblem::BlankEntry, record.at(value), fix);
            continue;
        };
        if !matches!(value.kind, Kind::String(_)) {
            let problem = QueryProblem::Coerced {
                found: found(record, value),
                name: key.to_owned(),
                advice: advice(record, value).to_owned(),
            };
            out.report_fixed(problem, record.at(value), fix::quoted(record, value));
        }
        if let Some(&first) = seen.get(&text) {
            let found = format!("\"{}\"", clip(&text, 80));
            let first_at = record.location(&list[first]);
            let problem = QueryProblem::RepeatedEntry { found, first: first + 1, first_at: Some(first_at) };
            out.report_fixed(problem, record.at(value), Some(fix::without_entry(list, index)));
            continue;
        }
        seen.insert(text, index);
    }
}

/// Checks a value under one of two names.
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
            // The schema check reports a missing single name.
            if first != second {
                let advice = match holder(root, &[first]) {
                    Some(key) => format!("If \"{}\" holds it, rename it to \"{first}\".", clip(key, 80)),
                    None => format!("Add the key \"{first}\" (string)."),
                };
                let problem = QueryProblem::Missing { name: first, other: second, advice };
                out.report(problem, record.at_missing(first));
            }
            return None;
        };
        match value.kind {
            Kind::String(_) if first == second => {}
            Kind::String(_) => out.report(QueryProblem::Blank, record.at(value)),
            Kind::Array(_) | Kind::Object(_) => {}
            _ => {
                let advice = match value.kind {
                    Kind::Null => "Write what is missing, or leave the query or the document out.",
                    _ => "Write the value as a string in double quotes.",
                };
                let problem = QueryProblem::Falsy { found: found(record, value), name, advice };
                out.report_fixed(problem, record.at(value), fix::quoted(record, value));
            }
        }
        return None;
    };
    scalar(record, out, name, value);
    if name == first
        && first != second
        && let Some(other) = root.get(second).filter(|other| python::is_truthy(other))
        && names::as_string(other) != names::as_string(value)
    {
        let problem = QueryProblem::TwoNames { read: first, ignored: second };
        out.report_fixed(problem, record.at(other), fix::without_key(record, second));
    }
    let text = names::as_string(value)?;
    if text.is_empty() {
        // The schema check reports a blank single name, unless its white space is such only to Python.
        if first != second || value.as_str().is_some_and(|text| !text.trim().is_empty()) {
            out.report(QueryProblem::Blank, record.at(value));
        }
        return None;
    }
    Some((name, text))
}

/// Reports a scalar that is not a string, with its conversion.
fn scalar(record: &Record<'_>, out: &mut Findings<'_>, name: &str, value: &Value<'_>) {
    if matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(..)) {
        let problem = QueryProblem::Coerced {
            found: found(record, value),
            name: name.to_owned(),
            advice: advice(record, value).to_owned(),
        };
        out.report_fixed(problem, record.at(value), fix::quoted(record, value));
    }
}

/// The advice for a scalar that is not a string.
fn advice(record: &Record<'_>, value: &Value<'_>) -> &'static str {
    if is_rounded(&record.text.bytes[value.span.clone()]) { ROUNDED } else { QUOTE }
}

/// A value as written in the file.
fn found(record: &Record<'_>, value: &Value<'_>) -> String {
    clip(&String::from_utf8_lossy(&record.text.bytes[value.span.clone()]), 40)
}
