//! The JSON parser: reads a record into a tree with spans, and notes anomalies.

use std::borrow::Cow;

use super::anomaly::{Anomaly, TextSpans};
use super::record_text::RecordStart;
use super::syntax_error::SyntaxError;
use super::syntax_problem::SyntaxProblem;
use super::value::{Kind, Member, Value};
use super::wording;
use evalcheck_core::order::Order;
use evalcheck_json::scan::{MAX_DEPTH, is_single_backslash};

/// A record that is valid JSON.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The value.
    pub value: Value<'a>,
    /// The anomalies that the parser noted, in the order of the bytes.
    pub anomalies: Vec<Anomaly>,
}

/// Parses one value and the white space around it.
///
/// # Errors
/// The first syntax error.
pub fn parse(bytes: &[u8]) -> Result<Parsed<'_>, SyntaxError> {
    parse_at(bytes, RecordStart { line: 1, column: 1, ..RecordStart::default() })
}

/// The same for bytes that begin at `record_start`: the messages of errors contain lines and columns.
///
/// # Errors
/// As [`parse`].
pub fn parse_at(bytes: &[u8], record_start: RecordStart) -> Result<Parsed<'_>, SyntaxError> {
    let mut parser = Parser::new(bytes, record_start);
    parser.white_space();
    let value = parser.value()?;
    parser.white_space();
    if parser.at < bytes.len() {
        return Err(parser.trailing());
    }
    Ok(Parsed { value, anomalies: parser.anomalies })
}

/// Parses a record byte by byte. The causes of errors are found in [`super::syntax_causes`].
pub(super) struct Parser<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The offsets of the open brackets.
    pub(super) open: Vec<usize>,
    /// The location of the first byte in the dataset.
    pub(super) record_start: RecordStart,
    anomalies: Vec<Anomaly>,
    /// The number of anomalies before the current string.
    before_string: usize,
    /// The bytes at the start that stand for what is before the record in the file.
    pub(super) not_in_file: usize,
}

type Parse<T> = Result<T, SyntaxError>;

