//! The list of lines.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::{Excerpt, Line};
use yew::prelude::*;

use super::file_map::MapFrame;
use super::list_toolbar::ListToolbar;
use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList};
use crate::display::format_number::grouped;
use crate::display::isolate::ends_quoted;
use crate::display::line_row::line_row as parts_of;
use crate::state::{Action, LineCache, Lookup, PreviewAction, Search};

#[derive(Properties, PartialEq)]
pub(crate) struct LinesPaneProps {
    pub(crate) lines: Rc<LineCache>,
    /// The search for the records that match the filter: their lines are marked.
    pub(crate) search: Option<Rc<Search>>,
    /// The selected line.
    pub(crate) selected: Option<u64>,
    pub(crate) reveals: u32,
    pub(crate) frame: MapFrame,
    pub(crate) dispatch: Callback<Action>,
}

/// The toolbar and the list.
#[component]
pub(crate) fn LinesPane(props: &LinesPaneProps) -> Html {
    let LinesPaneProps { lines, search, selected, reveals, frame, dispatch } = props;
    let render = {
        let (lines, search) = (Rc::clone(lines), search.clone());
        Callback::from(move |row: u64| {
            let matches = search.as_ref().and_then(|search| match_of(search, row + 1));
            line_row(row + 1, lines.get(row + 1), matches)
        })
    };
    let on_select =
        dispatch.reform(|(row, open): (u64, bool)| PreviewAction::SelectLine { line: row + 1, open }.into());
    let on_view = {
        let lines = Rc::clone(lines);
        frame.follow(lines.total(), move |line| lines.get(line).loaded().map(|line| line.byte_start))
    };
    html! {
        <>
            <ListToolbar
                total={lines.total()}
                noun="line"
                kind={if search.is_some() { "match" } else { "invalid" }}
                {dispatch}
            />
            if let Some(search) = search {
                <p class="list-note" role="status" data-testid="line-matches">{ search.status_of_lines() }</p>
            }
            <VirtualList
                id="lines"
                label="Lines"
                testid="line-list"
                rows={lines.total()}
                active={selected.and_then(|line| line.checked_sub(1))}
                reveals={*reveals}
                {render}
                on_visible={dispatch.reform(|items| PreviewAction::LinesVisible(items).into())}
                {on_view}
                {on_select}
            />
        </>
    }
}

/// Whether a line belongs to a record that a search has found; `None` if unknown.
fn match_of(search: &Search, line: u64) -> Option<bool> {
    let matches = search.lines.get(line).loaded().copied()?;
    (matches || search.is_done()).then_some(matches)
}

fn line_row(number: u64, line: Lookup<'_>, matches: Option<bool>) -> ListRow {
    let severity = line.loaded().and_then(|line| line.severity);
    let content = html! {
        <>
            <span class="line-mark">{ severity.map(severity::mark) }</span>
            <span class="number">{ grouped(number) }</span>
            if matches == Some(true) {
                <span class="visually-hidden">{ "matches " }</span>
            }
            { line_text(line) }
        </>
    };
    ListRow {
        testid: Some("line"),
        class: classes!("line", matches.map(|matches| if matches { "match" } else { "dimmed" })),
        severity,
        line: Some(number),
        content,
        ..ListRow::default()
    }
}

/// The text of a line, or a placeholder. It begins a little before the first finding.
pub(super) fn line_text(line: Lookup<'_>) -> Html {
    match line {
        Lookup::Loaded(line) if line.blank => html! { <span class="line-text muted">{ "blank" }</span> },
        Lookup::Loaded(line) => row_text(line),
        Lookup::Loading => html! { <span class="line-text waiting" /> },
        Lookup::Failed => {
            html! { <span class="line-text muted">{ "This line can no longer be read." }</span> }
        }
    }
}

fn row_text(line: &Line) -> Html {
    let Excerpt { text, clipped_before, clipped_after, .. } = &line.excerpt;
    let row = parts_of(&line.excerpt, line.shared);
    let mut is_quoted = ends_quoted(&text[..row.begin], false);
    let mut part = |range: Range<usize>| {
        let part = &text[range];
        let shown = text::source(part, is_quoted);
        is_quoted = ends_quoted(part, is_quoted);
        shown
    };
    html! {
        <span class="line-text">
            if row.begin > 0 || *clipped_before {
                <span class="muted">{ "…" }</span>
            }
            if row.begin < row.shared {
                <span class="shared">{ part(row.begin..row.shared) }</span>
            }
            { part(row.begin.max(row.shared)..row.token.start) }
            if !row.token.is_empty() {
                <span class={classes!("line-token", line.severity.map(Severity::as_str))}>{ part(row.token.clone()) }</span>
            }
            { part(row.token.end..text.len()) }
            if *clipped_after {
                <span class="muted">{ "…" }</span>
            }
        </span>
    }
}
