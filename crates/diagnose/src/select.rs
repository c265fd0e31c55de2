//! The values of a record that a [`Selector`] matches.

use std::borrow::Cow;

use evalcheck_report::selector::{PathStep, Selector, Step, path_of};

use crate::value::{Kind, Value};

/// The steps of a path such as `input.messages.*.role`. The empty path is the record.
pub fn steps(path: &str) -> Vec<Step> {
    // A path of a format can be read: a test reads all.
    Selector::parse(path).unwrap_or_default().0
}

/// The place of a value in a record, which becomes a path only where one is needed.
#[derive(Debug, Clone, Copy)]
pub enum Place<'p> {
    /// The record itself.
    Record,
    /// A step below another place.
    Below(&'p Self, PathStep<'p>),
}

impl<'p> Place<'p> {
    /// The place of a member of an object.
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        Self::Below(self, PathStep::Key(key))
    }

    /// The place of an element of an array.
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        Self::Below(self, PathStep::Index(index))
    }

    /// The path, empty for the record.
    pub fn path(&self) -> String {
        let (mut steps, mut place) = (Vec::new(), self);
        while let Self::Below(above, step) = place {
            steps.push(*step);
            place = above;
        }
        path_of(steps.into_iter().rev())
    }
}

/// The first result for a value at a path below `value`, whose own place is `at`. Only members that readers see have a path.
pub fn at_path<'v, 'a, T>(
    value: &'v Value<'a>,
    path: &[Step],
    at: &Place<'_>,
    each: &mut dyn FnMut(&'v Value<'a>, &Place<'_>) -> Option<T>,
) -> Option<T> {
    let Some((step, rest)) = path.split_first() else { return each(value, at) };
    match &value.kind {
        Kind::Object(members) => {
            let mut seen = members.iter().filter(|member| !member.shadowed && step.matches(&member.key));
            seen.find_map(|member| at_path(&member.value, rest, &at.key(&member.key), each))
        }
        Kind::Array(elements) => {
            let is_next = |index: usize| *step == Step::Any || step.matches(&index.to_string());
            let mut numbered = elements.iter().enumerate().filter(|(index, _)| is_next(*index));
            numbered.find_map(|(index, element)| at_path(element, rest, &at.index(index), each))
        }
        _ => None,
    }
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
