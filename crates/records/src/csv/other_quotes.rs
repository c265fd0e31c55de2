//! Cells in other quotes than those of a CSV: single or typographic quotes.

use super::table::Table;

/// The opening quotes that are searched, each with its closing quote.
const PAIRS: [[char; 2]; 6] = [['\'', '\''], ['“', '”'], ['„', '“'], ['„', '”'], ['‘', '’'], ['«', '»']];

/// The number of rows that prove that cells are in quotes.
const ENOUGH: usize = 2;

/// Quotes around the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OtherQuotes {
    /// The opening and the closing quote.
    pub(super) pair: [char; 2],
    /// Whether all cells are in them, including those of the header: then they are not text.
    pub(super) is_certain: bool,
}

/// Finds the quotes around the cells of a table: around all cells of its first rows, or around those of a column if the quotes join cells
/// that separators cut.
pub(super) fn find(header: &[u8], table: &Table) -> Option<OtherQuotes> {
    let header = std::str::from_utf8(header).ok()?;
    let sample = table.sample()?;
    let rows: Vec<&str> = sample.lines().filter(|row| !row.trim().is_empty()).collect();
    let separator = char::from(table.delimiter);
    PAIRS.into_iter().find_map(|pair| {
        let names = cells(header, separator, pair);
        let width = names.len();
        let mut in_quotes = vec![true; width];
        let (mut texts, mut is_cut) = (vec![0; width], false);
        for row in &rows {
            let cells = cells(row, separator, pair);
            is_cut |= row.matches(separator).count() + 1 != width;
            if cells.len() != width {
                return None;
            }
            for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
                in_quotes[index] &= is_in(cell, pair);
                texts[index] += 1;
            }
        }
        let is_quoted = |index: &usize| in_quotes[*index] && texts[*index] >= ENOUGH;
        let quoted = (0..width).filter(is_quoted).count();
        let are_all = width > 1 && quoted == width;
        (are_all || quoted > 0 && is_cut)
            .then(|| OtherQuotes { pair, is_certain: are_all && names.iter().all(|name| is_in(name, pair)) })
    })
}

/// The cells of a row with these quotes.
fn cells(row: &str, separator: char, pair: [char; 2]) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = row;
    loop {
        let closed = u8::try_from(separator).ok().and_then(|byte| end_of_quoted(rest.as_bytes(), pair, byte));
        let end = closed.or_else(|| rest.find(separator)).unwrap_or(rest.len());
        cells.push(&rest[..end]);
        match rest[end..].strip_prefix(separator) {
            Some(behind) => rest = behind,
            None => return cells,
        }
    }
}

/// The end of the quoted cell with which bytes begin. A quote closes it if all opened quotes are closed, and a separator or the end of the
/// line follows.
pub(crate) fn end_of_quoted(bytes: &[u8], pair: [char; 2], separator: u8) -> Option<usize> {
    let (mut of_open, mut of_close) = ([0; 4], [0; 4]);
    let [open, close] = pair;
    let open: &[u8] = open.encode_utf8(&mut of_open).as_bytes();
    let close: &[u8] = close.encode_utf8(&mut of_close).as_bytes();
    let mut at = bytes.strip_prefix(open).map(|_| open.len())?;
    let mut depth = 1;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == open[0] || *byte == close[0]) {
        at += found;
        let rest = &bytes[at..];
        if open == close && rest[close.len()..].starts_with(close) && rest.starts_with(close) {
            // A doubled quote is a quote of the text.
            at += 2 * close.len();
        } else if rest.starts_with(close) {
            at += close.len();
            depth = if open == close { 0 } else { depth - 1 };
            let is_end = match bytes[at..] {
                [] | [b'\n', ..] | [b'\r', b'\n', ..] => true,
                [byte, ..] => byte == separator,
            };
            if depth == 0 && is_end {
                return Some(at);
            }
            if depth == 0 && open != close {
                // The quotes are around a part of the text.
                return None;
            }
        } else {
            depth += i32::from(rest.starts_with(open));
            at += 1;
        }
    }
    None
}

fn is_in(cell: &str, [open, close]: [char; 2]) -> bool {
    cell.strip_prefix(open).is_some_and(|rest| rest.ends_with(close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_in_quotes_is_text() {
        assert_eq!(cells("'a','b, c',,'it's'", ',', ['\'', '\'']), ["'a'", "'b, c'", "", "'it's'"]);
        assert_eq!(cells("'a'',b','','c d'", ',', ['\'', '\'']), ["'a'',b'", "''", "'c d'"]);
        assert_eq!(cells("„a, b“,c", ',', ['„', '“']), ["„a, b“", "c"]);
        assert_eq!(cells("“say “hi”, you”,«c", ',', ['“', '”']), ["“say “hi”, you”", "«c"]);
        assert_eq!(cells("'a, b", ',', ['\'', '\'']), ["'a", " b"]);
    }
}
