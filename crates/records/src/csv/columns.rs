//! The columns that a format knows.

use evalcheck_core::finding::Path;
use evalcheck_core::rule::AnyProblem;
use evalcheck_diagnose::PathBuilder;

/// The columns of a CSV.
///
/// A row is a record like any other: an object whose keys are the names in the header and whose values are strings. The
/// fast tier captures the cell of each known column, under the column's index in [`Columns::columns`].
///
/// If the schema of a record has a property with the name of a column that takes strings, the cells are checked against it.
#[derive(Debug)]
pub struct Columns {
    /// The columns that the format knows.
    pub columns: &'static [Column],
    /// How the system's reader treats lines.
    pub lines: CsvLines,
    /// A row with more bytes than this is left to the thorough tier: the system may refuse long cells.
    pub longest_cell: usize,
    /// The file needs at least one of these columns; `None` if each is required or optional by itself.
    pub one_of: Option<OneOf>,
    /// Whether any other column is as good.
    pub takes_others: bool,
    /// Whether any separator is as good as the comma.
    pub any_separator: bool,
    /// Whether a first row with more cells than the header moves the cells of all rows, as in pandas: the first ones become the label of the
    /// row.
    pub labels_rows: bool,
}

/// How a system's reader of CSV treats blank lines and line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsvLines {
    /// Blank lines are skipped.
    Skipped,
    /// A line of white space is a row, and a blank first line is the header, as in Python's `csv`: both are errors.
    WhiteSpaceRows,
    /// Any blank line is a row of one cell, and rows end as the header does, as in Node's `csv-parse`. Cells are separated by commas.
    Rows,
}

impl Columns {
    /// Any columns, with any separator; none is known.
    pub const ANY: Self = Self {
        columns: &[],
        lines: CsvLines::Skipped,
        longest_cell: usize::MAX,
        one_of: None,
        takes_others: true,
        any_separator: true,
        labels_rows: false,
    };
}

/// The file needs at least one of these columns. They are checked if no required column is missing.
#[derive(Debug)]
pub struct OneOf {
    /// Their names. The first two are suggested.
    pub names: &'static [&'static str],
    /// Returns the problem of a file that has none of them, with the given advice.
    pub missing: fn(String) -> AnyProblem,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// Other names that the system reads as this one.
    pub aliases: &'static [&'static str],
    /// Whether it must be present.
    pub required: bool,
    /// Whether a blank cell is an error.
    pub not_blank: bool,
    /// Whether a cell is a list: JSON, or values separated by commas. A JSON list of distinct words is captured as written, under the
    /// column's number with [`LIST`](evalcheck_json::csv::LIST).
    pub is_list: bool,
    /// Its purpose.
    pub doc: &'static str,
}

impl Column {
    /// A column of texts that may be missing, and may be blank.
    pub const fn optional(name: &'static str, doc: &'static str) -> Self {
        Self { name, aliases: &[], required: false, not_blank: false, is_list: false, doc }
    }

    /// Its name and its aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// The path of a column.
pub(super) fn path(name: &str) -> Path {
    let mut path = PathBuilder::default();
    path.key(name);
    path.path()
}
