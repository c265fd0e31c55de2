//! What is to be said of queries and documents beyond their shape.

use std::ops::Range;

use super::references::{At, List, References};
use super::{
    ANSWERS, COLUMN_ANSWERS, COLUMN_ID, COLUMN_RELEVANT, COLUMN_TEXT, DOC_ID, DOC_TEXT, ID, QUERIES,
    QUERY_ID, QUERY_SHORT, QUERY_TEXT, RELEVANT, names,
};
use crate::explain::{Context, Kind, Origin, Trail, Value, clip, column, parse};
use crate::finding::Place;
use crate::rules::dataset_rules::{Accepted, DatasetRules, End, Header};
use crate::rules::unique::UniqueIds;
use crate::rules::{Dataset, Evret, Problem};

/// Entries of a list that the fast tier compares with each other.
const FEW: usize = 16;

/// Ids of queries and of documents, and references between them.
///
/// Memory: 12 bytes for each id (see [`UniqueIds`]), and what [`References`] states.
#[derive(Debug)]
pub(super) struct Rules {
    is_csv: bool,
    ids: UniqueIds,
    references: References,
    /// For the key of an id: which kind, and the id.
    key: String,
    /// Number of the first record of each list.
    first_record: [u64; 2],
    queries: u64,
    documents: u64,
    /// The list of documents is there.
    has_documents: bool,
    /// Some document could not be read, so that no one can say which ids there are.
    unread: bool,
    /// A CSV has a column to score against.
    has_relevance: bool,
    aliases: u64,
    first_alias: Option<Place>,
}

impl Rules {
    pub(super) fn new(is_csv: bool) -> Self {
        Self {
            is_csv,
            ids: UniqueIds::new(duplicate),
            references: References::default(),
            key: String::new(),
            first_record: [0; 2],
            queries: 0,
            documents: 0,
            has_documents: false,
            unread: false,
            has_relevance: true,
            aliases: 0,
            first_alias: None,
        }
    }

    fn set_key(&mut self, kind: char, id: &str) {
        self.key.clear();
        self.key.push(kind);
        self.key.push_str(id);
    }

    /// What an id's first place is remembered as: its index in its list.
    fn index_of(&self, record: u64, list: usize) -> u64 {
        record.saturating_sub(self.first_record[list])
    }

    /// Remembers a new id.
    fn insert_new(&mut self, origin: Origin, list: usize) {
        let index = self.index_of(origin.record, list);
        self.ids.insert(&self.key, index, true, Place::default);
    }

    /// Remembers a reference, unless there is such a document already.
    fn refer(&mut self, id: &str, at: impl FnOnce() -> At) {
        self.set_key('d', id);
        let hash = self.ids.hash_of(&self.key);
        if !self.ids.has_hash(hash) {
            self.references.wait(hash, id, &at());
        }
    }
}

/// The finding for a repeated id; `first` is the index in its list.
fn duplicate(key: &str, first: u64) -> Problem {
    let (kind, id) = key.split_at(1);
    let (what, first) = match kind {
        "d" => ("doc_id", format!("documents.{first}")),
        "r" => ("query_id", format!("row {}", first + 1)),
        _ => ("query_id", format!("queries.{first}")),
    };
    Evret::DuplicateId { what, id: clip(id, 80), first }.into()
}

fn is_filled(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_graphic())
}

/// True when the texts are few, none blank, and none equals another.
fn are_plain<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut rest = texts.clone();
    let mut count = 0;
    while let Some(text) = rest.next() {
        count += 1;
        if count > FEW || !is_filled(text) || rest.clone().any(|other| other.trim() == text.trim()) {
            return false;
        }
    }
    true
}

impl DatasetRules for Rules {
    fn accept(&mut self, record: &Accepted<'_>) -> bool {
        if self.is_csv {
            self.accept_row(record)
        } else if record.list == QUERIES {
            self.accept_query(record)
        } else {
            self.accept_document(record)
        }
    }

    fn examine(&mut self, record: &mut Context<'_>) {
        if self.is_csv {
            self.row(record);
        } else if record.list == QUERIES {
            self.query(record);
        } else {
            self.document(record);
        }
    }

    fn header(&mut self, columns: Option<&mut Context<'_>>) -> Header {
        if let Some(context) = columns {
            self.columns(context);
        }
        Header::default()
    }

