//! The common features of a table's rows, which show how a row with too many or too few cells is meant.
//!
//! They are taken from the first [`SAMPLE`] bytes of rows, so that they do not depend on the pieces in which a file arrives, and are the
//! same for its first row and its last. Most tables are smaller than that.

use std::collections::BTreeSet;

use evalcheck_json::csv::{Boundary, QUOTE, split};

use super::columns::Columns;
use crate::line_end::trim_line_end;

/// The number of bytes of rows that are examined.
pub(super) const SAMPLE: usize = 256 << 10;

/// The number of regular rows that a certain reading needs.
const ENOUGH: usize = 5;

/// The number of cells that show the form of a column.
const FEW: usize = 3;

/// The number of cells that show that a column is never blank.
const NEVER_BLANK: usize = 8;

/// The number of cells per form that show that a column has no other form.
const FOR_EACH_FORM: usize = 3;

/// The maximum number of forms of a column that is not text.
const MOST_FORMS: usize = 4;

/// The number of rows in which the names of the columns are searched.
const MOST_TITLES: usize = 20;

/// The length of the longest cell in a column that is not text, in characters.
const LONGEST_CODE: usize = 64;

/// The first rows of a table.
#[derive(Debug)]
pub(super) struct Sample {
    bytes: Vec<u8>,
    first_line: u64,
    /// Whether they are all rows of the file.
    is_whole: bool,
}

/// The common features of the rows of the sample.
#[derive(Debug, Default)]
pub(super) struct Profile {
    columns: Vec<ColumnProfile>,
    /// The number of rows with a cell for each column.
    regular: usize,
    /// Whether a cell begins with a space.
    has_spaces: bool,
    /// The line of each row, and whether the row is whole: it has no misplaced quote, and at least one cell for each column.
    lines: Vec<(u64, bool)>,
    /// Whether the rows are all of the file, and each that is not blank has a cell for each column.
    is_complete: bool,
}

/// The common features of the cells of a column, apart from blank ones.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the column")]
pub(super) struct ColumnProfile {
    /// The number of cells that are not blank.
    cells: usize,
    /// Whether a regular row has a blank cell here.
    is_blank_elsewhere: bool,
    /// Whether it may have a blank cell.
    has_blank: bool,
    /// Whether a row of any length has a text here.
    has_text: bool,
    /// The number from which the cells so far count the rows, if they do.
    counted_from: Option<usize>,
    /// Whether any text may be in it: a cell is long, or has a comma or inner white space, or the cells have too many forms.
    is_text: bool,
    /// The forms of its cells, with letters and digits distinguished.
    forms: BTreeSet<String>,
    /// The forms of its cells, with letters and digits treated alike.
    coarse: BTreeSet<String>,
}

impl Sample {
    /// The whole rows of these bytes. The first row begins at this line. `is_last` if no bytes follow.
    pub(super) fn new(bytes: &[u8], first_line: u64, is_last: bool) -> Self {
        let is_whole = is_last && bytes.len() <= SAMPLE;
        let mut bytes = bytes[..bytes.len().min(SAMPLE)].to_vec();
        if is_whole {
            bytes.push(b'\n');
        } else {
            bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        }
        Self { bytes, first_line, is_whole }
    }

    /// The rows as text; `None` if they are not UTF-8.
    pub(super) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The first row that names several columns: its line, its offset, and its number of cells.
    pub(super) fn names(&self, columns: &Columns, delimiter: u8) -> Option<(u64, usize, usize)> {
        let (mut at, mut line) = (0, self.first_line);
        for _ in 0..MOST_TITLES {
            let rest = &self.bytes[at..];
            let end = Boundary::default().find(rest, delimiter)?;
            let row = trim_line_end(&rest[..end]);
            if columns.names_in(row, delimiter) > 1 {
                let mut cells = Vec::new();
                split(row, delimiter, true, &mut cells);
                return Some((line, at, cells.len()));
            }
            line += 1 + memchr::memchr_iter(b'\n', row).count() as u64;
            at += end + 1;
        }
        None
    }

