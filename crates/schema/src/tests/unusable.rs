//! Schemas that cannot be used, and hostile ones.

use std::time::{Duration, Instant};

use evalcheck_wire::user_schema::{RecordText, SchemaError, SchemaRule, Validate};

use super::{file, schema};
use crate::Schema;

/// The place, the message and the hint for a schema.
fn refused(text: &str) -> (String, String, String) {
    match Schema::new(&[file("faq.json", text)], false) {
        Ok(_) => panic!("{text} is used"),
        Err(SchemaError { at, message, hint }) => (at.pointer, message, hint),
    }
}

#[test]
fn the_reason_names_the_place() {
    let cases = [
        ("{\"a\":", "", "it cannot be read as JSON: EOF while parsing a value at line 1 column 5"),
        ("[1]", "", "it is not a JSON Schema, which is an object"),
        (
            r#"{"properties": {"a": {"type": "strin"}}}"#,
            "/properties/a/type",
            "this keyword cannot be 'strin'",
        ),
        (
            r#"{"properties": {"a": {"minLength": -1}}}"#,
            "/properties/a/minLength",
            "Number must be greater than or equal to 0, received -1",
        ),
        (r#"{"required": "a"}"#, "/required", "Expected array, received string"),
        (
            r#"{"properties": {"a": {"pattern": "(a"}}}"#,
            "/properties/a/pattern",
            "'(a' is not a regular expression of ECMA-262, or has a part that is not known here",
        ),
        (
            r##"{"properties": {"a": {"$ref": "#/$defs/b"}}}"##,
            "/properties/a/$ref",
            "it refers to \"#/$defs/b\", which is not there",
        ),
        (r##"{"$ref": "#b"}"##, "/$ref", "it refers to \"#b\", which is not there"),
        (
            r#"{"items": {"$ref": "other.json#/x"}}"#,
            "/items/$ref",
            "it refers to other.json, which is not among the files that were given",
        ),
        (
            r#"{"items": {"$ref": "https://example.com/a.json"}}"#,
            "/items/$ref",
            "it refers to https://example.com/a.json, which is not among the files that were given",
        ),
        (
            r#"{"$schema": "https://example.com/draft", "type": "object"}"#,
            "/$schema",
            "\"https://example.com/draft\" is no draft of JSON Schema that is known here",
        ),
        (r#"{"typ": "object"}"#, "", "no keyword at its root says anything about a record"),
        (
            r#"{"$defs": {"a": {"type": "string"}}}"#,
            "",
            "no keyword at its root says anything about a record",
        ),
        (r##"{"$ref": "#"}"##, "", "it refers to itself without end for the same value"),
        (
            r##"{"type": "object", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}"##,
            "/$defs/a/allOf/0",
            "it refers to itself without end for the same value",
        ),
    ];
    for (text, pointer, message) in cases {
        let (at, said, hint) = refused(text);
        assert_eq!((at.as_str(), said.as_str()), (pointer, message), "{text}");
        assert!(hint.ends_with(['.', '?']), "{hint}");
    }
    let (_, _, hint) = refused(r##"{"$ref": "#/$defs/anser", "$defs": {"answer": {}}}"##);
    assert_eq!(hint, "Did you mean \"#/$defs/answer\"?");
}

#[test]
fn a_schema_that_refers_to_itself_below_is_used() {
    let tree = schema(
        r##"{"properties": {"next": {"$ref": "#"}, "list": {"type": "array", "items": {"$ref": "#"}}}}"##,
    );
    assert!(!tree.is_valid(br#"{"next": {"list": [{"list": 1}]}}"#, RecordText::Json));
}

#[test]
fn hostile_schemas_are_refused_soon() {
    let started = Instant::now();
    let nested = |open: &str, close: &str| open.repeat(10_000) + "{}" + &close.repeat(10_000);
    for text in [nested("{\"not\": ", "}"), nested("{\"a\": [", "]}")] {
        assert!(refused(&text).1.starts_with("it is nested deeper than 127 levels"));
    }
    let large = format!(r#"{{"title": "{}"}}"#, "a".repeat(50 << 20));
    assert_eq!(refused(&large).1, "it has 50 MiB, and at most 4 are read");
    // Each definition refers to the next one twice.
    let doubled: Vec<String> = (0..60)
        .map(|n| {
            format!(
                r##""a{n}": {{"allOf": [{{"$ref": "#/$defs/a{m}"}}, {{"$ref": "#/$defs/a{m}"}}]}}"##,
                m = n + 1
            )
        })
        .collect();
    let doubled = format!(
        r##"{{"$ref": "#/$defs/a0", "$defs": {{{}, "a60": {{"type": "string"}}}}}}"##,
        doubled.join(",")
    );
    assert_eq!(refused(&doubled).1, "its references expand to more than 100000 schemas for one value");
    // Not a bound of the schema, but of patience; a test on a busy machine takes some seconds.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn many_values_and_keys_are_no_problem() {
    let values: Vec<String> = (0..100_000).map(|n| format!("\"v{n}\"")).collect();
    let schema = schema(&format!(r#"{{"enum": [{}]}}"#, values.join(",")));
    assert!(schema.is_valid(b"\"v99999\"", RecordText::Json));
    let message = &schema.violations("\"w\"", RecordText::Json)[0].message;
    assert!(message.len() < 300, "{message}");
}

#[test]
fn alternatives_of_alternatives_end() {
    let text = r##"{"$ref": "#/$defs/node", "$defs": {"node": {"oneOf": [
        {"properties": {"op": {"const": "and"}, "args": {"items": {"$ref": "#/$defs/node"}}}, "required": ["op", "args"]},
        {"properties": {"op": {"const": "or"}, "args": {"items": {"$ref": "#/$defs/node"}}}, "required": ["op", "args"]},
        {"properties": {"leaf": {"type": "integer"}}, "required": ["leaf"]}]}}}"##;
    let schema = schema(text);
    let nested = |levels: usize, leaf: &str| {
        r#"{"op": "or", "args": ["#.repeat(levels) + &format!(r#"{{"leaf": {leaf}}}"#) + &"]}".repeat(levels)
    };
    assert!(schema.is_valid(nested(8, "1").as_bytes(), RecordText::Json));
    assert_eq!(schema.violations(&nested(8, "\"one\""), RecordText::Json).len(), 1);
    let deep = schema.violations(&nested(60, "\"one\""), RecordText::Json);
    assert_eq!(deep.iter().map(|found| found.rule).collect::<Vec<_>>(), [SchemaRule::TooSlow]);
    assert!(!schema.is_valid(nested(60, "1").as_bytes(), RecordText::Json));
}

#[test]
fn files_may_refer_to_each_other() {
    let files = [
        file("m/tree.json", r#"{"properties": {"kid": {"$ref": "kid.json"}}}"#),
        file(
            "m/x/../kid.json",
            r#"{"properties": {"tree": {"$ref": "tree.json"}, "n": {"type": "integer"}}}"#,
        ),
    ];
    let schema = Schema::new(&files, false).unwrap();
    assert!(!schema.is_valid(br#"{"kid": {"tree": {"kid": {"n": "a"}}}}"#, RecordText::Json));
}

#[test]
fn a_long_record_takes_many_steps_and_is_judged() {
    let nullable =
        schema(r#"{"properties": {"list": {"items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}}"#);
    let record = format!(r#"{{"list": [{}]}}"#, vec!["1"; 300_000].join(","));
    assert!(nullable.is_valid(record.as_bytes(), RecordText::Json));
}
