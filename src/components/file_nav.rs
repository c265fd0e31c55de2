//! Navigation between the files of a batch.

use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Batch};

/// A bar above the verdict of the file with this index.
pub(super) fn file_nav(batch: &Batch, index: usize, dispatch: &Callback<Action>) -> Html {
    let all = batch.files.len();
    // The neighbours in the sorted and filtered list.
    let listed = batch.listed();
    let place = listed.iter().position(|listed| *listed == index);
    let previous = place.and_then(|place| listed.get(place.checked_sub(1)?)).copied();
    let next = listed.get(place.map_or(0, |place| place + 1)).copied();
    let button = |id: &'static str, name: &'static str, icon: Icon, to: Option<usize>| {
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
        <nav class="file-nav" aria-label="Files">
            <button type="button" data-testid="overview-back" onclick={dispatch.reform(|_| Action::ShowOverview)}>
                { Icon::Left.draw() }
                <span>{ format!("All {}", counted(all as u64, "file")) }</span>
            </button>
            <span class="file-position">
                if let Some(place) = place {
                    { format!("{} of {}", grouped(place as u64 + 1), grouped(listed.len() as u64)) }
                }
                if let Some(folder) = batch.files.get(index).map(|file| file.dataset.folder()).filter(|folder| !folder.is_empty()) {
                    <span class="muted">{ " in " }{ text::inline(folder) }</span>
                }
                if waiting > 0 {
                    <span class="muted">{ format!("; {} waiting until you return to the list", counted(waiting, "file")) }</span>
                }
            </span>
            { button("previous-file", "Previous file", Icon::Up, previous) }
            { button("next-file", "Next file", Icon::Down, next) }
        </nav>
    }
}
