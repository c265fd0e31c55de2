//! Text that comes from a dataset. It is only ever text: Yew escapes it, and characters that would rearrange or hide
//! it are shown by their code point.

use yew::prelude::*;

use crate::state::{Piece, Whitespace, pieces};

/// An id, a path, a name or a message: everything unusual is shown.
pub(crate) fn inline(text: &str) -> Html {
    show(text, Whitespace::Escaped)
}

/// A text with its line breaks.
pub(crate) fn block(text: &str) -> Html {
    show(text, Whitespace::Kept)
}

/// Words of the catalogue, in which code stands between backticks.
pub(crate) fn prose(words: &str) -> Html {
    let parts = words.split('`').enumerate().map(|(at, part)| {
        if at % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    });
    parts.collect()
}

/// A text under a mark: blanks that look like another one are shown as well.
pub(crate) fn marked(text: &str) -> Html {
    show(text, Whitespace::Told)
}

fn show(text: &str, whitespace: Whitespace) -> Html {
    let shown = pieces(text, whitespace).map(|piece| match piece {
        Piece::Plain(plain) => html! { { plain } },
        Piece::Escaped(c) => {
            html! { <span class="escaped" title="A character that is not seen">{ format!("⟨U+{:04X}⟩", u32::from(c)) }</span> }
        }
    });
    shown.collect()
}
