//! A list of any length, of which only the rows in sight are elements.

use yew::prelude::*;

use crate::platform::{Viewport, Watch, set_height, set_offset};
use crate::state::{Position, Track};

/// Rows are made in runs of so many, so that a small movement renders nothing.
const RUN: u64 = 8;

#[derive(Properties, PartialEq)]
pub(crate) struct VirtualListProps {
    /// What rows are called in ids, see [`row_id`].
    pub(crate) id: &'static str,
    pub(crate) label: AttrValue,
    #[prop_or_default]
    pub(crate) testid: Option<AttrValue>,
    pub(crate) rows: u64,
    /// Height of a row in CSS pixels; every row has it.
    pub(crate) row_height: u32,
    /// The chosen row; it is brought into sight when it changes.
    pub(crate) active: Option<u64>,
    /// Brings the chosen row into sight when it changes, though the row stays the same.
    #[prop_or_default]
    pub(crate) reveals: u32,
    /// Makes a row.
    pub(crate) render: Callback<u64, Html>,
    /// Rows from the first up to before the second are in sight or near it.
    #[prop_or_default]
    pub(crate) on_seen: Callback<(u64, u64)>,
    /// A row was chosen by the keyboard; true when it is to be opened.
    pub(crate) on_choose: Callback<(u64, bool)>,
}

/// The id of a row.
pub(crate) fn row_id(list: &str, row: u64) -> String {
    format!("{list}-{row}")
}

/// The rows that are made, and where the first one stands.
#[derive(Clone, Copy, Default, PartialEq)]
struct Made {
    first: u64,
    end: u64,
    offset: f64,
}

/// The list.
#[component]
pub(crate) fn VirtualList(props: &VirtualListProps) -> Html {
    let (viewport, spacer, content) = (use_node_ref(), use_node_ref(), use_node_ref());
    let position = use_mut_ref(Position::default);
    let made = use_state_eq(Made::default);
    let track = Track { rows: props.rows, row: f64::from(props.row_height), viewport: 0.0 };

    // What follows from where the browser has scrolled to.
    let settle = {
        let (viewport, position, made) = (viewport.clone(), position.clone(), made.setter());
        use_callback(track, move |reveal: Option<u64>, track| {
            let Some(viewport) = Viewport::of(&viewport) else { return };
            let track = Track { viewport: viewport.height(), ..*track };
            let mut at = position.borrow_mut();
            *at = track.follow(*at, viewport.scroll());
            if let Some(row) = reveal {
                *at = track.reveal(*at, row);
            }
            if (at.scroll - viewport.scroll()).abs() >= 1.0 {
                viewport.set_scroll(at.scroll);
                at.scroll = viewport.scroll();
            }
            made.set(rows_near(&track, *at));
        })
    };

    use_effect_with((track, settle.clone()), {
        let spacer = spacer.clone();
        move |(track, settle)| {
            set_height(&spacer, track.height());
            settle.emit(None);
        }
    });
    use_effect_with((props.active, props.reveals), {
        let settle = settle.clone();
        move |(active, _)| settle.emit(*active)
    });
    use_effect_with((viewport.clone(), settle.clone()), |(viewport, settle)| {
        let settle = settle.clone();
        let watch = Watch::size(viewport, move || settle.emit(None));
        move || drop(watch)
    });
    use_effect_with(*made, {
        let content = content.clone();
        move |made| set_offset(&content, made.offset)
    });
    use_effect_with((made.first, made.end, props.on_seen.clone()), |(first, end, on_seen)| {
        if first < end {
            on_seen.emit((*first, *end));
        }
    });

    let page = {
        let viewport = viewport.clone();
        move || {
            Viewport::of(&viewport)
                .map_or(1, |viewport| Track { viewport: viewport.height(), ..track }.rows_seen())
        }
    };
    let onkeydown = {
        let (active, rows, choose) = (props.active, props.rows, props.on_choose.clone());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(chosen) = moved(&event.key(), active, rows, &page) {
                event.prevent_default();
                choose.emit(chosen);
            }
        })
    };
    let active_id =
        props.active.filter(|row| (made.first..made.end).contains(row)).map(|row| row_id(props.id, row));
    html! {
        <div
            ref={viewport}
            class="virtual-list"
            role="listbox"
            tabindex="0"
            aria-label={&props.label}
            aria-activedescendant={active_id}
            data-testid={&props.testid}
            onscroll={settle.reform(|_: Event| None)}
            {onkeydown}
        >
            <div ref={spacer} class="virtual-spacer" role="presentation">
                <div ref={content} class="virtual-rows" role="presentation">
                    for row in made.first..made.end.min(props.rows) {
                        { props.render.emit(row) }
                    }
                </div>
            </div>
        </div>
    }
}

/// The rows in sight and a run or two on either side.
fn rows_near(track: &Track, at: Position) -> Made {
    let top = track.first_row(at);
    let first = (top / RUN).saturating_sub(1) * RUN;
    let end = ((top + track.rows_seen()) / RUN + 2).saturating_mul(RUN).min(track.rows);
    Made { first, end, offset: track.place(at, first) }
}

/// What a key chooses.
fn moved(key: &str, active: Option<u64>, rows: u64, page: &impl Fn() -> u64) -> Option<(u64, bool)> {
    let last = rows.checked_sub(1)?;
    let step = || page().saturating_sub(3).max(1);
    let row = match (key, active) {
        ("Home", _) | ("ArrowDown" | "PageDown", None) => 0,
        ("End", _) => last,
        ("ArrowDown", Some(row)) => (row + 1).min(last),
        ("ArrowUp", Some(row)) => row.saturating_sub(1),
        ("PageDown", Some(row)) => row.saturating_add(step()).min(last),
        ("PageUp", Some(row)) => row.saturating_sub(step()),
        ("Enter", Some(row)) => return Some((row, true)),
        _ => return None,
    };
    Some((row, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_the_list() {
        let page = || 13;
        assert_eq!(moved("ArrowDown", None, 5, &page), Some((0, false)));
        assert_eq!(moved("ArrowDown", Some(4), 5, &page), Some((4, false)));
        assert_eq!(moved("ArrowUp", Some(0), 5, &page), Some((0, false)));
        assert_eq!(moved("PageDown", Some(2), 100, &page), Some((12, false)));
        assert_eq!(moved("End", Some(2), 100, &page), Some((99, false)));
        assert_eq!(moved("Enter", Some(2), 100, &page), Some((2, true)));
        assert_eq!(moved("Enter", None, 100, &page), None);
        assert_eq!(moved("ArrowDown", None, 0, &page), None);
    }

    #[test]
    fn the_rows_made_cover_what_is_seen() {
        let track = Track { rows: 1_000, row: 28.0, viewport: 600.0 };
        let at = Position { scroll: 5_000.0, content: 5_000.0 };
        let made = rows_near(&track, at);
        assert!(made.first <= 178 && made.end >= 178 + 23);
        assert!(made.end - made.first < 60, "and not much more");
    }
}