impl<'a> Parser<'a> {
    pub(super) fn new(bytes: &'a [u8], record_start: RecordStart) -> Self {
        Self {
            bytes,
            at: 0,
            open: Vec::new(),
            record_start,
            anomalies: Vec::new(),
            before_string: 0,
            not_in_file: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    pub(super) fn value(&mut self) -> Parse<Value<'a>> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => Kind::String(self.string()?),
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'n') if self.word(b"null") => Kind::Null,
            Some(b't') if self.word(b"true") => Kind::Boolean(true),
            Some(b'f') if self.word(b"false") => Kind::Boolean(false),
            _ => return Err(self.not_a_value()),
        };
        Ok(Value { span: start..self.at, kind })
    }

    /// Reads a literal. Returns false if another or a longer word is here.
    fn word(&mut self, word: &[u8]) -> bool {
        let rest = &self.bytes[self.at..];
        let whole = rest.starts_with(word)
            && !rest.get(word.len()).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80);
        if whole {
            self.at += word.len();
        }
        whole
    }

    fn enter(&mut self) -> Parse<()> {
        if self.open.len() == MAX_DEPTH {
            let limit = MAX_DEPTH;
            return Err(self.error(self.at..self.at + 1, |column| SyntaxProblem::TooDeep { column, limit }));
        }
        self.open.push(self.at);
        self.at += 1;
        self.white_space();
        Ok(())
    }

    fn leave(&mut self) {
        self.open.pop();
        self.at += 1;
    }

    fn array(&mut self) -> Parse<Kind<'a>> {
        self.enter()?;
        let mut elements = Vec::new();
        if self.peek() == Some(b']') {
            self.leave();
            return Ok(Kind::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            self.white_space();
            match self.peek() {
                Some(b',') => self.comma(b']')?,
                Some(b']') => {
                    self.leave();
                    elements.shrink_to_fit();
                    return Ok(Kind::Array(elements));
                }
                _ => return Err(self.not_a_separator()),
            }
        }
    }

    fn object(&mut self) -> Parse<Kind<'a>> {
        self.enter()?;
        let mut members: Vec<Member<'a>> = Vec::new();
        if self.peek() == Some(b'}') {
            self.leave();
            return Ok(Kind::Object(members));
        }
        loop {
            let key_start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.not_a_key());
            }
            let key = self.string()?;
            let key_span = key_start..self.at;
            self.white_space();
            if self.peek() != Some(b':') {
                return Err(self.not_a_colon());
            }
            self.at += 1;
            self.white_space();
            let value = self.value()?;
            members.push(Member { key, key_span, value, shadowed: false });
            self.white_space();
            match self.peek() {
                Some(b',') => self.comma(b'}')?,
                Some(b'}') => {
                    self.leave();
                    break;
                }
                _ => return Err(self.not_a_separator()),
            }
        }
        // There may be a million objects of a few members.
        members.shrink_to_fit();
        self.note_duplicates(&mut members);
        Ok(Kind::Object(members))
    }

    /// Reads a comma that is not before the closing bracket.
    fn comma(&mut self, close: u8) -> Parse<()> {
        let comma = self.at;
        self.at += 1;
        self.white_space();
        if self.peek() == Some(close) {
            let before = char::from(close);
            return Err(
                self.error(comma..comma + 1, |column| SyntaxProblem::TrailingComma { column, before })
            );
        }
        Ok(())
    }

    /// Marks members whose key occurs again. Sorting keeps an object of n members at n log n steps.
    fn note_duplicates(&mut self, members: &mut [Member<'a>]) {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.order_by(|a, b| members[*a].key.cmp(&members[*b].key));
        let mut anomalies = Vec::new();
        let mut first = 0;
        for i in 1..order.len() {
            if members[order[i]].key == members[order[first]].key {
                anomalies.push(Anomaly::DuplicateKey {
                    key: members[order[i]].key_span.clone(),
                    first: members[order[first]].key_span.clone(),
                });
                members[order[i - 1]].shadowed = true;
            } else {
                first = i;
            }
        }
        anomalies.order_by_key(|anomaly| anomaly.span().start);
        self.anomalies.append(&mut anomalies);
    }

    fn number(&mut self) -> Parse<Kind<'a>> {
        let start = self.at;
        while let Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'_' | b'a'..=b'z' | b'A'..=b'Z') = self.peek() {
            self.at += 1;
        }
        let span = start..self.at;
        let text = wording::quoted(&self.bytes[span.clone()]);
        let bytes = &self.bytes[span.clone()];
        if !is_json_number(bytes) {
            return Err(match SyntaxProblem::of_literal(&text) {
                Some(problem) => self.error(span, problem),
                None => self.bad_number(span),
            });
        }
        // It is ASCII: digits, signs, a point and an `e`.
        let number = std::str::from_utf8(bytes).unwrap_or_default();
        let value: f64 = number.parse().unwrap_or(f64::NAN);
        if !value.is_finite() {
            return Err(self.error(span, |column| SyntaxProblem::NumberRange { column, found: text }));
        }
        if loses_digits(bytes, value) {
            self.anomalies.push(Anomaly::InexactInteger(span));
        }
        Ok(Kind::Number(value, number))
    }

    /// A string, including both quotes.
    fn string(&mut self) -> Parse<Cow<'a, str>> {
        let open = self.at;
        self.at += 1;
        self.before_string = self.anomalies.len();
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut plain = start;
        loop {
            match self.peek() {
                None => {
                    self.open.push(open);
                    return Err(self.ended());
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    push_lossy(
                        text,
                        &self.bytes[plain..self.at],
                        plain,
                        self.before_string,
                        &mut self.anomalies,
                    );
                    let decoded = self.escape()?;
                    if let Some(text) = &mut owned {
                        text.push(decoded);
                    }
                    plain = self.at;
                }
                Some(control @ 0..0x20) => return Err(self.control_character(control)),
                Some(_) => self.at += 1,
            }
        }
        let rest = &self.bytes[plain..self.at];
        self.at += 1;
        if let Some(mut text) = owned {
            push_lossy(&mut text, rest, plain, self.before_string, &mut self.anomalies);
            return Ok(Cow::Owned(text));
        }
        if let Ok(text) = simdutf8::basic::from_utf8(rest) {
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::new();
        push_lossy(&mut text, rest, plain, self.before_string, &mut self.anomalies);
        Ok(Cow::Owned(text))
    }

    /// One escape, or two that form a surrogate pair.
    fn escape(&mut self) -> Parse<char> {
        let start = self.at;
        let kind = self.bytes.get(start + 1).copied();
        let simple = match kind {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            None => {
                self.at = self.bytes.len();
                return Err(self.ended());
            }
            Some(_) => return Err(self.bad_escape(start)),
        };
        self.at += 2;
        if is_single_backslash(self.bytes[start + 1], &self.bytes[self.at..]) {
            Anomaly::SingleBackslash(TextSpans::from(start..self.at))
                .note(self.before_string, &mut self.anomalies);
        }
        Ok(simple)
    }

    fn unicode_escape(&mut self, start: usize) -> Parse<char> {
        let Some(unit) = hex_unit(self.bytes, start) else { return Err(self.bad_escape(start)) };
        self.at = start + 6;
        let lone = match unit {
            0 => {
                Anomaly::Nul(TextSpans::from(start..self.at)).note(self.before_string, &mut self.anomalies);
                return Ok('\0');
            }
            0xd800..=0xdbff => {
                if let Some(low @ 0xdc00..=0xdfff) = hex_unit(self.bytes, self.at) {
                    self.at += 6;
                    let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                true
            }
            0xdc00..=0xdfff => true,
            _ => false,
        };
        if lone {
            Anomaly::LoneSurrogate(TextSpans::from(start..self.at))
                .note(self.before_string, &mut self.anomalies);
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// The code unit of the escape `\uXXXX` at `start`.
pub(super) fn hex_unit(bytes: &[u8], start: usize) -> Option<u32> {
    let digits = bytes.get(start..start + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?))
}

/// Appends bytes to a text. Notes bytes that are not UTF-8; they become U+FFFD in the tree. The first `before` anomalies belong to other
/// strings.
fn push_lossy(text: &mut String, bytes: &[u8], offset: usize, before: usize, anomalies: &mut Vec<Anomaly>) {
    let mut at = offset;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            Anomaly::InvalidUtf8(TextSpans::from(at..at + chunk.invalid().len())).note(before, anomalies);
            text.push(char::REPLACEMENT_CHARACTER);
            at += chunk.invalid().len();
        }
    }
}

pub(super) fn is_json_number(bytes: &[u8]) -> bool {
    fn digits(bytes: &[u8]) -> (&[u8], &[u8]) {
        let n = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
        bytes.split_at(n)
    }
    let (whole, rest) = digits(bytes.strip_prefix(b"-").unwrap_or(bytes));
    if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
        return false;
    }
    let rest = match rest.strip_prefix(b".") {
        Some(rest) => match digits(rest) {
            ([], _) => return false,
            (_, rest) => rest,
        },
        None => rest,
    };
    match rest {
        [] => true,
        [b'e' | b'E', rest @ ..] => {
            let rest = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
            matches!(digits(rest), ([_, ..], []))
        }
        _ => false,
    }
}

/// Whether an f64 does not hold an integer exactly.
fn loses_digits(bytes: &[u8], value: f64) -> bool {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    digits.len() > 15
        && digits.iter().all(u8::is_ascii_digit)
        && format!("{:.0}", value.abs()).as_bytes() != digits
}
