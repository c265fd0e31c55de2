//! What every part of evalcheck shares: rules, problems, findings and where they stand, and the texts of messages.
//!
//! A problem is a type that is declared where it is detected ([`rules!`]); a [`finding::Finding`] is a problem at a
//! [`finding::Location`]; a [`collector::FindingCollector`] counts findings and keeps as many as it may.

pub mod collector;
pub mod content;
pub mod excerpt;
pub mod finding;
pub mod line_set;
pub mod names;
pub mod rule;
pub mod suggest;
pub mod unicode;

pub use evalcheck_wire::report::{Loss, Severity};
