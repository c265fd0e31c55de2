//! Changes resolve their violations, and are safe only where there is one reading.

use evalcheck_wire::user_schema::{Change, RecordText, Remedy, Validate};

use super::schema;

/// The changes for a record: `safe` or `unsafe`, and the change.
fn changes(text: &str, record: &str) -> Vec<(bool, Change)> {
    let violations = schema(text).violations(record, RecordText::Json);
    violations
        .into_iter()
        .filter_map(|found| found.remedy)
        .map(|Remedy { is_safe, change, .. }| (is_safe, change))
        .collect()
}

fn replace(json: &str) -> Change {
    Change::Replace(json.to_owned())
}

#[test]
fn a_listed_value_is_written_as_in_the_list() {
    let text = r#"{"properties": {"level": {"enum": ["easy", "very hard", 3]}}}"#;
    assert_eq!(changes(text, r#"{"level": "Easy"}"#), [(true, replace("\"easy\""))]);
    assert_eq!(changes(text, r#"{"level": "very_hard "}"#), [(true, replace("\"very hard\""))]);
    assert_eq!(changes(text, r#"{"level": "esay"}"#), [(false, replace("\"easy\""))]);
    assert_eq!(changes(text, r#"{"level": "unknown"}"#), []);
    assert_eq!(changes(text, r#"{"level": ""}"#), []);
    // A sign, and digits with a separator, are no other spelling.
    let numbers = r#"{"enum": ["1", "10", "v2"]}"#;
    assert_eq!(changes(numbers, "\"V2\""), [(true, replace("\"v2\""))]);
    for other in ["-1", "1_0", "1 0", "v-2", "1-", "_v2"] {
        assert!(changes(numbers, &format!("\"{other}\"")).iter().all(|(is_safe, _)| !is_safe), "{other}");
    }
    let grades = r#"{"enum": ["A", "us", "node.js", "node js"]}"#;
    for other in ["A-", "A_", "-A", "u-s", "nodejs"] {
        assert!(changes(grades, &format!("\"{other}\"")).iter().all(|(is_safe, _)| !is_safe), "{other}");
    }
    // Two that differ by case alone: neither is meant for certain.
    assert_eq!(changes(r#"{"enum": ["A", "a b", "ab"]}"#, "\"A B\""), [(true, replace("\"a b\""))]);
}

#[test]
fn a_value_of_another_type_is_written_without_a_loss() {
    let text = r#"{"properties": {"n": {"type": ["integer", "null"]}, "b": {"type": "boolean"}, "s": {"type": "string"}, "f": {"type": "number"}}}"#;
    let of = |record: &str| changes(text, record);
    assert_eq!(of(r#"{"n": "42"}"#), [(true, replace("42"))]);
    assert_eq!(of(r#"{"b": "true"}"#), [(true, replace("true"))]);
    assert_eq!(of(r#"{"f": "1.50"}"#), [(true, replace("1.50"))]);
    assert_eq!(of(r#"{"s": 42}"#), [(true, replace("\"42\""))]);
    // These are no whole number, not in the form of JSON, beyond a double, or of an unknown spelling.
    for other in [
        r#"{"n": "4.5"}"#,
        r#"{"n": "042"}"#,
        r#"{"n": "+4"}"#,
        r#"{"n": " 4"}"#,
        r#"{"n": "12345678901234567890"}"#,
        r#"{"n": "null"}"#,
        r#"{"b": "yes"}"#,
        r#"{"s": 1.5}"#,
        r#"{"s": true}"#,
        r#"{"s": null}"#,
    ] {
        assert_eq!(of(other), [], "{other}");
    }
}

#[test]
fn a_key_gets_the_name_that_is_missing() {
    let text = r#"{"required": ["answer", "question"], "properties": {"answer": {"type": "string"}, "question": {}}, "additionalProperties": false}"#;
    let rename = |to: &str| Change::Rename(to.to_owned());
    assert_eq!(changes(text, r#"{"Answer": "a", "question": 1}"#), [(true, rename("answer"))]);
    assert_eq!(changes(text, r#"{"anser": "a", "question": 1}"#), [(false, rename("answer"))]);
    // The value would be of another type; two keys are as near; the key is there.
    for other in [
        r#"{"anser": 1, "question": 1}"#,
        r#"{"anser": "a", "answr": "b", "question": 1}"#,
        r#"{"answer": "a", "anser": "b", "question": 1}"#,
    ] {
        assert_eq!(changes(text, other), [], "{other}");
    }
}

#[test]
fn a_missing_key_with_one_value_is_added_on_request_only() {
    let text =
        r#"{"required": ["a", "b", "c"], "properties": {"a": {"default": 5}, "b": {"const": "x"}, "c": {}}}"#;
    let insert = |json: &str| (false, Change::Insert(json.to_owned()));
    assert_eq!(changes(text, r#"{"d": 1}"#), [insert("5"), insert("\"x\"")]);
}

#[test]
fn changes_are_safe_only_together() {
    let both = r#"{"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b"]}}"#;
    let schema = crate::Schema::of_instance(&[super::file("s.json", both)], false).unwrap();
    let of = |record: &str| -> Vec<bool> {
        let violations = schema.violations(record, RecordText::Json).into_iter();
        violations.filter_map(|found| found.remedy).map(|remedy| remedy.is_safe).collect()
    };
    assert_eq!(of(r#"["A", "B"]"#), [true, true]);
    assert_eq!(of(r#"["A", "A "]"#), [false, false]);
    // The number in quotes would still be none of the list.
    assert_eq!(changes(r#"{"type": "string", "enum": ["1", "2"]}"#, "3"), []);
    assert_eq!(changes(r#"{"type": "string", "enum": ["1", "2"]}"#, "2").len(), 1);
}
