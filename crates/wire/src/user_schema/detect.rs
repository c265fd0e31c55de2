//! Tells files of a schema from datasets, for files that are dropped without saying what they are. When in doubt, a file is a dataset: then its
//! verdict shows the mistake, while a dataset that is taken for a schema would not be checked.

use super::{MOST_BYTES, SchemaFile};

/// The names of types.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "null", "array", "object"];

/// Keywords that say something about a value. Without any of them, a schema accepts everything.
const KEYWORDS: [&str; 29] = [
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "type",
    "enum",
    "const",
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "required",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "items",
    "prefixItems",
    "contains",
    "minItems",
    "maxItems",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "pattern",
];

/// Whether a file of this name and size may be a schema, so that its text decides: [`is_schema`].
///
/// ```
/// use evalcheck_wire::user_schema::detect::may_be_schema;
///
/// assert!(may_be_schema("faq.schema.JSON", 900));
/// assert!(!may_be_schema("faq.jsonl", 900));
/// assert!(!may_be_schema("faq.json", 900 << 20));
/// ```
pub fn may_be_schema(name: &str, bytes: u64) -> bool {
    ends_with(name, ".json") && bytes <= MOST_BYTES
}

/// Whether a file is a JSON Schema: one JSON object that says so by its `$schema`, by its name or by its keys.
pub fn is_schema(name: &str, text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !may_be_schema(name, text.len() as u64) || !text.starts_with('{') {
        return false;
    }
    let is_named = ends_with(name, ".schema.json");
    let Some((root, rest)) = object(text) else {
        // A schema with a syntax error is meant as one all the same, and its check says where the error is.
        return is_named;
    };
    // Several objects are records, whatever they hold.
    if !rest.trim_start().is_empty() {
        return false;
    }
    let has_keyword = root.iter().any(|(key, _)| KEYWORDS.contains(key));
    let is_declared = value_of(&root, "$schema").is_some_and(|of| of.contains("json-schema.org/"));
    (is_declared || is_named) && has_keyword || has_keys_of_schema(&root)
}

/// Puts the file first that no other one refers to by its name.
pub fn put_main_first(files: &mut [SchemaFile]) {
    let is_referred_to = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name);
        files.iter().any(|file| !file.name.ends_with(name) && file.text.contains(name))
    };
    if let Some(main) = files.iter().position(|file| !is_referred_to(&file.name)) {
        files[..=main].rotate_right(1);
    }
}

fn ends_with(name: &str, end: &str) -> bool {
    name.len() >= end.len() && name.as_bytes()[name.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

/// Whether an object has keys that hardly anything but a schema has together, with values that fit.
fn has_keys_of_schema(root: &[(&str, &str)]) -> bool {
    let is = |key: &str, fits: fn(&str) -> bool| value_of(root, key).is_some_and(fits);
    let has_parts = ["properties", "$defs", "definitions"].iter().any(|key| is(key, are_schemas_by_name))
        // A list of items may be records.
        || is("items", |items| items.starts_with('{'))
        || ["anyOf", "oneOf", "allOf"].iter().any(|key| is(key, |of| of.starts_with('[')));
    is("type", names_types) && has_parts
        || is("$ref", |to| to.starts_with('"')) && is("$defs", are_schemas_by_name)
}

/// Whether a value is the name of a type, or a list of such names.
fn names_types(value: &str) -> bool {
    let names = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    names.split(',').all(|name| {
        let name = name.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        name.is_some_and(|name| TYPES.contains(&name))
    })
}

/// Whether a value is an object in which all values may be schemas.
fn are_schemas_by_name(value: &str) -> bool {
    object(value).is_some_and(|(members, _)| {
        members.iter().all(|(_, value)| value.starts_with('{') || ["true", "false"].contains(value))
    })
}

fn value_of<'t>(object: &[(&str, &'t str)], key: &str) -> Option<&'t str> {
    object.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
}

/// The members of the object that a text begins with, each with the text of its value, and the text after the object; `None` for anything else. What is in the
/// values is not checked.
fn object(text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut rest = text.strip_prefix('{')?.trim_start();
    let mut members = Vec::new();
    if let Some(after) = rest.strip_prefix('}') {
        return Some((members, after));
    }
    loop {
        let (key, after) = rest.split_at_checked(end_of_string(rest)?)?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = value.split_at_checked(end_of_value(value)?)?;
        members.push((&key[1..key.len() - 1], value));
        rest = after.trim_start();
        if let Some(after) = rest.strip_prefix('}') {
            return Some((members, after));
        }
        rest = rest.strip_prefix(',')?.trim_start();
    }
}