    /// The profile of the rows, for a table with this number of columns.
    pub(super) fn profile(&self, delimiter: u8, columns: usize) -> Profile {
        let mut profile = Profile { is_complete: self.is_whole, ..Profile::default() };
        profile.columns.resize_with(columns, ColumnProfile::default);
        let (mut rest, mut line, mut cells) = (self.bytes.as_slice(), self.first_line, Vec::new());
        while let Some(end) = Boundary::default().find(rest, delimiter) {
            let row = trim_line_end(&rest[..end]);
            let first_line = line;
            line += 1 + memchr::memchr_iter(b'\n', row).count() as u64;
            rest = &rest[end + 1..];
            if row.trim_ascii().is_empty() {
                continue;
            }
            let has_quotes = memchr::memchr(QUOTE, row).is_some();
            let error = split(row, delimiter, has_quotes, &mut cells);
            let texts: Vec<String> = cells.iter().map(|cell| cell.text(row)).collect();
            let is_blank = texts.iter().all(|text| text.trim().is_empty());
            let is_regular = error.is_none() && cells.len() == columns && !is_blank;
            profile.lines.push((first_line, error.is_none() && cells.len() >= columns));
            for (column, text) in profile.columns.iter_mut().zip(&texts) {
                column.has_text |= !text.trim().is_empty();
            }
            if is_regular {
                profile.has_spaces |= texts.iter().any(|text| text.starts_with(' '));
                for (column, text) in profile.columns.iter_mut().zip(&texts) {
                    column.count(text, profile.regular);
                    column.add(text);
                }
                profile.regular += 1;
            }
            profile.is_complete &= is_regular || is_blank;
        }
        profile.is_complete &= rest.is_empty();
        let is_certain = profile.is_certain();
        profile.columns.iter_mut().for_each(|column| column.conclude(is_certain));
        profile
    }
}

impl Profile {
    /// The profile of a table with this number of columns whose cells are unknown.
    pub(super) fn unknown(columns: usize) -> Self {
        let column = || ColumnProfile { has_blank: true, ..ColumnProfile::default() };
        Self { columns: std::iter::repeat_with(column).take(columns).collect(), ..Self::default() }
    }

    /// Whether it covers all rows of the file, at least one, and each that is not blank has a cell for each column.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete && self.regular > 0
    }

    /// Whether no row of the sample has a text in a column.
    pub(super) fn is_blank(&self, index: usize) -> bool {
        !self.lines.is_empty() && !self.columns[index].has_text
    }

    /// The number from which the cells of a column count the rows, if they do.
    pub(super) fn counted_from(&self, index: usize) -> Option<usize> {
        self.columns[index].counted_from.filter(|_| self.regular > 1)
    }

    /// Whether there are enough regular rows to be certain of their common features.
    pub(super) fn is_certain(&self) -> bool {
        self.regular >= ENOUGH
    }

    /// Whether no cell of a regular row begins with a space.
    pub(super) fn has_no_spaces(&self) -> bool {
        !self.has_spaces
    }

    /// A column, by its index.
    pub(super) fn column(&self, index: usize) -> &ColumnProfile {
        &self.columns[index]
    }

    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Whether each cell may be in its column.
    pub(super) fn fits(&self, cells: &[&str]) -> bool {
        cells.len() == self.columns.len()
            && self.columns.iter().zip(cells).all(|(column, cell)| column.fits(cell))
    }

    /// The number of cells that have the form of their column, if it has one.
    pub(super) fn matches(&self, cells: &[&str]) -> usize {
        let columns = self.columns.iter().zip(cells);
        columns.filter(|(column, cell)| !column.is_text() && column.has_form(cell)).count()
    }

    /// Whether the rows before and after the row at this line are whole. Returns false if they are not in the sample.
    pub(super) fn is_between_whole_rows(&self, line: u64) -> bool {
        let Ok(index) = self.lines.binary_search_by_key(&line, |(line, _)| *line) else { return false };
        let is_whole = |index: usize| self.lines.get(index).is_some_and(|(_, is_whole)| *is_whole);
        index.checked_sub(1).is_none_or(is_whole) && is_whole(index + 1)
    }
}

