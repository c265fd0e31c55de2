//! Text from a dataset. It is never markup: Yew escapes it, and characters that would reorder or hide text are shown as
//! their code points.

use yew::prelude::*;

use crate::display::isolate::{is_right_to_left, parts};
use crate::display::visible_text::{MAX_ESCAPED, Piece, STAND_IN, TextKind, pieces};

/// Characters of a path that are shown.
const MAX_PATH: usize = 1_000;

/// What separates the cells of a row that have no quotes.
const CELL_SEPARATORS: &[char] = &[',', ';', '\t'];

/// What separates the parts of paths and lists.
const NAME_SEPARATORS: &[char] = &['.', '/', ':', ',', ';', '\t'];

/// An id, a name or a message; line breaks and tabs are escaped.
pub(crate) fn inline(text: &str) -> Html {
    isolated(text, TextKind::Name, false, NAME_SEPARATORS)
}

/// The path of a finding. A key can be a megabyte; the source shows it.
pub(crate) fn path(path: &str) -> Html {
    match path.char_indices().nth(MAX_PATH) {
        Some((end, _)) => inline(&format!("{}…", &path[..end])),
        None => inline(path),
    }
}

/// A text that people read, with line breaks. Its element needs `dir="auto"`.
pub(crate) fn block(text: &str) -> Html {
    escaped(text, TextKind::Prose, &mut MAX_ESCAPED.clone())
}

/// JSON with line breaks.
pub(crate) fn json(text: &str) -> Html {
    isolated(text, TextKind::Prose, false, &[])
}

/// A part of the source of a record, which begins within a string when `is_quoted`.
pub(crate) fn source(text: &str, is_quoted: bool) -> Html {
    isolated(text, TextKind::Source, is_quoted, CELL_SEPARATORS)
}

/// A part of the source that is under a mark; all whitespace other than the ordinary space is escaped.
pub(crate) fn marked(text: &str, is_quoted: bool) -> Html {
    isolated(text, TextKind::Marked, is_quoted, CELL_SEPARATORS)
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

/// A text from left to right, in which strings from right to left are isolated.
fn isolated(text: &str, kind: TextKind, is_quoted: bool, separators: &[char]) -> Html {
    let mut room = MAX_ESCAPED;
    if !text.contains(is_right_to_left) {
        return escaped(text, kind, &mut room);
    }
    let mut shown = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for part in parts(text, is_quoted, separators) {
        if part.is_isolated {
            shown.push(escaped(&text[from..at], kind, &mut room));
            shown.push(html! { <bdi>{ escaped(part.text, kind, &mut room) }</bdi> });
            from = at + part.text.len();
        }
        at += part.text.len();
    }
    shown.push(escaped(&text[from..], kind, &mut room));
    shown.into_iter().collect()
}

fn escaped(text: &str, kind: TextKind, room: &mut usize) -> Html {
    let mut shown = Vec::new();
    // In one text node, however many pieces there are.
    let mut plain = String::new();
    for piece in pieces(text, kind, room) {
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
