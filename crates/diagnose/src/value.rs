//! A record as a tree with spans.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use evalcheck_core::order::Order;
use evalcheck_json::schema::{Object, Properties, Types};

/// A value and its span in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Value<'a> {
    /// Its bytes, quotes and brackets included.
    pub span: Range<usize>,
    /// Its kind.
    pub kind: Kind<'a>,
}

/// The kind of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number, and its text.
    Number(f64, &'a str),
    /// A string, decoded; a lone surrogate becomes U+FFFD.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object: its members in the order of the file, duplicates included.
    Object(Vec<Member<'a>>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'a> {
    /// Its key, decoded.
    pub key: Cow<'a, str>,
    /// The span of the key, quotes included.
    pub key_span: Range<usize>,
    /// Its value.
    pub value: Value<'a>,
    /// Whether a later member has the same key, so that readers do not see this one.
    pub shadowed: bool,
}

impl<'a> Value<'a> {
    /// The name of its type, as in Zod 3's messages.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Boolean(_) => "boolean",
            Kind::Number(..) => "number",
            Kind::String(_) => "string",
            Kind::Array(_) => "array",
            Kind::Object(_) => "object",
        }
    }

    /// Its type.
    pub(crate) fn types(&self) -> Types {
        match self.kind {
            Kind::Null => Types::NULL,
            Kind::Boolean(_) => Types::BOOLEAN,
            Kind::Number(..) => Types::NUMBER,
            Kind::String(_) => Types::STRING,
            Kind::Array(_) => Types::ARRAY,
            Kind::Object(_) => Types::OBJECT,
        }
    }

    /// The value of a key. The last of equal keys counts, as in readers.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match &self.kind {
            Kind::Object(members) => {
                members.iter().rev().find(|member| member.key == key).map(|member| &member.value)
            }
            _ => None,
        }
    }

    /// The set of fields of a schema that applies to the object; `None` if its tag is not known.
    pub fn fields_of<'s>(&self, object: &'s Object) -> Option<&'s Properties> {
        match object {
            Object::Properties(fields) => Some(fields),
            Object::Tagged { key, variants } => {
                let tag = self.get(key)?.as_str()?;
                variants.iter().find(|(known, _)| *known == tag).map(|(_, fields)| fields)
            }
            Object::Keyed(sets) => Some(Object::keyed_set(sets, |key| self.get(key).is_some())),
        }
    }

    /// The members of an object that readers see: the last of each key. None for another value.
    pub fn live_members(&self) -> impl Iterator<Item = &Member<'a>> {
        let members = if let Kind::Object(members) = &self.kind { &members[..] } else { &[] };
        live(members)
    }

    /// Whether both are the same value, whatever their spelling and the order of their keys. Of equal keys, the last counts.
    pub fn is_same(&self, other: &Value<'_>) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Boolean(one), Kind::Boolean(other)) => one == other,
            (Kind::Number(one, _), Kind::Number(other, _)) => {
                one.partial_cmp(other).is_some_and(Ordering::is_eq)
            }
            (Kind::String(one), Kind::String(other)) => one == other,
            (Kind::Array(one), Kind::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
            }
            (Kind::Object(one), Kind::Object(other)) => {
                let (one, other) = (sorted(one), sorted(other));
                let are_same = |(one, other): (&Member<'_>, &Member<'_>)| {
                    one.key == other.key && one.value.is_same(&other.value)
                };
                one.len() == other.len() && one.into_iter().zip(other).all(are_same)
            }
            _ => false,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }
}

/// The members that readers see, by their keys.
fn sorted<'v, 'a>(members: &'v [Member<'a>]) -> Vec<&'v Member<'a>> {
    let mut live: Vec<_> = live(members).collect();
    live.order_by_key(|member| &member.key);
    live
}

/// The members that readers see: the last of each key.
pub(super) fn live<'v, 'a>(members: &'v [Member<'a>]) -> impl Iterator<Item = &'v Member<'a>> {
    members.iter().filter(|member| !member.shadowed)
}
