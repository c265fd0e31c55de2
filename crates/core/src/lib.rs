//! The parts that all of evalcheck shares: rules, problems, findings and their locations, and the texts of messages.
//!
//! A problem is a type that is declared where it is detected ([`rules!`]). A [`finding::Finding`] is a problem at a
//! [`finding::Location`]. A [`collector::FindingCollector`] counts findings and keeps a limited number of them.

pub mod collector;
pub mod content;
pub mod excerpt;
pub mod finding;
pub mod finding_index;
pub mod line_set;
pub mod location;
pub mod names;
pub mod rule;
pub mod suggest;
pub mod unicode;

pub use evalcheck_report::order;
pub use evalcheck_report::{Loss, Severity};
