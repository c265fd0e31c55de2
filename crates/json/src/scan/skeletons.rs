//! What stands between the values of a record, remembered from the records before.
//!
//! Records that one program wrote are alike: keys, punctuation and fixed words are the same, and only texts, numbers and
//! booleans differ. A clean record is remembered as a path in a tree: what stands before its first value, what may stand
//! there, what stands behind it, and so on. A record that goes along such a path needs no look at schemas: pieces are
//! compared whole, and only the values are read, by the same functions.
//!
//! Why that gives what a scan gives: a scan reads from left to right and depends on nothing but the bytes. On a known
//! path the bytes between the values are those of a record that was clean, so it is at the same place in the same schema before
//! each value, and takes it when the functions for values do. Where a value itself decides what is read next (the key of
//! a tagged object, the field that a condition hangs on), it belongs to what is compared. So do values that hardly ever
//! change ([`usual`]).

mod usual;

use std::ops::Range;

use usual::{Seen, Usual, append};

use super::blocks::Blocks;
use super::scanner::{Behind, Scanner, behind};
use super::{Scratch, TextPolicy};
use crate::scan::bytes::{same, same_blocks};
use crate::schema::{Schema, StringSchema};

/// Pieces that are remembered at most, of all records together.
const MOST_PIECES: usize = 1024;

/// Their bytes together.
const MOST_BYTES: usize = 64 << 10;

/// Pieces that may stand at one place; each may be compared in vain.
const MOST_ALTERNATIVES: usize = 8;

/// A record that is known earns one, up to this; another costs [`MISS`], and when nothing is left all is forgotten. To begin
/// with there is as much, so that records of some kinds can be met.
const CREDIT: i32 = 256;

/// See [`CREDIT`]. Comparing in vain costs about twice what comparing saves.
const MISS: i32 = 2;

/// Records after which it is tried again, at first; twice as many after each time.
const REST: u64 = 4096;

/// The records met so far.
#[derive(Debug, Default)]
pub(super) struct Skeletons {
    of: Option<(&'static Schema, TextPolicy, bool)>,
    /// The first is the root, which has children only.
    pieces: Vec<Piece>,
    /// The bytes of the pieces.
    bytes: Vec<u8>,
    captures: Vec<Capture>,
    /// Where the pieces of the record at hand begin.
    begins: Vec<usize>,
    usual: Usual,
    credit: i32,
    /// Records to go without.
    rest: u64,
    next_rest: u64,
    recalled: u64,
}

/// What stands between two values, and what may follow.
#[derive(Debug, Default)]
struct Piece {
    /// Its place in [`Skeletons::bytes`].
    bytes: Range<usize>,
    value: Kind,
    /// Its place in [`Skeletons::captures`].
    captures: Range<usize>,
    /// What stands behind the value; 0 for nothing.
    child: usize,
    /// What may stand in its place; 0 for nothing more.
    sibling: usize,
    /// The number of its run, from 1; 0 for none.
    run: usize,
    /// What the values behind it were.
    seen: Seen,
}

/// What stands behind a piece.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Kind {
    /// A string; its opening quote ends the piece.
    StringSchema(&'static StringSchema),
    /// A number of a schema.
    Number(&'static Schema),
    /// A boolean of a schema.
    Boolean(&'static Schema),
    /// Nothing: the record is at its end.
    #[default]
    End,
}

/// Something captured that is no value: a key, or an element with all that is in it.
#[derive(Debug)]
struct Capture {
    number: u8,
    /// The piece in which it begins, counted along the path, and the place in it.
    begins: (usize, usize),
    /// Where it ends in the piece at hand.
    end: usize,
}

/// What a scan met in a record.
#[derive(Debug, Default)]
pub(super) struct Met {
    values: Vec<(Range<usize>, Kind)>,
    /// What was captured that is no value: how many values were met before, the number, and the range.
    captures: Vec<(usize, u8, Range<usize>)>,
    /// A string that begins here decides what is read next.
    pub(super) decides: usize,
    /// The record is not to be remembered: it has too many values, or what was read depends on more than what stood before.
    pub(super) is_unfit: bool,
}

impl Met {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.captures.clear();
        self.decides = usize::MAX;
        self.is_unfit = false;
    }

    /// A string that was read, from its opening quote.
    #[inline]
    pub(super) fn string(&mut self, at: usize, end: Behind, text: &'static StringSchema) {
        let Some(end) = end else { return };
        if at != self.decides {
            self.value(at + 1..end.get(), Kind::StringSchema(text));
        } else if let Some(number) = text.capture {
            self.capture(number, at + 1..end.get() - 1);
        }
    }

    /// A number or a boolean that was read.
    #[inline]
    pub(super) fn scalar(&mut self, at: usize, end: Behind, kind: Kind) {
        if let Some(end) = end {
            self.value(at..end.get(), kind);
        }
    }

    /// Holds no more than can be remembered, however long the record.
    #[inline]
    fn value(&mut self, range: Range<usize>, kind: Kind) {
        self.is_unfit |= self.values.len() == MOST_PIECES;
        if !self.is_unfit {
            self.values.push((range, kind));
        }
    }

    /// Something was captured that is no value.
    pub(super) fn capture(&mut self, number: u8, range: Range<usize>) {
        self.is_unfit |= self.captures.len() == MOST_PIECES;
        if !self.is_unfit {
            self.captures.push((self.values.len(), number, range));
        }
    }
}

impl Kind {
    /// False when a value that begins with this byte is certainly another.
    #[inline]
    fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Self::StringSchema(_) | Self::End => true,
            Self::Number(_) => matches!(byte, b'-' | b'0'..=b'9'),
            Self::Boolean(_) => matches!(byte, b't' | b'f'),
        }
    }

