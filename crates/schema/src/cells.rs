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

/// The most references in a row that are followed to find the types of a column.
const MOST_STEPS: usize = 50;

/// The types that a schema expects in the columns of a row.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    columns: BTreeMap<String, JsonTypeSet>,
    /// The types in columns that it does not name.
    others: JsonTypeSet,
}

impl Cells {
    pub(crate) fn new(files: &Files, record: &SchemaPlace) -> Self {
        let mut columns = BTreeMap::new();
        add_columns(files, record, &mut columns, MOST_STEPS);
        let of_others =
            SchemaPlace { pointer: format!("{}/additionalProperties", record.pointer), ..*record };
        let has_patterns =
            files.value(record).is_some_and(|schema| schema.get("patternProperties").is_some());
        let others = if has_patterns { JsonTypeSet::all() } else { types_of(files, &of_others, MOST_STEPS) };
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
    let Some(schema) = files.value(at) else { return };
    for (column, pointer) in members(schema, at, "properties") {
        let types = types_of(files, &pointer, steps);
        columns.entry(column).and_modify(|known| *known = known.union(types)).or_insert(types);
    }
    for part in parts(files, schema, at, steps) {
        add_columns(files, &part, columns, steps.saturating_sub(1));
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
    for all in referred(files, schema, at).into_iter().chain(elements(schema, at, "allOf")) {
        types = types.intersect(below(&all));
    }
    for keyword in ["anyOf", "oneOf"] {
        let either = elements(schema, at, keyword);
        if !either.is_empty() {
            let any = either.iter().fold(JsonTypeSet::empty(), |any, at| any.union(below(at)));
            types = types.intersect(any);
        }
    }
    types
}

/// The schemas that also describe the same object.
fn parts(files: &Files, schema: &Value, at: &SchemaPlace, steps: usize) -> Vec<SchemaPlace> {
    if steps == 0 {
        return Vec::new();
    }
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| elements(schema, at, keyword));
    referred(files, schema, at).into_iter().chain(lists).collect()
}

fn referred(files: &Files, schema: &Value, at: &SchemaPlace) -> Option<SchemaPlace> {
    files.follow(at, schema.get("$ref")?.as_str()?).map(|(place, _)| place)
}

fn elements(schema: &Value, at: &SchemaPlace, keyword: &str) -> Vec<SchemaPlace> {
    let number = schema.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
    let place = |index| SchemaPlace { file: at.file, pointer: format!("{}/{keyword}/{index}", at.pointer) };
    (0..number).map(place).collect()
}

fn members(schema: &Value, at: &SchemaPlace, keyword: &str) -> Vec<(String, SchemaPlace)> {
    let keys = schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(|members| members.keys());
    let place = |key: &String| {
        let step = key.replace('~', "~0").replace('/', "~1");
        SchemaPlace { file: at.file, pointer: format!("{}/{keyword}/{step}", at.pointer) }
    };
    keys.map(|key| (key.clone(), place(key))).collect()
}

fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> JsonTypeSet {
    names.into_iter().filter_map(|name| name.parse().ok()).fold(JsonTypeSet::empty(), insert)
}

/// Adds a type; an integer is a number.
fn insert(types: JsonTypeSet, of: JsonType) -> JsonTypeSet {
    if of == JsonType::Number { types.insert(of).insert(JsonType::Integer) } else { types.insert(of) }
}
