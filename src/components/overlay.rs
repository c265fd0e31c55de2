//! What lies over everything: the sign that a drop will be taken, and why the last one was not.

use yew::prelude::*;

use super::icon::Icon;
use crate::state::Action;
use crate::state::number::counted;

/// The overlay; mostly nothing. `gathering` counts the files found so far in a folder that is being read.
pub(crate) fn overlay(
    dragging: bool,
    refused: Option<&AttrValue>,
    gathering: Option<u32>,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <>
            if let Some(why) = refused {
                <div class="notice floating" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ why }</span>
                    <button
                        type="button"
                        class="quiet"
                        aria-label="Put this notice away"
                        onclick={dispatch.reform(|_| Action::Noted)}
                    >
                        { Icon::Cross.draw() }
                    </button>
                </div>
            }
            if let Some(found) = gathering {
                <p class="notice floating" data-testid="gathering">
                    <span>{ format!("Reading the folder: {} so far.", counted(found.into(), "file")) }</span>
                </p>
            }
            if dragging {
                <div class="drop-overlay" data-testid="drop-overlay" aria-hidden="true">
                    <div>{ Icon::Drop.draw() }<strong>{ "Drop to check" }</strong></div>
                </div>
            }
        </>
    }
}
