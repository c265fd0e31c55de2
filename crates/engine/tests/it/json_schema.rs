//! The exported schema and the checker agree on the shape of a record.

use crate::support;
use crate::support::Choices;
use crate::support::json_schema::{assert_schema_agrees, made_schemas, schemas};
use crate::support::suite::rounds;
use evalcheck_engine::formats::{FORMATS, Format, Layout};
use serde_json::{Value, json};

/// Another value at a random place: of another kind, removed, or with one key more.
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
    // Any value follows the schema of plain data.
    for (format, variant, schema, exported) in
        schemas().into_iter().filter(|(format, ..)| !format.takes_any_data())
    {
        let validator = jsonschema::draft7::new(&exported).unwrap();
        let (mut good, mut bad, records) = (0, 0, rounds(500, 3_000));
        for round in 0..records {
            let valid = support::valid(schema, &mut choices);
            // A generated record may have a key twice. Readers see the last one.
            let mut record: Value = serde_json::from_str(&valid).unwrap();
            for _ in 0..round % 3 {
                spoil(&mut record, &mut choices);
            }
            let follows = assert_schema_agrees(record, format, variant, schema, &validator);
            if follows { good += 1 } else { bad += 1 }
        }
        assert!(good > records / 3 && bad > records / 10, "{}: {good} good, {bad} bad", format.id);
    }
}

#[test]
fn the_same_of_schemas_that_no_format_has() {
    let mut choices = Choices::new(12);
    let (mut good, mut bad) = (0, 0);
    let schemas = rounds(80, 400);
    for (format, variant, schema, exported) in made_schemas(schemas) {
        let validator = jsonschema::draft7::new(&exported).unwrap();
        for round in 0..100 {
            let mut record: Value = serde_json::from_str(&support::valid(schema, &mut choices)).unwrap();
            for _ in 0..round % 3 {
                spoil(&mut record, &mut choices);
            }
            let follows = assert_schema_agrees(record, format, variant, schema, &validator);
            if follows { good += 1 } else { bad += 1 }
        }
    }
    assert!(good > 25 * schemas && bad > 25 * schemas, "{good} good, {bad} bad");
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

#[test]
fn a_blank_string_is_one_of_unicode_white_space() {
    let mut compared = 0;
    for (format, variant, schema, exported) in made_schemas(400) {
        let validator = jsonschema::draft7::new(&exported).unwrap();
        for text in ["\u{feff}", "\u{85}", "\u{a0}\u{3000}", "\u{200b}", "\t", ""] {
            compared += 1;
            for record in [Value::from(text), Value::from(vec![text])] {
                assert_schema_agrees(record, format, variant, schema, &validator);
            }
        }
    }
    assert_eq!(compared, 400 * 6);
}
