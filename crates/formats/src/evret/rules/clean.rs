//! Whether a record has no finding, by its captured fields.

use std::ops::Range;

use super::super::{
    ALIAS, ALIAS_ENTRY, ALIAS_LIST, ANSWERS, COLUMN_ANSWERS, COLUMN_ID, COLUMN_IDS, COLUMN_TEXT, DOC_ID,
    DOC_TEXT, FORMAT, ID, QUERY_ID, QUERY_SHORT, QUERY_TEXT, RELEVANT, RELEVANT_ENTRY, Version, names,
};
use crate::checks::Captures;
use crate::python;
use evalcheck_json::csv;
use evalcheck_json::scan::{self, Scratch, are_distinct, is_filled};
use evalcheck_json::schema::{Array, Schema, StringSchema};

pub(super) fn query(captures: &Captures<'_>, version: Version) -> bool {
    let (mut id, mut text) = (None, None);
    let (mut relevant, mut expected, mut answers) = (0_usize, 0_usize, 0_usize);
    for (number, range) in captures.strings {
        match *number {
            QUERY_ID | ID if id.is_none() => id = Some(range),
            QUERY_TEXT | QUERY_SHORT if text.is_none() => text = Some(range),
            ANSWERS => answers += 1,
            RELEVANT if version != Version::V002 => relevant += 1,
            RELEVANT_ENTRY if version != Version::V002 => {}
            ALIAS if version == Version::V003 => expected += 1,
            ALIAS_ENTRY | ALIAS_LIST if version == Version::V003 => {}
            _ => return false,
        }
    }
    let (Some(id), Some(text)) = (id, text) else { return false };
    let has_relevance = match version {
        Version::V001 => (relevant == 0) != (answers == 0),
        Version::V002 => answers > 0,
        Version::V003 => (relevant == 0 || expected == 0) && relevant + expected + answers > 0,
    };
    let is_distinct = |count, number| count == 0 || are_distinct(captures.texts, captures.strings, number);
    has_relevance
        && !trimmed(captures, id).is_empty()
        && is_filled(captures.bytes(text))
        && is_distinct(answers, ANSWERS)
        && is_distinct(relevant, RELEVANT)
        && is_distinct(expected, ALIAS)
}

pub(super) fn document(captures: &Captures<'_>) -> bool {
    let has_text = captures.contents(DOC_TEXT).next().is_some();
    let mut ids = captures.strings.iter().filter(|(number, _)| *number == DOC_ID);
    has_text && ids.next().is_some_and(|(_, id)| !trimmed(captures, id).is_empty()) && ids.next().is_none()
}

/// `has_relevance`: the file has a column to score against.
pub(super) fn row(
    captures: &Captures<'_>,
    version: Version,
    has_relevance: bool,
    scratch: &mut Scratch,
) -> bool {
    let (mut has_id, mut texts, mut filled) = (false, 0, 0);
    for (number, range) in captures.strings {
        match *number {
            COLUMN_IDS if version == Version::V002 => return false,
            COLUMN_TEXT if is_filled(captures.bytes(range)) => texts += 1,
            LIST_IDS | LIST_ANSWERS => filled += 1,
            COLUMN_ID if !has_id && range.is_empty() => {}
            COLUMN_ID if !has_id => {
                has_id = !trimmed(captures, range).is_empty();
                if !has_id {
                    return false;
                }
            }
            COLUMN_IDS | COLUMN_ANSWERS if is_plain_cell(captures, range, scratch) => filled += 1,
            COLUMN_IDS | COLUMN_ANSWERS if trimmed(captures, range).is_empty() => {}
            _ => return false,
        }
    }
    let is_scored = match version {
        Version::V001 => filled == usize::from(has_relevance),
        Version::V002 | Version::V003 => (filled > 0) == has_relevance,
    };
    texts == 1 && is_scored
}

/// Whether a cell is a JSON list of strings, or values separated by commas, without a finding.
fn is_plain_cell(captures: &Captures<'_>, range: &Range<usize>, scratch: &mut Scratch) -> bool {
    let cell = captures.bytes(range);
    let spaces = cell.iter().take_while(|byte| is_space(**byte)).count();
    if cell.get(spaces) != Some(&b'[') {
        return is_plain_text(captures.texts, trimmed(captures, range), scratch);
    }
    let start = range.start + spaces;
    let list = scan::element(captures.texts, start, &LIST, FORMAT.texts, scratch);
    list.is_ok_and(|end| {
        end <= range.end && captures.bytes(&(end..range.end)).iter().all(|byte| is_space(*byte))
    }) && !scratch.captures.is_empty()
        && are_distinct(captures.texts, &scratch.captures, 0)
}

/// Whether a cell has values separated by commas without a finding. False for anything else that may be JSON, in Python's dialect too.
fn is_plain_text(bytes: &[u8], range: Range<usize>, scratch: &mut Scratch) -> bool {
    let cell = &bytes[range.clone()];
    let is_word = matches!(cell, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity");
    let is_number = || cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    // Python refuses an integer that is too long, with any text after it.
    let is_refused = || cell.len() > names::MOST_DIGITS && matches!(cell[0], b'-' | b'1'..=b'9');
    if matches!(cell.first(), None | Some(b'[' | b'{' | b'"')) || is_word || is_number() || is_refused() {
        return false;
    }
    let entries = &mut scratch.captures;
    entries.clear();
    let mut start = range.start;
    for end in memchr::memchr_iter(names::CELL.separator as u8, cell) {
        entries.push((0, start..range.start + end));
        start = range.start + end + 1;
    }
    entries.push((0, start..range.end));
    are_distinct(bytes, entries, 0)
}

// The same columns, if the reader already parsed the list in the cell.
const LIST_IDS: u8 = COLUMN_IDS | csv::LIST;
const LIST_ANSWERS: u8 = COLUMN_ANSWERS | csv::LIST;

/// A list in a cell.
static LIST: Schema = Schema::array(Array::of(&ENTRY));
static ENTRY: Schema = Schema::text(StringSchema::ANY.captured_raw(0));

/// Whether a byte is white space of JSON.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The range of a cell without surrounding white space.
fn trimmed(captures: &Captures<'_>, range: &Range<usize>) -> Range<usize> {
    let cell = captures.bytes(range);
    let (mut start, mut rest) = (range.start + cell.len() - cell.trim_ascii_start().len(), cell.trim_ascii());
    let shows = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if !shows(rest.first()) || !shows(rest.last()) {
        // There is white space outside ASCII.
        let text = captures.text(range);
        start = range.end - text.trim_start_matches(python::is_space).len();
        rest = python::strip(text).as_bytes();
    }
    start..start + rest.len()
}
