//! Walks over a value that is known to be JSON: a visitor receives its parts in order. No tree, no allocation.
//!
//! It does not repeat the checks of the scanner or the parser. In bytes that are not JSON it may end early or find wrong values; it never
//! panics.
//!
//! ```
//! use evalcheck_json::walk::{Text, Visitor, walk};
//!
//! #[derive(Default)]
//! struct Longest(u64);
//!
//! impl Visitor for Longest {
//!     fn string(&mut self, text: Text<'_>) {
//!         self.0 = self.0.max(text.characters());
//!     }
//! }
//!
//! let mut longest = Longest::default();
//! assert_eq!(walk(br#"{"a": "x", "b": ["caf\u00e9", 2]}"#, 0, &mut longest), Some(33));
//! assert_eq!(longest.0, 4);
//! ```

use crate::scan::blocks::{BLOCK, Blocks};
use crate::scan::{MAX_DEPTH, Simd, characters};

/// A visitor of the parts of a value. Each method may do nothing.
pub trait Visitor {
    /// An object begins.
    fn begin_object(&mut self) {}

    /// A key of the object; its value follows.
    fn key(&mut self, _key: Text<'_>) {}

    /// The object ends.
    fn end_object(&mut self) {}

    /// An array begins.
    fn begin_array(&mut self) {}

    /// The array ends.
    fn end_array(&mut self) {}

    /// A string.
    fn string(&mut self, _text: Text<'_>) {}

    /// A number, as written.
    fn number(&mut self, _number: &[u8]) {}

    /// A boolean.
    fn boolean(&mut self, _value: bool) {}

    /// `null`.
    fn null(&mut self) {}
}

/// The content of a string, with its escapes.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The bytes between the quotes.
    pub raw: &'a [u8],
    /// Whether all bytes are ASCII.
    is_ascii: bool,
    /// The number of bytes of escapes beyond one per character.
    excess: usize,
    /// The number of escapes such as `\u00e9`; a surrogate pair is one.
    unicode_escapes: usize,
    /// The number of those that are characters from [`WIDE`].
    wide_escapes: usize,
}

/// The first character that [`Text::wide_characters`] counts: scripts from here on write a word in one or two characters.
pub const WIDE: u32 = 0x3000;

/// The lowest first byte in UTF-8 of the characters from [`WIDE`]. The first bytes of all others are lower.
const WIDE_LEAD: u8 = 0xe3;

impl<'a> Text<'a> {
    /// A text without escapes.
    pub fn plain(raw: &'a [u8]) -> Self {
        Self { raw, is_ascii: raw.is_ascii(), excess: 0, unicode_escapes: 0, wide_escapes: 0 }
    }

    /// The number of characters. An escape is one, and so is a surrogate pair.
    #[inline]
    pub fn characters(&self) -> u64 {
        let written = if self.is_ascii { self.raw.len() as u64 } else { characters(self.raw) };
        written.saturating_sub(self.excess as u64)
    }

    /// The number of characters from [`WIDE`].
    #[inline]
    pub fn wide_characters(&self) -> u64 {
        let written = if self.is_ascii { 0 } else { wide(self.raw) };
        written + self.wide_escapes as u64
    }

    /// Whether all characters are ASCII, and none is written as `\u0041`.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.is_ascii && self.unicode_escapes == 0
    }

    /// Whether it has no escapes.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.excess == 0
    }

    /// The characters. Half a surrogate pair becomes U+FFFD.
    pub fn decoded(&self) -> impl Iterator<Item = char> + 'a {
        let mut rest = self.raw;
        std::iter::from_fn(move || {
            let (character, length) =
                if let [b'\\', escape @ ..] = rest { unescape(escape) } else { first(rest)? };
            rest = rest.get(length..).unwrap_or_default();
            Some(character)
        })
    }
}

/// The number of characters that begin with [`WIDE_LEAD`] or a higher byte. Summed as in [`characters`].
fn wide(bytes: &[u8]) -> u64 {
    let begins = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(byte >= WIDE_LEAD)).sum::<u8>();
    bytes.chunks(15 * BLOCK).map(|chunk| u64::from(begins(chunk))).sum()
}

/// The first character of UTF-8, and its length. A byte that is not UTF-8 becomes U+FFFD. Decoded by hand, because `str::from_utf8` takes
/// several times as long for a few bytes.
#[inline]
fn first(bytes: &[u8]) -> Option<(char, usize)> {
    let next = |at: usize| bytes.get(at).map_or(0, |byte| u32::from(byte & 0x3f));
    let lead = u32::from(*bytes.first()?);
    let (code, length) = match lead {
        0..0x80 => (lead, 1),
        0xf0.. => ((lead & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
        0xe0.. => ((lead & 15) << 12 | next(1) << 6 | next(2), 3),
        0xc0.. => ((lead & 31) << 6 | next(1), 2),
        _ => (u32::MAX, 1),
    };
    Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), length))
}

