//! Strings in the fast tier: content, escapes, UTF-8, and the text policy.

use std::ops::Range;

use evalcheck_core::names;

use super::blocks::{BLOCK, Blocks};
use super::end::{End, end_at};
use super::prefix::begins_with;
use super::scanner::Scanner;
use super::scratch::Scratch;
use crate::schema::{StringSchema, TextRole};

/// A run of at least this many base64 characters is treated as an embedded file.
pub const BASE64_RUN: usize = 1024;

/// The distance of the blocks that are tested for base64. A run of [`BASE64_RUN`] covers at least one of them.
const BASE64_STRIDE: usize = BASE64_RUN / 2;

/// The number of characters (code points) of UTF-8. In other bytes, the number of bytes that do not continue a character.
///
/// ```
/// assert_eq!(evalcheck_json::scan::characters("Zoë".as_bytes()), 3);
/// ```
pub fn characters(bytes: &[u8]) -> u64 {
    // The sums are bytes, because the compiler adds sixteen of these at a time. With a plain `filter().count()`, the check of
    // an Evret JSON document, whose columns this counts, takes 57 % more instructions.
    let begins = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(byte & 0xc0 != 0x80)).sum::<u8>();
    bytes.chunks(15 * BLOCK).map(|chunk| u64::from(begins(chunk))).sum()
}

/// The properties of a string's content.
#[derive(Clone, Copy)]
struct Content {
    escaped: bool,
    /// Whether it has characters outside ASCII.
    high: bool,
}

/// The smallest range of a string that contains all its bytes from 0x80.
struct High {
    first: usize,
    end: usize,
}

impl High {
    /// Adds bytes from `at`: bit `i` of the mask is about byte `at + i`.
    fn note(&mut self, at: usize, mask: u32) {
        if mask != 0 {
            self.first = self.first.min(at + mask.trailing_zeros() as usize);
            self.end = at + (u32::BITS - mask.leading_zeros()) as usize;
        }
    }
}

impl<B: Blocks> Scanner<'_, B> {
    /// A string value; `start` is after its opening quote. Returns the offset after its closing quote.
    pub(super) fn text(&self, start: usize, text: &'static StringSchema, scratch: &mut Scratch) -> End {
        if !text.values.is_empty() {
            return self.one_of(start, text, scratch);
        }
        let (end, content) = self.content(start)?;
        let range = start..end;
        let plain = !content.escaped;
        if range.len() == names::LOST_OBJECT.len()
            && begins_with(&self.bytes[range.clone()], names::LOST_OBJECT.as_bytes())
        {
            return None;
        }
        // Names are nearly always ASCII; the thorough tier searches for look-alikes.
        // DEL is the one control character that a JSON string may contain unescaped.
        let plain_name = || {
            let name = &self.bytes[range.clone()];
            plain && !content.high && !name.contains(&0x7f) && !names::is_rounded(name)
        };
        if text.role == TextRole::Name && !plain_name() {
            return None;
        }
        if text.not_blank && !is_filled(&self.bytes[range.clone()]) {
            return None;
        }
        if self.policy.embedded && self.may_be_embedded(&range) {
            return None;
        }
        if text.json && !scratch.embedded.get_or_insert_default().is_json(&self.bytes[range.clone()]) {
            return None;
        }
        if let Some(number) = text.capture {
            if !plain && !text.raw {
                return None;
            }
            scratch.captures.push((number, range));
        }
        end_at(end + 1)
    }

    /// One of the values of an enumeration, written without escapes.
    fn one_of(&self, start: usize, text: &'static StringSchema, scratch: &mut Scratch) -> End {
        let rest = self.bytes.get(start..)?;
        let stands_here =
            |known: &&&str| begins_with(rest, known.as_bytes()) && rest.get(known.len()) == Some(&b'"');
        let end = start + text.values.iter().find(stands_here)?.len();
        if let Some(number) = text.capture {
            scratch.captures.push((number, start..end));
        }
        end_at(end + 1)
    }

    /// A string without escapes (a key, a tag); `start` is after its opening quote. Returns the offset after its closing
    /// quote.
    pub(super) fn plain_string(&self, start: usize) -> End {
        let (end, content) = self.content(start)?;
        if content.escaped { None } else { end_at(end + 1) }
    }

    /// Reads the content of a string and checks its UTF-8. Returns the offset of the closing quote.
    fn content(&self, start: usize) -> Option<(usize, Content)> {
        let mut at = start;
        let mut escaped = false;
        let mut high = High { first: usize::MAX, end: 0 };
        // Most strings end in their first block. Others are usually long, and are read two blocks at a time.
        let mut masks = B::masks(self.block(at)?);
        let mut width = BLOCK;
        loop {
            if masks.special == 0 {
                high.note(at, masks.high);
                at += width;
                masks = B::masks_of_two(self.block(at)?);
                width = 2 * BLOCK;
                continue;
            }
            let place = masks.special.trailing_zeros();
            high.note(at, masks.high & ((1 << place) - 1));
            at += place as usize;
            match self.byte(at) {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    at = self.escape(at)?.get();
                }
                _ => return None,
            }
            masks = B::masks_of_two(self.block(at)?);
            width = 2 * BLOCK;
        }
        let beyond = self.bytes.get(high.first.min(high.end)..high.end)?;
        let is_utf8 = beyond.is_empty() || simdutf8::basic::from_utf8(beyond).is_ok();
        is_utf8.then_some((at, Content { escaped, high: !beyond.is_empty() }))
    }

    /// The first bytes from `at`; `None` at the end of the buffer.
    fn block<const LENGTH: usize>(&self, at: usize) -> Option<&[u8; LENGTH]> {
        self.bytes.get(at..)?.first_chunk()
    }

    /// The offset after the escape that begins with the backslash at `at`.
    fn escape(&self, at: usize) -> End {
        match self.byte(at + 1) {
            escape @ (b'b' | b'f' | b'n' | b'r' | b't')
                if is_single_backslash(escape, self.bytes.get(at + 2..).unwrap_or_default()) =>
            {
                None
            }
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => end_at(at + 2),
            b'u' => match self.hex_unit(at + 2)? {
                0 if self.policy.jsonb => None,
                0xd800..=0xdbff => {
                    let at = self.expect(at + 6, b'\\')?.get();
                    let at = self.expect(at, b'u')?.get();
                    match self.hex_unit(at)? {
                        0xdc00..=0xdfff => end_at(at + 4),
                        _ => None,
                    }
                }
                0xdc00..=0xdfff => None,
                _ => end_at(at + 6),
            },
            _ => None,
        }
    }

    fn hex_unit(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 4)?;
        let mut unit = 0;
        for &digit in digits {
            unit = unit * 16 + char::from(digit).to_digit(16)?;
        }
        Some(unit)
    }

    /// Whether the string may contain an embedded file: it is a `data:` URL, or one of its blocks is only base64. Prose has a space or a
    /// character outside ASCII in nearly every block.
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

