//! Messages and hints. They name what the schema wants and what was received, in the words of the other rules.

use evalcheck_core::excerpt::clip;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// The longest value in a message, in characters.
const LONGEST: usize = 80;

/// The most values of a list in a message.
const MOST_VALUES: usize = 10;

/// The message about a value, and the hint.
pub(crate) fn of(error: &ValidationError<'_>) -> (String, String) {
    let value = error.instance();
    let (message, hint) = match error.kind() {
        Kind::Type { kind } => of_type(kind, value),
        Kind::Required { property } => ("Required".to_owned(), format!("Add the key {}.", quoted(property))),
        Kind::Enum { options } => {
            let options = options.as_array().map_or(&[][..], Vec::as_slice);
            let message =
                format!("Invalid enum value. Expected {}, received {}", listed(options), quoted(value));
            (message, "Write one of the listed values.".to_owned())
        }
        Kind::Constant { expected_value } => {
            let wanted = quoted(expected_value);
            (
                format!("Invalid value. Expected {wanted}, received {}", quoted(value)),
                format!("Write {wanted}."),
            )
        }
        Kind::Pattern { pattern } => (
            format!("String must match the pattern {}, received {}", clip(pattern, LONGEST), quoted(value)),
            "Write a string that matches, or correct the pattern in the schema.".to_owned(),
        ),
        Kind::Format { format } => (
            format!("String must be in the format {format}, received {}", quoted(value)),
            "Write it in this format.".to_owned(),
        ),
        Kind::ContentEncoding { content_encoding } => {
            (format!("String must be encoded in {content_encoding}"), "Encode it so.".to_owned())
        }
        Kind::ContentMediaType { content_media_type } => {
            (format!("String must hold {content_media_type}"), "Write such a text in the string.".to_owned())
        }
        Kind::FromUtf8 { .. } => {
            ("String must hold text in UTF-8 once it is decoded".to_owned(), "Encode such a text.".to_owned())
        }
        Kind::MinLength { limit } => (
            format!("String must contain at least {limit} character(s), has {}", length(value)),
            "Write a longer text, or leave the record out.".to_owned(),
        ),
        Kind::MaxLength { limit } => (
            format!("String must contain at most {limit} character(s), has {}", length(value)),
            "Shorten it.".to_owned(),
        ),
        Kind::Minimum { limit } => number("greater than or equal to", limit, value),
        Kind::ExclusiveMinimum { limit } => number("greater than", limit, value),
        Kind::Maximum { limit } => number("less than or equal to", limit, value),
        Kind::ExclusiveMaximum { limit } => number("less than", limit, value),
        Kind::MultipleOf { multiple_of } => {
            let message = format!("Number must be a multiple of {multiple_of}, received {value}");
            (message, "Write such a number.".to_owned())
        }
        Kind::MinItems { limit } => elements("at least", *limit, value),
        Kind::MaxItems { limit } => elements("at most", *limit, value),
        Kind::AdditionalItems { limit } => elements("at most", *limit as u64, value),
        Kind::UnevaluatedItems { unexpected } => (
            format!("Array has {} element(s) that the schema does not allow", unexpected.len()),
            "Remove the elements that do not belong here.".to_owned(),
        ),
        Kind::UniqueItems => (
            format!("Array must not contain an element twice{}", twice(value).unwrap_or_default()),
            "Remove one of them.".to_owned(),
        ),
        Kind::Contains => (
            "Array contains too few or too many elements that the schema asks for".to_owned(),
            "Look at contains, minContains and maxContains in the schema.".to_owned(),
        ),
        Kind::MinProperties { limit } => members("at least", *limit, value),
        Kind::MaxProperties { limit } => members("at most", *limit, value),
        Kind::Not { .. } => (
            format!("The schema excludes this value: {}", quoted(value)),
            "Write another value; what is excluded stands in the schema after not.".to_owned(),
        ),
        Kind::FalseSchema => {
            ("The schema allows no value here".to_owned(), "Remove it, or correct the schema.".to_owned())
        }
        // With keys or alternatives, which have a finding each; and what only a schema can have.
        _ => (error.to_string(), "Compare it with the schema.".to_owned()),
    };
    (message, hint)
}

/// The message about a keyword of a schema that is no schema.
pub(crate) fn of_schema(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Format { format } if format == "regex" => {
            format!(
                "{} is not a regular expression of ECMA-262, or has a part that is not known here",
                quoted(error.instance())
            )
        }
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            format!("this keyword cannot be {}", quoted(error.instance()))
        }
        Kind::Custom { message, .. } => message.clone(),
        _ => of(error).0,
    }
}

/// The message about a value of another type, and the hint.
pub(crate) fn of_type(wanted: &TypeKind, value: &Value) -> (String, String) {
    const ORDER: [(JsonType, &str); 7] = [
        (JsonType::String, "a string"),
        (JsonType::Integer, "an integer"),
        (JsonType::Number, "a number"),
        (JsonType::Boolean, "true or false"),
        (JsonType::Array, "an array"),
        (JsonType::Object, "an object"),
        (JsonType::Null, "null"),
    ];
    let is_wanted = |of: JsonType| match wanted {
        TypeKind::Single(one) => *one == of,
        TypeKind::Multiple(several) => several.contains(of),
    };
    let (names, written): (Vec<&str>, Vec<&str>) =
        ORDER.iter().filter(|(of, _)| is_wanted(*of)).map(|(of, written)| (of.as_str(), *written)).unzip();
    let message = format!("Expected {}, received {}", names.join(" or "), type_name(value));
    (message, format!("Write {} here.", written.join(" or ")))
}

/// The type of a value.
fn type_name(value: &Value) -> &'static str {
    JsonType::from(value).as_str()
}

/// A value for a message: a string in single quotes, anything else as JSON; clipped.
pub(crate) fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", clip(text, LONGEST)),
        _ => clip(&value.to_string(), LONGEST),
    }
}

fn listed(options: &[Value]) -> String {
    let mut shown: Vec<String> = options.iter().take(MOST_VALUES).map(quoted).collect();
    if options.len() > MOST_VALUES {
        shown.push(format!("{} more", options.len() - MOST_VALUES));
    }
    shown.join(" | ")
}

fn length(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}

fn number(relation: &str, limit: &Value, value: &Value) -> (String, String) {
    let message = format!("Number must be {relation} {limit}, received {value}");
    (message, "Write a number in the range, or correct the range in the schema.".to_owned())
}

fn elements(relation: &str, limit: u64, value: &Value) -> (String, String) {
    let has = value.as_array().map_or(0, Vec::len);
    let message = format!("Array must contain {relation} {limit} element(s), has {has}");
    (message, "Add or remove elements, or correct the bound in the schema.".to_owned())
}

fn members(relation: &str, limit: u64, value: &Value) -> (String, String) {
    let has = value.as_object().map_or(0, serde_json::Map::len);
    let message = format!("Object must have {relation} {limit} key(s), has {has}");
    (message, "Add or remove keys, or correct the bound in the schema.".to_owned())
}

/// The first two equal elements of an array that is not long.
fn twice(value: &Value) -> Option<String> {
    let elements = value.as_array().filter(|elements| elements.len() < 1000)?;
    let (later, first) = elements.iter().enumerate().find_map(|(later, element)| {
        Some((later, elements[..later].iter().position(|other| other == element)?))
    })?;
    Some(format!(": elements {first} and {later} are equal"))
}
