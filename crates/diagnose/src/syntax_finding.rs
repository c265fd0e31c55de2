//! Syntax errors as findings.

use evalcheck_core::rule::AnyProblem;

use super::beside_record::{before_record, is_like_record};
use super::conflict_marker::conflict_marker;
use super::fix::{self, RecordFix};
use super::parse::parse;
use super::record_finding::RecordFinding;
use super::syntax_error::SyntaxError;
use super::syntax_problem::SyntaxProblem;
use super::text_problem::TextProblem;
use evalcheck_json::schema::Schema;

/// A syntax error as a finding of its record, with the fix that turns the record into JSON. `in_lines`: each record is one line, as in
/// JSONL. The record should fit the schema.
pub fn fixed_syntax_finding(
    error: SyntaxError,
    record: &[u8],
    in_lines: bool,
    schema: &'static Schema,
) -> RecordFinding {
    if let Some(problem) = conflict_marker(record) {
        return RecordFinding::new(problem, 0..record.trim_ascii_end().len(), None);
    }
    if in_lines && let Some(finding) = before_record(record, schema) {
        return finding;
    }
    let fix = fix::syntax::fix(record, &error, in_lines);
    let fix = fix.and_then(|fix| fix::no_value::with_valid_nulls(record, fix, schema));
    let fix = fix.map(|fix| match &error.problem {
        SyntaxProblem::SecondValue { .. } if has_other_line(&fix.apply(record), schema) => {
            let title = "Put each value on its own line, which guesses that each is a record";
            RecordFix { edits: fix.edits, ..RecordFix::not_safe(title) }
        }
        _ => fix,
    });
    syntax_finding(error).with_fix(fix)
}

/// Whether one of several values is not a record: an id before a record or a score after it belongs to that record.
fn has_other_line(fixed: &[u8], schema: &Schema) -> bool {
    let mut lines = fixed.split(|byte| *byte == b'\n');
    memchr::memchr(b'\n', fixed).is_some()
        && lines.any(|line| parse(line).is_ok_and(|parsed| !is_like_record(&parsed.value, schema)))
}

/// A syntax error as a finding of its record.
pub fn syntax_finding(error: SyntaxError) -> RecordFinding {
    let problem: AnyProblem = match error.problem {
        // A byte order mark is a stray character with its own rule.
        SyntaxProblem::StrayCharacter { column, name, .. } if name.ends_with("(U+FEFF)") => {
            TextProblem::StrayByteOrderMark { column }.into()
        }
        problem => problem.into(),
    };
    RecordFinding::new(problem, error.span, None)
}
