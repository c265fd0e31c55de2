//! Values and texts as Python treats them.

use evalcheck_json::scan::LineReader;

use crate::diagnose::{Kind, Value};

/// Whether Python treats a value as true.
pub(crate) fn is_truthy(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null | Kind::Boolean(false) => false,
        Kind::Boolean(true) => true,
        Kind::Number(number, _) => *number != 0.0,
        Kind::String(text) => !text.is_empty(),
        Kind::Array(elements) => !elements.is_empty(),
        Kind::Object(members) => !members.is_empty(),
    }
}

/// Whether Python treats a character as white space: U+001C to U+001F too.
pub(crate) fn is_space(character: char) -> bool {
    LineReader::Python.is_white_space(character)
}

/// A text without surrounding white space, as Python's `strip` returns it.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}
