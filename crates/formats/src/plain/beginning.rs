//! Tells a document from records one after another.

use evalcheck_json::extent::{EndFinder, Extent};
use evalcheck_json::tokens::{TokenKind, significant};

use crate::detect::FileHead;
use crate::diagnose::{Kind, Value};

/// The beginning of a text.
pub(super) enum Beginning {
    /// An array, or an object over several lines.
    Document,
    /// An object on one line, alone as far as it is known: a document, or the only record of JSONL.
    Record,
    /// Objects or arrays one after another.
    Records,
    /// Other text.
    Other,
}

impl Beginning {
    /// The beginning of `text`, which is the text of the file from its first token on.
    pub(super) fn of(text: &[u8], head: &FileHead<'_>) -> Self {
        let Some(&first @ (b'{' | b'[')) = text.first() else { return Self::Other };
        let (end, next) = match EndFinder::default().find(text) {
            Extent::Ends(end) => (end, significant(&text[end..]).next().map(|token| token.kind)),
            Extent::More | Extent::Lost => (text.len(), None),
        };
        let is_object = |value: &Value<'_>| matches!(value.kind, Kind::Object(_));
        // Where the first record is broken, the others tell.
        let are_most_objects = || first == b'{' && head.looked_at > 1 && head.share(is_object) > 50;
        if matches!(next, Some(TokenKind::Punctuation(b'{' | b'[' | b','))) || are_most_objects() {
            Self::Records
        } else if first == b'[' || text[..end].contains(&b'\n') {
            Self::Document
        } else {
            Self::Record
        }
    }
}
