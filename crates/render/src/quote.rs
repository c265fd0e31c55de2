//! The line of a finding with its span marked, as compilers show it.

use evalcheck_report::Severity;
use evalcheck_report::text::{Inert, is_joiner};
use evalcheck_report::view::Excerpt;
use unicode_width::UnicodeWidthStr;

use crate::line::{Line, Role};

/// The placeholder for omitted text.
const ELLIPSIS: &str = "...";

/// Its width in columns.
const ELLIPSIS_WIDTH: usize = ELLIPSIS.len();

/// The narrowest quote, in columns; a narrower terminal wraps it.
const NARROWEST: usize = 20;

/// The columns of a line number, which is right-aligned. A longer one takes more.
const NUMBER: usize = 5;

/// A character as it is shown, or several that are joined into one.
struct Cell {
    text: String,
    /// Columns of the terminal.
    width: usize,
}

/// The line of a finding and a line of carets below its span: at most `width` columns, clipped around the span.
///
/// ```text
///     3 | ..."messages":[{"role":"tool","content":"Hello"}]...
///       |                        ^^^^^^
/// ```
pub fn lines(excerpt: &Excerpt, line: u64, severity: Severity, width: usize) -> [Line; 2] {
    let number = format!("{line:>NUMBER$} | ");
    let margin = format!("{} | ", " ".repeat(number.len() - " | ".len()));
    let room = width.saturating_sub(number.len()).max(NARROWEST);
    let (shown, offset, length) = clipped(excerpt, room);
    let mark = format!("{}{}", " ".repeat(offset), "^".repeat(length));
    [
        Line::of([(Role::Margin, number), (Role::Plain, shown.trim_end().to_owned())]),
        Line::of([(Role::Margin, margin), (Role::Severity(severity), mark)]),
    ]
}

/// The part of the line that is shown, the columns before the mark, and the columns of the mark.
fn clipped(excerpt: &Excerpt, room: usize) -> (String, usize, usize) {
    let text = &excerpt.text;
    // A number precedes it.
    let mut line = Inert::within();
    let before = cells(text.get(..excerpt.start).unwrap_or_default(), &mut line);
    let marked = cells(text.get(excerpt.start..excerpt.end).unwrap_or_default(), &mut line);
    let after = cells(text.get(excerpt.end..).unwrap_or_default(), &mut line);
    let (total, mark) = (width_of(&before) + width_of(&marked) + width_of(&after), width_of(&marked).max(1));

    let fits = total <= room && !excerpt.clipped_before && !excerpt.clipped_after;
    // There may be an ellipsis at either end.
    let inner = if fits { room } else { room - 2 * ELLIPSIS_WIDTH };
    // A third of the rest is left for the text before the mark, more if little text follows. A long mark leaves a rest too.
    let rest = inner - mark.min(inner / 3 * 2);
    let left = (rest / 3).max(rest.saturating_sub(width_of(&after)));
    let skipped = if fits { 0 } else { first_that_fits(&before, left) };

    let mut shown = String::new();
    if skipped > 0 || excerpt.clipped_before {
        shown.push_str(ELLIPSIS);
    }
    let mut column = 0;
    let mut push = |cells: &[Cell]| {
        let from = column;
        for cell in cells {
            if column + cell.width > inner {
                return (column - from, false);
            }
            shown.push_str(&cell.text);
            column += cell.width;
        }
        (column - from, true)
    };
    let (offset, _) = push(&before[skipped..]);
    let (length, is_whole) = push(&marked);
    let is_whole = is_whole && push(&after).1;
    let offset = offset + if skipped > 0 || excerpt.clipped_before { ELLIPSIS_WIDTH } else { 0 };
    if !is_whole || excerpt.clipped_after {
        shown.push_str(ELLIPSIS);
    }
    (shown, offset, length.max(1))
}

/// The first cell from which on all cells fit in `room` columns.
fn first_that_fits(cells: &[Cell], room: usize) -> usize {
    let mut width = 0;
    let fitting = cells.iter().rev().take_while(|cell| {
        width += cell.width;
        width <= room
    });
    cells.len() - fitting.count()
}

