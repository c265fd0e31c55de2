//! Syntax errors as findings.

use evalcheck_core::rule::AnyProblem;

use super::conflict_marker::conflict_marker;
use super::fix;
use super::record_finding::RecordFinding;
use super::syntax_error::SyntaxError;
use super::syntax_problem::SyntaxProblem;
use super::text_problem::TextProblem;
use crate::schema::Schema;

/// A syntax error as a finding of its record, with the fix that makes the record JSON. `in_lines`: each record is one line,
/// as in JSONL. The record should fit the schema.
pub fn fixed_syntax_finding(
    error: SyntaxError,
    record: &[u8],
    in_lines: bool,
    schema: &'static Schema,
) -> RecordFinding {
    if let Some(problem) = conflict_marker(record) {
        return RecordFinding::new(problem, 0..record.trim_ascii_end().len(), None);
    }
    let fix = fix::syntax::fix(record, &error, in_lines);
    let fix = fix.and_then(|fix| fix::no_value::with_valid_nulls(record, fix, schema));
    syntax_finding(error).with_fix(fix)
}

/// A syntax error as a finding of its record.
pub fn syntax_finding(error: SyntaxError) -> RecordFinding {
    let problem: AnyProblem = match error.problem {
        // A byte order mark is a stray character with a rule of its own.
        SyntaxProblem::StrayCharacter { column, name, .. } if name.ends_with("(U+FEFF)") => {
            TextProblem::StrayByteOrderMark { column }.into()
        }
        problem => problem.into(),
    };
    RecordFinding::new(problem, error.span, None)
}
