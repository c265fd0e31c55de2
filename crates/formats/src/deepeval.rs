//! `DeepEval`: goldens of one turn and of conversations, as JSON, JSONL or CSV.
//!
//! The rules are those of the loaders of goldens, which tests run. Nothing in a file names a version: the verdict is that of 4.3.1.

mod cells;
mod columns;
mod dataset;
mod lists;
mod loaded;
mod needed;
mod numbers;
mod preview;
mod rules;
mod schemas;
mod texts;

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, Integers, Layout, LineReader, List, ListPlace, Rules, TextPolicy,
    Variant,
};
use crate::cell_list::{CellList, Quotes};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::fields::{Count, Elements, Field, Text, Use, Values};

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    id: "deepeval",
    about: About {
        title: "DeepEval goldens",
        system: "DeepEval",
        link: "https://deepeval.com/docs/evaluation-datasets",
        summary: "An input with the expected answer, contexts and tools, or the scenario of a conversation: a JSON array, a line of JSONL or a row of a CSV each.",
        noun: "golden",
    },
    variants: &[
        Variant { version: "", layout: Layout::Json(LISTS), schema: &schemas::IN_JSON },
        Variant { version: "", layout: Layout::Jsonl, schema: &schemas::IN_JSONL },
        Variant { version: "", layout: Layout::Csv(&columns::COLUMNS), schema: &columns::ROW },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["json", "jsonl", "csv"],
        expected: "records or columns with \"input\" and one of \"retrieval_context\", \"expected_tools\" and \"expected_output\", or with \"scenario\" and \"expected_outcome\"",
        signatures: SIGNATURES,
        any: Detector::NONE.any,
        variant: |head, written| {
            // The caller chooses the loader by the name. Without one, a line that is an object shows JSONL.
            let variant = match head.header {
                _ if head.has_extension("csv") => CSV,
                _ if head.has_extension("jsonl") || head.has_extension("ndjson") => JSONL,
                // A record on each line of such a file is a mistake.
                _ if head.has_extension("json") => {
                    let is_object = head.head.trim_ascii_start().starts_with(b"{");
                    let has_lines = head.lines.len() > 1 && head.lines.len() * 2 > head.looked_at;
                    if is_object && has_lines { JSONL } else { JSON }
                }
                Some(_) => CSV,
                None if head.first_line(|value| value.as_array().is_none()).is_some() => JSONL,
                None => written,
            };
            (variant, String::new())
        },
    },
    texts: TextPolicy {
        integers: Integers::Exact,
        byte_order_mark: ByteOrderMark::RefusedInJson,
        lines: LineReader::PythonFile,
        ..TextPolicy::NONE
    },
    rules: Rules {
        checks: |variant| {
            if matches!(variant.layout, Layout::Csv(_)) {
                return Checks::new(cells::Rows::default(), dataset::Dataset::of_csv());
            }
            let is_jsonl = matches!(variant.layout, Layout::Jsonl);
            Checks::new(rules::Golden { is_jsonl }, dataset::Dataset::of_json(!is_jsonl))
        },
        own: &[
            rules::GoldenProblem::RULES,
            numbers::NumberProblem::RULES,
            texts::TextProblem::RULES,
            cells::CellProblem::RULES,
            dataset::DatasetProblem::RULES,
            needed::NeededProblem::RULES,
            lists::ListProblem::RULES,
        ],
        ..Rules::NONE
    },
    preview: preview::preview,
    fields: &[
        Field::new("input", &["input"], &[Use::Question, Use::Key("The input of a golden.")]),
        Field::new("scenario", &["scenario"], &[Use::Question, Use::Key("The scenario of a conversation.")]),
        Field::new(
            "turns",
            &["turns"],
            &[Use::Column("Turns", Count), Use::Fact("Turns of a conversation", Elements)],
        ),
        Field::new(
            "answer",
            &["expected_output", "expected_outcome", "actual_output"],
            &[Use::Answer, Use::Key("An answer, expected or actual.")],
        ),
        Field::new(
            "context",
            &["retrieval_context", "context"],
            &[Use::Key("A text of a context."), Use::Fact("Texts of a context", Elements)],
        ),
        Field::new(
            "tool",
            &["expected_tools.*.name", "tools_called.*.name"],
            &[Use::Key("A tool that is called, or should be."), Use::Fact("Tools", Values)],
        ),
        Field::new("name", &["name"], &[Use::Key("The name of a golden."), Use::Column("Name", Text)]),
    ],
    loader: loaded::LOADER,
    examples: &[
        Example::text(
            "minimal",
            "Two questions with answers",
            "minimal.json",
            include_str!("deepeval/minimal.json"),
        ),
        Example::text(
            "full",
            "Contexts, tools and expectations",
            "full.json",
            include_str!("deepeval/full.json"),
        ),
        Example::text(
            "conversations",
            "Scenarios of conversations",
            "conversations.jsonl",
            include_str!("deepeval/conversations.jsonl"),
        ),
        Example::text(
            "csv",
            "A CSV with lists in its cells",
            "goldens.csv",
            include_str!("deepeval/goldens.csv"),
        ),
        Example::text("broken", "Mistakes people make", "broken.json", include_str!("deepeval/broken.json")),
    ],
};

/// Indices of variants.
const JSON: usize = 0;
const JSONL: usize = 1;
const CSV: usize = 2;

/// A list that is one text, in a cell and in JSONL.
const LIST_TEXT: CellList = CellList { separator: '|', quotes: Quotes::None };

/// The list that a JSON file is, and what the loader refuses: lists in an object, and one golden. They are checked too.
static LISTS: &[List] =
    &[list(ListPlace::Root), list(ListPlace::AnyKey), list(ListPlace::Single(&["input", "scenario"]))];

