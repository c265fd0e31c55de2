//! The scroll bar of a list that is taller than an element can be.
//!
//! Browsers limit the height of an element to 17 to 33 million pixels. A list of 10^8 lines is a hundred times as tall, so its scroll bar
//! is scaled. Wheel, keys and touch still scroll by pixels; only dragging the thumb scrolls by the scale. Near both ends the scale is 1, so
//! that the ends are reached exactly.

use std::ops::Range;

/// The maximum height of the element, in CSS pixels.
const MAX_HEIGHT: f64 = 8_000_000.0;

/// The distance from either end within which the scale is 1, in CSS pixels.
const EDGE: f64 = 1_000_000.0;

/// A larger movement is a drag of the thumb: in a scaled list, one pixel of the thumb is more than this.
const STEP: f64 = 4_000.0;

/// The geometry of a list. All lengths are in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScrollTrack {
    /// The number of rows.
    pub(crate) rows: u64,
    /// The height of a row.
    pub(crate) row: f64,
    /// The height of the visible part.
    pub(crate) viewport: f64,
}

/// The scroll position of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Position {
    /// The element's `scrollTop`, in the scale of the scroll bar.
    pub(crate) scroll: f64,
    /// Pixels of the list above the visible part.
    pub(crate) content: f64,
}

impl ScrollTrack {
    /// The height of the scrolled element.
    pub(crate) fn height(&self) -> f64 {
        self.full().min(MAX_HEIGHT)
    }

    /// The position after the browser has scrolled to `scroll`. If the `scroll` of the result differs, the element has to be scrolled to
    /// it.
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

    /// The position that makes a row visible: the nearest one if the row is near, else with the row in the middle.
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

    /// The first visible row.
    pub(crate) fn first_row(&self, position: Position) -> u64 {
        if self.row > 0.0 { floor(position.content / self.row).min(self.rows) } else { 0 }
    }

    /// The number of visible rows, including partly visible ones.
    pub(crate) fn visible_rows(&self) -> u64 {
        if self.row > 0.0 { floor(self.viewport / self.row) + 2 } else { 0 }
    }

    /// The rows in view, from 0, including partly visible ones.
    pub(crate) fn rows_in_view(&self, position: Position) -> Range<u64> {
        let first = self.first_row(position);
        let end = if self.row > 0.0 { ceil((position.content + self.viewport) / self.row) } else { 0 };
        first..end.min(self.rows)
    }

    /// The offset of a row in the scaled element.
    pub(crate) fn row_offset(&self, position: Position, row: u64) -> f64 {
        position.scroll - position.content + self.offset(row)
    }

    #[expect(clippy::cast_precision_loss, reason = "no list is 2^53 pixels tall")]
    fn offset(&self, row: u64) -> f64 {
        row as f64 * self.row
    }

    fn full(&self) -> f64 {
        self.offset(self.rows)
    }

    fn is_scaled(&self) -> bool {
        self.full() > MAX_HEIGHT
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

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates: a negative offset is the first row"
)]
fn ceil(n: f64) -> u64 {
    n.ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: ScrollTrack = ScrollTrack { rows: 1_000, row: 28.0, viewport: 600.0 };
    const LONG: ScrollTrack = ScrollTrack { rows: 100_000_000, row: 28.0, viewport: 600.0 };

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.01
    }

    #[test]
    fn a_short_list_is_not_scaled() {
        assert!(near(SHORT.height(), 28_000.0));
        let at = SHORT.follow(Position::default(), 2_800.0);
        assert_eq!(SHORT.first_row(at), 100);
        assert!(near(SHORT.row_offset(at, 100), 2_800.0));
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
    fn the_wheel_scrolls_by_pixels_everywhere() {
        let middle = LONG.follow(Position::default(), 4_000_000.0);
        let next = LONG.follow(middle, 4_000_100.0);
        assert!(near(next.content - middle.content, 100.0));
        assert!(near(LONG.row_offset(next, 0), LONG.row_offset(middle, 0)), "rows keep their offsets");
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
    fn a_revealed_row_is_visible_at_the_scroll_position() {
        for track in [SHORT, LONG] {
            for row in [0, 1, 500, 999, track.rows / 3, track.rows - 1, u64::MAX] {
                let at = track.reveal(Position::default(), row);
                let row = row.min(track.rows - 1);
                let first = track.first_row(at);
                assert!(first <= row && row < first + track.visible_rows(), "row {row} from {first}");
                let seen = track.follow(Position::default(), at.scroll);
                assert!((seen.content - at.content).abs() < track.row, "{row}: {seen:?} {at:?}");
            }
        }
    }

    #[test]
    fn revealing_a_visible_row_does_not_scroll() {
        let at = SHORT.reveal(Position::default(), 500);
        assert_eq!(SHORT.reveal(at, 501), at);
    }

    #[test]
    fn partly_visible_rows_are_in_view() {
        let at = |content| SHORT.rows_in_view(Position { scroll: content, content });
        assert_eq!(at(0.0), 0..22, "600 pixels are 21 rows and a part of one");
        assert_eq!(at(14.0), 0..22);
        assert_eq!(at(28.0), 1..23);
        assert_eq!(at(27_400.0), 978..1_000);
        assert_eq!(ScrollTrack { rows: 0, ..SHORT }.rows_in_view(Position::default()), 0..0);
    }

    #[test]
    fn an_empty_list_has_no_rows() {
        let track = ScrollTrack { rows: 0, row: 28.0, viewport: 600.0 };
        assert_eq!(track.first_row(track.follow(Position::default(), 0.0)), 0);
        assert_eq!(track.reveal(Position::default(), 0), Position::default());
    }
}
