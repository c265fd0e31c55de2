//! Plain data: JSONL, JSON documents and tables of no system, or of one that is known by name only.
//!
//! Errors are what no reader takes. What may be meant is a note: keys that few records have, types that change, empty values.

mod beginning;
mod checks;
mod consistency;
mod problem;

use std::cmp::Reverse;
use std::io::{Read, Seek};

use evalcheck_archive::{Archive, Entry};
use evalcheck_core::order::Order;
use evalcheck_json::schema::{Array, Object, Property, Schema, StringSchema, UnknownKeys};
use evalcheck_json::tokens::{begins_with, significant};
use evalcheck_records::csv::{Column, Columns as CsvColumns};

use crate::chat::MESSAGE_LISTS;
use crate::checks::{Checks, NoChecks};
use crate::detect::{Detector, FileHead, HEAD};
use crate::fields::COMMON;
use crate::loaded::Loader;
use crate::{About, Example, Format, Layout, List, ListPlace, Rules, Variant};
use beginning::Beginning;
use checks::Dataset;
use problem::PlainProblem;

/// A record on each line.
pub static JSONL: Format = Format {
    about: About { title: "Plain JSONL", summary: "One JSON object per line, of any keys.", ..ABOUT },
    detection: Detector {
        extensions: &["jsonl", "ndjson"],
        expected: "lines that are JSON objects",
        ..Detector::NONE
    },
    examples: &[
        Example::text("minimal", "Two records", "minimal.jsonl", include_str!("plain/jsonl/minimal.jsonl")),
        Example::text(
            "full",
            "Questions of several kinds",
            "full.jsonl",
            include_str!("plain/jsonl/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("plain/jsonl/broken.jsonl"),
        ),
    ],
    ..plain("jsonl", &[Variant { version: "", layout: Layout::Jsonl, schema: &RECORD }])
};

/// A document.
pub static JSON: Format = Format {
    about: About {
        title: "Plain JSON",
        summary: "An array of JSON objects, an object with lists of them under any keys, or one object.",
        ..ABOUT
    },
    detection: Detector {
        extensions: &["json"],
        expected: "a JSON document: an array, or an object",
        ..Detector::NONE
    },
    examples: &[
        Example::text("minimal", "Two records", "minimal.json", include_str!("plain/json/minimal.json")),
        Example::text("full", "Lists under two keys", "full.json", include_str!("plain/json/full.json")),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.json",
            include_str!("plain/json/broken.json"),
        ),
    ],
    ..plain("json", &[Variant { version: "", layout: Layout::Json(LISTS), schema: &RECORD }])
};

/// A table.
pub static CSV: Format = Format {
    about: About { title: "Plain CSV", summary: "A table with a header, of any columns.", ..ABOUT },
    detection: Detector {
        extensions: &["csv", "tsv"],
        expected: "a header, and rows under it",
        ..Detector::NONE
    },
    examples: &[
        Example::text("minimal", "Two rows", "minimal.csv", include_str!("plain/csv/minimal.csv")),
        Example::text(
            "full",
            "Cells with quotes and line breaks",
            "full.csv",
            include_str!("plain/csv/full.csv"),
        ),
        Example::text("broken", "Mistakes people make", "broken.csv", include_str!("plain/csv/broken.csv")),
    ],
    ..plain("csv", &[Variant { version: "", layout: Layout::Csv(&COLUMNS), schema: &ROW }])
};

/// The texts that all of them share.
const ABOUT: About = About { title: "", system: "", link: "", summary: "", noun: "record" };

/// A format of plain data.
const fn plain(id: &'static str, variants: &'static [Variant]) -> Format {
    Format {
        rules: Rules {
            checks: |_| Checks::new(NoChecks, Dataset::default()),
            own: &[PlainProblem::RULES],
            ..Rules::NONE
        },
        fields: COMMON,
        loader: Loader {
            source: "This is the record as a reader of JSON or CSV holds it.",
            ..Loader::UNKNOWN
        },
        ..Format::new(id, variants)
    }
}

