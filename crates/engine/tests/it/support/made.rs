//! Schemas that are put together at random, each as a format of its own.

use evalcheck_engine::formats::{Format, Layout, Variant};
use evalcheck_engine::schema::{
    ANY, Array, Condition, Empty, Number, Object, Properties, Property, Schema, StringSchema, TextRole, Then,
    Types, UnknownKeys,
};

use super::Choices;

/// Deeper schemas have no further arrays and objects.
const DEEPEST: usize = 3;

const KEYS: [&str; 8] =
    ["a", "id", "type", "text", "file_ref", "a_key_of_more_than_sixteen_bytes", "é", "x y"];

const WORDS: [&str; 5] = ["user", "assistant", "a", "a word of more than sixteen bytes", "été"];

const TYPES: [Types; 4] =
    [Types::ALL, Types::STRING, Types::NUMBER.or(Types::NULL), Types::ARRAY.or(Types::OBJECT)];

/// This number of formats, of one variant each. They are never freed.
pub fn formats(count: usize) -> Vec<(&'static Format, &'static Variant)> {
    let mut choices = Choices::new(4);
    (0..count).map(|_| format(&mut choices)).collect()
}

fn format(choices: &mut Choices) -> (&'static Format, &'static Variant) {
    let schema = schema(choices, 0);
    let variants = keep(vec![Variant { version: "", layout: Layout::Jsonl, schema }]);
    let format = Box::leak(Box::new(Format::new("made-up", variants)));
    (format, &variants[0])
}

fn keep<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}

/// A random schema. The record itself is an object, mostly.
fn schema(choices: &mut Choices, depth: usize) -> &'static Schema {
    let is_record = depth == 0 && !choices.chance(8);
    if !is_record && choices.chance(8) {
        return &ANY;
    }
    let may_nest = depth < DEEPEST;
    let mut schema = Schema {
        null: choices.chance(4),
        boolean: choices.chance(4),
        number: choices.chance(3).then(|| number(choices)),
        string: choices.chance(2).then(|| text(choices)),
        array: (may_nest && choices.chance(3)).then(|| array(choices, depth)),
        object: (is_record || may_nest && choices.chance(3)).then(|| object(choices, depth)),
        ..Schema::NONE
    };
    if schema.types() == Types::NONE {
        schema.string = Some(text(choices));
    }
    // As formats use it.
    schema.coerced = schema.types() == Types::STRING && choices.chance(4);
    Box::leak(Box::new(schema))
}

fn number(choices: &mut Choices) -> Number {
    Number {
        integer: choices.chance(2),
        minimum: choices.pick(&[None, Some(0), Some(1), Some(-5)]),
        maximum: choices.pick(&[None, None, Some(1), Some(70)]),
    }
}

fn text(choices: &mut Choices) -> StringSchema {
    let values = if choices.chance(3) { keep(some(&WORDS, choices)) } else { &[] };
    let role = choices.pick(&[TextRole::Prose, TextRole::Name]);
    StringSchema {
        values,
        role,
        not_blank: values.is_empty() && choices.chance(3),
        json: values.is_empty() && role == TextRole::Prose && choices.chance(6),
        ..StringSchema::ANY
    }
}

fn array(choices: &mut Choices, depth: usize) -> Array {
    Array {
        empty: choices.pick(&[Empty::Allow, Empty::Suspicious, Empty::Deny]),
        most: choices.pick(&[None, None, Some(1), Some(2)]),
        ..Array::of(schema(choices, depth + 1))
    }
}

fn object(choices: &mut Choices, depth: usize) -> Object {
    if choices.chance(4) {
        let key = choices.pick(&KEYS);
        let tags = some(&WORDS, choices);
        let variants = tags.iter().map(|tag| (*tag, properties(choices, depth, Some(key)))).collect();
        return Object::Tagged { key, variants: keep(variants) };
    }
    if choices.chance(4) {
        let keys = some(&KEYS, choices);
        let set = |(index, key): (usize, &&'static str)| {
            let set = properties(choices, depth, Some(key));
            if index == 0 {
                return (*key, set);
            }
            let others = if choices.chance(2) { UnknownKeys::Ignore } else { UnknownKeys::Deny };
            let fields = set.fields.iter().filter(|field| !keys[..index].contains(&field.key));
            let fields = fields.map(|field| Property { ..*field }).collect();
            (*key, Properties::new(keep(fields), others))
        };
        return Object::keyed(keep(keys.iter().enumerate().map(set).collect()));
    }
    Object::Properties(properties(choices, depth, None))
}

/// A set of fields. A key that selects variants is declared too.
fn properties(choices: &mut Choices, depth: usize, tag: Option<&'static str>) -> Properties {
    let mut keys = some(&KEYS, choices);
    keys.retain(|key| Some(*key) != tag);
    let mut fields: Vec<Property> = Vec::new();
    if let Some(tag) = tag {
        fields.push(Property::required(tag, &Schema::STRING));
    }
    let deciding = (tag.is_none() && keys.len() > 1 && choices.chance(3)).then(|| keys[0]);
    for key in keys {
        if deciding == Some(key) {
            let words = Schema::text(StringSchema::one_of(&WORDS));
            fields.push(Property::required(key, Box::leak(Box::new(words))));
        } else {
            fields.push(Property {
                required: choices.chance(2),
                ..Property::optional(key, schema(choices, depth + 1))
            });
        }
    }
    let fields = keep(fields);
    let others = match choices.below(4) {
        0 => UnknownKeys::Allow,
        1 => UnknownKeys::Ignore,
        2 => UnknownKeys::Deny,
        _ => UnknownKeys::Each(schema(choices, depth + 1)),
    };
    let properties = Properties::new(fields, others);
    let Some(key) = deciding else { return properties };
    let then = fields[1..].iter().map(|field| {
        // Some value must remain.
        let of_field = field.schema.types().names();
        let is_possible = |types: &Types| types.names().iter().any(|name| of_field.contains(name));
        let types = choices.pick(&TYPES);
        let types = if is_possible(&types) && !field.schema.coerced { types } else { Types::ALL };
        Then { required: choices.chance(2), ..Then::optional(field.key).of(types) }
    });
    let then = keep(then.collect());
    properties.when(keep(vec![Condition::new(fields, key, &WORDS[..2], then)]))
}

/// At least one of them, each at most once.
fn some(from: &[&'static str], choices: &mut Choices) -> Vec<&'static str> {
    let mut chosen = from.to_vec();
    choices.random.shuffle(&mut chosen);
    chosen.truncate(1 + choices.below(from.len() - 1));
    chosen
}
