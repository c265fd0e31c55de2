//! A diff.

use evalcheck_report::view::Piece;
use yew::prelude::*;

use super::text;

/// The diff of a fix, as pieces; empty for a fix without edits.
pub(crate) fn diff_of(diff: &[Piece]) -> Html {
    if diff.is_empty() {
        return Html::default();
    }
    html! {
        <p class="fix-diff mono" data-testid="fix-diff">
            for piece in diff {
                { match piece {
                    Piece::Kept(kept) => text::source(kept, false),
                    Piece::Removed(removed) => html! { <del>{ text::inline(removed) }</del> },
                    Piece::Added(added) => html! { <ins>{ text::inline(added) }</ins> },
                } }
            }
        </p>
    }
}
