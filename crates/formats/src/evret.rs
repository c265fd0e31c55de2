//! Evret: queries for a retrieval system with the documents or answers that are expected, as JSON or CSV.

mod loaded;
mod names;
mod references;
mod rules;
mod version;

use evalcheck_wire::view::{Part, Sample, Turn};

use super::checks::Checks;
use super::{About, ByteOrderMark, Example, Format, Layout, List, Rules, TextPolicy, Variant};
use crate::detect::{Detector, Sign, Signature};
use crate::diagnose::{Kind, Value};
use crate::preview::{Shown, text_part};
use evalcheck_json::schema::{Array, Object, Property, Schema, StringSchema, TextRole, UnknownKeys};
use evalcheck_records::csv::{Column, Columns};
use version::Version;

/// The format's line in the catalogue.
pub static FORMAT: Format = Format {
    id: "evret",
    about: About {
        title: "Evret dataset",
        system: "Evret",
        link: "",
        summary: "Queries with the ids of the relevant documents or the expected answers, and optionally the documents: one JSON document, or a CSV with one query per row.",
        noun: "query",
    },
    variants: &[
        Variant { version: Version::V001.name(), layout: Layout::Json(LISTS), schema: &QUERY },
        Variant { version: Version::V001.name(), layout: Layout::Csv(&COLUMNS_0_0_1), schema: &ROW },
        Variant { version: Version::V003.name(), layout: Layout::Json(LISTS), schema: &QUERY },
        Variant { version: Version::V003.name(), layout: Layout::Csv(&COLUMNS_0_0_3), schema: &ROW },
    ],
    archive: None,
    detection: Detector {
        extensions: &["json", "csv"],
        expected: "a JSON object with a list \"queries\", or a CSV with a column \"query_text\"",
        signatures: SIGNATURES,
        variant: |head, written| {
            let (version, why) = Version::detect(head);
            (if version == Version::V003 { written + 2 } else { written }, why)
        },
    },
    texts: TextPolicy { byte_order_mark: ByteOrderMark::Refused, ..TextPolicy::NONE },
    rules: Rules {
        checks: |variant| {
            let version = Version::of_variant(variant.version);
            match variant.layout {
                Layout::Csv(_) => {
                    Checks::new(rules::Row::new(version, true), rules::Dataset::new(version, true))
                }
                _ => Checks::new(rules::Element(version), rules::Dataset::new(version, false)),
            }
        },
        own: &[
            rules::QueryProblem::RULES,
            rules::RowProblem::RULES,
            rules::IdProblem::RULES,
            references::ReferenceProblem::RULES,
        ],
        ..Rules::NONE
    },
    preview,
    loader: loaded::LOADER,
    examples: &[
        Example::text(
            "minimal",
            "Two queries with expected answers",
            "minimal.json",
            include_str!("evret/minimal.json"),
        ),
        Example::text(
            "full",
            "Ids and answers, and the documents",
            "full.json",
            include_str!("evret/full.json"),
        ),
        Example::text(
            "csv",
            "A CSV with lists in its cells",
            "queries.csv",
            include_str!("evret/queries.csv"),
        ),
        Example::text("broken", "Mistakes people make", "broken.json", include_str!("evret/broken.json")),
    ],
};

/// The lists of the document, by their numbers.
static LISTS: &[List] = &[
    List { key: "queries", array: &QUERY_LIST, schema: &QUERY, required: true },
    List { key: "documents", array: &DOCUMENT_LIST, schema: &DOCUMENT, required: false },
];

static QUERY_LIST: Schema = Schema::array(Array::of(&QUERY));
static DOCUMENT_LIST: Schema = Schema::array(Array::of(&DOCUMENT));

/// Places in [`LISTS`].
const QUERIES: usize = 0;
const DOCUMENTS: usize = 1;

// The numbers of captures.
const QUERY_ID: u8 = 1;
const ID: u8 = 2;
const QUERY_TEXT: u8 = 3;
const QUERY_SHORT: u8 = 4;
const RELEVANT: u8 = 5;
const ANSWERS: u8 = 6;
const ALIAS: u8 = 7;
const DEPRECATED: u8 = 8;
const DOC_ID: u8 = 9;
const DOC_TEXT: u8 = 10;
/// An entry of a list of ids, behind its id.
const RELEVANT_ENTRY: u8 = 11;
const ALIAS_ENTRY: u8 = 12;
const DEPRECATED_ENTRY: u8 = 13;
/// A list of ids under its later name, behind its entries.
const ALIAS_LIST: u8 = 14;
/// Added to the number of a string: a number or a boolean in its place, of which the loader makes a string.
const SCALAR: u8 = 0x40;

