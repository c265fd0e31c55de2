//! Excerpts and names of characters, for messages.

use evalcheck_core::excerpt::clip;

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
