//! Text from a dataset, cut into what can be shown as it is and characters that would rearrange or hide it.

use evalcheck_wire::text::needs_escape;

/// A run of text, or one character that is shown by its code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Shown as it is.
    Plain(&'a str),
    /// Shown escaped, `U+200B` for instance.
    Escaped(char),
}

/// What becomes of line breaks and tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whitespace {
    /// They are text: a conversation has them.
    Kept,
    /// They are characters like others: an id or a line of a file has none.
    Escaped,
    /// As before, and so are blanks other than the ordinary one: what is pointed at has to be seen.
    Told,
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
            Whitespace::Told => needs_escape(c) || blank,
        }
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if hidden(first) {
            rest = &rest[first.len_utf8()..];
            return Some(Piece::Escaped(first));
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
    fn a_character_that_turns_the_line_round_is_taken_out() {
        let all: Vec<_> = pieces("us\u{202e}er\u{200b}", Whitespace::Kept).collect();
        assert_eq!(
            all,
            [Piece::Plain("us"), Piece::Escaped('\u{202e}'), Piece::Plain("er"), Piece::Escaped('\u{200b}')]
        );
    }

    #[test]
    fn a_blank_that_looks_like_a_space_is_seen_under_a_mark() {
        assert_eq!(pieces("a\u{a0}b c", Whitespace::Told).count(), 3);
        assert_eq!(pieces("a\u{a0}b c", Whitespace::Escaped).count(), 1);
    }

    #[test]
    fn line_breaks_are_text_in_a_conversation_and_characters_in_an_id() {
        assert_eq!(pieces("a\nb", Whitespace::Kept).count(), 1);
        assert_eq!(pieces("a\nb", Whitespace::Escaped).count(), 3);
    }
}
