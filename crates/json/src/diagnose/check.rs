//! Compares a tree with a schema: every difference, at the deepest path, in the order in which Zod validates.

use std::ops::Range;

use super::advice::{self, Advice, Missing, Unknown};
use super::fix::{self, RecordFix};
use super::levels;
use super::value::{Kind, Member, Value};
use super::{PathBuilder, RecordFindings, Room, Texts};
use super::{SchemaProblem, TextProblem};
use crate::schema::{
    Array, Condition, Empty, Number, Object, Properties, Property, Schema, StringSchema, TextRole, Then,
    UnknownKeys,
};
use evalcheck_core::excerpt::{clip, clip_quoted};
use evalcheck_core::names;
use evalcheck_core::rule::Problem;
use evalcheck_core::suggest::is_same_word;

/// See [`super::check_schema`].
pub(super) fn check(
    value: &Value<'_>,
    schema: &'static Schema,
    base: &PathBuilder,
    record: &[u8],
    found: &mut RecordFindings<'_>,
) {
    let from = found.len();
    Check { found, path: base.clone(), removal: None, record, is_probe: false }.value(value, schema);
    levels::join(value, base.0.len(), record, from, found);
}

/// True when a value has no difference from a schema that is an error.
pub(super) fn fits(value: &Value<'_>, schema: &'static Schema) -> bool {
    let mut found = RecordFindings::within(Room::None);
    Check { found: &mut found, path: PathBuilder::default(), removal: None, record: &[], is_probe: true }
        .value(value, schema);
    found.errors() == 0
}

struct Check<'f, 'r> {
    found: &'f mut RecordFindings<'r>,
    path: PathBuilder,
    /// What is deleted when the value at hand is left out, where it belongs to a key that is not required.
    removal: Option<Range<usize>>,
    /// The bytes of the record, for fixes; empty where there are none.
    record: &'f [u8],
    /// Hints are not wanted, which themselves try what fits.
    is_probe: bool,
}

impl Check<'_, '_> {
    fn report<P: Problem>(&mut self, span: &Range<usize>, problem: impl Fn(Texts) -> P) {
        self.report_fixed(span, None, problem);
    }

    fn report_fixed<P: Problem>(
        &mut self,
        span: &Range<usize>,
        fix: Option<RecordFix>,
        problem: impl Fn(Texts) -> P,
    ) {
        let fix = fix.filter(|_| !self.record.is_empty());
        self.found.report(span.clone(), Some(self.path.path()), fix, problem);
    }

    fn value(&mut self, value: &Value<'_>, schema: &'static Schema) {
        match (&value.kind, schema) {
            (Kind::Null, Schema { null: true, .. })
            | (Kind::Boolean(_), Schema { boolean: true, .. })
            | (Kind::Null | Kind::Boolean(_), Schema { coerced: true, .. })
            | (Kind::Number(..), Schema { number: None, coerced: true, .. }) => {}
            (Kind::Number(n, _), Schema { number: Some(number), .. }) => self.number(*n, value, number),
            (Kind::String(text), Schema { string: Some(wanted), .. }) => self.text(text, value, wanted),
            (Kind::Array(elements), Schema { array: Some(array), .. }) => self.array(elements, value, array),
            (Kind::Object(members), Schema { object: Some(object), .. }) => match object {
                Object::Properties(fields) => self.fields(members, value, fields),
                Object::Tagged { key, variants } => self.tagged(members, value, key, variants),
            },
            _ => self.wrong_type(value, schema),
        }
    }

    fn wrong_type(&mut self, value: &Value<'_>, schema: &'static Schema) {
        let (is_root, may_be_left_out) = (self.path.0.is_empty(), self.removal.is_some());
        let advice = || match (&value.kind, is_root) {
            (Kind::Array(_), true) => {
                "A line must be one record. To split an array of records into lines, use jq -c '.[]' FILE."
                    .to_owned()
            }
            (Kind::String(_), true) => {
                "The record itself was written as a JSON string: encode it once, not twice.".to_owned()
            }
            _ => advice::wrong_type(value, schema, may_be_left_out),
        };
        let fix = if self.record.is_empty() {
            None
        } else if self.path.0.is_empty() {
            fix::schema::wrong_record(value, schema)
        } else {
            let key = advice::key_for(value, schema);
            fix::schema::wrong_type(value, schema, self.record, self.removal.clone(), key)
        };
        self.report_fixed(&value.span, fix, |texts| SchemaProblem::WrongType {
            expected: texts.of(|| expected_types(schema)),
            received: value.type_name(),
            advice: texts.of(advice),
        });
    }

