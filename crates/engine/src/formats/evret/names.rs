//! Values as the loader takes them: what counts as missing, what is made a string.

use crate::explain::{Kind, Value};

/// True when Python takes the value for true.
pub(super) fn is_truthy(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null | Kind::Boolean(false) => false,
        Kind::Boolean(true) => true,
        Kind::Number(number) => *number != 0.0,
        Kind::String(text) => !text.is_empty(),
        Kind::Array(elements) => !elements.is_empty(),
        Kind::Object(members) => !members.is_empty(),
    }
}

/// The string that the loader has of a value; `None` for a list or an object, which the shape refuses.
pub(super) fn as_string(value: &Value<'_>) -> Option<String> {
    match &value.kind {
        Kind::String(text) => Some(text.trim().to_owned()),
        Kind::Number(number) => Some(number.to_string()),
        Kind::Boolean(true) => Some("True".to_owned()),
        _ => None,
    }
}

/// The value under the first of two names whose value counts, and that name.
pub(super) fn first_of<'v, 'a>(
    root: &'v Value<'a>,
    names: [&'static str; 2],
) -> Option<(&'static str, &'v Value<'a>)> {
    names.into_iter().find_map(|name| Some((name, root.get(name).filter(|value| is_truthy(value))?)))
}
