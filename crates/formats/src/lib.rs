//! The formats: one folder and one line each.
//!
//! A [`Format`] describes its records (a schema, as data), the detection of its files (signatures, as data), the checks beyond the schema
//! ([`checks`]), the preview of a record and how the system loads it. Nothing about a format is defined elsewhere.

mod cell_list;
mod chat;
pub mod checks;
pub mod detect;
pub mod diagnose;
pub mod fields;
pub mod first_value;
mod format;
pub mod instant;
mod javascript;
mod keyed_hash;
mod limits;
pub mod loaded;
mod other_systems;
pub mod pandas;
pub mod preview;
mod python;
mod seen_contents;
pub mod seen_ids;
pub mod statistics;
pub mod user_keys;

pub mod deepeval;
pub mod eee_instance;
pub mod evret;
pub mod hf_datasets;
pub mod juryarena;
pub mod openai_batch;
pub mod openai_finetune;
pub mod plain;
pub mod promptfoo;
pub mod quest;
pub mod quest_results;
pub mod tencent;

pub use evalcheck_json::scan::{ByteOrderMark, Integers, LineReader, StrictJson, TextPolicy};
pub use evalcheck_records::{Layout, List, ListPlace};
pub use format::{About, Example, Format, FormatOption, Formats, Packaging, Rules, Variant};
pub use keyed_hash::KeyedHash;
pub use limits::{DatasetProblem, Limits};
pub use other_systems::OtherSystem;
pub use seen_contents::SeenContents;

/// Every format, in the order in which a selector lists them.
pub static FORMATS: Formats = &[
    &juryarena::FORMAT,
    &eee_instance::FORMAT,
    &tencent::INFER,
    &tencent::EVAL,
    &tencent::MANUAL,
    &quest::FORMAT,
    &quest_results::FORMAT,
    &evret::FORMAT,
    &openai_finetune::FORMAT,
    &openai_batch::FORMAT,
    &promptfoo::FORMAT,
    &deepeval::FORMAT,
    &hf_datasets::FORMAT,
    &plain::JSONL,
    &plain::JSON,
    &plain::CSV,
];

/// The format with this id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}
