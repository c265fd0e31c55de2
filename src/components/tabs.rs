//! Tabs. A panel shows the content of the selected tab.

use yew::prelude::*;

use crate::display::format_number::grouped;
use crate::platform;
use crate::state::Action;

/// A tab.
pub(super) struct Tab {
    /// The end of its test id, which begins with `tab-`.
    pub(super) id: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// What a number beside the name says; empty for none.
    pub(super) count: String,
    /// True for the one that is shown.
    pub(super) is_shown: bool,
    /// Shows it.
    pub(super) show: Action,
}

impl Tab {
    /// A number beside the name; `None` while it is not known.
    pub(super) fn with_count(self, count: Option<u64>) -> Self {
        Self { count: count.map_or_else(|| "…".to_owned(), grouped), ..self }
    }
}

/// The tabs. `panel` is the id of the element that shows what is selected. Arrow keys, Home and End lead from one to another.
pub(super) fn tab_list(
    label: &'static str,
    panel: &'static str,
    tabs: impl IntoIterator<Item = Tab>,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <div class="tabs" role="tablist" aria-label={label} onkeydown={Callback::from(|event: KeyboardEvent| platform::move_in_tabs(&event))}>
            for tab in tabs {
                { button(tab, panel, dispatch) }
            }
        </div>
    }
}

fn button(tab: Tab, panel: &'static str, dispatch: &Callback<Action>) -> Html {
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
            onclick={dispatch.reform(move |_| show.clone())}
        >
            { name }
            if !count.is_empty() {
                <span class="pill">{ count }</span>
            }
        </button>
    }
}
