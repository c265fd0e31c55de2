//! Python dataclasses of types. A union of objects is one class, which has the fields of all of them.

use super::shape::{Described, Member, Shape, lines};

/// Columns of a docstring.
const WIDTH: usize = 130;

/// Classes with methods, which are written by hand.
const WITH_METHODS: [&str; 2] = ["Finding", "Report"];

/// The beginning of the module.
pub(super) const HEAD: &str = r#""""Made by `cargo xtask generate` from the types in crates/wire.

Objects are immutable. A value that is null or absent in JSON is `None`, or empty if it is a list or counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ._methods import FindingMethods, ReportMethods
"#;

/// A dataclass, or `NAME = ...` if the type is not an object.
pub(super) fn declaration(name: &str, of: Described<'_>) -> String {
    let of = merged(of);
    let Shape::Object(members) = &of.shape else {
        return format!("{name} = {}\n{}", type_of(&of.shape), docstring(&of, ""));
    };
    let base = if WITH_METHODS.contains(&name) { format!("({name}Methods)") } else { String::new() };
    let (documentation, fields) = (docstring(&of, "    "), members.iter().map(field).collect::<String>());
    format!(
        "@dataclass(frozen=True, slots=True, kw_only=True)\nclass {name}{base}:\n{documentation}\n{fields}"
    )
}

/// The object with the members of all objects of a union. Only a constant, by which the objects differ, has a value in each of them. Any
/// other type stays as it is.
fn merged(of: Described<'_>) -> Described<'_> {
    let Described { description, shape } = of;
    let variants = match shape {
        Shape::Union(all) if all.iter().all(|one| matches!(one.shape, Shape::Object(_))) => all,
        shape => return Described { description, shape },
    };
    let description = description.map(|text| format!("{text} Fields of other variants are `None`.").into());
    let mut all: Vec<Member<'_>> = Vec::new();
    for Described { description, shape } in variants {
        let Shape::Object(members) = shape else { continue };
        let tag = members.iter().find_map(|member| match member.value.shape {
            Shape::Constant(value) => Some(value),
            _ => None,
        });
        for Member { name, value: Described { description: of_member, shape }, .. } in members {
            let is_tag = matches!(shape, Shape::Constant(_));
            let of_member = of_member.or_else(|| description.clone());
            let description = match tag.and_then(|tag| tag.as_str()) {
                Some(tag) if !is_tag => of_member.map(|text| format!("`{tag}`: {text}").into()),
                _ => of_member,
            };
            let part = Described { description, shape };
            match all.iter_mut().find(|known| known.name == name).map(|known| &mut known.value.shape) {
                Some(Shape::Union(parts)) => parts.push(part),
                _ => all.push(Member {
                    name,
                    is_required: is_tag,
                    is_nullable: !is_tag,
                    value: Described { description: None, shape: Shape::Union(vec![part]) },
                }),
            }
        }
    }
    Described { description, shape: Shape::Object(all) }
}

/// A field of a class.
fn field(member: &Member<'_>) -> String {
    let Member { name, is_required, is_nullable, value } = member;
    // A keyword of Python.
    let name = if *name == "from" { "from_" } else { name };
    let default = match value.shape {
        _ if *is_required => "",
        _ if *is_nullable => " = None",
        Shape::Array(_) => " = ()",
        Shape::Map(_) => " = field(default_factory=dict)",
        _ if type_of(&value.shape) == "bool" => " = False",
        _ => " = 0",
    };
    let none = if *is_nullable { " | None" } else { "" };
    format!("    {name}: {}{none}{default}\n{}", type_of(&value.shape), docstring(value, "    "))
}

/// A type as an annotation.
fn type_of(shape: &Shape<'_>) -> String {
    match shape {
        Shape::Named(name) => (*name).to_owned(),
        Shape::Constant(value) => format!("Literal[{value}]"),
        Shape::Union(any) => union(any),
        Shape::Array(items) => format!("tuple[{}, ...]", type_of(items)),
        Shape::Map(values) => format!("Mapping[str, {}]", type_of(values)),
        Shape::Scalar("integer") => "int".to_owned(),
        Shape::Scalar("number") => "float".to_owned(),
        Shape::Scalar("string") => "str".to_owned(),
        Shape::Scalar("boolean") => "bool".to_owned(),
        // Objects without a name, which no type has.
        Shape::Object(_) | Shape::Scalar(_) => "object".to_owned(),
    }
}

/// The different types of a union, and its constants as one.
fn union(any: &[Described<'_>]) -> String {
    let mut constants = Vec::new();
    let mut types = Vec::new();
    for one in any {
        match &one.shape {
            Shape::Constant(value) => constants.push(value.to_string()),
            shape => types.push(type_of(shape)),
        }
    }
    if !constants.is_empty() {
        types.push(format!("Literal[{}]", constants.join(", ")));
    }
    types.dedup();
    types.join(" | ")
}

/// The description of a value and those of the types of a union, as a docstring.
fn docstring(of: &Described<'_>, indent: &str) -> String {
    let mut text = of.description.as_ref().map(|text| lines(text, WIDTH)).unwrap_or_default();
    let parts = match &of.shape {
        Shape::Union(parts) => parts.as_slice(),
        _ => &[],
    };
    let described = parts.iter().filter_map(|part| match (&part.shape, &part.description) {
        (Shape::Constant(value), Some(text)) => Some(format!("`{}`: {text}", value.as_str()?)),
        (_, text) => text.as_deref().map(str::to_owned),
    });
    let items: Vec<_> = described.map(|item| lines(&item, WIDTH)).collect();
    match items.as_slice() {
        [only] if text.is_empty() => text.clone_from(only),
        [] => {}
        items => {
            if !text.is_empty() {
                text.push(String::new());
            }
            text.extend(items.iter().map(|item| format!("- {}", item.join("\n  "))));
        }
    }
    let end = match text.len() {
        0 => return String::new(),
        1 => "",
        _ => "\n",
    };
    let all = format!("\"\"\"{}{end}\"\"\"", text.join("\n").replace('\\', "\\\\"));
    all.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") })
        .collect()
}