impl ColumnProfile {
    /// Notes whether a cell continues to count the rows. `row` is the number of its regular row, from 0.
    fn count(&mut self, cell: &str, row: usize) {
        let from = cell.parse::<usize>().ok().and_then(|number| number.checked_sub(row));
        let is_next = if row == 0 { matches!(from, Some(0 | 1)) } else { from == self.counted_from };
        self.counted_from = from.filter(|_| is_next);
    }

    fn add(&mut self, cell: &str) {
        let cell = cell.trim();
        if cell.is_empty() {
            self.is_blank_elsewhere = true;
            self.has_blank = true;
            return;
        }
        self.cells += 1;
        let is_long = cell.chars().nth(LONGEST_CODE).is_some();
        if is_long || cell.contains(',') || cell.contains(char::is_whitespace) {
            self.is_text = true;
        }
        if self.is_text {
            return;
        }
        self.forms.insert(form(cell, false));
        self.coarse.insert(form(cell, true));
        self.is_text = self.forms.len() > MOST_FORMS && self.coarse.len() > MOST_FORMS;
    }

    /// Derives the restrictions on its cells. `is_certain` if there are enough rows.
    fn conclude(&mut self, is_certain: bool) {
        self.has_blank |= self.cells < NEVER_BLANK;
        let forms = if self.forms.len() <= MOST_FORMS { &self.forms } else { &self.coarse };
        self.is_text |= self.cells < FEW || (is_certain && self.cells < FOR_EACH_FORM * forms.len());
    }

    /// Whether another row has a blank cell in it.
    pub(super) fn is_blank_elsewhere(&self) -> bool {
        self.is_blank_elsewhere
    }

    /// Whether any text may be in it: its cells are texts, or no cell shows its form.
    pub(super) fn is_text(&self) -> bool {
        self.is_text || self.forms.is_empty()
    }

    /// Whether a cell may be in it.
    pub(super) fn fits(&self, cell: &str) -> bool {
        if cell.trim().is_empty() { self.has_blank } else { self.is_text() || self.has_form(cell) }
    }

    /// Whether a cell has a form of its cells.
    fn has_form(&self, cell: &str) -> bool {
        if cell.chars().nth(LONGEST_CODE).is_some() {
            false
        } else if self.forms.len() <= MOST_FORMS {
            self.forms.contains(&form(cell, false))
        } else {
            self.coarse.contains(&form(cell, true))
        }
    }

    /// The splits of a cell into one part that may be in this column and another that may be in the other.
    pub(super) fn cuts<'c>(&self, other: &Self, cell: &'c str) -> impl Iterator<Item = (&'c str, &'c str)> {
        let cuts = near_ends(cell).map(|at| cell.split_at(at));
        cuts.filter(|(start, end)| self.fits(start) && other.fits(end))
    }
}

/// The offsets near the ends of a text at which it can be split.
fn near_ends(text: &str) -> impl Iterator<Item = usize> {
    let is_near = |at: &usize| *at > 0 && (*at <= LONGEST_CODE || text.len() - at <= LONGEST_CODE);
    text.char_indices().map(|(at, _)| at).filter(is_near)
}

