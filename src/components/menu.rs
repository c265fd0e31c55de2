//! A button that opens a menu of further actions.

use yew::prelude::*;

use super::icon::Icon;
use crate::platform;

/// The buttons that leave the menu open, because they say themselves what became of the press.
const STAYS: &str = ".stays";

#[derive(Properties, PartialEq)]
pub(crate) struct MenuProps {
    /// The buttons.
    pub(crate) children: Html,
}

/// The menu. It closes when a button in it was pressed, with Escape, and when the focus leaves it. Then the focus is on the button
/// that opens it, unless it is elsewhere already.
#[component]
pub(crate) fn Menu(props: &MenuProps) -> Html {
    let menu = use_node_ref();
    let onkeydown = {
        let menu = menu.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && platform::close_menu(&menu) {
                event.prevent_default();
            }
        })
    };
    let onfocusout = {
        let menu = menu.clone();
        Callback::from(move |event: FocusEvent| platform::close_menu_without_focus(&menu, &event))
    };
    let onclick = {
        let menu = menu.clone();
        Callback::from(move |event: MouseEvent| {
            if !platform::is_in(&event, STAYS) {
                platform::close_menu(&menu);
            }
        })
    };
    html! {
        <details class="menu" ref={&menu} data-testid="menu" {onkeydown} {onfocusout}>
            <summary data-testid="menu-open" aria-label="More actions" title="More actions">
                { Icon::More.draw() }
            </summary>
            // Of a press on a button, some browsers give the focus to what is around it.
            <div class="menu-items" tabindex="-1" {onclick}>{ props.children.clone() }</div>
        </details>
    }
}
