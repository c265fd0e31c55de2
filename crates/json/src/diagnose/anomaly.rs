//! Anomalies: bytes, characters, keys and numbers that a reader accepts but that systems treat differently.

use std::cell::OnceCell;
use std::mem::discriminant;
use std::ops::Range;

use evalcheck_core::content::guess_encoding;
use evalcheck_core::finding::{Location, Path};

use super::fix::{self, RecordFix};
use super::value::{Kind, Member, Value};
use super::wording;
use super::{Parsed, PathBuilder, RecordFinding, RecordFindings, RecordText};
use crate::scan::{self, ByteOrderMark, TextPolicy};

/// Something the parser noticed in a record that it could read all the same. Whether it is reported, and as which
/// problem, depends on the format ([`check_anomalies`]).
#[derive(Debug, Clone, PartialEq)]
pub enum Anomaly {
    /// Bytes of a text that are not UTF-8.
    InvalidUtf8(TextSpans),
    /// A key that occurs more than once in its object.
    DuplicateKey {
        /// The later key.
        key: Range<usize>,
        /// The first one.
        first: Range<usize>,
    },
    /// An integer that loses digits as a 64-bit float.
    InexactInteger(Range<usize>),
    /// Escapes of a text that are half of a surrogate pair.
    LoneSurrogate(TextSpans),
    /// `\u0000` in a text.
    Nul(TextSpans),
}

/// Spans of one text with the same anomaly, of which there may be as many as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpans {
    /// The first.
    pub first: Range<usize>,
    /// Where the last ends.
    pub end: usize,
    /// How many there are.
    pub count: usize,
}

impl From<Range<usize>> for TextSpans {
    fn from(only: Range<usize>) -> Self {
        Self { end: only.end, first: only, count: 1 }
    }
}

impl Anomaly {
    /// Its bytes in the record; for a duplicate key those of the later key.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::DuplicateKey { key: span, .. } | Self::InexactInteger(span) => span.clone(),
            Self::InvalidUtf8(spans) | Self::LoneSurrogate(spans) | Self::Nul(spans) => spans.first.clone(),
        }
    }

    /// Adds it to those of a record, of which the first `before` are in other texts.
    pub fn note(self, before: usize, anomalies: &mut Vec<Self>) {
        let same = anomalies[before..].iter_mut().find(|other| discriminant(*other) == discriminant(&self));
        match (same.and_then(Self::in_text_mut), self.in_text()) {
            (Some(known), Some(further)) => {
                known.end = further.end;
                known.count += further.count;
            }
            _ => anomalies.push(self),
        }
    }

    /// The spans of what a text can have many of.
    fn in_text(&self) -> Option<&TextSpans> {
        match self {
            Self::InvalidUtf8(spans) | Self::LoneSurrogate(spans) | Self::Nul(spans) => Some(spans),
            Self::DuplicateKey { .. } | Self::InexactInteger(_) => None,
        }
    }

    fn in_text_mut(&mut self) -> Option<&mut TextSpans> {
        match self {
            Self::InvalidUtf8(spans) | Self::LoneSurrogate(spans) | Self::Nul(spans) => Some(spans),
            Self::DuplicateKey { .. } | Self::InexactInteger(_) => None,
        }
    }
}

impl TextProblem {
    /// The problem of bytes that are not UTF-8, and `more` in the same text, of a record in this encoding.
    fn invalid_utf8(found: &[u8], column: u64, more: String, encoding: Option<&str>) -> Self {
        let hex: Vec<String> = found.iter().map(|byte| format!("{byte:02X}")).collect();
        let noun = if hex.len() == 1 { "the byte" } else { "the bytes" };
        let (looks_like, advice) = match encoding {
            Some(name) => (
                format!("; they may be {name}"),
                format!(
                    "Save the file as UTF-8, in the program that wrote it. If it is {name}, this converts it: iconv -f {name} -t UTF-8 FILE > NEW"
                ),
            ),
            None => {
                (String::new(), "Write the damaged character again, and save the file as UTF-8.".to_owned())
            }
        };
        Self::InvalidUtf8 { byte: format!("{noun} {}", hex.join(" ")), column, more, looks_like, advice }
    }

