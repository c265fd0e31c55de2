//! Values that should be the same in all records of a dataset.

/// The first of such values, and whether another value was found.
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
    /// Returns the first value and its line if the one on this line is the first that differs from it.
    pub fn differing(&mut self, value: T, line: u64) -> Option<(T, u64)> {
        let (first, first_line) = *self.first.get_or_insert((value, line));
        let is_news = first != value && !self.is_mixed;
        self.is_mixed |= is_news;
        is_news.then_some((first, first_line))
    }

    /// Whether a value differed from the first.
    pub fn is_mixed(&self) -> bool {
        self.is_mixed
    }
}

/// The maximum number of names that are compared.
const MOST_NAMES: usize = 64;

/// The length of the longest name that is compared, in bytes.
const LONGEST_NAME: usize = 1_000;

/// Values by name that should be the same in all records, and so should the names. Holds at most 64 names of at most 1,000 bytes; others
/// are not compared.
///
/// ```
/// # use evalcheck_formats::first_value::FirstValues;
/// let mut values = FirstValues::default();
/// for (line, names) in [(1, ["a", "b"]), (2, ["b", "c"])] {
///     let differing = names.map(|name| values.differing(name, Some(name.len()), line));
///     let missing: Vec<_> = values.missing(line).collect();
///     match line {
///         1 => assert_eq!((differing, missing), ([None, None], vec![])),
///         _ => assert_eq!((differing, missing), ([None, Some((None, 1))], vec![("a", (Some(1), 1))])),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct FirstValues<T> {
    first_line: Option<u64>,
    values: Vec<NamedValue<T>>,
}

#[derive(Debug)]
struct NamedValue<T> {
    name: Box<str>,
    /// `None` for a record without the name.
    value: FirstValue<Option<T>>,
    last_line: u64,
}

impl<T> Default for FirstValues<T> {
    fn default() -> Self {
        Self { first_line: None, values: Vec::new() }
    }
}

impl<T: PartialEq + Copy> FirstValues<T> {
    /// Returns the first value of a name and its line if the one on this line is the first that differs from it; the value is `None` if the
    /// first record lacks the name. A `value` of `None` is not compared, but its name is not missing.
    pub fn differing(&mut self, name: &str, value: Option<T>, line: u64) -> Option<(Option<T>, u64)> {
        let known = self.values.iter().position(|known| *known.name == *name);
        let place = match known {
            Some(place) => place,
            None if self.values.len() == MOST_NAMES || name.len() > LONGEST_NAME => return None,
            None => {
                let mut value = FirstValue::default();
                self.first_line.and_then(|first_line| value.differing(None, first_line));
                self.values.push(NamedValue { name: name.into(), value, last_line: line });
                self.values.len() - 1
            }
        };
        let known = &mut self.values[place];
        known.last_line = line;
        value.and_then(|value| known.value.differing(Some(value), line))
    }

    /// Ends the record on this line. Returns the names that it is the first to lack, with their first values and lines.
    pub fn missing(&mut self, line: u64) -> impl Iterator<Item = (&str, (Option<T>, u64))> {
        self.first_line.get_or_insert(line);
        let missing = self.values.iter_mut().filter(move |known| known.last_line != line);
        missing.filter_map(move |known| Some((&*known.name, known.value.differing(None, line)?)))
    }
}
