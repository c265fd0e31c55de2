//! Finds the causes of syntax errors. A parser stops at a character; the cause is often before or around it.

mod brackets;
mod entities;
mod escapes;
mod nul_bytes;
mod separators;
mod words;

use std::ops::Range;

use evalcheck_core::excerpt::at_least_one_character;
use evalcheck_core::finding::Location;

use super::parse::Parser;
use super::record_text::RecordText;
use super::syntax_error::SyntaxError;
use super::syntax_problem::SyntaxProblem;
use super::wording::{character_name, quoted};
use evalcheck_json::tokens::{character, is_typographic};

pub(super) use entities::HtmlEntity;
pub(super) use separators::{colon_of_others, comma_of_others};
pub(super) use words::is_no_value;

/// The advice for a record that lacks more than brackets.
const CUT_OFF: &str =
    "The line was cut off, perhaps by an interrupted download or export; write it again in full.";

/// The advice for a character that looks like white space.
const NOT_WHITE_SPACE: &str = "Delete the character. Outside of strings JSON allows only space, tab, carriage return and \
                               line feed as white space.";

impl Parser<'_> {
    /// An error at a span; the message contains its column.
    pub(super) fn error(
        &self,
        span: Range<usize>,
        problem: impl FnOnce(u64) -> SyntaxProblem,
    ) -> SyntaxError {
        let column = self.text().column(span.start);
        SyntaxError { span, problem: problem(column), unfinished: false }
    }

    fn text(&self) -> RecordText<'_> {
        RecordText::new(self.bytes, self.record_start)
    }

    /// The record ends too early.
    pub(super) fn ended(&self) -> SyntaxError {
        let end = self.bytes.len();
        let open = self.open_in_words();
        let trimmed = self.bytes.trim_ascii_end();
        let unfinished = matches!(trimmed.last(), Some(b'{' | b'[' | b',' | b':'))
            && self.open.last().is_some_and(|&at| self.bytes[at] != b'"');
        let last = at_least_one_character(self.bytes, end..end).start;
        let column = self.text().column(last);
        let opened = self.innermost_open();
        let (closing, advice) = (String::new(), CUT_OFF.to_owned());
        let problem = SyntaxProblem::Truncated { column, open, opened, closing, advice };
        let mut error = self.error(end..end, |_| problem);
        error.unfinished = unfinished;
        error
    }

    /// The record ends too early, after a value or part of a number. It may continue on further lines.
    fn ended_after_value(&self) -> SyntaxError {
        let mut error = SyntaxError { unfinished: true, ..self.ended() };
        let is_whole = !self.last_significant().is_some_and(|byte| byte.is_ascii_digit());
        if is_whole && let SyntaxProblem::Truncated { closing, advice, .. } = &mut error.problem {
            let brackets = self.open.iter().rev().map(|&at| if self.bytes[at] == b'[' { ']' } else { '}' });
            *closing = brackets.collect();
            *advice = format!(
                "Write {closing} at the end of the line, if nothing else is missing there; otherwise write the record \
                 again in full."
            );
        }
        error
    }

    /// The open construct: a string, an array, an object, or the record if nothing else is open.
    fn open_in_words(&self) -> String {
        match self.open.last().map(|&at| self.bytes[at]) {
            Some(b'"') => "a string".to_owned(),
            Some(b'[') => format!("an array{}", self.opened_at()),
            Some(_) => format!("an object{}", self.opened_at()),
            None => "the record".to_owned(),
        }
    }

    /// The innermost open bracket or quote.
    fn innermost_open(&self) -> Option<Box<Location>> {
        let &at = self.open.last().filter(|at| **at >= self.not_in_file)?;
        Some(Box::new(self.text().locate(at..at + 1, None)))
    }

    fn opened_at(&self) -> String {
        let open = self.open.last().filter(|at| **at >= self.not_in_file);
        open.map_or_else(String::new, |&at| {
            // A record of JSONL may include its line break, which is not a new line.
            let end = self.bytes.trim_ascii_end().len();
            let location = self.text().where_is(at, end);
            let preposition = if location.starts_with("line") { "on" } else { "at" };
            format!(" (opened {preposition} {location})")
        })
    }

    /// The current character; U+FFFD for bytes that are not UTF-8.
    fn character(&self) -> Option<char> {
        let rest = self.bytes.get(self.at..)?;
        let invalid = || (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        character(rest).or_else(invalid)
    }

    /// The span of the current character.
    fn character_span(&self) -> Range<usize> {
        let length = match self.character() {
            None => 0,
            Some(char::REPLACEMENT_CHARACTER) => 1,
            Some(c) => c.len_utf8(),
        };
        self.at..self.at + length
    }

    /// The span of the current word: letters, digits, and some punctuation.
    fn word_span(&self) -> Range<usize> {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'-'))
            .count();
        self.at..self.at + length
    }

    /// Mistakes that can occur anywhere outside strings.
    fn common(&self) -> Option<SyntaxError> {
        let c = self.character()?;
        let rest = &self.bytes[self.at..];
        let span = self.character_span();
        Some(match c {
            '\0' => self.nul_bytes(false),
            '/' if matches!(rest.get(1), Some(b'/' | b'*')) => {
                self.error(self.at..self.at + 2, |column| SyntaxProblem::Comment { column })
            }
            '#' => self.error(span, |column| SyntaxProblem::Comment { column }),
            '`' if self.is_fence() => {
                self.error(self.at..self.at + 3, |column| SyntaxProblem::MarkdownFence { column })
            }
            '\'' | '`' => {
                let advice = SyntaxProblem::advice_on_single_quotes(rest);
                self.error(span, |column| SyntaxProblem::SingleQuotes { column, advice })
            }
            c if is_typographic(c) => {
                self.error(span, |column| SyntaxProblem::CurlyQuotes { column, quote: c })
            }
            char::REPLACEMENT_CHARACTER => {
                let name = format!("the byte {:02X}, which is not UTF-8,", rest[0]);
                let advice = "Delete the byte.".to_owned();
                self.error(span, |column| SyntaxProblem::StrayCharacter { column, name, advice })
            }
            c if c.is_control()
                || c.is_whitespace()
                || evalcheck_report::text::needs_escape(c)
                || c == '\u{ad}' =>
            {
                let (name, advice) = (character_name(c), NOT_WHITE_SPACE.to_owned());
                self.error(span, |column| SyntaxProblem::StrayCharacter { column, name, advice })
            }
            _ => return None,
        })
    }

    /// The error where a value is expected.
    pub(super) fn not_a_value(&self) -> SyntaxError {
        self.unexpected(|c| {
            if let Some(error) = self.left_out() {
                return Some(error);
            }
            Some(match c {
                ',' | ':' => self.missing_value(),
                ']' | '}' if self.last_significant() == Some(b':') => self.missing_value(),
                ']' | '}' => self.closing_bracket(c, "a value"),
                '+' | '.' => self.bad_number(self.word_or_sign()),
                c if c.is_alphanumeric() || c == '_' || c == '$' => self.bare_word(),
                _ => return None,
            })
        })
    }

    /// The error at the current character: the end of the record, a common cause, the result of `of`, or a stray character.
    fn unexpected(&self, of: impl FnOnce(char) -> Option<SyntaxError>) -> SyntaxError {
        if self.at >= self.bytes.len() {
            return self.ended();
        }
        if let Some(error) = self.common() {
            return error;
        }
        let c = self.character().unwrap_or(char::REPLACEMENT_CHARACTER);
        of(c).or_else(|| self.entity()).unwrap_or_else(|| {
            let (name, advice) = (character_name(c), "Delete the character.".to_owned());
            self.error(self.character_span(), |column| SyntaxProblem::StrayCharacter { column, name, advice })
        })
    }

    /// The last byte before the current one that is not white space.
    fn last_significant(&self) -> Option<u8> {
        self.bytes[..self.at].trim_ascii_end().last().copied()
    }

    fn is_in_array(&self) -> bool {
        self.open.last().is_some_and(|&at| self.bytes[at] == b'[')
    }

    fn word_or_sign(&self) -> Range<usize> {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_'))
            .count();
        self.at..self.at + length.max(1)
    }

    /// The word that begins here, otherwise the current character.
    fn word_or_character(&self) -> Range<usize> {
        let span = self.word_span();
        if span.is_empty() { self.character_span() } else { span }
    }

    /// Whether the record is a line of three back-ticks, optionally with a word.
    fn is_fence(&self) -> bool {
        let info = self.bytes.trim_ascii().strip_prefix(b"```");
        self.open.is_empty() && info.is_some_and(|info| info.iter().all(u8::is_ascii_alphanumeric))
    }

    /// The error where a key is expected.
    pub(super) fn not_a_key(&self) -> SyntaxError {
        self.unexpected(|c| {
            if let Some(error) = self.left_out() {
                return Some(error);
            }
            Some(match c {
                c if c.is_alphanumeric() || c == '_' || c == '$' || c == '-' => {
                    if let Some(error) = self.decimal_comma() {
                        return Some(error);
                    }
                    let span = self.word_or_character();
                    let key = quoted(&self.bytes[span.clone()]);
                    if self.bytes[span.end..].starts_with(b"\"") {
                        let what = "the key has no opening quote";
                        let advice = format!("Write \"{key}\": with both quotes.");
                        return Some(self.error(span, |column| SyntaxProblem::MissingQuote {
                            column,
                            what,
                            advice,
                        }));
                    }
                    self.error(span, |column| SyntaxProblem::UnquotedKey { column, key })
                }
                ']' => self.closing_bracket(c, "a key"),
                '{' | '[' | ',' | ':' => self.missing_key(),
                _ => return None,
            })
        })
    }

    /// The error if text follows a string that ended at a quote in it.
    fn unescaped_quote(&self) -> Option<SyntaxError> {
        let before = self.bytes[..self.at].trim_ascii_end();
        let is_text = self.character().is_some_and(|c| c.is_alphabetic() || c == '\'');
        // Before a literal, only a comma is missing. Before a key, a quote is missing.
        let is_literal = matches!(&self.bytes[self.word_span()], b"null" | b"true" | b"false");
        let rest = &self.bytes[self.at..];
        let next_quote = memchr::memchr(b'"', rest).map_or(rest.len(), |quote| quote + 1);
        let is_key = rest[next_quote..].trim_ascii_start().first() == Some(&b':');
        (is_text && !is_literal && !is_key && before.last() == Some(&b'"')).then(|| {
            let quote = before.len() - 1;
            self.error(quote..quote + 1, |column| SyntaxProblem::UnescapedQuote { column })
        })
    }

    /// The error where a colon is expected.
    pub(super) fn not_a_colon(&self) -> SyntaxError {
        if self.at >= self.bytes.len() {
            return self.ended();
        }
        if let Some(error) = self.key_without_closing_quote().or_else(|| self.unescaped_quote()) {
            return error;
        }
        self.common().unwrap_or_else(|| self.missing_colon())
    }

    /// The error where a comma or a closing bracket is expected.
    pub(super) fn not_a_separator(&self) -> SyntaxError {
        if self.at >= self.bytes.len() {
            return self.ended_after_value();
        }
        let quote = self.text_without_closing_quote().or_else(|| self.unescaped_quote());
        if let Some(error) = quote.or_else(|| self.common()) {
            return error;
        }
        match self.character() {
            Some(c @ (']' | '}')) => self.closing_bracket(c, "a comma"),
            _ => self.text_after_number().unwrap_or_else(|| self.missing_comma()),
        }
    }

    /// The error if something follows the record.
    pub(super) fn trailing(&self) -> SyntaxError {
        let blank = self.bytes[..self.at].iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
        let gap = self.at - blank..self.at;
        if let Some(location) = memchr::memchr(b'\r', &self.bytes[gap.clone()]) {
            let at = gap.start + location;
            let name =
                "a lone carriage return (U+000D) instead of a line break between two records".to_owned();
            let advice = "Write a line feed in its place.".to_owned();
            return self.error(at..at + 1, |column| SyntaxProblem::StrayCharacter { column, name, advice });
        }
        if let Some(error) = self.common() {
            return error;
        }
        let rest = &self.bytes[self.at..];
        let what = match rest[0] {
            b',' if rest[1..].trim_ascii().is_empty() => "a comma",
            b',' => "a comma with more text",
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' => "a second value",
            _ if [&b"null"[..], b"true", b"false"].iter().any(|word| rest.starts_with(word)) => {
                "a second value"
            }
            b'}' | b']' => "a bracket that closes nothing",
            _ => "other text",
        };
        let what = what.to_owned();
        self.error(self.at..self.bytes.len(), |column| SyntaxProblem::SecondValue { column, what })
    }

    /// A raw control character in a string.
    pub(super) fn control_character(&self, control: u8) -> SyntaxError {
        if control == 0 {
            return self.nul_bytes(true);
        }
        let (name, escape) = match control {
            b'\t' => ("tab".to_owned(), "\\t".to_owned()),
            b'\n' => ("line break".to_owned(), "\\n".to_owned()),
            b'\r' => ("carriage return".to_owned(), "\\r".to_owned()),
            _ => (format!("control character U+{control:04X}"), format!("\\u{control:04x}")),
        };
        self.error(self.at..self.at + 1, |column| SyntaxProblem::ControlCharacter { column, name, escape })
    }
}
