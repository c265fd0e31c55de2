//! TypeScript declarations of types.

use std::fmt::Write;

use super::shape::{Described, Member, Shape, lines};

/// Columns of a comment.
const WIDTH: usize = 110;

/// `export interface NAME { ... }`, or `export type NAME = ...;` if the type is not an object.
pub(super) fn declaration(name: &str, of: &Described<'_>) -> String {
    let (name, comment) = (type_name(name), comment(of, ""));
    match &of.shape {
        Shape::Object(all) => format!("{comment}export interface {name} {}\n", members(all, "")),
        shape => format!("{comment}export type {name} ={};\n", after_space(&type_of(shape, ""))),
    }
}

/// The name of a type. `Format` is an element of `formats()`, and `File` is a type of browsers.
fn type_name(name: &str) -> &str {
    match name {
        "FormatInfo" => "Format",
        "Format" => "CheckedFormat",
        "File" => "CheckedFile",
        name => name,
    }
}

/// A type, in lines that begin with `indent`.
fn type_of(shape: &Shape<'_>, indent: &str) -> String {
    match shape {
        Shape::Named(name) => type_name(name).to_owned(),
        Shape::Constant(value) => value.to_string(),
        Shape::Union(any) => union(any, indent),
        Shape::Array(items) => {
            let items = type_of(items, indent);
            if items.contains([' ', '\n']) && !items.starts_with('{') {
                format!("({items})[]")
            } else {
                format!("{items}[]")
            }
        }
        Shape::Map(values) => format!("Record<string, {}>", type_of(values, indent)),
        Shape::Object(all) => members(all, indent),
        Shape::Scalar("integer" | "number") => "number".to_owned(),
        Shape::Scalar(name) => (*name).to_owned(),
    }
}

/// A union of types, each on its own line with its comment if any has one.
fn union(any: &[Described<'_>], indent: &str) -> String {
    if any.iter().all(|one| one.description.is_none()) {
        return any.iter().map(|one| type_of(&one.shape, indent)).collect::<Vec<_>>().join(" | ");
    }
    let deeper = format!("{indent}  ");
    any.iter().fold(String::new(), |mut out, one| {
        let _ = write!(out, "\n{}{deeper}| {}", comment(one, &deeper), type_of(&one.shape, &deeper));
        out
    })
}

/// The text with a space before it, unless it begins on the next line.
fn after_space(text: &str) -> String {
    if text.starts_with('\n') { text.to_owned() } else { format!(" {text}") }
}

/// `{ ... }` with a line for each member and its comment before it.
fn members(all: &[Member<'_>], indent: &str) -> String {
    let deeper = format!("{indent}  ");
    let member = |Member { name, is_required, is_nullable, value }: &Member<'_>| {
        let optional = if *is_required { "" } else { "?" };
        // An optional member is absent if there is no value.
        let null = if *is_required && *is_nullable { " | null" } else { "" };
        let of = after_space(&type_of(&value.shape, &deeper));
        format!("{}{deeper}{name}{optional}:{of}{null};\n", comment(value, &deeper))
    };
    format!("{{\n{}{indent}}}", all.iter().map(member).collect::<String>())
}

/// The description as a comment before the line.
fn comment(of: &Described<'_>, indent: &str) -> String {
    let Some(text) = &of.description else { return String::new() };
    match lines(text, WIDTH).as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        lines => format!("{indent}/**\n{indent} * {}\n{indent} */\n", lines.join(&format!("\n{indent} * "))),
    }
}
