//! The checks of the dataset: ids of queries and of documents, and references between them.

mod clean;
mod document;
mod fix;
mod row;

use std::collections::HashSet;
use std::rc::Rc;

use super::references::{At, List, References};
use super::{
    ALIAS, ALIAS_ENTRY, ALIAS_LIST, COLUMN_ID, DEPRECATED, DEPRECATED_ENTRY, DOC_ID, DOCUMENTS, ID, LISTS,
    QUERIES, QUERY_ID, RELEVANT, RELEVANT_ENTRY, SCALAR, Version, names,
};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Findings, HeaderAnswer, Observations, Record, Summary,
};
use crate::diagnose::{RecordStart, Value, clip};
use crate::loaded::rule_loss;
use crate::python;
use crate::seen_ids::{IdHash, SeenIds};
pub(super) use document::{Element, QueryProblem};
use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_report::Loss;
use evalcheck_report::view::OtherRecord;
pub(super) use row::{Row, RowProblem};

evalcheck_core::rules! {
    /// Problems of the ids of queries and documents, and of the names of their keys.
    IdProblem {
        DuplicateId { what: &'static str, id: String, first: String, first_at: Location } = "evret/duplicate-id", Warning {
            summary: "Two queries or two documents have the same id.",
            message: "the {what} \"{id}\" is already used by {first}",
            hint: "Give each a unique id.",
            related: "first used here" => first_at.clone(),
            fix: Unsafe,
            meaning: "The loader accepts the duplicate. Results and references use the id, so they are assigned to the wrong query or document, or one of the two is lost.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}, {"query_id": "q1", "query_text": "c", "expected_answers": ["d"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}, {"query_id": "q1-1", "query_text": "c", "expected_answers": ["d"]}]}"#,
        }
        Alias { count: String } = "evret/expected-doc-ids", Info {
            summary: "The list of ids has the name of later releases.",
            message: "\"expected_doc_ids\" is how release 0.0.3 of Evret names \"relevant_doc_ids\"; release 0.0.1 does not read it{count}",
            hint: "Choose version 0.0.3 (--format-version) if that release reads the file; for release 0.0.1 write relevant_doc_ids.",
            loss: Key,
            meaning: "Releases of Evret differ in the name of this list. Reported once for a file, when it is checked for release 0.0.1.",
            invalid: "a file with the key expected_doc_ids, checked for release 0.0.1",
            valid: "the same with the key relevant_doc_ids, or checked for release 0.0.3",
        }
    }
}

/// The loss of a finding in Evret: Python reads integers exactly, and release 0.0.1 may read the deprecated list.
pub(super) fn loss(finding: &Finding) -> Option<Loss> {
    let is_kept =
        matches!(finding.problem.downcast_ref(), Some(QueryProblem::Deprecated { is_read: true, .. }));
    rule_loss(finding).filter(|_| !is_kept)
}

/// In a query with more references, the earlier ones are looked up in a set.
const FEW: usize = 64;

/// Memory: as [`SeenIds`] states for each id, and as [`References`] states.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the file")]
pub(super) struct Dataset {
    version: Version,
    is_csv: bool,
    /// Whether the column `id` is before the column `query_id`.
    has_short_id_first: bool,
    /// The ids of each list (the rows of a CSV are queries), with the index in the list.
    ids: [SeenIds; 2],
    references: References,
    /// The references of the current query.
    referred: Referred,
    /// The number of the first record of each list.
    first_record: [u64; 2],
    /// The line and column of each record of a list, by its index; empty for a CSV, whose ids have lines.
    starts: [Vec<(u32, u32)>; 2],
    queries: u64,
    documents: u64,
    /// Whether there are ids under the name that this version reads and some others do not.
    has_own_ids: bool,
    /// Whether the list of queries exists.
    has_queries: bool,
    /// Whether the list of documents exists.
    has_documents: bool,
    /// Whether a document could not be read, so that its id is unknown.
    unread: bool,
    /// Whether a document has no id, so that a reference may be to it.
    has_nameless: bool,
    /// The number of queries with a list of ids under its later name, and the first such list.
    aliases: u64,
    first_alias: Option<Location>,
}

impl Dataset {
    pub(super) fn new(version: Version, is_csv: bool) -> Self {
        Self {
            version,
            is_csv,
            has_short_id_first: false,
            ids: Default::default(),
            references: References::default(),
            referred: Referred::default(),
            first_record: [0; 2],
            starts: Default::default(),
            queries: 0,
            documents: 0,
            has_own_ids: false,
            has_queries: false,
            has_documents: false,
            unread: false,
            has_nameless: false,
            aliases: 0,
            first_alias: None,
        }
    }