    /// The problem of a file that begins with a byte order mark.
    pub fn byte_order_mark(policy: TextPolicy) -> Self {
        match policy.byte_order_mark {
            ByteOrderMark::Skipped => Self::ByteOrderMark,
            ByteOrderMark::Undocumented => Self::UndocumentedByteOrderMark,
            ByteOrderMark::Refused => Self::RefusedByteOrderMark,
        }
    }
}

/// Reports the anomalies of a record that matter to a system with this policy. Paths begin with `base`.
pub fn check_anomalies(
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    base: &PathBuilder,
    found: &mut RecordFindings<'_>,
) {
    check_line_ends(parsed, record, policy, base, found);
    let encoding = OnceCell::new();
    let mut anomalies = parsed.anomalies.as_slice();
    while let Some(anomaly) = anomalies.first() {
        let text = innermost(&parsed.value, anomaly.span().start);
        let count = if anomaly.in_text().is_some() {
            let is_here = |other: &&Anomaly| other.in_text().is_some() && text.contains(&other.span().start);
            anomalies.iter().take_while(is_here).count()
        } else {
            1
        };
        let (here, rest) = anomalies.split_at(count);
        anomalies = rest;
        // One finding of a kind for each text.
        let mut kinds: Vec<Anomaly> = Vec::new();
        for anomaly in here {
            anomaly.clone().note(0, &mut kinds);
        }
        for kind in kinds {
            let Some((problem, fix)) = problem(&kind, &text, parsed, record, policy, &encoding) else {
                continue;
            };
            let span = kind.span();
            let path = match kind {
                // It concerns the whole file: no reader can decode it as text.
                Anomaly::InvalidUtf8(_) => None,
                _ => Some(path_at(&parsed.value, base.clone(), span.start)),
            };
            found.push(RecordFinding::new(problem, span, path).with_fix(fix));
        }
    }
}

/// The problem and the fix of anomalies of one kind in one text; `None` when the system accepts them.
fn problem(
    anomaly: &Anomaly,
    text: &Range<usize>,
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    encoding: &OnceCell<Option<&'static str>>,
) -> Option<(TextProblem, Option<RecordFix>)> {
    let bytes = record.bytes;
    let span = anomaly.span();
    let quoted = || wording::quoted(&bytes[span.clone()]);
    let more = |word: &str| match anomaly.in_text().map_or(1, |spans| spans.count) {
        1 => String::new(),
        count => format!("{word} {} more in this text", count - 1),
    };
    Some(match anomaly {
        Anomaly::Nul(_) if !policy.jsonb => return None,
        Anomaly::Nul(spans) => {
            let fix = fix::text::without_nul(bytes, span.start..spans.end);
            (TextProblem::NulCharacter { more: more(", and") }, fix)
        }
        Anomaly::LoneSurrogate(spans) => {
            let fix = fix::text::without_surrogates(bytes, span.start..spans.end);
            (TextProblem::LoneSurrogate { escape: quoted(), more: more(", like") }, fix)
        }
        Anomaly::InexactInteger(_) => {
            let digits = std::str::from_utf8(&bytes[span.clone()]).ok()?;
            let read = format!("{:.0}", digits.parse().unwrap_or(f64::NAN));
            let fix = fix::text::number_as_string(span.clone(), digits);
            (TextProblem::InexactInteger { found: quoted(), read }, Some(fix))
        }
        Anomaly::DuplicateKey { key: span, first } => {
            let first_at = record.locate(first.clone(), None);
            let members = members_around(&parsed.value, span.start);
            let fix = fix::members::without_duplicate(members, first, span, bytes);
            let (key, first) = (quoted(), record.where_is(first.start, span.start));
            let problem = if policy.strict_json {
                TextProblem::RefusedDuplicateKey { key, first, first_at }
            } else {
                TextProblem::DuplicateKey { key, first, first_at }
            };
            (problem, fix)
        }
        Anomaly::InvalidUtf8(_) => {
            let encoding = *encoding.get_or_init(|| guess_encoding(bytes));
            let column = record.column(span.start);
            let problem = TextProblem::invalid_utf8(&bytes[span], column, more(" and"), encoding);
            (problem, fix::text::decoded(bytes, text, encoding))
        }
    })
}

