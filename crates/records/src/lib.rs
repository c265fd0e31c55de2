//! From bytes to records.
//!
//! A [`Reader`] cuts the bytes of a dataset into lines, rows or elements of a list, and reports those that are not records.
//! It knows no format and no other rule: the [`Visit`] that it calls processes the records. A check is one visitor;
//! [`finder::RecordFinder`], which reads a record again for a preview, is another.

pub mod brackets;
pub mod convert;
pub mod csv;
pub mod document;
pub mod finder;
pub mod jsonl;
mod layout;
pub mod line_end;
pub mod line_index;
pub mod multiline;
mod parse;
mod problem;
mod reader;
pub mod record_index;
mod visit;

use std::rc::Rc;

pub use csv::problem::Csv;
pub use csv::{Column, Columns};
pub use document::problem::Document;
pub use layout::{Layout, List, ListPlace};
pub use parse::parse;
pub use problem::RecordProblem;
pub use reader::{KnownLines, MAX_RECORD, Positions, Reader};
pub use visit::{CountedRecord, Diagnosis, Event, Extent, Header, Part, ScannedRecord, ScannedRow, Visit};

use csv::Table;
use evalcheck_core::rule::Rule;
use evalcheck_json::schema::Schema;
use record_index::Mark;

/// The rules that are declared here.
pub const RULES: &[&[Rule]] = &[Csv::RULES, Document::RULES, RecordProblem::RULES];

/// A reader for a dataset of this layout; `schema` is the schema of a record.
pub fn reader<'a, V: Visit + 'a>(
    layout: &'static Layout,
    schema: &'static Schema,
    visitor: V,
) -> Box<dyn Reader<V> + 'a> {
    match layout {
        Layout::Jsonl => Box::new(jsonl::JsonlReader::new(visitor, schema, None)),
        Layout::JsonlWithHeader(header) => Box::new(jsonl::JsonlReader::new(visitor, schema, Some(header))),
        Layout::Csv(columns) => Box::new(csv::CsvReader::new(visitor, columns, schema)),
        Layout::Json(lists) => Box::new(document::DocumentReader::new(visitor, lists)),
    }
}

/// A reader that begins at a known record.
pub fn resume<'a, V: Visit + 'a>(
    layout: &'static Layout,
    schema: &'static Schema,
    table: Option<&Rc<Table>>,
    mark: Mark,
    visitor: V,
) -> Box<dyn Reader<V> + 'a> {
    match layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => {
            Box::new(jsonl::JsonlReader::resume(visitor, schema, mark))
        }
        Layout::Csv(columns) => {
            Box::new(csv::CsvReader::resume(visitor, columns, schema, table.cloned(), mark))
        }
        Layout::Json(lists) => Box::new(document::DocumentReader::resume(visitor, lists, mark)),
    }
}
