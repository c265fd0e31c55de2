//! Excerpts of a dataset for messages, and columns.

use std::ops::Range;

pub use evalcheck_report::text::clip;

/// The column of an offset, counted from 1 in code points. Bytes that are not UTF-8 count as the U+FFFD that replace them.
pub fn column(bytes: &[u8], at: usize) -> u64 {
    let before = &bytes[..at.min(bytes.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    replaced_characters(&before[start..]) + 1
}

/// A key, a name or another text of the dataset for a message: clipped, in quotes.
pub fn clip_quoted(text: &str) -> String {
    format!("\"{}\"", clip(text, 80))
}

/// The span; if it is empty, the span of a character to mark instead: the next one, or at the end of a line the last one
/// before that is not white space. Empty only when there is no character.
pub fn at_least_one_character(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    if !span.is_empty() || span.start > bytes.len() {
        return span;
    }
    let (before, behind) = bytes.split_at(span.start);
    if behind.first().is_some_and(|byte| !matches!(byte, b'\r' | b'\n')) {
        return span.start..span.start + character_length(behind);
    }
    let trimmed = before.trim_ascii_end();
    let before = if trimmed.is_empty() { before } else { trimmed };
    let last = before.iter().rposition(|byte| !is_continuation(*byte)).unwrap_or(0);
    last..before.len()
}

/// The length of the first character in bytes; 1 for a byte that is not UTF-8.
fn character_length(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(4)];
    head.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()).map_or(1, char::len_utf8)
}

/// Whether a byte of UTF-8 does not begin a character.
pub fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The number of code points. Bytes that are not UTF-8 count as the U+FFFD that replace them.
pub fn replaced_characters(bytes: &[u8]) -> u64 {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => text.chars().count() as u64,
        Err(_) => String::from_utf8_lossy(bytes).chars().count() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_span_marks_the_character_behind_it() {
        assert_eq!(at_least_one_character("aé,".as_bytes(), 1..1), 1..3);
        assert_eq!(at_least_one_character(b"a\xff", 1..1), 1..2);
    }

    #[test]
    fn an_empty_span_at_the_end_of_a_line_marks_the_last_character() {
        assert_eq!(at_least_one_character("aé".as_bytes(), 3..3), 1..3);
        assert_eq!(at_least_one_character(b"{  \r\n", 3..3), 0..1);
        assert_eq!(at_least_one_character(b"{\n}", 1..1), 0..1);
        assert_eq!(at_least_one_character(b"  ", 2..2), 1..2);
    }

    #[test]
    fn other_spans_stay() {
        assert_eq!(at_least_one_character(b"abc", 0..2), 0..2);
        assert_eq!(at_least_one_character(b"", 0..0), 0..0);
    }
}