    fn number(&mut self, n: f64, value: &Value<'_>, number: &Number) {
        if number.integer && n.fract() != 0.0 {
            self.report(&value.span, |texts| SchemaProblem::WrongType {
                expected: texts.of(|| "integer".to_owned()),
                received: "float",
                advice: texts.of(|| "Write a whole number.".to_owned()),
            });
        } else if let Some(minimum) = number.minimum
            && n < f64::from(minimum)
        {
            self.report(&value.span, |_| SchemaProblem::TooSmall { minimum: i64::from(minimum) });
        }
    }

    fn text(&mut self, text: &str, value: &Value<'_>, wanted: &StringSchema) {
        if !wanted.values.is_empty() {
            if !wanted.values.contains(&text) {
                let meant = advice::value_for(text, wanted.values);
                let fix = fix::schema::one_of(value, wanted.values, meant);
                self.report_fixed(&value.span, fix, |texts| SchemaProblem::EnumValue {
                    expected: texts.of(|| quoted_values(wanted.values.iter().copied())),
                    received: texts.of(|| clip(text, 80)),
                    advice: texts.of(|| advice::for_value(meant, wanted.values)),
                });
            }
            return;
        }
        if wanted.not_blank && text.trim().is_empty() {
            self.report(&value.span, |_| SchemaProblem::Blank);
        }
        if wanted.role == TextRole::Name
            && let Some(c) = names::suspicious(text)
        {
            self.report(&value.span, |texts| TextProblem::SuspiciousCharacter {
                name: texts.of(|| super::wording::character_name(c)),
                shown: texts.of(|| clip_quoted(text)),
            });
        }
    }

    fn array(&mut self, elements: &[Value<'_>], value: &Value<'_>, array: &Array) {
        if elements.is_empty() {
            match array.empty {
                Empty::Allow => {}
                Empty::Suspicious => self.report(&value.span, |_| SchemaProblem::EmptyArray),
                Empty::Deny => self.report(&value.span, |_| SchemaProblem::TooFewElements),
            }
        }
        for (index, element) in elements.iter().enumerate() {
            self.path.index(index);
            self.removal = None;
            self.value(element, array.items);
            self.path.back();
        }
    }

    fn fields(&mut self, members: &[Member<'_>], value: &Value<'_>, fields: &'static Properties) {
        let mut explained = Vec::new();
        let holding: Vec<&Condition> =
            fields.conditions.iter().filter(|condition| holds(condition, members)).collect();
        for field in fields.fields {
            self.path.key(field.key);
            let mut then = holding.iter().flat_map(|condition| {
                let of_field = condition.then.iter().filter(|then| then.key == field.key);
                of_field.map(move |then| (*condition, then))
            });
            match position(members, field.key) {
                Some(index) => {
                    let member = &members[index];
                    self.removal = (!field.required).then(|| fix::members::with_comma(members, index));
                    self.value(&member.value, field.schema);
                    // A value that the field never accepts is already reported.
                    if field.schema.types().contains(member.value.types()) {
                        then.for_each(|(condition, then)| self.then(&member.value, condition, then, members));
                    }
                }
                None if field.required => {
                    let Missing { advice, fix, .. } = self.missing(members, fields, field, &mut explained);
                    self.report_fixed(&opening(value), fix, |texts| SchemaProblem::MissingKey {
                        advice: advice.written(texts),
                    });
                }
                None => {
                    if let Some((condition, _)) = then.find(|(_, then)| then.required) {
                        let Missing { advice, fix, .. } =
                            self.missing(members, fields, field, &mut explained);
                        self.report_fixed(&opening(value), fix, |texts| SchemaProblem::MissingKeyThen {
                            key: condition.key,
                            value: texts.of(|| decided(condition, members)),
                            advice: advice.written(texts),
                        });
                    }
                }
            }
            self.path.back();
        }
        let mut meant = Vec::new();
        for member in live(members) {
            let is_explained = explained.contains(&member.key_span.start);
            if !is_explained && fields.position(member.key.as_bytes()).is_none() {
                self.other(member, members, fields, &mut meant);
            }
        }
    }

    /// The hint for a missing key. Unknown keys that hold its content are no findings of their own: the hint says what to do
    /// with them.
    fn missing<'m, 'a>(
        &self,
        members: &'m [Member<'a>],
        fields: &Properties,
        field: &Property,
        explained: &mut Vec<usize>,
    ) -> Missing<'m, 'a> {
        if self.is_probe {
            return Missing { advice: String::new().into(), holders: Vec::new(), fix: None };
        }
        let missing = advice::missing(members, fields, field.key, field.schema, self.record);
        explained.extend(missing.holders.iter().map(|member| member.key_span.start));
        let fix = missing.fix.or_else(|| match missing.advice {
            Advice::Add { .. } => fix::schema::add(members, fields, field.key, field.schema),
            Advice::Text(_) => None,
        });
        Missing { fix, ..missing }
    }

    /// Checks what a condition that holds requires of a value.
    fn then(&mut self, value: &Value<'_>, condition: &Condition, then: &Then, members: &[Member<'_>]) {
        let key = condition.key;
        let decided = |texts: Texts| texts.of(|| decided(condition, members));
        if !then.types.contains(value.types()) {
            let names = then.types.names();
            let written = || names.iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or ");
            self.report(&value.span, |texts| SchemaProblem::WrongTypeThen {
                expected: texts.of(|| names.join(" or ")),
                key,
                value: decided(texts),
                received: value.type_name(),
                write: texts.of(written),
            });
        } else if let Kind::Object(own) = &value.kind {
            for missing in then.keys.iter().filter(|&&wanted| !live(own).any(|member| member.key == wanted)) {
                self.path.key(missing);
                self.report(&opening(value), |texts| SchemaProblem::MissingKeyThen {
                    key,
                    value: decided(texts),
                    advice: texts.of(|| format!("Add the key \"{missing}\".")).into(),
                });
                self.path.back();
            }
        }
    }

