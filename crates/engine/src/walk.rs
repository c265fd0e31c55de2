//! The values of a record at a path, in which `*` is any key or index.

use std::borrow::Cow;

use evalcheck_wire::query::Step;

use crate::diagnose::{Kind, Value};

/// The steps of a path such as `input.messages.*.role`. The empty path is the record.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let step = |key: &str| if key == "*" { Step::Any } else { Step::Key(key.to_owned()) };
    if path.is_empty() { Vec::new() } else { path.split('.').map(step).collect() }
}

/// The first result for a value at a path below `value`, whose own path is `at`. Only members that readers see have a path.
pub(crate) fn at_path<'v, 'a, T>(
    value: &'v Value<'a>,
    path: &[Step],
    at: &str,
    each: &mut dyn FnMut(&'v Value<'a>, &str) -> Option<T>,
) -> Option<T> {
    let Some((step, rest)) = path.split_first() else { return each(value, at) };
    match &value.kind {
        Kind::Object(members) => {
            let mut seen =
                members.iter().filter(|member| !member.shadowed && step_matches(step, &member.key));
            seen.find_map(|member| at_path(&member.value, rest, &join(at, &member.key), each))
        }
        Kind::Array(elements) => {
            let mut numbered = elements.iter().enumerate();
            numbered.find_map(|(index, element)| {
                let index = index.to_string();
                if !step_matches(step, &index) {
                    return None;
                }
                at_path(element, rest, &join(at, &index), each)
            })
        }
        _ => None,
    }
}

/// The path of a key below a path.
pub(crate) fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

/// Whether a step matches a key or an index.
fn step_matches(step: &Step, key: &str) -> bool {
    match step {
        Step::Any => true,
        Step::Key(wanted) => wanted == key,
    }
}

/// The text of a value that is neither an object nor an array.
pub(crate) fn scalar<'v>(value: &'v Value<'_>) -> Option<Cow<'v, str>> {
    match &value.kind {
        Kind::String(text) => Some(Cow::Borrowed(text)),
        Kind::Number(_, text) => Some(Cow::Borrowed(text)),
        Kind::Boolean(true) => Some("true".into()),
        Kind::Boolean(false) => Some("false".into()),
        Kind::Null => Some("null".into()),
        Kind::Array(_) | Kind::Object(_) => None,
    }
}