    fn begin_list(&mut self, list: usize, record: u64) {
        self.first_record[list.min(1)] = record;
        self.has_documents |= list != QUERIES;
    }

    fn unread(&mut self) {
        self.unread = true;
    }

    fn finish(&mut self, end: &mut End<'_>) {
        if self.aliases > 0
            && let Some(place) = self.first_alias.take()
        {
            let count = match self.aliases {
                1 => String::new(),
                n => format!(" ({n} queries)"),
            };
            end.report_at(Evret::Alias { count }, place);
        }
        if self.has_documents && self.unread {
            end.note(
                "References to documents were not checked, because a part of the document could not be read."
                    .to_owned(),
            );
        } else if self.has_documents {
            self.references.settle(&self.ids, end);
        }
        if self.has_documents && self.queries == 0 && self.documents > 0 && !self.unread {
            end.report(Dataset::NoRecords { noun: "query" });
        }
    }

    fn unique_ids(&mut self) -> Option<&mut UniqueIds> {
        Some(&mut self.ids)
    }

    fn has_id(&self, record: &Value<'_>, key: &str) -> bool {
        let (kind, id) = key.split_at(1);
        let value = match kind {
            "d" => record.get("doc_id").filter(|value| names::is_truthy(value)),
            _ => names::first_of(record, ["query_id", "id"]).map(|(_, value)| value),
        };
        value.and_then(names::as_string).as_deref() == Some(id)
    }

    fn record_of(&self, key: &str, first: u64) -> Option<u64> {
        let list = usize::from(key.starts_with('d'));
        Some(first + self.first_record[list])
    }

    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self { has_relevance: self.has_relevance, ..Self::new(self.is_csv) })
    }
}

// The fast tier.
impl Rules {
    fn accept_query(&mut self, record: &Accepted<'_>) -> bool {
        let (mut id, mut text) = (None, None);
        let (mut relevant, mut answers) = (0_usize, 0_usize);
        for (number, range) in record.strings {
            match *number {
                QUERY_ID | ID if id.is_none() => id = Some(range),
                QUERY_TEXT | QUERY_SHORT if text.is_none() => text = Some(range),
                RELEVANT => relevant += 1,
                ANSWERS => answers += 1,
                _ => return false,
            }
        }
        let (Some(id), Some(text)) = (id, text) else { return false };
        let id = record.text(id).trim();
        if (relevant == 0) == (answers == 0)
            || !is_filled(id)
            || !is_filled(record.text(text))
            || !are_plain(record.texts(RELEVANT))
            || !are_plain(record.texts(ANSWERS))
        {
            return false;
        }
        self.set_key('q', id);
        if !self.ids.is_new(&self.key) {
            return false;
        }
        self.insert_new(record.origin, QUERIES);
        self.queries += 1;
        let query = self.index_of(record.origin.record, QUERIES);
        for (entry, (_, range)) in record.strings.iter().filter(|(number, _)| *number == RELEVANT).enumerate()
        {
            self.refer(record.text(range).trim(), || at_range(record, range.clone(), query, entry));
        }
        true
    }

    fn accept_document(&mut self, record: &Accepted<'_>) -> bool {
        let one = |number: u8| {
            let mut texts = record.texts(number);
            texts.next().filter(|text| is_filled(text) && texts.next().is_none())
        };
        let (Some(id), true) = (one(DOC_ID), record.texts(DOC_TEXT).next().is_some()) else { return false };
        let id = id.trim();
        self.set_key('d', id);
        if !self.ids.is_new(&self.key) {
            return false;
        }
        self.insert_new(record.origin, 1);
        self.references.name(id);
        self.documents += 1;
        true
    }

    fn accept_row(&mut self, record: &Accepted<'_>) -> bool {
        let (mut id, mut texts, mut filled) = (None, 0, 0);
        for (number, range) in record.strings {
            let text = record.text(range);
            match *number {
                COLUMN_TEXT => texts += 1,
                COLUMN_ID if id.is_none() => id = Some(text.trim()).filter(|id| !id.is_empty()),
                COLUMN_RELEVANT | COLUMN_ANSWERS if text.trim().is_empty() => {}
                COLUMN_RELEVANT | COLUMN_ANSWERS if is_plain_cell(text) => filled += 1,
                _ => return false,
            }
        }
        if texts != 1 || filled != usize::from(self.has_relevance) {
            return false;
        }
        if let Some(id) = id {
            self.set_key('r', id);
            if !self.ids.is_new(&self.key) {
                return false;
            }
            self.insert_new(record.origin, QUERIES);
        }
        self.queries += 1;
        true
    }
}

