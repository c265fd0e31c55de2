//! Values that are the same in record after record: a version, the name of a model, a system prompt, `null` of a list.
//!
//! Now and then the values of some records in a row are looked at. Where a value was the same in all of them, it is
//! remembered with what stood before and behind it, and with the usual values that follow: all that up to the next value which
//! differs is compared in one go. A record that has another value there is read piece by piece as before.
//!
//! A usual value was accepted where it stood, and what was before it is the same: so it is accepted again.

use std::ops::Range;

use super::{Kind, Piece};

/// Records until values are looked at, to begin with.
const FIRST: u32 = 16;

/// Records between two looks.
const BETWEEN: u32 = 4096;

/// Records that are looked at in a row.
const LOOKED_AT: u32 = 64;

/// Records that have to have the same value at a place.
const ENOUGH: u32 = 8;

/// The longest value that is remembered, in bytes.
const LONGEST: usize = 512;

/// The longest run, in bytes: what is compared in vain at most.
const LONGEST_RUN: usize = 4096;

/// A record that has what is usual earns one, up to this; another costs [`MISS`], and when nothing is left the run is
/// forgotten.
const CREDIT: i32 = 32;

/// See [`CREDIT`].
const MISS: i32 = 4;

/// A piece with the usual values and pieces behind it, up to another value.
#[derive(Debug)]
pub(super) struct Run {
    /// Its place in [`Usual::bytes`].
    pub(super) bytes: Range<usize>,
    /// The place in [`Usual::captures`] of what is captured in it.
    pub(super) captures: Range<usize>,
    /// The place in [`Usual::begins`] of its pieces.
    pub(super) begins: Range<usize>,
    /// The piece that ends it.
    pub(super) last: usize,
    credit: i32,
}

/// What the values behind a piece were, of the records that are looked at.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// That of the first, in [`Usual::values`].
    value: Range<usize>,
    records: u32,
    differs: bool,
    /// It is in a run that begins before.
    is_in_run: bool,
}

/// What is usual of the records that are remembered.
#[derive(Debug, Default)]
pub(super) struct Usual {
    runs: Vec<Run>,
    /// The bytes of the runs.
    pub(super) bytes: Vec<u8>,
    /// What is captured in runs: numbers, and places in the run.
    pub(super) captures: Vec<(u8, Range<usize>)>,
    /// Where pieces begin in their run.
    pub(super) begins: Vec<usize>,
    values: Vec<u8>,
    pub(super) is_looking: bool,
    /// Records that were known since a look began or ended.
    records: u32,
}

impl Usual {
    /// A run by its number, which is from 1.
    #[inline]
    pub(super) fn run(&self, number: usize) -> Option<&Run> {
        self.runs.get(number.wrapping_sub(1))
    }

    /// A record had the one run, or has something else where the other one was looked for; 0 is none. False when that was once too
    /// often.
    #[inline]
    pub(super) fn is_worth_it(&mut self, run: usize, in_vain: usize) -> bool {
        if let Some(run) = self.runs.get_mut(run.wrapping_sub(1)) {
            run.credit = CREDIT.min(run.credit + 1);
        } else if let Some(run) = self.runs.get_mut(in_vain.wrapping_sub(1)) {
            run.credit -= MISS;
            return run.credit >= 0;
        }
        true
    }

    /// Forgets all; there are other records.
    pub(super) fn forget(&mut self) {
        self.runs.clear();
        self.is_looking = false;
        self.records = BETWEEN - FIRST;
    }

    /// The value behind a piece, while they are looked at.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self, seen: &mut Seen, value: &[u8]) {
        if seen.records == 0 && value.len() <= LONGEST {
            seen.value = append(&mut self.values, value);
        }
        seen.records += 1;
        seen.differs |= self.values[seen.value.clone()] != *value;
    }

    /// A record was known.
    #[inline]
    pub(super) fn count(&mut self, pieces: &mut [Piece], bytes: &[u8]) {
        self.records += 1;
        if self.records >= if self.is_looking { LOOKED_AT } else { BETWEEN } {
            self.turn(pieces, bytes);
        }
    }

    /// Begins a look, or ends it.
    #[cold]
    #[inline(never)]
    fn turn(&mut self, pieces: &mut [Piece], bytes: &[u8]) {
        self.records = 0;
        self.is_looking = !self.is_looking;
        if self.is_looking {
            self.runs.clear();
            self.bytes.clear();
            self.captures.clear();
            self.begins.clear();
            self.values.clear();
        }
        // A piece stands behind the one that it follows.
        for index in 1..pieces.len() {
            let piece = &mut pieces[index];
            if self.is_looking {
                (piece.run, piece.seen) = (0, Seen::default());
            } else if !piece.seen.is_in_run {
                self.begin_run(index, pieces, bytes);
            }
        }
    }

    /// Remembers the run from a piece on, when the value behind it is usual.
    fn begin_run(&mut self, first: usize, pieces: &mut [Piece], bytes: &[u8]) {
        let (start, captures, begins) = (self.bytes.len(), self.captures.len(), self.begins.len());
        let mut last = first;
        append(&mut self.bytes, &bytes[pieces[first].bytes.clone()]);
        while let Some(next) = behind(&pieces[last], pieces) {
            let (value, piece) =
                (&self.values[pieces[last].seen.value.clone()], &bytes[pieces[next].bytes.clone()]);
            let at = self.bytes.len() - start;
            let end = at + value.len();
            if end + piece.len() > LONGEST_RUN {
                break;
            }
            let (capture, end_of_value) = match pieces[last].value {
                // Without its closing quote.
                Kind::StringSchema(text) => (text.capture, end - 1),
                Kind::Number(schema) | Kind::Boolean(schema) => (schema.capture, end),
                Kind::End => (None, end),
            };
            if let Some(number) = capture {
                self.captures.push((number, at..end_of_value));
            }
            append(&mut self.bytes, value);
            append(&mut self.bytes, piece);
            self.begins.push(end);
            pieces[last].seen.is_in_run = true;
            last = next;
        }
        if last == first {
            self.bytes.truncate(start);
            return;
        }
        let bytes = start..self.bytes.len();
        let captures = captures..self.captures.len();
        self.runs.push(Run { bytes, captures, begins: begins..self.begins.len(), last, credit: CREDIT });
        pieces[first].run = self.runs.len();
    }
}

/// Puts bytes behind others, and gives their place.
#[inline(never)]
pub(super) fn append(bytes: &mut Vec<u8>, more: &[u8]) -> Range<usize> {
    let start = bytes.len();
    bytes.extend_from_slice(more);
    start..bytes.len()
}

/// The piece behind the value of a piece, where that is a usual one.
fn behind(piece: &Piece, pieces: &[Piece]) -> Option<usize> {
    let mut most = piece.child;
    if piece.seen.differs || piece.seen.records < ENOUGH || most == 0 {
        return None;
    }
    let mut next = most;
    while next != 0 {
        if pieces[next].seen.records > pieces[most].seen.records {
            most = next;
        }
        next = pieces[next].sibling;
    }
    // What is captured in a piece may begin in any before it.
    pieces[most].captures.is_empty().then_some(most)
}
