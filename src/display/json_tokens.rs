//! The kinds of JSON tokens, for colours. The text can be invalid or incomplete.

use std::ops::Range;

use evalcheck_report::view::Source;

/// The maximum number of coloured tokens of a text, because each takes an element.
const MAX_TOKENS: usize = 4_000;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonToken {
    /// A string before a colon.
    Key,
    /// Any other string.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

impl JsonToken {
    /// The class of its element.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Key => "json-key",
            Self::String => "json-string",
            Self::Number => "json-number",
            Self::Literal => "json-literal",
        }
    }
}

/// The text of a record if it is an object or an array. `None` if its beginning is missing, because the starts of strings are then unknown.
pub(crate) fn json_of(source: &Source) -> Option<&str> {
    let is_json = source.before == 0 && source.text.trim_start().starts_with(['{', '[']);
    is_json.then_some(&source.text)
}

/// The coloured tokens in a part of a text, in order.
pub(crate) fn json_tokens(text: &str, part: &Range<usize>) -> Vec<(Range<usize>, JsonToken)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at)
        && at < part.end
        && tokens.len() < MAX_TOKENS
    {
        let rest = &bytes[at..];
        let (length, token) = match byte {
            b'"' => {
                let length = string_length(rest);
                let after = rest[length..].iter().find(|byte| !byte.is_ascii_whitespace());
                (length, Some(if after == Some(&b':') { JsonToken::Key } else { JsonToken::String }))
            }
            b'-' | b'0'..=b'9' => {
                let is_number = |byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                (length_of(rest, is_number), Some(JsonToken::Number))
            }
            _ if is_word(byte) => {
                let word = &rest[..length_of(rest, is_word)];
                let is_literal = matches!(word, b"true" | b"false" | b"null");
                (word.len(), is_literal.then_some(JsonToken::Literal))
            }
            _ => (1, None),
        };
        let end = at + length;
        tokens.extend(token.filter(|_| end > part.start).map(|token| (at..end, token)));
        at = end;
    }
    tokens
}

/// The parts of tokens within a range of their text, relative to its start.
pub(crate) fn tokens_in(
    tokens: &[(Range<usize>, JsonToken)],
    range: &Range<usize>,
) -> impl Iterator<Item = (Range<usize>, JsonToken)> {
    let first = tokens.partition_point(|(token, _)| token.end <= range.start);
    let (start, end) = (range.start, range.end);
    let overlapping = tokens[first..].iter().take_while(move |(token, _)| token.start < end);
    overlapping.map(move |(token, kind)| (token.start.max(start) - start..token.end.min(end) - start, *kind))
}

fn length_of(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_part(**byte)).count()
}

/// Returns true for letters, digits, underscores, and bytes of characters that are not ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..)
}

/// The length of the string at the start of a text, with its quotes. A string without an end extends to the end of its line.
fn string_length(bytes: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            b'"' if !is_escaped => return at + 1,
            _ => is_escaped = *byte == b'\\' && !is_escaped,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(&str, JsonToken)> {
        json_tokens(text, &(0..text.len())).into_iter().map(|(range, token)| (&text[range], token)).collect()
    }

    #[test]
    fn tokens_of_json_are_told_apart() {
        use JsonToken::{Key, Literal, Number, String};
        assert_eq!(
            tokens(r#"{"a" : "x\"}", "ü":[-1.5e+3, true,null]}"#),
            [
                (r#""a""#, Key),
                (r#""x\"}""#, String),
                (r#""ü""#, Key),
                ("-1.5e+3", Number),
                ("true", Literal),
                ("null", Literal)
            ]
        );
    }

    #[test]
    fn broken_text_is_coloured_as_far_as_it_goes() {
        use JsonToken::{Key, Number, String};
        assert_eq!(
            tokens("{'a': NaN, trueé, x1 \"b\n\"c\": 2"),
            [("\"b", String), ("\"c\"", Key), ("2", Number)]
        );
        assert_eq!(tokens("\"\\"), [("\"\\", String)]);
        assert_eq!(tokens(""), []);
        let many = "1 ".repeat(10_000);
        assert_eq!(json_tokens(&many, &(0..many.len())).len(), MAX_TOKENS);
        assert_eq!(json_tokens(&many, &(19_000..19_010)).len(), 5);
    }

    #[test]
    fn tokens_are_cut_to_a_range() {
        let text = r#"{"key": "value", "n": 1}"#;
        let all = json_tokens(text, &(0..text.len()));
        let cut = |range: Range<usize>| -> Vec<&str> {
            let part = &text[range.clone()];
            tokens_in(&all, &range).map(|(token, _)| &part[token]).collect()
        };
        assert_eq!(cut(0..text.len()), [r#""key""#, r#""value""#, r#""n""#, "1"]);
        assert_eq!(cut(3..11), [r#"ey""#, r#""va"#]);
        assert_eq!(cut(6..8), [""; 0]);
    }
}
