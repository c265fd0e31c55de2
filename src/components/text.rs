//! Text from a dataset. It is never markup: Yew escapes it, and characters that would reorder or hide text are shown as
//! their code points.

use yew::prelude::*;

use crate::display::visible_text::{Piece, Whitespace, pieces};

/// An id, a path, a name or a message; line breaks and tabs are escaped.
pub(crate) fn inline(text: &str) -> Html {
    show(text, Whitespace::Escaped)
}

/// A text with line breaks.
pub(crate) fn block(text: &str) -> Html {
    show(text, Whitespace::Kept)
}

/// A text of the catalogue, with code between backticks.
pub(crate) fn with_code(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        if index % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    });
    parts.collect()
}

/// A text under a mark; all whitespace other than the ordinary space is escaped.
pub(crate) fn marked(text: &str) -> Html {
    show(text, Whitespace::AllEscaped)
}

fn show(text: &str, whitespace: Whitespace) -> Html {
    let shown = pieces(text, whitespace).map(|piece| match piece {
        Piece::Plain(plain) => html! { { plain } },
        Piece::Escaped(c) => {
            html! { <span class="escaped" title="Invisible character">{ format!("⟨U+{:04X}⟩", u32::from(c)) }</span> }
        }
    });
    shown.collect()
}
