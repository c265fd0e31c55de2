//! What is to be said of queries and documents beyond their shape: what is remembered, and who says what.

mod accept;
mod document;
mod row;

use super::references::{At, References};
use super::{DOCUMENTS, QUERIES};
use crate::explain::{Context, PathBuilder};
use crate::finding::Location;
use crate::rules::dataset_rules::{Accepted, DatasetRules, End, Header};
use crate::rules::{Dataset, Evret};
use crate::scan::Scratch;
use crate::seen_ids::{IdHash, SeenIds};

/// Ids of queries and of documents, and references between them.
///
/// Memory: what [`SeenIds`] states for each id, and what [`References`] states.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the file")]
pub(super) struct Rules {
    is_csv: bool,
    /// Of each list (the rows of a CSV are queries), with the index in the list.
    ids: [SeenIds; 2],
    references: References,
    /// The documents of the query at hand.
    relevant: Vec<IdHash>,
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
    first_alias: Option<Location>,
}

impl Rules {
    pub(super) fn new(is_csv: bool) -> Self {
        Self {
            is_csv,
            ids: Default::default(),
            references: References::default(),
            relevant: Vec::new(),
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

    /// The index of a record in its list.
    fn index_of(&self, record: u64, list: usize) -> u64 {
        record.saturating_sub(self.first_record[list])
    }

    /// Remembers the id of a record. Where it is not new, gives the index of the first record that has it.
    fn insert(&mut self, list: usize, id: &[u8], record: u64) -> Option<u64> {
        let index = self.index_of(record, list);
        let ids = &mut self.ids[list];
        ids.insert(ids.hash(&[id]), index)
    }

    /// Remembers a reference, unless there is such a document already.
    fn refer(&mut self, id: &str, at: impl FnOnce() -> At) {
        let documents = &self.ids[DOCUMENTS];
        let document = documents.hash(&[id.as_bytes()]);
        if !documents.contains(document) {
            self.references.wait(document, id, &at());
        }
    }
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
            && let Some(location) = self.first_alias.take()
        {
            let count = match self.aliases {
                1 => String::new(),
                n => format!(" ({n} queries)"),
            };
            end.report_at(Evret::Alias { count }, location);
        }
        if self.has_documents && self.unread {
            end.note(
                "References to documents were not checked, because a part of the document could not be read."
                    .to_owned(),
            );
        } else if self.has_documents {
            self.references.compare(&self.ids[DOCUMENTS], end);
        }
        if self.has_queries && self.queries == 0 && self.documents > 0 && !self.unread {
            end.report(Dataset::NoRecords { noun: "query" });
        }
    }

    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self { has_relevance: self.has_relevance, ..Self::new(self.is_csv) })
    }
}

pub(super) fn trail(context: &Context<'_>, keys: &[&str]) -> PathBuilder {
    let mut trail = context.base.clone();
    for key in keys {
        trail.key(key);
    }
    trail
}
