//! The bar while a check runs.

use yew::prelude::*;

use super::bar::Bar;
use crate::display::format_number::{bytes, counted, percent, speed};
use crate::state::{Action, Check, Loaded, Phase};

/// The name of the file, the progress, and the Cancel button.
pub(crate) fn progress_bar(check: &Check, loaded: Loaded, dispatch: &Callback<Action>) -> Html {
    let progress = &check.progress;
    let stopping = check.phase == Phase::Stopping;
    let (title, done, facts) = if check.phase == Phase::Waiting {
        loading(loaded, &check.dataset.name, check.dataset.size)
    } else {
        let title = if stopping { "Cancelling" } else { "Checking" };
        let done = percent(progress.bytes, progress.total_bytes);
        let facts = html! {
            <>
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
            </>
        };
        (format!("{title} {}", check.dataset.name), done, facts)
    };
    let bar = Bar {
        id: "progress",
        verdict: "running",
        tone: "running",
        title,
        facts: html! { <ul class="facts"><li><strong>{ format!("{done}%") }</strong></li>{ facts }</ul> },
        controls: cancel_button("Cancel", stopping, dispatch),
        strip: strip(done),
        ..Bar::default()
    };
    bar.draw(Html::default(), dispatch)
}

/// The title, the percentage and the facts while the engine is loaded to check `what`.
pub(super) fn loading(loaded: Loaded, what: &str, size: u64) -> (String, u8, Html) {
    let verb = if loaded.checker < 100 { "Loading" } else { "Starting" };
    (format!("{verb} the checker for {what}"), loaded.checker, html! { <li>{ bytes(size) }</li> })
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
