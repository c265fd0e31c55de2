//! The part of a line that its row in the list shows.

use std::ops::Range;

use evalcheck_report::view::Excerpt;

use super::excerpt::floor_boundary;

/// Bytes of text before the first finding of a line.
const BEFORE: usize = 24;

/// A shorter prefix shared by two lines is not dimmed.
const MIN_SHARED: usize = 8;

/// The parts of the text of a line, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineRow {
    /// The start of the row.
    pub(crate) begin: usize,
    /// The end of the prefix shared with the previous line; 0 if it is not dimmed.
    pub(crate) shared: usize,
    /// The first finding; empty if there is none, or if it covers the whole text.
    pub(crate) token: Range<usize>,
}

/// Divides the text of a line. Its first `shared` bytes are equal to those of the previous line.
pub(crate) fn line_row(excerpt: &Excerpt, shared: usize) -> LineRow {
    let Excerpt { text, start, end, .. } = excerpt;
    let start = floor_boundary(text, *start);
    let end = floor_boundary(text, *end).max(start);
    let begin = floor_boundary(text, start.saturating_sub(BEFORE));
    let has_token = start < end && (start..end) != (0..text.len());
    let token = if has_token { start..end } else { start..start };
    let is_whole = begin == 0 && !excerpt.clipped_before;
    let shared = if has_token || begin > 0 { shared.min(start) } else { shared };
    let shared = if is_whole && shared >= MIN_SHARED { floor_boundary(text, shared) } else { 0 };
    LineRow { begin, shared, token: token.start.max(shared)..token.end.max(shared) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, span: Range<usize>, shared: usize) -> LineRow {
        let excerpt = Excerpt {
            text: text.to_owned(),
            start: span.start,
            end: span.end,
            clipped_before: false,
            clipped_after: false,
        };
        line_row(&excerpt, shared)
    }

    #[test]
    fn a_row_begins_around_the_finding() {
        let text = format!("{}token and more", "x".repeat(100));
        assert_eq!(of(&text, 100..105, 60), LineRow { begin: 76, shared: 0, token: 100..105 });
        let wide = format!("{}token", "語".repeat(40));
        assert_eq!(of(&wide, 121..125, 0).begin, 96, "between two characters");
    }

    #[test]
    fn a_row_near_the_beginning_is_not_cut() {
        assert_eq!(of("{\"role\":\"human\"}", 8..15, 8), LineRow { begin: 0, shared: 8, token: 8..15 });
        assert_eq!(of("{\"role\":\"human\"}", 8..15, 12).shared, 8, "the token is not dimmed");
    }

    #[test]
    fn a_prefix_is_dimmed_where_it_is_long() {
        assert_eq!(of("abcdefghij", 0..0, 7).shared, 0);
        assert_eq!(of("abcdefghij", 0..0, 8), LineRow { begin: 0, shared: 8, token: 8..8 });
    }

    #[test]
    fn a_finding_that_is_all_of_the_line_is_not_underlined() {
        assert_eq!(of("not JSON", 0..8, 0).token, 0..0);
    }

    #[test]
    fn offsets_outside_of_the_text_are_survived() {
        let row = of("short", 90..200, 300);
        assert!(row.begin <= 5 && row.shared <= 5 && row.token.end <= 5);
    }
}
