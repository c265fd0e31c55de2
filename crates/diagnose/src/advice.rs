//! Describes in words what a schema accepts, with an example that keeps the record's content where possible.

use std::fmt;

use evalcheck_core::excerpt::clip;

use super::fix::value::{begins_like_data, wrapped};
use super::kin::{are_synonyms, value_for};
use super::value::{Kind, Member, Value};
use evalcheck_json::schema::{Array, Number, Object, Properties, Schema};

/// The longest example that a hint contains, in characters.
const LONGEST_EXAMPLE: usize = 200;

/// The longest text of the dataset in an example, in characters.
const LONGEST_TEXT: usize = 40;

/// The advice on a difference. The usual advice for a missing key becomes a text only when it is shown.
#[derive(Debug, Clone)]
pub enum Advice {
    /// A text.
    Text(String),
    /// Advice to add the key, with an example of its value.
    Add {
        /// The key.
        key: &'static str,
        /// The schema of its value.
        schema: &'static Schema,
    },
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Add { key, schema } => write!(f, "Add {}.", pair(key, schema, None)),
        }
    }
}

impl PartialEq for Advice {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// `an object, such as {"content": "..."}`
pub(super) fn such_as(schema: &'static Schema, value: &Value<'_>) -> String {
    let what = nouns(schema).join(" or ");
    let wants_list = matches!(value.kind, Kind::Object(_) | Kind::Array(_));
    let example = Example { text: first_text(value), wants_list, key: None }.of(schema);
    // For a string of a list of values, the list is the example.
    let lists_values = schema.string.as_ref().is_some_and(|string| !string.values.is_empty())
        || schema.number.as_ref().and_then(one_or_other).is_some();
    match example {
        // `null` would lose the value.
        Some(example) if !lists_values && example != "null" => format!("{what}, such as {example}"),
        _ => what,
    }
}

/// `"key": {"content": "..."}`, with `text` as the content if it is given.
pub(super) fn pair(key: &str, schema: &'static Schema, text: Option<OwnText<'_>>) -> String {
    let values = schema.string.as_ref().map_or(&[][..], |string| string.values);
    let example = Example { text, wants_list: false, key: Some(key) }.of(schema);
    match (text.and_then(|own| value_for(own.text, values)), example) {
        (Some(value), _) => format!("\"{key}\": \"{value}\""),
        (None, _) if is_choice(schema) => format!("\"{key}\", {}", nouns(schema).join(" or ")),
        // The example shows the form of the text, and would be a false value.
        (None, Some(example)) if has_form(schema) => format!("\"{key}\", a string such as {example}"),
        (None, Some(example)) if values.len() < 2 => format!("\"{key}\": {example}"),
        (None, Some(_)) => format!("\"{key}\", {}", nouns(schema).join(" or ")),
        (None, None) => format!("the key \"{key}\" ({})", nouns(schema).join(" or ")),
    }
}

/// Whether the schema accepts only numbers, or only true and false: any example would be wrong.
fn is_choice(schema: &Schema) -> bool {
    let is_scalar = schema.number.is_some() || schema.boolean;
    is_scalar && schema.string.is_none() && schema.object.is_none() && schema.array.is_none()
}

/// Whether the example of the schema shows the form of all its values.
fn has_form(schema: &Schema) -> bool {
    schema.string.is_some() && schema.example.is_some_and(|example| example.starts_with('"'))
}

/// The kinds of values that a schema accepts, with articles.
fn nouns(schema: &Schema) -> Vec<String> {
    let number = schema.number.as_ref().map(|number| {
        let noun = if number.integer { "a whole number" } else { "a number" };
        one_or_other(number).unwrap_or_else(|| {
            if number.maximum.is_some() { format!("{noun} {}", range(number)) } else { noun.to_owned() }
        })
    });
    let string = schema.string.as_ref().map(|string| match string.values {
        [] => "a string".to_owned(),
        [only] => format!("\"{only}\""),
        values => format!("one of {}", quoted_values(values.iter().copied())),
    });
    let others = [
        schema.boolean.then_some("true or false"),
        schema.object.as_ref().map(|_| "an object"),
        schema.array.as_ref().map(|_| "an array"),
        schema.null.then_some("null"),
    ];
    let others = others.into_iter().flatten().map(str::to_owned);
    string.into_iter().chain(number).chain(others).collect()
}

/// `0 or 1`: the two values of a number that has only these.
pub(super) fn one_or_other(number: &Number) -> Option<String> {
    let (minimum, maximum) = (number.minimum?, number.maximum?);
    (number.integer && maximum.checked_sub(minimum) == Some(1)).then(|| format!("{minimum} or {maximum}"))
}

/// The advice for a number that is out of its range.
pub(super) fn in_range(number: &Number) -> String {
    one_or_other(number)
        .map_or_else(|| format!("Write a number {}.", range(number)), |values| format!("Write {values}."))
}

/// The range of a number that has one, in words.
pub(super) fn range(number: &Number) -> String {
    match (number.minimum, number.maximum) {
        (Some(minimum), Some(maximum)) => format!("from {minimum} to {maximum}"),
        (_, Some(maximum)) => format!("of at most {maximum}"),
        (minimum, None) => format!("of at least {}", minimum.unwrap_or_default()),
    }
}

/// A text of the record.
#[derive(Clone, Copy)]
pub(super) struct OwnText<'t> {
    text: &'t str,
    /// The key of the text within a value; `None` for the value itself and for an element of it.
    key: Option<&'t str>,
}

