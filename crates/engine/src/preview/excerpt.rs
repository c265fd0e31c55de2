//! The part of a line around a span.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_core::excerpt::is_continuation;
use evalcheck_report::view::Excerpt;

use super::View;
use super::text::clip_utf8;

/// The number of bytes on either side of the start of a span: more than a terminal shows.
const REACH: usize = 2 << 10;

impl<R: Read + Seek> View<'_, R> {
    /// The part of a line around a span of the dataset, from the line of its first byte.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn excerpt(&mut self, span: Range<u64>) -> io::Result<Excerpt> {
        self.excerpt_within(span, REACH)
    }

    /// The same with `reach` bytes on either side of the start of the span.
    pub(super) fn excerpt_within(&mut self, span: Range<u64>, reach: usize) -> io::Result<Excerpt> {
        let from = span.start.saturating_sub(reach as u64);
        let most = 2 * reach;
        let mut bytes = Vec::new();
        let _ = self.read_from(from, |piece| {
            let missing = most.saturating_sub(bytes.len());
            bytes.extend_from_slice(&piece[..piece.len().min(missing)]);
            if bytes.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let local =
            |byte: u64| usize::try_from(byte.saturating_sub(from)).unwrap_or(usize::MAX).min(bytes.len());
        let is_full = bytes.len() == most;
        Ok(cut(&bytes, local(span.start)..local(span.end), from > 0, is_full))
    }
}

/// The part of a line around a span, at most `most` bytes. `line` holds the first bytes of the line, which has `length` bytes.
pub(super) fn around(line: &[u8], length: u64, span: Range<usize>, most: usize) -> Excerpt {
    let from = span.start.saturating_sub(most / 4).min(line.len().saturating_sub(most));
    let shown = clip_utf8(&line[from..], most);
    let local = |at: usize| at.saturating_sub(from).min(shown.len());
    cut(shown, local(span.start)..local(span.end), from > 0, ((from + shown.len()) as u64) < length)
}

/// The line of a span in bytes of the dataset. `clipped_before` and `clipped_after`: the dataset has further bytes there.
fn cut(bytes: &[u8], span: Range<usize>, clipped_before: bool, clipped_after: bool) -> Excerpt {
    let span = whole_characters(bytes, span);
    let newline = memchr::memrchr(b'\n', &bytes[..span.start]);
    // If the line begins earlier, the first bytes may be the end of a character.
    let begin = newline.map_or_else(
        || {
            if clipped_before {
                bytes[..span.start].iter().take_while(|byte| is_continuation(**byte)).count()
            } else {
                0
            }
        },
        |newline| newline + 1,
    );
    let line_end = memchr::memchr(b'\n', &bytes[span.start..]).map(|newline| span.start + newline);
    let mut end = line_end.unwrap_or(bytes.len());
    if line_end.is_some() && bytes[span.start..end].ends_with(b"\r") {
        end -= 1;
    }
    let text = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let before = text(begin..span.start);
    let marked = text(span.start..span.end.clamp(span.start, end.max(span.start)));
    let after = text(span.end.min(end)..end);
    Excerpt {
        start: before.len(),
        end: before.len() + marked.len(),
        text: [before, marked, after].concat(),
        clipped_before: newline.is_none() && clipped_before,
        clipped_after: line_end.is_none() && clipped_after,
    }
}

/// A span, extended to whole characters.
fn whole_characters(bytes: &[u8], Range { start, end }: Range<usize>) -> Range<usize> {
    let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| is_continuation(*byte));
    // Of bytes that are not UTF-8, at most as many as a character has.
    let start = (start.saturating_sub(3)..=start).rev().find(|at| !is_inside(*at)).unwrap_or(start);
    let end = if end > start { (end..end + 3).find(|at| !is_inside(*at)).unwrap_or(end) } else { start };
    start..end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, marked: &str) -> (String, String) {
        let start = text.find(marked).unwrap();
        let excerpt = cut(text.as_bytes(), start..start + marked.len(), false, false);
        (excerpt.text[excerpt.start..excerpt.end].to_owned(), excerpt.text)
    }

    #[test]
    fn the_line_of_a_span_is_cut_out() {
        let expected = |marked: &str, line: &str| (marked.to_owned(), line.to_owned());
        assert_eq!(of("one\r\ntwo 2\r\nthree", "2"), expected("2", "two 2"));
        assert_eq!(of("one\ntwo", "two"), expected("two", "two"));
        assert_eq!(of("one\ntwo\nthree", "two\nthree"), expected("two", "two"));
        assert_eq!(of("one\n\nthree", "\n\n"), expected("", "one"));
    }

    #[test]
    fn a_part_of_a_character_marks_all_of_it() {
        let Excerpt { text, start, end, .. } = cut("a：b".as_bytes(), 1..2, false, false);
        assert_eq!((&text[start..end], &*text), ("：", "a：b"));
        let Excerpt { text, start, end, .. } = cut("a：b".as_bytes(), 2..5, false, false);
        assert_eq!((&text[start..end], &*text), ("：b", "a：b"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let excerpt = cut(b"\xa9a\xffb\n", 2..3, true, true);
        assert_eq!(excerpt.text, "a\u{fffd}b");
        assert_eq!((excerpt.start, excerpt.end), (1, 4));
        assert!(excerpt.clipped_before && !excerpt.clipped_after);
    }

    #[test]
    fn a_list_shows_the_part_of_a_line_around_a_span() {
        let around = |line: &str, span: Range<usize>| {
            let Excerpt { text, start, end, clipped_before, clipped_after } =
                around(line.as_bytes(), line.len() as u64, span, 12);
            (
                format!("{}[{}]{}", &text[..start], &text[start..end], &text[end..]),
                clipped_before,
                clipped_after,
            )
        };
        assert_eq!(around("0123456789ab", 9..10), ("012345678[9]ab".to_owned(), false, false), "all of it");
        assert_eq!(around("0123456789abcdefghij", 0..0), ("[]0123456789ab".to_owned(), false, true));
        assert_eq!(around("0123456789abcdefghij", 5..6), ("234[5]6789abcd".to_owned(), true, true));
        assert_eq!(around("0123456789abcdefghij", 18..20), ("89abcdefgh[ij]".to_owned(), true, false));
        assert_eq!(around("0123456789abcdefghij", 4..20), ("123[456789abc]".to_owned(), true, true));
        assert_eq!(around("äöüäöüäöüäöü", 12..14), ("ü[ä]öüä".to_owned(), true, true), "no character is cut");
    }
}
