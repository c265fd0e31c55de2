//! Marks in the texts of a tree.

use std::borrow::Cow;

use evalcheck_wire::markdown::{END_OF_MARK, FIRST_MARK, MARKS, TextMark};

/// A source without the characters that stand for marks. Offsets in it are the same.
pub(crate) fn without_marks(source: &str) -> Cow<'_, str> {
    let is_mark = |c: char| (FIRST_MARK..=END_OF_MARK).contains(&c);
    if source.contains(is_mark) { source.replace(is_mark, "\u{fffd}").into() } else { source.into() }
}

/// A part of a source, which begins at an offset, with the marks in it.
pub(crate) fn with_marks(part: &str, start: usize, marks: &[TextMark]) -> String {
    let (mut marked, mut at) = (String::new(), 0);
    for mark in marks {
        let span =
            mark.start.saturating_sub(start).min(part.len())..mark.end.saturating_sub(start).min(part.len());
        let (Some(before), Some(inside)) = (part.get(at..span.start), part.get(span.clone())) else {
            continue;
        };
        if inside.is_empty() {
            continue;
        }
        let kind = MARKS.iter().zip(FIRST_MARK..).find(|(kind, _)| **kind == mark.kind);
        marked.push_str(before);
        marked.extend(kind.map(|(_, begin)| begin));
        marked.push_str(inside);
        marked.push(END_OF_MARK);
        at = span.end;
    }
    marked.push_str(&part[at..]);
    marked
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::markdown::TextMarkKind;

    use super::*;

    #[test]
    fn marks_are_in_the_parts_that_they_touch() {
        let mark = |start, end| TextMark { start, end, kind: TextMarkKind::Found };
        let marks = [mark(0, 2), mark(5, 8), mark(12, 13)];
        assert_eq!(with_marks("cdefgh", 2, &marks), "cde\u{fdd1}fgh\u{fdef}");
        assert_eq!(
            with_marks("abcdefghijklmno", 0, &marks),
            "\u{fdd1}ab\u{fdef}cde\u{fdd1}fgh\u{fdef}ijkl\u{fdd1}m\u{fdef}no"
        );
        assert_eq!(with_marks("gh", 6, &marks), "\u{fdd1}gh\u{fdef}");
        assert_eq!(with_marks("xy", 20, &marks), "xy");
        assert_eq!(with_marks("é", 4, &marks), "é", "not within a character");
    }

    #[test]
    fn a_source_has_no_marks_of_its_own() {
        assert_eq!(without_marks("a\u{fdd0}b\u{fdef}c"), "a\u{fffd}b\u{fffd}c");
    }
}
