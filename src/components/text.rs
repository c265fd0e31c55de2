//! Text from a dataset. It is never markup: Yew escapes it, and characters that would reorder or hide text are shown as code points.

use std::ops::Range;

use evalcheck_report::text::clip;
use evalcheck_report::view::TextMarkKind;
use yew::prelude::*;

use crate::display::isolate::{MAX_ISOLATED, is_right_to_left, parts};
use crate::display::json_tokens::{JsonToken, json_tokens};
use crate::display::visible_text::{MAX_ESCAPED, Piece, STAND_IN, TextKind, pieces};

/// The maximum number of characters of a path that are shown.
const MAX_PATH: usize = 1_000;

/// The characters that separate unquoted cells of a row.
const CELL_SEPARATORS: &[char] = &[',', ';', '\t'];

/// The characters that separate the parts of paths and lists.
const NAME_SEPARATORS: &[char] = &['.', '/', ':', ',', ';', '\t'];

/// An id, a name or a message; line breaks and tabs are escaped.
pub(crate) fn inline(text: &str) -> Html {
    isolated(text, TextKind::Name, false, NAME_SEPARATORS, &mut Room::new())
}

/// Like [`inline`], for places where elements are not possible, such as options of a list.
pub(crate) fn plain(text: &str) -> String {
    let mut room = 0;
    pieces(text, TextKind::Name, &mut room)
        .map(|piece| if let Piece::Plain(text) = piece { text } else { STAND_IN })
        .collect()
}

/// The path of a finding. It is clipped, because a key can be a megabyte; the source shows all of it.
pub(crate) fn path(path: &str) -> Html {
    inline(&clip(path, MAX_PATH))
}

/// A text for people, with line breaks. Its element needs `dir="auto"`.
pub(crate) fn block(text: &str) -> Html {
    prose(text, &mut MAX_ESCAPED.clone())
}

/// A name for people, on one line. Its element needs `dir="auto"`.
pub(crate) fn line(text: &str) -> Html {
    escaped(text, TextKind::Name, &mut MAX_ESCAPED.clone())
}

/// A text for people on one line, in which letters and emoji stay joined. Its element needs `dir="auto"`.
pub(crate) fn words(text: &str) -> Html {
    escaped(text, TextKind::Source, &mut MAX_ESCAPED.clone())
}

/// A part of a multiline text; `room` is the number of further characters that may be escaped.
pub(crate) fn prose(text: &str, room: &mut usize) -> Html {
    escaped(text, TextKind::Prose, room)
}

/// A marked part of a text.
pub(crate) fn mark(kind: TextMarkKind, part: Html) -> Html {
    let (class, severity, testid) = match kind {
        TextMarkKind::Answer => ("extracted-answer", None, "answer-mark"),
        TextMarkKind::Found => ("found", None, "found-mark"),
        TextMarkKind::Finding(severity) => ("turn-token", Some(severity.as_str()), "turn-token"),
    };
    html! { <mark class={classes!(class, severity)} data-testid={testid}>{ part }</mark> }
}

/// JSON with line breaks, in colours.
pub(crate) fn json(text: &str) -> Html {
    let tokens = json_tokens(text, &(0..text.len()));
    coloured(text, TextKind::Prose, false, &[], tokens)
}

/// A part of the source of a record, with these JSON tokens coloured.
pub(crate) fn json_source(
    text: &str,
    is_quoted: bool,
    tokens: impl IntoIterator<Item = (Range<usize>, JsonToken)>,
) -> Html {
    coloured(text, TextKind::Source, is_quoted, CELL_SEPARATORS, tokens)
}

/// A part of the source of a record. It begins within a string if `is_quoted`.
pub(crate) fn source(text: &str, is_quoted: bool) -> Html {
    isolated(text, TextKind::Source, is_quoted, CELL_SEPARATORS, &mut Room::new())
}

/// A marked part of the source; all white space other than the ordinary space is escaped.
pub(crate) fn marked(text: &str, is_quoted: bool) -> Html {
    isolated(text, TextKind::Marked, is_quoted, CELL_SEPARATORS, &mut Room::new())
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

/// The number of further elements that a text may take.
struct Room {
    escaped: usize,
    isolated: usize,
}

impl Room {
    const fn new() -> Self {
        Self { escaped: MAX_ESCAPED, isolated: MAX_ISOLATED }
    }
}

/// A left-to-right text as in [`isolated`], with JSON tokens coloured.
fn coloured(
    text: &str,
    kind: TextKind,
    is_quoted: bool,
    separators: &[char],
    tokens: impl IntoIterator<Item = (Range<usize>, JsonToken)>,
) -> Html {
    let mut room = Room::new();
    let mut shown = Vec::new();
    let mut at = 0;
    for (range, token) in tokens {
        let (Some(before), Some(inside)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        if !before.is_empty() {
            shown.push(isolated(before, kind, is_quoted && at == 0, separators, &mut room));
        }
        let is_continued = is_quoted && range.start == 0;
        shown.push(html! {
            <span class={token.class()}>{ isolated(inside, kind, is_continued, separators, &mut room) }</span>
        });
        at = range.end;
    }
    if at < text.len() {
        shown.push(isolated(&text[at..], kind, is_quoted && at == 0, separators, &mut room));
    }
    shown.into_iter().collect()
}

/// A left-to-right text, in which right-to-left strings are isolated.
fn isolated(text: &str, kind: TextKind, is_quoted: bool, separators: &[char], room: &mut Room) -> Html {
    if !text.contains(is_right_to_left) {
        return escaped(text, kind, &mut room.escaped);
    }
    let mut shown = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for part in parts(text, is_quoted, separators, &mut room.isolated) {
        if part.is_isolated {
            shown.push(escaped(&text[from..at], kind, &mut room.escaped));
            shown.push(html! { <bdi>{ escaped(part.text, kind, &mut room.escaped) }</bdi> });
            from = at + part.text.len();
        }
        at += part.text.len();
    }
    shown.push(escaped(&text[from..], kind, &mut room.escaped));
    shown.into_iter().collect()
}

fn escaped(text: &str, kind: TextKind, room: &mut usize) -> Html {
    let mut shown = Vec::new();
    // Adjacent pieces share one text node.
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
