//! Asks before work is lost.

use yew::prelude::*;

use super::dialog::Dialog;
use crate::state::{Action, CompareAction, Unsaved};

/// The question about unsaved work; `None` if there is no question. `can_compare` if the file to open can be compared with the shown one.
pub(crate) fn question_dialog(
    unsaved: Option<Unsaved>,
    can_compare: bool,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <Dialog
            shown={unsaved.is_some()}
            title_id="question-title"
            test_id="question"
            on_close={dispatch.reform(|_| Action::Answer(false))}
        >
            { unsaved.map(|unsaved| content(unsaved, can_compare, dispatch)) }
        </Dialog>
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
