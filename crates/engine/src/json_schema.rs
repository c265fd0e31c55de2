//! The schema of a format as JSON Schema (draft 7), for tools that read it.
//!
//! The JSON Schema has the same constraints and no others: a record follows it exactly if evalcheck finds no *error* of its shape
//! (`shape/...`). Warnings are not in it, and neither are rules across records, text and archives.

use serde_json::{Map, Value, json};

use crate::formats::{Format, Layout, List, ListPlace, Variant};
use crate::schema::{
    Array, Condition, Empty, Number, Object, Properties, Schema, StringSchema, Types, UnknownKeys,
};

/// The schema of a record of a variant; of the whole file if the file is one JSON document. `None` for a CSV, whose rows are not JSON.
///
/// ```
/// let format = evalcheck_engine::formats::by_id("juryarena").expect("it is in the catalogue");
/// let schema = evalcheck_engine::json_schema::of(format, &format.variants[0]).expect("its records are JSON");
/// assert_eq!(schema["required"][0], "input");
/// ```
pub fn of(format: &Format, variant: &'static Variant) -> Option<Value> {
    let mut writer = Writer::default();
    let mut schema = match variant.layout {
        Layout::Jsonl => writer.schema(variant.schema),
        Layout::JsonlWithHeader(header_shape) => {
            let header = writer.schema(header_shape);
            writer.definitions.insert("header".to_owned(), header);
            // The header chooses among the variants that begin with it.
            let chosen = format.variants.iter().filter(
                |other| matches!(other.layout, Layout::JsonlWithHeader(own) if std::ptr::eq(own, header_shape)),
            );
            let mut schemas: Vec<Value> = chosen.map(|other| writer.schema(other.schema)).collect();
            if schemas.len() == 1 { schemas.remove(0) } else { json!({ "anyOf": schemas }) }
        }
        Layout::Csv(_) => return None,
        Layout::Json(lists) => writer.document(lists),
    };
    let root = schema.as_object_mut()?;
    root.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    root.insert("$id".to_owned(), json!(id(format, variant)));
    root.insert("title".to_owned(), json!(title(format, variant)));
    root.insert("$comment".to_owned(), json!(comment(variant)));
    if !writer.definitions.is_empty() {
        root.insert("definitions".to_owned(), Value::Object(writer.definitions));
    }
    Some(schema)
}

/// The unique name of a schema.
fn id(format: &Format, variant: &Variant) -> String {
    match variant.version {
        "" => format!("urn:evalcheck:format:{}", format.id),
        version => format!("urn:evalcheck:format:{}:{version}", format.id),
    }
}

fn title(format: &Format, variant: &Variant) -> String {
    match variant.version {
        "" => format.about.title.to_owned(),
        version => format!("{} {version}", format.about.title),
    }
}

fn comment(variant: &Variant) -> &'static str {
    match variant.layout {
        Layout::JsonlWithHeader(_) => {
            "Each line after the first; the first line follows #/definitions/header and may choose another shape. \
             Only the shape: evalcheck checks more."
        }
        Layout::Json(_) => "The whole file. Only the shape: evalcheck checks more.",
        Layout::Jsonl | Layout::Csv(_) => "Each line. Only the shape: evalcheck checks more.",
    }
}

#[derive(Default)]
struct Writer {
    /// The schemas that are being written, with the names of those that turned out to be recursive.
    around: Vec<(*const Schema, Option<String>)>,
    definitions: Map<String, Value>,
}

impl Writer {
    /// The schema of a document with these lists. Which lists any key has, a schema cannot say.
    fn document(&mut self, lists: &'static [List]) -> Value {
        let mut alternatives = Vec::new();
        let mut properties = Map::new();
        for list in lists {
            let array = |items| json!({"type": "array", "items": items});
            match list.place {
                ListPlace::Key(key) => {
                    properties.insert(key.to_owned(), array(self.schema(list.schema)));
                }
                ListPlace::AnyKey => {}
                ListPlace::Root => alternatives.push(array(self.schema(list.schema))),
                ListPlace::Single(_) => alternatives.push(self.schema(list.schema)),
            }
        }
        if !properties.is_empty() {
            let required: Vec<&str> =
                lists.iter().filter(|list| list.required).filter_map(List::key).collect();
            alternatives.push(json!({"type": "object", "properties": properties, "required": required}));
        }
        joined(alternatives)
    }

    fn schema(&mut self, schema: &'static Schema) -> Value {
        if accepts_anything(schema) {
            return documented(json!({}), schema.doc);
        }
        let pointer = std::ptr::from_ref(schema);
        let fresh = format!("recursive-{}", self.definitions.len() + 1);
        if let Some((_, name)) = self.around.iter_mut().find(|(open, _)| *open == pointer) {
            let name = name.get_or_insert(fresh);
            return json!({"$ref": format!("#/definitions/{name}")});
        }
        self.around.push((pointer, None));
        let alternatives = self.alternatives(schema);
        let schema = documented(joined(alternatives), schema.doc);
        match self.around.pop() {
            Some((_, Some(name))) => {
                let reference = json!({"$ref": format!("#/definitions/{name}")});
                self.definitions.insert(name, schema);
                reference
            }
            _ => schema,
        }
    }

