//! Removes blank cells after the columns of a CSV.

use super::cells::{Cells, Place};

/// Omits the blank cells after the first columns. If a text follows them in the row, the cells up to the text stay.
#[derive(Debug)]
pub(super) struct WithoutBlankCells {
    columns: u64,
    cells: Cells,
    /// The number of the current cell in its row, from 0.
    cell: u64,
    /// Blank cells after the columns, with their separators, which stay if a text follows.
    pending: Vec<u8>,
}

impl WithoutBlankCells {
    pub(super) fn new(columns: u64) -> Self {
        Self { columns, cells: Cells::new(b','), cell: 0, pending: Vec::new() }
    }

    pub(super) fn feed(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.cells.next(byte) {
            Place::LineFeed => {
                let has_return = self.pending.ends_with(b"\r");
                self.pending.clear();
                out.extend(has_return.then_some(b'\r'));
                out.push(byte);
                self.cell = 0;
            }
            Place::Separator => {
                self.cell += 1;
                if self.cell < self.columns { out.push(byte) } else { self.pending.push(byte) }
            }
            Place::Return if !self.pending.is_empty() => self.pending.push(byte),
            Place::Cell if !self.pending.is_empty() && matches!(byte, b' ' | b'\t') => {
                self.pending.push(byte);
            }
            Place::Return | Place::Cell => {
                out.append(&mut self.pending);
                out.push(byte);
            }
        }
    }
}
