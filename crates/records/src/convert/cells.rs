//! Finds the ends of the cells of a CSV as its bytes arrive.

/// What a byte of a CSV is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A part of a cell.
    Cell,
    /// The separator after a cell.
    Separator,
    /// A carriage return outside of quotes, which is part of a line break or one by itself.
    Return,
    /// The line feed after a row.
    LineFeed,
}

/// Follows the quotes of a CSV.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the current cell")]
pub(super) struct Cells {
    separator: u8,
    /// The next byte begins a cell, so that a quote begins a quoted one.
    at_start: bool,
    /// The cell began with a quote.
    has_quotes: bool,
    /// Within quotes, where a separator is text.
    quoted: bool,
    /// A carriage return ends a row.
    return_ends_row: bool,
}

impl Cells {
    /// Of a CSV with this separator.
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, at_start: true, has_quotes: false, quoted: false, return_ends_row: false }
    }

    /// The same where a carriage return by itself ends a row.
    pub(super) fn with_returns(self) -> Self {
        Self { return_ends_row: true, ..self }
    }

    /// What the next byte is.
    pub(super) fn next(&mut self, byte: u8) -> Place {
        if std::mem::take(&mut self.at_start) {
            self.has_quotes = byte == b'"';
        }
        if byte == b'"' && self.has_quotes {
            // A doubled quote ends the quoted text and begins it again.
            self.quoted = !self.quoted;
        }
        let place = match byte {
            _ if self.quoted => Place::Cell,
            b'\n' => Place::LineFeed,
            b'\r' => Place::Return,
            byte if byte == self.separator => Place::Separator,
            _ => Place::Cell,
        };
        self.at_start = match place {
            Place::Cell => false,
            Place::Return => self.return_ends_row,
            Place::Separator | Place::LineFeed => true,
        };
        place
    }
}
