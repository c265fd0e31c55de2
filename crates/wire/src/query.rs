//! The language in which records are searched and filtered. One string is the whole state of a filter.
//!
//! A query is a list of terms, and a record matches if it matches all of them:
//!
//! | term | matches |
//! |---|---|
//! | `paris`, `"New York"` | the text in any value of the record; any case, unless the term has a capital letter |
//! | `/colou?r/`, `/colou?r/i` | a regular expression; `i` ignores case |
//! | `is:invalid`, `rule:shape`, `line:10..20` | a property of the check of the record: see [`keys::KEYS`] |
//! | `role:user` | a value of the data by a short name of the format |
//! | `input.messages.*.role:user`, `.id:7` | a value of the data by its path; `*` is any key or index, a dot at the start means the root |
//! | `score:>0.5`, `score:0.5..1`, `score:1` | a number, or a range of numbers; of a list, how many elements it has |
//! | `type:=text` | the whole value, not a part of it |
//! | `has:input.messages.*.name` | the data has the value, and it is not null |
//! | `role:(user OR system)` | one of several values |
//! | `sort:score`, `-sort:score` | all; the least value comes first, or with a minus the greatest |
//! | `-is:valid` | not |
//!
//! ```
//! use evalcheck_wire::query::{Query, keys};
//!
//! let query = Query::parse(r#"is:invalid role:assistant "I cannot""#, &["role"]).unwrap();
//! assert_eq!(query.terms.len(), 3);
//! assert_eq!(query.to_string(), r#"is:invalid role:assistant "I cannot""#);
//!
//! let error = Query::parse("paris rul:shape", &[]).unwrap_err();
//! assert_eq!((error.span, &*error.message), (6..9, "there is no key \"rul\"; did you mean \"rule\"? A key of the data begins with a dot: .rul; a text with a colon needs quotes"));
//! ```

pub mod keys;
mod parse;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::ops::Range;

use evalcheck_report::selector::Selector;

pub use keys::{CheckKey, Takes, attachment_rules};

/// A query: a record matches if it matches all of its terms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// The terms, in the order in which they are written.
    pub terms: Vec<Term>,
}

/// A term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// Whether a record matches if it does not match `what`.
    pub is_negated: bool,
    /// The value to search for.
    pub what: What,
}

/// The value that a term searches for.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A text in any value of the record.
    Text(Pattern),
    /// A property of the check of the record: one of these values.
    Check(CheckKey, Vec<Value>),
    /// A value of the data: one of these values.
    Data(DataKey, Vec<Value>),
    /// The data has a value that is not null.
    Has(DataKey),
    /// All records, sorted by a value of the data: the least first, or if the term is negated the greatest.
    Sort(DataKey),
}

/// A key of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataKey {
    /// A name that the format declares, such as `role`.
    Short(String),
    /// A path from the root of the record.
    Path(Selector),
}

/// A value that a key is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The value contains the text. The texts of numbers, `true`, `false` and `null` are compared whole.
    Contains(Pattern),
    /// The value is the text.
    Is(String),
    /// The value is a number in a range, or a list with so many elements.
    Number(Numbers),
}

/// A text to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// This text. Case matters if it has a capital letter.
    Literal(String),
    /// A regular expression, in the syntax of the crate `regex`.
    Regex {
        /// The expression.
        pattern: String,
        /// Ignores case.
        ignores_case: bool,
    },
}

/// A range of numbers; an end without a bound is open.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Numbers {
    /// The lower bound.
    pub from: Option<Bound>,
    /// The upper bound.
    pub to: Option<Bound>,
}

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The number.
    pub number: f64,
    /// Whether the number belongs to the range.
    pub is_included: bool,
}

/// The problem of a query, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// The bytes of the query.
    pub span: Range<usize>,
    /// The problem, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}

impl Query {
    /// Reads a query. `names` are the short names of keys that the format declares.
    ///
    /// # Errors
    /// The first term that is unknown or malformed. No part of a query is ignored.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, QueryError> {
        parse::parse(text, names)
    }
}

impl Term {
    /// A term about the check of a record or a finding: a key and one word.
    pub fn check(key: CheckKey, word: &str) -> Self {
        let value = Value::Contains(Pattern::Literal(word.to_owned()));
        Self { is_negated: false, what: What::Check(key, vec![value]) }
    }

    /// The key and the word of a term like those of [`Term::check`].
    pub fn as_check(&self) -> Option<(CheckKey, &str)> {
        match &self.what {
            What::Check(key, values) if !self.is_negated => match &values[..] {
                [Value::Contains(Pattern::Literal(word))] => Some((*key, word)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl What {
    /// Returns true if the term can be compared with a finding alone, without its record.
    pub fn is_about_findings(&self) -> bool {
        let is_fixable =
            |value: &Value| matches!(value, Value::Contains(Pattern::Literal(word)) if word == "fixable");
        match self {
            Self::Check(CheckKey::Is, values) => values.iter().all(is_fixable),
            Self::Check(key, _) => matches!(
                key,
                CheckKey::Rule
                    | CheckKey::Severity
                    | CheckKey::Path
                    | CheckKey::Attachment
                    | CheckKey::Line
                    | CheckKey::Record
            ),
            Self::Sort(_) => true,
            Self::Text(_) | Self::Data(..) | Self::Has(_) => false,
        }
    }
}

impl Numbers {
    /// Returns true if the range contains the number.
    pub fn contains(&self, number: f64) -> bool {
        let is_above =
            |from: Bound| if from.is_included { from.number <= number } else { from.number < number };
        let is_below = |to: Bound| if to.is_included { number <= to.number } else { number < to.number };
        self.from.is_none_or(is_above) && self.to.is_none_or(is_below)
    }

    /// The range of one number.
    pub fn only(number: f64) -> Self {
        let bound = Some(Bound { number, is_included: true });
        Self { from: bound, to: bound }
    }
}

impl Pattern {
    /// Returns true if the case of a text matters: it has a capital letter.
    pub fn has_case(text: &str) -> bool {
        text.chars().any(char::is_uppercase)
    }
}
