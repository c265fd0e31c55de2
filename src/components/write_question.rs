//! Asks before files on disk are replaced by fixed ones.

use yew::prelude::*;

use super::dialog::Dialog;
use super::text;
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Batch, BatchAction, FolderAccess};

/// The maximum number of listed files.
const MOST_LISTED: usize = 100;

/// The dialog with the question.
pub(crate) fn write_question(batch: &Batch, dispatch: &Callback<Action>) -> Html {
    let shown = batch.folder == FolderAccess::Asking;
    html! {
        <Dialog
            {shown}
            title_id="write-title"
            test_id="write-question"
            on_close={dispatch.reform(|_| BatchAction::AskToWrite(false).into())}
        >
            if shown {
                { content(batch, dispatch) }
            }
        </Dialog>
    }
}

fn content(batch: &Batch, dispatch: &Callback<Action>) -> Html {
    let files = batch.files_to_write();
    let all = counted(files.len() as u64, "file");
    let more = files.len().saturating_sub(MOST_LISTED) as u64;
    let listed = files.iter().take(MOST_LISTED).filter_map(|index| batch.files.get(*index));
    html! {
        <>
            <h2 id="write-title">{ format!("Write {all} into the folder?") }</h2>
            <p>{ "The fixed files replace these on disk. The page keeps the originals, and Undo restores them until it is closed." }</p>
            <ul class="question-files" tabindex="0" aria-label="Files to write">
                { for listed.map(|file| html! { <li class="path">{ text::inline(&file.dataset.path) }</li> }) }
                if more > 0 {
                    <li>{ format!("and {} more", grouped(more)) }</li>
                }
            </ul>
            <div class="buttons">
                <button type="button" class="primary change" data-testid="write-files" onclick={dispatch.reform(|_| BatchAction::Write.into())}>
                    { format!("Write {all}") }
                </button>
                <button type="button" autofocus=true data-testid="write-nothing" onclick={dispatch.reform(|_| BatchAction::AskToWrite(false).into())}>
                    { "Cancel" }
                </button>
            </div>
        </>
    }
}
