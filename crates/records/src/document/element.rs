//! The elements of a list: each is a record.

use evalcheck_core::finding::Finding;
use evalcheck_json::diagnose::{self, RecordStart, RecordText, SyntaxError, SyntaxProblem};

use super::value::{Waiting, Whole};
use super::{DocumentReader, State, WINDOW, in_document, is_space, truncated};
use crate::record_index::Mark;
use crate::{Event, Extent, MAX_RECORD, Part, RecordProblem, RecordRead, ScannedRecord, Visit};

impl<V: Visit> DocumentReader<V> {
    /// Reads the element of a list that begins here.
    pub(super) fn element(&mut self) -> bool {
        let start = self.at;
        if !self.value.tried {
            self.value.tried = true;
            if self.clean_element(start) {
                return true;
            }
        }
        match self.whole_value() {
            Whole::More => false,
            Whole::Ends(length) => self.whole_element(start, length),
            Whole::Broken(error) => {
                self.broken_element(start, error);
                true
            }
            Whole::TooLong => {
                let problem = RecordProblem::TooLong { limit: MAX_RECORD as u64 };
                let location = self.place_of(MAX_RECORD);
                let finding = vec![Finding::new(problem, location)];
                self.count_element(start, finding);
                self.visitor.observe(Event::Unread);
                self.state = State::Skip;
                true
            }
        }
    }

    /// Counts the element and advances past it, if the fast tier finds it clean.
    #[inline]
    fn clean_element(&mut self, start: usize) -> bool {
        let held = self.buffer.held().len();
        let bytes = self.buffer.with_padding();
        let Some(end) = self.visitor.scan(bytes, start, Extent::Element) else { return false };
        // The memory after the held bytes is not part of the document.
        let closed = matches!(bytes[start], b'{' | b'[' | b'"');
        if end > held || (end == held && !closed) || end - start > MAX_RECORD {
            return false;
        }
        let at = self.record_start();
        let list = self.list.unwrap_or_default();
        let bytes = self.buffer.with_padding();
        let text = &bytes[start..end];
        if !self.visitor.accept(&ScannedRecord { bytes, start, text, captures: None, row: None, at, list }) {
            return false;
        }
        self.visitor.collector_mut().valid += 1;
        self.after_element(start, end);
        true
    }

    /// Checks an element with a known end.
    fn whole_element(&mut self, start: usize, length: usize) -> bool {
        let end = start + length;
        if self.clean_element(start) {
            return true;
        }
        let bytes = &self.buffer.held()[start..end];
        let record_start = self.record_start();
        if let Err(error) = diagnose::parse_at(bytes, record_start) {
            let behind = self.buffer.held()[end..].iter().find(|byte| !is_space(**byte));
            match behind {
                None if !self.ended => return false,
                None | Some(b',' | b']') => {
                    let schema = self.lists[self.list.unwrap_or_default()].schema;
                    let finding = diagnose::fixed_syntax_finding(error, bytes, false, schema);
                    self.count_broken(start, finding.locate(&RecordText::new(bytes, record_start)));
                    self.after_element(start, end);
                }
                Some(_) if self.waits_for_rest() => return false,
                Some(_) => self.broken_element(start, error),
            }
            return true;
        }
        let base = self.base();
        let list = self.list.unwrap_or_default();
        let findings = self.visitor.check(Part::Record { base: &base, list }, bytes, record_start).findings;
        self.count_element(start, findings);
        self.after_element(start, end);
        true
    }

    fn count_element(&mut self, start: usize, findings: Vec<Finding>) {
        debug_assert_eq!(start, self.at, "an element is counted before it is gone past");
        self.visitor.count_record(findings);
    }

    /// Advances past an element that was counted.
    fn after_element(&mut self, start: usize, end: usize) {
        self.mark();
        let before = self.location;
        self.go_to(end);
        self.note_read(before, start, end, false);
        self.index += 1;
        self.value = Waiting::default();
        self.state = State::AfterElement;
    }

    /// Notes where the element begins. The element must already be counted.
    fn mark(&mut self) {
        let record_start = RecordStart { record: self.record_number() - 1, ..self.location };
        let (list, index) = (self.list.unwrap_or_default(), self.index);
        self.positions.records.note(Mark { record_start, list, index, after_blank: false });
    }

    /// Reports an element that was read to the visitor.
    #[inline]
    fn note_read(&mut self, before: RecordStart, start: usize, end: usize, is_partial: bool) {
        let record_start = RecordStart { record: self.record_number() - 1, ..before };
        self.visitor.observe(Event::Read(RecordRead {
            line_break: 0,
            bytes: &self.buffer.held()[start..end],
            mark: Mark {
                record_start,
                list: self.list.unwrap_or_default(),
                index: self.index,
                after_blank: false,
            },
            last_line: self.location.line,
            is_partial,
        }));
    }

    /// Reports an element that is not JSON, and searches for the next one.
    fn broken_element(&mut self, start: usize, error: SyntaxError) {
        let from = start + error.span.start.max(1);
        let truncated = matches!(error.problem, SyntaxProblem::Truncated { .. });
        let fix = self.rest_fix();
        let text = RecordText::new(&self.buffer.held()[start..], self.record_start());
        let finding = diagnose::syntax_finding(in_document(error)).locate(&text).with_fix(fix);
        self.count_broken(start, finding);
        self.mark();
        let before = self.location;
        self.go_to(from.min(self.buffer.held().len()));
        // The preview shows the rest of the line.
        let rest = self.rest();
        let rest = &rest[..rest.len().min(4 * WINDOW)];
        let more = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.note_read(before, start, self.at + more, true);
        self.index += 1;
        self.value = Waiting::default();
        if truncated {
            self.state = State::Done;
        } else {
            self.search_from_here();
        }
    }

    fn count_broken(&mut self, start: usize, mut finding: Finding) {
        if let Some(problem) = truncated(&finding.problem, self.outer_brackets()) {
            finding.problem = problem.into();
        }
        self.count_element(start, vec![finding]);
        self.visitor.observe(Event::Unread);
    }
}
