//! Where a row ends, and where its cells stand in it.
//!
//! The rules are those of RFC 4180 as readers apply them: a quote opens a quoted cell only at the cell's start, a
//! doubled quote in it is one quote, and what follows the closing quote belongs to the cell. `csv_core` and Python read by
//! the same rules; tests compare all three.

mod list;
mod row;

use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::scan::BOM;
pub use row::{LIST, Row, Texts, Wanted};

/// The quote.
pub const QUOTE: u8 = b'"';

/// Looks for the line break that ends a row, in bytes that come in pieces. Each byte is looked at once, however long
/// the row and however small the pieces.
#[derive(Debug, Clone, Default)]
pub struct Boundary {
    /// Where to go on, from the row's start.
    at: usize,
    in_quotes: bool,
    /// Where the last quoted cell was opened, from the row's start.
    opened: usize,
    /// The byte before `at`; none at the row's start.
    before: Option<u8>,
    quotes: bool,
}

impl Boundary {
    /// The place of the line break that ends the row which begins the bytes, when they hold it.
    #[inline]
    pub fn find(&mut self, row: &[u8], delimiter: u8) -> Option<usize> {
        loop {
            if self.in_quotes {
                let Some(place) = memchr(QUOTE, &row[self.at..]) else {
                    self.go_to(row, row.len());
                    return None;
                };
                let quote = self.at + place;
                match row.get(quote + 1) {
                    // Whether it closes the cell depends on the next byte, which is still to come.
                    None => {
                        self.go_to(row, quote);
                        return None;
                    }
                    Some(&QUOTE) => self.go_to(row, quote + 2),
                    Some(_) => {
                        self.in_quotes = false;
                        self.go_to(row, quote + 1);
                    }
                }
            } else {
                let Some(place) = memchr2(QUOTE, b'\n', &row[self.at..]) else {
                    self.go_to(row, row.len());
                    return None;
                };
                let found = self.at + place;
                if row[found] == b'\n' {
                    return Some(found);
                }
                self.quotes = true;
                let before = if found == self.at { self.before } else { Some(row[found - 1]) };
                if before.is_none_or(|before| before == delimiter) {
                    self.in_quotes = true;
                    self.opened = found;
                }
                self.go_to(row, found + 1);
            }
        }
    }

    fn go_to(&mut self, row: &[u8], at: usize) {
        if at > self.at {
            self.before = Some(row[at - 1]);
        }
        self.at = at;
    }

    /// The row begins behind a byte order mark, when its bytes do.
    pub fn skip_byte_order_mark(&mut self, row: &[u8]) {
        if self.at <= BOM.len() && row.starts_with(BOM) {
            self.at = BOM.len();
            self.before = None;
        }
    }

    /// Discards the first bytes of the row, which are not needed any more. Returns how many.
    pub fn forget(&mut self) -> usize {
        // A row never begins anew behind what was thrown away.
        if self.at > 0 {
            self.before.get_or_insert(b' ');
        }
        std::mem::take(&mut self.at)
    }

    /// No byte of the row was looked at yet.
    pub fn is_fresh(&self) -> bool {
        self.at == 0
    }

    /// Where the quoted cell was opened that is still open.
    pub fn open_quote(&self) -> Option<usize> {
        self.in_quotes.then_some(self.opened)
    }

    /// The byte before the place that was come to; none at the row's start.
    pub fn last_byte(&self) -> Option<u8> {
        self.before
    }

    /// A quote was met.
    pub fn has_quotes(&self) -> bool {
        self.quotes
    }
}

/// A cell as it stands in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its bytes in the row, quotes included.
    pub span: Range<usize>,
    /// It stands in quotes.
    pub quoted: bool,
    /// Its text is not what stands between its quotes: it has doubled quotes, or text behind the closing one.
    pub needs_decoding: bool,
}

impl Cell {
    /// The bytes of its text, where it needs no decoding.
    pub fn content(&self) -> Range<usize> {
        if self.quoted { self.span.start + 1..self.span.end - 1 } else { self.span.clone() }
    }

