//! The cause of a syntax error between the records of a JSON document, which is not read as a whole.

use super::RecordStart;
use super::parse::Parser;
use super::syntax_error::SyntaxError;

/// What is wanted at a place of a document between its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A value, behind a colon.
    Value,
    /// An element of an array.
    Element,
    /// A key of an object.
    Key,
    /// A colon behind a key.
    Colon,
    /// What goes on with an array: a comma, or its end.
    ArraySeparator,
    /// What goes on with an object: a comma, or its end.
    ObjectSeparator,
    /// Nothing: the document is at its end.
    Nothing,
}

/// Why `rest`, which begins at `origin`, is not what is wanted there. `rest` may be cut off when it is long enough for
/// a cause to be seen. The span counts in `rest`.
pub fn unexpected_token(expected: Expected, rest: &[u8], origin: RecordStart) -> SyntaxError {
    let before: &[u8] = match expected {
        Expected::Value => b"{:",
        Expected::Element | Expected::ArraySeparator => b"[",
        Expected::Key | Expected::Colon | Expected::ObjectSeparator => b"{",
        Expected::Nothing => b"0",
    };
    let bytes = [before, rest].concat();
    let column = origin.column.wrapping_sub(before.len() as u64);
    let mut parser = Parser::new(&bytes, RecordStart { column, ..origin });
    parser.open.push(0);
    parser.at = before.len();
    let mut error = match expected {
        Expected::Value | Expected::Element => parser.not_a_value(),
        Expected::Key => parser.not_a_key(),
        Expected::Colon => parser.not_a_colon(),
        Expected::ArraySeparator | Expected::ObjectSeparator => parser.not_a_separator(),
        Expected::Nothing => parser.trailing(),
    };
    // The columns of the messages count from the line's start, wherever `rest` stands.
    error.span = error.span.start - before.len()..error.span.end - before.len();
    error
}
