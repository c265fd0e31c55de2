//! Support code shared by the tests.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod agreement;
pub(crate) mod attachments;
pub(crate) mod cases;
pub(crate) mod edit;
pub(crate) mod invariants;
pub(crate) mod listing;
pub(crate) mod recipe;
#[path = "../../../engine/tests/it/support/suite.rs"]
pub(crate) mod suite;

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The schema of reports.
pub(crate) static REPORT_SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(include_str!("../../../wire/report.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

/// Panics with every violation if a report does not follow its schema.
pub(crate) fn assert_follows_schema(report: &Value, about: &str) {
    let errors: Vec<String> = REPORT_SCHEMA
        .iter_errors(report)
        .map(|error| format!("  {}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{about}: the report does not follow its schema:\n{}", errors.join("\n"));
}
