#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cells;
mod remedies;
mod unusable;

use std::fmt::Write;

use evalcheck_wire::user_schema::{Part, RecordText, SchemaFile, SchemaRule, Step, Validate, Violation};

use crate::Schema;

fn file(name: &str, text: &str) -> SchemaFile {
    SchemaFile { name: name.to_owned(), text: text.to_owned() }
}

fn schema(text: &str) -> Schema {
    Schema::new(&[file("schemas/faq.json", text)], false).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The violations of a record in lines: the path, the rule, the message and the keyword.
fn told(schema: &Schema, record: &str) -> Vec<String> {
    told_of(schema, record, RecordText::Json)
}

fn told_of(schema: &Schema, record: &str, text: RecordText) -> Vec<String> {
    let violations = schema.violations(record, text);
    assert_eq!(violations.is_empty(), schema.is_valid(record.as_bytes(), text), "{record}");
    violations.iter().map(line).collect()
}

fn line(violation: &Violation) -> String {
    let mut path = String::from("$");
    for step in &violation.value {
        match step {
            Step::Key(key) => write!(path, ".{key}").unwrap(),
            Step::Index(index) => write!(path, "[{index}]").unwrap(),
        }
    }
    match &violation.part {
        Part::Value => {}
        Part::Key(key) => write!(path, ".{key}?").unwrap(),
        Part::Missing(key) => write!(path, ".{key}!").unwrap(),
    }
    format!("{path} {:?} {} <{}>", violation.rule, violation.message, violation.keyword.pointer)
}

#[test]
fn each_keyword_has_its_words() {
    let cases = [
        (r#"{"type": "string"}"#, "1", "$ Type Expected string, received number </type>"),
        (
            r#"{"type": ["null", "integer"]}"#,
            "1.5",
            "$ Type Expected integer or null, received number </type>",
        ),
        (
            r#"{"enum": ["a", 1, null]}"#,
            "\"b\"",
            "$ Enum Invalid enum value. Expected 'a' | 1 | null, received 'b' </enum>",
        ),
        (r#"{"const": {"a": 1}}"#, "2", "$ Enum Invalid value. Expected {\"a\":1}, received 2 </const>"),
        (r#"{"required": ["a"]}"#, "{}", "$.a! Required Required </required>"),
        (
            r#"{"additionalProperties": false}"#,
            r#"{"b": 1}"#,
            "$.b? UnknownKey Unrecognized key in object: 'b' </additionalProperties>",
        ),
        (
            r#"{"propertyNames": {"maxLength": 1}}"#,
            r#"{"bb": 1}"#,
            "$.bb? UnknownKey Name of the key: String must contain at most 1 character(s), has 2 </propertyNames>",
        ),
        (
            r#"{"pattern": "^q"}"#,
            "\"r\"",
            "$ Pattern String must match the pattern ^q, received 'r' </pattern>",
        ),
        (
            r#"{"minLength": 3}"#,
            "\"äö\"",
            "$ Length String must contain at least 3 character(s), has 2 </minLength>",
        ),
        (
            r#"{"exclusiveMinimum": 0}"#,
            "0",
            "$ Range Number must be greater than 0, received 0 </exclusiveMinimum>",
        ),
        (r#"{"multipleOf": 5}"#, "7", "$ Range Number must be a multiple of 5, received 7 </multipleOf>"),
        (r#"{"minItems": 1}"#, "[]", "$ Size Array must contain at least 1 element(s), has 0 </minItems>"),
        (
            r#"{"uniqueItems": true}"#,
            "[1, 2, 1]",
            "$ Size Array must not contain an element twice: elements 0 and 2 are equal </uniqueItems>",
        ),
        (
            r#"{"contains": {"const": 1}}"#,
            "[2]",
            "$ Size Array contains too few or too many elements that the schema asks for </contains>",
        ),
        (
            r#"{"maxProperties": 0}"#,
            r#"{"a": 1}"#,
            "$ Size Object must have at most 0 key(s), has 1 </maxProperties>",
        ),
        (
            r#"{"not": {"type": "null"}}"#,
            "null",
            "$ Alternatives The schema excludes this value: null </not>",
        ),
        (
            r#"{"properties": {"a": false}}"#,
            r#"{"a": 1}"#,
            "$.a Nothing The schema allows no value here </properties/a>",
        ),
        (
            r#"{"dependentRequired": {"a": ["b"]}}"#,
            r#"{"a": 1}"#,
            "$.b! Required Required </dependentRequired>",
        ),
    ];
    for (text, record, expected) in cases {
        assert_eq!(told(&schema(text), record), [expected], "{text}");
    }
}

#[test]
fn formats_are_held_against_strings_on_request() {
    let files = [file("s.json", r#"{"format": "date"}"#)];
    let [without, with] = [false, true].map(|formats| Schema::new(&files, formats).unwrap());
    assert_eq!(told(&without, "\"30/11/2026\""), [""; 0]);
    assert_eq!(
        told(&with, "\"30/11/2026\""),
        ["$ Format String must be in the format date, received '30/11/2026' </format>"]
    );
    assert_eq!(told(&with, "\"2026-11-30\""), [""; 0]);
}

#[test]
fn of_alternatives_the_one_that_was_meant_is_reported() {
    let message = r#"{"oneOf": [
        {"properties": {"role": {"const": "user"}, "text": {"type": "string"}}, "required": ["role", "text"]},
        {"properties": {"role": {"const": "tool"}, "id": {"type": "integer"}}, "required": ["role", "id"]}
    ]}"#;
    let of_message = schema(message);
    assert_eq!(told(&of_message, r#"{"role": "user"}"#), ["$.text! Required Required </oneOf/0/required>"]);
    assert_eq!(
        told(&of_message, r#"{"role": "tool", "id": "7"}"#),
        ["$.id Type Expected integer, received string </oneOf/1/properties/id/type>"]
    );
    assert_eq!(
        told(&of_message, "3"),
        ["$ Alternatives Fits 2 of the alternatives, where one must fit: #1, #2 </oneOf>"]
    );
    assert_eq!(
        told(&of_message, r#"{"role": "x", "text": "a"}"#),
        [
            "$ Alternatives Fits none of the 2 alternatives; the nearest is #1, with role: Invalid value. Expected 'user', received 'x' </oneOf>"
        ]
    );
    let typed = schema(
        r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]}"#,
    );
    assert_eq!(told(&typed, "3"), ["$ Type Expected string or array or null, received number </anyOf>"]);
    assert_eq!(
        told(&typed, "[\"a\", 3]"),
        ["$[1] Type Expected string, received number </anyOf/1/items/type>"]
    );
}

#[test]
fn the_place_of_a_keyword_is_that_in_its_file() {
    let files = [
        file(
            "schemas/faq.json",
            r##"{"$id": "https://example.com/a/faq.json", "properties": {
            "of~file/x": {"$ref": "common.json#/$defs/t"}, "by id": {"$ref": "z.json"}, "inner": {"$ref": "#/$defs/i"}},
            "$defs": {"i": {"$id": "inner.json", "type": "null"}}}"##,
        ),
        file("schemas/common.json", r#"{"$defs": {"t": {"type": "string"}}}"#),
        file("other name.json", r#"{"$id": "https://example.com/a/z.json", "type": "integer"}"#),
    ];
    let schema = Schema::new(&files, false).unwrap();
    let record = r#"{"of~file/x": 1, "by id": "a", "inner": 1}"#;
    let mut places: Vec<_> = schema
        .violations(record, RecordText::Json)
        .into_iter()
        .map(|found| (found.keyword.file, found.keyword.pointer))
        .collect();
    places.sort();
    assert_eq!(
        places,
        [(0, "/$defs/i/type".to_owned()), (1, "/$defs/t/type".to_owned()), (2, "/type".to_owned())]
    );
}

#[test]
fn a_schema_of_an_array_describes_its_elements() {
    let schema =
        schema(r##"{"type": "array", "items": {"$ref": "#/$defs/r"}, "$defs": {"r": {"required": ["a"]}}}"##);
    assert!(schema.is_of_elements());
    assert_eq!(told(&schema, "{}"), ["$.a! Required Required </$defs/r/required>"]);
    // A record that is an array is the whole.
    assert_eq!(told(&schema, "[{\"a\": 1}]"), [""; 0]);
    assert_eq!(told(&schema, "[{}]"), ["$[0].a! Required Required </$defs/r/required>"]);
    assert_eq!(schema.root_keys().required, ["a"]);
}

#[test]
fn numbers_are_judged_as_written() {
    let integer = schema(r#"{"type": "integer"}"#);
    for number in ["3", "3.0", "1e3", "123456789012345678901234567890", "-0"] {
        assert_eq!(told(&integer, number), [""; 0], "{number}");
    }
    assert_eq!(told(&integer, "3.5").len(), 1);
    // Beyond a double nothing can be read, and a caller gives the largest number in its place.
    assert_eq!(told(&integer, "1e400").len(), 1);
}

#[test]
fn an_expression_that_gives_up_decides_nothing() {
    let slow = format!(r#"{{"b": "{}c"}}"#, "a".repeat(50));
    let expression = r"^(?:a|a)*(?=c)\\b$";
    for text in [
        format!(r#"{{"properties": {{"b": {{"pattern": "{expression}"}}}}}}"#),
        format!(r#"{{"properties": {{"b": {{"not": {{"pattern": "{expression}"}}}}}}}}"#),
        format!(r#"{{"if": {{"properties": {{"b": {{"pattern": "{expression}"}}}}}}, "then": true}}"#),
    ] {
        let schema = schema(&text);
        assert!(!schema.is_valid(slow.as_bytes(), RecordText::Json), "{text}");
        let violations = schema.violations(&slow, RecordText::Json);
        assert_eq!(
            violations.iter().map(|found| found.rule).collect::<Vec<_>>(),
            [SchemaRule::TooSlow],
            "{text}"
        );
        assert_eq!(told(&schema, r#"{"d": "e"}"#), [""; 0]);
    }
}
