//! The fix of a document that is no JSON: all errors from the first one on at once.

use evalcheck_json::diagnose::fix_syntax;
use evalcheck_wire::report::Fix;

use super::{DocumentReader, State};
use crate::Visit;

/// A document that goes on for more bytes than this behind its first error has no fix for all of them.
const MOST_REST: usize = 1 << 20;

impl<V: Visit> DocumentReader<V> {
    /// True at the first error while the end of the document has not come and may yet be near enough for a fix.
    pub(super) fn waits_for_rest(&self) -> bool {
        !self.is_rest_fixed && !self.ended && self.rest().len() <= MOST_REST
    }

    /// At the first error, the edits that make JSON of the document from here on.
    pub(super) fn rest_fix(&mut self) -> Option<Fix> {
        if self.is_rest_fixed {
            return None;
        }
        self.is_rest_fixed = true;
        // Something that brings a reader to where this one is.
        let opening: &[u8] = match self.state {
            State::Start => b"",
            State::Key { first: true } => b"{",
            State::Key { first: false } => b"{\"\":0,",
            State::Colon => b"{\"\"",
            State::Value => b"{\"\":",
            State::Element { first: true } => b"{\"\":[",
            State::Element { first: false } => b"{\"\":[0,",
            State::AfterElement => b"{\"\":[0",
            State::AfterValue => b"{\"\":0",
            _ => return None,
        };
        if !self.ended || self.rest().len() > MOST_REST {
            return None;
        }
        let mut fix = fix_syntax(&[opening, self.rest()].concat())?;
        for (span, _) in &mut fix.edits {
            let start = span.start.checked_sub(opening.len())?;
            *span = start..span.end - opening.len();
        }
        Some(fix.locate(self.location.offset))
    }
}
