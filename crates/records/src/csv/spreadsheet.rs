//! Finds cells that a spreadsheet reads as formulas, or that one has written.

use std::ops::Range;

use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_json::csv::{Cell, QUOTE};
use evalcheck_json::diagnose::RecordStart;

use super::problem::Csv;
use super::table::Table;

/// The most characters that Excel keeps of a cell, in UTF-16 code units.
pub(super) const LONGEST_CELL: usize = 32_767;

/// What a spreadsheet writes in place of a value that it cannot compute.
const ERRORS: [&[u8]; 7] = [b"#NAME?", b"#REF!", b"#N/A", b"#VALUE!", b"#DIV/0!", b"#NUM!", b"#NULL!"];

/// Such cells of a file.
#[derive(Debug, Default)]
pub(super) struct Traces {
    formulas: Cells<char>,
    errors: Cells<String>,
    longest: Cells<()>,
}

/// The number of cells of a kind, and the first of them.
#[derive(Debug, Default)]
struct Cells<T> {
    first: Option<(T, Location)>,
    count: u64,
}

impl<T> Cells<T> {
    fn note(&mut self, what: T, location: impl FnOnce() -> Location) {
        self.count += 1;
        self.first.get_or_insert_with(|| (what, location()));
    }

    /// What the first cell is, with words about the others, and where it is.
    fn into_first(self, verb: &str) -> Option<(T, String, Location)> {
        let (first, location) = self.first?;
        let count = match self.count {
            1 => String::new(),
            n => format!("; {n} cells of the file {verb}"),
        };
        Some((first, count, location))
    }
}

impl Traces {
    /// Counts such cells of a row, which begins at `start`.
    #[cold]
    pub(super) fn note(&mut self, row: &[u8], cells: &[Cell], table: &Table, start: RecordStart) {
        for (cell, column) in cells.iter().zip(&table.columns) {
            let text = &row[Range::clone(&cell.span)];
            let text = text.strip_prefix(&[QUOTE]).unwrap_or(text);
            let text = text.strip_suffix(&[QUOTE]).unwrap_or(text);
            let location = || {
                let path = Some(Path(vec![Step::Key(column.name.clone())]));
                start.locate(cell.span.clone(), path, row)
            };
            if is_formula(text) {
                self.formulas.note(char::from(text[0]), location);
            } else if ERRORS.contains(&text) {
                self.errors.note(String::from_utf8_lossy(text).into_owned(), location);
            } else if text.len() >= LONGEST_CELL && cell.text(row).encode_utf16().count() == LONGEST_CELL {
                self.longest.note((), location);
            }
        }
    }

    /// A finding about all cells of each kind, at the first.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        let formulas = self.formulas.into_first("do");
        let formulas =
            formulas.map(|(first, count, location)| Finding::new(Csv::Formula { first, count }, location));
        let errors = self.errors.into_first("have such a value").map(|(found, count, location)| {
            let what = format!(
                "the cell is {found}, which a spreadsheet writes in place of a value that it cannot compute"
            );
            (what, count, location)
        });
        let longest = self.longest.into_first("have as many").map(|((), count, location)| {
            let what = "the cell has 32,767 characters, the most that a spreadsheet keeps: the rest was probably cut off";
            (what.to_owned(), count, location)
        });
        let values = errors.into_iter().chain(longest);
        let values = values
            .map(|(what, count, location)| Finding::new(Csv::SpreadsheetValue { what, count }, location));
        formulas.into_iter().chain(values).collect()
    }
}

/// True for a text that a spreadsheet reads as a formula. A number with a sign is not one.
fn is_formula(text: &[u8]) -> bool {
    let is_number = || std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@')) && !is_number()
}
