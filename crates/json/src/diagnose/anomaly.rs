//! Anomalies: bytes, characters, keys and numbers that a reader accepts but that systems treat differently.

use std::ops::Range;

use evalcheck_core::finding::Path;

use super::value::{Kind, Value};
use super::wording;
use super::{Parsed, PathBuilder, RecordFinding, RecordStart};
use crate::scan::TextPolicy;

/// Something the parser noticed in a record that it could read all the same. Whether it is reported, and as which
/// problem, depends on the format ([`check_anomalies`]).
#[derive(Debug, Clone, PartialEq)]
pub enum Anomaly {
    /// Bytes that are not UTF-8.
    InvalidUtf8(Range<usize>),
    /// A key that occurs more than once in its object.
    DuplicateKey {
        /// The later key.
        key: Range<usize>,
        /// The first one.
        first: Range<usize>,
    },
    /// An integer that loses digits as a 64-bit float.
    InexactInteger(Range<usize>),
    /// An escape that is half of a surrogate pair.
    LoneSurrogate(Range<usize>),
    /// `\u0000`
    Nul(Range<usize>),
}

impl Anomaly {
    /// Its bytes in the record; for a duplicate key those of the later key.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::DuplicateKey { key: span, .. }
            | Self::InvalidUtf8(span)
            | Self::InexactInteger(span)
            | Self::LoneSurrogate(span)
            | Self::Nul(span) => span.clone(),
        }
    }

    /// The problem to report. `bytes` are those of the record, which begins at `origin`.
    pub fn problem(&self, bytes: &[u8], origin: RecordStart) -> TextProblem {
        match self {
            Self::InvalidUtf8(span) => {
                let hex: Vec<String> = bytes[span.clone()].iter().map(|b| format!("{b:02X}")).collect();
                let noun = if hex.len() == 1 { "the byte" } else { "the bytes" };
                TextProblem::InvalidUtf8 {
                    byte: format!("{noun} {}", hex.join(" ")),
                    column: wording::column_at(bytes, span.start, origin),
                }
            }
            Self::DuplicateKey { key, first } => TextProblem::DuplicateKey {
                key: wording::quoted(&bytes[key.clone()]),
                first: wording::where_is(bytes, first.start, key.start, origin),
            },
            Self::InexactInteger(span) => {
                let found = wording::quoted(&bytes[span.clone()]);
                let value = std::str::from_utf8(&bytes[span.clone()]).ok().and_then(|text| text.parse().ok());
                let read = format!("{:.0}", value.unwrap_or(f64::NAN));
                TextProblem::InexactInteger { found, read }
            }
            Self::LoneSurrogate(span) => {
                TextProblem::LoneSurrogate { escape: wording::quoted(&bytes[span.clone()]) }
            }
            Self::Nul(_) => TextProblem::NulCharacter,
        }
    }
}

/// Reports the anomalies of a record that matter to a system with this policy. Paths begin with `base`.
pub fn check_anomalies(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    policy: TextPolicy,
    base: &PathBuilder,
    origin: RecordStart,
    found: &mut Vec<RecordFinding>,
) {
    for anomaly in &parsed.anomalies {
        let problem = match anomaly {
            Anomaly::Nul(_) if !policy.jsonb => continue,
            Anomaly::DuplicateKey { key, first } if policy.strict_json => TextProblem::RefusedDuplicateKey {
                key: wording::quoted(&bytes[key.clone()]),
                first: wording::where_is(bytes, first.start, key.start, origin),
            },
            anomaly => anomaly.problem(bytes, origin),
        };
        let span = anomaly.span();
        let path = match problem {
            // It concerns the whole file: no reader can decode it as text.
            TextProblem::InvalidUtf8 { .. } => None,
            _ => path_at(&parsed.value, base.clone(), span.start),
        };
        found.push(RecordFinding { problem: problem.into(), span, path });
    }
}

/// The path of the innermost value (or key) around an offset.
fn path_at(root: &Value<'_>, mut path: PathBuilder, at: usize) -> Option<Path> {
    let mut value = root;
    'down: loop {
        match &value.kind {
            Kind::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    if element.span.contains(&at) {
                        path.index(index);
                        value = element;
                        continue 'down;
                    }
                }
            }
            Kind::Object(members) => {
                for member in members {
                    if member.key_span.contains(&at) || member.value.span.contains(&at) {
                        path.key(&member.key);
                        if member.key_span.contains(&at) {
                            return Some(path.path());
                        }
                        value = &member.value;
                        continue 'down;
                    }
                }
            }
            _ => {}
        }
        return Some(path.path());
    }
}

