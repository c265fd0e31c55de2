//! Notices over the page: the fix in progress, files that could not be opened, a folder that is being read, a newer version of the page.
//! Also the overlay while files are dragged over the page.

use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::display::format_number::{counted, grouped, percent};
use crate::state::{
    Action, Batch, DiskAction, DropTarget, EngineState, Fixing, Notice, OnDisk, State, UpdateOffer, Watch,
};

/// All notices. The start screen itself shows why files could not be opened.
pub(crate) fn notices(state: &State, has_results: bool, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <div class="notices">
                if let Some(fixing) = &state.fixing {
                    { fixing_notice(fixing, dispatch) }
                } else if let Some(batch) = state.batch.as_ref().filter(|_| state.check.is_none()) {
                    { batch_notice(batch, dispatch) }
                }
                if let Some(why) = state.opening.error.as_ref().filter(|_| has_results) {
                    <div class="notice" role="alert">
                        { Icon::Warning.draw() }
                        <span>{ why }</span>
                        { dismiss_button(dispatch.reform(|_| Action::DismissOpenError)) }
                    </div>
                }
                if state.notices.shown == Some(Notice::Saved) {
                    <p class="notice news" data-testid="saved">
                        <span>{ "Saved as " }<strong class="file-name">{ text::inline(&state.notices.saved) }</strong></span>
                    </p>
                }
                if has_results && state.engine == EngineState::Ready && state.loaded.rest < 100 {
                    <p class="notice" data-testid="loading-rest">
                        <span>{ format!("Lists and details are still loading, {}%.", state.loaded.rest) }</span>
                    </p>
                }
                if let Some(found) = state.opening.files_found {
                    <p class="notice" data-testid="reading-folder">
                        <span>{ format!("Reading: {} so far.", counted(found.into(), "file")) }</span>
                    </p>
                }
                if let Some(check) = state.check.as_ref().filter(|check| has_results && matches!(check.on_disk, OnDisk::Changed(_))) {
                    <div class="notice news" role="status" data-testid="changed-on-disk">
                        <span><strong class="file-name">{ text::inline(&check.dataset.name) }</strong>{ " changed on disk." }</span>
                        <button type="button" data-testid="check-changed" onclick={dispatch.reform(|_| DiskAction::Open.into())}>
                            { "Check again" }
                        </button>
                        <button type="button" data-testid="watch" onclick={dispatch.reform(|_| DiskAction::Watch(Watch::ByItself).into())}>
                            { "Watch" }
                        </button>
                    </div>
                }
                if state.look.update_offer == UpdateOffer::Available {
                    <div class="notice news" role="status" data-testid="update">
                        <span>{ "A new version is available. Reloading closes the current file." }</span>
                        <button
                            type="button"
                            data-testid="update-now"
                            onclick={dispatch.reform(|_| Action::ApplyUpdate)}
                        >
                            { "Reload" }
                        </button>
                        { dismiss_button(dispatch.reform(|_| Action::DismissUpdate)) }
                    </div>
                }
            </div>
            if let Some(target) = state.opening.dragging {
                { drop_overlay(target) }
            }
        </>
    }
}

/// The label for dragged files: what happens when they are dropped.
fn drop_overlay(target: DropTarget) -> Html {
    let (class, label) = match target {
        DropTarget::Page => ("drop-overlay", "Drop to check"),
        DropTarget::Card => ("drop-overlay on-card", "Drop to add the file"),
    };
    html! {
        <div {class} data-testid="drop-overlay" aria-hidden="true">
            <div>{ Icon::Drop.draw() }<strong>{ label }</strong></div>
        </div>
    }
}

/// The progress of a fix. The file stays on the screen.
fn fixing_notice(Fixing { check, task, passes, .. }: &Fixing, dispatch: &Callback<Action>) -> Html {
    let progress = &check.progress;
    let done = percent(progress.bytes, progress.total_bytes);
    task_notice(task.verb(), &check.dataset.name, &format!("{}, {done} %", pass(*passes)), done, dispatch)
}

/// The progress of a task for all files.
fn batch_notice(batch: &Batch, dispatch: &Callback<Action>) -> Html {
    // Waiting files are checked first.
    let Some(run) = batch.run.as_ref().filter(|run| run.now.is_some()) else { return Html::default() };
    let file = run.now.and_then(|now| batch.files.get(now.index));
    let name = file.map_or_else(|| "", |file| &*file.dataset.path);
    let (number, all) = (run.number() as u64, run.all as u64);
    let done = percent(number.saturating_sub(1), all);
    let note = format!(", {} of {}", grouped(number), counted(all, "file"));
    task_notice(run.task.verb(), name, &note, done, dispatch)
}

/// The task, its progress, and a button that cancels it.
fn task_notice(
    verb: &'static str,
    file: &str,
    progress: &str,
    done: u8,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <div class="notice news fixing" data-testid="fixing">
            <span>
                { verb }
                { " " }
                <strong class="file-name">{ text::inline(file) }</strong>
                { progress }
            </span>
            <button type="button" data-testid="cancel" onclick={dispatch.reform(|_| Action::Cancel)}>{ "Cancel" }</button>
            <progress max="100" value={done.to_string()} aria-label="Done" />
        </div>
    }
}

/// Describes the pass over the changed file.
fn pass(passes: u32) -> String {
    match passes {
        0 => String::new(),
        1 => ", checking the result".to_owned(),
        _ => format!(", checking the result of pass {passes}"),
    }
}

/// The error of an engine that could not be started, for all screens.
pub(super) fn engine_error(engine: &EngineState, dispatch: &Callback<Action>) -> Html {
    let EngineState::Failed(why) = engine else { return Html::default() };
    html! {
        <p class="notice" role="alert">
            { Icon::Warning.draw() }
            <span>{ format!("The checking engine could not be started: {why}.") }</span>
            <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
        </p>
    }
}

fn dismiss_button(onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button type="button" class="quiet" aria-label="Dismiss" {onclick}>{ Icon::Cross.draw() }</button>
    }
}