/// The format of a file that is of no system; `None` for text that is no data.
pub fn of(head: &FileHead<'_>) -> Option<&'static Format> {
    if CSV.detection.is_named(head) && head.header.is_some() {
        return Some(&CSV);
    }
    if JSONL.detection.is_named(head) {
        return Some(&JSONL);
    }
    let first = significant(head.head).next().map_or(head.head.len(), |token| token.span.start);
    let text = &head.head[first..];
    let is_named = JSON.detection.is_named(head);
    let is_json = is_named || begins_with(text, b"[{") || begins_with(text, b"{\":");
    match Beginning::of(text, head) {
        Beginning::Document if is_json => Some(&JSON),
        Beginning::Record if is_named => Some(&JSON),
        Beginning::Records if is_json => Some(&JSONL),
        _ => (!head.lines.is_empty() && !is_named).then_some(&JSONL),
    }
}

/// The files of data in an archive of no system, as indices into [`Archive::entries`]. A document beside lines or a table is their
/// description.
pub fn entries(archive: &Archive) -> Vec<usize> {
    let of = |formats: &[&Format]| -> Vec<usize> {
        let is_data = |entry: &Entry| formats.iter().any(|format| format.detection.is_named_entry(entry));
        let entries = archive.entries().iter().enumerate();
        entries.filter(|(_, entry)| is_data(entry)).map(|(index, _)| index).collect()
    };
    let lines = of(&[&JSONL, &CSV]);
    if lines.is_empty() { of(&[&JSON]) } else { lines }
}

/// The largest file of data in an archive whose beginning can be read, as an index, and its format.
pub fn in_archive<R: Read + Seek>(source: &mut R, archive: &Archive) -> Option<(&'static Format, usize)> {
    let mut entries = entries(archive);
    entries.order_by_key(|index| Reverse(archive.entries()[*index].size));
    entries.into_iter().find_map(|index| {
        let file = archive.entries().get(index)?;
        let head = file.read_start(source, HEAD).ok()?;
        Some((of(&FileHead::new(file.base_name(), &head))?, index))
    })
}

/// Keys by which records are often numbered. Whether one is an id, its values tell.
const IDS: [&str; 8] = ["id", "_id", "uid", "uuid", "sample_id", "question_id", "task_id", "custom_id"];

/// A value that may be an id, which is captured under this number.
const fn id(number: u8) -> Schema {
    Schema {
        string: Some(StringSchema { capture: Some(number), ..StringSchema::ANY }),
        capture: Some(number),
        ..Schema::any()
    }
}

static ID_SCHEMAS: [Schema; IDS.len()] = [id(0), id(1), id(2), id(3), id(4), id(5), id(6), id(7)];

static FIELDS: [Property; IDS.len()] = {
    let mut fields = [const { Property::optional("", &evalcheck_json::schema::ANY) }; IDS.len()];
    let mut number = 0;
    while number < IDS.len() {
        fields[number] = Property::optional(IDS[number], &ID_SCHEMAS[number]);
        number += 1;
    }
    fields
};

/// A record of JSON.
static RECORD: Schema = Schema::object(Object::new(&FIELDS, UnknownKeys::Allow));

/// The records of a document. A key of a chat makes an object a record, because its messages are not.
static LISTS: &[List] =
    &[list(ListPlace::Root), list(ListPlace::AnyKey), list(ListPlace::Single(MESSAGE_LISTS))];

const fn list(place: ListPlace) -> List {
    List { place, array: &RECORDS, schema: &RECORD, required: false }
}

static RECORDS: Schema = Schema::array(Array::of(&RECORD));

static COLUMNS: CsvColumns = CsvColumns { columns: &ID_COLUMNS, ..CsvColumns::ANY };

static ID_COLUMNS: [Column; IDS.len()] = {
    let mut columns = [const { Column::optional("", "An id, if its values are different.") }; IDS.len()];
    let mut number = 0;
    while number < IDS.len() {
        columns[number].name = IDS[number];
        number += 1;
    }
    columns
};

/// A row.
static ROW: Schema = Schema::ANY_OBJECT;
