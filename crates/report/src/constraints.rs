//! Constraints of a report for its JSON Schema that its types do not say.

use schemars::Schema;
use serde_json::{Value, json};

/// The pattern of a rule's code.
pub(crate) const CODE: &str = "^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$";

/// Counts by code, without zeros.
pub(crate) fn by_code(schema: &mut Schema) {
    schema.insert("propertyNames".to_owned(), json!({ "pattern": CODE }));
    schema.insert("additionalProperties".to_owned(), json!({ "type": "integer", "minimum": 1 }));
}

/// Conditions between the parts of a report.
pub(crate) fn report_conditions() -> Value {
    json!([
        {
            "description": "What was not checked in full is not valid.",
            "if": { "properties": { "checked": { "const": false } } },
            "then": { "properties": { "valid": { "const": false } } },
        },
        {
            "description": "Valid means no error at all.",
            "if": { "properties": { "valid": { "const": true } } },
            "then": {
                "properties": {
                    "counts": { "properties": { "errors": { "const": 0 }, "invalid": { "const": 0 } } },
                    "findings": { "items": { "properties": { "severity": { "enum": ["warning", "info"] } } } },
                },
            },
        },
    ])
}

/// Conditions between the parts of a finding.
pub(crate) fn finding_conditions() -> Value {
    json!([
        {
            "description": "A span has both ends.",
            "if": { "properties": { "byte_start": { "type": "null" } } },
            "then": { "properties": { "byte_end": { "type": "null" } } },
            "else": { "properties": { "byte_end": { "type": "integer" } } },
        },
        {
            "description": "A column stands in a line.",
            "if": { "properties": { "line": { "type": "null" } } },
            "then": { "properties": { "column": { "type": "null" } } },
        },
    ])
}