    /// Puts its text behind what is in `out`.
    pub fn decode(&self, row: &[u8], out: &mut Vec<u8>) {
        if !self.needs_decoding {
            return out.extend_from_slice(&row[self.content()]);
        }
        let mut rest = &row[self.span.start + 1..self.span.end];
        while let Some(place) = memchr(QUOTE, rest) {
            out.extend_from_slice(&rest[..place]);
            rest = &rest[place + 1..];
            // Of two quotes one counts; a single one ends the quoted part, and behind that quotes are quotes.
            let Some(behind) = rest.strip_prefix(&[QUOTE]) else { break };
            out.push(QUOTE);
            rest = behind;
        }
        out.extend_from_slice(rest);
    }

    /// Its text; what is not UTF-8 becomes U+FFFD.
    pub fn text(&self, row: &[u8]) -> String {
        let mut text = Vec::new();
        self.decode(row, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// What is wrong with the quotes of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteError {
    /// The quoted cell is not closed in the row's bytes.
    Unterminated {
        /// Its place in the row.
        cell: usize,
    },
    /// Something stands between the closing quote of a cell and its end.
    TextAfter {
        /// Its place in the row.
        cell: usize,
        /// What stands there.
        text: Range<usize>,
    },
    /// A quote in a cell that does not begin with one.
    Stray {
        /// Its place in the row.
        cell: usize,
        /// The quote.
        at: usize,
    },
}

/// Puts the cells of a row (without its line break) in place of those in `cells`. `has_quotes` may be false only when
/// there is no quote in the row. Gives the first thing that is wrong with the quotes, a graver one before a stray quote.
pub fn split(row: &[u8], delimiter: u8, has_quotes: bool, cells: &mut Vec<Cell>) -> Option<QuoteError> {
    cells.clear();
    let mut at = 0;
    let mut error: Option<QuoteError> = None;
    let is_grave = |error: &Option<QuoteError>| matches!(error, Some(QuoteError::TextAfter { .. }));
    loop {
        let (cell, text) = if has_quotes && row.get(at) == Some(&QUOTE) {
            let (cell, close) = quoted(row, at, delimiter);
            let Some(close) = close else {
                cells.push(cell);
                return Some(QuoteError::Unterminated { cell: cells.len() - 1 });
            };
            let text = close + 1..cell.span.end;
            (cell, text)
        } else {
            let end = memchr(delimiter, &row[at..]).map_or(row.len(), |place| at + place);
            if has_quotes
                && error.is_none()
                && let Some(place) = memchr(QUOTE, &row[at..end])
            {
                error = Some(QuoteError::Stray { cell: cells.len(), at: at + place });
            }
            (Cell { span: at..end, quoted: false, needs_decoding: false }, end..end)
        };
        if !text.is_empty() && !is_grave(&error) {
            error = Some(QuoteError::TextAfter { cell: cells.len(), text });
        }
        at = cell.span.end + 1;
        cells.push(cell);
        if at > row.len() {
            return error;
        }
    }
}

/// The quoted cell that begins at `open`, and the place of its closing quote.
fn quoted(row: &[u8], open: usize, delimiter: u8) -> (Cell, Option<usize>) {
    let mut needs_decoding = false;
    let mut from = open + 1;
    while let Some(place) = memchr(QUOTE, &row[from..]) {
        let quote = from + place;
        if row.get(quote + 1) == Some(&QUOTE) {
            needs_decoding = true;
            from = quote + 2;
            continue;
        }
        let end = match row.get(quote + 1) {
            Some(&byte) if byte != delimiter => {
                needs_decoding = true;
                memchr(delimiter, &row[quote + 1..]).map_or(row.len(), |place| quote + 1 + place)
            }
            _ => quote + 1,
        };
        return (Cell { span: open..end, quoted: true, needs_decoding }, Some(quote));
    }
    (Cell { span: open..row.len(), quoted: true, needs_decoding: true }, None)
}
