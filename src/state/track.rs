//! The scroll bar of a list that is longer than an element may be.
//!
//! Browsers end elements somewhere between 17 and 33 million pixels. A list of 10^8 lines is a hundred times that,
//! so its scroll bar covers it at a smaller scale. Wheel, keys and fingers still move by the pixels they mean; only
//! a drag of the thumb jumps by the scale. Near both ends the scale is 1, so that the ends are reached exactly.

/// The tallest element that is asked of a browser, in CSS pixels.
const TALLEST: f64 = 8_000_000.0;

/// How far from either end a pixel of the scroll bar is a pixel of the list.
const EDGE: f64 = 1_000_000.0;

/// A larger movement is a drag of the thumb: one pixel of it is more than this when the list is scaled.
const STEP: f64 = 4_000.0;

/// The geometry of a list. All lengths are CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Track {
    /// Rows in all.
    pub(crate) rows: u64,
    /// Height of a row.
    pub(crate) row: f64,
    /// Height of what is seen.
    pub(crate) viewport: f64,
}

/// Where a list stands: `scroll` is what the browser says, `content` what it shows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Position {
    /// The element's `scrollTop`.
    pub(crate) scroll: f64,
    /// Pixels of the list above the upper edge of what is seen.
    pub(crate) content: f64,
}

impl Track {
    /// The height of the element that makes the scroll bar.
    pub(crate) fn height(&self) -> f64 {
        self.full().min(TALLEST)
    }

    /// The position after the browser has scrolled to `scroll`. Where the position's `scroll` differs, the element
    /// is to be put there.
    pub(crate) fn follow(&self, from: Position, scroll: f64) -> Position {
        let moved = scroll - from.scroll;
        if !self.is_scaled() || moved.abs() > STEP {
            return Position { scroll, content: self.content_at(scroll) };
        }
        let content = (from.content + moved).clamp(0.0, self.content_end());
        let at_edge = |at: f64, end: f64| at <= EDGE || at >= end - EDGE;
        if at_edge(scroll, self.scroll_end()) || at_edge(content, self.content_end()) {
            return Position { scroll: self.scroll_at(content), content };
        }
        Position { scroll, content }
    }

    /// The position that shows a row: as near to the present one as shows all of it, or with the row in the middle
    /// when it is far away.
    pub(crate) fn reveal(&self, from: Position, row: u64) -> Position {
        let top = self.offset(row.min(self.rows.saturating_sub(1)));
        let bottom = top + self.row;
        if top >= from.content && bottom <= from.content + self.viewport {
            return from;
        }
        let near = 2.0 * self.row;
        let content = if top < from.content && from.content - top <= near {
            top
        } else if top > from.content && bottom - from.content - self.viewport <= near {
            bottom - self.viewport
        } else {
            top - (self.viewport - self.row) / 2.0
        };
        let content = content.clamp(0.0, self.content_end());
        Position { scroll: self.scroll_at(content), content }
    }

    /// The row at the upper edge.
    pub(crate) fn first_row(&self, position: Position) -> u64 {
        if self.row > 0.0 { floor(position.content / self.row).min(self.rows) } else { 0 }
    }

    /// How many rows fit, the cut ones counted.
    pub(crate) fn rows_seen(&self) -> u64 {
        if self.row > 0.0 { floor(self.viewport / self.row) + 2 } else { 0 }
    }

    /// Where the element of a row has to stand in the scaled element.
    pub(crate) fn place(&self, position: Position, row: u64) -> f64 {
        position.scroll - position.content + self.offset(row)
    }

    #[expect(clippy::cast_precision_loss, reason = "2^53 pixels are more than any list has")]
    fn offset(&self, row: u64) -> f64 {
        row as f64 * self.row
    }

    fn full(&self) -> f64 {
        self.offset(self.rows)
    }

    fn is_scaled(&self) -> bool {
        self.full() > TALLEST
    }

    fn content_end(&self) -> f64 {
        (self.full() - self.viewport).max(0.0)
    }

