//! Text from a dataset. It is never markup: Yew escapes it, and characters that would reorder or hide text are shown as
//! their code points.

use yew::prelude::*;

use crate::display::visible_text::{Piece, STAND_IN, Whitespace, pieces};

/// Characters of a path that are shown.
const MAX_PATH: usize = 1_000;

/// An id, a path, a name or a message; line breaks and tabs are escaped.
pub(crate) fn inline(text: &str) -> Html {
    show(text, Whitespace::Escaped)
}

/// The path of a finding. A key can be a megabyte; the source shows it.
pub(crate) fn path(path: &str) -> Html {
    match path.char_indices().nth(MAX_PATH) {
        Some((end, _)) => inline(&format!("{}…", &path[..end])),
        None => inline(path),
    }
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
    let mut shown = Vec::new();
    // In one text node, however many pieces there are.
    let mut plain = String::new();
    for piece in pieces(text, whitespace) {
        match piece {
            Piece::Plain(text) => plain.push_str(text),
            Piece::Hidden => plain.push_str(STAND_IN),
            Piece::Escaped(c) => {
                shown.push(html! { { std::mem::take(&mut plain) } });
                shown.push(html! {
                    <span class="escaped" title="Invisible character">{ format!("⟨U+{:04X}⟩", u32::from(c)) }</span>
                });
            }
        }
    }
    shown.push(html! { { plain } });
    shown.into_iter().collect()
}
