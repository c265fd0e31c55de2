//! Finds the ends of the cells of a CSV as its bytes arrive.

/// The role of a byte in a CSV.
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
    /// Whether the next byte begins a cell, so that a quote begins a quoted one.
    at_start: bool,
    /// Whether the cell began with a quote.
    has_quotes: bool,
    /// Whether the position is within quotes, where a separator is text.
    quoted: bool,
    /// Whether a carriage return ends a row.
    return_ends_row: bool,
}

impl Cells {
    /// The cells of a CSV with this separator.
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, at_start: true, has_quotes: false, quoted: false, return_ends_row: false }
    }

    /// Lets a carriage return by itself end a row.
    pub(super) fn with_returns(self) -> Self {
        Self { return_ends_row: true, ..self }
    }

    /// The role of the next byte.
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
