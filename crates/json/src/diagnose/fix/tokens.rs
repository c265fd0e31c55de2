//! Edits that are made to all tokens of a record behind a place, because the program that wrote one of them wrongly wrote
//! them all so: Python's `repr`, a word processor's quotes.

use std::ops::Range;

use super::push_escaped;
use crate::diagnose::string_end;

type Edit = (Range<usize>, String);

/// Strings in single quotes, and Python's literals, from `at` on, which is in no string. `None` when a string has no end.
pub(super) fn python(bytes: &[u8], mut at: usize) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1, b'"') + 1,
            b'\'' | b'`' => {
                let end = string_end(bytes, at + 1, byte);
                let content = std::str::from_utf8(bytes.get(at + 1..end)?).ok()?;
                if end == bytes.len() {
                    return None;
                }
                edits.push((at..end + 1, requoted(content)));
                at = end + 1;
            }
            byte if byte.is_ascii_alphabetic() => {
                let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                if let Some(word) = literal(&bytes[at..at + length]) {
                    edits.push((at..at + length, word.to_owned()));
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    Some(edits)
}

/// Python's literals in JSON.
fn literal(word: &[u8]) -> Option<&'static str> {
    match word {
        b"None" => Some("null"),
        b"True" => Some("true"),
        b"False" => Some("false"),
        _ => None,
    }
}

/// The content of a string in single quotes, in double ones: a double quote in it is escaped, a single one is not.
fn requoted(content: &str) -> String {
    let mut out = String::from('"');
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(quote @ ('\'' | '`')) => out.push(quote),
                Some(escaped) => out.extend(['\\', escaped]),
                None => out.push_str("\\\\"),
            },
            c => push_escaped(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// Strings in typographic quotes from `at` on, which is in no string. `None` when a string has no end.
pub(super) fn curly(bytes: &[u8], mut at: usize) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    // Once for the whole rest, which takes as long as the rest is.
    let text = std::str::from_utf8(bytes.get(at..)?).ok()?;
    let start = at;
    while let Some(open) = text.get(at - start..)?.chars().next() {
        if open == '"' {
            at = bytes.len().min(string_end(bytes, at + 1, b'"') + 1);
            continue;
        }
        if !is_curly(open) {
            at += open.len_utf8();
            continue;
        }
        let content = &text[at - start + open.len_utf8()..];
        let length = content
            .find(|c| is_curly(c) && !matches!(c, '‘' | '’') || (matches!(open, '‘' | '’') && c == '’'))?;
        let close = content[length..].chars().next()?;
        let end = at + open.len_utf8() + length + close.len_utf8();
        let mut text = String::from('"');
        content[..length].chars().for_each(|c| if c == '"' { text.push_str("\\\"") } else { text.push(c) });
        text.push('"');
        edits.push((at..end, text));
        at = end;
    }
    Some(edits)
}

fn is_curly(c: char) -> bool {
    matches!(c, '“' | '”' | '‘' | '’' | '„' | '«' | '»')
}

/// Raw control characters in a string from `at` on, which is in it, to its end.
pub(super) fn control_characters(bytes: &[u8], at: usize) -> Vec<Edit> {
    let end = string_end(bytes, at, b'"');
    let controls = (at..end).filter(|&at| bytes[at] < b' ');
    controls
        .map(|at| {
            let mut text = String::new();
            push_escaped(&mut text, char::from(bytes[at]));
            (at..at + 1, text)
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
    if begins == Some(&b'"') {
        let behind = string_end(bytes, start + 1, b'"') + 1;
        if bytes.get(behind..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":")) {
            return true;
        }
    }
    matches!(ends, Some(b'"' | b']' | b'}')) && matches!(begins, Some(b'"' | b'[' | b'{'))
}

/// True for a string that begins as what is between strings does: its first quote may be the last one of another string.
pub(super) fn is_inside_out(bytes: &[u8], start: usize) -> bool {
    let Some([b'"', content @ ..]) = bytes.get(start..) else { return false };
    matches!(content.trim_ascii_start().first(), Some(b',' | b':' | b']' | b'}'))
}

/// True where some string of a text is such.
pub(super) fn has_inside_out(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(place) = memchr::memchr(b'"', &bytes[at..]) {
        let start = at + place;
        if is_inside_out(bytes, start) {
            return true;
        }
        at = (string_end(bytes, start + 1, b'"') + 1).min(bytes.len());
    }
    false
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
