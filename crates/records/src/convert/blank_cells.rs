//! Takes blank cells behind the columns of a CSV out of it.

/// Leaves out the blank cells behind the first columns. Of a row with a text there, those up to the text stay.
#[derive(Debug)]
pub(super) struct WithoutBlankCells {
    columns: u64,
    /// The number of the current cell in its row, from 0.
    cell: u64,
    /// Blank cells behind the columns, with their separators, which stay if a text follows.
    pending: Vec<u8>,
    /// The last byte ended a cell, so that a quote begins a quoted one.
    at_start: bool,
    /// The cell began with a quote.
    has_quotes: bool,
    /// Within quotes, where a separator is text.
    quoted: bool,
}

impl WithoutBlankCells {
    pub(super) fn new(columns: u64) -> Self {
        Self { columns, cell: 0, pending: Vec::new(), at_start: true, has_quotes: false, quoted: false }
    }

    pub(super) fn feed(&mut self, byte: u8, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.at_start) {
            self.has_quotes = byte == b'"';
        }
        if byte == b'"' && self.has_quotes {
            // A doubled quote ends the quoted text and begins it again.
            self.quoted = !self.quoted;
        }
        self.at_start = !self.quoted && matches!(byte, b',' | b'\n');
        match byte {
            b'\n' if !self.quoted => {
                let has_return = self.pending.ends_with(b"\r");
                self.pending.clear();
                out.extend(has_return.then_some(b'\r'));
                out.push(byte);
                self.cell = 0;
            }
            b',' if !self.quoted => {
                self.cell += 1;
                if self.cell < self.columns { out.push(byte) } else { self.pending.push(byte) }
            }
            b' ' | b'\t' | b'\r' if !self.pending.is_empty() && !self.quoted => self.pending.push(byte),
            _ => {
                out.append(&mut self.pending);
                out.push(byte);
            }
        }
    }
}
