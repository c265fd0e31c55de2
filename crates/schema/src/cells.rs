//! Rows of a CSV: each cell becomes a value of the type that the schema expects.
//!
//! A cell stays a string wherever the schema allows a string. Otherwise it becomes a number if it is written as one in JSON, a boolean if it is true or false
//! (`True` and `TRUE` too, which pandas and Excel write), an array or an object if it is that in JSON. An empty cell becomes null, or its key is absent where
//! null is not allowed. A cell that is nothing of that stays a string, so that the message says what was received.

use std::collections::BTreeMap;

use evalcheck_wire::user_schema::SchemaPlace;
use jsonschema::{JsonType, JsonTypeSet};
use serde_json::Value;

use crate::files::Files;
use crate::parts::{MOST_REFERENCES, below};

/// The types that a schema expects in the columns of a row.
#[derive(Debug)]
pub(crate) struct Cells {
    columns: BTreeMap<String, JsonTypeSet>,
    /// The types in columns that it does not name.
    others: JsonTypeSet,
}

impl Cells {
    pub(crate) fn new(files: &Files, record: &SchemaPlace) -> Self {
        let mut columns = BTreeMap::new();
        add_columns(files, record, &mut columns, MOST_REFERENCES);
        let of_others = below(record, "additionalProperties");
        let has_patterns =
            files.value(record).is_some_and(|schema| schema.get("patternProperties").is_some());
        let others =
            if has_patterns { JsonTypeSet::all() } else { types_of(files, &of_others, MOST_REFERENCES) };
        Self { columns, others }
    }

    /// A row with values of these types.
    pub(crate) fn typed(&self, row: Value) -> Value {
        let Value::Object(cells) = row else { return row };
        let typed = cells.into_iter().filter_map(|(column, cell)| {
            let types = self.columns.get(&column).copied().unwrap_or(self.others);
            match cell.as_str().map_or(Typed::Text, |text| typed(text, types)) {
                Typed::Absent => None,
                Typed::Text => Some((column, cell)),
                Typed::Value(value) => Some((column, value)),
            }
        });
        Value::Object(typed.collect())
    }
}

/// The meaning of a cell.
enum Typed {
    /// Its key is absent.
    Absent,
    /// Its text.
    Text,
    /// A value of another type.
    Value(Value),
}

/// The meaning of a cell where these types are expected.
fn typed(text: &str, types: JsonTypeSet) -> Typed {
    const TRUTH: [(&str, bool); 6] = [
        ("true", true),
        ("True", true),
        ("TRUE", true),
        ("false", false),
        ("False", false),
        ("FALSE", false),
    ];
    if types.contains(JsonType::String) {
        return Typed::Text;
    }
    if text.is_empty() {
        let is_null = types.contains(JsonType::Null);
        return if is_null { Typed::Value(Value::Null) } else { Typed::Absent };
    }
    let truth = TRUTH.iter().find(|(word, _)| *word == text).map(|(_, truth)| Value::Bool(*truth));
    let json = || serde_json::from_str(text).ok().filter(|_| text.trim() == text);
    let value = truth.or_else(json).filter(|value| match value {
        Value::Number(_) => types.contains(JsonType::Integer),
        Value::Bool(_) => types.contains(JsonType::Boolean),
        Value::Array(_) => types.contains(JsonType::Array),
        Value::Object(_) => types.contains(JsonType::Object),
        Value::Null | Value::String(_) => false,
    });
    value.map_or(Typed::Text, Typed::Value)
}

/// Adds the columns that a schema names, also through `$ref` and its alternatives.
fn add_columns(files: &Files, at: &SchemaPlace, columns: &mut BTreeMap<String, JsonTypeSet>, steps: usize) {
    for (column, place) in files.named(at, "properties") {
        let types = types_of(files, &place, steps);
        columns.entry(column.to_owned()).and_modify(|known| *known = known.union(types)).or_insert(types);
    }
    let Some(fewer) = steps.checked_sub(1) else { return };
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| files.listed(at, keyword));
    for part in files.referred(at).into_iter().chain(lists) {
        add_columns(files, &part, columns, fewer);
    }
}

/// The types that a schema allows: all, unless it says something else.
pub(crate) fn types_of(files: &Files, at: &SchemaPlace, steps: usize) -> JsonTypeSet {
    let Some(schema) = files.value(at) else { return JsonTypeSet::all() };
    let mut types = match schema.get("type") {
        Some(Value::String(name)) => named([name.as_str()]),
        Some(Value::Array(names)) => named(names.iter().filter_map(Value::as_str)),
        _ => JsonTypeSet::all(),
    };
    let listed = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    if let Some(values) = listed.or_else(|| schema.get("const").map(std::slice::from_ref)) {
        let of_values = values.iter().map(JsonType::from).fold(JsonTypeSet::empty(), insert);
        types = types.intersect(of_values);
    }
    if steps == 0 {
        return types;
    }
    let below = |at: &SchemaPlace| types_of(files, at, steps - 1);
    for all in files.referred(at).into_iter().chain(files.listed(at, "allOf")) {
        types = types.intersect(below(&all));
    }
    for keyword in ["anyOf", "oneOf"] {
        let either = files.listed(at, keyword);
        if !either.is_empty() {
            let any = either.iter().fold(JsonTypeSet::empty(), |any, at| any.union(below(at)));
            types = types.intersect(any);
        }
    }
    types
}

fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> JsonTypeSet {
    names.into_iter().filter_map(|name| name.parse().ok()).fold(JsonTypeSet::empty(), insert)
}

/// Adds a type; an integer is a number.
fn insert(types: JsonTypeSet, of: JsonType) -> JsonTypeSet {
    if of == JsonType::Number { types.insert(of).insert(JsonType::Integer) } else { types.insert(of) }
}
