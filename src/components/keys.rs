//! The list of keyboard shortcuts.

use yew::prelude::*;

use super::dialog::Dialog;
use crate::state::{Action, KeyList, Shortcut};

/// The dialog with all shortcuts.
pub(crate) fn keys_dialog(
    shown: bool,
    shortcuts: impl Iterator<Item = Shortcut>,
    dispatch: &Callback<Action>,
) -> Html {
    let close = dispatch.reform(|_| Action::ShowKeys(KeyList::Hidden));
    html! {
        <Dialog
            {shown}
            class="keys"
            title_id="keys-title"
            test_id="keys"
            on_close={dispatch.reform(|_| Action::ShowKeys(KeyList::Hidden))}
        >
            if shown {
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
                <p class="muted">{ "Off while you type in a field. On a Mac, Ctrl is also ⌘." }</p>
                <div class="buttons">
                    <button type="button" class="primary" autofocus=true data-testid="close-keys" onclick={close}>
                        { "Close" }
                    </button>
                </div>
            }
        </Dialog>
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
