//! Composes edits: turns several rounds of edits of a text into one set of edits of the original text.

use std::ops::Range;

use super::RecordFix;

/// A changed text, as the pieces that form it.
pub(super) struct Composed(Vec<Piece>);

/// A piece of a changed text.
enum Piece {
    /// A span of the original text.
    Kept(Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(span) => span.len(),
            Self::New(text) => text.len(),
        }
    }

    /// A part of the piece.
    fn part(&self, part: Range<usize>) -> Option<Self> {
        Some(match self {
            Self::Kept(span) => Self::Kept(span.start + part.start..span.start + part.end),
            Self::New(text) => Self::New(text.get(part)?.to_owned()),
        })
    }
}

impl Composed {
    /// An unchanged text of this length.
    pub(super) fn new(length: usize) -> Self {
        Self(vec![Piece::Kept(0..length)])
    }

    /// Applies edits, in the order of the bytes, to the current text. `None` if one splits a character.
    pub(super) fn edit(self, edits: &[(Range<usize>, String)]) -> Option<Self> {
        let mut edits = edits.iter().peekable();
        let mut pieces = Vec::new();
        // The start of the piece, and the end of the edit that replaces its beginning.
        let (mut start, mut replaced) = (0, 0);
        for piece in self.0 {
            let end = start + piece.len();
            let mut at = start.max(replaced.min(end));
            while let Some((span, text)) = edits.next_if(|(span, _)| span.start < end) {
                pieces.push(piece.part(at - start..span.start - start)?);
                pieces.push(Piece::New(text.clone()));
                replaced = span.end;
                at = replaced.min(end);
            }
            pieces.push(piece.part(at - start..end - start)?);
            start = end;
        }
        pieces.extend(edits.map(|(_, text)| Piece::New(text.clone())));
        pieces.retain(|piece| piece.len() > 0);
        Some(Self(pieces))
    }

    /// Adds the edits of the original text to a fix; `length` is the length of that text.
    pub(super) fn into_fix(self, length: usize, mut fix: RecordFix) -> RecordFix {
        let (mut at, mut new) = (0, String::new());
        for piece in self.0.into_iter().chain([Piece::Kept(length..length)]) {
            match piece {
                Piece::New(text) => new.push_str(&text),
                Piece::Kept(span) => {
                    if span.start > at || !new.is_empty() {
                        fix = fix.replace(at..span.start, std::mem::take(&mut new));
                    }
                    at = span.end;
                }
            }
        }
        fix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_edits_are_edits() {
        let text = "abcdefgh";
        let first = [(1..2, "BB".to_owned()), (4..4, "-".to_owned()), (7..8, String::new())];
        let second = [(0..1, String::new()), (2..4, "x".to_owned()), (8..8, "!".to_owned())];
        let (mut changed, mut composed) = (text.to_owned(), Composed::new(text.len()));
        for edits in [&first[..], &second] {
            let fix = RecordFix { edits: edits.to_vec(), ..RecordFix::safe("") };
            changed = String::from_utf8(fix.apply(changed.as_bytes())).unwrap();
            composed = composed.edit(edits).unwrap();
        }
        let fix = composed.into_fix(text.len(), RecordFix::safe(""));
        assert_eq!(String::from_utf8(fix.apply(text.as_bytes())).unwrap(), changed);
        assert_eq!(changed, "Bxd-ef!g");
    }
}
