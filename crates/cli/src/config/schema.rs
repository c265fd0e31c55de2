//! The JSON Schema of a configuration, for editors.

use std::collections::BTreeSet;

use evalcheck_engine::rules;
use evalcheck_wire::options::{Kind, OPTIONS};
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
    for option in OPTIONS {
        let Some(description) = option.config else { continue };
        let (_, name) = option.kind.expected();
        let schema = match option.kind {
            Kind::Format => json!({ "enum": formats }),
            Kind::Codes => json!({ "type": name, "items": code }),
            Kind::FormatOptions => {
                json!({ "type": name, "items": { "enum": known::options().collect::<BTreeSet<_>>() } })
            }
            Kind::Schema => json!({
                "anyOf": [{ "type": "string" }, { "type": name, "items": { "type": "string" }, "minItems": 1 }],
            }),
            Kind::Number => json!({ "type": name, "minimum": 0 }),
            Kind::Version | Kind::Entry | Kind::Encoding | Kind::Flag => json!({ "type": name }),
        };
        add(&option.flag(), schema, description);
    }
    add(
        "severity",
        json!({
            "type": "object",
            "propertyNames": code,
            "additionalProperties": { "enum": ["error", "warning", "info"] },
        }),
        "The severity of the findings of rules or categories, in text, in outputs for other tools and for the exit status.",
    );
    add("fail-on", json!({ "enum": ["error", "warning", "loss", "never"] }), "What fails the check.");
    add("baseline", json!({ "type": "string" }), "A file of known findings, from the folder of this file.");
    options
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::options::Declaration;

    use super::super::toml_file::OF_RUN;
    use super::*;

    #[test]
    fn every_option_is_described() {
        let (options, declared) = (options(), OPTIONS.iter().filter(|option| option.config.is_some()));
        let mut keys: Vec<String> = declared.map(Declaration::flag).chain(OF_RUN.map(String::from)).collect();
        keys.sort();
        assert!(options.keys().eq(&keys), "{options:?}");
    }
}
