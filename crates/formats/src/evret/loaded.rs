//! Queries and documents as Evret loads them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{DOCUMENTS, Layout, Version, names};
use crate::diagnose::{Kind, Value, parse};
use crate::loaded::{Held, HeldMember, JsonReader, Loader, Loading, SHADOWED, UNDECLARED};
use crate::python;

pub(super) const LOADER: Loader = Loader {
    source: "This is what Evret's loader makes of the record. Tests compare it with what the releases 0.0.1, 0.0.2 and 0.0.3 hold.",
    is_known: true,
    held,
    loss: super::rules::loss,
    ..Loader::UNKNOWN
};

const STRIPPED: &str = "The loader removes the white space around it.";
const AS_STRING: &str = "The loader makes a string of it, as Python's str() does.";
const DEFAULT: &str = "The loader fills it in, because the record has none.";
const BLANK: &str = "The loader drops blank entries.";
const REPEATED: &str = "The loader keeps the first of equal entries.";
const BROKEN: &str =
    "The cell is not JSON, so the loader splits it at its commas, brackets and quotes included.";

fn held(loading: &Loading<'_>) -> Held {
    let version = Version::of_variant(loading.variant.version);
    match loading.variant.layout {
        Layout::Csv(_) => row(loading, version),
        _ if loading.list == DOCUMENTS => document(loading),
        _ => query(loading, version),
    }
}

/// The members of an object that the loader makes, and the members of the file that it does not use.
struct Members<'a> {
    loading: &'a Loading<'a>,
    made: Vec<HeldMember>,
    /// The keys of the file that were read.
    read: Vec<&'static str>,
}

impl<'a> Members<'a> {
    fn new(loading: &'a Loading<'a>) -> Self {
        Self { loading, made: Vec::new(), read: Vec::new() }
    }

    /// Adds a member that was read from a key of the file.
    fn push(&mut self, key: &'static str, from: &'static str, held: Held) {
        self.read.push(from);
        let held = if key == from {
            held
        } else {
            held.also_changed(&format!("It stands in the file under the key \"{from}\"."))
        };
        self.made.push(HeldMember::new(key, held));
    }

    fn push_default(&mut self, key: &'static str, held: Held, why: impl Into<Cow<'static, str>>) {
        self.made.push(HeldMember::new(key, held.added(why)));
    }

    /// Adds the file's other members as removed.
    fn finish(mut self, why: impl Fn(&str) -> Cow<'static, str>) -> Held {
        let Kind::Object(members) = &self.loading.root.kind else { return Held::object(self.made) };
        let is_row = matches!(self.loading.variant.layout, Layout::Csv(_));
        for member in members {
            let key = &*member.key;
            if self.read.contains(&key) && !member.shadowed {
                continue;
            }
            let held = match member.value.as_str() {
                // An empty cell loses nothing.
                Some("") if is_row => continue,
                Some(text) if is_row => Held::string(text),
                _ => Held::read(&member.value, self.loading.bytes, JsonReader::Python),
            };
            let why = if member.shadowed { SHADOWED.into() } else { why(key) };
            self.made.push(HeldMember::new(key, held.removed(why)));
        }
        Held::object(self.made)
    }
}

fn query(loading: &Loading<'_>, version: Version) -> Held {
    let root = loading.root;
    let mut members = Members::new(loading);
    for names in [["query_id", "id"], ["query_text", "query"]] {
        if let Some((name, value)) = names::first_of(root, names) {
            members.push(names[0], name, text(value, loading.bytes));
        }
    }
    let has = |key: &str| root.get(key).is_some_and(python::is_truthy);
    let answers = root.get("expected_answers").filter(|value| python::is_truthy(value));
    let ids = match version {
        Version::V003 => names::first_of(root, ["expected_doc_ids", "relevant_doc_ids"]),
        Version::V001 => {
            let holds = |key: &str| root.get(key).is_some_and(names::has_entries);
            let deprecated = !holds("relevant_doc_ids") && !holds("expected_answers") && has("relevant_docs");
            let name = if deprecated { "relevant_docs" } else { "relevant_doc_ids" };
            root.get(name).filter(|value| python::is_truthy(value)).map(|value| (name, value))
        }
        Version::V002 => None,
    };
    let answers = ("expected_answers", answers.map(|list| ("expected_answers", list)));
    for (key, list) in version.ids().map(|key| (key, ids)).into_iter().chain([answers]) {
        match list {
            Some((from, list)) => {
                members.push(key, from, entries(list.as_array().unwrap_or_default(), loading.bytes));
            }
            None => absent(&mut members, key, Held::array(Vec::new())),
        }
    }
    members.finish(|key| unread(key, root, version))
}

/// The value of a member that is missing in the file, or that Python treats as false.
fn absent(members: &mut Members<'_>, key: &'static str, held: Held) {
    match members.loading.root.get(key) {
        Some(Value { kind: Kind::Array(_) | Kind::Object(_), .. }) => members.push(key, key, held),
        Some(_) => {
            members.push(key, key, held.changed("The loader takes this in place of a value that is empty."));
        }
        None => members.push_default(key, held, DEFAULT),
    }
}

