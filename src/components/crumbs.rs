//! From one of several files back to all of them, and on to the next.

use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::state::number::{counted, grouped};
use crate::state::{Action, Batch};

/// A bar above the verdict; `place` is that of the file that is looked at.
pub(super) fn crumbs(batch: &Batch, place: usize, dispatch: &Callback<Action>) -> Html {
    let all = batch.files.len();
    let listed = |at: &usize| batch.lists(*at);
    let before = (0..place).rev().find(listed);
    let after = (place + 1..all).find(listed);
    let step = |id: &'static str, name: &'static str, icon: Icon, to: Option<usize>| {
        html! {
            <button
                type="button"
                title={name}
                aria-label={name}
                data-testid={id}
                disabled={to.is_none()}
                onclick={dispatch.reform(move |_| Action::OpenFile(to.unwrap_or_default()))}
            >
                { icon.draw() }
            </button>
        }
    };
    let waiting = batch.waiting() as u64;
    html! {
        <nav class="crumbs" aria-label="Files">
            <button type="button" data-testid="overview-back" onclick={dispatch.reform(|_| Action::ShowOverview)}>
                { Icon::Left.draw() }
                <span>{ format!("All {}", counted(all as u64, "file")) }</span>
            </button>
            <span class="crumb-place">
                { format!("{} of {}", grouped(place as u64 + 1), grouped(all as u64)) }
                if let Some(folder) = batch.files.get(place).map(|file| file.dataset.folder()).filter(|folder| !folder.is_empty()) {
                    <span class="muted">{ " in " }{ text::inline(folder) }</span>
                }
                if waiting > 0 {
                    <span class="muted">{ format!("; {} more to check when you go back", counted(waiting, "file")) }</span>
                }
            </span>
            { step("previous-file", "Previous file of the list", Icon::Up, before) }
            { step("next-file", "Next file of the list", Icon::Down, after) }
        </nav>
    }
}
