//! What is before a record on its line: text, the marks of a comment, or the beginning of a record whose writing was
//! interrupted.

use evalcheck_core::excerpt::{clip, clip_quoted};

use super::compare::fits;
use super::fix::{RecordFix, syntax};
use super::parse::parse;
use super::record_finding::RecordFinding;
use super::record_text::{RecordStart, RecordText};
use super::syntax_problem::SyntaxProblem;
use super::value::{Kind, Member, Value};
use crate::schema::{Object, Schema, Types};
use crate::tokens::{begins_with, first_key};

/// How far into a line its record is searched, in bytes.
const MOST_BEFORE: usize = 200;

/// How many brackets are tried as the beginning of the record, so that the time stays in proportion to the line.
const MOST_BRACKETS: usize = 4;

/// The longest beginning of a record that is searched in the record, in bytes.
const MOST_OF_BEGINNING: usize = 100;

/// The most of a text in quotes that is shown, in characters.
const MOST_SHOWN: usize = 80;

const ADVICE: &str =
    "Keep only the record on its line. If the text is data, such as an id, write it into the record first.";
const ADVICE_ON_COMMENT: &str =
    "If the record is meant, delete the text before it. If it was left out on purpose, delete the line.";
const ADVICE_ON_CUT_RECORD: &str =
    "Write the record that was cut off again, on a line of its own; or delete what is left of it.";

/// The finding of a line that is not JSON and has something before its record.
pub(super) fn before_record(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    text_before(line, schema).or_else(|| cut_off_before(line, schema))
}

/// Where the record begins on a line of text and a record of one of these types.
///
/// ```
/// # use evalcheck_json::{diagnose::after_text, schema::Types};
/// assert_eq!(after_text(b"1. {\"a\": 1}", Types::OBJECT), Some(3));
/// assert_eq!(after_text(b"{\"a\": {\"b\": 1}", Types::OBJECT), None);
/// ```
pub fn after_text(line: &[u8], types: Types) -> Option<usize> {
    // A line with a key before the record is one of a document.
    find_record(line, |before, record| !is_key(before) && is_record(record, types))
}

/// Where the record begins on a line of text and a record, which `is_meant` tells by the two.
fn find_record(line: &[u8], is_meant: impl Fn(&[u8], &[u8]) -> bool) -> Option<usize> {
    let start = line.len() - line.trim_ascii_start().len();
    let head = &line[..line.len().min(start + MOST_BEFORE)];
    let brackets = memchr::memchr2_iter(b'{', b'[', head).filter(|&at| at > start);
    brackets
        .take(MOST_BRACKETS)
        .find(|&at| text(&line[start..at]).is_some() && is_meant(&line[start..at], &line[at..]))
}

/// True for a text that ends as a key does.
fn is_key(before: &[u8]) -> bool {
    before.trim_ascii_end().ends_with(b"\":")
}

/// A line of text and a record.
fn text_before(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    // A record whose first bracket is missing begins with a key too, but the value of that key is not a record.
    let is_meant = |before: &[u8], record: &[u8]| {
        if is_key(before) { is_whole_record(record, schema) } else { is_record(record, schema.types()) }
    };
    let record = find_record(line, is_meant)?;
    let start = line.len() - line.trim_ascii_start().len();
    let text = text(&line[start..record])?;
    let is_comment = text.starts_with(['#', '/']);
    let found = if text.starts_with('"') { clip(text, MOST_SHOWN) } else { clip_quoted(text) };
    let (loss, advice) = if is_comment {
        ("guesses that the record was not left out on purpose", ADVICE_ON_COMMENT)
    } else {
        ("is lost", ADVICE)
    };
    let fix = RecordFix::not_safe(format!("Delete {found} before the record, which {loss}"));
    let problem = SyntaxProblem::TextBeforeRecord { column: column(line, record), found, is_comment, advice };
    let span = start..line[..record].trim_ascii_end().len();
    Some(RecordFinding::new(problem, span, None).with_fix(Some(fix.replace(start..record, ""))))
}

