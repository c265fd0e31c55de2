//! The records that the filter keeps, as far as a search has found them.

use std::ops::Range;

use evalcheck_report::view::Hit;
use yew::prelude::*;

use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::list_toolbar::go_on;
use crate::components::text;
use crate::components::virtual_list::{ListRow, loaded_or};
use crate::display::format_number::grouped;
use crate::state::{Action, Items, Lookup, Search, Shown};

/// The id of the list.
pub(super) const LIST: &str = "hits";

/// The status of the search, and the list.
pub(super) fn draw(shown: &Shown<'_>, search: &Search, cursor: Option<u64>) -> Html {
    let rows = HitRows(shown.preview().answers.items(&search.hits(), search.count()));
    html! {
        <>
            <div class="list-toolbar">
                { status("search-status", search, search.status(), shown.dispatch) }
                if search.count() > 0 {
                    { go_on("match", "", shown.dispatch) }
                }
            </div>
            if search.count() > 0 {
                // A list of another search begins at its top.
                <List key={search.request.to_string()} rows={AnyRows::from(rows)} {cursor} dispatch={shown.dispatch} />
            }
        </>
    }
}

/// The status of a search in words, and a button that searches the file again if the user stopped it.
pub(super) fn status(id: &'static str, search: &Search, words: String, dispatch: &Callback<Action>) -> Html {
    html! {
        <p class={classes!("list-note", search.has_failed().then_some("failed"))} role="status" data-testid={id}>
            { words }
            if search.is_stopped() {
                { " " }
                <button
                    type="button"
                    class="link"
                    data-testid="search-again"
                    onclick={dispatch.reform(|_| Action::of_view(|state, _| state.search_again()))}
                >
                    { "Search the whole file" }
                </button>
            }
        </p>
    }
}

/// The records.
#[derive(Clone, PartialEq)]
struct HitRows(Items<Hit>);

impl Rows for HitRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Records that match", testid: "hit-list" }
    }

    fn total(&self) -> u64 {
        self.0.total()
    }

    fn row(&self, row: u64) -> ListRow {
        hit_row(self.0.get(row))
    }
}

fn hit_row(hit: Lookup<'_, Hit>) -> ListRow {
    ListRow {
        testid: Some("hit"),
        class: classes!("hit"),
        line: hit.loaded().map(|hit| hit.line),
        content: loaded_or(hit, "record", content),
        ..ListRow::default()
    }
}

fn content(hit: &Hit) -> Html {
    let excerpt = &hit.excerpt;
    let part = |range: Range<usize>| text::line(excerpt.text.get(range).unwrap_or_default());
    html! {
        <>
            <span class="finding-place">
                <span class="place">{ format!("line {}: ", grouped(hit.line)) }</span>
                if let Some(path) = &hit.path {
                    <span class="path">{ text::path(path) }</span>
                }
            </span>
            <span class="message" dir="auto">
                if excerpt.clipped_before { { "…" } }
                { part(0..excerpt.start) }
                if excerpt.start < excerpt.end {
                    <mark>{ part(excerpt.start..excerpt.end) }</mark>
                }
                { part(excerpt.end..excerpt.text.len()) }
                if excerpt.clipped_after { { "…" } }
            </span>
        </>
    }
}