/// True for a cell that is a JSON list of plain strings, or values separated by commas, of which nothing is to be said.
fn is_plain_cell(cell: &str) -> bool {
    let cell = cell.trim();
    let Some(inside) = cell.strip_prefix('[') else {
        // What else may be JSON, or is for Python, is left to the explaining tier.
        let is_word = matches!(cell, "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity");
        let is_number = cell.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        return !is_word && !is_number && !cell.starts_with(['{', '"']) && are_plain(cell.split(','));
    };
    let Some(inside) = inside.strip_suffix(']').map(str::trim) else { return false };
    if inside.is_empty() || inside.bytes().any(|byte| byte == b'\\' || byte < 0x20) {
        return false;
    }
    // Strings at the odd places between quotes, separators at the even ones.
    let mut pieces = inside.split('"');
    if pieces.next() != Some("") {
        return false;
    }
    let entries = inside.split('"').skip(1).step_by(2);
    let separators = inside.split('"').skip(2).step_by(2);
    let quotes = inside.bytes().filter(|&byte| byte == b'"').count();
    let between = quotes / 2 - usize::from(quotes >= 2);
    quotes >= 2
        && quotes % 2 == 0
        && separators.clone().take(between).all(|text| text.trim() == ",")
        && separators.last() == Some("")
        && are_plain(entries.take(quotes / 2))
}

fn at_range(record: &Accepted<'_>, range: Range<usize>, query: u64, entry: usize) -> At {
    let start = record.start;
    let quoted = range.start - 1..range.end + 1;
    let before = &record.bytes[start..quoted.start];
    let newlines = memchr::memchr_iter(b'\n', before).count() as u64;
    let own = column(&record.bytes[start..], quoted.start - start);
    At {
        bytes: record.origin.offset + (quoted.start - start) as u64
            ..record.origin.offset + (quoted.end - start) as u64,
        line: record.origin.line + newlines,
        column: if newlines == 0 { own + record.origin.column - 1 } else { own },
        record: record.origin.record,
        query,
        entry,
        list: List::Relevant,
    }
}

// The explaining tier: JSON.
impl Rules {
    fn query(&mut self, context: &mut Context<'_>) {
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
        if relevant.or(answers).or(alias).or(deprecated).is_none() && !given.iter().any(|key| is_no_list(key))
        {
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
            self.remember(context, 'q', name, &id, QUERIES);
        }
    }

    fn document(&mut self, context: &mut Context<'_>) {
        let root = context.root;
        let Kind::Object(_) = root.kind else {
            self.unread = true;
            return;
        };
        let id = one_of(context, ["doc_id", "doc_id"]);
        match root.get("text") {
            None => {
                let path = trail(context, &["text"]).path();
                context.report(Evret::NoText, root.span.start..root.span.start + 1, path);
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
                self.remember(context, 'd', name, &id, 1);
            }
            None => self.unread = true,
        }
    }

    /// Remembers an id; a repeat waits to be settled.
    fn remember(&mut self, context: &Context<'_>, kind: char, name: &str, id: &str, list: usize) {
        self.set_key(kind, id);
        let index = self.index_of(context.origin.record, list);
        let span = context.root.get(name).map_or(0..0, |value| value.span.clone());
        let path = trail(context, &[name]).path();
        self.ids.insert(&self.key, index, context.is_clean(), || context.place(span, path));
    }

    fn note_alias(&mut self, context: &Context<'_>, key: &str) {
        if context.looking {
            return;
        }
        self.aliases += 1;
        if self.first_alias.is_none() {
            let span = context.root.get(key).map_or(0..0, |value| value.span.clone());
            self.first_alias = Some(context.place(span, trail(context, &[key]).path()));
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
        let mut seen: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
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
            if let Some(first) = seen.get(&text) {
                let found = format!("\"{}\"", clip(&text, 80));
                context.report(Evret::RepeatedEntry { found, first: first + 1 }, value.span.clone(), path);
                continue;
            }
            if let Some(list) = of
                && !context.looking
            {
                let place = context.place(value.span.clone(), path);
                let query = self.index_of(context.origin.record, QUERIES);
                self.refer(&text, || At {
                    bytes: place.bytes.unwrap_or(0..0),
                    line: place.line.unwrap_or(1),
                    column: place.column.unwrap_or(1),
                    record: context.origin.record,
                    query,
                    entry: index,
                    list,
                });
            }
            seen.insert(text, index);
        }
    }
}

