//! Files as `load_dataset("json" | "csv", data_files=FILE)` of Hugging Face `datasets` loads them: the layer below TRL, Axolotl and others.
//!
//! Any keys and columns will do. The rules are about values and shapes that a table cannot hold, or holds otherwise than they are written. They come
//! from the source of datasets 5.2.0 and from files that were loaded with 5.2.0 and 4.6.1, pandas 3.1.1 and pyarrow 26.0.1.

mod csv;
mod features;
mod json;
mod late;
mod problem;
mod texts;
mod tree;
mod values;
mod visitor;

use evalcheck_json::scan::{Integers, StrictJson};
use evalcheck_json::schema::{Array, Object, Schema, UnknownKeys};
use evalcheck_records::csv::Columns as CsvColumns;

use super::checks::{Checks, NoChecks};
use super::{About, Example, Format, Layout, Limits, List, ListPlace, Rules, TextPolicy, Variant};
use crate::detect::Detector;
use crate::fields::COMMON;
use crate::loaded::Loader;

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    about: About {
        title: "Hugging Face datasets",
        system: "Hugging Face datasets",
        link: "https://huggingface.co/docs/datasets/loading",
        summary: "A record of any keys, or a row of any columns, that becomes a row of a table.",
        noun: "record",
    },
    texts: TextPolicy { strict_json: StrictJson::InLines, integers: Integers::Exact, ..TextPolicy::NONE },
    detection: Detector {
        extensions: &["jsonl", "ndjson", "json", "csv", "tsv"],
        expected: "JSONL, an array and CSV of any keys",
        any,
        ..Detector::NONE
    },
    rules: Rules {
        checks: |variant| match variant.layout {
            Layout::Csv(_) => Checks::new(NoChecks, csv::Cells::default()),
            ref layout => {
                let types = json::Types::new(variant.version == NEW, matches!(layout, Layout::Json(_)));
                Checks::new(NoChecks, types)
            }
        },
        own: &[problem::TypeProblem::RULES, problem::CellProblem::RULES],
        limits: Limits::NONE,
    },
    fields: COMMON,
    loader: Loader {
        source: "This is the row as datasets holds it, by its source and by files that it loaded. Values that are converted beyond the first 10 MiB, or beyond the first 10,000 rows of a CSV, are shown as they are written.",
        is_known: true,
        needs_all: |_| true,
        ..Loader::UNKNOWN
    },
    examples: &[
        Example::text("minimal", "Two questions", "minimal.jsonl", include_str!("hf_datasets/minimal.jsonl")),
        Example::text("full", "Values of each type", "full.jsonl", include_str!("hf_datasets/full.jsonl")),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("hf_datasets/broken.jsonl"),
        ),
    ],
    ..Format::new("hf-datasets", VARIANTS)
};

/// The newest version that was run.
const NEW: &str = "5.2";

/// The last one without columns of JSON.
const OLD: &str = "4.6";

static VARIANTS: &[Variant] = &[
    Variant { version: NEW, layout: Layout::Jsonl, schema: &RECORD },
    Variant { version: NEW, layout: Layout::Json(LISTS), schema: &RECORD },
    Variant { version: NEW, layout: Layout::Csv(&COLUMNS), schema: &Schema::ANY_OBJECT },
    Variant { version: OLD, layout: Layout::Jsonl, schema: &RECORD },
    Variant { version: OLD, layout: Layout::Json(LISTS), schema: &RECORD },
    Variant { version: OLD, layout: Layout::Csv(&COLUMNS), schema: &Schema::ANY_OBJECT },
];

/// The variant for data in a layout.
fn any(layout: &Layout) -> Option<usize> {
    VARIANTS.iter().position(|variant| variant.layout.kind() == layout.kind())
}

/// A record.
static RECORD: Schema = Schema::object(Object::new(&[], UnknownKeys::Allow));

/// The elements of an array, or the document as the only record.
static LISTS: &[List] = &[list(ListPlace::Root), list(ListPlace::Single(&[]))];

const fn list(place: ListPlace) -> List {
    List { place, array: &RECORDS, schema: &RECORD, required: false }
}

static RECORDS: Schema = Schema::array(Array::of(&RECORD));

static COLUMNS: CsvColumns = CsvColumns { any_separator: false, labels_rows: true, ..CsvColumns::ANY };
