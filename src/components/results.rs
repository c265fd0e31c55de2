//! The second screen: progress, then the verdict, then everything that there is to look at.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::icon::Icon;
use super::progress::ProgressPanel;
use super::verdict::VerdictPanel;
use super::workspace::Workspace;
use crate::state::{Action, Check, EngineState, Notice, Phase, headline};

#[derive(Properties, PartialEq)]
pub(crate) struct ResultsProps {
    pub(crate) check: Rc<Check>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) engine: EngineState,
    pub(crate) format: Option<AttrValue>,
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// A check, whatever it has come to.
#[component]
pub(crate) fn Results(props: &ResultsProps) -> Html {
    let check = &props.check;
    let dispatch = &props.dispatch;
    let is_over = !check.is_running();
    html! {
        <main class="results">
            if let EngineState::Failed(why) = &props.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            if let Some(headline) = headline(check, &props.catalogue) {
                <VerdictPanel
                    headline={Rc::new(headline)}
                    {check}
                    catalogue={&props.catalogue}
                    format={&props.format}
                    notice={props.notice}
                    {dispatch}
                />
            } else {
                <ProgressPanel
                    name={&check.dataset.name}
                    waiting={check.phase == Phase::Waiting}
                    stopping={check.phase == Phase::Stopping}
                    progress={check.progress}
                    elapsed_ms={check.elapsed_ms}
                    {dispatch}
                />
            }
            if is_over || !check.findings.is_empty() {
                <Workspace {check} catalogue={&props.catalogue} {dispatch} />
            }
        </main>
    }
}
