//! Modal dialogs.

use yew::prelude::*;

use crate::platform;

#[derive(Properties, PartialEq)]
pub(super) struct DialogProps {
    /// Whether the dialog is shown.
    pub(super) shown: bool,
    #[prop_or_default]
    pub(super) class: Classes,
    /// The id of the element with its title.
    pub(super) title_id: &'static str,
    pub(super) test_id: &'static str,
    /// Called when it is closed, by a button or with Escape.
    pub(super) on_close: Callback<Event>,
    pub(super) children: Html,
}

/// A modal dialog. The element always exists, so that closing it returns the focus.
#[component]
pub(super) fn Dialog(props: &DialogProps) -> Html {
    let DialogProps { shown, class, title_id, test_id, on_close, children } = props;
    let dialog = use_node_ref();
    use_effect_with((dialog.clone(), *shown), |(dialog, shown)| platform::show_dialog(dialog, *shown));
    html! {
        // The browser closes it with Escape.
        <dialog
            ref={dialog}
            class={classes!("question", class.clone())}
            aria-labelledby={*title_id}
            data-testid={*test_id}
            onclose={on_close}
        >
            { children.clone() }
        </dialog>
    }
}
