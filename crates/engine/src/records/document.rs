//! One JSON object whose lists hold the records.

use crate::records::Records;
use crate::session::Session;

/// Reads elements.
#[derive(Debug)]
pub struct Document {
    lines: super::lines::Lines,
}

impl Document {
    /// A reader for a dataset of a document.
    pub fn new(session: Session, _lists: &'static [crate::formats::List]) -> Self {
        Self { lines: super::lines::Lines::new(session) }
    }
}

impl Records for Document {
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
