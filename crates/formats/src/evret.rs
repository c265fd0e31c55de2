//! Evret: queries for a retrieval system with the documents or answers that are expected, as JSON or CSV.

mod loaded;
mod names;
mod references;
mod rules;
mod schemas;
mod version;

use evalcheck_report::view::{Part, Sample, Turn};

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, Integers, Layout, List, ListPlace, Rules, TextPolicy, Variant,
};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::{Kind, Value};
use crate::fields::{Elements, Field, Text, Use};
use crate::preview::Shown;
use schemas::{
    ALIAS, ALIAS_ENTRY, ALIAS_LIST, ANSWERS, COLUMN_ANSWERS, COLUMN_ID, COLUMN_IDS, COLUMN_TEXT,
    COLUMNS_0_0_1, COLUMNS_0_0_2, COLUMNS_0_0_3, DEPRECATED, DEPRECATED_ENTRY, DOC_ID, DOC_TEXT, DOCUMENT,
    DOCUMENT_LIST, DOCUMENTS, ID, LONGEST_CELL, QUERIES, QUERY, QUERY_ID, QUERY_LIST, QUERY_SHORT,
    QUERY_TEXT, RELEVANT, RELEVANT_ENTRY, ROW, SCALAR, SCORED,
};
use version::Version;

/// The format's entry in the catalogue.
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
        Variant { version: Version::V002.name(), layout: Layout::Json(LISTS), schema: &QUERY },
        Variant { version: Version::V002.name(), layout: Layout::Csv(&COLUMNS_0_0_2), schema: &ROW },
        Variant { version: Version::V003.name(), layout: Layout::Json(LISTS), schema: &QUERY },
        Variant { version: Version::V003.name(), layout: Layout::Csv(&COLUMNS_0_0_3), schema: &ROW },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["json", "csv"],
        expected: "a JSON object with a list \"queries\", or a CSV with a column \"query_text\"",
        signatures: SIGNATURES,
        any: Detector::NONE.any,
        variant: |head, written| {
            let is_csv = matches!(FORMAT.variants[written].layout, Layout::Csv(_));
            let (version, why) = Version::detect(head, is_csv);
            (if version == Version::V003 { written + 4 } else { written }, why)
        },
    },
    texts: TextPolicy {
        integers: Integers::Exact,
        byte_order_mark: ByteOrderMark::Refused,
        ..TextPolicy::NONE
    },
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
    fields: &[
        Field::new(
            "id",
            &["query_id", "id", "doc_id"],
            &[Use::Id, Use::Key("The id of a query or a document.")],
        ),
        Field::new("query", &["query_text", "query"], &[Use::Question, Use::Key("The text of a query.")]),
        Field::new("text", &["text"], &[Use::Question, Use::Key("The text of a document.")]),
        Field::new(
            "document",
            &["relevant_doc_ids", "expected_doc_ids", "relevant_docs"],
            &[
                Use::Key("The id of a relevant document."),
                Use::Column("Relevant", Text),
                Use::Fact("Relevant documents of a query", Elements),
            ],
        ),
        Field::new(
            "answer",
            &["expected_answers"],
            &[
                Use::Answer,
                Use::Key("An expected answer."),
                Use::Fact("Expected answers of a query", Elements),
            ],
        ),
    ],
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
    List { place: ListPlace::Key("queries"), array: &QUERY_LIST, schema: &QUERY, required: true },
    List { place: ListPlace::Key("documents"), array: &DOCUMENT_LIST, schema: &DOCUMENT, required: false },
];

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
    Signature::new(&[Sign::words(&["queries", "query_text"])], 20, WORDS_OCCUR),
];

const A_QUERY: &str = "the first object is a query, though not in a list of queries";

/// A query with its answers as a conversation; a document as its text.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let root = shown.root;
    let one = |names: &[&'static str]| {
        names
            .iter()
            .find_map(|name| root.get(name).filter(|value| !is_empty(value)).map(|value| (*name, value)))
    };
    let turn = |role: &str, path: &str, parts| Turn {
        role: role.to_owned(),
        path: path.to_owned(),
        parts,
        ..Turn::default()
    };
    let part = |value| shown.text(value);
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