/// The span of the innermost value (or key) around an offset.
fn innermost(root: &Value<'_>, at: usize) -> Range<usize> {
    let mut found = root.span.clone();
    walk_to(root, at, |step| found = step.span());
    found
}

/// Reports the first place in a record of one line where the system ends the line.
fn check_line_ends(
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    base: &PathBuilder,
    found: &mut RecordFindings<'_>,
) {
    let first = parsed.value.span.start;
    let text = &record.bytes[parsed.value.span.clone()];
    let mut report = |problem: TextProblem, span: Range<usize>, fix| {
        let path = path_at(&parsed.value, base.clone(), span.start);
        found.push(RecordFinding::new(problem, span, Some(path)).with_fix(Some(fix)));
    };
    if policy.lines.ends_at_carriage_return()
        && let Some(at) = memchr::memchr(b'\r', text)
    {
        let at = first + at;
        let column = record.column(at);
        report(
            TextProblem::LoneCarriageReturn { column },
            at..at + 1,
            fix::text::carriage_returns(record.bytes, at),
        );
    }
    if policy.lines.has_separator(text)
        && let Some(at) = scan::separator(text)
    {
        let at = first + at;
        let name = if record.bytes[at + 2] == 0xa8 { "U+2028" } else { "U+2029" };
        let escape = if record.bytes[at + 2] == 0xa8 { "\\u2028" } else { "\\u2029" };
        report(
            TextProblem::LineSeparator { name, escape },
            at..at + 3,
            fix::text::separators(record.bytes, at),
        );
    }
}

/// The members of the innermost object that has a key at an offset.
fn members_around<'v, 'a>(root: &'v Value<'a>, key: usize) -> &'v [Member<'a>] {
    let mut object = root;
    walk_to(root, key, |step| match step {
        Inner::Element(_, value) => object = value,
        Inner::Member(member) => object = &member.value,
        Inner::Key(_) => {}
    });
    match &object.kind {
        Kind::Object(members) => members,
        _ => &[],
    }
}

/// The path of the innermost value (or key) around an offset.
fn path_at(root: &Value<'_>, mut path: PathBuilder, at: usize) -> Path {
    walk_to(root, at, |step| match step {
        Inner::Element(index, _) => path.index(index),
        Inner::Key(member) | Inner::Member(member) => path.key(&member.key),
    });
    path.path()
}

/// What is around an offset in an array or an object.
enum Inner<'v, 'a> {
    Element(usize, &'v Value<'a>),
    Key(&'v Member<'a>),
    Member(&'v Member<'a>),
}

impl Inner<'_, '_> {
    fn span(&self) -> Range<usize> {
        match self {
            Self::Element(_, value) => value.span.clone(),
            Self::Key(member) => member.key_span.clone(),
            Self::Member(member) => member.value.span.clone(),
        }
    }
}

/// Visits what is around an offset, from outside to inside.
fn walk_to<'v, 'a>(root: &'v Value<'a>, at: usize, mut visit: impl FnMut(Inner<'v, 'a>)) {
    let mut value = Some(root);
    while let Some(outer) = value.take() {
        match &outer.kind {
            Kind::Array(elements) => {
                let index = elements.partition_point(|element| element.span.end <= at);
                if let Some(element) = elements.get(index).filter(|element| element.span.contains(&at)) {
                    visit(Inner::Element(index, element));
                    value = Some(element);
                }
            }
            Kind::Object(members) => {
                let index = members.partition_point(|member| member.value.span.end <= at);
                let Some(member) = members.get(index) else { return };
                if member.key_span.contains(&at) {
                    visit(Inner::Key(member));
                } else if member.value.span.contains(&at) {
                    visit(Inner::Member(member));
                    value = Some(&member.value);
                }
            }
            _ => {}
        }
    }
}

