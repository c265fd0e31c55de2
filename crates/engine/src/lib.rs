//! The engine of evalcheck: pure validation of evaluation datasets. No JavaScript, no files, no clock, no threads.
//!
//! A driver uses [`check::Check`]: it requests bytes of the file, takes them, and returns a report. The worker, the command and the
//! JavaScript API differ only in how they read bytes.

pub mod ahead;
pub mod catalogue;
pub mod changed;
pub mod check;
pub mod compare;
pub mod dataset;
pub mod diff;
pub mod environment;
pub mod findings;
pub mod fix;
pub mod json_schema;
pub mod loaded;
mod numbers;
pub mod observer;
pub mod overview;
pub mod parts;
pub mod preview;
pub mod purpose;
mod read_position;
pub mod rejects;
pub mod rules;
pub mod search;
pub mod source;
pub mod user_schema;

// The underlying crates, under the names of their subjects.
pub use evalcheck_archive as archive;
pub use evalcheck_core::{collector, content, finding, finding_index, names, suggest, unicode};
pub use evalcheck_formats as formats;
pub use evalcheck_formats::{detect, diagnose, seen_ids};
pub use evalcheck_json::{scan, schema};
pub use evalcheck_records as records;
