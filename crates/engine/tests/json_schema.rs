//! The exported schema and the checker say the same of the shape of a record.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use evalcheck_engine::diagnose::{self, PathBuilder, RecordStart, Task};
use evalcheck_engine::formats::{FORMATS, Format, Layout, Variant};
use evalcheck_engine::json_schema;
use evalcheck_engine::schema::Schema;
use evalcheck_wire::report::Severity;
use serde_json::{Map, Value, json};
use support::Choices;

/// Every variant whose file is JSON: the schema, and the shape that it is made from.
fn schemas() -> Vec<(&'static Format, &'static Variant, &'static Schema, Value)> {
    let all = FORMATS.iter().flat_map(|format| format.variants.iter().map(move |variant| (*format, variant)));
    all.filter_map(|(format, variant)| {
        let schema = json_schema::of(format, variant)?;
        Some((format, variant, variant.schema, schema))
    })
    .collect()
}

/// Errors of the record's shape, as the thorough tier has them.
fn errors(
    line: &str,
    format: &'static Format,
    variant: &'static Variant,
    schema: &'static Schema,
) -> Vec<String> {
    let checks = (format.checks)(variant);
    let task = Task {
        format,
        schema,
        checks: &*checks.record,
        attachments: None,
        start: RecordStart { offset: 0, line: 1, column: 1, record: 0 },
        list: 0,
        base: &PathBuilder::default(),
    };
    diagnose::diagnose(line.as_bytes(), task, None)
        .findings
        .iter()
        .filter(|finding| finding.problem.rule().severity == Severity::Error)
        .filter(|finding| finding.problem.rule().category() == "shape")
        .map(|finding| finding.to_wire().message)
        .collect()
}

/// In a document the record stands in a list; the others are as they are.
fn whole(variant: &Variant, record: Value) -> Value {
    let Layout::Json(lists) = variant.layout else { return record };
    let list = lists.iter().find(|list| std::ptr::eq(list.schema, variant.schema)).unwrap();
    let mut document: Map<String, Value> =
        lists.iter().filter(|list| list.required).map(|list| (list.key.to_owned(), json!([]))).collect();
    document.insert(list.key.to_owned(), json!([record]));
    Value::Object(document)
}

/// Another value at a random place: of another kind, gone, or one key more.
fn spoil(value: &mut Value, choices: &mut Choices) {
    let inside = choices.below(4) > 0;
    match value {
        Value::Object(members) if inside && !members.is_empty() => {
            let key = members.keys().nth(choices.below(members.len())).unwrap().clone();
            match choices.below(6) {
                0 => drop(members.remove(&key)),
                1 => drop(members.insert("a key of nobody".into(), json!(1))),
                _ => spoil(&mut members[&key], choices),
            }
        }
        Value::Array(elements) if inside && !elements.is_empty() => {
            let location = choices.below(elements.len());
            match choices.below(6) {
                0 => elements.clear(),
                _ => spoil(&mut elements[location], choices),
            }
        }
        _ => {
            let others = [
                json!(null),
                json!(true),
                json!(-7),
                json!(0.5),
                json!("none of these"),
                json!(" "),
                json!([]),
                json!({}),
            ];
            *value = others[choices.below(others.len())].clone();
        }
    }
}

#[test]
fn a_record_follows_the_schema_exactly_when_its_shape_has_no_error() {
    let mut choices = Choices::new(11);
    for (format, variant, schema, exported) in schemas() {
        let validator = jsonschema::draft7::new(&exported).unwrap();
        let (mut good, mut bad) = (0, 0);
        for round in 0..3_000 {
            let valid = support::valid(schema, &mut choices);
            // A generated record may hold a key twice, of which readers see the last.
            let mut record: Value = serde_json::from_str(&valid).unwrap();
            for _ in 0..round % 3 {
                spoil(&mut record, &mut choices);
            }
            let line = record.to_string();
            let errors = errors(&line, format, variant, schema);
            let follows = validator.is_valid(&whole(variant, record));
            // The loader of Evret takes some values for empty and does not read others, whatever they are.
            let is_lenient = format.id == "evret" && !follows;
            assert!(
                follows == errors.is_empty() || is_lenient,
                "{}: {line}\n{errors:?}\n{exported:#}",
                format.id
            );
            if follows { good += 1 } else { bad += 1 }
        }
        assert!(good > 1_000 && bad > 300, "{}: {good} good, {bad} bad", format.id);
    }
}

#[test]
fn a_schema_is_a_schema_and_every_format_of_json_has_one() {
    for (format, _, _, schema) in schemas() {
        assert!(jsonschema::draft7::meta::is_valid(&schema), "{}: {schema:#}", format.id);
    }
    let of_json = |format: &&&Format| !format.variants.iter().all(|v| matches!(v.layout, Layout::Csv(_)));
    assert!(
        FORMATS
            .iter()
            .filter(of_json)
            .all(|format| schemas().iter().any(|(other, ..)| other.id == format.id))
    );
}
