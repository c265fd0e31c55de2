//! Asks before work is lost.

use yew::prelude::*;

use crate::platform;
use crate::state::{Action, CompareAction, Unsaved};

#[derive(Properties, PartialEq)]
pub(crate) struct QuestionDialogProps {
    /// The work that would be lost; `None` if there is no question.
    pub(crate) unsaved: Option<Unsaved>,
    /// Whether the file to open can be compared with the shown one.
    pub(crate) can_compare: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// The question about unsaved work.
#[component]
pub(crate) fn QuestionDialog(props: &QuestionDialogProps) -> Html {
    let QuestionDialogProps { unsaved, can_compare, dispatch } = props;
    html! {
        <Question
            asks={unsaved.is_some()}
            title_id="question-title"
            test_id="question"
            on_close={dispatch.reform(|()| Action::Answer(false))}
        >
            { unsaved.map(|unsaved| content(unsaved, *can_compare, dispatch)) }
        </Question>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct QuestionProps {
    /// Whether the dialog is shown.
    pub(super) asks: bool,
    /// The id of the element with its title.
    pub(super) title_id: &'static str,
    pub(super) test_id: &'static str,
    /// Called when it is closed, by a button or with Escape.
    pub(super) on_close: Callback<()>,
    pub(super) children: Html,
}

/// A modal dialog. The element always exists, so that closing it returns the focus.
#[component]
pub(super) fn Question(props: &QuestionProps) -> Html {
    let QuestionProps { asks, title_id, test_id, on_close, children } = props;
    let dialog = use_node_ref();
    use_effect_with((dialog.clone(), *asks), |(dialog, asks)| {
        platform::show_dialog(dialog, *asks);
    });
    html! {
        // The browser closes it with Escape.
        <dialog
            ref={dialog}
            class="question"
            aria-labelledby={*title_id}
            data-testid={*test_id}
            onclose={on_close.reform(|_| ())}
        >
            { children.clone() }
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
