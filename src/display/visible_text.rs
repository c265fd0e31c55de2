//! Splits text from a dataset into text to show unchanged and characters that would reorder or hide it.

use evalcheck_report::text::{is_joiner, needs_escape};

/// A run of text, or one character that is shown as its code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Shown as it is.
    Plain(&'a str),
    /// Shown escaped, for example as `U+200B`.
    Escaped(char),
    /// A character beyond the limit of escaped characters: shown as [`STAND_IN`].
    Hidden,
}

/// Replaces a character that is not shown.
pub(crate) const STAND_IN: &str = "▯";

/// The maximum number of escaped characters of a text: each takes an element, and thousands of elements take a browser seconds.
pub(crate) const MAX_ESCAPED: usize = 32;

/// The kind of a text, which determines the escaped characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Text for people, such as a message of a conversation: line breaks, tabs and joiners between letters are kept.
    Prose,
    /// The source of a record on one line: line breaks and tabs are escaped, joiners between letters are kept.
    Source,
    /// An id, a key, a role or a message, in which a joiner is more likely to hide something.
    Name,
    /// Marked text: all white space other than the ordinary space is escaped as well.
    Marked,
}

/// The pieces of a text, in order. `room` is the number of further characters that may be escaped, initially [`MAX_ESCAPED`].
pub(crate) fn pieces<'a>(text: &'a str, kind: TextKind, room: &mut usize) -> impl Iterator<Item = Piece<'a>> {
    let hidden = move |at: usize, c: char| {
        let blank = matches!(
            c,
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        );
        match kind {
            TextKind::Prose => needs_escape(c) && !matches!(c, '\n' | '\r' | '\t') && !is_joiner(text, at),
            TextKind::Source => needs_escape(c) && !is_joiner(text, at),
            TextKind::Name => needs_escape(c),
            TextKind::Marked => needs_escape(c) || blank,
        }
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        if hidden(at, first) {
            at += first.len_utf8();
            let has_room = *room > 0;
            *room -= usize::from(has_room);
            return Some(if has_room { Piece::Escaped(first) } else { Piece::Hidden });
        }
        let end = rest.char_indices().find(|(index, c)| hidden(at + index, *c));
        let plain = &rest[..end.map_or(rest.len(), |(end, _)| end)];
        at += plain.len();
        Some(Piece::Plain(plain))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, kind: TextKind) -> Vec<Piece<'_>> {
        let mut room = MAX_ESCAPED;
        super::pieces(text, kind, &mut room).collect()
    }

    #[test]
    fn ordinary_text_is_one_piece() {
        let shown = all("Grüße, 世界", TextKind::Name);
        assert_eq!(shown, [Piece::Plain("Grüße, 世界")]);
        assert_eq!(all("", TextKind::Prose).len(), 0);
    }

    #[test]
    fn a_character_that_reorders_text_is_escaped() {
        let shown = all("us\u{202e}er\u{200b}", TextKind::Prose);
        assert_eq!(
            shown,
            [Piece::Plain("us"), Piece::Escaped('\u{202e}'), Piece::Plain("er"), Piece::Escaped('\u{200b}')]
        );
    }

    #[test]
    fn few_characters_are_escaped_and_none_is_left_as_it_is() {
        let text = "a\u{202e}".repeat(100);
        let shown = all(&text, TextKind::Prose);
        let count = |piece| shown.iter().filter(|other| **other == piece).count();
        assert_eq!(count(Piece::Escaped('\u{202e}')), MAX_ESCAPED);
        assert_eq!(count(Piece::Hidden), 100 - MAX_ESCAPED);
        assert_eq!(count(Piece::Plain("a")), 100);
    }

    #[test]
    fn all_whitespace_under_a_mark_is_escaped() {
        assert_eq!(all("a\u{a0}b c", TextKind::Marked).len(), 3);
        assert_eq!(all("a\u{a0}b c", TextKind::Name).len(), 1);
    }

    #[test]
    fn line_breaks_are_kept_or_escaped() {
        assert_eq!(all("a\nb", TextKind::Prose).len(), 1);
        assert_eq!(all("a\nb", TextKind::Name).len(), 3);
    }

    #[test]
    fn joiners_are_kept_in_prose_and_source_only() {
        let text = "می\u{200c}شود 👩\u{200d}🚀 us\u{200d}er";
        let counts = [TextKind::Prose, TextKind::Source, TextKind::Name, TextKind::Marked]
            .map(|kind| all(text, kind).len());
        assert_eq!(counts, [3, 3, 7, 7]);
    }
}
