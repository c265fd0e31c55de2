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
    let is_embedded = state.embed.is_some();
    let preset = state.embed.as_ref().and_then(|embed| embed.format.as_ref());
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
                    <p class="drop-words">
                        { if is_embedded { "Drop files or a folder here" } else { "Drop files or a folder anywhere on this page" } }
                    </p>
                    <p class="muted">{ taken(state) }</p>
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
                    if is_embedded {
                        { "Files stay in this browser. This site is told the result." }
                    } else {
                        { "Nothing leaves this browser. Files are read where they lie." }
                    }
                </p>
            </div>
            if let Some(chosen) = &state.format {
                { formats::help(&state.catalogue, &chosen.id, true) }
            }
            if !state.catalogue.formats.is_empty() {
                { examples(&state.catalogue, preset, dispatch) }
            }
        </>
    }
}

/// What files are taken: those of the chosen format, else those of all.
fn taken(state: &State) -> String {
    let formats = &state.catalogue.formats;
    let chosen = state.format.as_ref().and_then(|chosen| formats::by_id(&state.catalogue, &chosen.id));
    let kinds = formats::kinds(chosen.map_or(formats.as_slice(), std::slice::from_ref));
    let Some(kinds) = kinds else { return "Of any size".to_owned() };
    match chosen {
        Some(format) => [&format.title, ": ", &kinds, ", of any size"].concat(),
        None => [&kinds, ", of any size"].concat(),
    }
}
