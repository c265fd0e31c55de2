//! The fast tier: queries, documents and rows of which there is nothing to say.

use std::ops::Range;

use super::super::references::{At, List};
use super::super::{
    ANSWERS, COLUMN_ANSWERS, COLUMN_ID, COLUMN_RELEVANT, COLUMN_TEXT, DOC_ID, DOC_TEXT, ID, QUERIES,
    QUERY_ID, QUERY_SHORT, QUERY_TEXT, RELEVANT,
};
use super::Rules;
use crate::explain::column;
use crate::rules::dataset_rules::Accepted;

/// Entries of a list that the fast tier compares with each other.
const FEW: usize = 16;

fn is_filled(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_graphic())
}

/// True when the texts are few, none blank, and none equals another.
fn are_plain<'t>(mut rest: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut count = 0;
    while let Some(text) = rest.next() {
        count += 1;
        if count > FEW || !is_filled(text) || rest.clone().any(|other| other.trim() == text.trim()) {
            return false;
        }
    }
    true
}

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
        let id = record.text(id).trim();
        if (relevant == 0) == (answers == 0)
            || !is_filled(id)
            || !is_filled(record.text(text))
            || !are_plain(record.texts(RELEVANT))
            || !are_plain(record.texts(ANSWERS))
        {
            return false;
        }
        self.set_key('q', id);
        if !self.ids.is_new(&self.key) {
            return false;
        }
        self.insert_new(record.origin, QUERIES);
        self.queries += 1;
        let query = self.index_of(record.origin.record, QUERIES);
        for (entry, (_, range)) in record.strings.iter().filter(|(number, _)| *number == RELEVANT).enumerate()
        {
            self.refer(record.text(range).trim(), || at_range(record, range.clone(), query, entry));
        }
        true
    }

    pub(super) fn accept_document(&mut self, record: &Accepted<'_>) -> bool {
        let one = |number: u8| {
            let mut texts = record.texts(number);
            texts.next().filter(|text| is_filled(text) && texts.next().is_none())
        };
        let (Some(id), true) = (one(DOC_ID), record.texts(DOC_TEXT).next().is_some()) else { return false };
        let id = id.trim();
        self.set_key('d', id);
        if !self.ids.is_new(&self.key) {
            return false;
        }
        self.insert_new(record.origin, 1);
        self.references.name(id);
        self.documents += 1;
        true
    }

    pub(super) fn accept_row(&mut self, record: &Accepted<'_>) -> bool {
        let (mut id, mut texts, mut filled) = (None, 0, 0);
        for (number, range) in record.strings {
            let text = record.text(range);
            match *number {
                COLUMN_TEXT => texts += 1,
                COLUMN_ID if id.is_none() => id = Some(text.trim()).filter(|id| !id.is_empty()),
                COLUMN_RELEVANT | COLUMN_ANSWERS if text.trim().is_empty() => {}
                COLUMN_RELEVANT | COLUMN_ANSWERS if is_plain_cell(text) => filled += 1,
                _ => return false,
            }
        }
        if texts != 1 || filled != usize::from(self.has_relevance) {
            return false;
        }
        if let Some(id) = id {
            self.set_key('r', id);
            if !self.ids.is_new(&self.key) {
                return false;
            }
            self.insert_new(record.origin, QUERIES);
        }
        self.queries += 1;
        true
    }
}

/// True for a cell that is a JSON list of plain strings, or values separated by commas, of which nothing is to be said.
fn is_plain_cell(cell: &str) -> bool {
    let cell = cell.trim();
    let Some(inside) = cell.strip_prefix('[') else {
        // What else may be JSON, or is for Python, is left to the explaining tier.
        let is_word = matches!(cell, "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity");
        let is_number = cell.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        return !is_word && !is_number && !cell.starts_with(['{', '"']) && are_plain(cell.split(','));
    };
    let Some(inside) = inside.strip_suffix(']').map(str::trim) else { return false };
    if inside.is_empty() || inside.bytes().any(|byte| byte == b'\\' || byte < 0x20) {
        return false;
    }
    // Strings at the odd places between quotes, separators at the even ones.
    let mut pieces = inside.split('"');
    if pieces.next() != Some("") {
        return false;
    }
    let entries = inside.split('"').skip(1).step_by(2);
    let separators = inside.split('"').skip(2).step_by(2);
    let quotes = inside.bytes().filter(|&byte| byte == b'"').count();
    let between = quotes / 2 - usize::from(quotes >= 2);
    quotes >= 2
        && quotes % 2 == 0
        && separators.clone().take(between).all(|text| text.trim() == ",")
        && separators.last() == Some("")
        && are_plain(entries.take(quotes / 2))
}

fn at_range(record: &Accepted<'_>, range: Range<usize>, query: u64, entry: usize) -> At {
    let start = record.start;
    let quoted = range.start - 1..range.end + 1;
    let before = &record.bytes[start..quoted.start];
    let newlines = memchr::memchr_iter(b'\n', before).count() as u64;
    let own = column(&record.bytes[start..], quoted.start - start);
    At {
        bytes: record.origin.offset + (quoted.start - start) as u64
            ..record.origin.offset + (quoted.end - start) as u64,
        line: record.origin.line + newlines,
        column: if newlines == 0 { own + record.origin.column - 1 } else { own },
        record: record.origin.record,
        query,
        entry,
        list: List::Relevant,
    }
}
