//! The first screen. `index.html` carries its upper half as plain HTML, for the time until this is loaded; the two
//! are to look the same.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::examples::Examples;
use super::format_select::FormatSelect;
use super::icon::Icon;
use super::paste::Paste;
use crate::state::{Action, EngineState};

#[derive(Properties, PartialEq)]
pub(crate) struct StartProps {
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) engine: EngineState,
    pub(crate) format: Option<AttrValue>,
    pub(crate) pasting: bool,
    pub(crate) refused: Option<AttrValue>,
    pub(crate) choose: Callback<()>,
    pub(crate) dispatch: Callback<Action>,
}

/// The ways to hand over a dataset.
#[component]
pub(crate) fn Start(props: &StartProps) -> Html {
    let dispatch = &props.dispatch;
    html! {
        <main class="start">
            <h1>{ "Will it load?" }</h1>
            <p class="lead">
                { "Drop an evaluation dataset and see at once whether the system it is meant for will take it, every line that fails, why, and how to mend it." }
            </p>
            <section class="drop-zone" data-testid="drop-zone" aria-label="Dataset to check">
                if props.pasting {
                    <Paste {dispatch} />
                } else {
                    <span class="drop-mark">{ Icon::Drop.draw() }</span>
                    <p class="drop-words">{ "Drop a file anywhere on this page" }</p>
                    <p class="muted">{ "JSONL or ZIP, of any size" }</p>
                    <div class="buttons">
                        <button
                            type="button"
                            class="primary"
                            data-testid="choose-file"
                            onclick={props.choose.reform(|_| ())}
                        >
                            { "Choose a file" }
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
                <FormatSelect catalogue={&props.catalogue} chosen={&props.format} {dispatch} />
                <p class="privacy">
                    { Icon::Lock.draw() }
                    { "Nothing leaves this browser. The file is read where it lies." }
                </p>
            </div>
            if !props.catalogue.formats.is_empty() {
                <Examples catalogue={&props.catalogue} {dispatch} />
            }
        </main>
    }
}
