//! The type of a syntax error.

use std::ops::Range;

use super::syntax_problem::SyntaxProblem;

/// The first syntax error of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct SyntaxError {
    /// Its bytes in the record.
    pub span: Range<usize>,
    /// The problem.
    pub problem: SyntaxProblem,
    /// Whether the bytes end inside brackets, where a line break is allowed, so that the record may continue on the next line.
    pub unfinished: bool,
}
