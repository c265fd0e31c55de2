//! The scanner: values, arrays and objects.
//!
//! Offsets are passed and returned as numbers, and the scanner itself never changes, so that the compiler keeps them in registers.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::blocks::Blocks;
use super::end::{End, end_at};
use super::prefix::begins_with;
use super::scratch::Scratch;
use super::templates::{Kind, Templates};
use super::text_policy::TextPolicy;
use crate::schema::{ANY, Array, Empty, Object, Properties, Schema, UnknownKeys};

/// An object with more undeclared keys than this is left to the thorough tier, which sorts them.
const MAX_OWN_KEYS: usize = 48;

/// Scans values in a buffer.
#[derive(Debug)]
pub(super) struct Scanner<'a, B: Blocks> {
    pub(super) bytes: &'a [u8],
    pub(super) policy: TextPolicy,
    /// Whether line breaks are white space (JSON documents); otherwise a line break ends the record (JSONL).
    pub(super) multiline: bool,
    blocks: std::marker::PhantomData<B>,
}

impl<'a, B: Blocks> Scanner<'a, B> {
    pub(super) fn new(bytes: &'a [u8], policy: TextPolicy, multiline: bool) -> Self {
        Self { bytes, policy, multiline, blocks: std::marker::PhantomData }
    }

    /// Checks a record. In JSONL it ends at the line break, with white space around the value; in a document it ends with
    /// the value.
    pub(super) fn record(&self, start: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        // Moved out, because both are written to.
        let mut templates = std::mem::take(&mut scratch.templates).unwrap_or_default();
        let end = self.record_with(start, schema, &mut templates, scratch);
        scratch.templates = Some(templates);
        end
    }

    fn record_with(
        &self,
        start: usize,
        schema: &'static Schema,
        templates: &mut Templates,
        scratch: &mut Scratch,
    ) -> End {
        if !templates.is_active(schema, self.policy, self.multiline) {
            return self.scan(start, schema, scratch);
        }
        if let Some(end) = self.match_templates(start, templates, scratch) {
            return Some(end);
        }
        let end = self.scan(start, schema, scratch)?;
        // The line break belongs to the last template.
        let record = start..end.get() + usize::from(!self.multiline);
        templates.learn(self.bytes, record, &scratch.recording);
        Some(end)
    }

    /// Scans a record, using the schema.
    fn scan(&self, start: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        scratch.clear();
        if self.multiline {
            return self.value(start, schema, scratch);
        }
        let at = self.white_space(start);
        let at = self.white_space(self.value(at, schema, scratch)?.get());
        if self.byte(at) == b'\n' { end_at(at) } else { None }
    }

    /// The byte at `at`; 0 past the end, which is never accepted.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The offset after the white space.
    fn white_space(&self, at: usize) -> usize {
        // Most writers write none.
        if self.byte(at) <= b' ' { self.more_white_space(at) } else { at }
    }

