//! From bytes to records: how they stand in a file.
//!
//! A [`Reader`] cuts the bytes of a dataset into lines, rows or elements of a list, and reports what keeps them from being
//! records. It knows no format and no rule beyond that: whatever is to be done with a record is done by the [`Visit`]
//! that it calls. A check is one visitor; [`finder::RecordFinder`], which reads a record again for showing, is another.

pub mod brackets;
pub mod convert;
pub mod csv;
pub mod document;
pub mod finder;
pub mod jsonl;
pub mod line_index;
pub mod multiline;
mod problem;
pub mod record_index;
mod visit;

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

pub use csv::problem::Csv;
pub use csv::{Column, Columns};
pub use document::problem::Document;
pub use problem::RecordProblem;
pub use visit::{Diagnosis, Event, Extent, Header, Part, RecordRead, ScannedRecord, Visit};

use csv::header::Table;
use evalcheck_core::finding::{Finding, Location};
use evalcheck_core::rule::Rule;
use evalcheck_json::diagnose::TextProblem;
use evalcheck_json::scan::BOM;
use evalcheck_json::schema::Schema;
use evalcheck_wire::report::{Edit, Fix};
use line_index::LineIndex;
use record_index::{Mark, RecordIndex};

/// The longest record that is read, in bytes: a line, a row or an element. It is held in memory while it is checked, and a
/// browser's tab has to bear it.
pub const MAX_RECORD: usize = 64 << 20;

/// The rules that are declared here.
pub const RULES: &[&[Rule]] = &[Csv::RULES, Document::RULES, RecordProblem::RULES];

/// How records stand in a file.
#[derive(Debug)]
pub enum Layout {
    /// A record a line.
    Jsonl,
    /// The same behind a first line of another schema, which governs the rest.
    JsonlWithHeader(&'static Schema),
    /// A record a row, under a header.
    Csv(&'static Columns),
    /// One JSON object whose lists hold the records.
    Json(&'static [List]),
}

/// A list of records in a JSON document.
#[derive(Debug)]
pub struct List {
    /// Its key in the document.
    pub key: &'static str,
    /// What it is: an array of `schema`.
    pub array: &'static Schema,
    /// What one element is.
    pub schema: &'static Schema,
    /// It must be there.
    pub required: bool,
}

/// Reads the bytes of one dataset as they come, and hands its records to a visitor.
pub trait Reader<V> {
    /// Room for the bytes that come next.
    fn buffer(&mut self, room: usize) -> &mut [u8];

    /// Takes `n` bytes of the space as read, and hands over every record that is complete now.
    fn commit(&mut self, n: usize);

    /// Every byte was read: hands over what is left, and finishes the dataset.
    fn finish(&mut self);

    /// No more bytes will come, and the dataset is not at its end: what was read of a record is not checked.
    fn stop(&mut self);

    /// Where lines and records begin, as far as they were read.
    fn positions(&self) -> &Positions;

    /// The header of a CSV, once it was read.
    fn table(&self) -> Option<&Rc<Table>> {
        None
    }

    /// The visitor.
    fn visitor(&self) -> &V;

    /// The same, to be changed.
    fn visitor_mut(&mut self) -> &mut V;
}

// By name only: a reader holds a buffer and a visitor.
impl<V> fmt::Debug for dyn Reader<V> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// Where lines and records begin: enough to read any of them again.
#[derive(Debug, Default)]
pub struct Positions {
    /// Where lines begin.
    pub lines: LineIndex,
    /// Where records begin that are no lines: rows of a CSV, elements of a document.
    pub records: RecordIndex,
    /// Lines of text read so far.
    pub text_lines: u64,
    /// The lines that a JSONL header takes; none where there is no header.
    pub header_lines: Range<u64>,
}

/// A reader for a dataset that is laid out so; `schema` is that of a record.
pub fn reader<V: Visit + 'static>(
    layout: &'static Layout,
    schema: &'static Schema,
    visitor: V,
) -> Box<dyn Reader<V>> {
    match layout {
        Layout::Jsonl => Box::new(jsonl::JsonlReader::new(visitor, schema, None)),
        Layout::JsonlWithHeader(header) => Box::new(jsonl::JsonlReader::new(visitor, schema, Some(header))),
        Layout::Csv(columns) => Box::new(csv::CsvReader::new(visitor, columns, schema)),
        Layout::Json(lists) => Box::new(document::DocumentReader::new(visitor, lists)),
    }
}

/// A reader that begins at a record which was passed before. `None` where records are lines, which [`LineIndex`] finds.
pub fn resume<V: Visit + 'static>(
    layout: &'static Layout,
    schema: &'static Schema,
    table: Option<&Rc<Table>>,
    mark: Mark,
    visitor: V,
) -> Option<Box<dyn Reader<V>>> {
    match layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => None,
        Layout::Csv(columns) => {
            Some(Box::new(csv::CsvReader::resume(visitor, columns, schema, table.cloned(), mark)))
        }
        Layout::Json(lists) => Some(Box::new(document::DocumentReader::resume(visitor, lists, mark))),
    }
}

/// The finding of a dataset that begins with a byte order mark.
fn byte_order_mark(visitor: &impl Visit) -> Finding {
    let location =
        Location { line: Some(1), column: Some(1), bytes: Some(0..BOM.len() as u64), ..Location::default() };
    let edits = vec![Edit { start: 0, end: BOM.len() as u64, text: String::new() }];
    let fix = Fix::safe("Delete the byte order mark", edits);
    Finding::new(TextProblem::byte_order_mark(visitor.texts()), location).with_fix(Some(fix))
}
