//! Causes in the escapes of strings.

use crate::fix::strings::is_stray_in_key;
use crate::parse::Parser;
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::SyntaxProblem;
use crate::wording::quoted;

impl Parser<'_> {
    /// A backslash that does not begin an escape.
    pub(crate) fn bad_escape(&self, start: usize) -> SyntaxError {
        let rest = &self.bytes[start..];
        let digits = |after: usize, most: usize| {
            let digits = rest.iter().skip(after).take(most);
            digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
        };
        let length = match rest.get(1) {
            Some(b'u') => 2 + digits(2, 4),
            Some(b'x') => 2 + digits(2, 2),
            Some(&byte) if byte >= 0x80 => {
                1 + std::str::from_utf8(&rest[1..rest.len().min(5)])
                    .map_or(1, |text| text.chars().next().map_or(1, char::len_utf8))
            }
            _ => 2,
        };
        let span = start..(start + length).min(self.bytes.len());
        let found = quoted(&self.bytes[span.clone()]);
        let is_word = self.bytes.get(span.end).is_some_and(u8::is_ascii_alphabetic);
        let why = if rest.get(1) == Some(&b'u') {
            "has less than four hexadecimal digits"
        } else {
            "does not exist"
        };
        let advice = match rest.get(1) {
            Some(b'\'') => "Delete the backslash: a single quote has none in JSON.".to_owned(),
            Some(b'u') if length > 2 && !is_word => {
                format!("Write four digits after \\u, as in \\u00e9; or \\{found} if the text has a backslash here.")
            }
            Some(b'x') if length == 4 => format!("Write \\u00{} in its place.", &found[2..]),
            _ if is_stray_in_key(self.bytes, start) => {
                "Delete the backslash, if it is no part of the name of the key; otherwise write it as \\\\.".to_owned()
            }
            Some(byte) if byte.is_ascii_alphabetic() => {
                "A backslash that is part of the text, as in LaTeX and in paths, is written as \\\\: double every one of \
                 this text, also in \\b, \\f, \\n, \\r and \\t, which JSON reads as control characters."
                    .to_owned()
            }
            _ => "Delete the backslash, or write it as \\\\ if it is part of the text.".to_owned(),
        };
        self.error(span, |column| SyntaxProblem::BadEscape { column, found, why, advice })
    }
}
