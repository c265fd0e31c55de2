//! Findings of content before a record on its line: text, comment marks, or the beginning of a record whose writing was interrupted.

use evalcheck_core::excerpt::{clip, clip_quoted};

use super::compare::fits;
use super::fix::{RecordFix, syntax};
use super::parse::parse;
use super::record_finding::RecordFinding;
use super::record_text::{RecordStart, RecordText};
use super::syntax_problem::SyntaxProblem;
use super::value::{Kind, Member, Value};
use evalcheck_json::schema::{Object, Schema, Types};
use evalcheck_json::tokens::{begins_with, first_key};

/// The number of bytes at the start of a line in which its record is searched.
const MOST_BEFORE: usize = 200;

/// The number of brackets that are tried as the beginning of the record, so that the time is proportional to the length of the line.
const MOST_BRACKETS: usize = 4;

/// The length of the longest beginning of a record that is searched in the record, in bytes.
const MOST_OF_BEGINNING: usize = 100;

/// The maximum number of characters of a quoted text that are shown.
const MOST_SHOWN: usize = 80;

const ADVICE: &str =
    "Keep only the record on its line. If the text is data, such as an id, write it into the record first.";
const ADVICE_ON_COMMENT: &str =
    "If the record is meant, delete the text before it. If it was left out on purpose, delete the line.";
const ADVICE_ON_CUT_RECORD: &str =
    "Write the record that was cut off again, on a line of its own; or delete what is left of it.";

/// The finding of a line that is not JSON, if other content precedes its record.
pub(super) fn before_record(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    text_before(line, schema).or_else(|| cut_off_before(line, schema))
}

/// The offset of the record on a line of text and a record of one of these types.
///
/// ```
/// # use evalcheck_diagnose::after_text;
/// # use evalcheck_json::schema::Types;
/// assert_eq!(after_text(b"1. {\"a\": 1}", Types::OBJECT), Some(3));
/// assert_eq!(after_text(b"{\"a\": {\"b\": 1}", Types::OBJECT), None);
/// ```
pub fn after_text(line: &[u8], types: Types) -> Option<usize> {
    // A line with a key before the record is part of a document.
    find_record(line, |before, record| !is_key(before) && is_record(record, types))
}

/// The offset of the record on a line of text and a record, both accepted by `is_meant`.
fn find_record(line: &[u8], is_meant: impl Fn(&[u8], &[u8]) -> bool) -> Option<usize> {
    let start = line.len() - line.trim_ascii_start().len();
    let head = &line[..line.len().min(start + MOST_BEFORE)];
    let brackets = memchr::memchr2_iter(b'{', b'[', head).filter(|&at| at > start);
    brackets
        .take(MOST_BRACKETS)
        .find(|&at| text(&line[start..at]).is_some() && is_meant(&line[start..at], &line[at..]))
}

/// Whether a text ends like a key.
fn is_key(before: &[u8]) -> bool {
    before.trim_ascii_end().ends_with(b"\":")
}

/// The finding of a line of text and a record.
fn text_before(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    // A record without its first bracket begins with a key too, but the value of that key is not a record.
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

/// Text before a record that is not part of JSON: it has no quotes or braces, no unmatched bracket, and some visible character. It does not
/// end with a comma, which would separate two values, nor begin with a block comment. A JSON string or number, such as an id before the
/// record, also counts as text, with or without a colon.
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

/// Whether a text is JSON that resembles a record. A comma may follow it.
fn is_whole_record(text: &[u8], schema: &Schema) -> bool {
    let text = text.trim_ascii_end();
    parse(text.strip_suffix(b",").unwrap_or(text)).is_ok_and(|parsed| is_like_record(&parsed.value, schema))
}

/// Whether a value is an object with a key of the schema, or an array of objects if records are arrays.
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

/// Whether a text is a JSON string or number.
fn is_scalar(text: &str) -> bool {
    let parsed = parse(text.as_bytes());
    parsed.is_ok_and(|parsed| matches!(parsed.value.kind, Kind::String(_) | Kind::Number(..)))
}

/// Whether bytes are a record of one of these types, or become one by fixes of the syntax.
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

/// The finding of a line on which a record is cut off, and a whole record with the same beginning follows.
fn cut_off_before(line: &[u8], schema: &'static Schema) -> Option<RecordFinding> {
    let start = line.len() - line.trim_ascii_start().len();
    let colon = memchr::memmem::find(&line[..line.len().min(start + MOST_OF_BEGINNING)], b"\":")?;
    let beginning = line.get(start..colon + 2).filter(|beginning| begins_like_record(beginning))?;
    let record = colon + 2 + memchr::memmem::rfind(&line[colon + 2..], beginning)?;
    let (cut, whole) = line.split_at(record);
    // An interrupted write also leaves NUL bytes.
    let cut =
        &cut[..cut.iter().rposition(|byte| !matches!(byte, 0 | b' ' | b'\t')).map_or(0, |last| last + 1)];
    // After these, it would be a value of the first record.
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

/// Whether bytes are the beginning of an object, or of an array of objects, up to the colon of the first key.
fn begins_like_record(beginning: &[u8]) -> bool {
    begins_with(beginning, b"{\":") || begins_with(beginning, b"[{\":")
}

/// The column of an offset in a line.
fn column(line: &[u8], at: usize) -> u64 {
    RecordText::new(line, RecordStart { line: 1, column: 1, ..RecordStart::default() }).column(at)
}
