//! Walks from a record down to a position in it. Spans nest, and are in the order of the bytes.

use std::ops::{ControlFlow, Range};

use evalcheck_core::finding::Path;

use super::path_builder::PathBuilder;
use super::value::{Kind, Member, Value};

/// A step down from an array or an object.
enum Inner<'v, 'a> {
    Element(usize, &'v Value<'a>),
    Key(&'v Member<'a>),
    Member(&'v Member<'a>),
}

impl<'v, 'a> Inner<'v, 'a> {
    fn span(&self) -> &Range<usize> {
        match self {
            Self::Element(_, value) => &value.span,
            Self::Key(member) => &member.key_span,
            Self::Member(member) => &member.value.span,
        }
    }

    fn value(&self) -> Option<&'v Value<'a>> {
        match self {
            Self::Element(_, value) => Some(value),
            Self::Key(_) => None,
            Self::Member(member) => Some(&member.value),
        }
    }

    fn enter(&self, path: &mut PathBuilder) {
        match self {
            Self::Element(index, _) => path.index(*index),
            Self::Key(member) | Self::Member(member) => path.key(&member.key),
        }
    }
}

impl Value<'_> {
    /// The path of a value inside this one, whose own path is `base`.
    ///
    /// ```
    /// use evalcheck_diagnose::{PathBuilder, parse};
    /// let record = parse(br#"{"turns":[{"role":"user"}]}"#).unwrap().value;
    /// let role = record.get("turns").and_then(|turns| turns.as_array()?[0].get("role")).unwrap();
    /// assert_eq!(record.path_to(role, &PathBuilder::default()).dotted(), "turns.0.role");
    /// ```
    pub fn path_to(&self, inner: &Value<'_>, base: &PathBuilder) -> Path {
        let mut path = base.clone();
        // A row of one cell has the span of the cell, so spans alone do not show where the walk ends.
        if !std::ptr::eq(self, inner) {
            walk_to(self, &inner.span, |step| {
                step.enter(&mut path);
                let is_there = step.value().is_some_and(|value| std::ptr::eq(value, inner));
                if is_there { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        path.path()
    }
}

/// The path of the innermost value (or key) around an offset.
pub(super) fn path_at(root: &Value<'_>, base: &PathBuilder, at: usize) -> Path {
    let mut path = base.clone();
    walk_to(root, &(at..at + 1), |step| {
        step.enter(&mut path);
        ControlFlow::Continue(())
    });
    path.path()
}

/// The span of the innermost value (or key) around an offset.
pub(super) fn innermost(root: &Value<'_>, at: usize) -> Range<usize> {
    let mut found = root.span.clone();
    walk_to(root, &(at..at + 1), |step| {
        found = step.span().clone();
        ControlFlow::Continue(())
    });
    found
}

/// The members of the innermost object that has a key at an offset.
pub(super) fn members_around<'v, 'a>(root: &'v Value<'a>, key: usize) -> &'v [Member<'a>] {
    let mut object = root;
    walk_to(root, &(key..key + 1), |step| {
        object = step.value().unwrap_or(object);
        ControlFlow::Continue(())
    });
    match &object.kind {
        Kind::Object(members) => members,
        _ => &[],
    }
}

/// Visits the values around a span, from outside to inside.
fn walk_to<'v, 'a>(
    root: &'v Value<'a>,
    span: &Range<usize>,
    mut visit: impl FnMut(Inner<'v, 'a>) -> ControlFlow<()>,
) {
    let is_around = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    let is_before = |value: &Value<'_>| value.span.end < span.end;
    let mut outer = root;
    loop {
        let inner = match &outer.kind {
            Kind::Array(elements) => {
                let index = elements.partition_point(is_before);
                elements.get(index).map(|element| Inner::Element(index, element))
            }
            Kind::Object(members) => {
                let index = members.partition_point(|member| is_before(&member.value));
                members.get(index).map(|member| {
                    if is_around(&member.key_span) { Inner::Key(member) } else { Inner::Member(member) }
                })
            }
            _ => None,
        };
        let Some(inner) = inner.filter(|inner| is_around(inner.span())) else { return };
        let next = inner.value();
        if visit(inner).is_break() {
            return;
        }
        let Some(next) = next else { return };
        outer = next;
    }
}
