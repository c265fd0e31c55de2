//! The checks of the header and of one row of a CSV.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::{LONGEST_CELL, SCORED, Version, names};
use super::document::{KEEP_ONE, QueryProblem};
use super::{IdProblem, clean, fix};
use crate::checks::{Captures, Fate, Findings, Record, RecordChecks, Target};
use crate::diagnose::{Kind, Value, clip, parse};
use crate::python;
use evalcheck_core::finding::{Path, Step};
use evalcheck_core::names::{ROUNDED, is_rounded};
use evalcheck_json::scan::Scratch;

evalcheck_core::rules! {
    /// Problems of the columns and the cells of a CSV.
    RowProblem {
        NoRelevanceColumn { missing: &'static str, advice: String } = "evret/no-relevance-column", Warning {
            summary: "A CSV without a column to score against.",
            message: "{missing}, and without it there is nothing to score against",
            hint: "{advice}",
            meaning: "The document requires a column with the relevant documents or the expected answers. The loader does not require it, and no query can then be scored.",
            invalid: "query_id,query_text\nq1,how high is the limit",
            valid: "query_id,query_text,relevant_doc_ids\nq1,how high is the limit,travel_policy_2",
        }
        UnreadColumn { release: &'static str, name: &'static str, advice: String } = "evret/unread-column", Warning {
            summary: "A CSV column of another release of Evret.",
            message: "release {release} of Evret does not read the column \"{name}\": its ids are lost",
            hint: "{advice}",
            fix: Either,
            loss: Key,
            meaning: "Release 0.0.1 reads ids from relevant_doc_ids and relevant_docs, release 0.0.3 from expected_doc_ids only, and release 0.0.2 none. They load a file with the names of another release without an error, and score the queries without their ids.",
            invalid: "query_text,relevant_doc_ids,expected_doc_ids\nhow high is the limit,travel_policy_2,",
            valid: "query_text,expected_doc_ids\nhow high is the limit,travel_policy_2",
        }
        CellTooLong = "evret/cell-too-long", Error {
            summary: "A cell is longer than the loader reads.",
            message: "the cell has more than 131,072 characters: the loader refuses the file",
            hint: "Shorten the cell, or write the dataset as JSON, which has no such limit.",
            meaning: "The loader reads the file with Python's csv module, which refuses a cell of more than 131,072 characters with \"field larger than field limit\". A quote that is missing elsewhere is a common cause: the cell then goes on over many rows.",
            invalid: "a cell of 131,073 characters",
            valid: "the same text in a JSON file",
        }
        CellRefused { why: &'static str } = "evret/cell-refused", Error {
            summary: "Python does not read the JSON in a cell.",
            message: "{why}",
            hint: "Write a flat JSON list of strings.",
            meaning: "The loader tries to read the cell as JSON, and splits it at its commas if that fails. It does not do so for an integer of more than 4,300 digits (ValueError) and for lists that are nested some 1,000 levels deep (RecursionError; the depth depends on the version of Python): it refuses the file. evalcheck reads 128 levels and refuses deeper lists.",
            other_words: ["Exceeds the limit (4300 digits) for integer string conversion"],
            invalid: "a cell with a number of 4,301 digits",
            valid: "the same digits in a list of strings",
        }
        CellNotList { received: &'static str, advice: String } = "evret/cell-not-a-list", Error {
            summary: "A cell contains JSON that is not a list.",
            title: "is not a list",
            message: "Expected array, received {received}: the loader parses JSON in this cell and accepts only a list",
            hint: "{advice}",
            fix: Either,
            meaning: "The loader first tries to read the cell as JSON. JSON must then be a list: an id such as 42, true or null is JSON of another type, and loading fails.",
            other_words: ["relevant_docs must be a JSON list or comma-separated string"],
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,42",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"42\"\"]\"",
        }
        BrokenList { cause: String } = "evret/broken-list", Warning {
            summary: "A cell begins like a JSON list and is not one.",
            message: "the cell begins like a JSON list but is not one (within it, {cause}): the loader splits it at its commas, brackets and quotes included",
            hint: "Write a JSON list of strings in double quotes, each doubled in the CSV: \"[\"\"a\"\", \"\"b\"\"]\". Python's str() of a list is not JSON; json.dumps() is.",
            fix: Either,
            loss: Value,
            meaning: "A cell that is not valid JSON is split at its commas. The first entry then begins with a bracket, and no id or answer is as intended.",
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,\"['travel_policy_2']\"",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"travel_policy_2\"\"]\"",
        }
    }
}