/// Whether the content of a string certainly has a character that is not white space. False means unknown: an escape such as `\u0020` is
/// not decoded.
pub fn is_filled(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'\\', Some(b'b' | b'f' | b'n' | b'r' | b't')) => at += 1,
            (b'\\', None | Some(b'u')) => return false,
            // White space outside ASCII begins with these bytes.
            (0xc2 | 0xe1 | 0xe2, _) | (0xe3, Some(0x80)) => {}
            (b'!'..=b'~' | 0xc3..=0xf4, _) => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether the escape of a control character is probably a backslash that was not doubled, as in `\beta` and `\frac`: a letter follows.
/// Converters of PDF write a form feed at the end of a page, before the capital letter of the next one. Words do follow line breaks and
/// tabs, so for these it must be the rest of a LaTeX command that is not a word.
pub fn is_single_backslash(escape: u8, rest: &[u8]) -> bool {
    let next = rest.first().copied().unwrap_or_default();
    // What is left of a command begins with a small letter.
    if !next.is_ascii_lowercase() {
        return escape == b'b' && next.is_ascii_uppercase();
    }
    match escape {
        b'b' | b'f' => true,
        b'n' => is_rest_of_command(rest, &[b"eq", b"abla", b"otin", b"onumber"], &[b"u", b"eg", b"i", b"e"]),
        b'r' => is_rest_of_command(
            rest,
            &[b"ight", b"ightarrow", b"ho"],
            &[b"angle", b"floor", b"ceil", b"brace", b"m"],
        ),
        b't' => is_rest_of_command(
            rest,
            &[b"imes", b"heta", b"extbf", b"extit", b"extrm", b"riangle", b"herefore"],
            &[b"ext", b"frac", b"ilde", b"au", b"an", b"o", b"op"],
        ),
        _ => false,
    }
}

/// Whether bytes begin with one of `commands`, or with one of `in_formulas` before a character that occurs only in formulas.
fn is_rest_of_command(rest: &[u8], commands: &[&[u8]], in_formulas: &[&[u8]]) -> bool {
    let next = |command: &[u8]| {
        begins_with(rest, command).then(|| rest.get(command.len()).copied().unwrap_or_default())
    };
    // A point may belong to an abbreviation: `eq. 1`.
    let ends =
        |command: &[u8]| next(command).is_some_and(|next| !next.is_ascii_alphanumeric() && next != b'.');
    let is_in_formula = |command: &[u8]| next(command).is_some_and(|next| b"$^_{}\\".contains(&next));
    commands.iter().any(|command| ends(command)) || in_formulas.iter().any(|command| is_in_formula(command))
}

/// Whether a byte is a character of base64 or base64url. Padding and line breaks end a run.
pub fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_latex_are_told_from_words() {
        let is_command = |text: &str| is_single_backslash(text.as_bytes()[0], &text.as_bytes()[1..]);
        for command in
            ["times 4", "theta$", "neq 7", "nabla f", "text{a}", "tau_1", "right)", "frac{", "beta", "rho}"]
        {
            assert!(is_command(command), "{command}");
        }
        for text in [
            "then",
            "time",
            "text of",
            "new",
            "not",
            "nu",
            "neq. 4",
            "neqs",
            "tan apple",
            "rangle of",
            "tau lac",
            "n\"",
            "t",
            "",
        ] {
            let text = if text.is_empty() { "n" } else { text };
            assert!(!is_command(text), "{text}");
        }
    }

    #[test]
    fn characters_are_counted_whatever_the_length() {
        let text = "aé→𝄞".repeat(5000);
        for length in (0..200).chain([4079, 4080, 4081, 49_999]) {
            let bytes = &text.as_bytes()[..length];
            let expected = bytes.iter().filter(|byte| !(0x80..0xc0).contains(*byte)).count() as u64;
            assert_eq!(characters(bytes), expected, "{length} bytes");
        }
        assert_eq!(characters(text.as_bytes()), 20_000);
        assert_eq!(characters(&vec![b'a'; 100_000]), 100_000, "lanes overflow");
    }
}
