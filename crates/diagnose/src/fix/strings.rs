//! Edits of the strings and literals of a record. Python's `repr` and word processors write all of them wrongly, so one step edits all of
//! them from the first mistake on.

use std::ops::Range;

use super::push_escaped;
use crate::syntax_problem::python_literal;
use evalcheck_core::order::Order;
use evalcheck_json::scan::is_single_backslash;
use evalcheck_json::tokens::{TokenKind, Tokens, Within, begins_with, is_typographic};

type Edit = (Range<usize>, String);

/// Edits strings in single quotes, and Python's literals, from `at`, which is not in a string. `None` if the end of a string is not
/// certain.
pub(super) fn python(bytes: &[u8], at: usize) -> Option<Vec<Edit>> {
    requoted(bytes, at, |quote| matches!(quote, '\'' | '`'), python_literal)
}

/// Edits strings in typographic quotes from `at`, which is not in a string. `None` if the end of a string is not certain.
pub(super) fn curly(bytes: &[u8], at: usize) -> Option<Vec<Edit>> {
    requoted(bytes, at, is_typographic, |_| None)
}

/// Puts strings whose quotes satisfy `is_meant` into double quotes, and replaces words by their `literal`.
fn requoted(
    bytes: &[u8],
    at: usize,
    is_meant: impl Fn(char) -> bool,
    literal: impl Fn(&[u8]) -> Option<&'static str>,
) -> Option<Vec<Edit>> {
    let rest = bytes.get(at..)?;
    let mut edits = Vec::new();
    let mut tokens = Tokens::new(rest).peekable();
    while let Some(token) = tokens.next() {
        let text = match token.kind {
            TokenKind::String { quote, content, is_closed } if is_meant(quote) => {
                // If a word follows directly, the quote before it may be an apostrophe in the text.
                let is_word = |kind: &TokenKind| matches!(kind, TokenKind::Word | TokenKind::Number);
                if !is_closed || tokens.peek().is_some_and(|next| is_word(&next.kind)) {
                    return None;
                }
                in_double_quotes(std::str::from_utf8(&rest[content]).ok()?)
            }
            TokenKind::Word => match literal(&rest[token.span.clone()]) {
                Some(literal) => literal.to_owned(),
                None => continue,
            },
            _ => continue,
        };
        edits.push((at + token.span.start..at + token.span.end, text));
    }
    Some(edits)
}

