//! Splits text from a dataset into text to show as it is and characters that would reorder or hide it.

use evalcheck_wire::text::needs_escape;

/// A run of text, or one character that is shown as its code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Shown as it is.
    Plain(&'a str),
    /// Shown escaped, `U+200B` for instance.
    Escaped(char),
    /// A character that would be escaped as well, but is one of too many: shown as [`STAND_IN`].
    Hidden,
}

/// Stands for a character that is not shown.
pub(crate) const STAND_IN: &str = "▯";

/// The most characters of a text that are escaped: each takes an element, and thousands of elements take a browser seconds.
const MAX_ESCAPED: usize = 32;

/// How whitespace is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whitespace {
    /// Line breaks and tabs are kept, for example in a conversation.
    Kept,
    /// Line breaks and tabs are escaped, for example in an id.
    Escaped,
    /// All whitespace other than the ordinary space is escaped, for text under a mark.
    AllEscaped,
}

/// The pieces of a text, in order.
pub(crate) fn pieces(text: &str, whitespace: Whitespace) -> impl Iterator<Item = Piece<'_>> {
    let hidden = move |c: char| {
        let blank = matches!(
            c,
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        );
        match whitespace {
            Whitespace::Kept => needs_escape(c) && !matches!(c, '\n' | '\r' | '\t'),
            Whitespace::Escaped => needs_escape(c),
            Whitespace::AllEscaped => needs_escape(c) || blank,
        }
    };
    let mut rest = text;
    let mut escaped = 0;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if hidden(first) {
            rest = &rest[first.len_utf8()..];
            escaped += 1;
            return Some(if escaped <= MAX_ESCAPED { Piece::Escaped(first) } else { Piece::Hidden });
        }
        let end = rest.find(hidden).unwrap_or(rest.len());
        let (plain, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Plain(plain))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_one_piece() {
        let all: Vec<_> = pieces("Grüße, 世界", Whitespace::Escaped).collect();
        assert_eq!(all, [Piece::Plain("Grüße, 世界")]);
        assert_eq!(pieces("", Whitespace::Kept).count(), 0);
    }

    #[test]
    fn a_character_that_reorders_text_is_escaped() {
        let all: Vec<_> = pieces("us\u{202e}er\u{200b}", Whitespace::Kept).collect();
        assert_eq!(
            all,
            [Piece::Plain("us"), Piece::Escaped('\u{202e}'), Piece::Plain("er"), Piece::Escaped('\u{200b}')]
        );
    }

    #[test]
    fn few_characters_are_escaped_and_none_is_left_as_it_is() {
        let text = "a\u{202e}".repeat(100);
        let all: Vec<_> = pieces(&text, Whitespace::Kept).collect();
        let count = |piece| all.iter().filter(|other| **other == piece).count();
        assert_eq!(count(Piece::Escaped('\u{202e}')), MAX_ESCAPED);
        assert_eq!(count(Piece::Hidden), 100 - MAX_ESCAPED);
        assert_eq!(count(Piece::Plain("a")), 100);
    }

    #[test]
    fn all_whitespace_under_a_mark_is_escaped() {
        assert_eq!(pieces("a\u{a0}b c", Whitespace::AllEscaped).count(), 3);
        assert_eq!(pieces("a\u{a0}b c", Whitespace::Escaped).count(), 1);
    }

    #[test]
    fn line_breaks_are_kept_or_escaped() {
        assert_eq!(pieces("a\nb", Whitespace::Kept).count(), 1);
        assert_eq!(pieces("a\nb", Whitespace::Escaped).count(), 3);
    }
}