    fn more_white_space(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                b'\r' if self.is_line_end(at) => return at,
                b' ' | b'\t' | b'\r' => at += 1,
                b'\n' if self.multiline => at += 1,
                _ => return at,
            }
        }
    }

    /// Whether the system ends the line at this carriage return, which is not part of a line break here.
    #[cold]
    fn is_line_end(&self, at: usize) -> bool {
        !self.multiline && self.policy.lines.ends_at_carriage_return() && self.byte(at + 1) != b'\n'
    }

    /// The offset after a byte that must be at `at`.
    pub(super) fn expect(&self, at: usize, byte: u8) -> End {
        if self.byte(at) == byte { end_at(at + 1) } else { None }
    }

    fn literal(&self, at: usize, word: &[u8]) -> End {
        if self.bytes.get(at..)?.starts_with(word) { end_at(at + word.len()) } else { None }
    }

    /// A number of a schema, whose first byte was checked.
    pub(super) fn number_of(&self, at: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        captured(at, self.number(at, schema.number.as_ref()?), schema, scratch)
    }

    /// A boolean of a schema, whose first byte was checked.
    pub(super) fn boolean_of(&self, at: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        let word: &[u8] = if self.byte(at) == b't' { b"true" } else { b"false" };
        captured(at, self.literal(at, word), schema, scratch)
    }

    fn value(&self, at: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        // Most values are strings.
        if self.byte(at) == b'"' {
            let text = schema.string.as_ref()?;
            let end = self.text(at + 1, text, scratch);
            scratch.recording.string(at, end, text);
            end
        } else {
            self.other_value(at, schema, scratch)
        }
    }

    fn other_value(&self, at: usize, schema: &'static Schema, scratch: &mut Scratch) -> End {
        match self.byte(at) {
            b'{' => {
                let object = schema.object.as_ref()?;
                scratch.enter()?;
                let end = match object {
                    Object::Properties(fields) => self.fields(at + 1, fields, scratch)?,
                    Object::Tagged { key, variants } => self.tagged(at + 1, key, variants, scratch)?,
                    Object::Keyed(sets) => self.keyed(at + 1, sets, scratch)?,
                };
                scratch.depth -= 1;
                if let Some(number) = schema.capture {
                    scratch.capture_other(number, at..end.get());
                }
                Some(end)
            }
            b'[' => {
                let array = schema.array.as_ref()?;
                scratch.enter()?;
                let end = self.array(at + 1, array, scratch)?;
                scratch.depth -= 1;
                if let Some(number) = schema.capture {
                    scratch.capture_other(number, at..end.get());
                }
                Some(end)
            }
            b'n' if schema.null => self.literal(at, b"null"),
            b't' | b'f' if schema.boolean => {
                let end = self.boolean_of(at, schema, scratch);
                scratch.recording.scalar(at, end, Kind::Boolean(schema));
                end
            }
            b'-' | b'0'..=b'9' => {
                let end = self.number_of(at, schema, scratch);
                scratch.recording.scalar(at, end, Kind::Number(schema));
                end
            }
            _ => None,
        }
    }

    /// An array; `at` is after its opening bracket.
    fn array(&self, at: usize, array: &'static Array, scratch: &mut Scratch) -> End {
        let mut at = self.white_space(at);
        if self.byte(at) == b']' {
            return if array.empty == Empty::Allow { end_at(at + 1) } else { None };
        }
        let mut left = array.most.unwrap_or(usize::MAX);
        loop {
            left = left.checked_sub(1)?;
            let start = at;
            at = self.value(at, array.items, scratch)?.get();
            if let Some(number) = array.captured_elements {
                scratch.capture_other(number, start..at);
            }
            at = self.white_space(at);
            match self.byte(at) {
                b',' => at = self.white_space(at + 1),
                b']' => return end_at(at + 1),
                _ => return None,
            }
        }
    }

    /// An object; `at` is after its opening brace.
    fn fields(&self, at: usize, fields: &'static Properties, scratch: &mut Scratch) -> End {
        let mut seen = 0_u64;
        let mut next = 0;
        let first_own_key = scratch.own_keys.len();
        let first_watched = scratch.watched.len();
        let mut at = self.white_space(at);
        if self.byte(at) == b'}' {
            return if fields.required == 0 { end_at(at + 1) } else { None };
        }
        loop {
            let expected = fields.fields.get(next).and_then(|field| self.known_key(at, field.key));
            let mut own = None;
            if let Some(end) = expected {
                at = end.get();
            } else {
                let (key, end) = self.any_key(at)?;
                at = end.get();
                match fields.position(&self.bytes[key.clone()]) {
                    Some(position) => next = position,
                    None => own = Some(key),
                }
            }
            at = self.white_space(at);
            if let Some(key) = own {
                at = self.own_member(at, key, fields, first_own_key, scratch)?.get();
            } else {
                let bit = 1 << next;
                if seen & bit != 0 {
                    return None;
                }
                seen |= bit;
                if fields.watched & bit != 0 {
                    scratch.watched.push((next, at));
                    scratch.recording.deciding = at;
                }
                at = self.value(at, fields.fields.get(next)?.schema, scratch)?.get();
                next += 1;
            }
            at = self.white_space(at);
            match self.byte(at) {
                b',' => at = self.white_space(at + 1),
                b'}' => break,
                _ => return None,
            }
        }
        scratch.own_keys.truncate(first_own_key);
        if seen & fields.required != fields.required {
            return None;
        }
        if fields.watched != 0 {
            self.conditions(fields, seen, first_watched, scratch)?;
        }
        end_at(at + 1)
    }

    /// Checks the conditions of an object that was read. Its enumerations hold declared values, written without
    /// escapes.
    fn conditions(
        &self,
        fields: &'static Properties,
        seen: u64,
        first: usize,
        scratch: &mut Scratch,
    ) -> Option<()> {
        let watched = &scratch.watched[first..];
        for condition in fields.conditions {
            let decides = watched.iter().find(|(position, _)| *position == condition.position());
            let holds = decides.is_some_and(|&(_, at)| {
                let value = self.bytes.get(at + 1..).unwrap_or_default();
                let is =
                    |known: &&str| value.strip_prefix(known.as_bytes()).is_some_and(|rest| rest[0] == b'"');
                condition.values.iter().any(is)
            });
            let agrees = || {
                seen & condition.required() == condition.required()
                    && watched.iter().all(|&(position, at)| condition.allows(position, self.bytes[at]))
            };
            if holds && !agrees() {
                return None;
            }
        }
        scratch.watched.truncate(first);
        Some(())
    }

    /// Checks an undeclared key, and its value.
    fn own_member(
        &self,
        at: usize,
        key: Range<usize>,
        fields: &'static Properties,
        first_own_key: usize,
        scratch: &mut Scratch,
    ) -> End {
        let schema = match &fields.others {
            UnknownKeys::Allow => &ANY,
            UnknownKeys::Each(schema) => schema,
            UnknownKeys::Ignore | UnknownKeys::Deny => return None,
        };
        if let Some(number) = fields.captured_keys {
            scratch.capture_other(number, key.clone());
        }
        self.note_own_key(first_own_key, key, scratch)?;
        self.value(at, schema, scratch)
    }

    /// The offset after `key` and its colon; `None` if another key or white space is here. Writers keep an order of keys, so this key is
    /// usually the expected one.
    fn known_key(&self, at: usize, key: &'static str) -> End {
        let key = key.as_bytes();
        let (quote, rest) = self.bytes.get(at..)?.split_first()?;
        let is_here = *quote == b'"' && begins_with(rest, key) && rest.get(key.len()..)?.starts_with(b"\":");
        if is_here { end_at(at + key.len() + 3) } else { None }
    }

    /// The range of any key, and the offset after its colon.
    fn any_key(&self, at: usize) -> Option<(Range<usize>, NonZeroUsize)> {
        let start = self.expect(at, b'"')?.get();
        let end = self.plain_string(start)?.get();
        Some((start..end - 1, self.expect(self.white_space(end), b':')?))
    }

    /// Remembers an undeclared key; a duplicate makes the record doubtful.
    fn note_own_key(&self, first: usize, key: Range<usize>, scratch: &mut Scratch) -> Option<()> {
        let open = &scratch.own_keys[first..];
        let text = &self.bytes[key.clone()];
        if open.len() == MAX_OWN_KEYS || open.iter().any(|other| &self.bytes[other.clone()] == text) {
            return None;
        }
        scratch.own_keys.push(key);
        Some(())
    }

    /// An object whose fields depend on the string under `key`. If that key is not the first, the object is read twice: to find the key,
    /// and to check the object.
    fn tagged(
        &self,
        at: usize,
        key: &'static str,
        variants: &'static [(&'static str, Properties)],
        scratch: &mut Scratch,
    ) -> End {
        let fields = self.find_tag(at, key, variants, scratch)?;
        self.fields(at, fields, scratch)
    }

    fn find_tag(
        &self,
        mut at: usize,
        key: &'static str,
        variants: &'static [(&'static str, Properties)],
        scratch: &mut Scratch,
    ) -> Option<&'static Properties> {
        loop {
            let start = self.expect(self.white_space(at), b'"')?.get();
            let end = self.plain_string(start)?.get();
            at = self.white_space(self.expect(self.white_space(end), b':')?.get());
            if &self.bytes[start..end - 1] == key.as_bytes() {
                scratch.recording.deciding = at;
                let start = self.expect(at, b'"')?.get();
                let end = self.plain_string(start)?.get();
                let tag = &self.bytes[start..end - 1];
                let variant = variants.iter().find(|(value, _)| value.as_bytes() == tag);
                return variant.map(|(_, fields)| fields);
            }
            at = self.skip_member(at, scratch)?.get();
        }
    }

    /// An object whose fields depend on the first key that distinguishes a set. If it is not the first of all keys, the object is read
    /// twice.
    fn keyed(&self, at: usize, sets: &'static [(&'static str, Properties)], scratch: &mut Scratch) -> End {
        let mut next = at;
        loop {
            let (key, end) = self.any_key(self.white_space(next))?;
            if let Some((_, fields)) = sets.iter().find(|(own, _)| own.as_bytes() == &self.bytes[key.clone()])
            {
                return self.fields(at, fields, scratch);
            }
            next = self.skip_member(self.white_space(end.get()), scratch)?.get();
        }
    }

    /// The offset after a value and the comma that follows it. A record that is read like this becomes no template.
    fn skip_member(&self, at: usize, scratch: &mut Scratch) -> End {
        scratch.recording.is_unfit = true;
        let at = self.white_space(self.value(at, &ANY, scratch)?.get());
        self.expect(at, b',')
    }
}

/// Captures a number or a boolean if the schema says so.
fn captured(start: usize, end: End, schema: &'static Schema, scratch: &mut Scratch) -> End {
    let end = end?;
    if let Some(number) = schema.capture {
        scratch.captures.push((number, start..end.get()));
    }
    Some(end)
}