/// The form of a cell: the classes of its characters, each run once. Letters and digits are classes, one class if `coarse`; any other
/// character is its own class.
fn form(cell: &str, coarse: bool) -> String {
    let mut form = String::new();
    for c in cell.chars() {
        let class = match c {
            c if c.is_numeric() => '0',
            c if c.is_alphabetic() && !coarse => 'a',
            c if c.is_alphabetic() => '0',
            c => c,
        };
        if !form.ends_with(class) {
            form.push(class);
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_known_by_the_form_of_its_cells() {
        let rows = "q1,how high,d1\nq2,\"how, then\",d-2\nq3,when,d3\n\nq10,who,\nx\n";
        let profile = Sample::new(rows.as_bytes(), 2, false).profile(b',', 3);
        assert!(profile.fits(&["q7", "why, and when", "d3"]));
        assert!(profile.fits(&["q7", "why", ""]));
        assert!(profile.fits(&["", "why", "d3"]), "a few ids do not say that none is blank");
        assert!(!profile.fits(&["why", "q7", "d3"]));
        assert!(!profile.fits(&["q7", "why", "d 3"]));
        assert!(profile.is_between_whole_rows(3));
        assert!(!profile.is_between_whole_rows(6), "a row of one cell follows");
        assert!(!profile.is_between_whole_rows(7), "no row follows");
        let [id, text, doc] = [0, 1, 2].map(|index| profile.column(index));
        assert_eq!(text.cuts(doc, "the limit, d1").collect::<Vec<_>>(), [("the limit, ", "d1")]);
        assert_eq!(text.cuts(doc, "the limit").next(), None);
        assert_eq!(doc.cuts(id, "d1q2").collect::<Vec<_>>(), [("d1", "q2")]);
        assert_eq!(doc.cuts(id, "how high").next(), None);
    }

    #[test]
    fn columns_without_texts_and_those_that_count_are_known() {
        let profile = |rows: &str, is_last| Sample::new(rows.as_bytes(), 2, is_last).profile(b',', 3);
        let whole = profile("0,a,\n1,b,\n,,\n2,c,", true);
        assert!(whole.is_complete() && whole.is_blank(2) && !whole.is_blank(1));
        assert_eq!((whole.counted_from(0), whole.counted_from(1)), (Some(0), None));
        assert_eq!(profile("1,a,\n2,b,\n", true).counted_from(0), Some(1));
        assert_eq!(profile("1,a,\n2,b,\n4,c,\n", true).counted_from(0), None);
        assert_eq!(profile("1,a,\n3,b,\n3,c,\n", true).counted_from(0), None);
        assert_eq!(profile("2,a,\n3,b,\n", true).counted_from(0), None);
        assert!(!profile("0,a,\n1,b,\n", false).is_complete());
        assert!(!profile("0,a,\n1,b\n", true).is_complete());
        assert!(!profile("0,a,\n1,\"b,\n", true).is_complete());
        assert!(!profile("0,a,\n1,b,c,d\n", true).is_blank(2));
        assert!(!profile("", true).is_complete() && !profile("", true).is_blank(2));
    }

    #[test]
    fn a_column_of_many_forms_is_one_of_texts() {
        let rows = "1,a1b2\n2,3c4\n3,d\n4,5\n5,e6f\n6,a.b-c\n7,d/e\n8,f:g\n9,h_i\n";
        let profile = Sample::new(rows.as_bytes(), 2, false).profile(b',', 2);
        assert!(profile.column(1).is_text());
        let hashes = "1,a1b2\n2,3c4\n3,d\n4,5\n5,e6f\n6,f7a\n7,b\n8,8c\n";
        let profile = Sample::new(hashes.as_bytes(), 2, false).profile(b',', 2);
        assert!(profile.fits(&["9", "0f1e2d"]) && !profile.fits(&["9", "0f-1e"]));
        assert!(!profile.fits(&["", "a"]), "eight numbers say that none is blank");
        let few = "1,a\n2,2\n3,a1\n4,a\n5,2\n";
        assert!(
            Sample::new(few.as_bytes(), 2, false).profile(b',', 2).column(1).is_text(),
            "forms differ too much"
        );
    }
}
