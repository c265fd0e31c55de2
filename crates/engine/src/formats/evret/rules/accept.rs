//! The fast tier: queries, documents and rows of which there is nothing to say.

use std::ops::Range;

use super::super::references::{At, List};
use super::super::{
    ANSWERS, COLUMN_ANSWERS, COLUMN_ID, COLUMN_RELEVANT, COLUMN_TEXT, DOC_ID, DOC_TEXT, DOCUMENTS, FORMAT,
    ID, QUERIES, QUERY_ID, QUERY_SHORT, QUERY_TEXT, RELEVANT,
};
use super::Rules;
use crate::explain::RecordStart;
use crate::rules::dataset_rules::Accepted;
use crate::scan::{self, are_distinct, characters, is_filled};
use crate::schema::{Array, Schema, StringSchema};
use evalcheck_json::csv;

/// Entries of a list that the fast tier compares with each other.
const FEW: usize = 64;

impl Rules {
    pub(super) fn accept_query(&mut self, record: &Accepted<'_>) -> bool {
        let (mut id, mut text) = (None, None);
        let (mut relevant, mut answers) = (0_usize, 0_usize);
        for (number, range) in record.strings {
            match *number {
                QUERY_ID | ID if id.is_none() => id = Some(range),
                QUERY_TEXT | QUERY_SHORT if text.is_none() => text = Some(range),
                RELEVANT => relevant += 1,
                ANSWERS => answers += 1,
                _ => return false,
            }
        }
        let (Some(id), Some(text)) = (id, text) else { return false };
        let id = &record.bytes[trimmed(record, id)];
        if (relevant == 0) == (answers == 0)
            || id.is_empty()
            || !is_filled(&record.bytes[text.clone()])
            || (answers > 0 && !are_distinct(record.bytes, record.strings, ANSWERS))
            || (relevant > 0 && !self.hash_relevant(record))
            || self.insert(QUERIES, id, record.origin.record).is_some()
        {
            return false;
        }
        self.queries += 1;
        if relevant > 0 {
            self.refer_to_relevant(record);
        }
        true
    }

    /// Hashes the ids of the relevant documents. False when they are many, one is blank, or one equals another.
    fn hash_relevant(&mut self, record: &Accepted<'_>) -> bool {
        self.relevant.clear();
        for (_, range) in record.strings.iter().filter(|(number, _)| *number == RELEVANT) {
            let id = &record.bytes[trimmed(record, range)];
            let document = self.ids[DOCUMENTS].hash(&[id]);
            if self.relevant.len() == FEW || self.relevant.contains(&document) || !is_filled(id) {
                return false;
            }
            self.relevant.push(document);
        }
        true
    }

    /// Remembers the relevant documents of a query whose hashes are at hand, but for those that were met.
    fn refer_to_relevant(&mut self, record: &Accepted<'_>) {
        let query = self.index_of(record.origin.record, QUERIES);
        let mut location = PlaceIn::new(record);
        let relevant = record.strings.iter().filter(|(number, _)| *number == RELEVANT);
        for (entry, (_, range)) in relevant.enumerate() {
            let document = self.relevant[entry];
            if !self.ids[DOCUMENTS].contains(document) {
                let quoted = range.start - 1..range.end + 1;
                let (bytes, line, column) = location.go_to(quoted);
                let record_number = record.origin.record;
                let list = List::Relevant;
                let at = At { bytes, line, column, record: record_number, query, entry, list };
                self.references.wait(document, record.text(range).trim(), &at);
            }
        }
    }

    pub(super) fn accept_document(&mut self, record: &Accepted<'_>) -> bool {
        let (mut id, mut has_text) = (None, false);
        for (number, range) in record.strings {
            match *number {
                DOC_ID if id.is_some() => return false,
                DOC_ID => id = Some(trimmed(record, range)),
                DOC_TEXT => has_text = true,
                _ => {}
            }
        }
        let Some(id) = id.filter(|id| has_text && !id.is_empty()) else { return false };
        if self.insert(DOCUMENTS, &record.bytes[id.clone()], record.origin.record).is_some() {
            return false;
        }
        self.references.name(record.text(&id));
        self.documents += 1;
        true
    }

    pub(super) fn accept_row(&mut self, record: &Accepted<'_>) -> bool {
        let Some(id) = self.plain_row(record) else { return false };
        if !id.is_empty() && self.insert(QUERIES, &record.bytes[id], record.origin.record).is_some() {
            return false;
        }
        self.queries += 1;
        true
    }

