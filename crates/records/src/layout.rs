//! How records are laid out in a file.

use evalcheck_json::schema::Schema;

use crate::csv::Columns;

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