/// The length of the string that a text begins with, with its quotation marks.
fn end_of_string(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    bytes.next().filter(|(_, first)| *first == b'"')?;
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

/// The length of the value that a text begins with.
fn end_of_value(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match *bytes.get(at)? {
            b'"' => at += end_of_string(&text[at..])?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            _ if depth > 0 => {
                at += 1;
                continue;
            }
            _ => at += bytes[at..].iter().position(|byte| b",}] \t\r\n".contains(byte))?,
        }
        if depth == 0 {
            return Some(at).filter(|end| *end > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn taken(name: &str, text: &str) {
        assert!(is_schema(name, text), "{name}: {text}");
    }

    #[track_caller]
    fn left(name: &str, text: &str) {
        assert!(!is_schema(name, text), "{name}: {text}");
    }

    #[test]
    fn schemas_are_known_by_what_they_say() {
        for schema in
            ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]
        {
            taken(
                "faq.json",
                &format!("\u{feff} {{ \"$schema\" : \"{schema}\",\n\"required\": [\"id\"]}}\n"),
            );
        }
        taken("faq.schema.json", r#"{"properties": {"a": true}}"#);
        taken("Faq.Schema.JSON", r#"{"enum": [1]}"#);
        taken("faq.schema.json", "{\"type\": \"object\",\n  \"properties\": {\n");
        taken("a.json", r#"{"type": "object", "properties": {"a": {"type": "string"}}, "x": "\"}"}"#);
        taken("a.json", r#"{"type": ["array", "null"], "items": {"type": "object"}}"#);
        taken("a.json", r##"{"$ref": "#/$defs/a", "$defs": {"a": {}}}"##);
        taken("a.json", r#"{"title": "]}", "type": "object", "oneOf": [{"required": ["a"]}]}"#);
    }

    #[test]
    fn records_that_are_schemas_are_a_dataset() {
        let record = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}}"#;
        left("schemas.json", &format!("{record}\n{record}\n"));
        left("tools.schema.json", &format!("{record}\n{record}\n"));
        left("schemas.json", &format!("[{record}, {record}]"));
        left("schemas.jsonl", record);
        left("schemas.json", &format!("{{\"records\": [{record}]}}"));
    }

    #[test]
    fn a_dataset_that_names_its_schema_is_none() {
        left("faq.json", r#"{"$schema": "./faq.schema.json", "records": [{"type": "object"}]}"#);
        left("faq.json", r#"{"$schema": "https://example.org/faq.schema.json", "data": []}"#);
        // Many write the address of the meta-schema there, where they should name their own.
        left(
            "faq.json",
            r#"{"$schema": "https://json-schema.org/draft-07/schema#", "questions": [{"q": "?"}]}"#,
        );
    }

    #[test]
    fn a_document_with_a_type_and_items_or_properties_is_no_schema() {
        left("page.json", r#"{"type": "array", "items": [{"question": "a"}, {"question": "b"}]}"#);
        left("map.json", r#"{"type": "Feature", "properties": {"name": "a"}, "geometry": {}}"#);
        left("one.json", r#"{"type": "object", "properties": {"color": "red", "size": 3}}"#);
        left("one.json", r#"{"type": "question", "items": {"a": 1}}"#);
        left("one.json", r#"{"question": "{\"type\": \"object\", \"properties\": {}}"}"#);
        left("one.schema.json", r#"{"question": "a", "answer": "b"}"#);
    }

    #[test]
    fn what_is_not_one_object_is_no_schema() {
        for text in ["", "{", "{\"a\"", "true", "\"{}\"", "[]", "{}", "{\"type\": \"object\"", "id,type\n{,}"]
        {
            left("a.json", text);
        }
        left("a.schema.json", "[{}]");
        left("a.json", &"{\"a\":".repeat(100_000));
    }

    #[test]
    fn the_file_to_which_none_refers_is_the_schema() {
        let file = |name: &str, text: &str| SchemaFile { name: name.to_owned(), text: text.to_owned() };
        let names = |mut files: Vec<SchemaFile>| -> Vec<String> {
            put_main_first(&mut files);
            files.into_iter().map(|file| file.name).collect()
        };
        let (answer, faq) =
            (file("answer.json", "{}"), file("faq.json", r#"{"$ref": "answer.json#/$defs/a"}"#));
        assert_eq!(names(vec![answer.clone(), faq.clone()]), ["faq.json", "answer.json"]);
        assert_eq!(names(vec![faq, answer.clone()]), ["faq.json", "answer.json"]);
        assert_eq!(names(vec![answer.clone(), file("b.json", "{}")]), ["answer.json", "b.json"]);
        assert_eq!(names(vec![answer]), ["answer.json"]);
        assert_eq!(names(Vec::new()), [""; 0]);
    }
}
