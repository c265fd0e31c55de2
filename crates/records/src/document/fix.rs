//! The fix of a document that is not JSON: it fixes all errors from the first one on.

use evalcheck_diagnose::fix_syntax;
use evalcheck_report::Fix;

use super::{DocumentReader, State};
use crate::Visit;

/// The fix is tried only if at most this many bytes follow the first error.
const MOST_REST: usize = 1 << 20;

impl<V: Visit> DocumentReader<V> {
    /// Whether this is the first error, and the end of the document has not arrived but may be near enough for a fix.
    pub(super) fn waits_for_rest(&self) -> bool {
        !self.is_rest_fixed && !self.ended && self.rest().len() <= MOST_REST
    }

    /// The brackets that close the document after the value that begins here, or after the last value.
    pub(super) fn outer_brackets(&self) -> &'static str {
        match self.state {
            State::Element { .. } | State::AfterElement => {
                self.open_list().map_or("", |list| list.brackets().1)
            }
            State::Value | State::AfterValue => "}",
            _ => "",
        }
    }

    /// At the first error, the edits that make the document JSON from here on.
    pub(super) fn rest_fix(&mut self) -> Option<Fix> {
        if self.is_rest_fixed {
            return None;
        }
        self.is_rest_fixed = true;
        // Text that puts a parser into the state of this reader.
        let outer = self.open_list().map_or("", |list| list.brackets().0);
        let inner = match self.state {
            State::Start | State::Element { first: true } => "",
            State::Key { first: true } => "{",
            State::Key { first: false } => "{\"\":0,",
            State::Colon => "{\"\"",
            State::Value => "{\"\":",
            State::Element { first: false } => "0,",
            State::AfterElement => "null",
            State::AfterValue => "{\"\":null",
            State::End => "{}",
            _ => return None,
        };
        if !self.ended || self.rest().len() > MOST_REST {
            return None;
        }
        let opening = [outer, inner].concat();
        let mut fix = fix_syntax(&[opening.as_bytes(), self.rest()].concat())?;
        for (span, _) in &mut fix.edits {
            let start = span.start.checked_sub(opening.len())?;
            *span = start..span.end - opening.len();
        }
        Some(fix.locate(self.location.offset))
    }
}
