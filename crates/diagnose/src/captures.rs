//! Captures the fields of a record that was parsed into a tree: the same fields as the scanner, in the same order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::path_builder::PathBuilder;
use super::place::Way;
use super::value::{Kind, Member, Value};
use evalcheck_core::finding::Path;
use evalcheck_json::schema::{Properties, Schema, UnknownKeys};

/// The captured fields of one record.
///
/// For a record that the scanner accepts, these are the fields that the scanner captures, with the same texts in the same
/// order. For any other record, they are the fields that can be found. These include values that break a constraint, and
/// numbers and booleans in the place of another type, if the schema has a `capture`.
#[derive(Debug, Default)]
pub struct TreeCaptures {
    /// The bytes that [`TreeCaptures::strings`] refers to.
    pub texts: Vec<u8>,
    /// For each capture: its number, and the range of its text in [`TreeCaptures::texts`].
    pub strings: Vec<(u8, Range<usize>)>,
    /// For each capture: its span in the record, quotes included.
    pub spans: Vec<Range<usize>>,
}

impl TreeCaptures {
    /// The captures of a record that is compared with a schema.
    ///
    /// `misfits` are the spans, in order, of objects whose type a rule found to differ from the schema. Their unknown keys are not
    /// captured.
    pub fn of_record(
        value: &Value<'_>,
        schema: &'static Schema,
        bytes: &[u8],
        misfits: &[Range<usize>],
    ) -> Self {
        let mut captures = Self::default();
        let mut add = |number, text: Text<'_>, span: &Range<usize>, _: &[Way<'_>]| {
            captures.add(number, text.bytes(bytes, span), span);
        };
        Walk { misfits, way: Vec::new(), visit: &mut add }.value(value, schema);
        captures
    }

    /// Adds the capture of a field.
    pub fn add(&mut self, number: u8, text: &[u8], span: &Range<usize>) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.strings.push((number, start..self.texts.len()));
        self.spans.push(span.clone());
    }
}

/// The paths of some captures of [`TreeCaptures::of_record`] with the same arguments, beginning with `base`.
pub fn paths_of_captures(
    wanted: &BTreeSet<usize>,
    value: &Value<'_>,
    schema: &'static Schema,
    misfits: &[Range<usize>],
    base: &PathBuilder,
) -> BTreeMap<usize, Path> {
    let mut paths = BTreeMap::new();
    let mut index = 0;
    let mut add = |_: u8, _: Text<'_>, _: &Range<usize>, way: &[Way<'_>]| {
        if wanted.contains(&index) {
            let mut path = base.path();
            path.0.extend(way.iter().copied().map(Way::step));
            paths.insert(index, path);
        }
        index += 1;
    };
    Walk { misfits, way: Vec::new(), visit: &mut add }.value(value, schema);
    paths
}

/// The text of a capture.
enum Text<'v> {
    /// This text.
    Decoded(&'v str),
    /// The content of the string as written in the record, with its escapes.
    Raw,
    /// The value as written in the record.
    Json,
}

impl<'a> Text<'a> {
    fn bytes(&self, record: &'a [u8], span: &Range<usize>) -> &'a [u8] {
        match self {
            Self::Decoded(text) => text.as_bytes(),
            Self::Raw => record.get(span.start + 1..span.end.saturating_sub(1)).unwrap_or_default(),
            Self::Json => record.get(span.clone()).unwrap_or_default(),
        }
    }
}

/// Takes a capture: its number, its text, its span and the way to it.
type Visit<'v> = dyn FnMut(u8, Text<'v>, &Range<usize>, &[Way<'v>]) + 'v;

/// Walks through a value and its schema in the order of the file.
struct Walk<'w, 'v> {
    misfits: &'w [Range<usize>],
    way: Vec<Way<'v>>,
    visit: &'w mut Visit<'v>,
}

impl<'v> Walk<'_, 'v> {
    fn capture(&mut self, number: Option<u8>, text: Text<'v>, span: &Range<usize>) {
        if let Some(number) = number {
            (self.visit)(number, text, span, &self.way);
        }
    }

    fn is_misfit(&self, object: &Value<'_>) -> bool {
        self.misfits.binary_search_by_key(&object.span.start, |span| span.start).is_ok()
    }

    fn value(&mut self, value: &'v Value<'_>, schema: &'static Schema) {
        match &value.kind {
            Kind::Null => {}
            Kind::Boolean(_) | Kind::Number(..) => self.capture(schema.capture, Text::Json, &value.span),
            Kind::String(text) => {
                if let Some(wanted) = &schema.string {
                    let text = if wanted.raw { Text::Raw } else { Text::Decoded(text) };
                    self.capture(wanted.capture, text, &value.span);
                }
            }
            Kind::Array(elements) => {
                let Some(array) = &schema.array else { return };
                for (index, element) in elements.iter().enumerate() {
                    self.way.push(Way::Index(index));
                    self.value(element, array.items);
                    self.capture(array.captured_elements, Text::Json, &element.span);
                    self.way.pop();
                }
                self.capture(schema.capture, Text::Json, &value.span);
            }
            Kind::Object(members) => {
                let Some(object) = &schema.object else { return };
                if let Some(properties) = value.fields_of(object) {
                    self.object(members, value, properties);
                }
                self.capture(schema.capture, Text::Json, &value.span);
            }
        }
    }

    fn object(&mut self, members: &'v [Member<'_>], value: &Value<'_>, properties: &'static Properties) {
        let captured_keys = properties.captured_keys.filter(|_| !self.is_misfit(value));
        for member in members.iter().filter(|member| !member.shadowed) {
            self.way.push(Way::Key(&member.key));
            let place = properties.position(member.key.as_bytes());
            if let Some(property) = place.and_then(|place| properties.fields.get(place)) {
                self.value(&member.value, property.schema);
            } else {
                self.capture(captured_keys, Text::Decoded(&member.key), &member.key_span);
                if let UnknownKeys::Each(schema) = properties.others {
                    self.value(&member.value, schema);
                }
            }
            self.way.pop();
        }
    }
}
