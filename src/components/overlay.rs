//! What lies over everything: the sign that a drop will be taken, and why the last one was not.

use yew::prelude::*;

use super::icon::Icon;

#[derive(Properties, PartialEq)]
pub(crate) struct OverlayProps {
    pub(crate) dragging: bool,
    pub(crate) refused: Option<AttrValue>,
}

/// The overlay; mostly nothing.
#[component]
pub(crate) fn Overlay(props: &OverlayProps) -> Html {
    html! {
        <>
            if let Some(why) = &props.refused {
                <p class="notice floating" role="alert">{ Icon::Warning.draw() }<span>{ why }</span></p>
            }
            if props.dragging {
                <div class="drop-overlay" data-testid="drop-overlay" aria-hidden="true">
                    <div>{ Icon::Drop.draw() }<strong>{ "Drop to check" }</strong></div>
                </div>
            }
        </>
    }
}