/// The checks of a row.
#[derive(Debug)]
pub(in super::super) struct Row {
    version: Version,
    /// Whether the file has a column to score against.
    has_relevance: bool,
    /// Memory of the scanner for lists in cells.
    scratch: RefCell<Scratch>,
}

impl Row {
    pub(in super::super) fn new(version: Version, has_relevance: bool) -> Self {
        Self { version, has_relevance, scratch: RefCell::default() }
    }
}

impl RecordChecks for Row {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        clean::row(captures, self.version, self.has_relevance, &mut self.scratch.borrow_mut())
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        row(record, self.version, self.has_relevance, out);
    }

    fn fate(&self, record: &Value<'_>) -> Option<Fate> {
        let filled = |names: [&str; 2]| {
            let mut cells = names.into_iter().filter_map(|name| record.get(name)?.as_str());
            cells.find(|cell| !cell.is_empty()).map(python::strip)
        };
        // The byte order mark in its name may hide the column of either.
        let (text, id) = (filled(TEXT_COLUMNS), filled(["query_id", "id"]));
        let is_refused = text.is_none_or(str::is_empty) || id.is_some_and(str::is_empty);
        is_refused.then_some(Fate::Refused)
    }
}

/// The columns that may hold the text of a query.
const TEXT_COLUMNS: [&str; 2] = ["query_text", "query"];

/// Whether the loader can read rows with these columns: one of them has the text, and no name is too long.
pub(super) fn can_be_read(columns: &Record<'_>) -> bool {
    let Kind::Object(members) = &columns.root.kind else { return true };
    // A byte order mark, the only thing that can precede them on their line, becomes part of the first name.
    let start = columns.text.start;
    let lost = usize::from(start.line == 1 && start.offset > 0);
    members.iter().skip(lost).any(|member| TEXT_COLUMNS.contains(&&*member.key))
        && members.iter().all(|member| member.key.chars().count() <= LONGEST_CELL)
}

/// Whether one column is before another.
pub(super) fn is_before(columns: &Value<'_>, one: &str, other: &str) -> bool {
    let Kind::Object(members) = &columns.kind else { return false };
    let position = |name: &str| members.iter().position(|member| member.key == name);
    position(one).zip(position(other)).is_some_and(|(one, other)| one < other)
}

/// Whether a column exists.
pub(super) fn has_column(columns: &Value<'_>, name: &str) -> bool {
    matches!(&columns.kind, Kind::Object(members) if members.iter().any(|member| member.key == name))
}

