//! The result of a check as plain data: report v1, statistics, and lines and records prepared for showing.
//!
//! Everything from the rules to the page uses these types, so they know nothing of who sends them to whom: that is `evalcheck_wire`.
//!
//! - [`Report`]: report v1, stable, described by `crates/wire/report.schema.json`, which is generated from it.
//! - [`overview`]: statistics of a whole dataset.
//! - [`view`]: lines and records prepared for showing.
//! - [`loaded`]: a record as its system holds it.
//! - [`text`]: text from a dataset on one line, and counts.
//! - [`order`]: sorts by a key.

#[cfg(feature = "types")]
mod constraints;
pub mod loaded;
pub mod order;
pub mod overview;
mod report;
pub mod selector;
pub mod text;
pub mod view;

pub use report::{
    Alternative, Applicability, Conversion, Counts, Edit, EntryEdit, File, Filter, Finding, Fix, Format,
    Loss, LossCounts, REPORT_VERSION, Related, Report, Severity, Tool, Verdict,
};
pub use selector::ROOT_PATH;
