//! What lies over everything: the sign that a drop will be taken, why the last one was not, and that a newer version
//! of the page is there.

use yew::prelude::*;

use super::icon::Icon;
use crate::state::number::counted;
use crate::state::{Action, Newer, State};

/// The overlay; mostly nothing. `refused` is why something was not taken, where no other place says it.
pub(crate) fn overlay(state: &State, refused: Option<&AttrValue>, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <div class="notices">
                if let Some(why) = refused {
                    <div class="notice" role="alert">
                        { Icon::Warning.draw() }
                        <span>{ why }</span>
                        { put_away(dispatch.reform(|_| Action::Noted)) }
                    </div>
                }
                if let Some(found) = state.gathering {
                    <p class="notice" data-testid="gathering">
                        <span>{ format!("Reading the folder: {} so far.", counted(found.into(), "file")) }</span>
                    </p>
                }
                if state.newer == Newer::Offered {
                    <div class="notice news" role="status" data-testid="update">
                        <span>{ "A new version is there. Reloading puts away what is open." }</span>
                        <button type="button" data-testid="update-now" onclick={dispatch.reform(|_| Action::Update)}>
                            { "Reload" }
                        </button>
                        { put_away(dispatch.reform(|_| Action::PutOffUpdate)) }
                    </div>
                }
            </div>
            if state.dragging {
                <div class="drop-overlay" data-testid="drop-overlay" aria-hidden="true">
                    <div>{ Icon::Drop.draw() }<strong>{ "Drop to check" }</strong></div>
                </div>
            }
        </>
    }
}

fn put_away(onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button type="button" class="quiet" aria-label="Put this notice away" {onclick}>{ Icon::Cross.draw() }</button>
    }
}
