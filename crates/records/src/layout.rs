//! The layout of records in a file.

use evalcheck_json::schema::Schema;

use crate::csv::Columns;

/// The layout of records in a file.
#[derive(Debug)]
pub enum Layout {
    /// Each line is a record.
    Jsonl,
    /// Each line after the first is a record. The first line has this schema, and decides the schema of the records.
    JsonlWithHeader(&'static Schema),
    /// Each row is a record, under a header.
    Csv(&'static Columns),
    /// One JSON object whose lists hold the records.
    Json(&'static [List]),
}

/// A list of records in a JSON document.
#[derive(Debug)]
pub struct List {
    /// Its key in the document.
    pub key: &'static str,
    /// Its own schema: an array of `schema`.
    pub array: &'static Schema,
    /// The schema of an element.
    pub schema: &'static Schema,
    /// Whether it must be present.
    pub required: bool,
}
