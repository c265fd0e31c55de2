//! The list of completions below a field.

use yew::prelude::*;

use super::text;

/// The option that an arrow key chooses in a list up to `last`. `None` is above the first.
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

/// An option of the list with this id: the text to insert, and its meaning.
pub(super) fn option(
    list: &str,
    at: usize,
    (written, help): (&str, &str),
    is_chosen: bool,
    choose: &Callback<usize>,
) -> Html {
    // A press must not take the focus from the field, which would close the list.
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
