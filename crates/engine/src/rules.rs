//! All rules: those of every format, and those that only one format has.

pub use evalcheck_core::rule::{AnyProblem, Problem, Rule};
pub use evalcheck_json::diagnose::{SchemaProblem, SyntaxProblem, TextProblem};
pub use evalcheck_records::{Csv, Document};

mod dataset;
pub mod own_keys;

pub use dataset::Dataset;

use crate::formats::FORMATS;

/// All rules, by group.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let mut groups = vec![Dataset::RULES];
    groups.extend(evalcheck_json::RULES);
    groups.extend(evalcheck_records::RULES);
    groups.extend(evalcheck_archive::RULES);
    for group in FORMATS.iter().flat_map(|format| format.rules) {
        // Formats of one system share their rules.
        if !groups.contains(group) {
            groups.push(group);
        }
    }
    groups.into_iter().flatten()
}
