//! The status of a search above a list.

use yew::prelude::*;

use crate::state::{Action, Search};

/// The status of a search in words, and a button that searches the file again if the user stopped it.
pub(crate) fn draw(
    testid: &'static str,
    search: &Search,
    words: String,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <p class={classes!("list-note", search.has_failed().then_some("failed"))} role="status" data-testid={testid}>
            { words }
            if search.is_stopped() {
                { " " }
                <button
                    type="button"
                    class="link"
                    data-testid="search-again"
                    onclick={dispatch.reform(|_| Action::of_view(|state, _| state.search_again()))}
                >
                    { "Search the whole file" }
                </button>
            }
        </p>
    }
}
