//! The bar while a check runs.

use yew::prelude::*;

use super::bar::Bar;
use crate::display::format_number::{bytes, counted, percent, speed};
use crate::state::{Action, Check, Phase};

/// The name of the file, the progress, and the Cancel button.
pub(crate) fn progress_bar(check: &Check, dispatch: &Callback<Action>) -> Html {
    let progress = &check.progress;
    let (waiting, stopping) = (check.phase == Phase::Waiting, check.phase == Phase::Stopping);
    let done = if waiting { 0 } else { percent(progress.bytes, progress.total_bytes) };
    let title = match (waiting, stopping) {
        (_, true) => "Cancelling",
        (true, _) => "Loading the engine to check",
        _ => "Checking",
    };
    let facts = html! {
        <ul class="facts">
            <li><strong>{ format!("{done}%") }</strong></li>
            <li>{ format!("{} of {}", bytes(progress.bytes), bytes(progress.total_bytes)) }</li>
            <li>{ counted(progress.records, "record") }</li>
            if let Some(speed) = speed(check.read_bytes(), check.elapsed_ms) {
                <li>{ speed }</li>
            }
            if progress.errors > 0 {
                <li class="error">{ counted(progress.errors, "error") }</li>
            }
            if progress.warnings > 0 {
                <li class="warning">{ counted(progress.warnings, "warning") }</li>
            }
        </ul>
    };
    let bar = Bar {
        id: "progress",
        verdict: "running",
        tone: "running",
        title: format!("{title} {}", check.dataset.name),
        facts,
        controls: cancel_button("Cancel", stopping, dispatch),
        strip: strip(done),
        ..Bar::default()
    };
    bar.draw(Html::default(), dispatch)
}

/// The progress of a check.
pub(crate) fn strip(done: u8) -> Html {
    html! { <progress max="100" value={done.to_string()} aria-label="Checked">{ format!("{done}%") }</progress> }
}

/// The button that cancels a check.
pub(crate) fn cancel_button(label: &'static str, is_pressed: bool, dispatch: &Callback<Action>) -> Html {
    html! {
        <button
            type="button"
            data-testid="cancel"
            disabled={is_pressed}
            onclick={dispatch.reform(|_| Action::Cancel)}
        >
            { label }
        </button>
    }
}
