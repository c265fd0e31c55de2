//! From bytes to records: how they stand in a file, and who checks them.

pub mod brackets;
pub mod csv;
pub mod document;
pub mod line_index;
pub mod lines;
pub mod marks;
pub mod unfinished;

use std::fmt;

use crate::formats::Layout;
use crate::session::Session;

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

/// The reader for a session's variant.
pub fn reader(session: Session) -> Box<dyn Records> {
    match session.variant.layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => Box::new(lines::Lines::new(session)),
        Layout::Csv(columns) => Box::new(csv::Rows::new(session, columns)),
        Layout::Json(lists) => Box::new(document::Document::new(session, lists)),
    }
}
