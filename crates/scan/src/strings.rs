//! Strings in the fast tier.

use std::ops::Range;

use super::blocks::{BLOCK, Blocks};
use super::scanner::{Scanner, same};
use super::{Doubtful, Scan};
use crate::shape::{Text, TextRole};

/// A run of at least so many base64 characters is taken for an embedded file.
pub const BASE64_RUN: usize = 1024;

/// A run of [`BASE64_RUN`] covers a whole block at one of these strides, wherever it begins.
const BASE64_STRIDE: usize = BASE64_RUN / 2;

/// What was met in a string.
#[derive(Clone, Copy)]
struct Content {
    escaped: bool,
    high: bool,
}

impl<B: Blocks> Scanner<'_, B> {
    /// A string value from behind its opening quote to behind its closing one.
    pub(super) fn text(&mut self, text: &'static Text) -> Scan {
        let start = self.at;
        let content = self.content()?;
        let range = start..self.at - 1;
        let plain = !content.escaped;
        if !text.values.is_empty() {
            let value = &self.bytes[range.clone()];
            let known = text.values.iter().any(|known| same(value, known.as_bytes()));
            if !(plain && known) {
                return Err(Doubtful);
            }
            if let Some(number) = text.capture {
                self.scratch.captures.push((number, range));
            }
            return Ok(());
        }
        // A name is ASCII nearly always; look-alikes are the explaining tier's business.
        // DEL is the one control character that a JSON string may hold as it is.
        let plain_name = || plain && !content.high && !self.bytes[range.clone()].contains(&0x7f);
        if text.role == TextRole::Name && !plain_name() {
            return Err(Doubtful);
        }
        if text.not_blank && !is_filled(&self.bytes[range.clone()]) {
            return Err(Doubtful);
        }
        if self.policy.embedded && self.may_be_embedded(&range) {
            return Err(Doubtful);
        }
        if let Some(number) = text.capture {
            if !plain && !text.raw {
                return Err(Doubtful);
            }
            self.scratch.captures.push((number, range));
        }
        Ok(())
    }

    /// A string without escapes (a key, a tag) from behind its opening quote; gives the content.
    pub(super) fn plain_string(&mut self) -> Scan<Range<usize>> {
        let start = self.at;
        let content = self.content()?;
        if content.escaped { Err(Doubtful) } else { Ok(start..self.at - 1) }
    }

    /// The content of a string, to behind its closing quote, with its UTF-8 checked.
    #[inline]
    fn content(&mut self) -> Scan<Content> {
        let start = self.at;
        let mut content = Content { escaped: false, high: false };
        // Most strings end in their first block; those that do not are long, and so are read two blocks at a time.
        let mut masks = B::masks(self.block()?);
        let mut width = BLOCK;
        loop {
            if masks.special == 0 {
                content.high |= masks.high != 0;
                self.at += width;
                masks = B::masks_of_two(self.block()?);
                width = 2 * BLOCK;
                continue;
            }
            let place = masks.special.trailing_zeros();
            content.high |= masks.high & ((1 << place) - 1) != 0;
            self.at += place as usize;
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    content.escaped = true;
                    self.escape()?;
                }
                _ => return Err(Doubtful),
            }
            masks = B::masks_of_two(self.block()?);
            width = 2 * BLOCK;
        }
        let bytes = &self.bytes[start..self.at];
        self.at += 1;
        if content.high && simdutf8::basic::from_utf8(bytes).is_err() {
            return Err(Doubtful);
        }
        Ok(content)
    }

    /// The bytes from here on.
    #[inline]
    fn block<const LENGTH: usize>(&self) -> Scan<&[u8; LENGTH]> {
        self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).ok_or(Doubtful)
    }

    fn escape(&mut self) -> Scan {
        let kind = self.bytes.get(self.at + 1).copied().unwrap_or(0);
        self.at += 2;
        match kind {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let unit = self.hex_unit()?;
                match unit {
                    0 if self.policy.jsonb => Err(Doubtful),
                    0xd800..=0xdbff => {
                        self.expect(b'\\')?;
                        self.expect(b'u')?;
                        match self.hex_unit()? {
                            0xdc00..=0xdfff => Ok(()),
                            _ => Err(Doubtful),
                        }
                    }
                    0xdc00..=0xdfff => Err(Doubtful),
                    _ => Ok(()),
                }
            }
            _ => Err(Doubtful),
        }
    }

    fn hex_unit(&mut self) -> Scan<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or(Doubtful)?;
        let mut unit = 0;
        for &digit in digits {
            unit = unit * 16 + char::from(digit).to_digit(16).ok_or(Doubtful)?;
        }
        self.at += 4;
        Ok(unit)
    }

    /// True for what the explaining tier has to look at: a `data:` URL, or a place that may lie in a long run of
    /// base64. Prose has a space, or a character that is not ASCII, in nearly every block of sixteen.
    fn may_be_embedded(&self, range: &Range<usize>) -> bool {
        let bytes = &self.bytes[range.clone()];
        if bytes.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"data:")) {
            return true;
        }
        bytes.len() >= BASE64_RUN && {
            let mut at = 0;
            while let Some(block) = bytes.get(at..at + BLOCK) {
                if block.iter().all(|&byte| is_base64(byte)) {
                    return true;
                }
                at += BASE64_STRIDE;
            }
            false
        }
    }
}

/// True for a text that certainly has a character which is no white space, with escapes or without. False says nothing:
/// some white space is not ASCII, and an escape by number may stand for any character.
pub fn is_filled(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'\\', Some(b'b' | b'f' | b'n' | b'r' | b't')) => at += 1,
            (b'\\', None | Some(b'u')) => return false,
            // The white space beyond ASCII begins with these.
            (0xc2 | 0xe1 | 0xe2, _) | (0xe3, Some(0x80)) => {}
            (b'!'..=b'~' | 0xc3..=0xf4, _) => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// A character of base64 or of its form for URLs; `\` and line breaks come escaped and end a run.
pub fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}
