//! Compares the values of two records.

use std::borrow::Cow;
use std::cmp::Ordering;

use evalcheck_core::order::Order;
use evalcheck_formats::KeyedHash;
use evalcheck_report::selector::{PathStep, Step};

use super::decimal;
use crate::diagnose::{Kind, Member, Value};

/// A value, and the bytes that its spans are in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located<'v, 'a> {
    pub(crate) value: &'v Value<'a>,
    pub(crate) bytes: &'v [u8],
}

/// A place at which two records differ. A value that one of them does not have is `None`.
#[derive(Debug)]
pub(super) struct Difference<'d, 'v, 'a> {
    /// The path of the values; if the records have different indices, the path in the newer one.
    pub(super) path: &'d [PathStep<'v>],
    pub(super) old: Option<Located<'v, 'a>>,
    pub(super) new: Option<Located<'v, 'a>>,
}

impl<'v, 'a> Located<'v, 'a> {
    fn at(self, value: &'v Value<'a>) -> Self {
        Self { value, ..self }
    }

    /// A text that is the same only for equal strings: that of a string that cannot be decoded also has its notation.
    fn text(self, decoded: &'v str) -> Cow<'v, [u8]> {
        if decoded.contains(char::REPLACEMENT_CHARACTER) {
            let written = self.bytes.get(self.value.span.clone()).unwrap_or_default();
            return Cow::Owned([decoded.as_bytes(), written].concat());
        }
        Cow::Borrowed(decoded.as_bytes())
    }
}

/// Whether two values are equal, whatever their notation: numbers are equal as decimals, and the order of keys does not matter.
pub(super) fn are_equal(old: Located<'_, '_>, new: Located<'_, '_>) -> bool {
    match (&old.value.kind, &new.value.kind) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Boolean(one), Kind::Boolean(other)) => one == other,
        (Kind::Number(_, one), Kind::Number(_, other)) => {
            one == other || decimal::canonical(one) == decimal::canonical(other)
        }
        (Kind::String(one), Kind::String(other)) => one == other && old.text(one) == new.text(other),
        (Kind::Array(one), Kind::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| are_equal(old.at(one), new.at(other)))
        }
        (Kind::Object(one), Kind::Object(other)) => aligned(one, other).into_iter().all(|pair| match pair {
            (Some(one), Some(other)) => are_equal(old.at(&one.value), new.at(&other.value)),
            _ => false,
        }),
        _ => false,
    }
}

/// Calls `each` with the differences of two values, which are below `path`. Elements of an array are compared by their indices,
/// without the equal ones at its beginning and at its end.
pub(super) fn differ<'v, 'a>(
    old: Located<'v, 'a>,
    new: Located<'v, 'a>,
    path: &mut Vec<PathStep<'v>>,
    each: &mut dyn FnMut(Difference<'_, 'v, 'a>),
) {
    let mut at =
        |path: &mut Vec<PathStep<'v>>, step, one: Option<&'v Value<'a>>, other: Option<&'v Value<'a>>| {
            path.push(step);
            match (one.map(|one| old.at(one)), other.map(|other| new.at(other))) {
                (Some(old), Some(new)) => differ(old, new, path, each),
                (old, new) => each(Difference { path, old, new }),
            }
            path.pop();
        };
    match (&old.value.kind, &new.value.kind) {
        (Kind::Object(one), Kind::Object(other)) => {
            for (one, other) in aligned(one, other) {
                let Some(member) = one.or(other) else { continue };
                let value = |member: Option<&'v Member<'a>>| member.map(|member| &member.value);
                at(path, PathStep::Key(&member.key), value(one), value(other));
            }
        }
        (Kind::Array(one), Kind::Array(other)) => {
            let is_same = |(one, other): &(&Value<'a>, &Value<'a>)| {
                let (old, new) =
                    (Located { value: one, bytes: old.bytes }, Located { value: other, bytes: new.bytes });
                are_equal(old, new)
            };
            let before = one.iter().zip(other).take_while(is_same).count();
            let (one, other) = (&one[before..], &other[before..]);
            let after = one.iter().rev().zip(other.iter().rev()).take_while(is_same).count();
            let (one, other) = (&one[..one.len() - after], &other[..other.len() - after]);
            for index in 0..one.len().max(other.len()) {
                at(path, PathStep::Index(before + index), one.get(index), other.get(index));
            }
        }
        _ => {
            if !are_equal(old, new) {
                each(Difference { path, old: Some(old), new: Some(new) });
            }
        }
    }
}

