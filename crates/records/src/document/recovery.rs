//! Reports syntax errors between records, and decides where reading continues after them.

use evalcheck_core::finding::{Finding, Location};
use evalcheck_diagnose::{Expected, RecordText, SyntaxError, SyntaxProblem};
use evalcheck_json::tokens::{begins_with, first_key};
use memchr::memmem;

use super::value::Waiting;
use super::{Comment, DocumentProblem, DocumentReader, MOST_ERRORS, State, WINDOW};
use crate::multiline::is_record;
use crate::{Event, List, ListPlace, Visit};

impl<V: Visit> DocumentReader<V> {
    pub(super) fn broken_value(&mut self, error: SyntaxError) -> bool {
        let from = error.span.start.max(1);
        let truncated = self.report_error(error);
        self.value = Waiting::default();
        self.skip_bytes(from);
        if truncated {
            self.state = State::Done;
        } else {
            self.search_from_here();
        }
        true
    }

    /// Reports an error in the bytes that begin here. Returns true if the error is that the document is truncated.
    fn report_error(&mut self, error: SyntaxError) -> bool {
        let fix = self.rest_fix();
        let found = evalcheck_diagnose::syntax_finding(super::in_document(error));
        let mut finding = found.locate(&RecordText::new(self.rest(), self.location)).with_fix(fix);
        finding.location.record = None;
        let truncated = super::truncated(&finding.problem, self.outer_brackets());
        let is_truncated = truncated.is_some();
        if let Some(problem) = truncated {
            finding.problem = problem.into();
        }
        self.add_other(vec![finding]);
        is_truncated
    }

    /// Reports that the bytes here are not `wanted`, and decides where reading continues. Returns false if more bytes are needed to find
    /// the cause.
    pub(super) fn unexpected(&mut self, wanted: Expected) -> bool {
        if self.rest().len() < WINDOW && !self.ended {
            return false;
        }
        if self.conflict_marker() {
            return true;
        }
        if self.waits_for_rest() {
            return false;
        }
        let window = &self.rest()[..self.rest().len().min(WINDOW)];
        let byte = window[0];
        let mut error = evalcheck_diagnose::unexpected_token(wanted, window, self.location);
        if matches!(wanted, Expected::Nothing)
            && let SyntaxProblem::SecondValue { what, .. } = &error.problem
        {
            let problem = DocumentProblem::TextAfter { what: what.clone() };
            let location = self.place_of(1);
            let fix = self.lines_fix();
            self.visitor.report(Finding::new(problem, location).with_fix(fix));
            self.state = State::Done;
            return true;
        }
        error.span.end = error.span.end.min(window.len());
        let problem = error.problem.clone();
        let length = error.span.len();
        let is_block = window.starts_with(b"/*");
        self.report_error(error);
        self.errors += 1;
        if self.errors > MOST_ERRORS {
            self.search_from_here();
            return true;
        }
        match (problem, self.state) {
            (SyntaxProblem::Comment { .. }, _) => {
                self.begin_comment(if is_block { Comment::Block } else { Comment::Line });
            }
            (SyntaxProblem::StrayCharacter { .. }, _) if length > 0 => self.skip_bytes(length),
            // A comma may follow the dots or not.
            (problem, State::Element { .. } | State::Key { .. }) if problem.is_left_out() => {
                self.skip_bytes(length);
                self.white_space();
                self.state = match (self.state, self.rest().first()) {
                    (State::Element { .. }, Some(b',')) => State::AfterElement,
                    (State::Element { .. }, _) => State::Element { first: true },
                    (_, Some(b',')) => State::AfterValue,
                    _ => State::Key { first: true },
                };
            }
            (SyntaxProblem::MissingColon { .. }, State::Colon) => self.state = State::Value,
            (SyntaxProblem::MissingComma { .. }, State::AfterElement) => {
                self.state = State::Element { first: true };
            }
            (SyntaxProblem::MissingComma { .. }, State::AfterValue) if byte == b'"' => {
                self.state = State::Key { first: true };
            }
            (SyntaxProblem::Missing { .. }, State::Element { .. } | State::Key { .. }) if byte == b',' => {
                self.comma = self.location;
                self.skip_bytes(1);
            }
            (SyntaxProblem::Missing { .. }, State::Value) if matches!(byte, b',' | b'}') => {
                self.state = State::AfterValue;
            }
            // A surplus brace: the next element follows.
            (SyntaxProblem::UnmatchedBracket { .. }, State::AfterElement) if is_surplus(self.rest()) => {
                self.skip_bytes(1);
            }
            // The bracket that ends the list is missing.
            (SyntaxProblem::UnmatchedBracket { .. }, State::AfterElement | State::Element { .. })
                if byte == b'}' && self.open_list().is_some_and(List::is_in_object) =>
            {
                self.state = self.end_list();
            }
            _ => self.search_from_here(),
        }
        true
    }

