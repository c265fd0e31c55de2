//! Texts without which the bytes of a record cannot match, to pass over most records without reading them.
//!
//! A character may be written as itself or as an escape. So a needle is a run of characters whose only other spelling is `\uXXXX`,
//! and a record that has such an escape of one of them may match too. A regular expression is searched for in the record with its
//! escapes replaced, which has the text of each of its strings.

use std::borrow::Cow;

use evalcheck_wire::query::{Pattern, QueryError, Value, What};
use memchr::memmem::Finder;

use super::pattern::{FindRegex, Regexes, compile, fold};
use super::unescape::unescape;

/// The maximum number of characters of a needle that are searched for: a longer text is found by the first of them.
const MOST: usize = 16;

/// The spellings of the texts of a term. A record that has none of them cannot match.
#[derive(Debug)]
pub(super) struct Needles(Vec<Spelling>);

#[derive(Debug)]
enum Spelling {
    /// These bytes.
    Exact(Box<Finder<'static>>),
    /// These ASCII letters and other bytes, in upper or lower case.
    AnyCase {
        text: Vec<u8>,
        /// The index of the byte that is searched first, the rarest.
        rarest: usize,
    },
    /// A match of this expression.
    Regex(Box<dyn FindRegex>),
}

impl Needles {
    /// The needles of a term that is not negated; `None` if it tells nothing of the bytes.
    ///
    /// # Errors
    /// A regular expression that cannot be read.
    pub(super) fn of(what: &What, regexes: Regexes) -> Result<Option<Self>, QueryError> {
        let of_pattern = |pattern: &Pattern| match pattern {
            Pattern::Literal(text) => Ok(Self::of_text(text, !Pattern::has_case(text))),
            Pattern::Regex { pattern, ignores_case } => {
                Ok(Some(vec![Spelling::Regex(compile(pattern, *ignores_case, regexes)?)]))
            }
        };
        let spellings = match what {
            What::Text(pattern) => of_pattern(pattern)?,
            What::Data(_, values) => {
                let of_value = |value: &Value| match value {
                    Value::Contains(pattern) => of_pattern(pattern),
                    Value::Is(text) => Ok(Self::of_text(text, false)),
                    Value::Number(_) => Ok(None),
                };
                let of_values = values.iter().map(of_value).collect::<Result<Option<Vec<_>>, _>>()?;
                of_values.map(|spellings| spellings.into_iter().flatten().collect())
            }
            // The key may be a column of a CSV, whose rows do not have it.
            What::Has(_) | What::Check(..) | What::Sort(_) => None,
        };
        Ok(spellings.map(Self))
    }

    fn of_text(text: &str, ignores_case: bool) -> Option<Vec<Spelling>> {
        let is_plain = |c: char| {
            let has_escape = c.is_control() || matches!(c, '"' | '\\' | '/');
            let has_case = !c.is_ascii() && (fold(c) != c || c.to_uppercase().next() != Some(c));
            !(has_escape || ignores_case && has_case)
        };
        let run = text.split(|c| !is_plain(c)).max_by_key(|run| run.len()).filter(|run| !run.is_empty())?;
        let run = run.char_indices().nth(MOST).map_or(run, |(end, _)| &run[..end]);
        let bytes = run.as_bytes().to_vec();
        let mut spellings =
            vec![if ignores_case { Spelling::any_case(bytes) } else { Spelling::exact(&bytes) }];
        if run.bytes().any(|byte| byte.is_ascii()) {
            spellings.push(Spelling::exact(b"\\u00"));
        }
        for c in run.chars().filter(|c| !c.is_ascii()) {
            let unit = c.encode_utf16(&mut [0; 2])[0];
            spellings.push(Spelling::any_case(format!("\\u{unit:04x}").into_bytes()));
        }
        Some(spellings)
    }

    /// Whether one of them is in the bytes of a record, which is a row of a CSV or JSON.
    #[inline]
    pub(super) fn are_in(&self, record: &[u8], is_row: bool) -> bool {
        self.0.iter().any(|spelling| spelling.is_in(record, is_row))
    }
}

impl Spelling {
    fn exact(bytes: &[u8]) -> Self {
        Self::Exact(Box::new(Finder::new(bytes).into_owned()))
    }

    fn any_case(bytes: Vec<u8>) -> Self {
        /// Frequent letters of European languages last; other bytes are rarer than all of them, except spaces.
        const LETTERS: &[u8] = b"zqxjkvbpygfwmucldrhsnioate ";
        let rank = |byte: &u8| LETTERS.iter().position(|letter| *letter == byte.to_ascii_lowercase());
        let rarest = (0..bytes.len()).min_by_key(|index| rank(&bytes[*index])).unwrap_or(0);
        Self::AnyCase { text: bytes, rarest }
    }

    fn is_in(&self, bytes: &[u8], is_row: bool) -> bool {
        let (text, rarest) = match self {
            Self::Exact(finder) => return finder.find(bytes).is_some(),
            Self::AnyCase { text, rarest } => (text, *rarest),
            Self::Regex(regex) => {
                let text = if is_row { row_text(bytes) } else { unescape(bytes) };
                return text.is_none_or(|text| regex.may_be_in(&text));
            }
        };
        let Some(byte) = text.get(rarest) else { return true };
        let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
        memchr::memchr2_iter(lower, upper, bytes).any(|at| {
            let start = at.checked_sub(rarest);
            let part = start.and_then(|start| bytes.get(start..start + text.len()));
            part.is_some_and(|part| part.eq_ignore_ascii_case(text))
        })
    }
}

/// The texts of the cells of a row, one after another; `None` if a cell has quotes, which are doubled in the row.
fn row_text(row: &[u8]) -> Option<Cow<'_, str>> {
    let has_quotes = memchr::memmem::find(row, b"\"\"").is_some();
    std::str::from_utf8(row).ok().filter(|_| !has_quotes).map(Cow::Borrowed)
}