/// Checks the columns, given as an object of them. Returns true if there is a column to score against.
pub(super) fn check_columns(record: &Record<'_>, version: Version, out: &mut Findings<'_>) -> bool {
    let Kind::Object(members) = &record.root.kind else { return true };
    let has = |name: &str| members.iter().any(|member| member.key == name);
    let scored = if version.ids().is_some() { SCORED } else { &["expected_answers"] };
    let has_relevance = scored.iter().any(|name| has(name));
    let span = |name: &str| {
        members.iter().find(|member| member.key == name).map_or(0..0, |member| member.key_span.clone())
    };
    let column = |name: &'static str| Target { span: span(name), path: Path(vec![Step::Key(name.into())]) };
    if has("relevant_docs")
        && let (Version::V001, Some(ids)) = (version, version.ids())
    {
        let becomes = "it is read as \"relevant_doc_ids\" where there are no other ids or answers";
        let problem = QueryProblem::Deprecated {
            what: "the column",
            is_read: true,
            becomes,
            advice: format!("Rename it to \"{ids}\"."),
        };
        let fix = (!has(ids)).then(|| fix::renamed_column(members, span("relevant_docs"), ids));
        out.report_fixed(problem, column("relevant_docs"), fix);
    }
    if has("expected_doc_ids") && version == Version::V001 {
        out.report(IdProblem::Alias { count: String::new() }, column("expected_doc_ids"));
    }
    let unread: &[&str] = match version {
        Version::V001 => &[],
        Version::V002 => &["relevant_docs", "relevant_doc_ids", "expected_doc_ids"],
        Version::V003 => &["relevant_docs", "relevant_doc_ids"],
    };
    for name in unread.iter().copied().filter(|name| has(name)) {
        let ids = version.ids().filter(|ids| !has(ids));
        let has_other = name == "relevant_docs" && has("relevant_doc_ids");
        let fix = ids.filter(|_| !has_other).map(|ids| fix::renamed_column(members, span(name), ids));
        let advice = version.advice_of_unread(name, true);
        let problem = RowProblem::UnreadColumn { release: version.name(), name, advice };
        out.report_fixed(problem, column(name), fix);
    }
    for member in members.iter().filter(|member| member.key.chars().count() > LONGEST_CELL) {
        let target = Target { span: member.key_span.clone(), path: Path::default() };
        out.report(RowProblem::CellTooLong, target);
    }
    has_relevance
}

fn row(record: &Record<'_>, version: Version, has_relevance: bool, out: &mut Findings<'_>) {
    let root = record.root;
    let Kind::Object(members) = &root.kind else { return };
    let is_too_long = |text: &str| text.len() > LONGEST_CELL && text.chars().count() > LONGEST_CELL;
    let mut too_long =
        members.iter().filter(|member| member.value.as_str().is_some_and(is_too_long)).peekable();
    if too_long.peek().is_some() {
        for member in too_long {
            out.report(RowProblem::CellTooLong, record.at(&member.value));
        }
        // The loader refuses the row before it reads its cells.
        return;
    }
    two_names(record, out);
    let filled = |name: &str| {
        root.get(name).filter(|value| value.as_str().is_some_and(|text| !python::strip(text).is_empty()))
    };
    let read = |name: &'static str, out: &mut Findings<'_>| {
        filled(name).is_some_and(|value| cell(record, out, name, value))
    };
    let has_ids = version.ids().is_some_and(|ids| read(ids, out));
    let has_answers = read("expected_answers", out);
    // Release 0.0.1 reads it if the others are empty.
    let has_deprecated = version == Version::V001
        && match filled("relevant_docs") {
            Some(value) if !has_ids && !has_answers => cell(record, out, "relevant_docs", value),
            deprecated => deprecated.is_some(),
        };
    let forbidden = version.ids().filter(|_| has_ids).unwrap_or("relevant_docs");
    if version == Version::V001 && has_answers && (has_ids || has_deprecated) {
        let answers = root.get("expected_answers").unwrap_or(root);
        out.report(QueryProblem::BothRelevance { ids: forbidden, advice: KEEP_ONE }, record.at(answers));
    } else if has_relevance && !has_ids && !has_answers && !has_deprecated {
        out.report(QueryProblem::nothing_to_score(version), record.at_start(root));
    }
}

/// Checks the cells under two names: the loader reads the second only if the first is empty; white space is not empty.
fn two_names(record: &Record<'_>, out: &mut Findings<'_>) {
    for names in [["query_text", "query"], ["query_id", "id"]] {
        let cells = names.map(|name| record.root.get(name).filter(|value| value.as_str() != Some("")));
        let text = |value: &Value<'_>| python::strip(value.as_str().unwrap_or_default()).to_owned();
        let [one, other] = cells;
        let Some(value) = one.or(other) else { continue };
        // The reader reports a text that is blank under both names.
        let is_reported = || {
            let mut texts = names.iter().filter_map(|name| record.root.get(name)?.as_str());
            names[0] == "query_text" && texts.all(|text| text.trim().is_empty())
        };
        if text(value).is_empty() && !is_reported() {
            out.report(QueryProblem::Blank, record.at(value));
        } else if let [Some(_), Some(other)] = cells
            && !text(other).is_empty()
            && text(value) != text(other)
        {
            let problem = QueryProblem::TwoNames { read: names[0], ignored: names[1] };
            out.report(problem, record.at(other));
        }
    }
}

