//! Maps spans of a string's source to its text.

use std::ops::Range;

/// The span of the text that a span of its source decodes to, if that is certain. `raw` is the string in the file: as JSON, as a quoted
/// cell, or unchanged. Spans are in bytes; `span` is relative to the start of `raw`.
pub(super) fn in_text(raw: &[u8], text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    if raw == text.as_bytes() {
        let is_part = text.get(span.clone()).is_some_and(|part| !part.is_empty() && part.len() < text.len());
        return is_part.then(|| span.clone());
    }
    let inner = 1..raw.len().checked_sub(1)?;
    if span.is_empty() || span.start < inner.start || inner.end < span.end || !raw.starts_with(b"\"") {
        return None;
    }
    let inner = raw.get(inner)?;
    read_as(inner, text, span, json_char).or_else(|| read_as(inner, text, span, cell_char))
}

/// Decodes the contents of a string up to the end of the span, and compares them with the text.
fn read_as(
    inner: &[u8],
    text: &str,
    span: &Range<usize>,
    read: fn(&[u8]) -> Option<(usize, char)>,
) -> Option<Range<usize>> {
    // After the quote.
    let mut at = 1;
    let mut end = 0;
    let mut start = None;
    let mut chars = text.chars();
    loop {
        if at == span.start {
            start = Some(end);
        }
        if at >= span.end {
            return (at == span.end).then_some(start?..end);
        }
        let (length, c) = read(inner.get(at - 1..)?)?;
        if chars.next() != Some(c) {
            return None;
        }
        at += length;
        end += c.len_utf8();
    }
}

/// The first character of the contents of a JSON string, and its length there. A lone surrogate becomes U+FFFD.
fn json_char(bytes: &[u8]) -> Option<(usize, char)> {
    let [b'\\', escape, ..] = bytes else { return utf8_char(bytes) };
    let c = match escape {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b'/' => char::from(*escape),
        b'u' => {
            let first = code_unit(bytes)?;
            let second = code_unit(&bytes[6..]);
            let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
            return match (char::from_u32(first.into()), pair) {
                (Some(c), _) => Some((6, c)),
                (None, Some(c)) => Some((12, c)),
                (None, None) => Some((6, char::REPLACEMENT_CHARACTER)),
            };
        }
        _ => return None,
    };
    Some((2, c))
}

/// The code unit of an escape at the beginning of a text.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits =
        bytes.strip_prefix(b"\\u")?.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The first character of the contents of a quoted cell, and its length there.
fn cell_char(bytes: &[u8]) -> Option<(usize, char)> {
    if bytes.starts_with(b"\"\"") { Some((2, '"')) } else { utf8_char(bytes) }
}

fn utf8_char(bytes: &[u8]) -> Option<(usize, char)> {
    let valid = bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid();
    let c = valid.chars().next()?;
    Some((c.len_utf8(), c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a part of the source.
    fn part<'t>(raw: &str, text: &'t str, source: &str) -> Option<&'t str> {
        let start = raw.find(source)?;
        in_text(raw.as_bytes(), text, &(start..start + source.len())).map(|span| &text[span])
    }

    #[test]
    fn escapes_are_read() {
        let raw = r#""ä\n \ud83d\ude00 \ud800 \u0000x \"q\"""#;
        let text = "ä\n 😀 \u{fffd} \0x \"q\"";
        assert_eq!(part(raw, text, r"\n"), Some("\n"));
        assert_eq!(part(raw, text, r"\ud83d\ude00"), Some("😀"));
        assert_eq!(part(raw, text, r"\ud800"), Some("\u{fffd}"));
        assert_eq!(part(raw, text, r"\u0000"), Some("\0"));
        assert_eq!(part(raw, text, r#"\"q\""#), Some("\"q\""));
    }

    #[test]
    fn what_cannot_be_mapped_is_nothing() {
        let raw = r#""a\u0041b""#;
        assert_eq!(part(raw, "aAb", "u0041"), None, "within an escape");
        assert_eq!(part(raw, "aAb", raw), None, "all of it");
        assert_eq!(part(raw, "aBb", "b"), None, "another text");
        assert_eq!(in_text(b"\"", "x", &(0..1)), None);
        assert_eq!(in_text(b"", "x", &(0..1)), None);
        assert_eq!(in_text(b"\"ab\"", "ab", &(2..2)), None);
    }

    #[test]
    fn cells_are_read() {
        assert_eq!(part("a\u{200b}b", "a\u{200b}b", "\u{200b}"), Some("\u{200b}"));
        assert_eq!(part("ab", "ab", "ab"), None);
        assert_eq!(part("\"a \"\"b\"\" \\n c\"", "a \"b\" \\n c", "c"), Some("c"));
    }
}
