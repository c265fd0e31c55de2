//! A button that opens a menu of further actions.

use yew::prelude::*;

use super::icon::Icon;
use crate::state::Action;

/// The menu of the bar. [`crate::platform`] closes it when one of its buttons is pressed, on Escape, and when it loses the focus. A button
/// of the class `stays` leaves it open, because the button itself shows the result.
pub(super) fn menu(items: Html) -> Html {
    menu_of("menu", "More actions", Icon::More.draw(), items)
}

/// A menu with another button; `id` is for tests.
pub(super) fn menu_of(id: &'static str, label: &'static str, face: Html, items: Html) -> Html {
    html! {
        <details class="menu" data-testid={id}>
            <summary data-testid={format!("{id}-open")} aria-label={label} title={label}>{ face }</summary>
            // Some browsers give the focus of a pressed button to its container.
            <div class="menu-items" tabindex="-1">{ items }</div>
        </details>
    }
}

/// A button in the menu.
pub(super) fn item(
    id: &'static str,
    class: &'static str,
    label: Html,
    is_disabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button type="button" {class} data-testid={id} disabled={is_disabled} {onclick}>{ label }</button> }
}

/// The button that closes the file.
pub(super) fn start_over(label: &'static str, dispatch: &Callback<Action>) -> Html {
    item("start-over", "", html! { { label } }, false, dispatch.reform(|_| Action::StartOver))
}