/// The content of a string in other quotes, as a string in double quotes. Double quotes in it are escaped, others are not.
fn in_double_quotes(content: &str) -> String {
    let mut out = String::from('"');
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(quote) if matches!(quote, '\'' | '`') || is_typographic(quote) => out.push(quote),
                Some(escaped) => out.extend(['\\', escaped]),
                None => out.push_str("\\\\"),
            },
            c => push_escaped(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// Escapes the raw control characters of a string, from `at`, which is in the string, to the end of the string.
pub(super) fn control_characters(bytes: &[u8], at: usize) -> Vec<Edit> {
    let rest = &bytes[at..];
    let string = Tokens::resume(rest, Within::String('"')).next();
    let content = string.map_or(&rest[..0], |string| &rest[string.span]);
    let controls = content.iter().enumerate().filter(|(_, byte)| **byte < b' ');
    controls
        .map(|(place, &byte)| {
            let mut text = String::new();
            push_escaped(&mut text, char::from(byte));
            (at + place..at + place + 1, text)
        })
        .collect()
}

/// Replaces the escapes of a string that JSON does not have: escapes of other languages, and literal backslashes. `at` is the first of
/// them. Also returns whether that is certain: only if JSON has no escape for any backslash of the string. In `C:\data\new` and
/// `\alpha \frac`, the second backslash is an escape of JSON by accident, and is replaced too. No edits if a `\u` lacks some of its digits,
/// unless a word follows another backslash.
pub(super) fn bad_escapes(bytes: &[u8], at: usize) -> (Vec<Edit>, bool) {
    let Backslashes { mut edits, is_certain, words, has_words, has_pairs, has_halves, has_breaks } =
        Backslashes::around(bytes, at);
    if has_halves && !has_words {
        // Doubling the backslash would turn half a character into text.
        return (Vec::new(), false);
    }
    if has_words {
        // A text with doubled backslashes or real line breaks is fixed only if each of its words is certainly a command: a partly fixed
        // text is valid with another meaning.
        if (has_pairs || has_breaks) && !words.iter().all(|word| is_certain_word(bytes, word)) {
            return (Vec::new(), false);
        }
        edits.extend(words);
        edits.order_by_key(|(span, _)| span.start);
    }
    (edits, is_certain)
}

/// Whether the edited escape is probably a backslash that was not doubled.
fn is_certain_word(bytes: &[u8], (span, _): &Edit) -> bool {
    is_single_backslash(bytes[span.start + 1], &bytes[span.start + 2..])
}

/// Doubles the backslashes before letters in the string at `at`, whose escapes are all valid. If anything else than a lower-case letter
/// follows a line break or tab escape of the string, such escapes are real, and only those of [`is_single_backslash`] are doubled. No edits
/// if the string has a doubled backslash.
pub(super) fn single_backslashes(bytes: &[u8], at: usize) -> Vec<Edit> {
    let Backslashes { mut words, has_pairs, has_breaks, .. } = Backslashes::around(bytes, at);
    if has_pairs {
        return Vec::new();
    }
    if has_breaks {
        words.retain(|word| is_certain_word(bytes, word));
    }
    words
}

/// The backslashes of a string.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
struct Backslashes {
    /// Edits of the backslashes that begin no escape of JSON.
    edits: Vec<Edit>,
    /// Whether the edits are certain.
    is_certain: bool,
    /// Edits that double the backslashes that JSON reads as control characters, if a letter follows.
    words: Vec<Edit>,
    /// Whether one begins no escape, and a letter follows that cannot be `u` or `x` before digits.
    has_words: bool,
    /// Whether one is doubled.
    has_pairs: bool,
    /// Whether one begins an escape `\u` with only some of its digits.
    has_halves: bool,
    /// Whether one is a line break or tab escape that no lower-case letter follows.
    has_breaks: bool,
}

impl Backslashes {
    /// The backslashes of the string that contains `at`.
    fn around(bytes: &[u8], at: usize) -> Self {
        let mut edits = Vec::new();
        let mut is_certain = true;
        let hex = |from: usize, count: usize| {
            let digits = bytes.get(from..from + count)?;
            digits.iter().all(u8::is_ascii_hexdigit).then(|| String::from_utf8_lossy(digits).into_owned())
        };
        let mut words = Vec::new();
        let (mut has_words, mut has_pairs, mut has_halves, mut has_breaks) = (false, false, false, false);
        let mut at = start_of_string(bytes, at);
        while let Some(&byte) = bytes.get(at) {
            match (byte, bytes.get(at + 1)) {
                (b'"', _) => break,
                (b'\\', Some(b'b' | b'f' | b'n' | b'r' | b't')) => {
                    is_certain = false;
                    let next = bytes.get(at + 2).copied().unwrap_or_default();
                    has_breaks |= matches!(bytes[at + 1], b'n' | b'r' | b't') && !next.is_ascii_lowercase();
                    // No text has a backspace: `\b` at the end of a word is part of a regular expression.
                    let is_word = next.is_ascii_alphabetic() || bytes[at + 1] == b'b';
                    words.extend(is_word.then(|| (at..at, "\\".to_owned())));
                    at += 2;
                }
                (b'\\', Some(b'"' | b'\\' | b'/')) => {
                    is_certain = false;
                    has_pairs |= bytes[at + 1] == b'\\';
                    at += 2;
                }
                (b'\\', Some(b'u')) if hex(at + 2, 4).is_some() => {
                    is_certain = false;
                    at += 6;
                }
                (b'\\', Some(b'\'')) => {
                    is_certain = false;
                    edits.push((at..at + 1, String::new()));
                    at += 2;
                }
                (b'\\', Some(b'x')) if let Some(digits) = hex(at + 2, 2) => {
                    is_certain = false;
                    edits.push((at..at + 4, format!("\\u00{digits}")));
                    at += 4;
                }
                (b'\\', next) => {
                    // An incomplete escape lacks digits. Other languages have escapes of digits. A character that is not a letter may be a
                    // stray one inside an escape.
                    let is_in_escape = || bytes.get(at + 2).is_some_and(|byte| b"\"\\/bfnrtu".contains(byte));
                    is_certain &= match next {
                        None | Some(b'u' | b'x' | b'0'..=b'9' | ..b' ') => false,
                        Some(next) => next.is_ascii_alphabetic() || (next.is_ascii() && !is_in_escape()),
                    };
                    has_words |= match next {
                        // An escape may lack digits, but another letter begins a word: `\user`.
                        Some(b'u' | b'x') => {
                            bytes.get(at + 2).is_some_and(|byte| matches!(byte, b'g'..=b'z' | b'G'..=b'Z'))
                        }
                        next => next.is_some_and(u8::is_ascii_alphabetic),
                    };
                    has_halves |= next == Some(&b'u') && hex(at + 2, 1).is_some();
                    edits.push((at..at, "\\".to_owned()));
                    at += 1;
                }
                _ => at += 1,
            }
        }
        Self { edits, is_certain, words, has_words, has_pairs, has_halves, has_breaks }
    }
}

/// Whether a backslash is in a key, before a letter or a sign of a name, as in Markdown and LaTeX: `my\_key`. No language has such escapes.
pub(crate) fn is_stray_in_key(bytes: &[u8], at: usize) -> bool {
    let is_of_name =
        |byte: u8| byte.is_ascii_alphabetic() && !b"ux".contains(&byte) || b"_-. #$%&@:".contains(&byte);
    bytes.get(at + 1).is_some_and(|byte| is_of_name(*byte)) && is_in_key(bytes, at)
}

/// Whether an offset is in a string that is a key.
fn is_in_key(bytes: &[u8], at: usize) -> bool {
    start_of_string(bytes, at).checked_sub(1).is_some_and(|quote| is_key(bytes, quote))
}

/// The offset of the text of the string that contains `at`.
fn start_of_string(bytes: &[u8], at: usize) -> usize {
    let is_escaped = |at: usize| bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    let quotes = memchr::memrchr_iter(b'"', &bytes[..at]);
    quotes.into_iter().find(|quote| !is_escaped(*quote)).map_or(at, |quote| quote + 1)
}

/// Whether two values, one that ends at `end` and one that begins at `start`, are certainly separate with nothing between them. The second
/// is a key, or both are strings or brackets whose quotes do not belong to one string. Numbers and words may be parts of one value, or
/// stray.
pub(super) fn are_two(bytes: &[u8], end: usize, start: usize) -> bool {
    let ends = bytes[..end].last();
    let begins = bytes.get(start);
    if is_inside_out(bytes, start) {
        return false;
    }
    if is_key(bytes, start) {
        return true;
    }
    matches!(ends, Some(b'"' | b']' | b'}')) && matches!(begins, Some(b'"' | b'[' | b'{'))
}

/// Whether a key begins at `start`: a string in double quotes, followed by a colon.
pub(super) fn is_key(bytes: &[u8], start: usize) -> bool {
    bytes.get(start) == Some(&b'"') && begins_with(&bytes[start..], b"\":")
}

/// Whether a string begins like the text between two strings: its first quote may be the last one of another string.
pub(super) fn is_inside_out(bytes: &[u8], start: usize) -> bool {
    let Some([b'"', content @ ..]) = bytes.get(start..) else { return false };
    matches!(content.trim_ascii_start().first(), Some(b',' | b':' | b']' | b'}'))
}

/// Whether a string of the text is inside out.
pub(super) fn has_inside_out(bytes: &[u8]) -> bool {
    Tokens::new(bytes).any(|token| is_inside_out(bytes, token.span.start))
}

/// Whether a quote in a text is at the beginning of a quotation or, with `begins` false, at the end of one.
pub(super) fn is_quotation_mark(bytes: &[u8], at: usize, begins: bool) -> bool {
    let before = bytes[..at].last().copied().unwrap_or(b' ');
    let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
    if begins {
        (before.is_ascii_whitespace() || b"([{\"'".contains(&before)) && !behind.is_ascii_whitespace()
    } else {
        !before.is_ascii_whitespace() && (behind.is_ascii_whitespace() || b".,;:!?)]}'\"".contains(&behind))
    }
}
