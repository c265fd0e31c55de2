//! The schemas of queries, documents and the columns of a CSV, and their captures.

use evalcheck_core::rule::AnyProblem;
use evalcheck_json::schema::{
    Array, Object, Properties, Property, Schema, StringSchema, TextRole, UnknownKeys,
};
use evalcheck_records::csv::{Column, Columns, CsvLines, OneOf};

use super::rules::RowProblem;

pub(super) static QUERY_LIST: Schema = Schema::array(Array::of(&QUERY));
pub(super) static DOCUMENT_LIST: Schema = Schema::array(Array::of(&DOCUMENT));

/// Indices in [`LISTS`].
pub(super) const QUERIES: usize = 0;
pub(super) const DOCUMENTS: usize = 1;

// Numbers of captures.
pub(super) const QUERY_ID: u8 = 1;
pub(super) const ID: u8 = 2;
pub(super) const QUERY_TEXT: u8 = 3;
pub(super) const QUERY_SHORT: u8 = 4;
pub(super) const RELEVANT: u8 = 5;
pub(super) const ANSWERS: u8 = 6;
pub(super) const ALIAS: u8 = 7;
pub(super) const DEPRECATED: u8 = 8;
pub(super) const DOC_ID: u8 = 9;
pub(super) const DOC_TEXT: u8 = 10;
/// An entry of a list of ids, captured after its id.
pub(super) const RELEVANT_ENTRY: u8 = 11;
pub(super) const ALIAS_ENTRY: u8 = 12;
pub(super) const DEPRECATED_ENTRY: u8 = 13;
/// A list of ids under its later name, captured after its entries.
pub(super) const ALIAS_LIST: u8 = 14;
/// Added to the number of a string: a number or a boolean in its place, of which the loader makes a string.
pub(super) const SCALAR: u8 = 0x40;

pub(super) static QUERY: Schema = Schema {
    example: Some(r#"{"query_id": "q1", "query_text": "...", "expected_answers": ["..."]}"#),
    ..Schema::object(Object::Properties(
        Properties::new(
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
        )
        .with_alternatives(&[IDS, TEXTS, SCORED]),
    ))
};

/// The names of a query's id and text, in the order in which the loader reads them.
const IDS: &[&str] = &["query_id", "id"];
const TEXTS: &[&str] = &["query_text", "query"];

const fn coerced(text: StringSchema, number: u8, doc: &'static str) -> Schema {
    // A text is only tested for visible content, with its escapes; a name is compared with others.
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
    doc: "Ids of the relevant documents, compared with the ids that were found. In release 0.0.1 either these or \"expected_answers\"; release 0.0.2 reads no ids.",
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
    doc: "Deprecated. Release 0.0.1 reads it as \"relevant_doc_ids\" when the other two are empty, later releases not at all.",
    ..Schema::array(Array::of(&DEPRECATED_ID).elements_captured(DEPRECATED_ENTRY))
};

static DEPRECATED_ID: Schema = coerced(StringSchema::NAME, DEPRECATED, "");

pub(super) static DOCUMENT: Schema = Schema::object(Object::new(
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

pub(super) static ROW: Schema =
    Schema::object(Object::new(&[Property::optional("query_id", &CELL_ID)], UnknownKeys::Ignore));

static CELL_ID: Schema = Schema::text(StringSchema::NAME);

/// The columns of the CSV in release 0.0.1, by their numbers.
pub(super) static COLUMNS_0_0_1: Columns = columns(
    OneOf { names: SCORED, missing: no_relevance_column },
    &[
        TEXT,
        NAME,
        ids("relevant_doc_ids"),
        EXPECTED_ANSWERS,
        Column {
            doc: "Deprecated; read as relevant_doc_ids when the other two are empty.",
            ..unread("relevant_docs")
        },
        unread("expected_doc_ids"),
    ],
);

/// The same in release 0.0.2.
pub(super) static COLUMNS_0_0_2: Columns = columns(
    OneOf { names: &["expected_answers"], missing: no_answers_column },
    &[
        TEXT,
        NAME,
        unread("expected_doc_ids"),
        EXPECTED_ANSWERS,
        unread("relevant_doc_ids"),
        unread("relevant_docs"),
    ],
);

/// The same in release 0.0.3.
pub(super) static COLUMNS_0_0_3: Columns = columns(
    OneOf { names: SCORED_0_0_3, missing: no_relevance_column },
    &[
        TEXT,
        NAME,
        ids("expected_doc_ids"),
        EXPECTED_ANSWERS,
        unread("relevant_docs"),
        unread("relevant_doc_ids"),
    ],
);

/// Columns as Python's `csv` reads them.
const fn columns(scored: OneOf, columns: &'static [Column]) -> Columns {
    let one_of = Some(scored);
    Columns {
        columns,
        lines: CsvLines::WhiteSpaceRows,
        longest_cell: LONGEST_CELL,
        one_of,
        takes_others: false,
        any_separator: false,
        labels_rows: false,
    }
}

/// The columns to score against, in the order in which release 0.0.1 prefers them.
pub(super) const SCORED: &[&str] =
    &["relevant_doc_ids", "expected_answers", "relevant_docs", "expected_doc_ids"];

/// The same for release 0.0.3.
const SCORED_0_0_3: &[&str] = &["expected_doc_ids", "expected_answers", "relevant_doc_ids", "relevant_docs"];

fn no_relevance_column(advice: String) -> AnyProblem {
    let missing = "the columns relevant_doc_ids, expected_answers and relevant_docs are all missing: the document requires one of them";
    RowProblem::NoRelevanceColumn { missing, advice }.into()
}

fn no_answers_column(advice: String) -> AnyProblem {
    let missing =
        "the column expected_answers is missing, the only one to score against that release 0.0.2 reads";
    RowProblem::NoRelevanceColumn { missing, advice }.into()
}

/// The longest cell that Python's `csv` reads, in characters.
pub(super) const LONGEST_CELL: usize = 131_072;

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

// Indices of columns, in all releases.
pub(super) const COLUMN_TEXT: u8 = 0;
pub(super) const COLUMN_ID: u8 = 1;
/// Not read by release 0.0.2.
pub(super) const COLUMN_IDS: u8 = 2;
pub(super) const COLUMN_ANSWERS: u8 = 3;
