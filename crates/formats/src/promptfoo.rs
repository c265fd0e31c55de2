//! promptfoo: tests with variables and assertions, as CSV, as a JSON document or as JSONL.

mod assertion_rules;
mod assertions;
mod cells;
mod json_assertion;
mod loaded;
mod meant;
mod row;
mod rules;
mod schemas;
mod table;

use evalcheck_report::view::{Sample, Turn};

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, Layout, LineReader, Rules, StrictJson, TextPolicy, Variant,
};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::Kind;
use crate::fields::{Elements, Field, Text, Use, Values};
use crate::preview::Shown;
use row::Role;

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    id: "promptfoo",
    about: About {
        title: "promptfoo tests",
        system: "promptfoo",
        link: "https://www.promptfoo.dev/docs/configuration/test-cases/",
        summary: "Tests with the variables of prompts and the assertions on their outputs: a table, a JSON document, or a test on each line.",
        noun: "test",
    },
    variants: &[
        Variant { version: "", layout: Layout::Jsonl, schema: &schemas::TEST },
        Variant { version: "", layout: Layout::Json(schemas::LISTS), schema: &schemas::TEST },
        Variant { version: "", layout: Layout::Csv(&schemas::COLUMNS), schema: &schemas::ROW },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["csv", "json", "jsonl"],
        expected: "tests with \"vars\" and \"assert\", or a CSV with a column \"__expected\"",
        signatures: SIGNATURES,
        any: Detector::NONE.any,
        variant: |head, written| {
            // The elements of a list may be on lines of their own, and a file of one record is a document by its name.
            let is_list = head.head.trim_ascii_start().first() == Some(&b'[');
            let variant = match written {
                LINES if is_list && !head.has_extension("jsonl") => DOCUMENT,
                LINES if head.looked_at == 1 && head.has_extension("json") => DOCUMENT,
                DOCUMENT if !is_list && head.has_extension("jsonl") => LINES,
                written => written,
            };
            (variant, String::new())
        },
    },
    texts: TextPolicy {
        strict_json: StrictJson::InDocuments,
        byte_order_mark: ByteOrderMark::RefusedInLines,
        lines: LineReader::Split,
        mark_note: " promptfoo removes the mark of a CSV and of a JSON document.",
        ..TextPolicy::NONE
    },
    rules: Rules {
        checks: |variant| match variant.layout {
            Layout::Csv(_) => Checks::new(row::Row::default(), table::Dataset { extension: "csv" }),
            Layout::Json(_) => Checks::new(rules::Test, table::Dataset { extension: "json" }),
            _ => Checks::new(rules::Test, table::Dataset { extension: "jsonl" }),
        },
        own: &[assertion_rules::AssertionProblem::RULES, rules::TestProblem::RULES, row::RowProblem::RULES],
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new("variable", &["vars.*"], &[Use::Question, Use::Key("A variable of the prompts.")]),
        Field::new(
            "description",
            &["description", "__description"],
            &[Use::Key("The name of a test."), Use::Column("Description", Text)],
        ),
        Field::new(
            "type",
            &["assert.*.type"],
            &[
                Use::Key("The type of an assertion."),
                Use::Column("Assertions", Text),
                Use::Fact("Assertions by type", Values),
            ],
        ),
        Field::new(
            "expected",
            &["assert.*.value", "__expected"],
            &[Use::Answer, Use::Key("The value of an assertion, or its cell.")],
        ),
        Field::new("assertions", &["assert"], &[Use::Fact("Assertions of a test", Elements)]),
    ],
    loader: loaded::LOADER,
    examples: &[
        Example::text(
            "minimal",
            "Two tests on two lines",
            "minimal.jsonl",
            include_str!("promptfoo/minimal.jsonl"),
        ),
        Example::text("full", "All that JSON can say", "full.json", include_str!("promptfoo/full.json")),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("promptfoo/broken.jsonl"),
        ),
        Example::text(
            "minimal-csv",
            "Two tests in a table",
            "minimal.csv",
            include_str!("promptfoo/minimal.csv"),
        ),
        Example::text("full-csv", "All columns", "full.csv", include_str!("promptfoo/full.csv")),
        Example::text(
            "broken-csv",
            "Mistakes in a table",
            "broken.csv",
            include_str!("promptfoo/broken.csv"),
        ),
    ],
};

// Indices of the variants.
const LINES: usize = 0;
const DOCUMENT: usize = 1;
const TABLE: usize = 2;

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::columns(&["__expected*", "__metadata:*", "__config:*"]).at_least(1)],
        97,
        "the first row names a column that begins with __expected, __metadata: or __config:",
    )
    .of_variant(TABLE),
    Signature::new(
        &[Sign::columns(&[
            "__description",
            "__prefix",
            "__suffix",
            "__metric",
            "__threshold",
            "__providerOutput",
        ])
        .at_least(1)],
        65,
        "the first row names the column {name}",
    )
    .of_variant(TABLE),
    Signature::new(
        &[Sign::record(&["vars"]), Sign::record(&["assert.*.type"])],
        85,
        "line {line} has vars, and assert with types occurs",
    )
    .up_to(97),
    Signature::new(&[Sign::record(&["assert.*.type"])], 60, "line {line} has assert with types"),
    Signature::new(&[Sign::record(&["vars"])], 60, "line {line} has vars"),
    Signature::new(
        &[Sign::object(&["vars", "assert"]), Sign::words(&["\"type\""])],
        90,
        "the first object has the keys vars and assert",
    )
    .of_variant(DOCUMENT),
    Signature::new(
        &[Sign::object(&["tests"]), Sign::words(&["\"vars\"", "\"assert\""])],
        60,
        "the first object has the key tests, and vars and assert occur",
    )
    .of_variant(DOCUMENT),
    Signature::new(&[Sign::object(&["vars"])], 60, "the first object has the key vars").of_variant(DOCUMENT),
    Signature::new(&[Sign::words(&["vars", "assert", "type"])], 15, WORDS_OCCUR).of_variant(DOCUMENT),
];

/// The variables and the assertions of a test.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let Kind::Object(members) = &shown.root.kind else { return None };
    let mut sample = Sample::default();
    let is_test = schemas::KEYS.iter().any(|key| shown.root.get(key).is_some());
    let turn = |role: &str, path: String, value| Turn {
        role: role.to_owned(),
        path,
        parts: vec![shown.text(value)],
        ..Turn::default()
    };
    for member in members {
        match (&*member.key, &member.value.kind) {
            ("vars", Kind::Object(vars)) => {
                let turns = vars.iter().map(|var| turn(&var.key, format!("vars.{}", var.key), &var.value));
                sample.turns.extend(turns);
            }
            (key, _) if !is_test && Role::of(key) == Role::Variable => {
                sample.turns.push(turn(key, key.to_owned(), &member.value));
            }
            (_, Kind::String(text)) if text.trim().is_empty() => {}
            (key, _) => sample.fields.push(shown.labelled(key, &member.value)),
        }
    }
    (!sample.turns.is_empty()).then_some(sample)
}
