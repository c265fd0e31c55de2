//! The second screen: progress, then the verdict, then everything that there is to look at.

use yew::prelude::*;

use super::crumbs::crumbs;
use super::icon::Icon;
use super::progress::progress_panel;
use super::recognition::not_recognised;
use super::verdict::verdict_panel;
use super::workspace::workspace;
use crate::state::{Action, Check, EngineState, State, headline, is_unknown};

/// A check, whatever it has come to.
pub(crate) fn results(state: &State, check: &Check, dispatch: &Callback<Action>) -> Html {
    let is_over = !check.is_running();
    html! {
        <>
            if let (Some(batch), Some(place)) = (&state.batch, check.place) {
                { crumbs(batch, place, dispatch) }
            }
            if let EngineState::Failed(why) = &state.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            if let Some(headline) = headline(check, &state.catalogue) {
                {
                    verdict_panel(
                        &headline,
                        check,
                        &state.catalogue,
                        state.format.as_ref(),
                        state.left_out.as_ref().filter(|_| check.place.is_none()),
                        state.notice,
                        dispatch,
                    )
                }
            } else {
                { progress_panel(check, dispatch) }
            }
            if let Some(report) = check.report().filter(|report| is_unknown(report)) {
                { not_recognised(report, &state.catalogue, dispatch) }
            } else if is_over || !check.findings.is_empty() {
                { workspace(check, &state.catalogue, dispatch) }
            }
        </>
    }
}
