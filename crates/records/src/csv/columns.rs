//! The columns that a format knows.

/// The columns of a CSV.
///
/// A row is a record like any other: an object whose keys are the names in the header and whose values are strings. The
/// fast tier captures the cell of each known column, under the column's index in [`Columns::columns`].
///
/// Where the schema of a record has a property that is named like a column and takes strings, the cells are checked
/// against that.
#[derive(Debug)]
pub struct Columns {
    /// The columns that the format knows.
    pub columns: &'static [Column],
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// Other names that the system reads as this one.
    pub aliases: &'static [&'static str],
    /// It must be there.
    pub required: bool,
    /// A blank cell is an error.
    pub not_blank: bool,
    /// A cell may be a JSON list. One of words, each another and none blank, gets to the rules under its number with
    /// [`LIST`](evalcheck_json::csv::LIST), as it stands in the file.
    pub is_list: bool,
    /// What it is for.
    pub doc: &'static str,
}
