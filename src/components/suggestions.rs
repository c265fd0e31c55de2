//! The list of what a text can be completed to, below a field.

use yew::prelude::*;

use super::text;

/// The number that an arrow key leads to in a list up to `last`. None is above the first.
pub(super) fn reached(key: &str, chosen: Option<usize>, last: usize) -> Option<usize> {
    match key {
        "ArrowDown" => Some(chosen.map_or(0, |at| (at + 1).min(last))),
        _ => chosen.and_then(|at| at.checked_sub(1)),
    }
}

/// The id of an option of a list.
pub(super) fn id(list: &str, at: usize) -> String {
    format!("{list}-{at}")
}

/// An option of a list of this id: what would be written, and what it means.
pub(super) fn option(
    list: &str,
    at: usize,
    (written, help): (&str, &str),
    is_chosen: bool,
    choose: &Callback<usize>,
) -> Html {
    // A press would take the focus from the field, which closes the list.
    let onmousedown = choose.reform(move |event: MouseEvent| {
        event.prevent_default();
        at
    });
    html! {
        <li
            key={written.to_owned()}
            id={id(list, at)}
            class="suggestion"
            role="option"
            aria-selected={is_chosen.to_string()}
            data-testid="suggestion"
            {onmousedown}
        >
            <span class="code">{ text::inline(written) }</span>
            <span class="muted">{ text::inline(help) }</span>
        </li>
    }
}