    /// Reports the line that begins here and skips it, if it is a conflict marker. An element after it needs no comma before it.
    fn conflict_marker(&mut self) -> bool {
        let window = &self.rest()[..self.rest().len().min(WINDOW)];
        let line = window.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let marker = evalcheck_diagnose::conflict_marker(line).filter(|_| self.location.column == 1);
        let Some(problem) = marker else { return false };
        let location = Location { record: None, ..self.place_of(line.trim_ascii_end().len()) };
        let begins_version = !line.starts_with(b">");
        self.visitor.report(Finding::new(problem, location));
        if begins_version && self.state == State::AfterElement {
            self.state = State::Element { first: true };
        }
        self.begin_comment(Comment::Line);
        true
    }

    /// Begins a comment, after which the list or the object may also end.
    fn begin_comment(&mut self, comment: Comment) {
        self.comment = Some(comment);
        match &mut self.state {
            State::Key { first } | State::Element { first } => *first = true,
            _ => {}
        }
    }

    /// Advances past a comment.
    pub(super) fn skip_comment(&mut self, comment: Comment) -> bool {
        let rest = self.rest();
        let end = match comment {
            Comment::Block => memmem::find(rest, b"*/").map(|location| location + 2),
            Comment::Line => memchr::memchr(b'\n', rest),
        };
        let Some(end) = end else {
            // The last byte may be the first of the `*/`.
            let keep = usize::from(comment == Comment::Block && !self.ended);
            let gone = rest.len().saturating_sub(keep);
            self.skip_bytes(gone);
            return false;
        };
        self.skip_bytes(end);
        self.comment = None;
        true
    }

    pub(super) fn search_from_here(&mut self) {
        self.visitor.observe(Event::Unread);
        if self.state == State::End {
            self.item_column = 0;
        }
        self.searching_from = self.location;
        self.state = State::Search;
    }

    /// Searches for a place where a record or a list begins.
    pub(super) fn search(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(location) = memchr::memchr2(b'{', b'"', rest) else {
                let left = rest.len();
                self.skip_bytes(left);
                return false;
            };
            self.skip_bytes(location);
            let rest = self.rest();
            if rest.len() < WINDOW && !self.ended {
                return false;
            }
            let window = &rest[..rest.len().min(WINDOW)];
            let begins_record = window[0] == b'{'
                && matches!(self.last, b',' | b'[' | b'}')
                && self.open_list().is_some_and(|list| self.begins_element(window, list));
            if begins_record {
                self.state = State::Element { first: true };
                return true;
            }
            let begins_list = window[0] == b'"'
                && matches!(self.last, b',' | b'{' | b'}' | b']')
                && self.lists.iter().any(|list| self.begins_list(window, list));
            if begins_list {
                self.end_list();
                self.state = State::Key { first: true };
                return true;
            }
            self.skip_bytes(1);
        }
    }

    /// Whether the next element of a list evidently begins with these bytes. Where the schema does not tell an element from an object in it,
    /// the layout does: an element is on a line of its own, as far left as the broken one, and its first key is mostly the same.
    fn begins_element(&self, bytes: &[u8], list: &List) -> bool {
        match list.place {
            ListPlace::Key(_) => is_record(bytes, list.schema),
            ListPlace::AnyKey | ListPlace::Root => {
                let key = first_key(bytes);
                let is_alike = self.broken_key.is_none() || key == self.broken_key.as_deref();
                self.is_first_on_line()
                    && self.location.column <= self.item_column
                    && key.is_some()
                    && is_alike
            }
            ListPlace::Single(_) => false,
        }
    }

    /// Whether the key of a list evidently begins with these bytes. A key of the document is further left than the elements of its lists; without
    /// an indentation, the layout does not tell it from other keys.
    fn begins_list(&self, bytes: &[u8], list: &List) -> bool {
        match list.place {
            ListPlace::Key(key) => is_list_key(bytes, key),
            ListPlace::AnyKey => {
                let column = self.location.column;
                let is_outside = match self.open_list() {
                    Some(list) => list.is_in_object() && column < self.item_column,
                    None => column > 1 && column <= self.item_column,
                };
                is_outside && self.is_first_on_line() && begins_with(bytes, b"\":[{")
            }
            ListPlace::Root | ListPlace::Single(_) => false,
        }
    }

    /// Whether only white space is before the next byte on its line.
    fn is_first_on_line(&self) -> bool {
        self.last_character.0.line < self.location.line
    }
}

/// Whether bytes begin with a brace that closes nothing: a comma and the next element follow it.
fn is_surplus(bytes: &[u8]) -> bool {
    begins_with(&bytes[..bytes.len().min(WINDOW)], b"},{")
}

/// Whether bytes begin with this key, a colon and an array.
fn is_list_key(bytes: &[u8], key: &str) -> bool {
    let name = bytes[1..].strip_prefix(key.as_bytes());
    name.is_some_and(|rest| rest.starts_with(b"\"")) && begins_with(bytes, b"\":[")
}
