//! The list of keyboard shortcuts.

use yew::prelude::*;

use crate::platform;
use crate::state::{Action, KeyList, Shortcut};

#[derive(Properties, PartialEq)]
pub(crate) struct KeysDialogProps {
    pub(crate) shown: bool,
    /// All shortcuts.
    pub(crate) shortcuts: Vec<Shortcut>,
    pub(crate) dispatch: Callback<Action>,
}

/// A modal dialog. The element always exists, so that closing it returns the focus.
#[component]
pub(crate) fn KeysDialog(props: &KeysDialogProps) -> Html {
    let KeysDialogProps { shown, shortcuts, dispatch } = props;
    let dialog = use_node_ref();
    use_effect_with((dialog.clone(), *shown), |(dialog, shown)| platform::show_dialog(dialog, *shown));
    let close = dispatch.reform(|_| Action::ShowKeys(KeyList::Hidden));
    html! {
        // The browser closes it with Escape.
        <dialog
            ref={dialog}
            class="question keys"
            aria-labelledby="keys-title"
            data-testid="keys"
            onclose={dispatch.reform(|_| Action::ShowKeys(KeyList::Hidden))}
        >
            if *shown {
                <h2 id="keys-title">{ "Keyboard shortcuts" }</h2>
                <dl>
                    for shortcut in shortcuts {
                        <div>
                            <dt>
                                for key in shortcut.keys {
                                    <kbd>{ label(key) }</kbd>
                                }
                            </dt>
                            <dd>{ shortcut.help }</dd>
                        </div>
                    }
                </dl>
                <p class="muted">{ "They do nothing while a field has the focus. On a Mac, Ctrl is also ⌘." }</p>
                <div class="buttons">
                    <button type="button" class="primary" autofocus=true data-testid="close-keys" onclick={close}>
                        { "Close" }
                    </button>
                </div>
            }
        </dialog>
    }
}

/// The label of a key as on a keyboard.
fn label(key: &str) -> String {
    match key.split_once('+') {
        Some((modifier, key)) => format!("{modifier}+{}", key.to_uppercase()),
        None if key == "Escape" => "Esc".to_owned(),
        None => key.to_owned(),
    }
}
