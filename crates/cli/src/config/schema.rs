//! The JSON Schema of a configuration, for editors.

use std::collections::BTreeSet;

use evalcheck_engine::rules;
use serde_json::{Map, Value, json};

use crate::known;

/// The schema (draft 7).
pub(crate) fn text() -> String {
    let patterns = |what: &str| {
        json!({
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            "description": format!("{what}: patterns as in a .gitignore, from the folder of this file."),
        })
    };
    let mut of_files = options();
    of_files.insert("match".to_owned(), patterns("Which files are meant"));
    let mut all = options();
    all.insert("exclude".to_owned(), patterns("Files of folders and patterns that are not read"));
    all.insert(
        "files".to_owned(),
        json!({
            "type": "array",
            "description": "Options of some files. The last table that matches a file counts.",
            "items": { "type": "object", "properties": of_files, "required": ["match"], "additionalProperties": false },
        }),
    );
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of evalcheck",
        "type": "object",
        "properties": all,
        "additionalProperties": false,
    });
    format!("{schema:#}\n")
}

/// The options of all files, or of some.
fn options() -> Map<String, Value> {
    let codes: BTreeSet<&str> =
        rules::all().flat_map(|rule| [Some(rule.code), rule.code.split('/').next()]).flatten().collect();
    let code = json!({ "enum": codes });
    let formats: Vec<_> = known::formats().collect();
    let mut options = Map::new();
    let mut add = |key: &str, mut schema: Value, description: &str| {
        schema["description"] = json!(description);
        options.insert(key.to_owned(), schema);
    };
    add("format", json!({ "enum": formats }), "The format; auto detects it from the content.");
    add("format-version", json!({ "type": "string" }), "The version of the format.");
    add("select", json!({ "type": "array", "items": code }), "Only these rules or categories.");
    add("ignore", json!({ "type": "array", "items": code }), "All but these rules or categories.");
    add(
        "severity",
        json!({
            "type": "object",
            "propertyNames": code,
            "additionalProperties": { "enum": ["error", "warning", "info"] },
        }),
        "The severity of the findings of rules or categories, in text, in outputs for other tools and for the exit status.",
    );
    add("fail-on", json!({ "enum": ["error", "warning", "loss"] }), "What fails the check beside errors.");
    add(
        "max-findings",
        json!({ "type": "integer", "minimum": 0 }),
        "The most findings of each rule that are listed.",
    );
    add("baseline", json!({ "type": "string" }), "A file of known findings, from the folder of this file.");
    options
}

#[cfg(test)]
mod tests {
    use super::super::toml_file::OPTIONS;
    use super::*;

    #[test]
    fn every_option_is_described() {
        let options = options();
        assert_eq!(
            options.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            OPTIONS.into_iter().collect()
        );
    }
}