const fn list(place: ListPlace) -> List {
    List { place, array: &schemas::GOLDENS, schema: &schemas::IN_JSON, required: false }
}

/// Keys that only goldens of one turn have, and no other known system beside `input`.
const OWN: &[&str] = &[
    "retrieval_context",
    "expected_tools",
    "tools_called",
    "additional_metadata",
    "custom_column_key_values",
];

/// Keys that goldens have beside `scenario`. One of them may also be in a list of manual tests or in a log of conversations.
const OF_CONVERSATION: &[&str] = &["turns", "expected_outcome", "user_description", "persona"];

/// Those that are named so in few other datasets.
const ONE_OF_CONVERSATION: &[&str] = &["expected_outcome", "user_description", "persona"];

/// Values beside `scenario` that show a conversation of `DeepEval` by their form.
const OWN_OF_CONVERSATION: &[&str] = &["turns.*.content", "persona.characteristics"];

/// Keys of other datasets that also have `scenario`.
const FOREIGN_CONVERSATION: &[&str] = &["steps", "dialogue", "dialog", "messages", "reward"];

/// Names of the export of `DeepEval`'s platform, which the loader drops.
const OF_EXPORT: &[&str] = &["retrievalContext", "toolsCalled", "expectedTools", "customColumnKeyValues"];

/// Keys of other systems that also have `input`.
const FOREIGN: &[&str] = &[
    "target",
    "ideal",
    "expected",
    "instruction",
    "preferred_output",
    "evaluation_id",
    "sample_id",
    "schema_version",
];

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::strings(&["input"]), Sign::record(OWN).at_least(1)],
        88,
        "line {line} has {name}, and keys of DeepEval's goldens occur",
    )
    .up_to(96)
    .without(FOREIGN),
    Signature::new(
        &[Sign::strings(&["scenario"]), Sign::record(OWN_OF_CONVERSATION).at_least(1)],
        86,
        "line {line} has {name}, and values of DeepEval's conversations occur",
    )
    .up_to(96),
    Signature::new(
        &[Sign::strings(&["scenario"]), Sign::record(OF_CONVERSATION).at_least(2)],
        86,
        "line {line} has {name}, and keys of DeepEval's conversations occur",
    )
    .up_to(96)
    .without(FOREIGN_CONVERSATION),
    Signature::new(
        &[Sign::strings(&["scenario"]), Sign::record(ONE_OF_CONVERSATION).at_least(1)],
        62,
        "line {line} has {name}, and a key of DeepEval's conversations occurs",
    )
    .without(FOREIGN_CONVERSATION),
    Signature::new(
        &[Sign::strings(&["input"]), Sign::record(&["expected_output", "actual_output"]).at_least(1)],
        66,
        "line {line} has {name}, and expected_output or actual_output occurs",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::object(&["input"]), Sign::object(OWN).at_least(1)],
        90,
        "the first object has a key input, and keys of DeepEval's goldens",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::object(&["scenario", "turns"]), Sign::words(&["\"role\"", "\"content\""])],
        88,
        "the first object has the keys scenario and turns, and the words role and content occur",
    ),
    Signature::new(
        &[Sign::object(&["scenario"]), Sign::object(OF_CONVERSATION).at_least(2)],
        88,
        "the first object has a key scenario, and keys of DeepEval's conversations",
    )
    .without(FOREIGN_CONVERSATION),
    Signature::new(
        &[Sign::object(&["scenario"]), Sign::object(ONE_OF_CONVERSATION).at_least(1)],
        62,
        "the first object has a key scenario, and one of DeepEval's conversations",
    )
    .without(FOREIGN_CONVERSATION),
    Signature::new(
        &[Sign::object(&["input"]), Sign::object(OF_EXPORT).at_least(1)],
        68,
        "the first object has a key input, and keys of an export of DeepEval's platform",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::object(&["input"]), Sign::object(&["expected_output", "actual_output"]).at_least(1)],
        66,
        "the first object has a key input, and expected_output or actual_output",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::columns(&["input"]), Sign::columns(OWN).at_least(1)],
        90,
        "the first row names the column input, and columns of DeepEval's goldens",
    )
    .of_variant(CSV),
    Signature::new(
        &[Sign::columns(&["scenario"]), Sign::columns(OF_CONVERSATION).at_least(2)],
        88,
        "the first row names the column scenario, and columns of DeepEval's conversations",
    )
    .of_variant(CSV),
    Signature::new(
        &[Sign::columns(&["scenario"]), Sign::columns(OF_CONVERSATION).at_least(1)],
        62,
        "the first row names the column scenario, and a column of DeepEval's conversations",
    )
    .of_variant(CSV),
    Signature::new(
        &[Sign::columns(&["input"]), Sign::columns(OF_EXPORT).at_least(1)],
        68,
        "the first row names the column input, and columns of an export of DeepEval's platform",
    )
    .of_variant(CSV),
    Signature::new(
        &[Sign::columns(&["input"]), Sign::columns(&["expected_output", "actual_output"]).at_least(1)],
        66,
        "the first row names the column input, and expected_output or actual_output",
    )
    .of_variant(CSV),
    Signature::new(
        &[Sign::object(&["goldens"]), Sign::words(&["\"input\""])],
        55,
        "the first object has a key goldens",
    ),
    Signature::new(&[Sign::strings(&["input"])], 20, "line {line} has a text under {name}").without(FOREIGN),
    Signature::new(&[Sign::columns(&["input"])], 20, "the first row names a column input").of_variant(CSV),
    Signature::new(&[Sign::words(&["input", "expected_output"])], 14, WORDS_OCCUR),
];
