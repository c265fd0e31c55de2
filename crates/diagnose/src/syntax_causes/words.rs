//! Causes in words, numbers and texts without quotes.

use std::ops::Range;

use evalcheck_core::suggest::nearest;

use crate::fix::syntax::{LITERALS, number};
use crate::fix::value::localized;
use crate::parse::{Parser, is_json_number};
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::SyntaxProblem;
use crate::wording::quoted;

/// Whether a word means a missing value in other languages or in tables.
pub(crate) fn is_no_value(word: &str) -> bool {
    ["undefined", "nil", "n/a", "na"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The length of the longest text that a hint repeats, in bytes.
const MOST_REPEATED: usize = 60;

impl Parser<'_> {
    /// The text without quotes that begins at `start`: up to the next bracket, comma, quote or line break.
    fn bare_text(&self, start: usize) -> Range<usize> {
        let rest = &self.bytes[start..];
        let length = rest.iter().take_while(|byte| !b",[]{}(\"\n".contains(byte)).count();
        start..start + rest[..length].trim_ascii_end().len()
    }

    /// A text without quotes in its correct form, for a hint.
    fn in_quotes(&self, text: &Range<usize>) -> String {
        let rest = self.bytes[text.end..].trim_ascii_start();
        let ends = match rest {
            // In an object a key follows a comma. Otherwise the comma is part of the text.
            [b',', rest @ ..] => self.is_in_array() || rest.trim_ascii_start().starts_with(b"\""),
            rest => matches!(rest.first(), None | Some(b'}' | b']')),
        };
        match std::str::from_utf8(&self.bytes[text.clone()]) {
            Ok(text) if ends && text.len() <= MOST_REPEATED && !text.contains('\\') => {
                format!("the text in double quotes: \"{text}\"")
            }
            _ => "the whole text in double quotes".to_owned(),
        }
    }

    /// The error at a word where a value is expected.
    pub(super) fn bare_word(&self) -> SyntaxError {
        let word = self.word_or_character();
        let found = quoted(&self.bytes[word.clone()]);
        if let Some(problem) = SyntaxProblem::of_literal(&found) {
            return self.error(word, problem);
        }
        if self.open.is_empty() {
            let advice = "Delete the line if it is text around the records; a record begins with { or [.";
            let advice = advice.to_owned();
            return self.error(word, |column| SyntaxProblem::BareWord { column, found, advice });
        }
        let text = self.bare_text(self.at);
        let after = &self.bytes[text.end..];
        if let [b'"', after @ ..] = after
            && matches!(after.trim_ascii_start().first(), Some(b',' | b'}' | b']'))
        {
            let what = "the text has no opening quote";
            let advice = "Write \" before the text.".to_owned();
            return self.error(text, |column| SyntaxProblem::MissingQuote { column, what, advice });
        }
        let found = quoted(&self.bytes[text.clone()]);
        let same = LITERALS.into_iter().find(|literal| found.eq_ignore_ascii_case(literal));
        let advice = if after.starts_with(b"(") {
            "Write the value in place of the code that makes it: a text in double quotes, or a number."
                .to_owned()
        } else if is_no_value(&found) {
            format!(
                "If {found} says that there is no value, write null, or leave out the key where null is not accepted; if \
                 it is a text, put it in double quotes."
            )
        } else if let Some(literal) = same.or_else(|| nearest(&found, LITERALS.into_iter())) {
            format!("Write {literal}, or put the word in double quotes if it is a text.")
        } else {
            format!("Write {}.", self.in_quotes(&text))
        };
        self.error(text, |column| SyntaxProblem::BareWord { column, found, advice })
    }

    /// The error of a number that is not one of JSON: `span` contains the characters that can be part of a number.
    pub(crate) fn bad_number(&self, span: Range<usize>) -> SyntaxError {
        let text = self.bare_text(span.start);
        let span = if text.end > span.end { text } else { span };
        let found = &self.bytes[span.clone()];
        let hexadecimal = found.strip_prefix(b"0x").or(found.strip_prefix(b"0X"));
        let hexadecimal = hexadecimal.and_then(|digits| std::str::from_utf8(digits).ok());
        let advice = if let Some((number, _)) = number(found) {
            format!("Write {number}, or put it in double quotes if it is a text.")
        } else if let Some(number) = hexadecimal.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            format!("Write {number}: JSON numbers are decimal.")
        } else {
            format!("Write a number in digits, as 12.5 or -3e7, or {}.", self.in_quotes(&span))
        };
        let found = quoted(found);
        self.error(span, |column| SyntaxProblem::BadNumber { column, found, advice })
    }

    /// The error if text follows a number: `45%`, `10 km`, `12:30`.
    pub(super) fn text_after_number(&self) -> Option<SyntaxError> {
        let before = self.bytes[..self.at].trim_ascii_end();
        let is_in_number = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let start = before.len() - before.iter().rev().take_while(is_in_number).count();
        let text = self.bare_text(start);
        let found = &self.bytes[text.clone()];
        // Before a value or a key, only a comma is missing.
        let is_value = |word: &[u8]| is_json_number(word) || LITERALS.iter().any(|it| it.as_bytes() == word);
        let mut words = found.split(u8::is_ascii_whitespace);
        let is_comma_missing = (self.is_in_array() && words.all(is_value))
            || found.ends_with(b":")
            || memchr::memmem::find(found, b": ").is_some()
            || matches!(self.bytes[text.end..].trim_ascii_start().first(), Some(b'"' | b'{' | b'['));
        let number = before.get(start..).filter(|number| is_json_number(number) && !is_comma_missing)?;
        let number = String::from_utf8_lossy(number).into_owned();
        let advice = if found.iter().all(|byte| byte.is_ascii_digit() || b" .".contains(byte)) {
            "Write one number, without spaces in it.".to_owned()
        } else {
            format!("Write only the number, {number}, or {}.", self.in_quotes(&text))
        };
        let found = quoted(found);
        Some(self.error(text, |column| SyntaxProblem::BadNumber { column, found, advice }))
    }

    /// The error if the digits after a comma in a number are taken for a key: `"score": 0,93`, `"score": 1,234,567`.
    pub(super) fn decimal_comma(&self) -> Option<SyntaxError> {
        let before = self.bytes[..self.at].strip_suffix(b",")?;
        let is_in_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'-';
        let start = before.len() - before.iter().rev().take_while(is_in_number).count();
        let mut end = self.word_span().end;
        while let [b',', b'0'..=b'9', ..] = &self.bytes[end..] {
            let digits =
                self.bytes[end + 1..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
            end += 1 + digits.count();
        }
        let groups = &self.bytes[self.at..end];
        let is_number = is_json_number(&before[start..])
            && before[..start].trim_ascii_end().last() == Some(&b':')
            && groups.iter().all(|byte| byte.is_ascii_digit() || b",.".contains(byte))
            && matches!(self.bytes[end..].trim_ascii_start().first(), Some(b',' | b'}'));
        let span = start..end;
        let found = quoted(self.bytes.get(span.clone()).filter(|_| is_number)?);
        let without_commas = found.replace(',', "");
        let is_one = is_json_number(without_commas.as_bytes());
        let are_thousands = found.split('.').next()?.split(',').skip(1).all(|group| group.len() == 3);
        let advice = match localized(&found) {
            Some((number, _)) => format!("Write {number}."),
            None if is_one && are_thousands && found.matches([',', '.']).count() > 1 => {
                format!("Write {without_commas}.")
            }
            None if is_one && are_thousands => {
                format!("Write {} or {without_commas}.", found.replace(',', "."))
            }
            None => format!("Write one number; several are in an array: [{found}]."),
        };
        Some(self.error(span, |column| SyntaxProblem::DecimalComma { column, found, advice }))
    }

    /// The error if a string in the place of a key lacks its closing quote: `{"role:"user"}`.
    pub(super) fn key_without_closing_quote(&self) -> Option<SyntaxError> {
        let close = self.bytes[..self.at].trim_ascii_end().strip_suffix(b"\"")?.len();
        let open = memchr::memrchr(b'"', &self.bytes[..close])?;
        let colon = open + memchr::memchr(b':', &self.bytes[open..close])?;
        let key = &self.bytes[open + 1..colon];
        let is_word = !key.is_empty() && key.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let follows = self.bytes[self.at..].first().is_some_and(u8::is_ascii_alphanumeric);
        let key = std::str::from_utf8(key).ok().filter(|_| is_word && follows)?;
        let what = "the key has no closing quote";
        let advice = format!("Write \"{key}\": with both quotes.");
        Some(self.error(colon..colon + 1, |column| SyntaxProblem::MissingQuote { column, what, advice }))
    }

    /// The error if the string before a key lacks its closing quote: `{"role":"user,"content":"Hi"}`.
    pub(super) fn text_without_closing_quote(&self) -> Option<SyntaxError> {
        let text = self.bytes[..self.at].strip_suffix(b"\"")?.trim_ascii_end().strip_suffix(b",")?;
        let word = self.word_span();
        let is_key = self.bytes[word.end..].strip_prefix(b"\"")?.trim_ascii_start().starts_with(b":");
        let comma = text.len();
        (is_key && !self.is_in_array() && !word.is_empty()).then(|| {
            let what = "the text has no closing quote";
            let advice = "Write \" before the comma.".to_owned();
            self.error(comma..comma + 1, |column| SyntaxProblem::MissingQuote { column, what, advice })
        })
    }
}
