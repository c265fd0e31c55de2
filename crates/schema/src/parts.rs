//! The places of the schemas in a schema.

use evalcheck_wire::user_schema::SchemaPlace;
use serde_json::Value;

use crate::files::Files;

/// The most references in a row that are followed.
pub(crate) const MOST_REFERENCES: usize = 50;

/// A key as a step of a JSON Pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The place of a key, or of an index, in the value at a place.
pub(crate) fn below(at: &SchemaPlace, key: &str) -> SchemaPlace {
    SchemaPlace { file: at.file, pointer: format!("{}/{}", at.pointer, escaped(key)) }
}

impl Files {
    /// The schema that the schema at a place refers to.
    pub(crate) fn referred(&self, at: &SchemaPlace) -> Option<SchemaPlace> {
        let reference = self.value(at)?.get("$ref")?.as_str()?;
        self.follow(at, reference).map(|(place, _)| place)
    }

    /// The schemas in the list of a keyword.
    pub(crate) fn listed(&self, at: &SchemaPlace, keyword: &str) -> Vec<SchemaPlace> {
        let list = self.value(at).and_then(|schema| schema.get(keyword)?.as_array());
        let list_at = below(at, keyword);
        (0..list.map_or(0, Vec::len)).map(|index| below(&list_at, &index.to_string())).collect()
    }

    /// The schemas in the object of a keyword, by their names.
    pub(crate) fn named(&self, at: &SchemaPlace, keyword: &str) -> Vec<(&str, SchemaPlace)> {
        let members = self.value(at).and_then(|schema| schema.get(keyword)?.as_object());
        let object_at = below(at, keyword);
        members
            .into_iter()
            .flat_map(|members| members.keys())
            .map(|key| (key.as_str(), below(&object_at, key)))
            .collect()
    }

    /// The schema of a keyword, if that is an object.
    pub(crate) fn single(&self, at: &SchemaPlace, keyword: &str) -> Option<SchemaPlace> {
        self.value(at)?.get(keyword).filter(|schema| schema.is_object()).map(|_| below(at, keyword))
    }

    /// The schemas about the same value.
    pub(crate) fn about_same_value(&self, at: &SchemaPlace) -> Vec<SchemaPlace> {
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| self.listed(at, keyword));
        let singles =
            ["not", "if", "then", "else"].into_iter().filter_map(|keyword| self.single(at, keyword));
        let dependent = self.named(at, "dependentSchemas").into_iter().map(|(_, place)| place);
        self.referred(at).into_iter().chain(lists).chain(singles).chain(dependent).collect()
    }
}

/// Whether a schema allows an array and no object.
fn is_array(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "array",
        Some(Value::Array(names)) => {
            let has = |name: &str| names.iter().any(|of| of == name);
            has("array") && !has("object")
        }
        _ => false,
    }
}

/// The place of the schema of the elements, if the schema describes an array: itself, or what it refers to. `None` for an array of arrays, whose elements are no
/// records of their own.
pub(crate) fn elements(files: &Files) -> Option<SchemaPlace> {
    let mut at = SchemaPlace::default();
    for _ in 0..MOST_REFERENCES {
        if is_array(files.value(&at)?) {
            let items = files.single(&at, "items").filter(|items| items.file == 0)?;
            return files.value(&items).filter(|schema| !is_array(schema)).map(|_| items);
        }
        at = files.referred(&at)?;
    }
    None
}
