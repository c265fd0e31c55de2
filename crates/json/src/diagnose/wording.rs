//! Columns, excerpts and names of characters as they stand in messages.

use evalcheck_core::excerpt::{clip, column};

use super::RecordStart;

/// The column of the byte at `at`, from 1, in bytes that begin at `record_start`.
pub(super) fn column_at(bytes: &[u8], at: usize, record_start: RecordStart) -> u64 {
    let before = &bytes[..at.min(bytes.len())];
    let first_line = memchr::memchr(b'\n', before).is_none();
    let column = column(bytes, at);
    // Wrapping: `unexpected_token` puts bytes before the line, so its first columns are below 1.
    if first_line { column.wrapping_add(record_start.column).wrapping_sub(1) } else { column }
}

/// Where the byte at `at` is, in words: `column 7`, or `line 3` when `seen_from` is on a later line.
pub(super) fn where_is(bytes: &[u8], at: usize, seen_from: usize, record_start: RecordStart) -> String {
    let line = |at: usize| memchr::memchr_iter(b'\n', &bytes[..at.min(bytes.len())]).count() as u64;
    if line(at) == line(seen_from) {
        format!("column {}", column_at(bytes, at, record_start))
    } else {
        format!("line {}", record_start.line + line(at))
    }
}

/// Bytes of a record as a message quotes them: clipped, on one line.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    clip(&text, 80)
}

/// A character in words: `a no-break space (U+00A0)`.
pub(super) fn character_name(c: char) -> String {
    let name = match c {
        '\0' => "a NUL character",
        '\u{b}' => "a vertical tab",
        '\u{c}' => "a form feed",
        '\r' => "a lone carriage return",
        '\u{85}' => "a next-line character",
        '\u{a0}' => "a no-break space",
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' => "a zero-width non-joiner",
        '\u{200d}' => "a zero-width joiner",
        '\u{200e}' | '\u{200f}' | '\u{61c}' => "a direction mark",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "a bidirectional control",
        '\u{2028}' => "a line separator",
        '\u{2029}' => "a paragraph separator",
        '\u{2060}' => "a word joiner",
        '\u{3000}' => "an ideographic space",
        '\u{feff}' => "a byte order mark",
        c if c.is_control() => "a control character",
        c if c.is_whitespace() => "a space that is not JSON's",
        c => return format!("the character '{c}' (U+{:04X})", u32::from(c)),
    };
    format!("{name} (U+{:04X})", u32::from(c))
}