/// The character of the escape after a backslash, and the length of the escape with the backslash.
pub(crate) fn unescape(escape: &[u8]) -> (char, usize) {
    let simple = match escape.first() {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => return unescape_units(&escape[1..]),
        Some(&itself) => char::from(itself),
        None => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (simple, 2)
}

/// The character of one `\u` escape, or of the two of a surrogate pair, after the first `u`; and the length of the whole.
fn unescape_units(digits: &[u8]) -> (char, usize) {
    let Some(high) = unit(digits) else { return (char::REPLACEMENT_CHARACTER, 2) };
    let low = || if digits.get(4..6) == Some(b"\\u") { unit(&digits[6..]) } else { None };
    if let Some(character) = char::from_u32(high.into()) {
        return (character, 6);
    }
    let pair = low().and_then(|low| char::decode_utf16([high, low]).next()?.ok());
    pair.map_or((char::REPLACEMENT_CHARACTER, 6), |character| (character, 12))
}

/// The number of four hexadecimal digits.
fn unit(digits: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(digits.get(..4)?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// Walks over the value that begins at `start`, or after white space there. Returns the offset of its end; `None` if the bytes are not
/// JSON.
pub fn walk(bytes: &[u8], start: usize, visitor: &mut impl Visitor) -> Option<usize> {
    Walker { bytes, visitor }.value(start, 0)
}

/// A walk.
struct Walker<'a, 'v, V> {
    bytes: &'a [u8],
    visitor: &'v mut V,
}

impl<'a, V: Visitor> Walker<'a, '_, V> {
    /// The offset of the first byte from `at` that is not white space, and the byte.
    #[inline]
    fn token(&self, mut at: usize) -> Option<(usize, u8)> {
        loop {
            match *self.bytes.get(at)? {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                byte => return Some((at, byte)),
            }
        }
    }

    /// Walks over a value, and returns the offset of its end.
    fn value(&mut self, at: usize, depth: usize) -> Option<usize> {
        let (at, byte) = self.token(at)?;
        match byte {
            b'"' => {
                let (text, end) = self.text(at + 1)?;
                self.visitor.string(text);
                Some(end)
            }
            b'{' | b'[' if depth == MAX_DEPTH => None,
            b'{' => self.object(at + 1, depth + 1),
            b'[' => self.array(at + 1, depth + 1),
            b't' => {
                self.visitor.boolean(true);
                Some(at + 4)
            }
            b'f' => {
                self.visitor.boolean(false);
                Some(at + 5)
            }
            b'n' => {
                self.visitor.null();
                Some(at + 4)
            }
            _ => {
                let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                let length = self.bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                self.visitor.number(&self.bytes[at..at + length]);
                (length > 0).then_some(at + length)
            }
        }
    }

    /// Walks over an object; `at` is after its opening brace.
    fn object(&mut self, at: usize, depth: usize) -> Option<usize> {
        self.visitor.begin_object();
        let (mut at, mut byte) = self.token(at)?;
        while byte != b'}' {
            if byte == b',' {
                (at, byte) = self.token(at + 1)?;
            }
            if byte != b'"' {
                return None;
            }
            let (key, end) = self.text(at + 1)?;
            self.visitor.key(key);
            let (colon, b':') = self.token(end)? else { return None };
            let end = self.value(colon + 1, depth)?;
            (at, byte) = self.token(end)?;
        }
        self.visitor.end_object();
        Some(at + 1)
    }

    /// Walks over an array; `at` is after its opening bracket.
    fn array(&mut self, at: usize, depth: usize) -> Option<usize> {
        self.visitor.begin_array();
        let (mut at, mut byte) = self.token(at)?;
        while byte != b']' {
            if byte == b',' {
                at += 1;
            }
            let end = self.value(at, depth)?;
            (at, byte) = self.token(end)?;
        }
        self.visitor.end_array();
        Some(at + 1)
    }

    /// Reads a string whose content begins at `start`. Also returns the offset after its closing quote.
    #[inline]
    fn text(&self, start: usize) -> Option<(Text<'a>, usize)> {
        let (mut at, mut high) = (start, 0);
        let (mut excess, mut unicode_escapes, mut wide_escapes) = (0, 0, 0);
        loop {
            let rest = self.bytes.get(at..)?;
            let place = if let Some(block) = rest.first_chunk() {
                let masks = Simd::masks_of_two(block);
                let before = masks.special.wrapping_sub(1) & !masks.special;
                high |= masks.high & before;
                if masks.special == 0 {
                    at += 2 * BLOCK;
                    continue;
                }
                masks.special.trailing_zeros() as usize
            } else {
                let place = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20))?;
                high |= u32::from(!rest[..place].is_ascii());
                place
            };
            match rest[place] {
                b'"' => {
                    let raw = &self.bytes[start..at + place];
                    let is_ascii = high == 0;
                    return Some((
                        Text { raw, is_ascii, excess, unicode_escapes, wide_escapes },
                        at + place + 1,
                    ));
                }
                b'\\' => {
                    let (is_unicode, is_wide, length) = match rest.get(place + 1) {
                        Some(b'u') => {
                            let (character, length) = unescape_units(&rest[place + 2..]);
                            (true, u32::from(character) >= WIDE, length)
                        }
                        _ => (false, false, 2),
                    };
                    excess += length - 1;
                    unicode_escapes += usize::from(is_unicode);
                    wide_escapes += usize::from(is_wide);
                    at += place + length;
                }
                // A control character, which some parsers accept.
                _ => at += place + 1,
            }
        }
    }
}

#[cfg(test)]
mod tests;