evalcheck_core::rules! {
    /// What is wrong with bytes, characters, keys and numbers in records that are JSON all the same.
    TextProblem for Everywhere {
        InvalidUtf8 { byte: String, column: u64, more: String, looks_like: String, advice: String } = "text/invalid-utf8", Error {
            summary: "Bytes that are not UTF-8.",
            message: "invalid UTF-8: {byte} at column {column}{more}{looks_like}",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "Datasets are UTF-8. A reader of other bytes either fails or replaces them by U+FFFD, and the model then gets a different text.",
            other_words: ["'utf-8' codec can't decode byte 0xe9 in position 12: invalid continuation byte", "stream did not contain valid UTF-8"],
            invalid: "é written as the single byte E9 of Latin-1",
            valid: "é written as the two bytes C3 A9 of UTF-8",
        }
        ByteOrderMark = "text/byte-order-mark", Info {
            summary: "The file begins with a byte order mark.",
            message: "the file begins with a byte order mark (BOM); it is skipped",
            hint: "Where other tools have to read the file, save it as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig).",
            fix: Safe,
            applies: SkippedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. This system skips them; other tools read them as part of the first record.",
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        UndocumentedByteOrderMark = "text/undocumented-byte-order-mark", Warning {
            summary: "The file begins with a byte order mark, and the system does not say what it does with one.",
            message: "the file begins with a byte order mark (BOM), which the system's document does not mention",
            hint: "Save the file as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig), or remove the three bytes: tail -c +4 FILE > NEW_FILE.",
            fix: Safe,
            applies: UndocumentedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. Many readers take them for a part of the first record, or of the name of the first column, and fail there. Without them the file is safe.",
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        RefusedByteOrderMark = "text/refused-byte-order-mark", Error {
            summary: "The file begins with a byte order mark, which the system does not skip.",
            message: "the file begins with a byte order mark (BOM), and the system reads it as part of the first line",
            hint: "Save the file as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig), or remove the three bytes: tail -c +4 FILE > NEW_FILE.",
            fix: Safe,
            applies: RefusedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. The system's reader does not skip them, so the first line is not what it seems: JavaScript says that U+FEFF is an unexpected token, Python that there is an unexpected UTF-8 BOM.",
            other_words: ["Unexpected UTF-8 BOM (decode using utf-8-sig)"],
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        StrayByteOrderMark { column: u64 } = "text/stray-byte-order-mark", Error {
            summary: "A byte order mark in the middle of the file.",
            message: "invalid JSON: a byte order mark (U+FEFF) in the middle of the file at column {column}",
            hint: "Delete the three bytes EF BB BF; they usually come from joining files.",
            fix: Safe,
            meaning: "A BOM is skipped only at the start of a file. In the middle, where files with a BOM were joined, it is a character that no JSON reader accepts.",
            invalid: "two files with a BOM joined by cat",
            valid: "the same without the second BOM",
        }
        LoneCarriageReturn { column: u64 } = "text/lone-carriage-return", Error {
            summary: "A lone carriage return inside a record.",
            message: "a lone carriage return (CR, U+000D) inside the record at column {column}: the system ends the line there",
            hint: "Delete the character; a line break is LF or CR LF, after a record.",
            fix: Safe,
            applies: CarriageReturns,
            meaning: "JSON takes a carriage return for white space, and most editors show it as a line break or not at all. The system's reader ends the line there, so neither of the two parts is JSON, and the record is refused or dropped.",
            invalid: "a CR between two members of an object",
            valid: "the record on one line, without the CR",
        }
        LineSeparator { name: &'static str, escape: &'static str } = "text/line-separator", Warning {
            summary: "A raw U+2028 or U+2029 in a string, which may end the line.",
            message: "a raw {name} in a string: recent versions of Node.js end the line there, and the line is then dropped",
            hint: "Write {escape} instead of the character, or replace it by a space or \\n.",
            fix: Safe,
            loss: Line,
            applies: NodeLines,
            meaning: "U+2028 (line separator) and U+2029 (paragraph separator) are allowed in JSON strings. Recent versions of Node.js end a line at them, as JavaScript does, so that the record is cut in two.",
            invalid: "U+2028 as a raw character in a string",
            valid: "the same string with the escape \\u2028",
        }
        DuplicateKey { key: String, first: String, first_at: Location } = "json/duplicate-key", Warning {
            summary: "Duplicate key in an object.",
            message: "duplicate key {key} in this object (first at {first}); only the last one counts",
            hint: "Delete one of them.",
            related: "first used here" => first_at.clone(),
            fix: Either,
            loss: Value,
            applies: RepeatedKeys,
            meaning: "Readers silently keep the last of two equal keys, so the first value is lost. A key written with escapes is the same key.",
            mistakes: [FirstMember "{},{}"],
            invalid: r#"{"messages":[],"messages":[]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        RefusedDuplicateKey { key: String, first: String, first_at: Location } = "json/refused-duplicate-key", Error {
            summary: "Duplicate key in an object, refused by a system that reads strict JSON.",
            message: "duplicate key {key} in this object (first at {first}); the system refuses that",
            hint: "Delete one of them.",
            related: "first used here" => first_at.clone(),
            fix: Either,
            applies: UniqueKeys,
            meaning: "The system's validator reads strict JSON: it refuses an object with two equal keys, because it is unknown which one is meant. A key written with escapes is the same key.",
            mistakes: [FirstMember "{},{}"],
            invalid: r#"{"model_id":"a","model_id":"b"}"#,
            valid: r#"{"model_id":"b"}"#,
        }
        InexactInteger { found: String, read: String } = "json/inexact-integer", Warning {
            summary: "An integer that loses digits.",
            message: "{found} is read as {read}: integers beyond 2^53 lose digits",
            hint: "Write ids and other exact numbers as strings.",
            fix: Unsafe,
            loss: Value,
            applies: Json,
            meaning: "JavaScript and many other readers store numbers as 64-bit floating point, which is exact for integers up to 9007199254740992.",
            mistakes: [
                LastMember "{},\"note\":9007199254740993" => "{},\"note\":\"9007199254740993\"",
                Number "9007199254740993",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[9007199254740993]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":["9007199254740993"]}"#,
        }
        LoneSurrogate { escape: String, more: String } = "text/lone-surrogate", Warning {
            summary: "Half of a surrogate pair.",
            message: "{escape} is half of a surrogate pair{more}: it is not a character, and writing it as UTF-8 fails",
            hint: "A text was cut in the middle of an emoji or a rare character; write the whole character or leave it out.",
            fix: Unsafe,
            meaning: "A character beyond U+FFFF is written as two \\u escapes. One alone is not a character: PostgreSQL's jsonb refuses it, Python cannot encode it, and Rust's readers fail.",
            other_words: ["'utf-8' codec can't encode character: surrogates not allowed", "lone leading surrogate in hex escape"],
            mistakes: [String "\"{}\\ud83d\"" => "\"{}\\ud83d\\ude00\""],
            invalid: r#"{"messages":[{"role":"user","content":"\ud83d"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"\ud83d\ude00"}]}"#,
        }
        NulCharacter { more: String } = "text/nul-character", Warning {
            summary: "An escaped NUL in a string.",
            message: "\\u0000 in a string{more}: storing the record fails, because PostgreSQL's jsonb does not accept it",
            hint: "Remove every NUL of the text.",
            fix: Unsafe,
            applies: NoNul,
            meaning: "The record passes validation and fails when it is stored: jsonb cannot contain U+0000.",
            other_words: ["unsupported Unicode escape sequence: \\u0000 cannot be converted to text."],
            mistakes: [String "\"{}\\u0000\""],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"a\u0000b"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"ab"}]}}"#,
        }
        SuspiciousCharacter { name: String, shown: String } = "text/suspicious-character", Warning {
            summary: "An invisible or look-alike character in a name.",
            message: "{name} in {shown}: invisible or easily mistaken for another character",
            hint: "Retype the name.",
            applies: Names,
            meaning: "Bidirectional controls, zero-width characters and letters of other scripts make two names look the same and still differ. Such characters nearly always come from copied text.",
            mistakes: [String "\"{}\\u200b\""],
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc\u200b1.pdf"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}
