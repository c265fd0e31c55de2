//! The search for records.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::query::keys::{KEYS, Takes};
use evalcheck_wire::view::Hit;
use yew::prelude::*;

use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::grouped;
use crate::platform;
use crate::state::{Action, PreviewAction, Search, SearchPhase};

/// Height of a row in CSS pixels; `.hit` in the styles has the same.
const ROW: u32 = 54;

/// The prefix of the ids of rows.
const LIST: &str = "hits";

/// Terms of a query that have no key of the check or of the format, and what they mean.
const TERMS: [(&str, &str); 5] = [
    ("paris", "A text in any value. Case matters if it has a capital letter; \"quotes\" hold spaces."),
    ("-paris", "Records without it."),
    ("a.*.b:x", "A value of the data by its path; * is any key or index. One key begins with a dot: .id:7"),
    ("has:a.b", "The value exists, and is not null."),
    ("role:(a OR b)", "One of several values. A record has to match all terms."),
];

#[derive(Properties, PartialEq)]
pub(crate) struct SearchPaneProps {
    pub(crate) search: Option<Rc<Search>>,
    /// The catalogue, and the format that has the short names.
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) format: AttrValue,
    pub(crate) dispatch: Callback<Action>,
}

/// The field, what was found, and the list.
#[component]
pub(crate) fn SearchPane(props: &SearchPaneProps) -> Html {
    let SearchPaneProps { search, catalogue, format, dispatch } = props;
    let hits = search.as_ref().map(|search| Rc::clone(&search.hits)).unwrap_or_default();
    let selected = search.as_ref().and_then(|search| search.selected);
    let render = use_callback(
        (Rc::clone(&hits), selected, dispatch.clone()),
        |row: u64, (hits, selected, dispatch)| {
            let Some((index, hit)) = hit_of_row(hits, row) else { return Html::default() };
            let onclick = dispatch.reform(move |_| PreviewAction::SelectHit { index, open: true }.into());
            hit_row(row, hit, *selected == Some(index), onclick)
        },
    );
    let select = use_callback(dispatch.clone(), |(row, open): (u64, bool), dispatch| {
        if let Ok(index) = usize::try_from(row) {
            dispatch.emit(PreviewAction::SelectHit { index, open }.into());
        }
    });
    let failed = search.as_ref().is_some_and(|search| matches!(search.phase, SearchPhase::Failed { .. }));
    html! {
        <>
            <SearchField search={search.clone()} {dispatch} />
            if let Some([before, wrong, after]) = search.as_ref().and_then(|search| search.mistake()) {
                <p class="query-mistake code" data-testid="query-mistake">
                    { text::inline(before) }
                    <mark>{ text::inline(wrong) }</mark>
                    { text::inline(after) }
                </p>
            }
            <p class={classes!("search-status", failed.then_some("failed"))} role="status" data-testid="search-status">
                { search.as_ref().map_or_else(|| "What a query can have:".to_owned(), |search| search.status()) }
            </p>
            if search.is_none() || failed {
                { language(catalogue, format) }
            }
            if !hits.is_empty() {
                <VirtualList
                    key={search.as_ref().map(|search| search.id.to_string()).unwrap_or_default()}
                    id={LIST}
                    label="Records that match"
                    testid="hit-list"
                    rows={hits.len() as u64}
                    row_height={ROW}
                    active={selected.map(|index| index as u64)}
                    {render}
                    on_select={select}
                />
            }
        </>
    }
}

/// What a query can have.
fn language(catalogue: &Catalogue, format: &str) -> Html {
    let names = catalogue.formats.iter().filter(|known| known.id == format).flat_map(|known| &known.names);
    let values = |takes: Takes| match takes {
        Takes::Words(words) => format!(" {}.", words.join(", ")),
        Takes::Number => " 7, >7, <=7 or 7..9.".to_owned(),
        Takes::Text => String::new(),
    };
    let keys =
        KEYS.iter().map(|info| (format!("{}:", info.name), format!("{}{}", info.help, values(info.takes))));
    let names = names.map(|short| (format!("{}:", short.name), short.help.clone()));
    let terms = TERMS.iter().map(|(term, help)| ((*term).to_owned(), (*help).to_owned()));
    html! {
        <dl class="query-language" tabindex="0" aria-label="What a query can have">
            for (term, help) in terms.chain(names).chain(keys) {
                <div>
                    <dt class="code">{ term }</dt>
                    <dd>{ help }</dd>
                </div>
            }
        </dl>
    }
}

#[derive(Properties, PartialEq)]
struct SearchFieldProps {
    search: Option<Rc<Search>>,
    dispatch: Callback<Action>,
}

/// The field for the query. Enter searches, Escape stops.
#[component]
fn SearchField(props: &SearchFieldProps) -> Html {
    let SearchFieldProps { search, dispatch } = props;
    let field = use_node_ref();
    let is_running = search.as_ref().is_some_and(|search| search.phase == SearchPhase::Running);
    let onsubmit = {
        let (field, dispatch) = (field.clone(), dispatch.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            dispatch.emit(PreviewAction::Search(platform::text_of(&field).into()).into());
        })
    };
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                dispatch.emit(PreviewAction::StopSearch.into());
            }
        })
    };
    {
        // The pane was opened to search.
        let field = field.clone();
        use_effect_with((), move |()| platform::focus(&field));
    }
    html! {
        <form class="line-toolbar search" role="search" {onsubmit}>
            <input
                ref={field}
                type="text"
                inputmode="search"
                enterkeyhint="search"
                aria-label="Search records"
                placeholder="Search records"
                autocomplete="off"
                spellcheck="false"
                value={search.as_ref().map(|search| search.query.clone())}
                data-testid="search-field"
                {onkeydown}
            />
            if is_running {
                <button type="button" data-testid="stop-search" onclick={dispatch.reform(|_| PreviewAction::StopSearch.into())}>
                    { "Stop" }
                </button>
            } else {
                <button type="submit" data-testid="search">{ "Search" }</button>
            }
        </form>
    }
}

fn hit_of_row(hits: &[Hit], row: u64) -> Option<(usize, &Hit)> {
    let index = usize::try_from(row).ok()?;
    Some((index, hits.get(index)?))
}

fn hit_row(row: u64, hit: &Hit, selected: bool, onclick: Callback<MouseEvent>) -> Html {
    let excerpt = &hit.excerpt;
    let part = |range: std::ops::Range<usize>| text::inline(excerpt.text.get(range).unwrap_or_default());
    html! {
        <div
            key={row.to_string()}
            id={row_id(LIST, row)}
            class="row hit"
            role="option"
            aria-selected={selected.to_string()}
            data-testid="hit"
            data-line={hit.line.to_string()}
            {onclick}
        >
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
        </div>
    }
}
