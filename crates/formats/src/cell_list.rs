//! Lists in the cells of a CSV: how systems cut a text into items.

use std::borrow::Cow;

use crate::javascript::{is_space, trim};

/// A way to write a list in a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellList {
    /// The character between two items.
    pub(crate) separator: char,
    /// How an item can contain the separator.
    pub(crate) quotes: Quotes,
}

/// How an item of a list can contain the separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// A backslash before the separator makes it a part of the item, and disappears. White space around items is removed; blank items stay.
    Backslash,
    /// Not at all: every separator ends an item. White space and blank items stay.
    None,
    /// In double quotes. `""` and `\"` in them are a quote, `\\` is a backslash. White space around items is removed; blank items without
    /// quotes disappear.
    Double,
}

/// Why a cell is not a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotList {
    /// Text follows the closing quote of an item.
    TextAfterQuote,
    /// A quote is not closed.
    Unclosed,
}

impl CellList {
    /// The items of a cell.
    pub(crate) fn items(self, cell: &str) -> Result<Vec<Cow<'_, str>>, NotList> {
        match self.quotes {
            Quotes::None => Ok(cell.split(self.separator).map(Cow::from).collect()),
            Quotes::Backslash => Ok(self.escaped(cell)),
            Quotes::Double => self.quoted(cell),
        }
    }

    /// Whether an item is the same after it was written into a cell as it is, and read again.
    pub(crate) fn holds(self, item: &str) -> bool {
        self.items(item).is_ok_and(|items| items == [item])
    }

    /// See [`Quotes::Backslash`].
    fn escaped(self, cell: &str) -> Vec<Cow<'_, str>> {
        let written = format!("\\{}", self.separator);
        let is_end = |at: usize| !cell[..at].ends_with('\\');
        let ends = cell.match_indices(self.separator).map(|(at, _)| at).filter(|at| is_end(*at));
        let mut start = 0;
        let mut items = Vec::new();
        for end in ends.chain([cell.len()]) {
            let item = trim(&cell[start..end]);
            let is_escaped = item.contains(&written);
            let unescaped = || item.replace(&written, self.separator.encode_utf8(&mut [0; 4]));
            items.push(if is_escaped { unescaped().into() } else { item.into() });
            start = end + self.separator.len_utf8();
        }
        items
    }

    /// See [`Quotes::Double`].
    fn quoted(self, cell: &str) -> Result<Vec<Cow<'_, str>>, NotList> {
        let mut items = Vec::new();
        let mut rest = cell;
        loop {
            rest = rest.trim_start_matches(|c| is_space(c) || c == self.separator);
            if rest.is_empty() {
                return Ok(items);
            }
            let Some(text) = rest.strip_prefix('"') else {
                let end = rest.find(self.separator).unwrap_or(rest.len());
                items.push(trim(&rest[..end]).into());
                rest = &rest[end..];
                continue;
            };
            let (item, after) = unquoted(text).ok_or(NotList::Unclosed)?;
            items.push(item.into());
            rest = after.trim_start_matches(is_space);
            if !rest.is_empty() && !rest.starts_with(self.separator) {
                return Err(NotList::TextAfterQuote);
            }
        }
    }
}

/// The text up to the closing quote, and what follows that.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let at = rest.find(['"', '\\'])?;
        item.push_str(&rest[..at]);
        let (first, after) = (&rest[at..=at], &rest[at + 1..]);
        let next = after.chars().next().filter(|next| *next == '"' || first == "\\" && *next == '\\');
        match next {
            Some(next) => item.push(next),
            None if first == "\"" => return Some((item, after)),
            None => item.push('\\'),
        }
        rest = &after[next.map_or(0, char::len_utf8)..];
    }
}

/// Whether a text looks like a list in the notation of Python or JSON: `['a', 'b']`.
pub(crate) fn is_written_list(text: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.map(str::trim).is_some_and(|inner| {
        inner.is_empty()
            || ['"', '\'']
                .iter()
                .any(|quote| inner.len() > 1 && inner.starts_with(*quote) && inner.ends_with(*quote))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: CellList = CellList { separator: ',', quotes: Quotes::Double };
    const BACKSLASH: CellList = CellList { separator: ',', quotes: Quotes::Backslash };

    #[test]
    fn quotes_keep_the_separator() {
        assert_eq!(DOUBLE.items(" a b ,, \"c, d\" ,\"\",").unwrap(), ["a b", "c, d", ""]);
        assert_eq!(DOUBLE.items(r#""a ""b"" \"c\" \\ \d""#).unwrap(), [r#"a "b" "c" \ \d"#]);
        assert_eq!(DOUBLE.items(" , ").unwrap(), [""; 0]);
        assert_eq!(DOUBLE.items(r#"a "b", c"d"#).unwrap(), [r#"a "b""#, r#"c"d"#]);
        assert_eq!(DOUBLE.items("\"a\" b"), Err(NotList::TextAfterQuote));
        assert_eq!(DOUBLE.items("a, \"b"), Err(NotList::Unclosed));
        assert_eq!(DOUBLE.items("\"a\\\""), Err(NotList::Unclosed));
    }

    #[test]
    fn a_backslash_keeps_the_separator() {
        assert_eq!(BACKSLASH.items(r"a, b\, c ,,d\e").unwrap(), ["a", "b, c", "", r"d\e"]);
        assert_eq!(BACKSLASH.items("").unwrap(), [""]);
    }
}
