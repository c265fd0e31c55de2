//! One change to a valid record, at a known path: the schema's findings are at that path and at no other.
//!
//! For every schema of every format. The findings of other rules are left out; these have their own tests.

use std::collections::BTreeMap;

use crate::support;
use crate::support::Choices;
use crate::support::suite::rounds;
use evalcheck_engine::diagnose::{self, PathBuilder, RecordFindings};
use evalcheck_engine::finding::{Path, Step};
use evalcheck_engine::formats::{FORMATS, Format, Layout};
use evalcheck_engine::schema::{Array, Empty, Object, Properties, Schema, Then, Types, UnknownKeys};
use serde_json::{Value, json};

/// The number of changes to each record, each to a fresh copy.
const CHANGES: usize = 12;

/// The kind of a change, for the counts at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Type,
    Missing,
    Value,
    Unknown,
    Minimum,
    Maximum,
    Fraction,
    Empty,
    Many,
    Blank,
    ThenMissing,
    ThenType,
}

/// One change: to the value at `location` (or its removal), which leads to a finding at `said`.
#[derive(Debug, Clone)]
struct Change {
    kind: Kind,
    location: Vec<Step>,
    /// The new value; `None` for a removal.
    value: Option<Value>,
    said: Vec<Step>,
}

/// Every schema that a format's records or its header are compared with.
fn schemas() -> Vec<(&'static Format, &'static Schema)> {
    let mut schemas: Vec<(&'static Format, &'static Schema)> = Vec::new();
    // Any value follows the schema of plain data.
    for format in FORMATS.iter().filter(|format| !format.takes_any_data()) {
        for variant in format.variants {
            let mut add = |schema: &'static Schema| {
                if !schemas.iter().any(|(_, known)| std::ptr::eq(*known, schema)) {
                    schemas.push((format, schema));
                }
            };
            match variant.layout {
                Layout::Csv(_) => {}
                Layout::Jsonl => add(variant.schema),
                Layout::JsonlWithHeader(header) => {
                    add(header);
                    add(variant.schema);
                }
                Layout::Json(lists) => {
                    add(variant.schema);
                    for list in lists {
                        add(list.schema);
                    }
                }
            }
        }
    }
    schemas
}

/// The paths and messages of the schema's findings in a record.
fn said(record: &Value, schema: &'static Schema) -> Vec<(Path, String)> {
    let line = record.to_string();
    let parsed = diagnose::parse(line.as_bytes()).unwrap();
    let mut found = RecordFindings::default();
    diagnose::check_schema(&parsed.value, schema, &PathBuilder::default(), line.as_bytes(), &mut found);
    let of_shape =
        found.into_vec().into_iter().filter(|found| found.problem.rule().code.starts_with("shape/"));
    of_shape.map(|found| (found.path.unwrap(), found.problem.message())).collect()
}

/// Finds the possible changes of a record.
struct Finder<'c> {
    choices: &'c mut Choices,
    here: Vec<Step>,
    changes: Vec<Change>,
}

