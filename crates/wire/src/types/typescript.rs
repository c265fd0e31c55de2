//! TypeScript declarations from the JSON Schemas that are derived from Rust types.

use std::fmt::Write;

use serde_json::{Map, Value};

/// Columns of a comment.
const WIDTH: usize = 110;

/// `export interface NAME { ... }`, or `export type NAME = ...;` if the type is not an object.
pub(super) fn declaration(name: &str, schema: &Value) -> String {
    let comment = comment(schema, "");
    match schema.get("properties") {
        Some(Value::Object(properties)) => {
            format!("{comment}export interface {name} {}\n", members(schema, properties, ""))
        }
        _ => format!("{comment}export type {name} ={};\n", after_space(&type_of(schema, ""))),
    }
}

/// The type that a schema describes, in lines that begin with `indent`.
fn type_of(schema: &Value, indent: &str) -> String {
    if let Some(Value::String(reference)) = schema.get("$ref") {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(Value::Array(any)) = schema.get("oneOf").or_else(|| schema.get("anyOf")) {
        return union(any, indent);
    }
    match schema.get("type") {
        Some(Value::Array(types)) => {
            let of = |name: &Value| named_type(name, schema, indent);
            types.iter().map(of).collect::<Vec<_>>().join(" | ")
        }
        Some(name) => named_type(name, schema, indent),
        None => "unknown".to_owned(),
    }
}

/// A union of types, each on its own line with its comment if any has one.
fn union(any: &[Value], indent: &str) -> String {
    if any.iter().all(|schema| schema.get("description").is_none()) {
        return any.iter().map(|schema| type_of(schema, indent)).collect::<Vec<_>>().join(" | ");
    }
    let deeper = format!("{indent}  ");
    any.iter().fold(String::new(), |mut out, schema| {
        let _ = write!(out, "\n{}{deeper}| {}", comment(schema, &deeper), type_of(schema, &deeper));
        out
    })
}

fn named_type(name: &Value, schema: &Value, indent: &str) -> String {
    match (name.as_str().unwrap_or_default(), schema.get("properties"), schema.get("additionalProperties")) {
        ("integer" | "number", ..) => "number".to_owned(),
        ("array", ..) => {
            let items = type_of(&schema["items"], indent);
            if items.contains([' ', '\n']) && !items.starts_with('{') {
                format!("({items})[]")
            } else {
                format!("{items}[]")
            }
        }
        ("object", Some(Value::Object(properties)), _) => members(schema, properties, indent),
        ("object", _, Some(values)) => format!("Record<string, {}>", type_of(values, indent)),
        (name, ..) => name.to_owned(),
    }
}

/// The text with a space before it, unless it begins on the next line.
fn after_space(text: &str) -> String {
    if text.starts_with('\n') { text.to_owned() } else { format!(" {text}") }
}

/// `{ ... }` with a line for each member and its comment before it.
fn members(schema: &Value, properties: &Map<String, Value>, indent: &str) -> String {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let deeper = format!("{indent}  ");
    let mut out = "{\n".to_owned();
    for (name, property) in properties {
        let optional = if required.iter().any(|key| key == name) { "" } else { "?" };
        let _ = writeln!(
            out,
            "{}{deeper}{name}{optional}:{};",
            comment(property, &deeper),
            after_space(&type_of(property, &deeper))
        );
    }
    out + indent + "}"
}

/// The description as a comment before the line.
fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else { return String::new() };
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < WIDTH) {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    if let [line] = lines.as_slice() {
        return format!("{indent}/** {line} */\n");
    }
    format!("{indent}/**\n{indent} * {}\n{indent} */\n", lines.join(&format!("\n{indent} * ")))
}