    /// `meant` are the keys that were meant by the unknown ones before.
    fn other(
        &mut self,
        member: &Member<'_>,
        members: &[Member<'_>],
        fields: &'static Properties,
        meant: &mut Vec<&'static str>,
    ) {
        self.path.key(&member.key);
        let key = |texts: Texts| texts.of(|| clip_quoted(&member.key));
        let Unknown { advice, meant: field } = advice::unknown(member, members, fields);
        let field = field.filter(|field| !meant.contains(&field.key) && fits(&member.value, field.schema));
        let fix = match field {
            Some(field) => {
                meant.push(field.key);
                Some(if is_same_word(&member.key, field.key) {
                    fix::schema::rename(member, field.key)
                } else {
                    fix::schema::rename_by_guess(member, field.key)
                })
            }
            None => fix::schema::remove(members, member),
        };
        match &fields.others {
            UnknownKeys::Allow => {}
            UnknownKeys::Ignore => {
                let otherwise = || "Delete the key, or keep it if the system does not need it.".to_owned();
                self.report_fixed(&member.key_span, fix, |texts| SchemaProblem::UnknownKey {
                    key: key(texts),
                    advice: texts.of(|| advice.clone().unwrap_or_else(otherwise)),
                });
            }
            UnknownKeys::Deny => {
                let otherwise = || "Delete the key.".to_owned();
                self.report_fixed(&member.key_span, fix, |texts| SchemaProblem::ForbiddenKey {
                    key: key(texts),
                    advice: texts.of(|| advice.clone().unwrap_or_else(otherwise)),
                });
            }
            UnknownKeys::Each(schema) => {
                let index = fix::members::index(members, &member.key_span);
                self.removal = index.map(|index| fix::members::with_comma(members, index));
                self.value(&member.value, schema);
            }
        }
        self.path.back();
    }

    fn tagged(
        &mut self,
        members: &[Member<'_>],
        value: &Value<'_>,
        key: &'static str,
        variants: &'static [(&'static str, Properties)],
    ) {
        let expected = || quoted_values(variants.iter().map(|(tag, _)| *tag));
        let Some(member) = live(members).find(|member| member.key == key) else {
            self.path.key(key);
            let tag = meant(members, variants, key);
            let advice = || match tag {
                Some(tag) => format!("Add \"{key}\": \"{tag}\"."),
                None => format!("Add the key \"{key}\", one of {}.", expected()),
            };
            let of_tag = variants.iter().find(|(value, _)| Some(*value) == tag);
            let fix = of_tag.and_then(|(tag, fields)| fix::schema::add_tag(members, fields, key, tag));
            self.report_fixed(&opening(value), fix, |texts| SchemaProblem::MissingKey {
                advice: texts.of(advice).into(),
            });
            self.path.back();
            return;
        };
        if let Some(tag) = member.value.as_str()
            && let Some((_, fields)) = variants.iter().find(|(value, _)| *value == tag)
        {
            return self.fields(members, value, fields);
        }
        self.path.key(key);
        if let Some(tag) = member.value.as_str() {
            let tags: Vec<&str> = variants.iter().map(|(tag, _)| *tag).collect();
            let meant = meant(members, variants, key);
            let near = advice::value_for(tag, &tags);
            let advice = || match meant {
                Some(meant) => format!("The other keys fit \"{meant}\": write that here."),
                None => advice::for_value(near, &tags),
            };
            let written = meant.or(near);
            let fix = fix::schema::one_of(&member.value, &tags, written);
            self.report_fixed(&member.value.span, fix, |texts| SchemaProblem::Discriminator {
                expected: texts.of(expected),
                received: texts.of(|| clip(tag, 80)),
                advice: texts.of(advice),
            });
        } else {
            self.report(&member.value.span, |texts| SchemaProblem::WrongType {
                expected: texts.of(expected),
                received: member.value.type_name(),
                advice: texts.of(|| format!("Write one of {} here.", expected())),
            });
        }
        self.path.back();
    }
}

