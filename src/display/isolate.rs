//! Splits text at the strings in it, so that right-to-left strings do not reorder the text around them.

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// Whether it is laid out separately, because it contains right-to-left letters.
    pub(crate) is_isolated: bool,
}

/// The maximum number of isolated parts of a text, because each takes an element.
pub(crate) const MAX_ISOLATED: usize = 2_000;

/// The parts of a text: the contents of strings in double quotes, and the pieces between the `separators` outside of them. The text begins
/// within a string if `is_quoted`. `room` is the number of further parts that may be isolated, initially [`MAX_ISOLATED`].
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

/// The length of the first part of a text. Quotes, separators and escaped line breaks, which end paragraphs, are separate parts.
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

/// Whether the text after this one is within a string.
pub(crate) fn ends_quoted(text: &str, is_quoted: bool) -> bool {
    let mut is_escaped = false;
    text.bytes().fold(is_quoted, |is_quoted, byte| {
        let is_quote = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_quoted ^ is_quote
    })
}

/// Returns true for letters of Arabic, Hebrew and the other right-to-left scripts.
pub(crate) fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The isolated parts of a text.
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
