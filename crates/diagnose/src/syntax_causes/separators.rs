//! Causes in commas and colons, and in other signs in their place.

use std::ops::Range;

use crate::parse::Parser;
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::{
    A_KEY, A_VALUE, EXTRA_COLON, EXTRA_COMMA, LEFT_OUT, NOTHING_BETWEEN, SyntaxProblem,
};
use evalcheck_json::tokens::character;

/// The span of a sign that other languages or scripts write for the comma of JSON.
pub(crate) fn comma_of_others(text: &[u8], at: usize) -> Option<Range<usize>> {
    let c = text.get(at..).and_then(character)?;
    matches!(c, ';' | '；' | '，' | '、' | '،' | '､').then(|| at..at + c.len_utf8())
}

/// The span of a sign that other languages or scripts write for the colon of JSON.
pub(crate) fn colon_of_others(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    if rest.starts_with(b"=>") || rest.starts_with(b"->") || rest.starts_with(b":=") {
        return Some(at..at + 2);
    }
    let c = character(rest)?;
    matches!(c, '=' | '：' | '︰' | '﹕' | '∶').then(|| at..at + c.len_utf8())
}

impl Parser<'_> {
    /// A value is missing, or a comma or colon is too many, at the current character.
    pub(super) fn missing_value(&self) -> SyntaxError {
        match (self.last_significant(), self.peek()) {
            (Some(b':'), Some(b':')) => self.missing(EXTRA_COLON, "Delete the second colon."),
            (Some(b':'), _) => self.missing(
                A_VALUE,
                "Write the value after the colon, or delete the key with its colon and one comma beside it.",
            ),
            (_, Some(b',')) => self.comma_too_many(true),
            _ => self.missing(A_VALUE, "Write the value before this character."),
        }
    }

    /// A key is missing, or a comma is too many, at the current character.
    pub(super) fn missing_key(&self) -> SyntaxError {
        match self.peek() {
            Some(b',') => self.comma_too_many(false),
            Some(b':') => self.missing(A_KEY, "Write the key in double quotes before the colon."),
            _ => self.missing(A_KEY, "Write the key in double quotes, and a colon, before this value."),
        }
    }

    /// An ellipsis in place of values, as in a shortened example.
    pub(super) fn left_out(&self) -> Option<SyntaxError> {
        let rest = &self.bytes[self.at..];
        let length = if rest.starts_with("…".as_bytes()) {
            "…".len()
        } else {
            rest.iter().take_while(|byte| **byte == b'.').count()
        };
        let goes_on = rest.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if length < 3 || goes_on {
            return None;
        }
        let advice = match self.last_significant() {
            Some(b':') => {
                "Write the value in place of the dots; or put them in double quotes, if they are the text."
            }
            None => "Write the records that were left out; or delete the line, if none are to be there.",
            Some(_) => {
                "Write the values that were left out; or delete the dots and their comma, if none are to be there."
            }
        };
        let span = self.at..self.at + length;
        Some(self.error(span, |column| SyntaxProblem::Missing { column, what: LEFT_OUT, advice }))
    }

    fn comma_too_many(&self, in_array: bool) -> SyntaxError {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| **byte == b',' || byte.is_ascii_whitespace()).count();
        let is_one = memchr::memchr_iter(b',', &rest[..length]).count() == 1;
        let is_last = matches!(rest.get(length), Some(b']' | b'}'));
        let advice = match self.last_significant() {
            Some(b',') if is_last => "Delete all commas before the closing bracket.",
            Some(b',') if is_one && in_array => "Delete the comma, if no value is missing before it.",
            Some(b',') if is_one => "Delete the comma.",
            Some(b',') => "Keep one comma, and delete the others.",
            _ => "Delete the comma after the opening bracket.",
        };
        self.missing(if in_array { NOTHING_BETWEEN } else { EXTRA_COMMA }, advice)
    }

    /// The error that something is missing or too many at the current character.
    fn missing(&self, what: &'static str, advice: &'static str) -> SyntaxError {
        self.error(self.character_span(), |column| SyntaxProblem::Missing { column, what, advice })
    }

    /// Another sign than a colon follows a key.
    pub(super) fn missing_colon(&self) -> SyntaxError {
        let span = colon_of_others(self.bytes, self.at).unwrap_or_else(|| self.character_span());
        let found = String::from_utf8_lossy(&self.bytes[span.clone()]).into_owned();
        let advice = match self.peek() {
            Some(b'"' | b'[' | b'{' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => {
                "Put a colon between the key and its value.".to_owned()
            }
            Some(b',') => {
                "Write a colon in place of the comma, if a key and its value are meant. A list of texts is \
                           in [ ], not in { }."
                    .to_owned()
            }
            Some(b'}') => {
                "Write a colon and the value after the key. A list of texts is in [ ], not in { }.".to_owned()
            }
            Some(b']') => "Write } in place of ], and a colon and the value after the key.".to_owned(),
            _ => format!("Write a colon in place of '{found}'."),
        };
        self.error(span, |column| SyntaxProblem::MissingColon { column, advice })
    }

    /// Something else than a comma or a closing bracket follows a value.
    pub(super) fn missing_comma(&self) -> SyntaxError {
        let found = self.character().unwrap_or(char::REPLACEMENT_CHARACTER);
        let advice = match found {
            _ if comma_of_others(self.bytes, self.at).is_some() => {
                format!("Write a comma in place of '{found}'.")
            }
            ':' if self.is_in_array() => {
                "Write a comma in place of the colon; or { before the key and } after its value.".to_owned()
            }
            c if c.is_alphanumeric() || "\"{[-_$:".contains(c) => "Put a comma between the two.".to_owned(),
            found => return self.stray_after_value(found),
        };
        self.error(self.character_span(), |column| SyntaxProblem::MissingComma { column, advice })
    }

    /// A character without meaning in JSON follows a value.
    fn stray_after_value(&self, found: char) -> SyntaxError {
        let bracket = if self.is_in_array() { ']' } else { '}' };
        let span = self.character_span();
        let is_closed = character(self.bytes[span.end..].trim_ascii_start()) == Some(bracket);
        let advice = match (found, self.last_significant()) {
            (')', _) if !is_closed => format!("Write {bracket} in its place."),
            (_, Some(b'"')) => "Delete it, or move it into the text before it.".to_owned(),
            _ => "Delete it.".to_owned(),
        };
        let name = format!("'{found}' where a comma or '{bracket}' is expected");
        self.error(span, |column| SyntaxProblem::StrayCharacter { column, name, advice })
    }
}
