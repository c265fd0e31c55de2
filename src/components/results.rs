//! The results of one check: progress or verdict, then findings and lines.

use yew::prelude::*;

use super::detection::expected_formats;
use super::file_nav::file_nav;
use super::notices::engine_error;
use super::progress::progress_bar;
use super::verdict::verdict_bar;
use super::workspace::workspace;
use crate::map_frame::MapFrame;
use crate::state::{Action, Check, State, headline, is_unknown};

/// The screen.
pub(crate) fn results(state: &State, check: &Check, frame: &MapFrame, dispatch: &Callback<Action>) -> Html {
    let is_done = !check.is_running();
    html! {
        <>
            if let (Some(batch), Some(index)) = (&state.batch, check.batch_index) {
                { file_nav(batch, index, dispatch) }
            }
            { engine_error(&state.engine, dispatch) }
            if let Some(headline) = headline(check, &state.catalogue) {
                { verdict_bar(state, check, &headline, dispatch) }
            } else {
                { progress_bar(check, state.loaded, dispatch) }
            }
            if let Some(report) = check.report().filter(|report| is_unknown(report)) {
                { expected_formats(report, &state.catalogue, dispatch) }
            } else if is_done || check.all_findings() > 0 {
                { workspace(state, check, frame, dispatch) }
            }
        </>
    }
}
