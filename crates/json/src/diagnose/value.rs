//! A record as a tree with spans.

use std::borrow::Cow;
use std::ops::Range;

use evalcheck_core::finding::{Path, Step};

use super::PathBuilder;
use crate::schema::Types;

/// A value and its span in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Value<'a> {
    /// Its bytes, quotes and brackets included.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind<'a>,
}

/// What a value is.
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
    /// A later member has the same key, so readers do not see this one.
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

    /// The value of a key; the last of equal keys, as readers do.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match &self.kind {
            Kind::Object(members) => {
                members.iter().rev().find(|member| member.key == key).map(|member| &member.value)
            }
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The path of a value inside this one, whose own path is `base`. It is found by the spans, which nest and are in the order
    /// of the bytes.
    ///
    /// ```
    /// use evalcheck_json::diagnose::{PathBuilder, parse};
    /// let record = parse(br#"{"turns":[{"role":"user"}]}"#).unwrap().value;
    /// let role = record.get("turns").and_then(|turns| turns.as_array()?[0].get("role")).unwrap();
    /// assert_eq!(record.path_to(role, &PathBuilder::default()).dotted(), "turns.0.role");
    /// ```
    pub fn path_to(&self, inner: &Value<'_>, base: &PathBuilder) -> Path {
        let mut path = base.path();
        let mut at = self;
        while !std::ptr::eq(at, inner) {
            let is_before = |value: &Value<'_>| value.span.end < inner.span.end;
            let (step, next) = match &at.kind {
                Kind::Array(elements) => {
                    let index = elements.partition_point(is_before);
                    (Step::Index(index), elements.get(index))
                }
                Kind::Object(members) => {
                    let member = members.get(members.partition_point(|member| is_before(&member.value)));
                    let Some(member) = member else { break };
                    (Step::Key(member.key.as_ref().into()), Some(&member.value))
                }
                _ => break,
            };
            let Some(next) = next else { break };
            path.0.push(step);
            at = next;
        }
        path
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }
}
