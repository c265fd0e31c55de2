//! The divider between lists and details.

use yew::prelude::*;

use crate::platform;
use crate::state::{Action, Split};

/// Percent of the width by which an arrow key moves it.
const STEP: u8 = 5;

/// The divider. It can be dragged, or moved with arrow keys.
pub(super) fn divider(split: Split, dispatch: &Callback<Action>) -> Html {
    let (least, most) = Split::RANGE;
    let percent = split.list_percent();
    let onpointerdown = Callback::from(|event: PointerEvent| platform::capture_pointer(&event));
    let onpointermove = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(percent) = platform::dragged_to(&event) {
                dispatch.emit(Action::SetSplit(Split::of_list(percent)));
            }
        })
    };
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowLeft" => percent.saturating_sub(STEP),
                "ArrowRight" => percent.saturating_add(STEP),
                "Home" => least,
                "End" => most,
                _ => return,
            };
            event.prevent_default();
            dispatch.emit(Action::SetSplit(Split::of_list(to)));
        })
    };
    html! {
        <div
            class="divider"
            role="separator"
            tabindex="0"
            aria-orientation="vertical"
            aria-label="Width of the list"
            aria-valuenow={percent.to_string()}
            aria-valuemin={least.to_string()}
            aria-valuemax={most.to_string()}
            data-testid="divider"
            {onpointerdown}
            {onpointermove}
            {onkeydown}
        />
    }
}