    /// The index of a record in its list.
    fn index_of(&self, record: u64, list: usize) -> u64 {
        record.saturating_sub(self.first_record[list])
    }

    /// Remembers the start of a record of a list.
    fn note_start(&mut self, list: usize, index: u64, at: RecordStart) {
        // Positions beyond 32 bits are not kept, which halves the memory.
        let (Ok(index), Ok(line), Ok(column)) =
            (usize::try_from(index), u32::try_from(at.line), u32::try_from(at.column))
        else {
            return;
        };
        let starts = &mut self.starts[list];
        // Records without an id have no position.
        starts.resize(index.max(starts.len()), (0, 0));
        starts.push((line, column));
    }

    /// Remembers the id of a record, which is the given capture, and reports a repeated id.
    fn remember(&mut self, list: usize, capture: usize, id: &str, at: RecordStart, out: &mut Observations) {
        // In a document the index says more, because the whole document may be on one line.
        let number = if self.is_csv { at.line } else { self.index_of(at.record, list) };
        if !self.is_csv {
            self.note_start(list, number, at);
        }
        let Some(first) = self.ids[list].repeated(&[id.as_bytes()], number) else { return };
        let what = if list == DOCUMENTS { "doc_id" } else { "query_id" };
        let (first, first_at) = if self.is_csv {
            (format!("the row on line {first}"), Location::line(first))
        } else {
            let list_key = if list == DOCUMENTS { "documents" } else { "queries" };
            let index = usize::try_from(first).unwrap_or(usize::MAX);
            let path = Path(vec![Step::Key(list_key.into()), Step::Index(index)]);
            let record = Some(self.first_record[list] + first);
            let start = self.starts[list].get(index).filter(|(line, _)| *line > 0);
            let (line, column) = start.map(|(line, column)| (u64::from(*line), u64::from(*column))).unzip();
            (path.dotted(), Location { line, column, record, path: Some(path), ..Location::default() })
        };
        out.report_repeated(capture, IdProblem::DuplicateId { what, id: clip(id, 80), first, first_at });
    }

    fn observe_row(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        self.queries += 1;
        let ids = captures.strings.iter().enumerate().filter(|(_, (number, _))| *number == COLUMN_ID);
        let mut filled = ids.filter(|(_, (_, range))| !range.is_empty());
        let id = if self.has_short_id_first { filled.next_back() } else { filled.next() };
        let id = id.map(|(capture, (_, range))| (capture, python::strip(captures.text(range))));
        if let Some((capture, id)) = id.filter(|(_, id)| !id.is_empty()) {
            self.remember(QUERIES, capture, id, at, out);
        }
    }

    fn observe_query(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        self.queries += 1;
        if let Some((capture, id)) = names::first_captured(captures, [QUERY_ID, ID]) {
            self.remember(QUERIES, capture, &id, at, out);
        }
        if self.version.ids().is_none() {
            return;
        }
        self.referred.clear();
        let query = self.index_of(at.record, QUERIES);
        let mut locations = captures.locations(at);
        let mut entries = [0; 3];
        for (capture, (number, range)) in captures.strings.iter().enumerate() {
            let list = match number & !SCALAR {
                RELEVANT => List::Relevant,
                ALIAS => List::Alias,
                DEPRECATED => List::Deprecated,
                RELEVANT_ENTRY => {
                    entries[List::Relevant as usize] += 1;
                    continue;
                }
                ALIAS_ENTRY => {
                    entries[List::Alias as usize] += 1;
                    continue;
                }
                DEPRECATED_ENTRY => {
                    entries[List::Deprecated as usize] += 1;
                    continue;
                }
                ALIAS_LIST if self.version == Version::V001 => {
                    self.note_alias(captures, capture, at, query);
                    continue;
                }
                _ => continue,
            };
            let id = names::captured(*number, captures.text(range));
            if id.is_empty() {
                continue;
            }
            self.has_own_ids |= self.version.ids() == Some(list.key());
            let documents = &self.ids[DOCUMENTS];
            let document = documents.hash(&[id.as_bytes()]);
            if self.referred.insert(list, document) && !documents.contains(document) {
                let location = locations.of(capture);
                let at = At { location, query, entry: entries[list as usize], list };
                self.references.wait(document, &id, &at);
            }
        }
    }

