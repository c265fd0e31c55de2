//! The progress of a check.

use yew::prelude::*;

use super::text;
use crate::display::format_number::{bytes, counted, percent, speed};
use crate::state::{Action, Check, Phase};

/// A progress bar, numbers and the Cancel button.
pub(super) fn progress_panel(check: &Check, dispatch: &Callback<Action>) -> Html {
    let progress = &check.progress;
    let (waiting, stopping) = (check.phase == Phase::Waiting, check.phase == Phase::Stopping);
    let done = if waiting { 0 } else { percent(progress.bytes, progress.total_bytes) };
    let title = match (waiting, stopping) {
        (_, true) => "Cancelling",
        (true, _) => "Loading the engine to check",
        _ => "Checking",
    };
    html! {
        <section class="panel progress-panel" data-testid="progress" aria-label="Progress">
            <div class="panel-head">
                <h1 tabindex="-1">{ title }{ " " }<span class="file-name">{ text::inline(&check.dataset.name) }</span></h1>
                <button
                    type="button"
                    data-testid="cancel"
                    disabled={stopping}
                    onclick={dispatch.reform(|_| Action::Cancel)}
                >
                    { "Cancel" }
                </button>
            </div>
            <progress max="100" value={done.to_string()} aria-label="Checked">{ format!("{done}%") }</progress>
            <ul class="facts">
                <li><strong>{ format!("{done}%") }</strong></li>
                <li>{ format!("{} of {}", bytes(progress.bytes), bytes(progress.total_bytes)) }</li>
                <li>{ counted(progress.records, "record") }</li>
                if let Some(speed) = speed(progress.bytes, check.elapsed_ms) {
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