/// The members of two objects that readers see, aligned by their keys.
fn aligned<'v, 'a>(
    old: &'v [Member<'a>],
    new: &'v [Member<'a>],
) -> Vec<(Option<&'v Member<'a>>, Option<&'v Member<'a>>)> {
    let seen =
        |members: &'v [Member<'a>]| members.iter().filter(|member| !member.shadowed).collect::<Vec<_>>();
    let (mut old, mut new) = (seen(old), seen(new));
    if old.len() != new.len() || old.iter().zip(&new).any(|(one, other)| one.key != other.key) {
        old.order_by(|one, other| one.key.cmp(&other.key));
        new.order_by(|one, other| one.key.cmp(&other.key));
    }
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let mut pairs = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.key.cmp(&other.key),
        };
        let of_old = if order.is_le() { old.next() } else { None };
        let of_new = if order.is_ge() { new.next() } else { None };
        pairs.push((of_old, of_new));
    }
}

/// A hash that is the same for equal values, see [`are_equal`]. Members at the paths `without` do not count.
pub(crate) fn hash_of(located: Located<'_, '_>, without: &[&[Step]], hash: &KeyedHash) -> u64 {
    let tagged = |tag: u8, content: &[u8]| hash.hash(&[&[tag], content].concat());
    match &located.value.kind {
        Kind::Null => tagged(0, b""),
        Kind::Boolean(value) => tagged(1, &[u8::from(*value)]),
        Kind::Number(_, text) => tagged(2, decimal::canonical(text).as_bytes()),
        Kind::String(text) => tagged(3, &located.text(text)),
        Kind::Array(elements) => {
            let hashes = (0_usize..).zip(elements).flat_map(|(index, element)| {
                let inner = below(without, || index.to_string());
                hash_of(located.at(element), &inner, hash).to_le_bytes()
            });
            tagged(4, &hashes.collect::<Vec<u8>>())
        }
        Kind::Object(members) => {
            let member = |member: &Member<'_>| {
                let inner = below(without, || member.key.to_string());
                let counts = !inner.iter().any(|path| path.is_empty());
                counts.then(|| {
                    (tagged(5, member.key.as_bytes()), hash_of(located.at(&member.value), &inner, hash))
                })
            };
            let mut members: Vec<_> =
                members.iter().filter(|member| !member.shadowed).filter_map(member).collect();
            members.order();
            let bytes =
                members.iter().flat_map(|(key, value)| [key.to_le_bytes(), value.to_le_bytes()].concat());
            tagged(6, &bytes.collect::<Vec<u8>>())
        }
    }
}

/// The rest of those paths that lead to a key or an index.
fn below<'p>(paths: &[&'p [Step]], name: impl FnOnce() -> String) -> Vec<&'p [Step]> {
    if paths.is_empty() {
        return Vec::new();
    }
    let name = name();
    let leads = |path: &&'p [Step]| {
        let (step, rest) = path.split_first()?;
        step.matches(&name).then_some(rest)
    };
    paths.iter().filter_map(leads).collect()
}

/// The beginning of a value as JSON, of at most `most` characters, with an ellipsis if there are more.
pub(super) fn beginning(value: &Value<'_>, most: usize) -> String {
    let mut text = String::new();
    write(value, most, &mut text);
    evalcheck_core::excerpt::clip(&text, most)
}

/// Writes a value, and stops soon after `most` characters.
fn write(value: &Value<'_>, most: usize, out: &mut String) {
    // A character has up to four bytes, and more than `most` characters are cut.
    let is_full = |out: &String| out.len() > most * 4;
    let quoted = |text: &str| {
        let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
        serde_json::Value::from(&text[..end]).to_string()
    };
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Number(_, text) => out.push_str(text),
        Kind::String(text) => out.push_str(&quoted(text)),
        Kind::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if is_full(out) {
                    return;
                }
                out.push_str(if index > 0 { "," } else { "" });
                write(element, most, out);
            }
            out.push(']');
        }
        Kind::Object(members) => {
            out.push('{');
            for (index, member) in members.iter().filter(|member| !member.shadowed).enumerate() {
                if is_full(out) {
                    return;
                }
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(&quoted(&member.key));
                out.push(':');
                write(&member.value, most, out);
            }
            out.push('}');
        }
    }
}
