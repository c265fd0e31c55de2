//! The second screen: progress, then the verdict, then everything that there is to look at.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::crumbs::crumbs;
use super::icon::Icon;
use super::progress::progress_panel;
use super::recognition::{is_unknown, not_recognised};
use super::verdict::verdict_panel;
use super::workspace::Workspace;
use crate::state::{Action, Batch, Check, EngineState, FormatChoice, Notice, headline};

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
                { crumbs(batch, place, dispatch) }
            }
            if let EngineState::Failed(why) = &props.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            if let Some(headline) = headline(check, &props.catalogue) {
                {
                    verdict_panel(
                        &headline,
                        check,
                        &props.catalogue,
                        props.format.as_ref(),
                        props.left_out.as_ref().filter(|_| check.place.is_none()),
                        props.notice,
                        dispatch,
                    )
                }
            } else {
                { progress_panel(check, dispatch) }
            }
            if let Some(report) = check.report().filter(|report| is_unknown(report)) {
                { not_recognised(report, &props.catalogue, dispatch) }
            } else if is_over || !check.findings.is_empty() {
                <Workspace {check} catalogue={&props.catalogue} {dispatch} />
            }
        </>
    }
}
