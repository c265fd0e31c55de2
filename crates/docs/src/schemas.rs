//! A schema as a table: a row for each value that has a name.

use std::fmt::Write;

use evalcheck_engine::schema::{
    Array, Condition, Empty, Number, Object, Properties, Schema, Types, UnknownKeys,
};
use evalcheck_report::text::listed;

use crate::markdown::{code, row, table, values};

/// An object with this many rows is described once; elsewhere the table refers to it.
const MANY_ROWS: usize = 4;

/// With more places than this, only the first two are named.
const MANY_PLACES: usize = 12;

/// The table, and below it the treatment of keys that are not in it.
pub(crate) fn section(schema: &'static Schema) -> String {
    let mut rows = Rows::default();
    rows.inside(schema, "", "");
    let mut out = String::new();
    if !rows.text.is_empty() {
        out.push_str(&table(&["Path", "Type", "Required", "Values", "Meaning"]));
        out.push_str(&rows.text);
    }
    let others = rows.other_keys();
    out.push_str(if out.is_empty() { others.trim_start() } else { &others });
    for condition in &rows.conditions {
        let _ = writeln!(out, "\n{condition}");
    }
    out
}

/// The types that a schema accepts, in words. Values are left to their own column.
fn types(schema: &Schema) -> String {
    if is_any(schema) {
        return "any".to_owned();
    }
    let mut names: Vec<String> = Vec::new();
    if schema.string.is_some() {
        names.push("string".into());
    }
    if let Some(Number { integer, .. }) = &schema.number {
        names.push(if *integer { "integer" } else { "number" }.into());
    }
    if schema.boolean {
        names.push("boolean".into());
    }
    if schema.object.is_some() {
        names.push("object".into());
    }
    if let Some(Array { items, .. }) = &schema.array {
        let items = types(items);
        names.push(if items == "any" { "array".into() } else { format!("array of {items}") });
    }
    if schema.null {
        names.push("null".into());
    }
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

fn is_any(schema: &Schema) -> bool {
    schema.null
        && schema.boolean
        && schema.number.is_some()
        && schema.string.is_some()
        && schema.array.is_some()
        && schema.object.is_some()
}

/// The constraints of a value beyond its type.
fn constraints(schema: &Schema) -> String {
    let mut parts = Vec::new();
    if let Some(text) = &schema.string {
        if !text.values.is_empty() {
            parts.push(values(text.values.iter().copied()));
        }
        if text.not_blank {
            parts.push("not blank".to_owned());
        }
        if text.json {
            parts.push("JSON".to_owned());
        }
    }
    if let Some(Number { minimum, maximum, .. }) = &schema.number {
        parts.extend(minimum.map(|minimum| format!("at least {minimum}")));
        parts.extend(maximum.map(|maximum| format!("at most {maximum}")));
    }
    if let Some(Array { items, empty, most, .. }) = &schema.array {
        match empty {
            Empty::Allow => {}
            Empty::Suspicious => parts.push("empty: a warning".to_owned()),
            Empty::Deny => parts.push("not empty".to_owned()),
        }
        parts.extend(most.map(|most| format!("at most {most} of them")));
        if items.object.is_none() && items.array.is_none() && !is_any(items) {
            let of_items = constraints(items);
            if !of_items.is_empty() {
                parts.push(format!("each: {of_items}"));
            }
        }
    }
    parts.join("; ")
}

#[derive(Default)]
struct Rows {
    text: String,
    /// The schemas around the current one, to detect recursion.
    around: Vec<*const Schema>,
    /// The objects with many rows, and their paths.
    described: Vec<(*const Schema, String)>,
    own: Vec<String>,
    dropped: Vec<String>,
    forbidden: Vec<String>,
    conditions: Vec<String>,
}

impl Rows {
    /// Adds the rows of the values inside a value; `only` is the variant that has them.
    fn inside(&mut self, schema: &'static Schema, path: &str, only: &str) {
        let pointer = std::ptr::from_ref(schema);
        if is_any(schema) || self.around.contains(&pointer) {
            return;
        }
        if let Some((_, first)) = self.described.iter().find(|(known, _)| *known == pointer) {
            let doc = format!("As {}.", code(first));
            return self.row(path, &types(schema), "", "", &doc);
        }
        let before = self.text.len();
        self.around.push(pointer);
        match &schema.object {
            None | Some(Object::Keyed(_)) => {}
            Some(Object::Properties(fields)) => self.fields(fields, path, only, None),
            Some(Object::Tagged { key, variants }) => {
                let tags = values(variants.iter().map(|(tag, _)| *tag));
                let doc = variants.first().and_then(|(_, fields)| {
                    fields.fields.iter().find(|field| field.key == *key).map(|field| field.schema.doc)
                });
                let required = format!("yes{only}");
                self.row(&joined(path, key), "string", &required, &tags, doc.unwrap_or_default());
                for (tag, fields) in *variants {
                    let only = format!(", with {} {}", code(key), code(tag));
                    self.fields(fields, path, &only, Some(key));
                }
            }
        }
        if let Some(Object::Keyed(sets)) = &schema.object {
            for (key, fields) in *sets {
                self.fields(fields, path, &format!(", with {}", code(key)), None);
            }
        }
        if let Some(Array { items, .. }) = &schema.array {
            let path = format!("{path}[]");
            if !items.doc.is_empty() {
                self.row(&path, &types(items), "", &constraints(items), items.doc);
            }
            self.inside(items, &path, only);
        }
        self.around.pop();
        if schema.object.is_some() && self.text[before..].lines().count() >= MANY_ROWS {
            self.described.push((pointer, path.to_owned()));
        }
    }

    fn fields(&mut self, fields: &'static Properties, path: &str, only: &str, tag: Option<&str>) {
        for field in fields.fields.iter().filter(|field| tag != Some(field.key)) {
            let path = joined(path, field.key);
            let required = format!("{}{only}", if field.required { "yes" } else { "no" });
            self.row(&path, &types(field.schema), &required, &constraints(field.schema), field.schema.doc);
            self.inside(field.schema, &path, only);
        }
        self.conditions.extend(fields.conditions.iter().map(|condition| held(condition, path)));
        let location = if path.is_empty() { "the record itself".to_owned() } else { code(path) };
        let list = match &fields.others {
            UnknownKeys::Allow => &mut self.own,
            UnknownKeys::Ignore => &mut self.dropped,
            UnknownKeys::Deny => &mut self.forbidden,
            UnknownKeys::Each(schema) => {
                let path = joined(path, "*");
                self.row(&path, &types(schema), &format!("no{only}"), &constraints(schema), schema.doc);
                return self.inside(schema, &path, only);
            }
        };
        if !list.contains(&location) {
            list.push(location);
        }
    }

    fn row(&mut self, path: &str, types: &str, required: &str, constraints: &str, doc: &str) {
        self.text.push_str(&row(&[&code(path), types, required, constraints, doc]));
    }

    fn other_keys(&self) -> String {
        let mut out = String::new();
        for (places, what) in [
            (&self.own, "are accepted in"),
            (&self.dropped, "are silently dropped by the system (a warning) in"),
            (&self.forbidden, "are refused in"),
        ] {
            if places.len() > MANY_PLACES {
                let (some, count) = (listed(&places[..2]), places.len() - 2);
                let _ =
                    writeln!(out, "\nKeys that are not listed {what} {some}, and in {count} other objects.");
            } else if !places.is_empty() {
                let _ = writeln!(out, "\nKeys that are not listed {what} {}.", listed(places));
            }
        }
        out
    }
}

/// A condition as a sentence.
fn held(condition: &Condition, path: &str) -> String {
    let mut parts = Vec::new();
    for then in condition.then {
        let key = code(&joined(path, then.key));
        if then.required {
            parts.push(format!("{key} is required"));
        }
        if then.types != Types::ALL {
            let optional = if then.required { "" } else { ", if present," };
            parts.push(format!("{key}{optional} is of type {}", then.types.names().join(" or ")));
        }
        if !then.keys.is_empty() {
            let keys = values(then.keys.iter().copied());
            parts.push(format!("{key}, if it is an object, has {keys}"));
        }
    }
    let decides = code(&joined(path, condition.key));
    let alternatives = condition.values.iter().map(|value| code(value)).collect::<Vec<_>>().join(" or ");
    format!("When {decides} is {alternatives}: {}.", parts.join("; "))
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