evalcheck_core::rules! {
    /// What is wrong with bytes, characters, keys and numbers in records that are JSON all the same.
    TextProblem {
        InvalidUtf8 { byte: String, column: u64 } = "text/invalid-utf8", Error {
            summary: "Bytes that are not UTF-8.",
            message: "invalid UTF-8: {byte} at column {column}",
            hint: "Save the file as UTF-8. If it is in another encoding, iconv -f LATIN1 -t UTF-8 (or the encoding it has) converts it.",
            meaning: "Datasets are UTF-8. A reader of other bytes either fails or replaces them by U+FFFD, and the model then gets a different text.",
            invalid: "é written as the single byte E9 of Latin-1",
            valid: "é written as the two bytes C3 A9 of UTF-8",
        }
        ByteOrderMark = "text/byte-order-mark", Info {
            summary: "The file begins with a byte order mark.",
            message: "the file begins with a byte order mark (BOM); it is skipped",
            hint: "Save as UTF-8 without BOM where other tools have to read the file.",
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. The systems here skip them; other tools read them as part of the first record.",
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        StrayByteOrderMark { column: u64 } = "text/stray-byte-order-mark", Error {
            summary: "A byte order mark in the middle of the file.",
            message: "invalid JSON: a byte order mark (U+FEFF) in the middle of the file at column {column}",
            hint: "Delete the three bytes EF BB BF; they came along when files were joined.",
            meaning: "A BOM is skipped only at the start of a file. In the middle, where files with a BOM were joined, it is a character that no JSON reader accepts.",
            invalid: "two files with a BOM joined by cat",
            valid: "the same without the second BOM",
        }
        DuplicateKey { key: String, first: String } = "json/duplicate-key", Warning {
            summary: "Duplicate key in an object.",
            message: "the key {key} stands twice in this object (first at {first}); only the last one counts",
            hint: "Delete one of the two.",
            meaning: "Readers silently keep the last of two equal keys, so the first value is lost. A key written with escapes is the same key.",
            invalid: r#"{"messages":[],"messages":[]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        RefusedDuplicateKey { key: String, first: String } = "json/refused-duplicate-key", Error {
            summary: "Duplicate key in an object, refused by a system that reads strict JSON.",
            message: "the key {key} stands twice in this object (first at {first}); the system refuses that",
            hint: "Delete one of the two.",
            meaning: "The system's validator reads strict JSON: it refuses an object with two equal keys, because it is unknown which one is meant. A key written with escapes is the same key.",
            invalid: r#"{"model_id":"a","model_id":"b"}"#,
            valid: r#"{"model_id":"b"}"#,
        }
        InexactInteger { found: String, read: String } = "json/inexact-integer", Warning {
            summary: "An integer that loses digits.",
            message: "{found} is read as {read}: whole numbers beyond 2^53 lose digits",
            hint: "Write ids and other exact numbers as strings.",
            meaning: "JavaScript and many other readers store numbers as 64-bit floating point, which is exact for integers up to 9007199254740992.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[9007199254740993]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":["9007199254740993"]}"#,
        }
        LoneSurrogate { escape: String } = "text/lone-surrogate", Warning {
            summary: "Half of a surrogate pair.",
            message: "{escape} is half of a surrogate pair: it is no character, and writing it as UTF-8 fails",
            hint: "A text was cut in the middle of an emoji or a rare character; write the whole character or leave it out.",
            meaning: "A character beyond U+FFFF is written as two \\u escapes. One alone is not a character: PostgreSQL's jsonb refuses it, Python cannot encode it, and Rust's readers fail.",
            invalid: r#"{"messages":[{"role":"user","content":"\ud83d"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"\ud83d\ude00"}]}"#,
        }
        NulCharacter = "text/nul-character", Warning {
            summary: "An escaped NUL in a string.",
            message: "\\u0000 in a string: storing the sample fails, PostgreSQL's jsonb does not take it",
            hint: "Remove the character.",
            meaning: "The record passes validation and fails when it is stored: jsonb cannot contain U+0000.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"a\u0000b"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"ab"}]}}"#,
        }
        SuspiciousCharacter { name: String, shown: String } = "text/suspicious-character", Warning {
            summary: "An invisible or look-alike character in a name.",
            message: "{name} in {shown}: invisible or easily mistaken for another character",
            hint: "Type the name again by hand.",
            meaning: "Bidirectional controls, zero-width characters and letters of other scripts make two names look the same and still differ. Such characters nearly always come from copied text.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc\u200b1.pdf"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}