/// The advice for a cell that is JSON but not a list.
fn as_a_list(cell: &str, value: &Value<'_>) -> String {
    let entry = fix::entry(cell, value);
    let entry = entry.or_else(|| matches!(value.kind, Kind::Number(..)).then(|| cell.trim().to_owned()));
    let list = fix::list_of_one(&entry.map_or_else(|| "...".to_owned(), |entry| clip(&entry, 40)));
    match value.kind {
        Kind::Null => "Leave the cell empty, or write a list.".to_owned(),
        _ if is_rounded(cell.as_bytes()) => format!("{ROUNDED} Write it as a list: {list}."),
        _ => format!("Write a list, even for one value, as it is in the CSV: {list}."),
    }
}

/// Checks a cell that holds a list. Returns true if the list has an entry that is not blank.
fn cell(record: &Record<'_>, out: &mut Findings<'_>, key: &'static str, value: &Value<'_>) -> bool {
    let Some(text) = value.as_str() else { return false };
    if std::str::from_utf8(&record.text.bytes[value.span.clone()]).is_err() {
        // The encoding explains its problem.
        return true;
    }
    let stripped = python::strip(text);
    let text = match names::in_python(stripped) {
        Ok(text) => text,
        Err(why) => {
            out.report(RowProblem::CellRefused { why }, record.at(value));
            return true;
        }
    };
    let text = &*text;
    // One fix for the whole cell, given once.
    let mut is_fixed = false;
    let mut fix = || match std::mem::replace(&mut is_fixed, true) {
        true => None,
        false if text.starts_with('[') => fix::list_cell(value),
        false => fix::plain_cell(value),
    };
    let entries: Vec<String> = match parse(text.as_bytes()) {
        Ok(parsed) => {
            let Kind::Array(elements) = &parsed.value.kind else {
                let is_number = matches!(parsed.value.kind, Kind::String(_)) && text != stripped;
                let received = if is_number { "number" } else { parsed.value.type_name() };
                let fix = fix::single_entry(value);
                let advice = as_a_list(stripped, &parsed.value);
                out.report_fixed(RowProblem::CellNotList { received, advice }, record.at(value), fix);
                return true;
            };
            for element in elements.iter().filter(|element| !matches!(element.kind, Kind::String(_))) {
                let found = clip(text.get(element.span.clone()).unwrap_or_default(), 40);
                let advice =
                    format!("Write it as a string; in the CSV its quotes are doubled: \"\"{found}\"\".");
                let problem = QueryProblem::Coerced { found, name: key.to_owned(), advice };
                out.report_fixed(problem, record.at(value), fix());
            }
            let as_is = |element: &Value<'_>| text.get(element.span.clone()).unwrap_or_default().to_owned();
            elements
                .iter()
                .map(|element| names::as_string(element).unwrap_or_else(|| as_is(element)))
                .collect()
        }
        Err(error) if text.starts_with('[') => {
            let cause = error.problem.detail();
            let fix = fix::list_cell(value);
            out.report_fixed(RowProblem::BrokenList { cause }, record.at(value), fix);
            return true;
        }
        Err(_) => names::cell_entries(stripped).collect(),
    };
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_empty() {
            out.report_fixed(QueryProblem::BlankEntry, record.at(value), fix());
        } else if let Some(first) = seen.get(entry) {
            let found = format!("\"{}\"", clip(entry, 80));
            let problem = QueryProblem::RepeatedEntry { found, first: first + 1, first_at: None };
            out.report_fixed(problem, record.at(value), fix());
        } else {
            seen.insert(entry, index);
        }
    }
    !seen.is_empty()
}
