//! The first screen. `index.html` carries its upper half as plain HTML, for the time until this is loaded; the two
//! are to look the same.

use yew::prelude::*;

use super::examples::examples;
use super::format_select::format_select;
use super::formats;
use super::icon::Icon;
use super::paste::Paste;
use crate::platform::Pick;
use crate::state::{Action, EngineState, State};

/// The ways to hand over a dataset.
pub(crate) fn start(state: &State, choose: &Callback<Pick>, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <h1>{ "Will it load?" }</h1>
            <p class="lead">
                { "Drop an evaluation dataset and see at once whether the system it is meant for will take it, every line that fails, why, and how to mend it." }
            </p>
            <section class="drop-zone" data-testid="drop-zone" aria-label="Dataset to check">
                if state.pasting {
                    <Paste {dispatch} />
                } else {
                    <span class="drop-mark">{ Icon::Drop.draw() }</span>
                    <p class="drop-words">{ "Drop files or a folder anywhere on this page" }</p>
                    <p class="muted">
                        { formats::kinds(&state.catalogue).map_or_else(|| "Of any size".to_owned(), |kinds| format!("{kinds}, of any size")) }
                    </p>
                    <div class="buttons">
                        <button
                            type="button"
                            class="primary"
                            data-testid="choose-file"
                            onclick={choose.reform(|_| Pick::Files)}
                        >
                            { "Choose files" }
                        </button>
                        <button type="button" data-testid="choose-folder" onclick={choose.reform(|_| Pick::Folder)}>
                            { "Choose a folder" }
                        </button>
                        <button type="button" data-testid="paste-open" onclick={dispatch.reform(|_| Action::Paste(true))}>
                            { "Paste text" }
                        </button>
                    </div>
                }
            </section>
            if let Some(why) = &state.refused {
                <p class="notice" role="alert">{ Icon::Warning.draw() }<span>{ why }</span></p>
            }
            if let EngineState::Failed(why) = &state.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            <div class="start-options">
                { format_select(&state.catalogue, state.format.as_ref(), dispatch) }
                <p class="privacy">
                    { Icon::Lock.draw() }
                    { "Nothing leaves this browser. Files are read where they lie." }
                </p>
            </div>
            if let Some(chosen) = &state.format {
                { formats::help(&state.catalogue, &chosen.id, true) }
            }
            if !state.catalogue.formats.is_empty() {
                { examples(&state.catalogue, dispatch) }
            }
        </>
    }
}
