//! Converts a CSV with another separator to one with commas.

/// Writes commas between the cells, and line breaks in place of lone carriage returns. Puts cells with a comma in quotes, and
/// leaves the others as they are.
#[derive(Debug)]
pub(super) struct Comma {
    separator: u8,
    /// The current cell.
    cell: Vec<u8>,
    /// Within quotes, where a separator is text.
    quoted: bool,
    /// The last byte was a carriage return after a row.
    returned: bool,
}

impl Comma {
    /// `separator` is ASCII.
    pub(super) fn new(separator: char) -> Self {
        Self {
            separator: u8::try_from(separator).unwrap_or(b','),
            cell: Vec::new(),
            quoted: false,
            returned: false,
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            if std::mem::take(&mut self.returned) {
                out.extend_from_slice(if byte == b'\n' { b"\r\n" } else { b"\n" });
                if byte == b'\n' {
                    continue;
                }
            }
            match byte {
                _ if self.quoted => {}
                b'\r' => {
                    self.end_cell(out);
                    self.returned = true;
                    continue;
                }
                b'\n' => {
                    self.end_cell(out);
                    out.push(byte);
                    continue;
                }
                byte if byte == self.separator => {
                    self.end_cell(out);
                    out.push(b',');
                    continue;
                }
                _ => {}
            }
            // A doubled quote ends the quoted text and begins it again.
            if byte == b'"' && (self.cell.is_empty() || self.cell[0] == b'"') {
                self.quoted = !self.quoted;
            }
            self.cell.push(byte);
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
