//! Removes a column of a CSV.

use super::cells::{Cells, Place};

/// Omits one cell of each row, with a separator beside it.
#[derive(Debug)]
pub(super) struct WithoutColumn {
    /// The number of the cell, from 0.
    column: u64,
    cells: Cells,
    /// The number of the current cell in its row, from 0.
    cell: u64,
}

impl WithoutColumn {
    pub(super) fn new(column: u64) -> Self {
        Self { column, cells: Cells::new(b','), cell: 0 }
    }

    pub(super) fn feed(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.cells.next(byte) {
            Place::LineFeed => {
                out.push(byte);
                self.cell = 0;
            }
            // The separator before the cell is omitted; for the first cell, the one after it.
            Place::Separator => {
                self.cell += 1;
                if self.cell != self.column.max(1) {
                    out.push(byte);
                }
            }
            Place::Cell if self.cell == self.column => {}
            Place::Return | Place::Cell => out.push(byte),
        }
    }
}