/// The name of a type in a sentence.
fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "object" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// The opening brace of an object, after which a missing key would be.
fn opening(value: &Value<'_>) -> Range<usize> {
    value.span.start..value.span.start + 1
}

/// True when the condition's field has one of its values.
fn holds(condition: &Condition, members: &[Member<'_>]) -> bool {
    let decides = live(members).find(|member| member.key == condition.key);
    let value = decides.and_then(|member| member.value.as_str());
    value.is_some_and(|value| condition.values.contains(&value))
}

/// The value that the key of a condition has here.
fn decided(condition: &Condition, members: &[Member<'_>]) -> String {
    let decides = live(members).find(|member| member.key == condition.key);
    decides.and_then(|member| member.value.as_str()).unwrap_or_default().to_owned()
}

/// The member with a key that readers see.
fn position(members: &[Member<'_>], key: &str) -> Option<usize> {
    members.iter().position(|member| !member.shadowed && member.key == key)
}

/// The members that readers see: the last of equal keys.
fn live<'m, 'a>(members: &'m [Member<'a>]) -> impl Iterator<Item = &'m Member<'a>> {
    members.iter().filter(|member| !member.shadowed)
}

/// The variant whose required keys the object has, if it is the only one.
fn meant(members: &[Member<'_>], variants: &[(&'static str, Properties)], key: &str) -> Option<&'static str> {
    let mut fitting = variants.iter().filter(|(_, fields)| {
        let mut own = fields.fields.iter().filter(|field| field.required && field.key != key).peekable();
        own.peek().is_some() && own.all(|field| live(members).any(|member| member.key == field.key))
    });
    match (fitting.next(), fitting.next()) {
        (Some((tag, _)), None) => Some(tag),
        _ => None,
    }
}

/// `'system' | 'user' | 'assistant'`, as Zod joins values.
pub(super) fn quoted_values<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values.map(|value| format!("'{value}'")).collect::<Vec<_>>().join(" | ")
}

/// The types that a schema accepts, in words: `string`, `string or array`. For an enumeration, its values, as in Zod's
/// messages.
pub fn expected_types(schema: &Schema) -> String {
    let mut names = Vec::new();
    if schema.null {
        names.push("null".to_owned());
    }
    if schema.boolean {
        names.push("boolean".to_owned());
    }
    if let Some(number) = &schema.number {
        names.push(if number.integer { "integer" } else { "number" }.to_owned());
    }
    if let Some(text) = &schema.string {
        names.push(match text.values {
            [] => "string".to_owned(),
            values => quoted_values(values.iter().copied()),
        });
    }
    // Order as Zod's loader lists the alternatives of `usage_output`: string, object, array.
    if schema.object.is_some() {
        names.push("object".to_owned());
    }
    if schema.array.is_some() {
        names.push("array".to_owned());
    }
    match names.pop() {
        None => "nothing".to_owned(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}
