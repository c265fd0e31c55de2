//! Asks before work is lost.

use yew::prelude::*;

use super::dialog::Dialog;
use super::text;
use crate::state::{Action, CompareAction, LossQuestion, State, Unsaved};

/// The question about unsaved work, if there is one.
pub(crate) fn question_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let question = state.question.as_ref();
    html! {
        <Dialog
            shown={question.is_some()}
            title_id="question-title"
            test_id="question"
            on_close={dispatch.reform(|_| Action::Answer(false))}
        >
            { question.map(|question| content(state, question, dispatch)) }
        </Dialog>
    }
}

fn content(state: &State, question: &LossQuestion, dispatch: &Callback<Action>) -> Html {
    let opens = question.opens().filter(|_| question.unsaved == Unsaved::Fixes);
    let (title, text, keep) = match (question.unsaved, &opens) {
        (Unsaved::Fixes, Some(opens)) => {
            ("Discard the fixes?", format!("{} {opens}", state.unsaved_in_words()), "Stay")
        }
        (Unsaved::Fixes, None) => ("Discard the fixes?", state.unsaved_in_words(), "Keep the fixes"),
        (Unsaved::Text, _) => (
            "Discard the text?",
            "The text that you typed was not applied to the dataset.".to_owned(),
            "Keep the text",
        ),
    };
    let saves = state.can_save_first();
    html! {
        <>
            <h2 id="question-title">{ title }</h2>
            <p>{ text::inline(&text) }</p>
            <div class="buttons">
                if saves {
                    <button type="button" class="primary" data-testid="save-first" onclick={dispatch.reform(|_| Action::SaveFirst)}>
                        { "Download, then open" }
                    </button>
                }
                if state.can_compare_dropped() {
                    <button type="button" data-testid="compare-dropped" onclick={dispatch.reform(|_| CompareAction::WithDropped.into())}>
                        { "Compare" }
                    </button>
                }
                <button type="button" data-testid="discard" onclick={dispatch.reform(|_| Action::Answer(true))}>
                    { if opens.is_some() { "Open" } else { "Discard" } }
                </button>
                <button
                    type="button"
                    class={(!saves).then_some("primary")}
                    autofocus=true
                    data-testid="keep"
                    onclick={dispatch.reform(|_| Action::Answer(false))}
                >
                    { keep }
                </button>
            </div>
        </>
    }
}
