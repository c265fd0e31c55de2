//! What the tests share.

use serde_json::Value;

/// Panics with every violation when a report does not follow its schema.
pub(crate) fn assert_follows_schema(report: &Value, about: &str) {
    let schema: Value = serde_json::from_str(include_str!("../../../wire/report.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(report).map(|error| format!("  {}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{about}: the report does not follow its schema:\n{}", errors.join("\n"));
}
