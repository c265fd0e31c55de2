//! The scanner itself: values, arrays and objects.

use std::ops::Range;

use crate::shape::{ANY, Array, Empty, Fields, Object, Others, Shape};
use crate::{Blocks, Doubtful, MAX_DEPTH, Scan, Scratch, TextPolicy};

/// More keys than this in one object with keys of the user's own are left to the explaining tier, which has a set.
const MAX_OWN_KEYS: usize = 48;

/// Scans one value at a time in a buffer.
#[derive(Debug)]
pub(super) struct Scanner<'a, B: Blocks> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    depth: usize,
    pub(super) policy: TextPolicy,
    pub(super) scratch: &'a mut Scratch,
    /// Line breaks count as white space (JSON documents), or end the record (JSONL).
    multiline: bool,
    blocks: std::marker::PhantomData<B>,
}

impl<'a, B: Blocks> Scanner<'a, B> {
    pub(super) fn new(
        bytes: &'a [u8],
        at: usize,
        policy: TextPolicy,
        scratch: &'a mut Scratch,
        multiline: bool,
    ) -> Self {
        scratch.captures.clear();
        scratch.own_keys.clear();
        scratch.watched.clear();
        Self { bytes, at, depth: 0, policy, scratch, multiline, blocks: std::marker::PhantomData }
    }

    /// A record and the white space around it, up to the line break.
    pub(super) fn line(mut self, shape: &'static Shape) -> Scan<usize> {
        self.white_space();
        self.value(shape)?;
        self.white_space();
        if self.peek() == b'\n' { Ok(self.at) } else { Err(Doubtful) }
    }

    /// A value.
    pub(super) fn element(mut self, shape: &'static Shape) -> Scan<usize> {
        self.value(shape)?;
        Ok(self.at)
    }