    /// Both take the same values, at the same place of the same path.
    fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl Skeletons {
    /// Records that were known.
    pub(super) fn recalled(&self) -> u64 {
        self.recalled
    }

    /// Makes ready for a record of a schema; false when there is nothing to be gained.
    #[inline]
    pub(super) fn is_of_use(&mut self, schema: &'static Schema, policy: TextPolicy, multiline: bool) -> bool {
        let is_same = self.of.is_some_and(|(known, with, lines)| {
            std::ptr::eq(known, schema) && with == policy && lines == multiline
        });
        if !is_same {
            self.of = Some((schema, policy, multiline));
            self.rest = 0;
            self.next_rest = REST;
            self.forget();
        }
        if self.rest > 0 {
            self.rest -= 1;
        }
        self.rest == 0
    }

    fn forget(&mut self) {
        self.bytes.clear();
        self.captures.clear();
        self.pieces.clear();
        self.pieces.push(Piece::default());
        self.usual.forget();
        self.credit = CREDIT;
    }

    /// A record was known.
    fn hit(&mut self) {
        self.credit = CREDIT.min(self.credit + 1);
        self.recalled += 1;
        self.usual.count(&mut self.pieces, &self.bytes);
    }

    /// A record was not known.
    fn miss(&mut self) {
        self.credit -= MISS;
        if self.credit < 0 {
            self.forget();
            self.rest = self.next_rest;
            self.next_rest *= 2;
        }
    }

    /// Remembers a record that was scanned and is clean.
    pub(super) fn learn(&mut self, bytes: &[u8], record: Range<usize>, met: &Met) {
        let in_values: usize = met.values.iter().map(|(value, _)| value.len()).sum();
        let is_full = self.pieces.len() + met.values.len() >= MOST_PIECES
            || self.bytes.len() + record.len() - in_values >= MOST_BYTES;
        if met.is_unfit || is_full {
            return;
        }
        // Where the pieces begin.
        let mut begins = Vec::with_capacity(1 + met.values.len());
        begins.push(record.start);
        for (value, _) in &met.values {
            begins.push(value.end);
        }
        let end = (record.end..record.end, Kind::End);
        let mut parent = 0;
        for (index, (value, kind)) in met.values.iter().chain([&end]).enumerate() {
            let piece = &bytes[begins[index]..value.start];
            let own = met.captures.iter().filter(|(before, ..)| *before == index);
            let own = own.map(|(_, number, range)| {
                let first = begins[..=index].iter().rposition(|begin| *begin <= range.start).unwrap_or(0);
                let begins_at = (first, range.start - begins[first]);
                Capture { number: *number, begins: begins_at, end: range.end - begins[index] }
            });
            let Some(child) = self.child(parent, piece, *kind, own) else { return };
            parent = child;
        }
    }

    /// The child that is such a piece; a new one where there is none yet. What is captured in it follows from the path.
    fn child(
        &mut self,
        parent: usize,
        piece: &[u8],
        kind: Kind,
        captures: impl Iterator<Item = Capture>,
    ) -> Option<usize> {
        let (mut last, mut alternatives) = (None, 0);
        let mut index = self.pieces[parent].child;
        while index != 0 {
            let known = &self.pieces[index];
            if self.bytes[known.bytes.clone()] == *piece && known.value.is_like(kind) {
                return Some(index);
            }
            last = Some(index);
            alternatives += 1;
            index = known.sibling;
        }
        if alternatives == MOST_ALTERNATIVES {
            return None;
        }
        let index = self.pieces.len();
        match last {
            Some(last) => self.pieces[last].sibling = index,
            None => self.pieces[parent].child = index,
        }
        let first = self.captures.len();
        self.captures.extend(captures);
        self.pieces.push(Piece {
            bytes: append(&mut self.bytes, piece),
            value: kind,
            captures: first..self.captures.len(),
            ..Piece::default()
        });
        Some(index)
    }
}

impl<B: Blocks> Scanner<'_, B> {
    /// Behind a record that is known, with its values captured as a scan would.
    pub(super) fn recall(&self, start: usize, known: &mut Skeletons, scratch: &mut Scratch) -> Behind {
        let end = self.along(start, known, scratch);
        if end.is_some() {
            known.hit();
        } else {
            known.miss();
        }
        end
    }

