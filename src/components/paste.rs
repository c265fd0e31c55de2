//! The panel for pasted text.

use yew::prelude::*;

use crate::platform;
use crate::state::Action;

#[derive(Properties, PartialEq)]
pub(crate) struct PasteProps {
    pub(crate) dispatch: Callback<Action>,
}

/// A text field and a button.
#[component]
pub(crate) fn Paste(props: &PasteProps) -> Html {
    let field = use_node_ref();
    let empty = use_state_eq(|| true);

    use_effect_with(field.clone(), platform::focus);

    let oninput = {
        let empty = empty.setter();
        Callback::from(move |event: InputEvent| empty.set(platform::value_of(&event).trim().is_empty()))
    };
    let check = {
        let (field, dispatch) = (field.clone(), props.dispatch.clone());
        Callback::from(move |()| {
            let text = platform::text_of(&field);
            if !text.trim().is_empty() {
                dispatch.emit(Action::CheckText(text));
            }
        })
    };
    let onkeydown = {
        let (check, dispatch) = (check.clone(), props.dispatch.clone());
        Callback::from(move |event: KeyboardEvent| {
            if platform::is_submit_key(&event) {
                event.prevent_default();
                check.emit(());
            } else if event.key() == "Escape" {
                dispatch.emit(Action::ShowPastePanel(false));
            }
        })
    };
    html! {
        <div class="paste">
            <label for="paste-text">{ "Lines of a dataset, one JSON object per line" }</label>
            <textarea
                id="paste-text"
                ref={field}
                rows="9"
                spellcheck="false"
                autocomplete="off"
                placeholder={r#"{"input":{"messages":[{"role":"user","content":"…"}]},"usage_output":null}"#}
                data-testid="paste-text"
                {oninput}
                {onkeydown}
            />
            <div class="buttons">
                <button
                    type="button"
                    class="primary"
                    disabled={*empty}
                    data-testid="paste-check"
                    onclick={check.reform(|_| ())}
                >
                    { "Check" }
                </button>
                <button type="button" onclick={props.dispatch.reform(|_| Action::ShowPastePanel(false))}>{ "Back" }</button>
                <span class="muted keys"><kbd>{ "Ctrl" }</kbd>{ " + " }<kbd>{ "Enter" }</kbd></span>
            </div>
        </div>
    }
}
