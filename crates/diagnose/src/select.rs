//! The values of a record that a [`Selector`] stands for.

use std::borrow::Cow;

use evalcheck_report::selector::{Selector, Step, push_index, push_key};

use crate::value::{Kind, Value};

/// The steps of a path such as `input.messages.*.role`. The empty path is the record.
pub fn steps(path: &str) -> Vec<Step> {
    // A path of a format can be read: a test reads all.
    Selector::parse(path).unwrap_or_default().0
}

/// The first result for a value at a path below `value`, whose own path is `at`. Only members that readers see have a path.
pub fn at_path<'v, 'a, T>(
    value: &'v Value<'a>,
    path: &[Step],
    at: &str,
    each: &mut dyn FnMut(&'v Value<'a>, &str) -> Option<T>,
) -> Option<T> {
    let Some((step, rest)) = path.split_first() else { return each(value, at) };
    match &value.kind {
        Kind::Object(members) => {
            let mut seen = members.iter().filter(|member| !member.shadowed && step.matches(&member.key));
            seen.find_map(|member| at_path(&member.value, rest, &with_key(at, &member.key), each))
        }
        Kind::Array(elements) => {
            let mut numbered = elements.iter().enumerate();
            numbered.find_map(|(index, element)| {
                if !step.matches(&index.to_string()) {
                    return None;
                }
                at_path(element, rest, &with_index(at, index), each)
            })
        }
        _ => None,
    }
}

/// The path of a member at a path.
pub fn with_key(at: &str, key: &str) -> String {
    let mut path = at.to_owned();
    push_key(&mut path, key);
    path
}

/// The path of an element at a path.
pub fn with_index(at: &str, index: usize) -> String {
    let mut path = at.to_owned();
    push_index(&mut path, index);
    path
}

/// The text of a value that is neither an object nor an array.
pub fn scalar<'v>(value: &'v Value<'_>) -> Option<Cow<'v, str>> {
    match &value.kind {
        Kind::String(text) => Some(Cow::Borrowed(text)),
        Kind::Number(_, text) => Some(Cow::Borrowed(text)),
        Kind::Boolean(true) => Some("true".into()),
        Kind::Boolean(false) => Some("false".into()),
        Kind::Null => Some("null".into()),
        Kind::Array(_) | Kind::Object(_) => None,
    }
}
