//! The lines of the file.

use std::rc::Rc;

use evalcheck_wire::report::Severity;
use yew::prelude::*;

use super::icon::Icon;
use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::platform;
use crate::state::number::grouped;
use crate::state::{Action, Direction, LineCache, Lookup};

/// Height of a row in CSS pixels; `.line` in the styles has the same.
const ROW: u32 = 28;

/// What the list is called in ids.
const LIST: &str = "lines";

#[derive(Properties, PartialEq)]
pub(crate) struct LinesPaneProps {
    pub(crate) lines: Rc<LineCache>,
    /// The line that is looked at.
    pub(crate) chosen: Option<u64>,
    pub(crate) reveals: u32,
    pub(crate) dispatch: Callback<Action>,
}

/// A way to a line, and the list.
#[component]
pub(crate) fn LinesPane(props: &LinesPaneProps) -> Html {
    let LinesPaneProps { lines, chosen, reveals, dispatch } = props;

    let render =
        use_callback((Rc::clone(lines), *chosen, dispatch.clone()), |row: u64, (lines, chosen, dispatch)| {
            let number = row + 1;
            let onclick = dispatch.reform(move |_| Action::SelectLine { line: number, open: true });
            line_row(number, lines.get(number), *chosen == Some(number), onclick)
        });
    let choose = dispatch.reform(|(row, open): (u64, bool)| Action::SelectLine { line: row + 1, open });
    let on_seen = use_callback(dispatch.clone(), |(first, end): (u64, u64), dispatch| {
        dispatch.emit(Action::LinesSeen(first + 1..=end.max(first + 1)));
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
                active={chosen.map(|line| line - 1)}
                reveals={*reveals}
                {render}
                {on_seen}
                on_choose={choose}
            />
        </>
    }
}

fn line_row(number: u64, line: Lookup<'_>, selected: bool, onclick: Callback<MouseEvent>) -> Html {
    let severity = match line {
        Lookup::Here(line) => line.severity,
        Lookup::Coming | Lookup::Failed => None,
    };
    html! {
        <div
            key={number.to_string()}
            id={row_id(LIST, number - 1)}
            class={classes!("row", "line", severity.map(Severity::as_str))}
            role="option"
            aria-selected={selected.to_string()}
            data-testid="line"
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

/// The text of a line, or what stands in its place.
pub(super) fn line_text(line: Lookup<'_>) -> Html {
    match line {
        Lookup::Here(line) if line.blank => html! { <span class="line-text muted">{ "blank" }</span> },
        Lookup::Here(line) => html! {
            <span class="line-text">
                { text::inline(&line.text) }
                if line.clipped {
                    <span class="muted">{ "…" }</span>
                }
            </span>
        },
        Lookup::Coming => html! { <span class="line-text waiting" /> },
        Lookup::Failed => {
            html! { <span class="line-text muted">{ "This line cannot be read any more." }</span> }
        }
    }
}

#[derive(Properties, PartialEq)]
struct LineToolbarProps {
    total: u64,
    dispatch: Callback<Action>,
}

/// To a line by its number, and from one failing line to the next.
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
                dispatch.emit(Action::GoToLine(line));
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
                title="Previous failing line"
                aria-label="Previous failing line"
                data-testid="previous-failing"
                onclick={dispatch.reform(|_| Action::GoToFailing(Direction::Previous))}
            >
                { Icon::Up.draw() }
            </button>
            <button
                type="button"
                title="Next failing line"
                aria-label="Next failing line"
                data-testid="next-failing"
                onclick={dispatch.reform(|_| Action::GoToFailing(Direction::Next))}
            >
                { Icon::Down.draw() }
            </button>
        </form>
    }
}
