//! Values that should be the same in all records of a dataset.

/// The first of such values, and whether another one was met.
///
/// ```
/// # use evalcheck_formats::first_value::FirstValue;
/// let mut value = FirstValue::default();
/// assert_eq!(value.differing("a", 1), None);
/// assert_eq!(value.differing("a", 2), None);
/// assert_eq!(value.differing("b", 3), Some(("a", 1)));
/// // One finding is enough.
/// assert_eq!(value.differing("c", 4), None);
/// ```
#[derive(Debug)]
pub struct FirstValue<T> {
    first: Option<(T, u64)>,
    is_mixed: bool,
}

impl<T> Default for FirstValue<T> {
    fn default() -> Self {
        Self { first: None, is_mixed: false }
    }
}

impl<T: PartialEq + Copy> FirstValue<T> {
    /// The first value and its line, where the one on this line is the first that differs from it.
    pub fn differing(&mut self, value: T, line: u64) -> Option<(T, u64)> {
        let (first, first_line) = *self.first.get_or_insert((value, line));
        let is_news = first != value && !self.is_mixed;
        self.is_mixed |= is_news;
        is_news.then_some((first, first_line))
    }

    /// True when some value differed from the first.
    pub fn is_mixed(&self) -> bool {
        self.is_mixed
    }
}
