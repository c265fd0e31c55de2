//! Splits text at the strings in it, so that one that is read from right to left does not reorder what is around it.

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// True when it is laid out by itself: it has letters that are read from right to left.
    pub(crate) is_isolated: bool,
}

/// The most parts of a text that are isolated: each takes an element.
pub(crate) const MAX_ISOLATED: usize = 2_000;

/// The parts of a text: the contents of strings between double quotes, and what is between the `separators` outside of them. The
/// text begins within a string when `is_quoted`. `room` is how many more parts are isolated, at first [`MAX_ISOLATED`].
pub(crate) fn parts<'a>(
    text: &'a str,
    mut is_quoted: bool,
    separators: &'a [char],
    room: &mut usize,
) -> impl Iterator<Item = Part<'a>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_at(part_length(rest, is_quoted, separators));
        rest = after;
        is_quoted ^= part == "\"";
        let is_isolated = *room > 0 && part.contains(is_right_to_left);
        *room -= usize::from(is_isolated);
        Some(Part { text: part, is_isolated })
    })
}

/// The length of the first part of a text. A quote, a separator and an escaped line break, after which a paragraph begins, are parts
/// of their own.
fn part_length(text: &str, is_quoted: bool, separators: &[char]) -> usize {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let length = match c {
            '"' => 1,
            '\\' if matches!(chars.next(), Some((_, 'n' | 'r' | 't'))) => 2,
            c if !is_quoted && separators.contains(&c) => 1,
            _ => continue,
        };
        return if at == 0 { length } else { at };
    }
    text.len()
}

/// Whether what follows a text is within a string.
pub(crate) fn ends_quoted(text: &str, is_quoted: bool) -> bool {
    let mut is_escaped = false;
    text.bytes().fold(is_quoted, |is_quoted, byte| {
        let is_quote = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_quoted ^ is_quote
    })
}

/// True for letters of Arabic, Hebrew and the other scripts that are written from right to left.
pub(crate) fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a text that are isolated.
    fn isolated(text: &str, is_quoted: bool) -> Vec<&str> {
        let all: Vec<Part<'_>> = parts(text, is_quoted, &[',', '\t'], &mut MAX_ISOLATED.clone()).collect();
        assert_eq!(all.iter().map(|part| part.text).collect::<String>(), text);
        all.iter().filter(|part| part.is_isolated).map(|part| part.text).collect()
    }

    #[test]
    fn strings_of_json_are_isolated() {
        assert_eq!(isolated(r#"{"role":"user","n":5}"#, false), [""; 0]);
        assert_eq!(isolated(r#"{"text":"שלום, עולם","n":5}"#, false), ["שלום, עולם"]);
        assert_eq!(isolated(r#"{"مفتاح":"a \"ب\" \\"}"#, false), ["مفتاح", r#"a \"ب\" \\"#]);
        assert_eq!(isolated(r#"{"text":"שלום\nHello\n\nעולם"}"#, false), ["שלום", "עולם"]);
    }

    #[test]
    fn a_text_can_begin_within_a_string() {
        assert_eq!(isolated(r#"שלום, עולם","b"#, true), ["שלום, עולם"]);
        assert!(ends_quoted(r#"{"a\""#, false));
        assert!(!ends_quoted(r#"{"a\"b""#, false));
        assert!(!ends_quoted(r#"b""#, true));
    }

    #[test]
    fn cells_without_quotes_are_isolated() {
        assert_eq!(isolated("q1,مرحبا,5,\"a, ب\"", false), ["مرحبا", "a, ب"]);
    }

    #[test]
    fn no_more_than_so_many_parts_are_isolated() {
        assert_eq!(isolated(&"ب,".repeat(2 * MAX_ISOLATED), false).len(), MAX_ISOLATED);
    }
}
