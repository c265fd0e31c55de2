//! Asks before files on disk are replaced by fixed ones.

use std::rc::Rc;

use yew::prelude::*;

use super::text;
use crate::display::format_number::{counted, grouped};
use crate::platform;
use crate::state::{Action, Batch, BatchAction, FolderAccess};

/// The most files that are listed.
const MOST_LISTED: usize = 100;

#[derive(Properties, PartialEq)]
pub(crate) struct WriteQuestionProps {
    pub(crate) batch: Rc<Batch>,
    pub(crate) dispatch: Callback<Action>,
}

/// A modal dialog. The element is always there, so that closing it returns the focus to where it was.
#[component]
pub(crate) fn WriteQuestion(props: &WriteQuestionProps) -> Html {
    let WriteQuestionProps { batch, dispatch } = props;
    let dialog = use_node_ref();
    let is_asking = batch.folder == FolderAccess::Asking;
    use_effect_with((dialog.clone(), is_asking), |(dialog, asks)| {
        platform::show_dialog(dialog, *asks);
    });
    html! {
        // The browser closes it with Escape.
        <dialog
            ref={dialog}
            class="question"
            aria-labelledby="write-title"
            data-testid="write-question"
            onclose={dispatch.reform(|_| BatchAction::AskToWrite(false).into())}
        >
            if is_asking {
                { content(batch, dispatch) }
            }
        </dialog>
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