static QUERY: Schema = Schema {
    example: Some(r#"{"query_id": "q1", "query_text": "...", "expected_answers": ["..."]}"#),
    ..Schema::object(Object::new(
        &[
            Property::optional("query_id", &QUERY_ID_SHAPE),
            Property::optional("id", &ID_SHAPE),
            Property::optional("query_text", &QUERY_TEXT_SHAPE),
            Property::optional("query", &QUERY_SHORT_SHAPE),
            Property::optional("relevant_doc_ids", &RELEVANT_SHAPE),
            Property::optional("expected_answers", &ANSWERS_SHAPE),
            Property::optional("relevant_docs", &DEPRECATED_SHAPE),
            Property::optional("expected_doc_ids", &ALIAS_SHAPE),
        ],
        UnknownKeys::Ignore,
    ))
};

const fn coerced(text: StringSchema, number: u8, doc: &'static str) -> Schema {
    // Of a text only some things are asked, which can be told with its escapes; a name is compared with others.
    let text =
        if matches!(text.role, TextRole::Name) { text.captured(number) } else { text.captured_raw(number) };
    Schema { coerced: true, doc, ..Schema::text(text).captured(number | SCALAR) }
}

static QUERY_ID_SHAPE: Schema =
    coerced(StringSchema::NAME, QUERY_ID, "Name of the query. It or \"id\" is required.");

static ID_SHAPE: Schema =
    coerced(StringSchema::NAME, ID, "The same; read when \"query_id\" is missing or empty.");

static QUERY_TEXT_SHAPE: Schema =
    coerced(StringSchema::ANY, QUERY_TEXT, "What is looked for. It or \"query\" is required.");

static QUERY_SHORT_SHAPE: Schema =
    coerced(StringSchema::ANY, QUERY_SHORT, "The same; read when \"query_text\" is missing or empty.");

static RELEVANT_SHAPE: Schema = Schema {
    doc: "Ids of the relevant documents, compared with the ids that were found. In release 0.0.1 either these or \"expected_answers\".",
    ..Schema::array(Array::of(&RELEVANT_ID).elements_captured(RELEVANT_ENTRY))
};

static RELEVANT_ID: Schema = coerced(StringSchema::NAME, RELEVANT, "");

static ANSWERS_SHAPE: Schema = Schema {
    doc: "Texts that a judge compares with the texts that were found. In release 0.0.1 either these or \"relevant_doc_ids\".",
    ..Schema::array(Array::of(&ANSWER))
};

static ANSWER: Schema = coerced(StringSchema::ANY, ANSWERS, "");

static ALIAS_SHAPE: Schema = Schema {
    doc: "The name in release 0.0.3 for \"relevant_doc_ids\", which it reads too when this list is missing.",
    ..Schema::array(Array::of(&ALIAS_ID).elements_captured(ALIAS_ENTRY)).captured(ALIAS_LIST)
};

static ALIAS_ID: Schema = coerced(StringSchema::NAME, ALIAS, "");

static DEPRECATED_SHAPE: Schema = Schema {
    doc: "Deprecated. Release 0.0.1 reads it as \"relevant_doc_ids\" when the other two are empty, release 0.0.3 not at all.",
    ..Schema::array(Array::of(&DEPRECATED_ID).elements_captured(DEPRECATED_ENTRY))
};

static DEPRECATED_ID: Schema = coerced(StringSchema::NAME, DEPRECATED, "");

static DOCUMENT: Schema = Schema::object(Object::new(
    &[
        Property::required("doc_id", &DOC_ID_SHAPE),
        Property::optional("text", &DOC_TEXT_SHAPE),
        Property::optional("metadata", &METADATA),
    ],
    UnknownKeys::Ignore,
));

static DOC_ID_SHAPE: Schema =
    coerced(StringSchema { not_blank: true, ..StringSchema::NAME }, DOC_ID, "Name of the document.");

static DOC_TEXT_SHAPE: Schema = coerced(StringSchema::ANY, DOC_TEXT, "Its text.");

static METADATA: Schema = Schema { doc: "Other data about the document.", ..Schema::ANY_OBJECT };

static ROW: Schema =
    Schema::object(Object::new(&[Property::optional("query_id", &CELL_ID)], UnknownKeys::Ignore));

static CELL_ID: Schema = Schema::text(StringSchema::NAME);

/// The columns of the CSV in release 0.0.1, by their numbers.
static COLUMNS_0_0_1: Columns = columns(&[
    TEXT,
    NAME,
    ids("relevant_doc_ids"),
    EXPECTED_ANSWERS,
    Column {
        doc: "Deprecated; read as relevant_doc_ids when the other two are empty.",
        ..unread("relevant_docs")
    },
    unread("expected_doc_ids"),
]);

/// The same in release 0.0.3.
static COLUMNS_0_0_3: Columns = columns(&[
    TEXT,
    NAME,
    ids("expected_doc_ids"),
    EXPECTED_ANSWERS,
    unread("relevant_docs"),
    unread("relevant_doc_ids"),
]);

/// These columns, as Python's `csv` reads them.
const fn columns(columns: &'static [Column]) -> Columns {
    Columns { columns, white_space_is_a_row: true, longest_cell: LONGEST_CELL }
}

/// The longest cell that Python's `csv` reads, in characters.
const LONGEST_CELL: usize = 131_072;

const TEXT: Column = Column {
    name: "query_text",
    aliases: &["query"],
    required: true,
    not_blank: true,
    is_list: false,
    doc: "The query.",
};

const NAME: Column = Column {
    name: "query_id",
    aliases: &["id"],
    required: false,
    not_blank: false,
    is_list: false,
    doc: "Name of the query; without it the loader numbers the rows q1, q2, ...",
};

const EXPECTED_ANSWERS: Column = Column {
    doc: "Texts that a judge compares with the texts that were found: a JSON list, or separated by commas.",
    ..ids("expected_answers")
};

/// A column of lists.
const fn ids(name: &'static str) -> Column {
    Column {
        name,
        aliases: &[],
        required: false,
        not_blank: false,
        is_list: true,
        doc: "Ids of the relevant documents: a JSON list, or separated by commas.",
    }
}

/// A column of another release.
const fn unread(name: &'static str) -> Column {
    Column { is_list: false, doc: "Not read by this release.", ..ids(name) }
}

// The places of columns, in both releases.
const COLUMN_TEXT: u8 = 0;
const COLUMN_ID: u8 = 1;
const COLUMN_IDS: u8 = 2;
const COLUMN_ANSWERS: u8 = 3;

/// The columns to score against.
const SCORED: &[&str] = &["relevant_doc_ids", "expected_answers", "relevant_docs", "expected_doc_ids"];

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::columns(&["query_text"]), Sign::columns(SCORED).at_least(1)],
        95,
        "the first row names the column query_text and one to score against",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::columns(&["query"]), Sign::columns(SCORED).at_least(1)],
        90,
        "the first row names the column query and one to score against",
    )
    .of_variant(1),
    Signature::new(&[Sign::columns(&["query_text"])], 75, "the first row names the column query_text")
        .of_variant(1),
    Signature::new(
        &[Sign::columns(SCORED).at_least(1)],
        60,
        "the first row names a column of expected answers or documents",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::columns(&["query"])],
        25,
        "the first row names a column query, and none to score against",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::object(&["queries", "documents"])],
        95,
        "the first object has the keys queries and documents",
    ),
    Signature::new(&[Sign::object(&["queries"])], 85, "the first object has the key queries")
        .beside_other(40),
    Signature::new(
        &[Sign::object(&["documents"]), Sign::words(&["doc_id"])],
        60,
        "the first object has the key documents, and doc_id in it",
    ),
    Signature::new(&[Sign::object(&["query_text"])], 45, A_QUERY),
    Signature::new(&[Sign::object(&["query"]), Sign::words(&["relevant_doc"])], 45, A_QUERY),
    Signature::new(&[Sign::object(&["query"]), Sign::words(&["expected_doc_ids"])], 45, A_QUERY),
    Signature::new(&[Sign::words(&["queries", "query_text"])], 20, "the words queries and query_text occur"),
];

