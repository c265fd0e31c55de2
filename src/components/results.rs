//! The second screen: progress, then the verdict, then everything that there is to look at.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::Report;
use yew::prelude::*;

use super::crumbs::Crumbs;
use super::icon::Icon;
use super::progress::ProgressPanel;
use super::recognition::NotRecognised;
use super::verdict::VerdictPanel;
use super::workspace::Workspace;
use crate::state::{Action, Batch, Check, EngineState, FormatChoice, Notice, Phase, headline};

#[derive(Properties, PartialEq)]
pub(crate) struct ResultsProps {
    pub(crate) check: Rc<Check>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) engine: EngineState,
    pub(crate) format: Option<FormatChoice>,
    /// The files that it is one of.
    pub(crate) batch: Option<Rc<Batch>>,
    /// What came with it and is not checked.
    pub(crate) left_out: Option<AttrValue>,
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
        <>
            if let (Some(batch), Some(place)) = (&props.batch, check.place) {
                <Crumbs {batch} {place} {dispatch} />
            }
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
                    left_out={props.left_out.clone().filter(|_| check.place.is_none())}
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
            if let Some(report) = check.report().filter(|report| is_unknown(report)) {
                <NotRecognised {report} catalogue={&props.catalogue} {dispatch} />
            } else if is_over || !check.findings.is_empty() {
                <Workspace {check} catalogue={&props.catalogue} {dispatch} />
            }
        </>
    }
}

/// True when no format fits, so that there is nothing to look at but the formats.
fn is_unknown(report: &Report) -> bool {
    report.format.id.is_empty() && !report.format.others.is_empty()
}