    fn scroll_end(&self) -> f64 {
        (self.height() - self.viewport).max(0.0)
    }

    fn scale(&self) -> f64 {
        (self.content_end() - 2.0 * EDGE) / (self.scroll_end() - 2.0 * EDGE)
    }

    fn content_at(&self, scroll: f64) -> f64 {
        let end = self.scroll_end();
        let scroll = scroll.clamp(0.0, end);
        if !self.is_scaled() || scroll <= EDGE {
            scroll
        } else if scroll >= end - EDGE {
            self.content_end() - (end - scroll)
        } else {
            EDGE + (scroll - EDGE) * self.scale()
        }
    }

    fn scroll_at(&self, content: f64) -> f64 {
        let end = self.content_end();
        if !self.is_scaled() || content <= EDGE {
            content
        } else if content >= end - EDGE {
            self.scroll_end() - (end - content)
        } else {
            EDGE + (content - EDGE) / self.scale()
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates: a negative offset is the first row"
)]
fn floor(n: f64) -> u64 {
    n.floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Track = Track { rows: 1_000, row: 28.0, viewport: 600.0 };
    const LONG: Track = Track { rows: 100_000_000, row: 28.0, viewport: 600.0 };

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.01
    }

    #[test]
    fn a_short_list_scrolls_as_it_is() {
        assert!(near(SHORT.height(), 28_000.0));
        let at = SHORT.follow(Position::default(), 2_800.0);
        assert_eq!(SHORT.first_row(at), 100);
        assert!(near(SHORT.place(at, 100), 2_800.0));
    }

    #[test]
    fn both_ends_of_a_long_list_are_reached() {
        assert!(near(LONG.height(), 8_000_000.0));
        let end = LONG.follow(Position::default(), 8_000_000.0 - 600.0);
        assert_eq!(LONG.first_row(end) + 600 / 28, 99_999_999);
        let start = LONG.follow(end, 0.0);
        assert_eq!(LONG.first_row(start), 0);
    }

    #[test]
    fn a_turn_of_the_wheel_moves_by_its_pixels_anywhere() {
        let middle = LONG.follow(Position::default(), 4_000_000.0);
        let next = LONG.follow(middle, 4_000_100.0);
        assert!(near(next.content - middle.content, 100.0));
        assert!(near(LONG.place(next, 0), LONG.place(middle, 0)), "rows stay where they stand");
    }

    #[test]
    fn every_row_can_be_reached_by_the_wheel_alone() {
        let mut at = LONG.reveal(Position::default(), 40_000);
        for _ in 0..20_000 {
            let scroll = (at.scroll - 100.0).max(0.0);
            at = LONG.follow(at, scroll);
        }
        assert_eq!(LONG.first_row(at), 0);
        assert!(near(at.scroll, 0.0));
    }

    #[test]
    fn a_revealed_row_is_in_sight_and_the_browser_can_be_put_there() {
        for track in [SHORT, LONG] {
            for row in [0, 1, 500, 999, track.rows / 3, track.rows - 1, u64::MAX] {
                let at = track.reveal(Position::default(), row);
                let row = row.min(track.rows - 1);
                let first = track.first_row(at);
                assert!(first <= row && row < first + track.rows_seen(), "row {row} from {first}");
                let seen = track.follow(Position::default(), at.scroll);
                assert!((seen.content - at.content).abs() < track.row, "{row}: {seen:?} {at:?}");
            }
        }
    }

    #[test]
    fn a_row_in_sight_moves_nothing() {
        let at = SHORT.reveal(Position::default(), 500);
        assert_eq!(SHORT.reveal(at, 501), at);
    }

    #[test]
    fn an_empty_list_has_no_rows() {
        let track = Track { rows: 0, row: 28.0, viewport: 600.0 };
        assert_eq!(track.first_row(track.follow(Position::default(), 0.0)), 0);
        assert_eq!(track.reveal(Position::default(), 0), Position::default());
    }
}
