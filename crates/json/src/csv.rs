//! Finds the end of a row, and its cells.
//!
//! The rules are those of RFC 4180 as readers apply them: a quote opens a quoted cell only at the cell's start, a
//! doubled quote in it is one quote, and text after the closing quote belongs to the cell. `csv_core` and Python follow
//! the same rules; tests compare all three.

mod list;
mod row;

use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::scan::BOM;
pub use row::{LIST, Row, Texts, Wanted};

/// The quote.
pub const QUOTE: u8 = b'"';

/// Finds the line break that ends a row, in bytes that arrive in pieces. Each byte is read once, whatever the size of the row and of the
/// pieces.
#[derive(Debug, Clone, Default)]
pub struct Boundary {
    /// The offset in the row at which the search continues.
    at: usize,
    in_quotes: bool,
    /// The offset in the row of the quote that opened the last quoted cell.
    opened: usize,
    /// The byte before `at`; none at the row's start.
    before: Option<u8>,
    quotes: bool,
}

impl Boundary {
    /// The offset of the line break that ends the row; `None` if it has not arrived. `row` holds the bytes from the row's start, or from
    /// the position where [`Boundary::forget`] cut it.
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
                    // The next byte, which has not arrived, decides whether this quote closes the cell.
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

    /// Skips a byte order mark at the start of the row.
    pub fn skip_byte_order_mark(&mut self, row: &[u8]) {
        if self.at <= BOM.len() && row.starts_with(BOM) {
            self.at = BOM.len();
            self.before = None;
        }
    }

    /// Discards the searched bytes, and returns their number. The caller then passes the row without them.
    pub fn forget(&mut self) -> usize {
        // A quote after the discarded bytes is not at the start of a cell.
        if self.at > 0 {
            self.before.get_or_insert(b' ');
        }
        std::mem::take(&mut self.at)
    }

    /// Whether no byte of the row was searched yet.
    pub fn is_fresh(&self) -> bool {
        self.at == 0
    }

    /// The offset of the quote that opened the current cell, if it is still open.
    pub fn open_quote(&self) -> Option<usize> {
        self.in_quotes.then_some(self.opened)
    }

    /// The last searched byte; `None` at the row's start.
    pub fn last_byte(&self) -> Option<u8> {
        self.before
    }

    /// Whether the searched bytes contain a quote.
    pub fn has_quotes(&self) -> bool {
        self.quotes
    }
}

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its bytes in the row, quotes included.
    pub span: Range<usize>,
    /// Whether it is in quotes.
    pub quoted: bool,
    /// Whether its text differs from the bytes between its quotes: it has doubled quotes, or text after the closing one.
    pub needs_decoding: bool,
}

impl Cell {
    /// The range of its text, if it needs no decoding.
    pub fn content(&self) -> Range<usize> {
        if self.quoted { self.span.start + 1..self.span.end - 1 } else { self.span.clone() }
    }

    /// The offset after the closing quote; the start of a cell without quotes.
    pub fn quotes_end(&self, row: &[u8]) -> usize {
        if !self.quoted {
            return self.span.start;
        }
        let mut at = self.span.start + 1;
        while let Some(place) = row.get(at..self.span.end).and_then(|rest| memchr(QUOTE, rest)) {
            at += place + 1;
            if at == self.span.end || row[at] != QUOTE {
                return at;
            }
            at += 1;
        }
        self.span.end
    }

    /// Appends its text to `out`.
    pub fn decode(&self, row: &[u8], out: &mut Vec<u8>) {
        if !self.needs_decoding {
            return out.extend_from_slice(&row[self.content()]);
        }
        let mut rest = &row[self.span.start + 1..self.span.end];
        while let Some(place) = memchr(QUOTE, rest) {
            out.extend_from_slice(&rest[..place]);
            rest = &rest[place + 1..];
            // Two quotes are one quote of the text. A single one ends the quoted part; the rest is text.
            let Some(behind) = rest.strip_prefix(&[QUOTE]) else { break };
            out.push(QUOTE);
            rest = behind;
        }
        out.extend_from_slice(rest);
    }

    /// Its text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self, row: &[u8]) -> String {
        let mut text = Vec::new();
        self.decode(row, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// An error in the quotes of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteError {
    /// The quoted cell is not closed in the row's bytes.
    Unterminated {
        /// The index of the cell.
        cell: usize,
    },
    /// Text follows the closing quote of a cell.
    TextAfter {
        /// The index of the cell.
        cell: usize,
        /// The text.
        text: Range<usize>,
    },
    /// A quote in a cell that does not begin with one.
    Stray {
        /// The index of the cell.
        cell: usize,
        /// The quote.
        at: usize,
    },
}

/// Replaces `cells` by the cells of a row without its line break. `has_quotes` may be false only if the row has no quote. Returns the
/// gravest error in the quotes, the first of its kind: an open cell, text after a quote, a stray quote.
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

/// The quoted cell that begins at `open`, and the offset of its closing quote.
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
