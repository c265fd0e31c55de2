//! Compares a tree with a schema. Yields every difference, at the deepest path, in the order in which Zod validates.
//!
//! A difference contains no text and allocates nothing: most are only counted, or only show that a value does not fit.

use std::ops::{ControlFlow, Range};

use evalcheck_core::names;

use super::parse;
use super::place::{Entered, Place};
use super::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{
    Array, Condition, Empty, Number, Object, Properties, Property, Schema, StringSchema, TextRole, Then,
    Types, UnknownKeys,
};

/// A difference between a value and a schema.
pub(super) struct Difference<'v, 'a> {
    /// Its bytes in the record.
    pub(super) span: Range<usize>,
    pub(super) what: What<'v, 'a>,
}

/// The kind of a difference.
pub(super) enum What<'v, 'a> {
    /// A value of a wrong type. `removable` is its member, if that may be omitted.
    Type { value: &'v Value<'a>, schema: &'static Schema, removable: Option<Owner<'v, 'a>> },
    /// A number that is not whole, where an integer is expected.
    Fraction(&'static Number),
    /// A number below its minimum.
    TooSmall(i32, &'static Number),
    /// A number above its maximum.
    TooBig(i32, &'static Number),
    /// A string that is not one of the values.
    Choice { value: &'v Value<'a>, text: &'v str, values: &'static [&'static str] },
    /// A blank string.
    Blank,
    /// A string that should be JSON.
    NotJson,
    /// A name with a character that may be a mistake.
    Character { text: &'v str, character: char },
    /// A text in which JavaScript lost an object.
    LostObject,
    /// A name that a spreadsheet has rounded.
    Rounded { text: &'v str },
    /// An empty array that should have an element.
    EmptyArray,
    /// An empty array that must have an element; `is_removable` if its key may be omitted.
    TooFewElements { is_removable: bool },
    /// An array with more elements than this.
    TooManyElements(usize),
    /// A missing key; `types` are the types of its value, `because` is the condition that requires it, if any.
    MissingKey { field: &'static Property, types: Types, because: Option<Because<'v>> },
    /// A missing key that a condition requires in the value of a field.
    MissingInside { key: &'static str, because: Because<'v> },
    /// A type that a condition excludes.
    TypeThen { value: &'v Value<'a>, then: &'static Then, because: Because<'v> },
    /// An unknown key, which the system refuses or drops.
    UnknownKey { member: &'v Member<'a>, is_refused: bool },
    /// A missing tag: the key that distinguishes kinds of objects.
    MissingTag { members: &'v [Member<'a>], key: &'static str, variants: Variants },
    /// A tag that is not a string.
    TagType { value: &'v Value<'a>, variants: Variants },
    /// An unknown tag.
    Tag {
        members: &'v [Member<'a>],
        value: &'v Value<'a>,
        tag: &'v str,
        key: &'static str,
        variants: Variants,
    },
}

/// The members of the object that a value belongs to, and the index of its member.
pub(super) type Owner<'v, 'a> = (&'v [Member<'a>], usize);

/// The kinds of an object, by their tags.
pub(super) type Variants = &'static [(&'static str, Properties)];

/// A condition that holds: its key, and the value for which it holds.
#[derive(Clone, Copy)]
pub(super) struct Because<'v> {
    pub(super) key: &'static str,
    pub(super) value: &'v str,
}

/// Receives the differences in order, until it ends the comparison.
pub(super) type Take<'t, 'v, 'a> = dyn FnMut(Difference<'v, 'a>, &Place<'_, 'v, 'a>) -> Flow + 't;

/// Whether the comparison continues.
type Flow = ControlFlow<()>;
const GO_ON: Flow = ControlFlow::Continue(());

impl What<'_, '_> {
    /// Whether the system refuses the difference.
    pub(super) fn is_error(&self) -> bool {
        !matches!(
            self,
            Self::Character { .. }
                | Self::Rounded { .. }
                | Self::LostObject
                | Self::NotJson
                | Self::EmptyArray
                | Self::UnknownKey { is_refused: false, .. }
        )
    }
}

/// Passes every difference between a value and a schema to `take`.
pub(super) fn compare<'v, 'a>(value: &'v Value<'a>, schema: &'static Schema, take: &mut Take<'_, 'v, 'a>) {
    let _ = Compare(take).value(value, schema, &Place::ROOT, None);
}

/// Whether a value has no difference from a schema that is an error.
pub(super) fn fits(value: &Value<'_>, schema: &'static Schema) -> bool {
    let mut fits = true;
    compare(value, schema, &mut |difference, _| {
        fits &= !difference.what.is_error();
        if fits { GO_ON } else { ControlFlow::Break(()) }
    });
    fits
}

struct Compare<'c, 't, 'v, 'a>(&'c mut Take<'t, 'v, 'a>);

impl<'v, 'a> Compare<'_, '_, 'v, 'a> {
    fn found(&mut self, span: &Range<usize>, what: What<'v, 'a>, at: &Place<'_, 'v, 'a>) -> Flow {
        (self.0)(Difference { span: span.clone(), what }, at)
    }

    fn value(
        &mut self,
        value: &'v Value<'a>,
        schema: &'static Schema,
        at: &Place<'_, 'v, 'a>,
        removable: Option<Owner<'v, 'a>>,
    ) -> Flow {
        match (&value.kind, schema) {
            (Kind::Null, Schema { null: true, .. })
            | (Kind::Boolean(_), Schema { boolean: true, .. })
            | (Kind::Null | Kind::Boolean(_), Schema { coerced: true, .. })
            | (Kind::Number(..), Schema { number: None, coerced: true, .. }) => GO_ON,
            (Kind::Number(n, _), Schema { number: Some(number), .. }) => self.number(*n, value, number, at),
            (Kind::String(text), Schema { string: Some(wanted), .. }) => self.text(text, value, wanted, at),
            (Kind::Array(elements), Schema { array: Some(array), .. }) => {
                self.array(elements, value, array, at, removable.is_some())
            }
            (Kind::Object(members), Schema { object: Some(object), .. }) => match object {
                Object::Properties(fields) => self.fields(members, value, fields, at),
                Object::Tagged { key, variants } => self.tagged(members, value, key, variants, at),
                Object::Keyed(sets) => {
                    let has = |key: &str| live(members).any(|member| member.key == key);
                    self.fields(members, value, Object::keyed_set(sets, has), at)
                }
            },
            _ => self.found(&value.span, What::Type { value, schema, removable }, at),
        }
    }

    fn number(&mut self, n: f64, value: &Value<'_>, number: &'static Number, at: &Place<'_, 'v, 'a>) -> Flow {
        match (number.minimum, number.maximum) {
            _ if number.integer && n.fract() != 0.0 => self.found(&value.span, What::Fraction(number), at),
            (Some(minimum), _) if n < f64::from(minimum) => {
                self.found(&value.span, What::TooSmall(minimum, number), at)
            }
            (_, Some(maximum)) if n > f64::from(maximum) => {
                self.found(&value.span, What::TooBig(maximum, number), at)
            }
            _ => GO_ON,
        }
    }

    fn text(
        &mut self,
        text: &'v str,
        value: &'v Value<'a>,
        wanted: &'static StringSchema,
        at: &Place<'_, 'v, 'a>,
    ) -> Flow {
        let span = &value.span;
        if !wanted.values.is_empty() {
            if !wanted.values.contains(&text) {
                self.found(span, What::Choice { value, text, values: wanted.values }, at)?;
            }
            return GO_ON;
        }
        // If it is written with escapes, it is meant. At most two quotes surround it.
        if text == names::LOST_OBJECT && span.len() <= text.len() + 2 {
            self.found(span, What::LostObject, at)?;
        }
        if wanted.not_blank && text.trim().is_empty() {
            self.found(span, What::Blank, at)?;
        }
        if wanted.json && parse::parse(text.as_bytes()).is_err() {
            self.found(span, What::NotJson, at)?;
        }
        if wanted.role == TextRole::Name && names::is_rounded(text.as_bytes()) {
            self.found(span, What::Rounded { text }, at)?;
        }
        match names::suspicious(text).filter(|_| wanted.role == TextRole::Name) {
            Some(character) => self.found(span, What::Character { text, character }, at),
            None => GO_ON,
        }
    }

    fn array(
        &mut self,
        elements: &'v [Value<'a>],
        value: &Value<'_>,
        array: &'static Array,
        at: &Place<'_, 'v, 'a>,
        is_removable: bool,
    ) -> Flow {
        match array.empty {
            Empty::Suspicious if elements.is_empty() => self.found(&value.span, What::EmptyArray, at)?,
            Empty::Deny if elements.is_empty() => {
                self.found(&value.span, What::TooFewElements { is_removable }, at)?;
            }
            _ => {}
        }
        if let Some(most) = array.most.filter(|most| elements.len() > *most) {
            self.found(&value.span, What::TooManyElements(most), at)?;
        }
        for (index, element) in elements.iter().enumerate() {
            self.value(element, array.items, &at.element(index), None)?;
        }
        GO_ON
    }

    fn fields(
        &mut self,
        members: &'v [Member<'a>],
        value: &Value<'_>,
        fields: &'static Properties,
        at: &Place<'_, 'v, 'a>,
    ) -> Flow {
        let object = &Entered::new(members, fields);
        for (number, field) in fields.fields.iter().enumerate() {
            let at = &at.member(field.key, Some(object));
            let mut then = fields.conditions.iter().flat_map(|condition| {
                let of_field = condition.then.iter().filter(|then| then.key == field.key);
                of_field.filter_map(move |then| Some((then, because(condition, members)?)))
            });
            let found = members.iter().position(|member| !member.shadowed && member.key == field.key);
            if let Some(index) = found {
                let value = &members[index].value;
                self.value(value, field.schema, at, (!field.required).then_some((members, index)))?;
                // A value that the field never accepts is already reported.
                if field.schema.types().contains(value.types()) {
                    then.try_for_each(|(then, because)| self.then(value, then, because, at))?;
                }
            } else if field.required && !object.is_settled(number) {
                let types = field.schema.types();
                self.found(&opening(value), What::MissingKey { field, types, because: None }, at)?;
            } else if let Some((then, because)) = then.find(|(then, _)| then.required) {
                let (types, because) = (then.types, Some(because));
                self.found(&opening(value), What::MissingKey { field, types, because }, at)?;
            }
        }
        for (number, &member) in object.unknown.iter().enumerate() {
            if object.is_explained(number) {
                continue;
            }
            let at = &at.member(&member.key, Some(object));
            match fields.others {
                UnknownKeys::Allow => {}
                UnknownKeys::Ignore => {
                    self.found(&member.key_span, What::UnknownKey { member, is_refused: false }, at)?;
                }
                UnknownKeys::Deny => {
                    self.found(&member.key_span, What::UnknownKey { member, is_refused: true }, at)?;
                }
                UnknownKeys::Each(schema) => {
                    let index = super::fix::members::index(members, &member.key_span);
                    self.value(&member.value, schema, at, index.map(|index| (members, index)))?;
                }
            }
        }
        GO_ON
    }