    /// The byte at hand; 0 past the end, which nothing accepts.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn white_space(&mut self) {
        // Most writers put none.
        if self.peek() <= b' ' {
            self.more_white_space();
        }
    }

    #[inline(never)]
    fn more_white_space(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' if self.multiline => self.at += 1,
                _ => return,
            }
        }
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Scan {
        if self.peek() == byte {
            self.at += 1;
            Ok(())
        } else {
            Err(Doubtful)
        }
    }

    fn literal(&mut self, word: &[u8]) -> Scan {
        if self.bytes[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(Doubtful)
        }
    }

    fn value(&mut self, shape: &'static Shape) -> Scan {
        match self.peek() {
            b'"' => {
                let text = shape.string.as_ref().ok_or(Doubtful)?;
                self.at += 1;
                self.text(text)
            }
            b'{' => {
                let object = shape.object.as_ref().ok_or(Doubtful)?;
                self.enter()?;
                match object {
                    Object::Fields(fields) => self.fields(fields)?,
                    Object::Tagged { key, variants } => self.tagged(key, variants)?,
                }
                self.depth -= 1;
                Ok(())
            }
            b'[' => {
                let array = shape.array.as_ref().ok_or(Doubtful)?;
                self.enter()?;
                self.array(array)?;
                self.depth -= 1;
                Ok(())
            }
            b'n' if shape.null => self.literal(b"null"),
            b't' if shape.boolean => self.captured(shape, |scanner| scanner.literal(b"true")),
            b'f' if shape.boolean => self.captured(shape, |scanner| scanner.literal(b"false")),
            b'-' | b'0'..=b'9' => {
                let number = shape.number.as_ref().ok_or(Doubtful)?;
                self.captured(shape, |scanner| scanner.number(number))
            }
            _ => Err(Doubtful),
        }
    }

    /// Goes past a number or a boolean, which the rules may want.
    #[inline]
    fn captured(&mut self, shape: &'static Shape, read: impl FnOnce(&mut Self) -> Scan) -> Scan {
        let start = self.at;
        read(self)?;
        if let Some(number) = shape.capture {
            self.scratch.captures.push((number, start..self.at));
        }
        Ok(())
    }

    /// Goes past the bracket that opens an array or an object.
    #[inline]
    fn enter(&mut self) -> Scan {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Doubtful) } else { Ok(()) }
    }

    fn array(&mut self, array: &'static Array) -> Scan {
        self.white_space();
        if self.peek() == b']' {
            self.at += 1;
            return if array.empty == Empty::Accepted { Ok(()) } else { Err(Doubtful) };
        }
        loop {
            let start = self.at;
            self.value(array.items)?;
            if let Some(number) = array.captured_elements {
                self.scratch.captures.push((number, start..self.at));
            }
            self.white_space();
            match self.peek() {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(Doubtful),
            }
            self.white_space();
        }
    }

    /// An object from behind its brace.
    fn fields(&mut self, fields: &'static Fields) -> Scan {
        let mut seen = 0_u64;
        let mut next = 0;
        let first_own_key = self.scratch.own_keys.len();
        let first_watched = self.scratch.watched.len();
        self.white_space();
        if self.peek() == b'}' {
            self.at += 1;
            return if fields.required == 0 { Ok(()) } else { Err(Doubtful) };
        }
        loop {
            let position = match self.next_key(fields, next) {
                Some(()) => Key::Declared(next),
                None => self.any_key(fields)?,
            };
            self.white_space();
            match position {
                Key::Declared(position) => {
                    let bit = 1 << position;
                    if seen & bit != 0 {
                        return Err(Doubtful);
                    }
                    seen |= bit;
                    next = position + 1;
                    if fields.watched & bit != 0 {
                        self.scratch.watched.push((position, self.at));
                    }
                    self.value(fields.fields[position].shape)?;
                }
                Key::Own(range) => {
                    let shape = match &fields.others {
                        Others::Accepted => &ANY,
                        Others::Each(shape) => shape,
                        Others::Dropped | Others::Forbidden => return Err(Doubtful),
                    };
                    if let Some(number) = fields.captured_keys {
                        self.scratch.captures.push((number, range.clone()));
                    }
                    self.note_own_key(first_own_key, range)?;
                    self.value(shape)?;
                }
            }
            self.white_space();
            match self.peek() {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    break;
                }
                _ => return Err(Doubtful),
            }
            self.white_space();
        }
        self.scratch.own_keys.truncate(first_own_key);
        if seen & fields.required != fields.required {
            return Err(Doubtful);
        }
        if fields.watched != 0 {
            self.conditions(fields, seen, first_watched)?;
        }
        Ok(())
    }

    /// The conditions of an object that was read to its end. Its enumerations were found to hold known values, written
    /// without escapes.
    fn conditions(&mut self, fields: &'static Fields, seen: u64, first: usize) -> Scan {
        let watched = &self.scratch.watched[first..];
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
                return Err(Doubtful);
            }
        }
        self.scratch.watched.truncate(first);
        Ok(())
    }

    /// Goes past a key and its colon, when it is the expected one and there is no white space. Writers keep an order, so
    /// most are.
    #[inline]
    fn next_key(&mut self, fields: &'static Fields, next: usize) -> Option<()> {
        let key = fields.fields.get(next)?.key.as_bytes();
        let text = self.bytes.get(self.at..)?.get(..key.len() + 3)?;
        let (head, colon) = text.split_last_chunk::<2>()?;
        let (quote, word) = head.split_first()?;
        if *quote == b'"' && colon == b"\":" && same(word, key) {
            self.at += text.len();
            return Some(());
        }
        None
    }

    /// Goes past any key and its colon.
    fn any_key(&mut self, fields: &'static Fields) -> Scan<Key> {
        self.expect(b'"')?;
        let range = self.plain_string()?;
        self.white_space();
        self.expect(b':')?;
        let key = &self.bytes[range.clone()];
        Ok(fields.position(key).map_or(Key::Own(range), Key::Declared))
    }

    /// A key twice in one object is a finding.
    fn note_own_key(&mut self, first: usize, key: Range<usize>) -> Scan {
        let own_keys = &mut self.scratch.own_keys;
        let open = &own_keys[first..];
        let text = &self.bytes[key.clone()];
        if open.len() == MAX_OWN_KEYS || open.iter().any(|other| &self.bytes[other.clone()] == text) {
            return Err(Doubtful);
        }
        own_keys.push(key);
        Ok(())
    }

    /// An object of which one key tells what the others are. Where that key does not come first, the object is read
    /// once to find it and once again to check it.
    fn tagged(&mut self, key: &'static str, variants: &'static [(&'static str, Fields)]) -> Scan {
        let start = self.at;
        let fields = self.find_tag(key, variants)?;
        self.at = start;
        self.fields(fields)
    }

    fn find_tag(
        &mut self,
        key: &'static str,
        variants: &'static [(&'static str, Fields)],
    ) -> Scan<&'static Fields> {
        loop {
            self.white_space();
            self.expect(b'"')?;
            let name = self.plain_string()?;
            self.white_space();
            self.expect(b':')?;
            self.white_space();
            if &self.bytes[name] == key.as_bytes() {
                self.expect(b'"')?;
                let tag = self.plain_string()?;
                let tag = &self.bytes[tag];
                let variant = variants.iter().find(|(value, _)| value.as_bytes() == tag);
                return variant.map(|(_, fields)| fields).ok_or(Doubtful);
            }
            self.value(&ANY)?;
            self.white_space();
            self.expect(b',')?;
        }
    }
}

enum Key {
    Declared(usize),
    Own(Range<usize>),
}

/// Compares a word with one that is known. Nearly all have 4 to 32 bytes, which a few instructions compare; a call to
/// compare memory takes longer, above all in wasm.
#[inline]
pub(super) fn same(word: &[u8], known: &[u8]) -> bool {
    /// The first and the last `N` bytes, which may overlap.
    fn ends<const N: usize>(bytes: &[u8]) -> (Option<&[u8; N]>, Option<&[u8; N]>) {
        (bytes.first_chunk(), bytes.last_chunk())
    }
    word.len() == known.len()
        && match known.len() {
            4..8 => ends::<4>(word) == ends::<4>(known),
            8..=16 => ends::<8>(word) == ends::<8>(known),
            17..=32 => ends::<16>(word) == ends::<16>(known),
            _ => word == known,
        }
}