/// Makes an example of a value.
struct Example<'t> {
    /// The text that the example shows at the place of the same meaning.
    text: Option<OwnText<'t>>,
    /// The key of the value.
    key: Option<&'t str>,
    /// Whether the record has an object or an array here, so that a string is a poor example.
    wants_list: bool,
}

impl Example<'_> {
    /// An example with all required keys; `None` if it is too long for a hint.
    fn of(&self, schema: &'static Schema) -> Option<String> {
        // If several places take a text without a key, it is unknown which is meant.
        let is_meant = |own: &OwnText<'_>| own.key.is_some() || wrapped("", schema).is_some();
        let example = Self { text: self.text.filter(is_meant), ..*self }.value(schema)?;
        (example.chars().count() <= LONGEST_EXAMPLE).then_some(example)
    }

    fn value(&self, schema: &Schema) -> Option<String> {
        let structure = || {
            if let Some(example) = schema.example {
                return Some(example.to_owned());
            }
            let object = schema.object.as_ref().and_then(|object| self.object(object));
            object.or_else(|| schema.array.as_ref().and_then(|array| self.array(array)))
        };
        let first = if self.wants_list { structure() } else { None };
        first
            .or_else(|| {
                schema.string.as_ref().map(|string| match string.values {
                    [] => schema.example.map_or_else(|| self.string(), str::to_owned),
                    values @ [first, ..] => {
                        format!("\"{}\"", values.iter().find(|value| **value == "user").unwrap_or(first))
                    }
                })
            })
            .or_else(structure)
            .or_else(|| schema.number.as_ref().map(|number| number.minimum.unwrap_or(1).to_string()))
            .or_else(|| schema.boolean.then(|| "true".to_owned()))
            .or_else(|| schema.null.then(|| "null".to_owned()))
    }

    fn string(&self) -> String {
        let is_same = |key: &str| self.key.is_some_and(|own| own == key || are_synonyms(own, key));
        let text = self.text.filter(|own| own.key.is_none_or(is_same)).map_or("...", |own| own.text);
        let mut written = String::from('"');
        for c in clip(text, LONGEST_TEXT).chars() {
            match c {
                '"' | '\\' => written.extend(['\\', c]),
                '\n' => written.push_str("\\n"),
                c if c.is_control() => written.push(' '),
                c => written.push(c),
            }
        }
        written.push('"');
        written
    }

    fn array(&self, array: &Array) -> Option<String> {
        Some(format!("[{}]", Example { wants_list: false, ..*self }.value(array.items)?))
    }

    fn object(&self, object: &Object) -> Option<String> {
        let (tag, fields) = match object {
            Object::Properties(fields) => (None, fields),
            Object::Tagged { key, variants } => {
                let (value, fields) = variants.first()?;
                (Some((*key, *value)), fields)
            }
            Object::Keyed(sets) => (None, &sets.first()?.1),
        };
        let required = fields.fields.iter().filter(|field| field.required);
        let members = required.map(|field| match tag {
            Some((key, value)) if field.key == key => Some(format!("\"{key}\": \"{value}\"")),
            _ => {
                let value =
                    Example { wants_list: false, key: Some(field.key), ..*self }.value(field.schema)?;
                Some(format!("\"{}\": {value}", field.key))
            }
        });
        let members = members.collect::<Option<Vec<_>>>()?;
        (!members.is_empty()).then(|| format!("{{{}}}", members.join(", ")))
    }
}

