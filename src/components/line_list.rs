//! The list of lines.

use std::rc::Rc;

use evalcheck_wire::report::Severity;
use yew::prelude::*;

use super::icon::Icon;
use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::grouped;
use crate::platform;
use crate::state::{Action, Direction, LineCache, Lookup, PreviewAction};

/// Height of a row in CSS pixels; `.line` in the styles has the same.
const ROW: u32 = 28;

/// The prefix of the ids of rows.
const LIST: &str = "lines";

#[derive(Properties, PartialEq)]
pub(crate) struct LinesPaneProps {
    pub(crate) lines: Rc<LineCache>,
    /// The selected line.
    pub(crate) selected: Option<u64>,
    pub(crate) reveals: u32,
    pub(crate) dispatch: Callback<Action>,
}

/// The toolbar and the list.
#[component]
pub(crate) fn LinesPane(props: &LinesPaneProps) -> Html {
    let LinesPaneProps { lines, selected, reveals, dispatch } = props;

    let render = use_callback(
        (Rc::clone(lines), *selected, dispatch.clone()),
        |row: u64, (lines, selected, dispatch)| {
            let line = row + 1;
            let onclick = dispatch.reform(move |_| PreviewAction::SelectLine { line, open: true }.into());
            line_row(line, lines.total(), lines.get(line), *selected == Some(line), onclick)
        },
    );
    let select =
        dispatch.reform(|(row, open): (u64, bool)| PreviewAction::SelectLine { line: row + 1, open }.into());
    let on_visible = use_callback(dispatch.clone(), |items, dispatch| {
        dispatch.emit(PreviewAction::LinesVisible(items).into());
    });
    html! {
        <>
            <LineToolbar total={lines.total()} {dispatch} />
            <VirtualList
                id={LIST}
                label="Lines"
                testid="line-list"
                rows={lines.total()}
                row_height={ROW}
                active={selected.map(|line| line - 1)}
                reveals={*reveals}
                {render}
                {on_visible}
                on_select={select}
            />
        </>
    }
}

fn line_row(
    number: u64,
    total: u64,
    line: Lookup<'_>,
    selected: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let severity = line.loaded().and_then(|line| line.severity);
    html! {
        <div
            key={number.to_string()}
            id={row_id(LIST, number - 1)}
            class={classes!("row", "line", severity.map(Severity::as_str))}
            role="option"
            aria-selected={selected.to_string()}
            data-testid="line"
            aria-posinset={number.to_string()}
            aria-setsize={total.to_string()}
            data-line={number.to_string()}
            data-severity={severity.map(Severity::as_str)}
            {onclick}
        >
            <span class="line-mark">{ severity.map(severity::mark) }</span>
            <span class="number">{ grouped(number) }</span>
            { line_text(line) }
        </div>
    }
}

/// The text of a line, or a placeholder.
pub(super) fn line_text(line: Lookup<'_>) -> Html {
    match line {
        Lookup::Loaded(line) if line.blank => html! { <span class="line-text muted">{ "blank" }</span> },
        Lookup::Loaded(line) => html! {
            <span class="line-text">
                { text::source(&line.text, false) }
                if line.clipped {
                    <span class="muted">{ "…" }</span>
                }
            </span>
        },
        Lookup::Loading => html! { <span class="line-text waiting" /> },
        Lookup::Failed => {
            html! { <span class="line-text muted">{ "This line can no longer be read." }</span> }
        }
    }
}

#[derive(Properties, PartialEq)]
struct LineToolbarProps {
    total: u64,
    dispatch: Callback<Action>,
}

/// Goes to a line by its number, and to the next or previous line with an error.
#[component]
fn LineToolbar(props: &LineToolbarProps) -> Html {
    let LineToolbarProps { total, dispatch } = props;
    let field = use_node_ref();
    let onsubmit = {
        let (field, dispatch) = (field.clone(), dispatch.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let digits = platform::text_of(&field).replace([',', ' ', '.', '\u{a0}'], "");
            if let Ok(line) = digits.parse() {
                dispatch.emit(PreviewAction::GoToLine(line).into());
            }
        })
    };
    html! {
        <form class="line-toolbar" {onsubmit}>
            <label class="field">
                <span>{ "Go to line" }</span>
                <input
                    ref={field}
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    placeholder={format!("1 to {}", grouped(*total))}
                    data-testid="goto-line"
                />
            </label>
            <button type="submit">{ "Go" }</button>
            <span class="spacer" />
            <button
                type="button"
                title="Previous invalid line"
                aria-label="Previous invalid line"
                data-testid="previous-invalid"
                onclick={dispatch.reform(|_| PreviewAction::GoToInvalidLine(Direction::Previous).into())}
            >
                { Icon::Up.draw() }
            </button>
            <button
                type="button"
                title="Next invalid line"
                aria-label="Next invalid line"
                data-testid="next-invalid"
                onclick={dispatch.reform(|_| PreviewAction::GoToInvalidLine(Direction::Next).into())}
            >
                { Icon::Down.draw() }
            </button>
        </form>
    }
}