    /// The place of the id of a row of which there is nothing to say but perhaps that its id is not new. Empty where it has
    /// none.
    fn plain_row(&mut self, record: &Accepted<'_>) -> Option<Range<usize>> {
        let (mut id, mut texts, mut filled) = (0..0, 0, 0);
        for (number, range) in record.strings {
            match *number {
                COLUMN_TEXT => texts += 1,
                LIST_RELEVANT | LIST_ANSWERS => filled += 1,
                COLUMN_ID if id.is_empty() => id = trimmed(record, range),
                COLUMN_RELEVANT | COLUMN_ANSWERS if self.is_plain_cell(record, range) => filled += 1,
                COLUMN_RELEVANT | COLUMN_ANSWERS if trimmed(record, range).is_empty() => {}
                _ => return None,
            }
        }
        (texts == 1 && filled == usize::from(self.has_relevance)).then_some(id)
    }

    /// True for a cell that is a JSON list of strings, or values separated by commas, of which nothing is to be said.
    fn is_plain_cell(&mut self, record: &Accepted<'_>, range: &Range<usize>) -> bool {
        let cell = &record.bytes[range.clone()];
        let spaces = cell.iter().take_while(|byte| is_space(**byte)).count();
        if cell.get(spaces) != Some(&b'[') {
            return self.is_plain_text(record.bytes, trimmed(record, range));
        }
        let start = range.start + spaces;
        let list = scan::element(record.bytes, start, &LIST, FORMAT.texts, &mut self.scratch);
        list.is_ok_and(|end| {
            end <= range.end && record.bytes[end..range.end].iter().all(|byte| is_space(*byte))
        }) && !self.scratch.captures.is_empty()
            && are_distinct(record.bytes, &self.scratch.captures, 0)
    }

    /// True for values separated by commas of which nothing is to be said. What else may be JSON, or is for Python, is left
    /// to the explaining tier.
    fn is_plain_text(&mut self, bytes: &[u8], range: Range<usize>) -> bool {
        let cell = &bytes[range.clone()];
        let is_word = matches!(cell, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity");
        let is_number = || cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
        if matches!(cell.first(), None | Some(b'[' | b'{' | b'"')) || is_word || is_number() {
            return false;
        }
        let entries = &mut self.scratch.captures;
        entries.clear();
        let mut start = range.start;
        for comma in memchr::memchr_iter(b',', cell) {
            entries.push((0, start..range.start + comma));
            start = range.start + comma + 1;
        }
        entries.push((0, start..range.end));
        are_distinct(bytes, entries, 0)
    }
}

// The same columns, when the list in the cell was read already.
const LIST_RELEVANT: u8 = COLUMN_RELEVANT | csv::LIST;
const LIST_ANSWERS: u8 = COLUMN_ANSWERS | csv::LIST;

/// A list in a cell.
static LIST: Schema = Schema::array(Array::of(&ENTRY));
static ENTRY: Schema = Schema::text(StringSchema::ANY.captured_raw(0));

/// White space of JSON.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// A cell without the white space around it.
fn trimmed(record: &Accepted<'_>, range: &Range<usize>) -> Range<usize> {
    let cell = &record.bytes[range.clone()];
    let (mut start, mut rest) = (range.start + cell.len() - cell.trim_ascii_start().len(), cell.trim_ascii());
    let shows = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if !shows(rest.first()) || !shows(rest.last()) {
        // There is white space that is not ASCII.
        let text = record.text(range);
        start = range.start + text.len() - text.trim_start().len();
        rest = text.trim().as_bytes();
    }
    start..start + rest.len()
}

/// Goes through a record from one place to the next.
struct PlaceIn<'a> {
    record: &'a Accepted<'a>,
    /// How far it went in the buffer, and where that stands.
    at: usize,
    line: u64,
    column: u64,
}

impl<'a> PlaceIn<'a> {
    fn new(record: &'a Accepted<'a>) -> Self {
        let RecordStart { line, column, .. } = record.origin;
        Self { record, at: record.start, line, column }
    }

    /// Goes on to a range, and gives its bytes in the file, its line and its column.
    fn go_to(&mut self, range: Range<usize>) -> (Range<u64>, u64, u64) {
        let passed = &self.record.bytes[self.at..range.start];
        let mut first = 0;
        for newline in memchr::memchr_iter(b'\n', passed) {
            self.line += 1;
            self.column = 1;
            first = newline + 1;
        }
        self.column += characters(&passed[first..]);
        self.at = range.start;
        let start = self.record.origin.offset + (range.start - self.record.start) as u64;
        (start..start + range.len() as u64, self.line, self.column)
    }
}
