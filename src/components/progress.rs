//! How far a check is.

use evalcheck_wire::worker::Progress;
use yew::prelude::*;

use super::text;
use crate::state::Action;
use crate::state::number::{bytes, counted, percent, speed};

#[derive(Properties, PartialEq)]
pub(crate) struct ProgressPanelProps {
    pub(crate) name: AttrValue,
    /// True until the engine is loaded.
    pub(crate) waiting: bool,
    /// True once the person has stopped it.
    pub(crate) stopping: bool,
    pub(crate) progress: Progress,
    pub(crate) elapsed_ms: f64,
    pub(crate) dispatch: Callback<Action>,
}

/// A bar, numbers and a way to stop.
#[component]
pub(crate) fn ProgressPanel(props: &ProgressPanelProps) -> Html {
    let progress = &props.progress;
    let done = if props.waiting { 0 } else { percent(progress.bytes, progress.total_bytes) };
    let words = match (props.waiting, props.stopping) {
        (_, true) => "Stopping",
        (true, _) => "Loading the engine to check",
        _ => "Checking",
    };
    html! {
        <section class="panel progress-panel" data-testid="progress" aria-label="Progress">
            <div class="panel-head">
                <h1>{ words }{ " " }<span class="file-name">{ text::inline(&props.name) }</span></h1>
                <button
                    type="button"
                    data-testid="cancel"
                    disabled={props.stopping}
                    onclick={props.dispatch.reform(|_| Action::Cancel)}
                >
                    { "Cancel" }
                </button>
            </div>
            <progress max="100" value={done.to_string()} aria-label="Checked">{ format!("{done}%") }</progress>
            <ul class="facts">
                <li><strong>{ format!("{done}%") }</strong></li>
                <li>{ format!("{} of {}", bytes(progress.bytes), bytes(progress.total_bytes)) }</li>
                <li>{ counted(progress.records, "record") }</li>
                if let Some(speed) = speed(progress.bytes, props.elapsed_ms) {
                    <li>{ speed }</li>
                }
                if progress.errors > 0 {
                    <li class="error">{ counted(progress.errors, "error") }</li>
                }
                if progress.warnings > 0 {
                    <li class="warning">{ counted(progress.warnings, "warning") }</li>
                }
            </ul>
        </section>
    }
}
