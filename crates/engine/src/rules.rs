//! All rules: those of every format, and those that only one format has.

pub use evalcheck_core::rule::{AnyProblem, Problem, Rule};
pub use evalcheck_json::diagnose::{SchemaProblem, SyntaxProblem, TextProblem};
pub use evalcheck_records::{Csv, Document};

mod dataset;
mod eee;
mod evret;
pub mod own_keys;
mod quest;
mod tencent;

pub use dataset::Dataset;
pub use eee::Eee;
pub use evret::Evret;
pub use quest::Quest;
pub use tencent::Tencent;

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
