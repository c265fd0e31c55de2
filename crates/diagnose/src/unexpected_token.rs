//! Finds the cause of a syntax error between the records of a JSON document. The document is not parsed as a whole.

use super::parse::Parser;
use super::record_text::RecordStart;
use super::syntax_error::SyntaxError;

/// The token that the grammar expects at a position between records of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A value, after a colon.
    Value,
    /// An element of an array.
    Element,
    /// A key of an object.
    Key,
    /// A colon, after a key.
    Colon,
    /// A comma, or the end of the array.
    ArraySeparator,
    /// A comma, or the end of the object.
    ObjectSeparator,
    /// The end of the document.
    Nothing,
}

/// The syntax error of `rest`, which begins at `record_start` with something else than expected. `rest` may be cut off after a few hundred
/// bytes. The span of the error counts from the start of `rest`.
pub fn unexpected_token(expected: Expected, rest: &[u8], record_start: RecordStart) -> SyntaxError {
    let before: &[u8] = match expected {
        Expected::Value => b"{:",
        Expected::Element | Expected::ArraySeparator => b"[",
        Expected::Key | Expected::Colon | Expected::ObjectSeparator => b"{",
        Expected::Nothing => b"0",
    };
    let bytes = [before, rest].concat();
    let column = record_start.column.wrapping_sub(before.len() as u64);
    let mut parser = Parser::new(&bytes, RecordStart { column, ..record_start });
    if !matches!(expected, Expected::Nothing) {
        parser.open.push(0);
    }
    parser.not_in_file = before.len();
    parser.at = before.len();
    let mut error = match expected {
        Expected::Value | Expected::Element => parser.not_a_value(),
        Expected::Key => parser.not_a_key(),
        Expected::Colon => parser.not_a_colon(),
        Expected::ArraySeparator | Expected::ObjectSeparator => parser.not_a_separator(),
        Expected::Nothing => parser.trailing(),
    };
    error.span = error.span.start - before.len()..error.span.end - before.len();
    error
}
