//! CSV: a record a row, under a header.

use crate::records::Records;
use crate::session::Session;

/// The columns of a CSV.
#[derive(Debug)]
pub struct Columns {
    /// The columns that the format knows.
    pub columns: &'static [Column],
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// Other names that the system reads as this one.
    pub aliases: &'static [&'static str],
    /// It must be there.
    pub required: bool,
    /// A blank cell is an error.
    pub not_blank: bool,
    /// What it is for.
    pub doc: &'static str,
}

/// Reads rows.
#[derive(Debug)]
pub struct Rows {
    lines: super::lines::Lines,
}

impl Rows {
    /// A reader for a dataset of rows.
    pub fn new(session: Session, _columns: &'static Columns) -> Self {
        Self { lines: super::lines::Lines::new(session) }
    }
}

impl Records for Rows {
    fn space(&mut self, room: usize) -> &mut [u8] {
        self.lines.space(room)
    }
    fn advance(&mut self, n: usize) {
        self.lines.advance(n);
    }
    fn finish(&mut self) {
        self.lines.finish();
    }
    fn stop(&mut self) {
        self.lines.stop();
    }
    fn session(&self) -> &Session {
        self.lines.session()
    }
    fn session_mut(&mut self) -> &mut Session {
        self.lines.session_mut()
    }
}
