//! Converts a CSV with another separator to one with commas.

use super::cells::{Cells, Place};

/// Writes commas between the cells, and line breaks in place of lone carriage returns. Puts cells with a comma in quotes, and
/// leaves the others as they are.
#[derive(Debug)]
pub(super) struct Comma {
    cells: Cells,
    /// The current cell.
    cell: Vec<u8>,
    /// Whether the last byte was a carriage return after a row.
    returned: bool,
}

impl Comma {
    /// A conversion from this separator, which is ASCII.
    pub(super) fn new(separator: char) -> Self {
        let separator = u8::try_from(separator).unwrap_or(b',');
        Self { cells: Cells::new(separator).with_returns(), cell: Vec::new(), returned: false }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            if std::mem::take(&mut self.returned) {
                out.extend_from_slice(if byte == b'\n' { b"\r\n" } else { b"\n" });
                if byte == b'\n' {
                    continue;
                }
            }
            match self.cells.next(byte) {
                Place::Cell => self.cell.push(byte),
                Place::Separator => {
                    self.end_cell(out);
                    out.push(b',');
                }
                Place::Return => {
                    self.end_cell(out);
                    self.returned = true;
                }
                Place::LineFeed => {
                    self.end_cell(out);
                    out.push(byte);
                }
            }
        }
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.end_cell(out);
        out.extend(self.returned.then_some(b'\n'));
    }

    fn end_cell(&mut self, out: &mut Vec<u8>) {
        if self.cell.first() != Some(&b'"') && self.cell.contains(&b',') {
            out.push(b'"');
            for &byte in &self.cell {
                out.push(byte);
                out.extend((byte == b'"').then_some(b'"'));
            }
            out.push(b'"');
        } else {
            out.extend_from_slice(&self.cell);
        }
        self.cell.clear();
    }
}
