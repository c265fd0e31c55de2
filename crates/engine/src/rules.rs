//! All rules: those of every format, and those that only one format has.

mod applies;

pub use applies::{applies, is_general};
pub use evalcheck_core::rule::{AnyProblem, Problem, Rule, Scope};
pub use evalcheck_diagnose::{SchemaProblem, SyntaxProblem, TextProblem};
pub use evalcheck_records::{Csv, Document};

pub use crate::check::problem::FileProblem;
pub use crate::user_schema::UserSchemaProblem;

use evalcheck_formats::{DatasetProblem, FORMATS, Formats};

/// All rules, by group.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    of(FORMATS)
}

/// The rules that every format has, and those of these formats.
pub fn of(formats: Formats) -> impl Iterator<Item = &'static Rule> {
    let mut groups = vec![FileProblem::RULES, DatasetProblem::RULES, UserSchemaProblem::RULES];
    groups.extend(evalcheck_diagnose::RULES);
    groups.extend(evalcheck_records::RULES);
    groups.extend(evalcheck_archive::RULES);
    for group in formats.iter().flat_map(|format| format.rules.own) {
        // Formats of one system share their rules.
        if !groups.contains(group) {
            groups.push(group);
        }
    }
    groups.into_iter().flatten()
}
