//! Tabs. A panel shows the content of the selected tab.

use yew::prelude::*;

use crate::platform;

/// A tab.
pub(super) struct Tab {
    /// The end of its test id, after `tab-`.
    pub(super) id: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// The number beside the name; empty for none.
    pub(super) count: String,
    /// Whether it is shown.
    pub(super) is_shown: bool,
    /// Shows it.
    pub(super) show: Callback<MouseEvent>,
}

/// The tabs. `panel` is the id of the element with the selected content. Arrow keys, Home and End select a tab.
pub(super) fn tab_list(
    label: &'static str,
    panel: &'static str,
    tabs: impl IntoIterator<Item = Tab>,
) -> Html {
    html! {
        <div class="tabs" role="tablist" aria-label={label} onkeydown={Callback::from(|event: KeyboardEvent| platform::move_in_tabs(&event))}>
            for tab in tabs {
                { button(tab, panel) }
            }
        </div>
    }
}

fn button(tab: Tab, panel: &'static str) -> Html {
    let Tab { id, name, count, is_shown, show } = tab;
    html! {
        <button
            key={id}
            type="button"
            role="tab"
            id={format!("tab-{id}")}
            aria-selected={is_shown.to_string()}
            aria-controls={panel}
            tabindex={if is_shown { "0" } else { "-1" }}
            data-testid={format!("tab-{id}")}
            onclick={show}
        >
            { name }
            if !count.is_empty() {
                <span class="pill">{ count }</span>
            }
        </button>
    }
}
