//! The fix of a document that is not JSON: it fixes all errors from the first one on.

use evalcheck_diagnose::fix_syntax;
use evalcheck_report::Fix;

use super::{DocumentReader, State};
use crate::{ListPlace, Visit};

/// The fix is tried only if at most this many bytes follow the first error.
const MOST_REST: usize = 1 << 20;

impl<V: Visit> DocumentReader<V> {
    /// Whether this is the first error, and the end of the document has not arrived but may be near enough for a fix.
    pub(super) fn waits_for_rest(&self) -> bool {
        !self.is_rest_fixed && !self.ended && self.rest().len() <= MOST_REST
    }

    /// The brackets that close the document after the value that begins here, or after the last value.
    pub(super) fn outer_brackets(&self) -> &'static str {
        match (self.state, self.open_list().map(|list| list.place)) {
            (State::Element { .. } | State::AfterElement, Some(ListPlace::Single(_))) => "",
            (State::Element { .. } | State::AfterElement, Some(ListPlace::Root)) => "]",
            (State::Element { .. } | State::AfterElement, _) => "]}",
            (State::Value | State::AfterValue, _) => "}",
            _ => "",
        }
    }

    /// At the first error, the edits that make the document JSON from here on.
    pub(super) fn rest_fix(&mut self) -> Option<Fix> {
        if self.is_rest_fixed {
            return None;
        }
        self.is_rest_fixed = true;
        // Text that puts a parser into the state of this reader. An only record is the document, and another list is the value of a key or
        // the document.
        let place = self.open_list().map(|list| list.place);
        let outer: &[u8] = match place {
            Some(ListPlace::Key(_) | ListPlace::AnyKey) => b"{\"\":",
            _ => b"",
        };
        let opening: &[u8] = match self.state {
            State::Start => b"",
            State::Key { first: true } => b"{",
            State::Key { first: false } => b"{\"\":0,",
            State::Colon => b"{\"\"",
            State::Value => b"{\"\":",
            State::Element { .. } if matches!(place, Some(ListPlace::Single(_))) => b"",
            State::Element { first: true } => b"[",
            State::Element { first: false } => b"[0,",
            State::AfterElement => b"[null",
            State::AfterValue => b"{\"\":null",
            State::End => b"{}",
            _ => return None,
        };
        if !self.ended || self.rest().len() > MOST_REST {
            return None;
        }
        let mut fix = fix_syntax(&[outer, opening, self.rest()].concat())?;
        let before = outer.len() + opening.len();
        for (span, _) in &mut fix.edits {
            let start = span.start.checked_sub(before)?;
            *span = start..span.end - before;
        }
        Some(fix.locate(self.location.offset))
    }
}
