//! The JSON Schemas of reports and comparisons and the types of the JavaScript and Python APIs, generated from the types of this crate.
//! Only for development, with the feature `types`: `cargo xtask generate` writes them.

mod python;
mod shape;
mod typescript;

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::catalogue::{FormatInfo, RuleInfo};
use crate::compare::Comparison;
use crate::options::{self, Declaration, Kind, OPTIONS};
use crate::types::shape::Described;
use crate::worker::Progress;
use evalcheck_report::Report;
use evalcheck_report::view::Hit;

/// The largest whole number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The JSON Schema of a report.
pub fn report_schema() -> Value {
    schema_of::<Report>()
}

/// The JSON Schema of a comparison of two versions.
pub fn comparison_schema() -> Value {
    schema_of::<Comparison>()
}

fn schema_of<T: JsonSchema>() -> Value {
    settings().with_transform(strict).into_generator().into_root_schema_for::<T>().to_value()
}

/// The TypeScript declarations of the declared options and of the values that the JavaScript API returns.
pub fn typescript() -> String {
    let mut types = settings().into_generator();
    types.subschema_for::<Report>();
    types.subschema_for::<FormatInfo>();
    types.subschema_for::<RuleInfo>();
    types.subschema_for::<Progress>();
    let mut declarations = vec![
        options("CheckOptions", |option| option.javascript),
        options("FixOptions", |option| option.javascript_fix),
    ];
    let types = types.take_definitions(true);
    declarations
        .extend(types.iter().map(|(name, schema)| typescript::declaration(name, &Described::of(schema))));
    declarations.join("\n")
}

/// The declared options of an interface, which TypeScript merges with those that are written by hand.
fn options(interface: &str, member: impl Fn(&Declaration) -> Option<options::Member>) -> String {
    let members = OPTIONS.iter().filter_map(|option| {
        let ((_, name), (member, doc)) = (option.kind.expected(), member(option)?);
        let schema = match option.kind {
            // Written by hand in options.d.ts.
            Kind::Schema => json!({ "$ref": "UserSchema", "description": doc }),
            _ => json!({ "type": name, "items": { "type": "string" }, "description": doc }),
        };
        Some((member.to_owned(), schema))
    });
    let schema = json!({ "type": "object", "properties": members.collect::<Map<_, _>>() });
    typescript::declaration(interface, &Described::of(&schema))
}

/// The Python module with the values that the Python API returns.
pub fn python() -> String {
    let mut types = settings().into_generator();
    types.subschema_for::<Report>();
    types.subschema_for::<FormatInfo>();
    types.subschema_for::<RuleInfo>();
    types.subschema_for::<Hit>();
    let types = types.take_definitions(true);
    let declarations = types.iter().map(|(name, schema)| python::declaration(name, Described::of(schema)));
    [python::HEAD.to_owned()].into_iter().chain(declarations).collect::<Vec<_>>().join("\n\n")
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().for_serialize()
}

/// Adds constraints that the derived schema leaves open: an object has no other keys, an optional value is never empty, and numbers are
/// those that JavaScript can hold.
fn strict(schema: &mut Schema) {
    transform_subschemas(&mut strict, schema);
    let Some(schema) = schema.as_object_mut() else { return };
    if let Some(Value::String(description)) = schema.get_mut("description") {
        // A line break in the source is not one in the text.
        *description = description.replace('\n', " ");
    }
    if schema.remove("format").is_some_and(|format| format == "uint64") {
        schema.insert("maximum".to_owned(), MAX_SAFE_INTEGER.into());
    }
    schema.remove("default");
    // Conditions have properties too, but no type.
    if schema.get("type").is_none_or(|name| name != "object") {
        return;
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|key| key == name));
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
        present(property);
    }
    schema.insert("additionalProperties".to_owned(), false.into());
}

/// Makes the schema of an optional property that of a present value.
fn present(property: &mut Value) {
    let Some(schema) = property.as_object_mut() else { return };
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|schema| schema["type"] != "null");
        if let [Value::Object(only)] = any.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            // The description of the property takes precedence over that of its type.
            for (key, value) in only {
                schema.entry(key).or_insert(value);
            }
        }
    }
    let least = match schema.get("type").and_then(Value::as_str) {
        Some("array") => "minItems",
        Some("object") if !schema.contains_key("properties") => "minProperties",
        _ => return,
    };
    schema.insert(least.to_owned(), 1.into());
}
