//! Asks before work is lost.

use yew::prelude::*;

use crate::platform;
use crate::state::{Action, CompareAction, Unsaved};

#[derive(Properties, PartialEq)]
pub(crate) struct QuestionDialogProps {
    /// The work that would be lost; `None` while nothing is asked.
    pub(crate) unsaved: Option<Unsaved>,
    /// A file would be opened that can be compared with the one that is shown.
    pub(crate) can_compare: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// A modal dialog. The element is always there, so that closing it returns the focus to where it was.
#[component]
pub(crate) fn QuestionDialog(props: &QuestionDialogProps) -> Html {
    let QuestionDialogProps { unsaved, can_compare, dispatch } = props;
    let dialog = use_node_ref();
    use_effect_with((dialog.clone(), unsaved.is_some()), |(dialog, asks)| {
        platform::show_dialog(dialog, *asks);
    });
    html! {
        // The browser closes it with Escape.
        <dialog
            ref={dialog}
            class="question"
            aria-labelledby="question-title"
            data-testid="question"
            onclose={dispatch.reform(|_| Action::Answer(false))}
        >
            { unsaved.map(|unsaved| content(unsaved, *can_compare, dispatch)) }
        </dialog>
    }
}

fn content(unsaved: Unsaved, can_compare: bool, dispatch: &Callback<Action>) -> Html {
    let (title, text, keep) = match unsaved {
        Unsaved::Fixes => {
            ("Discard the fixes?", "There are fixes that were not downloaded.", "Keep the fixes")
        }
        Unsaved::Text => {
            ("Discard the text?", "The text that you typed was not applied to the dataset.", "Keep the text")
        }
    };
    html! {
        <>
            <h2 id="question-title">{ title }</h2>
            <p>{ text }</p>
            <div class="buttons">
                <button type="button" class="primary" autofocus=true data-testid="keep" onclick={dispatch.reform(|_| Action::Answer(false))}>
                    { keep }
                </button>
                if can_compare {
                    <button type="button" data-testid="compare-dropped" onclick={dispatch.reform(|_| CompareAction::WithDropped.into())}>
                        { "Compare" }
                    </button>
                }
                <button type="button" data-testid="discard" onclick={dispatch.reform(|_| Action::Answer(true))}>
                    { "Discard" }
                </button>
            </div>
        </>
    }
}