    fn alternatives(&mut self, schema: &'static Schema) -> Vec<Value> {
        let mut alternatives = Vec::new();
        if let Some(text) = &schema.string {
            alternatives.push(string(text));
        }
        if schema.coerced && schema.number.is_none() {
            alternatives.push(json!({"type": "number"}));
        }
        if let Some(number) = &schema.number {
            alternatives.push(self::number(number));
        }
        if schema.boolean || schema.coerced {
            alternatives.push(json!({"type": "boolean"}));
        }
        if let Some(object) = &schema.object {
            alternatives.push(self.object(object));
        }
        if let Some(array) = &schema.array {
            alternatives.push(self.array(array));
        }
        if schema.null || schema.coerced {
            alternatives.push(json!({"type": "null"}));
        }
        alternatives
    }

    fn array(&mut self, array: &'static Array) -> Value {
        let mut schema = json!({"type": "array"});
        let items = self.schema(array.items);
        if items != json!({}) {
            schema["items"] = items;
        }
        if array.empty == Empty::Deny {
            schema["minItems"] = json!(1);
        }
        if let Some(most) = array.most {
            schema["maxItems"] = json!(most);
        }
        schema
    }

    fn object(&mut self, object: &'static Object) -> Value {
        match object {
            Object::Properties(fields) => self.fields(fields, None),
            Object::Tagged { key, variants } => {
                let variants: Vec<Value> =
                    variants.iter().map(|(tag, fields)| self.fields(fields, Some((key, tag)))).collect();
                json!({"type": "object", "oneOf": variants})
            }
            Object::Keyed(sets) => {
                let mut sets = sets.iter().rev().map(|(key, fields)| (key, self.fields(fields, None)));
                let last = sets.next().map(|(_, fields)| fields);
                // An object with none of the keys lacks that of the last set too.
                sets.fold(last.unwrap_or_default(), |others, (key, fields)| {
                    json!({"type": "object", "if": {"required": [key]}, "then": fields, "else": others})
                })
            }
        }
    }

    /// A set of fields; `tag` is the key that selects a variant, and its value for this one.
    fn fields(&mut self, fields: &'static Properties, tag: Option<(&str, &str)>) -> Value {
        let mut properties = Map::new();
        for field in fields.fields {
            properties.insert(field.key.to_owned(), self.schema(field.schema));
        }
        let mut required: Vec<&str> =
            fields.fields.iter().filter(|field| field.required).map(|field| field.key).collect();
        if let Some((key, tag)) = tag {
            properties.insert(key.to_owned(), json!({"const": tag}));
            if !required.contains(&key) {
                required.push(key);
            }
        }
        let mut schema = json!({"type": "object"});
        if !properties.is_empty() {
            schema["properties"] = Value::Object(properties);
        }
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        match &fields.others {
            UnknownKeys::Allow | UnknownKeys::Ignore => {}
            UnknownKeys::Deny => schema["additionalProperties"] = json!(false),
            UnknownKeys::Each(value) => schema["additionalProperties"] = self.schema(value),
        }
        if !fields.conditions.is_empty() {
            schema["allOf"] = fields.conditions.iter().map(condition).collect();
        }
        schema
    }
}

fn condition(condition: &Condition) -> Value {
    let key = condition.key;
    let mut properties = Map::new();
    for then in condition.then {
        let mut schema = Map::new();
        if then.types != Types::ALL {
            schema.insert("type".to_owned(), json!(then.types.names()));
        }
        if !then.keys.is_empty() {
            schema.insert("required".to_owned(), json!(then.keys));
        }
        if !schema.is_empty() {
            properties.insert(then.key.to_owned(), Value::Object(schema));
        }
    }
    let required: Vec<&str> =
        condition.then.iter().filter(|then| then.required).map(|then| then.key).collect();
    json!({
        "if": {"required": [key], "properties": {key: {"enum": condition.values}}},
        "then": {"required": required, "properties": properties},
    })
}

/// A character that is not white space. To JavaScript, whose patterns JSON Schema has, U+FEFF is white space and U+0085 is not.
const NOT_BLANK: &str = "[^\\s\\u0085]|\\ufeff";

fn string(text: &StringSchema) -> Value {
    let mut schema = json!({"type": "string"});
    if !text.values.is_empty() {
        schema["enum"] = json!(text.values);
    } else if text.not_blank {
        schema["pattern"] = json!(NOT_BLANK);
    }
    schema
}

fn number(number: &Number) -> Value {
    let mut schema = json!({"type": if number.integer { "integer" } else { "number" }});
    if let Some(minimum) = number.minimum {
        schema["minimum"] = json!(minimum);
    }
    if let Some(maximum) = number.maximum {
        schema["maximum"] = json!(maximum);
    }
    schema
}

/// Joins alternatives: a single one is unchanged, several bare types become a list of types, others become `anyOf`.
fn joined(mut alternatives: Vec<Value>) -> Value {
    let bare: Option<Vec<Value>> = alternatives
        .iter()
        .map(|alternative| {
            let object = alternative.as_object().filter(|object| object.len() == 1)?;
            object.get("type").cloned()
        })
        .collect();
    match (alternatives.len(), bare) {
        // Accepts nothing.
        (0, _) => json!({"not": {}}),
        (1, _) => alternatives.remove(0),
        (_, Some(types)) => json!({"type": types}),
        _ => json!({"anyOf": alternatives}),
    }
}

fn documented(mut schema: Value, doc: &str) -> Value {
    if !doc.is_empty() {
        schema["description"] = json!(doc);
    }
    schema
}

/// Whether a schema accepts any value.
fn accepts_anything(schema: &Schema) -> bool {
    std::ptr::eq(schema, &raw const crate::schema::ANY)
}