    #[inline]
    fn along(&self, start: usize, known: &mut Skeletons, scratch: &mut Scratch) -> Behind {
        scratch.captures.clear();
        let Skeletons { pieces, bytes, captures, begins, usual, .. } = known;
        begins.clear();
        let mut at = start;
        let mut next = pieces.first()?.child;
        // Pieces up to the end of a run that was compared in vain.
        let mut tried = 0;
        loop {
            let mut in_vain = 0;
            // What stands here, a piece or the run that begins with it: its length, the number of the run or 0, the piece at its end.
            let (length, run, last) = loop {
                if next == 0 {
                    return None;
                }
                let piece = pieces.get(next)?;
                let run = if in_vain == 0 && begins.len() >= tried { piece.run } else { 0 };
                let (known, last) = match usual.run(run) {
                    Some(run) => (usual.bytes.get(run.bytes.clone())?, run.last),
                    None => (bytes.get(piece.bytes.clone())?, next),
                };
                if self.stands_at(at, known)
                    && pieces.get(last)?.value.may_begin_with(self.byte(at + known.len()))
                {
                    break (known.len(), run, last);
                }
                in_vain = run;
                if run == 0 {
                    next = piece.sibling;
                }
            };
            begins.push(at);
            for capture in captures.get(pieces.get(next)?.captures.clone())? {
                let (first, place) = capture.begins;
                scratch.captures.push((capture.number, begins[first] + place..at + capture.end));
            }
            if let Some(run) = usual.run(run) {
                for (number, range) in usual.captures.get(run.captures.clone())? {
                    scratch.captures.push((*number, at + range.start..at + range.end));
                }
                for begin in usual.begins.get(run.begins.clone())? {
                    begins.push(at + begin);
                }
            } else if let Some(run) = usual.run(in_vain) {
                tried = begins.len() + run.begins.len();
            }
            if !usual.is_worth_it(run, in_vain) {
                pieces.get_mut(next)?.run = 0;
            }
            at += length;
            let piece = pieces.get(last)?;
            next = piece.child;
            let end = match piece.value {
                Kind::StringSchema(text) => self.text(at, text, scratch),
                Kind::Number(schema) => self.number_of(at, schema, scratch),
                Kind::Boolean(schema) => self.boolean_of(at, schema, scratch),
                // The line break of a line was compared with the rest; the line ends before it.
                Kind::End => return behind(at - usize::from(!self.multiline)),
            };
            let end = end?.get();
            if usual.is_looking {
                usual.look(&mut pieces.get_mut(last)?.seen, self.bytes.get(at..end)?);
            }
            at = end;
        }
    }

    /// True when the bytes at a place are those of a piece.
    #[inline]
    fn stands_at(&self, at: usize, piece: &[u8]) -> bool {
        let Some(text) = self.bytes.get(at..).and_then(|rest| rest.get(..piece.len())) else { return false };
        same_blocks(text, piece).unwrap_or_else(|| same(text, piece))
    }
}

#[cfg(test)]
mod tests;
