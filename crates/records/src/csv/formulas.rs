//! Finds cells that a spreadsheet reads as formulas.

use std::ops::Range;

use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_json::csv::{Cell, QUOTE};
use evalcheck_json::diagnose::RecordStart;

use super::problem::Csv;
use super::table::Table;

/// The number of such cells, and the first of them.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    first: Option<(char, Location)>,
    count: u64,
}

impl Formulas {
    /// Counts the formulas of a row, which begins at `start`.
    #[cold]
    pub(super) fn note(&mut self, row: &[u8], cells: &[Cell], table: &Table, start: RecordStart) {
        for (cell, column) in cells.iter().zip(&table.columns) {
            let text = &row[Range::clone(&cell.span)];
            let text = text.strip_prefix(&[QUOTE]).unwrap_or(text);
            let text = text.strip_suffix(&[QUOTE]).unwrap_or(text);
            if !is_formula(text) {
                continue;
            }
            self.count += 1;
            self.first.get_or_insert_with(|| {
                let path = Some(Path(vec![Step::Key(column.name.clone())]));
                (char::from(text[0]), start.locate(cell.span.clone(), path, row))
            });
        }
    }

    /// The finding about all formulas, at the first.
    pub(super) fn into_finding(self) -> Option<Finding> {
        let (first, location) = self.first?;
        let count = match self.count {
            1 => String::new(),
            n => format!("; {n} cells of the file do"),
        };
        Some(Finding::new(Csv::Formula { first, count }, location))
    }
}

/// True for a text that a spreadsheet reads as a formula. A number with a sign is not one.
fn is_formula(text: &[u8]) -> bool {
    let is_number = || std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    matches!(text.first(), Some(b'=' | b'+' | b'-' | b'@')) && !is_number()
}
