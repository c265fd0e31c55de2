//! Exported JSON Schemas, and the findings of the check about the shape of a record.

use evalcheck_engine::diagnose::{self, PathBuilder, RecordStart, Room, Task};
use evalcheck_engine::formats::{FORMATS, Format, Layout, Variant};
use evalcheck_engine::json_schema;
use evalcheck_engine::schema::Schema;
use evalcheck_report::{Finding, Severity};
use serde_json::{Map, Value, json};

use super::made;

/// Every variant whose file is JSON: the schema, and the JSON Schema that is made from it.
pub fn schemas() -> Vec<(&'static Format, &'static Variant, &'static Schema, Value)> {
    let all = FORMATS.iter().flat_map(|format| format.variants.iter().map(move |variant| (*format, variant)));
    all.filter_map(exported).collect()
}

/// The same for `count` schemas that are put together at random.
pub fn made_schemas(count: usize) -> Vec<(&'static Format, &'static Variant, &'static Schema, Value)> {
    made::formats(count).into_iter().filter_map(exported).collect()
}

fn exported(
    (format, variant): (&'static Format, &'static Variant),
) -> Option<(&'static Format, &'static Variant, &'static Schema, Value)> {
    let schema = json_schema::of(format, variant)?;
    Some((format, variant, variant.schema, schema))
}

/// A sample of another type than the header states: reported in place of all findings about its shape.
const SAMPLE_TYPE: &str = "quest/sample-type";

/// Rules of formats that are reported in place of findings about the shape of a value.
const IN_PLACE: &[&str] = &[
    SAMPLE_TYPE,
    "openai-finetune/empty-calls",
    "openai-finetune/misplaced-part",
    "openai-batch/anthropic",
    "openai-batch/result",
    "openai-batch/url",
    BAD_REQUEST,
    "promptfoo/assertion-as-text",
];

/// A body that does not follow the schema, or has a mistake that no schema says. It is a warning: the batch runs.
const BAD_REQUEST: &str = "openai-batch/bad-request";

/// Errors of the record's shape, by the thorough tier.
pub fn shape_errors(
    line: &str,
    format: &'static Format,
    variant: &'static Variant,
    schema: &'static Schema,
) -> Vec<Finding> {
    let checks = (format.rules.checks)(variant);
    let task = Task {
        format,
        schema,
        checks: &*checks.record,
        attachments: None,
        start: RecordStart { offset: 0, line: 1, column: 1, record: 0 },
        list: 0,
        base: &PathBuilder::default(),
        room: Room::All,
    };
    diagnose::diagnose(line.as_bytes(), task, None)
        .findings
        .iter()
        .filter(|finding| {
            let rule = finding.problem.rule();
            let is_error = rule.severity == Severity::Error;
            (is_error && rule.category() == "shape") || IN_PLACE.contains(&rule.code)
        })
        .map(evalcheck_engine::finding::Finding::to_wire)
        .collect()
}

/// The file of a record: in a document, the record is in a list; other records are their own file.
pub fn whole(variant: &Variant, record: Value) -> Value {
    let Layout::Json(lists) = variant.layout else { return record };
    let list = lists.iter().find(|list| std::ptr::eq(list.schema, variant.schema)).unwrap();
    let mut document: Map<String, Value> = lists
        .iter()
        .filter(|list| list.required)
        .filter_map(|list| Some((list.key()?.to_owned(), json!([]))))
        .collect();
    let Some(key) = list.key() else { return json!([record]) };
    document.insert(key.to_owned(), json!([record]));
    Value::Object(document)
}

/// Asserts that a record follows the exported schema exactly if its shape has no error. Returns whether it follows.
pub fn assert_schema_agrees(
    record: Value,
    format: &'static Format,
    variant: &'static Variant,
    schema: &'static Schema,
    validator: &jsonschema::Validator,
) -> bool {
    let line = record.to_string();
    let errors = shape_errors(&line, format, variant, schema);
    let follows = validator.is_valid(&whole(variant, record));
    // The loaders of Evret and DeepEval take some values for empty and do not read others, whatever they are.
    let is_lenient = ["evret", "deepeval"].contains(&format.id) && !follows;
    // Without a header the exported schema accepts samples of each type.
    let is_of_other_type = errors.iter().any(|finding| finding.code == SAMPLE_TYPE);
    let is_stricter = follows && errors.iter().all(|finding| finding.code == BAD_REQUEST);
    assert!(
        follows == errors.is_empty() || is_lenient || is_of_other_type || is_stricter,
        "{}: {line}\n{errors:?}",
        format.id
    );
    follows
}