/// Text before a record that is no part of JSON: it has no quotes and braces, no bracket without its partner, and more
/// than invisible characters. A comma is between two values, and a comment that is closed belongs to nothing. A text or a number of
/// JSON, as an id before the record, is text before it too, with a colon or without.
fn text(before: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(before).ok()?.trim();
    let value = text.trim_end_matches([',', ':']).trim_end();
    let is_name =
        |value: &str| !value.is_empty() && value.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    if is_name(value) || is_scalar(value) {
        return Some(text);
    }
    let is_visible = |c: char| c.is_alphanumeric() || "-*+>•–—#/".contains(c);
    let is_of_json = text.contains(['{', '}', '"', '\'', '`'])
        || text.contains(|c: char| c.is_control() && c != '\t')
        || text.matches('[').count() != text.matches(']').count()
        || text.ends_with(',')
        || text.starts_with("/*");
    (!is_of_json && text.contains(is_visible)).then_some(text)
}

/// True for JSON that resembles a record. A comma may follow it.
fn is_whole_record(text: &[u8], schema: &Schema) -> bool {
    let text = text.trim_ascii_end();
    parse(text.strip_suffix(b",").unwrap_or(text)).is_ok_and(|parsed| is_like_record(&parsed.value, schema))
}

/// True for an object with a key of the schema, or an array of objects where records are arrays.
pub(super) fn is_like_record(value: &Value<'_>, schema: &Schema) -> bool {
    match &value.kind {
        Kind::Object(members) => {
            let mut sets = schema.object.iter().flat_map(Object::sets);
            let is_field =
                |member: &Member<'_>| sets.any(|fields| fields.position(member.key.as_bytes()).is_some());
            members.iter().any(is_field)
        }
        Kind::Array(elements) => elements.iter().all(|element| {
            matches!(element.kind, Kind::Object(_))
                && (schema.array.is_some() || is_like_record(element, schema))
        }),
        _ => false,
    }
}

/// True for a text or a number of JSON.
fn is_scalar(text: &str) -> bool {
    let parsed = parse(text.as_bytes());
    parsed.is_ok_and(|parsed| matches!(parsed.value.kind, Kind::String(_) | Kind::Number(..)))
}

/// True for a record of one of these types, or what fixes of its syntax make one.
fn is_record(bytes: &[u8], types: Types) -> bool {
    let begins = match bytes.first() {
        Some(b'{') => types.contains(Types::OBJECT) && first_key(bytes).is_some(),
        _ => types.contains(Types::ARRAY) && begins_with(bytes, b"[{"),
    };
    begins
        && match parse(bytes) {
            Ok(_) => true,
            Err(error) => !error.problem.is_truncated() && syntax::fix(bytes, &error, true).is_some(),
        }
}

/// A line on which a record is cut off, and a whole one follows that begins in the same way.
fn cut_off_before(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    let start = line.len() - line.trim_ascii_start().len();
    let colon = memchr::memmem::find(&line[..line.len().min(start + MOST_OF_BEGINNING)], b"\":")?;
    let beginning = line.get(start..colon + 2).filter(|beginning| begins_like_record(beginning))?;
    let record = colon + 2 + memchr::memmem::rfind(&line[colon + 2..], beginning)?;
    let (cut, whole) = line.split_at(record);
    // An interrupted write leaves NUL bytes too.
    let cut =
        &cut[..cut.iter().rposition(|byte| !matches!(byte, 0 | b' ' | b'\t')).map_or(0, |last| last + 1)];
    // After these, it is a value of the first record.
    if cut.ends_with(b":") || cut.ends_with(b"[") {
        return None;
    }
    let is_whole = parse(whole).is_ok_and(|whole| fits(&whole.value, schema));
    let SyntaxProblem::Truncated { open, .. } = parse(cut).err()?.problem else { return None };
    is_whole.then(|| {
        let what = format!("the record is cut off with {open} still open, and another record begins");
        let fix = RecordFix::not_safe("Delete the record that is cut off").replace(start..record, "");
        let problem = SyntaxProblem::InterruptedWrite {
            column: column(line, record),
            what,
            advice: ADVICE_ON_CUT_RECORD,
        };
        RecordFinding::new(problem, start..record, None).with_fix(Some(fix))
    })
}

/// True for the beginning of an object, or of an array of objects, up to the colon of the first key.
fn begins_like_record(beginning: &[u8]) -> bool {
    begins_with(beginning, b"{\":") || begins_with(beginning, b"[{\":")
}

/// The column of an offset of a line.
fn column(line: &[u8], at: usize) -> u64 {
    RecordText::new(line, RecordStart { line: 1, column: 1, ..RecordStart::default() }).column(at)
}
