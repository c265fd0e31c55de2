//! Lists that are written as one text, with a separator between the items.

/// How a system cuts a text into the items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellList {
    /// The character between two items.
    pub separator: char,
    /// The character around an item that may hold the separator; `None` if nothing does.
    pub quotes: Option<char>,
}

impl CellList {
    /// The items. A separator in quotes does not end an item, and the quotes around an item are not part of it.
    ///
    /// ```
    /// use evalcheck_formats::cell_list::CellList;
    ///
    /// let plain = CellList { separator: '|', quotes: None };
    /// assert_eq!(plain.items("a|b|").collect::<Vec<_>>(), ["a", "b", ""]);
    /// ```
    pub fn items(self, text: &str) -> impl Iterator<Item = &str> {
        let mut in_quotes = false;
        let cut = move |c: char| {
            in_quotes ^= self.quotes == Some(c);
            c == self.separator && !in_quotes
        };
        text.split(cut).map(move |item| self.unquoted(item))
    }

    fn unquoted(self, item: &str) -> &str {
        let inner = |quote| item.strip_prefix(quote)?.strip_suffix(quote);
        self.quotes.and_then(inner).unwrap_or(item)
    }

    /// Whether a list of these items is the same after it was written as a text and read again.
    ///
    /// ```
    /// # use evalcheck_formats::cell_list::CellList;
    /// let plain = CellList { separator: '|', quotes: None };
    /// assert!(plain.holds(["a", "b"].into_iter()));
    /// assert!(!plain.holds(["a|b"].into_iter()));
    /// ```
    pub fn holds<'i>(self, mut items: impl Iterator<Item = &'i str>) -> bool {
        items.all(|item| self.items(item).eq([item]))
    }
}

/// Whether a text looks like a list in the notation of Python or JSON: `['a', 'b']`.
///
/// ```
/// # use evalcheck_formats::cell_list::is_written_list;
/// assert!(is_written_list("['a', 'b']") && is_written_list(" [\"a\"] ") && is_written_list("[]"));
/// assert!(!is_written_list("[1] a footnote") && !is_written_list("[note]"));
/// ```
pub fn is_written_list(text: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.map(str::trim).is_some_and(|inner| {
        inner.is_empty()
            || ['"', '\'']
                .iter()
                .any(|quote| inner.len() > 1 && inner.starts_with(*quote) && inner.ends_with(*quote))
    })
}
