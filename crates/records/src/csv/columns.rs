//! The columns that a format knows.

/// The columns of a CSV.
///
/// A variant with the layout [`Layout::Csv`] hands its rows to the rules as objects of strings, whose keys are the
/// names in the header. [`crate::rules::dataset_rules::DatasetRules::accept`] gets the text of each cell of a known
/// column, under the column's place in [`Columns::columns`] as its number, in the order of the file. Before the first
/// row `DatasetRules::header` gets the header, as an object of the columns.
///
/// Where the variant's shape is an object with a field that is named like a column and takes strings, the cells are
/// checked against that.
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