// The explaining tier: CSV.
impl Rules {
    fn columns(&mut self, context: &mut Context<'_>) {
        let Kind::Object(members) = &context.root.kind else { return };
        let has = |name: &str| members.iter().any(|member| member.key == name);
        let names = ["relevant_doc_ids", "expected_doc_ids", "expected_answers", "relevant_docs"];
        self.has_relevance = names.iter().any(|name| has(name));
        let span = |name: &str| {
            members.iter().find(|member| member.key == name).map_or(0..0, |member| member.key_span.clone())
        };
        let path = |name: &str| {
            let mut trail = Trail::default();
            trail.key(name);
            trail.path()
        };
        // Without the column of the queries it is another file altogether, and a finding says that.
        if !self.has_relevance && (has("query_text") || has("query")) {
            let place = context.root.span.clone();
            context.report(Evret::NoRelevanceColumn, place, Trail::default().path());
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

    fn row(&mut self, context: &mut Context<'_>) {
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
            context.report(Evret::NoRelevance, root.span.start..root.span.start + 1, Trail::default().path());
        }
        if context.looking {
            return;
        }
        self.queries += 1;
        if let Some((name, value)) = names::first_of(root, ["query_id", "id"])
            && let Some(id) = names::as_string(value).filter(|id| !id.is_empty())
        {
            self.remember(context, 'r', name, &id, QUERIES);
        }
    }
}

/// What is to be said of a cell that holds a list; gives whether anything is in the list.
fn cell(context: &mut Context<'_>, key: &'static str, value: &Value<'_>) -> bool {
    let Some(text) = value.as_str() else { return false };
    let path = trail(context, &[key]).path();
    let parsed = parse(text.as_bytes());
    let entries: Vec<String> = match &parsed {
        Ok(parsed) => match &parsed.value.kind {
            Kind::Array(elements) => {
                for element in elements.iter().filter(|element| !matches!(element.kind, Kind::String(_))) {
                    let found = clip(&text[element.span.clone()], 40);
                    if names::is_truthy(element) {
                        let problem = Evret::Coerced { found, name: key.to_owned() };
                        context.report(problem, value.span.clone(), path.clone());
                    }
                }
                let texts = elements.iter().map(|element| {
                    let text = names::as_string(element).filter(|_| names::is_truthy(element));
                    text.unwrap_or_else(|| {
                        if matches!(element.kind, Kind::Array(_) | Kind::Object(_)) {
                            text_of(element)
                        } else {
                            String::new()
                        }
                    })
                });
                texts.collect()
            }
            _ => {
                let received = parsed.value.type_name();
                context.report(Evret::CellNotList { received }, value.span.clone(), path);
                return true;
            }
        },
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
    let mut seen: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_empty() {
            context.report(Evret::BlankEntry, value.span.clone(), path.clone());
        } else if let Some(first) = seen.get(entry.as_str()) {
            let found = format!("\"{}\"", clip(entry, 80));
            context.report(
                Evret::RepeatedEntry { found, first: first + 1 },
                value.span.clone(),
                path.clone(),
            );
        } else {
            seen.insert(entry, index);
        }
    }
    !entries.is_empty()
}

/// Something that stands for a list or an object in a list of strings.
fn text_of(value: &Value<'_>) -> String {
    format!("{} at {}", value.type_name(), value.span.start)
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
    if matches!(value.kind, Kind::Null | Kind::Boolean(_) | Kind::Number(_)) {
        let problem = Evret::Coerced { found: found(context, value), name: name.to_owned() };
        let path = trail(context, &[name]).path();
        context.report(problem, value.span.clone(), path);
    }
}

/// A value as it stands in the file.
fn found(context: &Context<'_>, value: &Value<'_>) -> String {
    clip(&String::from_utf8_lossy(&context.bytes[value.span.clone()]), 40)
}

fn trail(context: &Context<'_>, keys: &[&str]) -> Trail {
    let mut trail = context.base.clone();
    for key in keys {
        trail.key(key);
    }
    trail
}
