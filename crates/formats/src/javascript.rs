//! Values and texts as JavaScript treats them.

use evalcheck_json::scan::LineReader;

use crate::diagnose::{Kind, Value};

/// Whether JavaScript treats a value as true.
pub(crate) fn is_truthy(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null => false,
        Kind::Boolean(value) => *value,
        Kind::Number(number, _) => *number != 0.0,
        Kind::String(text) => !text.is_empty(),
        Kind::Array(_) | Kind::Object(_) => true,
    }
}

/// Whether JavaScript treats a character as white space: a byte order mark too, and U+0085 not.
pub(crate) fn is_space(character: char) -> bool {
    LineReader::Node.is_white_space(character)
}

/// A text without surrounding white space, as JavaScript's `trim` returns it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}
