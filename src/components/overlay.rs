//! What lies over everything: the sign that a drop will be taken, and why the last one was not.

use yew::prelude::*;

use super::icon::Icon;
use crate::state::Action;
use crate::state::number::counted;

#[derive(Properties, PartialEq)]
pub(crate) struct OverlayProps {
    pub(crate) dragging: bool,
    pub(crate) refused: Option<AttrValue>,
    /// Files found so far in a folder that is being read.
    pub(crate) gathering: Option<u32>,
    pub(crate) dispatch: Callback<Action>,
}

/// The overlay; mostly nothing.
#[component]
pub(crate) fn Overlay(props: &OverlayProps) -> Html {
    html! {
        <>
            if let Some(why) = &props.refused {
                <div class="notice floating" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ why }</span>
                    <button
                        type="button"
                        class="quiet"
                        aria-label="Put this notice away"
                        onclick={props.dispatch.reform(|_| Action::Noted)}
                    >
                        { Icon::Cross.draw() }
                    </button>
                </div>
            }
            if let Some(found) = props.gathering {
                <p class="notice floating" data-testid="gathering">
                    <span>{ format!("Reading the folder: {} so far.", counted(found.into(), "file")) }</span>
                </p>
            }
            if props.dragging {
                <div class="drop-overlay" data-testid="drop-overlay" aria-hidden="true">
                    <div>{ Icon::Drop.draw() }<strong>{ "Drop to check" }</strong></div>
                </div>
            }
        </>
    }
}
