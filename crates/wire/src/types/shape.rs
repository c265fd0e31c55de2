//! The types that a JSON Schema describes, for declarations in other languages.

use std::borrow::Cow;

use serde_json::Value;

/// A type and its description.
pub(super) struct Described<'s> {
    pub(super) description: Option<Cow<'s, str>>,
    pub(super) shape: Shape<'s>,
}

/// A type.
pub(super) enum Shape<'s> {
    /// The type with this name.
    Named(&'s str),
    /// One value.
    Constant(&'s Value),
    /// One of several types.
    Union(Vec<Described<'s>>),
    /// A list with elements of this type.
    Array(Box<Self>),
    /// An object with any keys and values of this type.
    Map(Box<Self>),
    /// An object with these keys.
    Object(Vec<Member<'s>>),
    /// A type of JSON by its name in a schema.
    Scalar(&'s str),
}

/// A key of an object, and its value.
pub(super) struct Member<'s> {
    pub(super) name: &'s str,
    /// Whether every object has the key.
    pub(super) is_required: bool,
    /// Whether the value can be null.
    pub(super) is_nullable: bool,
    /// The value if it is not null.
    pub(super) value: Described<'s>,
}

impl<'s> Described<'s> {
    /// The type that a schema describes.
    pub(super) fn of(schema: &'s Value) -> Self {
        let description = schema.get("description").and_then(Value::as_str).map(Cow::Borrowed);
        Self { description, shape: Shape::of(schema) }
    }
}

impl<'s> Shape<'s> {
    fn of(schema: &'s Value) -> Self {
        let list = |key| schema.get(key).and_then(Value::as_array);
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            Self::Named(reference.rsplit('/').next().unwrap_or_default())
        } else if let Some(value) = schema.get("const") {
            Self::Constant(value)
        } else if let Some(values) = list("enum") {
            Self::union(values.iter().map(Self::Constant))
        } else if let Some(any) = list("oneOf").or_else(|| list("anyOf")) {
            Self::Union(any.iter().map(Described::of).collect())
        } else if let Some(types) = list("type") {
            Self::union(types.iter().map(|name| Self::of_type(name, schema)))
        } else {
            Self::of_type(&schema["type"], schema)
        }
    }

    fn of_type(name: &'s Value, schema: &'s Value) -> Self {
        match (name.as_str(), schema.get("properties"), schema.get("additionalProperties")) {
            (Some("array"), ..) => Self::Array(Box::new(Self::of(&schema["items"]))),
            (Some("object"), Some(Value::Object(properties)), _) => {
                let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
                let is_required = |name| required.iter().any(|key| key == name);
                let member = |(name, value): (&'s String, _)| Member::of(name, is_required(name), value);
                Self::Object(properties.iter().map(member).collect())
            }
            (Some("object"), _, Some(values)) => Self::Map(Box::new(Self::of(values))),
            (name, ..) => Self::Scalar(name.unwrap_or("unknown")),
        }
    }

    fn union(shapes: impl Iterator<Item = Self>) -> Self {
        Self::Union(shapes.map(|shape| Described { description: None, shape }).collect())
    }
}

impl<'s> Member<'s> {
    fn of(name: &'s str, is_required: bool, schema: &'s Value) -> Self {
        let mut value = Described::of(schema);
        let mut is_nullable = false;
        if let Shape::Union(any) = &mut value.shape {
            let before = any.len();
            any.retain(|one| !matches!(one.shape, Shape::Scalar("null")));
            is_nullable = any.len() < before;
            if any.len() == 1
                && let Some(only) = any.pop()
            {
                value.shape = only.shape;
            }
        }
        Self { name, is_required, is_nullable, value }
    }
}

/// The words of a description in lines of at most `width` characters and one word.
pub(super) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < width) {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