    /// Compares a value with the requirements of a condition that holds.
    fn then(
        &mut self,
        value: &'v Value<'a>,
        then: &'static Then,
        because: Because<'v>,
        at: &Place<'_, 'v, 'a>,
    ) -> Flow {
        if !then.types.contains(value.types()) {
            return self.found(&value.span, What::TypeThen { value, then, because }, at);
        }
        let Kind::Object(own) = &value.kind else { return GO_ON };
        for &key in then.keys.iter().filter(|&&wanted| !live(own).any(|member| member.key == wanted)) {
            self.found(&opening(value), What::MissingInside { key, because }, &at.member(key, None))?;
        }
        GO_ON
    }

    fn tagged(
        &mut self,
        members: &'v [Member<'a>],
        value: &Value<'_>,
        key: &'static str,
        variants: Variants,
        at: &Place<'_, 'v, 'a>,
    ) -> Flow {
        let at_key = at.member(key, None);
        let Some(member) = live(members).find(|member| member.key == key) else {
            return self.found(&opening(value), What::MissingTag { members, key, variants }, &at_key);
        };
        let value_of_key = &member.value;
        let Some(tag) = value_of_key.as_str() else {
            return self.found(&value_of_key.span, What::TagType { value: value_of_key, variants }, &at_key);
        };
        if let Some((_, fields)) = variants.iter().find(|(known, _)| *known == tag) {
            return self.fields(members, value, fields, at);
        }
        let what = What::Tag { members, value: value_of_key, tag, key, variants };
        self.found(&value_of_key.span, what, &at_key)
    }
}

/// The opening brace of an object: the place of a missing key.
fn opening(value: &Value<'_>) -> Range<usize> {
    value.span.start..value.span.start + 1
}

/// The value for which a condition holds.
fn because<'v>(condition: &Condition, members: &'v [Member<'_>]) -> Option<Because<'v>> {
    let decides = live(members).find(|member| member.key == condition.key)?;
    let value = decides.value.as_str().filter(|value| condition.values.contains(value))?;
    Some(Because { key: condition.key, value })
}
