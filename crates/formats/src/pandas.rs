//! The cells and columns of a CSV as `pandas.read_csv` holds them with its default options.
//!
//! Run with pandas 3.1.1. A column is typed as a whole, so the type of one cell depends on all others of its column.

use evalcheck_diagnose::json_string;

/// The words that pandas takes for a missing value, in quotes or not. They are compared exactly.
const MISSING: [&str; 19] = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
    "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// Whether pandas takes a cell for a missing value.
///
/// ```
/// use evalcheck_formats::pandas::is_missing;
///
/// assert!(is_missing("") && is_missing("None") && is_missing("N/A"));
/// assert!(!is_missing("none") && !is_missing(" NA"));
/// ```
pub fn is_missing(cell: &str) -> bool {
    // The longest word has nine bytes.
    cell.len() < 10 && MISSING.contains(&cell)
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// All cells are missing.
    Empty,
    /// True and false, in any case.
    Boolean,
    /// Whole numbers of 64 bits, with or without a sign.
    Integer,
    /// Whole numbers, at least one with more than 64 bits.
    Huge,
    /// Numbers, or whole numbers with missing cells.
    Float,
    /// Anything else.
    Text,
    /// The same, in which words for missing values stay texts: pandas gave up reading whole numbers at one that is too large.
    Verbatim,
}

/// The kinds of cells of a column, from which its type follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Column {
    seen: u16,
}

/// A kind of cell.
mod kind {
    pub(super) const MISSING: u16 = 1;
    pub(super) const BOOLEAN: u16 = 1 << 1;
    /// A whole number that fits into a signed one of 64 bits.
    pub(super) const INTEGER: u16 = 1 << 2;
    /// One that fits only without a sign.
    pub(super) const UNSIGNED: u16 = 1 << 3;
    pub(super) const HUGE: u16 = 1 << 4;
    pub(super) const FLOAT: u16 = 1 << 5;
    pub(super) const TEXT: u16 = 1 << 6;
    /// Whole numbers.
    pub(super) const WHOLE: u16 = INTEGER | UNSIGNED | HUGE;
    /// Cells that are neither whole numbers nor missing.
    pub(super) const OTHERS: u16 = BOOLEAN | FLOAT | TEXT;
    /// A whole number of more than 63 bits came before anything else than whole numbers, so the column is read again as numbers without a sign.
    pub(super) const AGAIN: u16 = 1 << 7;
    /// That ended at a cell that is no number.
    pub(super) const ENDED: u16 = 1 << 8;
    /// Or at a number of more than 64 bits.
    pub(super) const TOO_LARGE: u16 = 1 << 9;
    /// A cell begins with a minus.
    pub(super) const MINUS: u16 = 1 << 10;
}

impl Column {
    /// Adds a cell, as read from its quotes.
    #[inline]
    pub fn add(&mut self, cell: &str) {
        // One text decides, and no longer cell is missing.
        if self.has(kind::TEXT) && !self.is_read_again() && cell.len() >= 10 {
            return;
        }
        let kind = kind_of(cell);
        let has_minus = trimmed(cell).starts_with('-');
        if kind & (kind::UNSIGNED | kind::HUGE) != 0 && !self.has(kind::OTHERS) {
            self.seen |= kind::AGAIN;
        }
        if self.is_read_again() && !has_minus {
            if kind == kind::HUGE {
                self.seen |= kind::TOO_LARGE;
            } else if kind & kind::OTHERS != 0 {
                self.seen |= kind::ENDED;
            }
        }
        self.seen |= kind | if has_minus { kind::MINUS } else { 0 };
    }

    const fn has(self, kinds: u16) -> bool {
        self.seen & kinds != 0
    }

    /// Whether numbers without a sign are read.
    const fn is_read_again(self) -> bool {
        self.has(kind::AGAIN) && !self.has(kind::ENDED)
    }

    /// Whether a cell is missing.
    pub const fn has_missing(self) -> bool {
        self.has(kind::MISSING)
    }

    /// Whether a column of whole numbers is one of numbers without a sign.
    pub const fn is_unsigned(self) -> bool {
        self.has(kind::UNSIGNED)
    }

    /// The type of the column with the cells so far.
    ///
    /// ```
    /// use evalcheck_formats::pandas::{Column, Type};
    ///
    /// let type_of = |cells: &[&str]| {
    ///     let mut column = Column::default();
    ///     cells.iter().for_each(|cell| column.add(cell));
    ///     column.of()
    /// };
    /// assert_eq!(type_of(&["007", "1"]), Type::Integer);
    /// assert_eq!(type_of(&["007", "NA"]), Type::Float);
    /// assert_eq!(type_of(&["true", "", "FALSE"]), Type::Boolean);
    /// assert_eq!(type_of(&["true", "1"]), Type::Text);
    /// ```
    pub const fn of(self) -> Type {
        if self.has(kind::TOO_LARGE) || self.is_read_again() {
            return match self.has(kind::OTHERS) {
                false if self.has(kind::HUGE) => Type::Huge,
                false if !self.has(kind::MISSING | kind::MINUS) => Type::Integer,
                _ => Type::Verbatim,
            };
        }
        if self.has(kind::TEXT) || self.has(kind::BOOLEAN) && self.has(kind::WHOLE | kind::FLOAT) {
            Type::Text
        } else if self.has(kind::BOOLEAN) {
            Type::Boolean
        } else if self.has(kind::FLOAT) || self.has(kind::WHOLE) && self.has_missing() {
            Type::Float
        } else if self.has(kind::WHOLE) {
            Type::Integer
        } else {
            Type::Empty
        }
    }
}