impl Finder<'_> {
    fn change(&mut self, kind: Kind, value: Value) {
        let location = self.here.clone();
        self.changes.push(Change { kind, said: location.clone(), location, value: Some(value) });
    }

    fn within(&mut self, step: Step, look: impl FnOnce(&mut Self)) {
        self.here.push(step);
        look(self);
        self.here.pop();
    }

    fn value(&mut self, value: &Value, schema: &'static Schema) {
        self.other_types(schema);
        match value {
            Value::Number(_) => {
                let number = schema.number.as_ref().unwrap();
                if let Some(minimum) = number.minimum {
                    self.change(Kind::Minimum, json!(minimum - 1));
                }
                if let Some(maximum) = number.maximum {
                    self.change(Kind::Maximum, json!(maximum + 1));
                }
                if number.integer {
                    self.change(Kind::Fraction, json!(7.5));
                }
            }
            Value::String(_) => {
                let text = schema.string.as_ref().unwrap();
                if !text.values.is_empty() {
                    self.change(Kind::Value, json!("none of these"));
                } else if text.not_blank {
                    self.change(Kind::Blank, json!(" \t"));
                }
            }
            Value::Array(elements) => {
                let Array { items, empty, most, .. } = schema.array.as_ref().unwrap();
                if *empty != Empty::Allow {
                    self.change(Kind::Empty, json!([]));
                }
                if let (Some(most), [first, ..]) = (most, &elements[..]) {
                    self.change(Kind::Many, json!(vec![first; most + 1]));
                }
                for (index, element) in elements.iter().enumerate() {
                    self.within(Step::Index(index), |finder| finder.value(element, items));
                }
            }
            Value::Object(_) => match schema.object.as_ref().unwrap() {
                Object::Properties(fields) => self.fields(value, fields, None),
                Object::Tagged { key, variants } => {
                    let tag = value[*key].as_str().unwrap();
                    let (_, fields) = variants.iter().find(|(known, _)| *known == tag).unwrap();
                    self.fields(value, fields, Some(key));
                }
                Object::Keyed(sets) => {
                    let fields = Object::keyed_set(sets, |key| value.get(key).is_some());
                    self.fields(value, fields, None);
                }
            },
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Adds values of types that the schema does not accept.
    fn other_types(&mut self, schema: &'static Schema) {
        let others = [
            (Types::NULL, json!(null)),
            (Types::BOOLEAN, json!(true)),
            (Types::NUMBER, json!(7)),
            (Types::STRING, json!("text")),
            (Types::ARRAY, json!([1])),
            (Types::OBJECT, json!({"a": 1})),
        ];
        let others: Vec<_> =
            others.into_iter().filter(|(types, _)| !schema.types().contains(*types)).collect();
        if !others.is_empty() {
            let (_, value) = others[self.choices.below(others.len())].clone();
            self.change(Kind::Type, value);
        }
    }

    fn fields(&mut self, object: &Value, fields: &'static Properties, tag: Option<&str>) {
        let members = object.as_object().unwrap();
        let then: Vec<&'static Then> = fields
            .conditions
            .iter()
            .filter(|condition| condition.values.contains(&object[condition.key].as_str().unwrap()))
            .flat_map(|condition| condition.then)
            .collect();
        for field in fields.fields {
            let then = then.iter().find(|then| then.key == field.key);
            self.within(Step::Key(field.key.into()), |finder| {
                if let Some(value) = members.get(field.key) {
                    if tag == Some(field.key) {
                        finder.change(Kind::Value, json!("none of these"));
                        finder.change(Kind::Type, json!(7));
                    } else {
                        finder.value(value, field.schema);
                    }
                    let of_condition = then.is_some_and(|then| then.required);
                    if field.required || of_condition {
                        let kind = if field.required { Kind::Missing } else { Kind::ThenMissing };
                        let location = finder.here.clone();
                        finder.changes.push(Change { kind, said: location.clone(), location, value: None });
                    }
                }
                // A condition is about the field whether or not the generated record has it.
                if let Some(then) = then {
                    finder.conditional(field.schema, then);
                }
            });
        }
        let own = "a key of nobody";
        self.within(Step::Key(own.into()), |finder| match &fields.others {
            UnknownKeys::Allow => {}
            UnknownKeys::Ignore | UnknownKeys::Deny => finder.change(Kind::Unknown, json!(1)),
            UnknownKeys::Each(schema) => finder.other_types(schema),
        });
        if let UnknownKeys::Each(schema) = &fields.others {
            for (key, value) in members {
                if fields.position(key.as_bytes()).is_none() {
                    self.within(Step::Key(key.as_str().into()), |finder| finder.value(value, schema));
                }
            }
        }
    }

    /// Adds values that the field accepts except for the condition.
    fn conditional(&mut self, schema: &'static Schema, then: &Then) {
        let all = [Types::NULL, Types::BOOLEAN, Types::NUMBER, Types::STRING, Types::ARRAY, Types::OBJECT];
        let refused =
            all.into_iter().filter(|&one| schema.types().contains(one) && !then.types.contains(one));
        for types in refused {
            let value = support::valid_of(schema, types, self.choices);
            self.change(Kind::ThenType, serde_json::from_str(&value).unwrap());
        }
        if let [key] = then.keys {
            let location = self.here.clone();
            let mut said = location.clone();
            said.push(Step::Key((*key).into()));
            self.changes.push(Change { kind: Kind::ThenMissing, location, value: Some(json!({})), said });
        }
    }
}

fn apply(record: &Value, change: &Change) -> Value {
    let mut record = record.clone();
    let Some((last, way)) = change.location.split_last() else { return change.value.clone().unwrap() };
    let around = way.iter().fold(&mut record, |value, step| match step {
        Step::Key(key) => &mut value[&**key],
        Step::Index(index) => &mut value[*index],
    });
    match (last, &change.value) {
        (Step::Key(key), Some(value)) => around[&**key] = value.clone(),
        (Step::Key(key), None) => drop(around.as_object_mut().unwrap().remove(&**key)),
        (Step::Index(index), Some(value)) => around[*index] = value.clone(),
        (Step::Index(index), None) => drop(around.as_array_mut().unwrap().remove(*index)),
    }
    record
}

#[test]
fn one_change_is_found_at_its_path_and_nowhere_else() {
    let (mut choices, records) = (Choices::new(21), rounds(80, 400));
    for (format, schema) in schemas() {
        let mut made = BTreeMap::<Kind, usize>::new();
        for _ in 0..records {
            let record: Value = serde_json::from_str(&support::valid(schema, &mut choices)).unwrap();
            let before = said(&record, schema);
            assert!(before.is_empty(), "{}: {record}\nis valid, and gets {before:?}", format.id);
            let mut finder = Finder { choices: &mut choices, here: Vec::new(), changes: Vec::new() };
            finder.value(&record, schema);
            let changes = finder.changes;
            for _ in 0..CHANGES.min(changes.len()) {
                let change = &changes[choices.below(changes.len())];
                let spoilt = apply(&record, change);
                let said = said(&spoilt, schema);
                let wanted = Path(change.said.clone());
                assert!(
                    !said.is_empty() && said.iter().all(|(path, _)| *path == wanted),
                    "{}: {change:?}\nwants findings at {} alone, and gets {said:?}\n{spoilt}",
                    format.id,
                    wanted.dotted()
                );
                *made.entry(change.kind).or_default() += 1;
            }
        }
        assert!(made.values().sum::<usize>() > records, "{}: too few changes: {made:?}", format.id);
        for (kind, there) in [
            (Kind::Type, true),
            (Kind::Missing, has(schema, &|fields| fields.required != 0)),
            (
                Kind::Unknown,
                has(schema, &|fields| matches!(fields.others, UnknownKeys::Ignore | UnknownKeys::Deny)),
            ),
            (Kind::ThenType, has(schema, &|fields| !fields.conditions.is_empty())),
            (Kind::ThenMissing, has(schema, &|fields| !fields.conditions.is_empty())),
        ] {
            assert!(
                !there || made.contains_key(&kind),
                "{}: no change of kind {kind:?}: {made:?}",
                format.id
            );
        }
    }
}

/// Whether a set of fields of the top object of a schema passes a test.
fn has(schema: &Schema, test: &dyn Fn(&Properties) -> bool) -> bool {
    schema.object.as_ref().is_some_and(|object| object.sets().any(test))
}
