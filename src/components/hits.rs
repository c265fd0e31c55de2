//! The list of the records that the filter keeps.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::view::Hit;
use yew::prelude::*;

use super::list_toolbar::go_on;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::grouped;
use crate::state::{Action, Lookup, PreviewAction, Search, SearchPhase};

/// Height of a row in CSS pixels; `.hit` in the styles has the same.
const ROW: u32 = 54;

/// The prefix of the ids of rows.
const LIST: &str = "hits";

#[derive(Properties, PartialEq)]
pub(crate) struct HitsPaneProps {
    pub(crate) search: Rc<Search>,
    pub(crate) dispatch: Callback<Action>,
}

/// What was found, and the list.
#[component]
pub(crate) fn HitsPane(props: &HitsPaneProps) -> Html {
    let HitsPaneProps { search, dispatch } = props;
    let render = use_callback((Rc::clone(search), dispatch.clone()), |row: u64, (search, dispatch)| {
        let onclick = dispatch.reform(move |_| PreviewAction::SelectHit { number: row, open: true }.into());
        hit_row(row, search, onclick)
    });
    let select = use_callback(dispatch.clone(), |(number, open): (u64, bool), dispatch| {
        dispatch.emit(PreviewAction::SelectHit { number, open }.into());
    });
    let on_visible = use_callback(dispatch.clone(), |items, dispatch| {
        dispatch.emit(PreviewAction::HitsVisible(items).into());
    });
    let failed = matches!(search.phase, SearchPhase::Failed(_));
    html! {
        <>
            <div class="list-toolbar">
                <p class={classes!("list-note", failed.then_some("failed"))} role="status" data-testid="search-status">
                    { search.status() }
                </p>
                if search.hits.total() > 0 {
                    { go_on("match", "", dispatch) }
                }
            </div>
            if search.hits.total() > 0 {
                <VirtualList
                    key={search.id.to_string()}
                    id={LIST}
                    label="Records that match"
                    testid="hit-list"
                    rows={search.hits.total()}
                    row_height={ROW}
                    active={search.selected}
                    {render}
                    {on_visible}
                    on_select={select}
                />
            }
        </>
    }
}

fn hit_row(row: u64, search: &Search, onclick: Callback<MouseEvent>) -> Html {
    let hit = search.hits.get(row + 1);
    html! {
        <div
            key={row.to_string()}
            id={row_id(LIST, row)}
            class="row hit"
            role="option"
            aria-selected={(search.selected == Some(row)).to_string()}
            aria-posinset={(row + 1).to_string()}
            aria-setsize={search.hits.total().to_string()}
            data-testid="hit"
            data-line={hit.loaded().map(|hit| hit.line.to_string())}
            {onclick}
        >
            {
                match hit {
                    Lookup::Loaded(hit) => content(hit),
                    Lookup::Loading => html! { <span class="message waiting" /> },
                    Lookup::Failed => {
                        html! { <span class="message muted">{ "This record can no longer be read." }</span> }
                    }
                }
            }
        </div>
    }
}

fn content(hit: &Hit) -> Html {
    let excerpt = &hit.excerpt;
    let part = |range: Range<usize>| text::inline(excerpt.text.get(range).unwrap_or_default());
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
