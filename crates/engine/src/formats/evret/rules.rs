//! What is to be said of queries and documents beyond their shape: what is remembered, and who says what.

mod accept;
mod document;
mod row;

use super::references::{At, References};
use super::{QUERIES, names};
use crate::explain::{Context, Origin, Trail, Value, clip};
use crate::finding::Place;
use crate::rules::dataset_rules::{Accepted, DatasetRules, End, Header};
use crate::rules::unique::UniqueIds;
use crate::rules::{Dataset, Evret, Problem};
use crate::scan::Scratch;
use crate::scan::hashes::join;

/// Ids of queries and of documents, and references between them.
///
/// Memory: at most 12 bytes for each id (see [`UniqueIds`]), and what [`References`] states.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the file")]
pub(super) struct Rules {
    is_csv: bool,
    ids: UniqueIds,
    references: References,
    /// For the key of an id: which kind, and the id.
    key: Vec<u8>,
    /// Those of the documents of the query at hand.
    hashes: Vec<u64>,
    /// Of the scanner, for lists in cells.
    scratch: Scratch,
    /// Number of the first record of each list.
    first_record: [u64; 2],
    queries: u64,
    documents: u64,
    /// The list of queries is there.
    has_queries: bool,
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
            ids: UniqueIds::new(duplicate).hashed(b'd'),
            references: References::default(),
            key: Vec::new(),
            hashes: Vec::new(),
            scratch: Scratch::default(),
            first_record: [0; 2],
            queries: 0,
            documents: 0,
            has_queries: false,
            has_documents: false,
            unread: false,
            has_relevance: true,
            aliases: 0,
            first_alias: None,
        }
    }

    fn set_key(&mut self, kind: u8, id: &[u8]) {
        join(&mut self.key, &[&[kind], id]);
    }

    /// What an id's first place is remembered as: its index in its list.
    fn index_of(&self, record: u64, list: usize) -> u64 {
        record.saturating_sub(self.first_record[list])
    }

    /// The hash of an id of a kind.
    fn hash_of(&self, kind: u8, id: &[u8]) -> u64 {
        self.ids.hash_of(kind, id)
    }

    /// Remembers an id of the fast tier, when it is new; answers whether it is.
    fn insert_new(&mut self, kind: u8, id: &[u8], origin: Origin, list: usize) -> bool {
        let index = self.index_of(origin.record, list);
        self.ids.insert_parts(kind, id, index).is_ok()
    }

    /// True when the id of a document was met that has this hash. Most files have their queries first.
    fn is_known(&mut self, hash: u64) -> bool {
        self.documents > 0 && self.ids.has_hash(hash)
    }

    /// Remembers a reference, unless there is such a document already.
    fn refer(&mut self, id: &str, at: impl FnOnce() -> At) {
        let hash = self.hash_of(b'd', id.as_bytes());
        if !self.is_known(hash) {
            self.references.wait(hash, id, &at());
        }
    }
}

/// The finding for a repeated id; `first` is the index in its list.
fn duplicate(key: &str, first: u64) -> Problem {
    let (kind, id) = key.split_at_checked(1).unwrap_or_default();
    let (what, first) = match kind {
        "d" => ("doc_id", format!("documents.{first}")),
        "r" => ("query_id", format!("row {}", first + 1)),
        _ => ("query_id", format!("queries.{first}")),
    };
    Evret::DuplicateId { what, id: clip(id, 80), first }.into()
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
        self.has_queries |= list == QUERIES;
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
            self.references.settle(&mut self.ids, end);
        }
        if self.has_queries && self.queries == 0 && self.documents > 0 && !self.unread {
            end.report(Dataset::NoRecords { noun: "query" });
        }
    }

    fn unique_ids(&mut self) -> Option<&mut UniqueIds> {
        Some(&mut self.ids)
    }

    fn has_id(&self, record: &Value<'_>, key: &str) -> bool {
        let (kind, id) = key.split_at_checked(1).unwrap_or_default();
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

pub(super) fn trail(context: &Context<'_>, keys: &[&str]) -> Trail {
    let mut trail = context.base.clone();
    for key in keys {
        trail.key(key);
    }
    trail
}
