//! Edits of the strings and literals of a record. Python's `repr` and a word processor write all of them wrongly, so all of them from
//! the first mistake on are edited at once.

use std::ops::Range;

use super::push_escaped;
use crate::diagnose::syntax_problem::python_literal;
use crate::tokens::{TokenKind, Tokens, Within, begins_with, is_typographic};

type Edit = (Range<usize>, String);

/// Strings in single quotes, and Python's literals, from `at` on, which is in no string. `None` when the end of a string is not
/// certain.
pub(super) fn python(bytes: &[u8], at: usize) -> Option<Vec<Edit>> {
    requoted(bytes, at, |quote| matches!(quote, '\'' | '`'), python_literal)
}

/// Strings in typographic quotes from `at` on, which is in no string. `None` when the end of a string is not certain.
pub(super) fn curly(bytes: &[u8], at: usize) -> Option<Vec<Edit>> {
    requoted(bytes, at, is_typographic, |_| None)
}

/// Strings in quotes that are meant, in double ones; and words that are literals of another language.
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
                // Where a word follows at once, the quote before it may be an apostrophe in the text.
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

/// The content of a string in other quotes, in double ones: a double quote in it is escaped, another one is not.
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

/// Raw control characters in a string from `at` on, which is in it, to its end.
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

/// Escapes that JSON does not have in a string from `at` on, which is in it, to its end: a backslash that is meant as
/// one, and what other languages escape. And whether that is certain: where each backslash of the string is one that JSON has no
/// escape for, all of them are meant as such. In `C:\data\new` the second one is a line break, and the first tells that it is not meant.
pub(super) fn bad_escapes(bytes: &[u8], at: usize) -> (Vec<Edit>, bool) {
    let mut edits = Vec::new();
    // Before the first bad escape: any other is an escape of JSON.
    let mut is_certain = !has_backslash_before(bytes, at);
    let hex = |from: usize, count: usize| {
        let digits = bytes.get(from..from + count)?;
        digits.iter().all(u8::is_ascii_hexdigit).then(|| String::from_utf8_lossy(digits).into_owned())
    };
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'"', _) => break,
            (b'\\', Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => {
                is_certain = false;
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
                // Half an escape has lost digits, other languages have escapes of digits, and what is no letter may have got
                // into an escape.
                let is_in_escape = || bytes.get(at + 2).is_some_and(|byte| b"\"\\/bfnrtu".contains(byte));
                is_certain &= match next {
                    None | Some(b'u' | b'x' | b'0'..=b'9' | ..b' ') => false,
                    Some(next) => next.is_ascii_alphabetic() || (next.is_ascii() && !is_in_escape()),
                };
                edits.push((at..at, "\\".to_owned()));
                at += 1;
            }
            _ => at += 1,
        }
    }
    (edits, is_certain)
}

/// True where a backslash comes before `at` in the same string.
fn has_backslash_before(bytes: &[u8], at: usize) -> bool {
    let found = bytes[..at].iter().rposition(|byte| matches!(byte, b'"' | b'\\'));
    // An escaped quote follows a backslash; the quote that begins the string does not.
    found.is_some_and(|found| bytes[found] == b'\\' || bytes[..found].ends_with(b"\\"))
}

/// True where what ends at `end` and what begins at `start` are surely two values with nothing between them: the second is a key;
/// or they are strings or brackets, and their quotes are not those of one string. Of numbers and words either may be a part
/// of the other, or of nothing.
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

/// True where a key begins: a string in double quotes, and a colon after it.
pub(super) fn is_key(bytes: &[u8], start: usize) -> bool {
    bytes.get(start) == Some(&b'"') && begins_with(&bytes[start..], b"\":")
}

/// True for a string that begins as what is between strings does: its first quote may be the last one of another string.
pub(super) fn is_inside_out(bytes: &[u8], start: usize) -> bool {
    let Some([b'"', content @ ..]) = bytes.get(start..) else { return false };
    matches!(content.trim_ascii_start().first(), Some(b',' | b':' | b']' | b'}'))
}

/// True where some string of a text is such.
pub(super) fn has_inside_out(bytes: &[u8]) -> bool {
    Tokens::new(bytes).any(|token| is_inside_out(bytes, token.span.start))
}

/// True for a quote in a text that is where a quotation begins, or where one ends.
pub(super) fn is_quotation_mark(bytes: &[u8], at: usize, begins: bool) -> bool {
    let before = bytes[..at].last().copied().unwrap_or(b' ');
    let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
    if begins {
        (before.is_ascii_whitespace() || b"([{\"'".contains(&before)) && !behind.is_ascii_whitespace()
    } else {
        !before.is_ascii_whitespace() && (behind.is_ascii_whitespace() || b".,;:!?)]}'\"".contains(&behind))
    }
}