    /// Notes that a query has a list of ids, the given capture, under its later name.
    fn note_alias(&mut self, captures: &Captures<'_>, capture: usize, at: RecordStart, query: u64) {
        self.aliases += 1;
        if self.first_alias.is_none() {
            let mut path = LISTS[QUERIES].path(query).path();
            path.0.push(Step::Key(List::Alias.key().into()));
            let location = captures.locations(at).of(capture);
            self.first_alias = Some(Location { path: Some(path), ..location });
        }
    }

    fn observe_document(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        self.documents += 1;
        match names::first_captured(captures, [DOC_ID, DOC_ID]) {
            Some((capture, id)) => {
                self.references.name(&id);
                self.remember(DOCUMENTS, capture, &id, at, out);
            }
            None => self.has_nameless = true,
        }
    }
}

impl DatasetChecks for Dataset {
    fn header(&mut self, columns: Option<&Record<'_>>, out: &mut Findings<'_>) -> HeaderAnswer {
        let Some(columns) = columns else { return HeaderAnswer::default() };
        self.has_short_id_first = row::is_before(columns.root, "id", "query_id");
        let has_relevance = row::check_columns(columns, self.version, out);
        self.has_own_ids = self.version.ids().is_some_and(|ids| row::has_column(columns.root, ids));
        let row = Row::new(self.version, has_relevance);
        let is_refused = !row::can_be_read(columns);
        HeaderAnswer { checks: Some(Rc::new(row)), is_refused, ..HeaderAnswer::default() }
    }

    fn begin_list(&mut self, list: usize, record: u64) {
        self.first_record[list.min(1)] = record;
        self.has_documents |= list != QUERIES;
        self.has_queries |= list == QUERIES;
        // If a list is repeated, its last value counts.
        self.ids[list.min(1)].clear();
        if list == QUERIES {
            self.queries = 0;
        } else {
            self.documents = 0;
        }
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        if self.is_csv {
            self.observe_row(captures, at, out);
        } else if captures.list == QUERIES {
            self.observe_query(captures, at, out);
        } else {
            self.observe_document(captures, at, out);
        }
    }

    fn linked(&self, query: &Value<'_>) -> Vec<OtherRecord> {
        let mut linked: Vec<OtherRecord> = Vec::new();
        for list in [List::Relevant, List::Alias, List::Deprecated] {
            let ids = query.get(list.key()).and_then(Value::as_array).unwrap_or_default();
            for id in ids.iter().filter_map(names::as_string) {
                let documents = &self.ids[DOCUMENTS];
                let Some(number) = documents.get(documents.hash([id.as_bytes()])) else { continue };
                if linked.iter().all(|other| other.id != id) {
                    linked.push(OtherRecord { record: self.first_record[DOCUMENTS] + number, id });
                }
            }
        }
        linked
    }

    fn unread(&mut self) {
        self.unread = true;
    }

    fn concludes_on_records(&self) -> bool {
        true
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        if self.aliases > 0
            && let Some(location) = self.first_alias.take()
        {
            let count = match self.aliases {
                1 => String::new(),
                n => format!(" ({n} queries)"),
            };
            out.report_at(IdProblem::Alias { count }, location);
        }
        if self.has_own_ids
            && let Some(note) = self.version.note_of_others(self.is_csv)
        {
            out.note(note.to_owned());
        }
        if self.has_documents && (self.unread || self.has_nameless) {
            let why = if self.unread {
                "a part of the file could not be read"
            } else {
                "the id of a document is missing or cannot be read"
            };
            out.note(format!("References to documents were not checked, because {why}."));
        } else if self.has_documents {
            self.references.compare(&self.ids[DOCUMENTS], out);
        }
        if self.has_queries && self.queries == 0 && summary.records > 0 && !self.unread {
            out.report(crate::DatasetProblem::NoRecords { noun: "query" });
        }
    }
}

/// The references of one query.
#[derive(Debug, Default)]
struct Referred {
    first: Vec<(List, IdHash)>,
    /// The references after the first [`FEW`].
    others: HashSet<(List, IdHash)>,
}

impl Referred {
    fn clear(&mut self) {
        self.first.clear();
        if !self.others.is_empty() {
            self.others = HashSet::new();
        }
    }

    /// Returns true if the reference is new.
    fn insert(&mut self, list: List, document: IdHash) -> bool {
        if self.first.contains(&(list, document)) {
            false
        } else if self.first.len() < FEW {
            self.first.push((list, document));
            true
        } else {
            self.others.insert((list, document))
        }
    }
}
