//! The formats: one folder and one line each.
//!
//! A [`Format`] says what a record looks like (a schema, as data), how a file of it is detected, what is checked beyond the
//! schema ([`checks`]), and how a record is previewed. Nothing of a format is known elsewhere.

pub mod checks;
pub mod detect;
pub mod diagnose;
mod format;
mod limits;
pub mod loaded;
mod other_systems;
pub mod preview;
pub mod seen_ids;
pub mod user_keys;

pub mod eee_instance;
pub mod evret;
pub mod juryarena;
pub mod quest;
pub mod tencent;

pub use evalcheck_json::scan::{ByteOrderMark, LineReader, TextPolicy};
pub use evalcheck_records::{Layout, List};
pub use format::{Example, Format, Formats, Packaging, Variant, loss_of_exact_reader, rule_loss};
pub use limits::{DatasetProblem, Limits};
pub use other_systems::OtherSystem;

/// Every format, in the order in which a selector lists them.
pub static FORMATS: Formats = &[
    &juryarena::FORMAT,
    &eee_instance::FORMAT,
    &tencent::INFER,
    &tencent::EVAL,
    &tencent::MANUAL,
    &quest::FORMAT,
    &evret::FORMAT,
];

/// The format with this id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}
