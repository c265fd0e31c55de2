//! References from queries to documents, which may follow them.

use crate::checks::Conclusions;
use crate::diagnose::clip;
use crate::seen_ids::{IdHash, SeenIds};
use evalcheck_core::finding::{Location, Path, Step};
use evalcheck_core::suggest::Names;

evalcheck_core::rules! {
    /// Problems of references to documents.
    ReferenceProblem {
        UnknownDocument { id: String, suggestion: String } = "evret/unknown-document", Warning {
            summary: "A relevant document that is not among the documents.",
            message: "no document has the id {id}{suggestion}",
            hint: "Write the id as the document has it, or add the document.",
            meaning: "The file lists its documents, and none has this id. Unless the index of the system has such a document, no answer to the query can be correct.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d2", "text": "b"}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d2"]}], "documents": [{"doc_id": "d2", "text": "b"}]}"#,
        }
    }
}

/// The maximum number of references that are remembered until the documents were read: 56 bytes each, 112 MiB. Further references are not
/// checked, and the report says so.
const MOST: usize = 2 << 20;

/// Bytes of the remembered ids of references; beyond, a reference is reported without its id.
const MOST_TEXT: usize = 16 << 20;

/// The number of document ids from which the nearest to a wrong id is chosen, and their bytes.
const MOST_NAMES: usize = 50_000;
const MOST_NAMES_TEXT: usize = 4 << 20;

/// Memory of references and of document ids. A reference is compared with the documents by its hash.
#[derive(Debug, Default)]
pub(super) struct References {
    waiting: Vec<Waiting>,
    text: String,
    names: String,
    name_ends: Vec<u32>,
    dropped: u64,
}

/// A reference with all that its finding needs.
#[derive(Debug)]
struct Waiting {
    document: IdHash,
    start: u64,
    line: u64,
    column: u64,
    length: u32,
    record: u64,
    query: u64,
    entry: u32,
    list: List,
    /// The offset of its id in the text; `NO_TEXT` if there was no room.
    id: u32,
}

const NO_TEXT: u32 = u32::MAX;

/// The list that contains a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum List {
    Relevant,
    Alias,
    Deprecated,
}

impl List {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Relevant => "relevant_doc_ids",
            Self::Alias => "expected_doc_ids",
            Self::Deprecated => "relevant_docs",
        }
    }
}

/// The position of a reference.
pub(super) struct At {
    /// The location without a path.
    pub(super) location: Location,
    /// The index of its query.
    pub(super) query: u64,
    pub(super) entry: usize,
    pub(super) list: List,
}

impl References {
    /// Remembers a reference until all documents were read.
    pub(super) fn wait(&mut self, document: IdHash, id: &str, at: &At) {
        if self.waiting.len() == MOST {
            self.dropped += 1;
            return;
        }
        let begins = self.text.len();
        let has_room = begins + id.len() < MOST_TEXT && id.len() <= 1000;
        if has_room {
            self.text.push_str(id);
            self.text.push('\n');
        }
        let Location { line, column, bytes, record, .. } = &at.location;
        let bytes = bytes.clone().unwrap_or_default();
        self.waiting.push(Waiting {
            document,
            start: bytes.start,
            line: line.unwrap_or(1),
            column: column.unwrap_or(1),
            length: small(bytes.end - bytes.start),
            record: record.unwrap_or(0),
            query: at.query,
            entry: small(at.entry as u64),
            list: at.list,
            id: if has_room { small(begins as u64) } else { NO_TEXT },
        });
    }

    /// Remembers the id of a document, for suggestions.
    pub(super) fn name(&mut self, id: &str) {
        if self.name_ends.len() < MOST_NAMES && self.names.len() + id.len() < MOST_NAMES_TEXT {
            self.names.push_str(id);
            self.name_ends.push(small(self.names.len() as u64));
        }
    }

    fn names(&self) -> Names {
        let mut start = 0;
        let ends = self.name_ends.iter().enumerate().map(|(index, &end)| {
            let end = end as usize;
            let name = self.names.get(start..end).unwrap_or_default();
            start = end;
            (index, name.into())
        });
        Names::new(ends)
    }

    /// Called after the documents were read. Reports the references to unknown documents.
    pub(super) fn compare(&mut self, documents: &SeenIds, out: &mut Conclusions<'_>) {
        let mut names = None;
        for one in std::mem::take(&mut self.waiting) {
            if documents.contains(one.document) {
                continue;
            }
            let id = self.text.get(one.id as usize..).and_then(|rest| rest.split('\n').next());
            let suggestion = id.map_or_else(String::new, |id| {
                let names = names.get_or_insert_with(|| self.names());
                suggestion(names, id)
            });
            let id = id.map_or_else(|| "that stands here".to_owned(), |id| format!("\"{}\"", clip(id, 80)));
            let location = Location {
                line: Some(one.line),
                column: Some(one.column),
                bytes: Some(one.start..one.start + u64::from(one.length)),
                record: Some(one.record),
                path: Some(Path(vec![
                    Step::Key("queries".into()),
                    Step::Index(usize::try_from(one.query).unwrap_or(usize::MAX)),
                    Step::Key(one.list.key().into()),
                    Step::Index(one.entry as usize),
                ])),
                ..Location::default()
            };
            out.report_at(ReferenceProblem::UnknownDocument { id, suggestion }, location);
        }
        if self.dropped > 0 {
            out.note(format!(
                "{} references to documents beyond the first {MOST} were not compared with the documents.",
                self.dropped
            ));
        }
    }
}

fn suggestion(names: &Names, id: &str) -> String {
    let near = names.nearest(id);
    near.map_or_else(String::new, |near| {
        format!("; the nearest is \"{}\", which {}", clip(&near.name, 80), near.reason)
    })
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
