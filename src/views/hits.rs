//! The list of the records that match the filter.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::view::Hit;
use yew::prelude::*;

use super::list_toolbar::go_on;
use super::text;
use super::virtual_list::{ListRow, VirtualList, loaded_or};
use crate::display::format_number::grouped;
use crate::state::{Action, Lookup, PreviewAction, Search, SearchPhase};

#[derive(Properties, PartialEq)]
pub(crate) struct HitsPaneProps {
    pub(crate) search: Rc<Search>,
    pub(crate) dispatch: Callback<Action>,
}

/// The number of matches, and the list.
#[component]
pub(crate) fn HitsPane(props: &HitsPaneProps) -> Html {
    let HitsPaneProps { search, dispatch } = props;
    let render = {
        let search = Rc::clone(search);
        Callback::from(move |row: u64| hit_row(search.hits.get(row + 1)))
    };
    let on_select =
        dispatch.reform(|(number, open): (u64, bool)| PreviewAction::SelectHit { number, open }.into());
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
                    id="hits"
                    label="Records that match"
                    testid="hit-list"
                    rows={search.hits.total()}
                    active={search.selected}
                    {render}
                    on_visible={dispatch.reform(|items| PreviewAction::HitsVisible(items).into())}
                    {on_select}
                />
            }
        </>
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
