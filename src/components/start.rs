//! The first screen. `index.html` carries its upper half as plain HTML, for the time until this is loaded; the two
//! are to look the same.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::examples::examples;
use super::format_select::format_select;
use super::formats;
use super::icon::Icon;
use super::paste::Paste;
use crate::platform::Pick;
use crate::state::{Action, EngineState, FormatChoice};

#[derive(Properties, PartialEq)]
pub(crate) struct StartProps {
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) engine: EngineState,
    pub(crate) format: Option<FormatChoice>,
    pub(crate) pasting: bool,
    pub(crate) refused: Option<AttrValue>,
    pub(crate) choose: Callback<Pick>,
    pub(crate) dispatch: Callback<Action>,
}

/// The ways to hand over a dataset.
#[component]
pub(crate) fn Start(props: &StartProps) -> Html {
    let dispatch = &props.dispatch;
    html! {
        <>
            <h1>{ "Will it load?" }</h1>
            <p class="lead">
                { "Drop an evaluation dataset and see at once whether the system it is meant for will take it, every line that fails, why, and how to mend it." }
            </p>
            <section class="drop-zone" data-testid="drop-zone" aria-label="Dataset to check">
                if props.pasting {
                    <Paste {dispatch} />
                } else {
                    <span class="drop-mark">{ Icon::Drop.draw() }</span>
                    <p class="drop-words">{ "Drop files or a folder anywhere on this page" }</p>
                    <p class="muted">
                        { formats::kinds(&props.catalogue).map(|kinds| format!("{kinds}, of any size")).unwrap_or_else(|| "Of any size".to_owned()) }
                    </p>
                    <div class="buttons">
                        <button
                            type="button"
                            class="primary"
                            data-testid="choose-file"
                            onclick={props.choose.reform(|_| Pick::Files)}
                        >
                            { "Choose files" }
                        </button>
                        <button type="button" data-testid="choose-folder" onclick={props.choose.reform(|_| Pick::Folder)}>
                            { "Choose a folder" }
                        </button>
                        <button type="button" data-testid="paste-open" onclick={dispatch.reform(|_| Action::Paste(true))}>
                            { "Paste text" }
                        </button>
                    </div>
                }
            </section>
            if let Some(why) = &props.refused {
                <p class="notice" role="alert">{ Icon::Warning.draw() }<span>{ why }</span></p>
            }
            if let EngineState::Failed(why) = &props.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            <div class="start-options">
                { format_select(&props.catalogue, props.format.as_ref(), dispatch) }
                <p class="privacy">
                    { Icon::Lock.draw() }
                    { "Nothing leaves this browser. Files are read where they lie." }
                </p>
            </div>
            if let Some(chosen) = &props.format {
                { formats::help(&props.catalogue, &chosen.id, true) }
            }
            if !props.catalogue.formats.is_empty() {
                { examples(&props.catalogue, dispatch) }
            }
        </>
    }
}
