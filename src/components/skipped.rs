//! Files and folders that were opened but are not checked.

use yew::prelude::*;

use super::text;
use crate::display::format_number::counted;
use crate::state::Skipped;

/// A sentence, and the list of files that cannot be datasets; `None` if nothing was skipped.
pub(super) fn skipped_note(skipped: &Skipped) -> Option<Html> {
    let sentence = skipped.describe()?;
    let (others, more) = skipped.others();
    Some(html! {
        <>
            <p class="verdict-note" data-testid="skipped">{ text::inline(&sentence) }</p>
            if !others.is_empty() {
                <details class="skipped" data-testid="skipped-files">
                    <summary>{ "Skipped files" }</summary>
                    <p class="muted">{ "Drop a file by itself to check it whatever its name is." }</p>
                    <ul tabindex="0" aria-label="Skipped files">
                        for path in others {
                            <li class="path">{ text::inline(path) }</li>
                        }
                        if more > 0 {
                            <li>{ format!("and {}, which are not listed", counted(more, "other")) }</li>
                        }
                    </ul>
                </details>
            }
        </>
    })
}