/// The cells of a text. Control characters and characters that reorder the line are shown as escapes, a tab as a space.
fn cells(part: &str, line: &mut Inert) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut is_joined = false;
    for (at, c) in part.char_indices() {
        let is_kept = is_joiner(part, at);
        if let Some(cell) = cells.last_mut().filter(|_| is_kept || is_joined) {
            cell.text.push(c);
            cell.width = cell.text.width();
        } else {
            let text =
                if c == '\t' { " ".to_owned() } else { line.text(c.encode_utf8(&mut [0; 4])).into_owned() };
            cells.push(Cell { width: text.width(), text });
        }
        is_joined = is_kept;
    }
    cells
}

fn width_of(cells: &[Cell]) -> usize {
    cells.iter().map(|cell| cell.width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two lines; the span is the text between the brackets `⟦` and `⟧`.
    fn quoted(text: &str, width: usize) -> String {
        let (before, rest) = text.split_once('⟦').unwrap();
        let (marked, after) = rest.split_once('⟧').unwrap();
        let excerpt = Excerpt {
            text: format!("{before}{marked}{after}"),
            start: before.len(),
            end: before.len() + marked.len(),
            clipped_before: false,
            clipped_after: false,
        };
        lines(&excerpt, 12, Severity::Error, width).map(|line| line.to_string()).join("\n")
    }

    #[test]
    fn a_short_line_is_quoted_whole() {
        assert_eq!(quoted(r#"{"role":⟦"tool"⟧}"#, 40), "   12 | {\"role\":\"tool\"}\n      |         ^^^^^^");
    }

    #[test]
    fn a_long_line_is_clipped_around_the_span() {
        let line = format!("{}⟦here⟧{}", "a".repeat(500), "b".repeat(500));
        let expected =
            format!("   12 | ...{}here{}...\n      | {}^^^^", "a".repeat(7), "b".repeat(15), " ".repeat(10));
        assert_eq!(quoted(&line, 40), expected);
    }

    #[test]
    fn a_span_at_the_end_has_more_before_it() {
        let line = format!("{}⟦}}⟧", "a".repeat(500));
        let expected = format!("   12 | ...{}}}\n      | {}^", "a".repeat(25), " ".repeat(28));
        assert_eq!(quoted(&line, 40), expected);
    }

    #[test]
    fn a_span_that_is_too_long_is_marked_as_far_as_it_is_shown() {
        let line = format!("x⟦{}⟧", "a".repeat(500));
        let expected = format!("   12 | x{}...\n      |  {}", "a".repeat(25), "^".repeat(25));
        assert_eq!(quoted(&line, 40), expected);
    }

    #[test]
    fn wide_characters_and_combining_marks_are_aligned() {
        assert_eq!(quoted("日本⟦語⟧。", 40), "   12 | 日本語。\n      |     ^^");
        assert_eq!(quoted("e\u{301}⟦x⟧", 40), "   12 | e\u{301}x\n      |  ^");
    }

    #[test]
    fn controls_are_escaped_and_marked_in_full() {
        assert_eq!(quoted("a\t⟦\u{202e}⟧b", 40), "   12 | a \\u{202e}b\n      |   ^^^^^^^^");
    }

    #[test]
    fn joined_characters_are_shown_as_one() {
        assert_eq!(
            quoted("👩\u{200d}👩\u{200d}👧⟦x⟧می\u{200c}شود", 40),
            "   12 | 👩\u{200d}👩\u{200d}👧xمی\u{200c}شود\n      |   ^"
        );
        assert_eq!(quoted("us\u{200d}er⟦x⟧", 40), "   12 | us\\u{200d}erx\n      |             ^");
    }

    #[test]
    fn no_quote_is_wider_than_the_terminal() {
        for length in [0, 1, 5, 30, 31, 32, 33, 34, 35, 36, 100] {
            for before in [0, 1, 10, 29, 30, 31, 32, 33, 34, 35, 36, 100] {
                let line = format!("{}⟦{}⟧語語", "語".repeat(before), "é".repeat(length));
                for line in quoted(&line, 40).lines() {
                    assert!(line.width() <= 40, "{before} {length}: {line}");
                }
            }
        }
    }
}