/// The first text in a value that is not a tag such as a role: the string itself, or one inside the object or array.
pub(super) fn first_text<'v>(value: &'v Value<'_>) -> Option<OwnText<'v>> {
    match &value.kind {
        Kind::String(text) => {
            (!text.is_empty() && !begins_like_data(text)).then_some(OwnText { text, key: None })
        }
        Kind::Array(elements) => elements.iter().take(1).find_map(first_text),
        Kind::Object(members) => {
            let is_text = |member: &&Member<'_>| !["role", "type", "from"].contains(&&*member.key);
            members.iter().filter(is_text).find_map(|member| {
                let own = first_text(&member.value)?;
                Some(OwnText { key: own.key.or(Some(&member.key)), ..own })
            })
        }
        _ => None,
    }
}

/// The hint for a string that is not one of `values`; `meant` is the value that was probably meant.
pub(super) fn for_value(meant: Option<&str>, values: &[&str]) -> String {
    match (meant, values) {
        (_, [only]) => format!("Write \"{only}\"."),
        (Some(near), _) => format!("Did you mean \"{near}\"?"),
        (None, _) => format!("Use one of {}.", quoted_values(values.iter().copied())),
    }
}

/// The tags of variants that hints and messages list.
pub(super) fn listed(variants: &'static [(&'static str, Properties)]) -> impl Iterator<Item = &'static str> {
    variants.iter().filter(|(_, fields)| !fields.unlisted).map(|(tag, _)| *tag)
}

/// `'system' | 'user' | 'assistant'`, as Zod joins values.
pub(super) fn quoted_values<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values.map(|value| format!("'{value}'")).collect::<Vec<_>>().join(" | ")
}

/// The types that a schema accepts, in words: `string`, `string or array`. For an enumeration, its values, as in Zod's
/// messages.
pub fn expected_types(schema: &Schema) -> String {
    let mut names = Vec::new();
    if schema.null {
        names.push("null".to_owned());
    }
    if schema.boolean {
        names.push("boolean".to_owned());
    }
    if let Some(number) = &schema.number {
        names.push(if number.integer { "integer" } else { "number" }.to_owned());
    }
    if let Some(text) = &schema.string {
        names.push(match text.values {
            [] => "string".to_owned(),
            values => quoted_values(values.iter().copied()),
        });
    }
    // Zod's loader lists the alternatives of `usage_output` in this order: string, object, array.
    if schema.object.is_some() {
        names.push("object".to_owned());
    }
    if schema.array.is_some() {
        names.push("array".to_owned());
    }
    match names.pop() {
        None => "nothing".to_owned(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}

/// The name of a type in a sentence.
pub(super) fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "object" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}