/// The kind of a cell.
fn kind_of(cell: &str) -> u16 {
    if is_missing(cell) {
        return kind::MISSING;
    }
    if cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false") {
        return kind::BOOLEAN;
    }
    let number = trimmed(cell);
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || ".iI".contains(first)) {
        return kind::TEXT;
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return match number.parse::<i128>() {
            Ok(number) if i64::try_from(number).is_ok() => kind::INTEGER,
            Ok(number) if u64::try_from(number).is_ok() => kind::UNSIGNED,
            _ => kind::HUGE,
        };
    }
    if float(number).is_some() { kind::FLOAT } else { kind::TEXT }
}

/// A cell without the white space that pandas allows around a number.
fn trimmed(cell: &str) -> &str {
    cell.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}'])
}

/// The number that a text is. Like that of Rust, the grammar of pandas has `.5`, `1.`, `1e5` and infinity in any case; unlike it, no NaN.
fn float(number: &str) -> Option<f64> {
    number.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// A cell of a column of this type as JSON. Infinity, which JSON does not have, becomes null.
///
/// ```
/// use evalcheck_formats::pandas::{Type, held};
///
/// assert_eq!(held("007", Type::Integer), "7");
/// assert_eq!(held("007", Type::Text), "\"007\"");
/// assert_eq!(held("N/A", Type::Text), "null");
/// assert_eq!(held("1", Type::Float), "1.0");
/// ```
pub fn held(cell: &str, of: Type) -> String {
    let number = trimmed(cell);
    let whole = |number: &str| number.parse::<i128>().map(|number| number.to_string());
    match of {
        _ if of != Type::Verbatim && is_missing(cell) => "null".to_owned(),
        Type::Boolean if kind_of(cell) == kind::BOOLEAN => cell.to_ascii_lowercase(),
        Type::Integer | Type::Huge if let Ok(whole) = whole(number) => whole,
        Type::Huge if float(number).is_some() => number.trim_start_matches('+').to_owned(),
        Type::Float if let Some(number) = float(number) => {
            if number.is_finite() {
                format!("{number:?}")
            } else {
                "null".to_owned()
            }
        }
        // A cell of another type is in a later chunk.
        _ => json_string(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns and their types in pandas 3.1.1.
    const COLUMNS: [(&[&str], Type); 48] = [
        (&["1", " 1", "1\t", "+1", "-1", "-0", "007"], Type::Integer),
        (&["1."], Type::Float),
        (&[".5", "+.5", "1e5", "1E+5", "1e999", "1e-999"], Type::Float),
        (&["inf", "-INF", "+inf", "Infinity"], Type::Float),
        (&["1e"], Type::Text),
        (&["e5"], Type::Text),
        (&["."], Type::Text),
        (&["+"], Type::Text),
        (&["1e+"], Type::Text),
        (&["- 1"], Type::Text),
        (&["1\u{a0}"], Type::Text),
        (&["0x10"], Type::Text),
        (&["1d5"], Type::Text),
        (&["infinit"], Type::Text),
        (&["1_0"], Type::Text),
        (&["1,000"], Type::Text),
        (&["1.5.2"], Type::Text),
        (&[" "], Type::Text),
        (&[" true"], Type::Text),
        (&["true", "tRue", "FALSE", ""], Type::Boolean),
        (&["true", "1"], Type::Text),
        (&["inf", "true"], Type::Text),
        (&["1", ""], Type::Float),
        (&["", "NA"], Type::Empty),
        (&["a", ""], Type::Text),
        (&["9223372036854775807"], Type::Integer),
        (&["9223372036854775808", "1"], Type::Integer),
        (&["9223372036854775808", "-1"], Type::Verbatim),
        (&["9223372036854775808", ""], Type::Verbatim),
        (&["9223372036854775808", "1.5", ""], Type::Float),
        (&["18446744073709551615", "-0.25"], Type::Verbatim),
        (&["-0.25", "18446744073709551615"], Type::Float),
        (&["18446744073709551615", "", "NA", "-"], Type::Verbatim),
        (&["9223372036854775808", "-1", "NA"], Type::Verbatim),
        (&["1", "9223372036854775808", "x", "NA"], Type::Text),
        (&["9223372036854775807", ""], Type::Float),
        (&["18446744073709551615"], Type::Integer),
        (&["18446744073709551616", "1"], Type::Huge),
        (&["18446744073709551616", ""], Type::Huge),
        (&["9223372036854775808", "18446744073709551616", ""], Type::Huge),
        (&["18446744073709551616", "true", ""], Type::Verbatim),
        (&["1", "", "18446744073709551616", "x"], Type::Verbatim),
        (&["18446744073709551616", "inf"], Type::Verbatim),
        (&["1.5", "18446744073709551616", ""], Type::Float),
        (&["a", "18446744073709551616", "null"], Type::Text),
        (&["-9223372036854775808"], Type::Integer),
        (&["-9223372036854775809"], Type::Huge),
        (&["-9223372036854775809", "", "a"], Type::Text),
    ];

    #[test]
    fn a_column_is_typed_as_a_whole() {
        for (cells, expected) in COLUMNS {
            let mut column = Column::default();
            for cell in cells {
                column.add(cell);
            }
            assert_eq!(column.of(), expected, "{cells:?}");
        }
    }

    #[test]
    fn the_longest_words_are_compared_too() {
        assert!(MISSING.iter().all(|word| is_missing(word) && kind_of(word) == kind::MISSING));
    }
}
