//! JSON records: what they should look like ([`schema`]), the fast tier that says whether they do ([`scan`]), and the
//! thorough one that says what is wrong ([`diagnose`]).

pub mod buffer;
pub mod csv;
pub mod diagnose;
pub mod extent;
pub mod scan;
pub mod schema;

use evalcheck_core::rule::Rule;

/// The rules that are declared here.
pub const RULES: &[&[Rule]] =
    &[diagnose::SyntaxProblem::RULES, diagnose::SchemaProblem::RULES, diagnose::TextProblem::RULES];