fn document(loading: &Loading<'_>) -> Held {
    let root = loading.root;
    let mut members = Members::new(loading);
    if let Some(id) = root.get("doc_id") {
        members.push("doc_id", "doc_id", text(id, loading.bytes));
    }
    match root.get("text") {
        // Unlike ids and the texts of queries, it is not stripped.
        Some(value) if value.as_str().is_some() => {
            members.push("text", "text", Held::read(value, loading.bytes, JsonReader::Python));
        }
        Some(value) if python::is_truthy(value) => members.push("text", "text", text(value, loading.bytes)),
        _ => absent(&mut members, "text", Held::string("")),
    }
    match root.get("metadata").filter(|value| python::is_truthy(value)) {
        Some(value) => {
            members.push("metadata", "metadata", Held::read(value, loading.bytes, JsonReader::Python));
        }
        None => absent(&mut members, "metadata", Held::object(Vec::new())),
    }
    members.finish(|key| unread(key, root, Version::of_variant(loading.variant.version)))
}

fn row(loading: &Loading<'_>, version: Version) -> Held {
    let root = loading.root;
    let filled = |names: [&'static str; 2]| {
        let cell = |name| root.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        names.into_iter().find_map(|name| Some((name, cell(name)?)))
    };
    let mut members = Members::new(loading);
    if let Some((name, id)) = filled(["query_id", "id"]) {
        members.push("query_id", name, stripped(id));
    } else {
        if root.get("query_id").is_some() {
            members.read.push("query_id");
        }
        let why = "The row has no id, so the loader gives it the number of the row.";
        members.push_default("query_id", Held::string(&format!("q{}", loading.row + 1)), why);
    }
    if let Some((name, text)) = filled(["query_text", "query"]) {
        members.push("query_text", name, stripped(text));
    }
    let cell =
        |name: &str| root.get(name).and_then(Value::as_str).filter(|cell| !python::strip(cell).is_empty());
    let has_entries = |name: &str| cell(name).is_some_and(|cell| list(cell).holds_elements());
    let deprecated = version == Version::V001
        && !has_entries("relevant_doc_ids")
        && !has_entries("expected_answers")
        && cell("relevant_docs").is_some();
    let ids = version.ids().map(|key| (key, if deprecated { "relevant_docs" } else { key }));
    for (key, from) in ids.into_iter().chain([("expected_answers", "expected_answers")]) {
        match (cell(from), root.get(from)) {
            (Some(text), _) => members.push(key, from, list(text)),
            (None, Some(_)) => members.push(key, from, Held::array(Vec::new())),
            (None, None) => members.push_default(key, Held::array(Vec::new()), DEFAULT),
        }
    }
    members.finish(|key| unread(key, root, version))
}

/// The reason why a key of the file is not read.
fn unread(key: &str, root: &Value<'_>, version: Version) -> Cow<'static, str> {
    let has = |key: &str| root.get(key).is_some_and(python::is_truthy);
    match key {
        _ if key.starts_with('\u{feff}') => {
            "The byte order mark is part of the column's name, so the loader does not know the column.".into()
        }
        "id" | "query_id" => "The loader takes the id from the other key.".into(),
        "query" | "query_text" => "The loader takes the text from the other key.".into(),
        "relevant_docs" if version == Version::V001 => {
            "Release 0.0.1 reads it only where there are no other ids and no answers.".into()
        }
        "relevant_doc_ids" if has("relevant_docs") && version == Version::V001 => {
            "It has no entries, so the loader reads \"relevant_docs\".".into()
        }
        "relevant_doc_ids" | "relevant_docs" | "expected_doc_ids" => {
            match version.ids().filter(|ids| has(ids)) {
                Some(ids) => format!("Release {} reads \"{ids}\".", version.name()).into(),
                None => format!("Release {} does not read it.", version.name()).into(),
            }
        }
        _ => UNDECLARED.into(),
    }
}

/// The string that the loader makes of a JSON value.
fn text(value: &Value<'_>, bytes: &[u8]) -> Held {
    match value.as_str() {
        Some(text) if python::strip(text) == text => Held::read(value, bytes, JsonReader::Python),
        Some(text) => stripped(text),
        None => Held::string(&names::python_str(value)).changed(AS_STRING),
    }
}

fn stripped(text: &str) -> Held {
    let kept = python::strip(text);
    let held = Held::string(kept);
    if kept.len() == text.len() { held } else { held.changed(STRIPPED) }
}

/// A list of distinct strings that are not blank.
fn entries(list: &[Value<'_>], bytes: &[u8]) -> Held {
    distinct(list.iter().map(|entry| (names::python_str(entry), text(entry, bytes))))
}

/// Distinct strings with their loaded values.
fn distinct(entries: impl Iterator<Item = (String, Held)>) -> Held {
    let mut seen = HashSet::new();
    let entry = |(text, held): (String, Held)| {
        if text.is_empty() {
            held.removed(BLANK)
        } else if seen.insert(text) {
            held
        } else {
            held.removed(REPEATED)
        }
    };
    Held::array(entries.map(entry).collect())
}

/// The list in a cell.
fn list(cell: &str) -> Held {
    let stripped = python::strip(cell);
    // A cell that Python refuses is an error, and not loaded.
    let json = names::in_python(stripped).unwrap_or_default();
    if let Ok(parsed) = parse(json.as_bytes()) {
        return entries(parsed.value.as_array().unwrap_or_default(), json.as_bytes());
    }
    let entries = names::cell_entries(stripped).filter(|entry| !entry.is_empty());
    let list = distinct(entries.map(|entry| (entry.clone(), Held::string(&entry))));
    if stripped.starts_with('[') { list.changed(BROKEN) } else { list }
}
