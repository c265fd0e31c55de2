//! From bytes to records: how they stand in a file, and who checks them.

pub mod brackets;
pub mod csv;
pub mod document;
pub mod line_index;
pub mod lines;
pub mod marks;
pub mod unfinished;

use std::fmt;

use crate::digest::{self, Item};
use crate::formats::Layout;
use crate::session::Session;
use crate::shape::Shape;

/// Bytes of a digest that are taken at a time.
const PIECE_OF_DIGEST: usize = 256 << 10;

/// Reads the bytes of one dataset as they come, and checks the records in them.
pub trait Records {
    /// Room for the bytes that come next.
    fn space(&mut self, room: usize) -> &mut [u8];

    /// Takes `n` bytes of the space as read and checks every record that is whole now.
    fn advance(&mut self, n: usize);

    /// Every byte was read: checks what is left, and what concerns the dataset as a whole.
    fn finish(&mut self);

    /// No more bytes will come, and the dataset is not at its end: what was read of a record is not judged.
    fn stop(&mut self);

    /// The shape of every line from here on, where records are lines; `None` while a header may still decide on it.
    fn shape_of_lines(&self) -> Option<&'static Shape> {
        None
    }

    /// Counts the record that the digest has come to, of so many bytes, when one begins here and the rules have nothing to say
    /// of it. False when more must be known of it; then nothing has happened.
    fn take_record(&mut self, _length: u64, _digest: &digest::Reader<'_>) -> bool {
        false
    }

    /// Takes what a digest has in the place of bytes, up to a record that is wanted as it is.
    fn take_digest(&mut self, digest: &mut digest::Reader<'_>) -> Taken {
        let mut taken = Taken::default();
        while let Some(item) = digest.next() {
            match item {
                Item::Raw(bytes) => {
                    taken.bytes += bytes.len() as u64;
                    for piece in bytes.chunks(PIECE_OF_DIGEST) {
                        self.space(piece.len()).copy_from_slice(piece);
                        self.advance(piece.len());
                    }
                }
                Item::Record(length) if self.take_record(length, digest) => taken.bytes += length,
                Item::Record(length) => return Taken { wanted: Some(length), ..taken },
            }
        }
        taken
    }

    /// What was counted and found so far.
    fn session(&self) -> &Session;

    /// The same, to be changed.
    fn session_mut(&mut self) -> &mut Session;
}

// By name only, as `dyn DatasetRules`.
impl fmt::Debug for dyn Records + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Records")
    }
}

/// How far a digest was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// Bytes of the dataset that it stood for.
    pub bytes: u64,
    /// The record behind them, of so many bytes, is wanted as it is; `None` when the digest is at its end.
    pub wanted: Option<u64>,
}

/// The reader for a session's variant.
pub fn reader(session: Session) -> Box<dyn Records> {
    match session.variant.layout {
        Layout::Lines | Layout::HeadedLines(_) => Box::new(lines::Lines::new(session)),
        Layout::Csv(columns) => Box::new(csv::Rows::new(session, columns)),
        Layout::Document(lists) => Box::new(document::Document::new(session, lists)),
    }
}
