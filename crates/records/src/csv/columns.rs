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
    /// A line of white space is a row, and a blank first line the header, as Python's `csv` reads them: an error. Without
    /// this, blank lines are skipped.
    pub white_space_is_a_row: bool,
    /// A row with more bytes than this is left to the thorough tier: the system may refuse long cells.
    pub longest_cell: usize,
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