const A_QUERY: &str = "the first object is a query, though not in a list of queries";

/// A query with its answers as a conversation; a document as what it says.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let root = shown.root;
    let one = |names: &[&'static str]| {
        names
            .iter()
            .find_map(|name| root.get(name).filter(|value| !is_empty(value)).map(|value| (*name, value)))
    };
    let turn = |role: &str, path: &str, parts| Turn { role: role.to_owned(), path: path.to_owned(), parts };
    let part = |value: &Value<'_>| value.as_str().map_or_else(|| shown.other(value), text_part);
    let mut sample = Sample::default();
    if let Some((name, value)) = one(&["query_text", "query"]) {
        sample.turns.push(turn("query", name, vec![part(value)]));
        if let Some((name, value)) = one(&["expected_answers"]) {
            let parts: Vec<Part> =
                value.as_array().map_or_else(|| vec![part(value)], |all| all.iter().map(part).collect());
            sample.turns.push(turn("expected answers", name, parts));
        }
    } else if let Some((name, value)) = one(&["text"]) {
        sample.turns.push(turn("document", name, vec![part(value)]));
    }
    let fields =
        ["query_id", "id", "doc_id", "relevant_doc_ids", "expected_doc_ids", "relevant_docs", "metadata"];
    sample.fields = fields
        .into_iter()
        .filter_map(|key| {
            root.get(key).filter(|value| !is_empty(value)).map(|value| shown.labelled(key, value))
        })
        .collect();
    (!sample.turns.is_empty() || !sample.fields.is_empty()).then_some(sample)
}

fn is_empty(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null => true,
        Kind::String(text) => text.trim().is_empty(),
        Kind::Array(elements) => elements.is_empty(),
        _ => false,
    }
}
