//! The elements of a list: each is a record.

use std::ops::Range;

use evalcheck_core::finding::Finding;
use evalcheck_diagnose::{RecordStart, RecordText, SyntaxError, SyntaxProblem};
use evalcheck_json::tokens::first_key;

use super::value::{Waiting, Whole};
use super::{DocumentReader, State, WINDOW, in_document, is_space, truncated};
use crate::record_index::Mark;
use crate::{CountedRecord, Event, Extent, ListPlace, MAX_RECORD, Part, RecordProblem, ScannedRecord, Visit};

impl<V: Visit> DocumentReader<V> {
    /// Reads the element of a list that begins here.
    pub(super) fn element(&mut self) -> bool {
        let start = self.at;
        self.item_column = self.location.column;
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
                self.count_element(None, vec![Finding::new(problem, location)]);
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
        let (list, index) = (self.list.unwrap_or_default(), self.index);
        let bytes = self.buffer.with_padding();
        let text = &bytes[start..end];
        let record = ScannedRecord { bytes, start, text, captures: None, row: None, at, list, index };
        if !self.visitor.accept(&record) {
            return false;
        }
        self.visitor.collector_mut().valid += 1;
        self.after_element(end);
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
        if let Err(error) = evalcheck_diagnose::parse_at(bytes, record_start) {
            // Nothing that follows the only record belongs to it.
            let is_single = self.is_single();
            let behind = self.buffer.held()[end..].iter().find(|byte| !is_space(**byte));
            match behind.filter(|_| !is_single) {
                None if !self.ended && !is_single => return false,
                None | Some(b',' | b']') => {
                    let schema = self.lists[self.list.unwrap_or_default()].schema;
                    let finding = evalcheck_diagnose::fixed_syntax_finding(error, bytes, false, schema);
                    let finding = finding.locate(&RecordText::new(bytes, record_start));
                    self.count_broken(start..end, true, finding);
                    self.after_element(end);
                }
                Some(_) if self.waits_for_rest() => return false,
                Some(_) => self.broken_element(start, error),
            }
            return true;
        }
        let base = self.base();
        let list = self.list.unwrap_or_default();
        let findings = self.visitor.check(Part::Record { base: &base, list }, bytes, record_start).findings;
        self.count_element(Some((start..end, true)), findings);
        self.after_element(end);
        true
    }

    /// Counts an element. `text` is its range in the buffer, and whether it is complete.
    fn count_element(&mut self, text: Option<(Range<usize>, bool)>, findings: Vec<Finding>) {
        let mark = self.element_mark(self.record_number());
        let start = mark.record_start;
        let (text, is_whole) = match text {
            Some((range, is_whole)) => (Some(&self.buffer.held()[range]), is_whole),
            None => (None, false),
        };
        let (length, breaks) =
            text.map_or((0, 0), |text| (text.len() as u64, memchr::memchr_iter(b'\n', text).count()));
        let record = CountedRecord {
            text,
            mark,
            last_line: start.line + breaks as u64,
            bytes: is_whole.then_some(start.offset..start.offset + length),
            ..CountedRecord::unread(start)
        };
        self.visitor.count_record(&record, findings);
    }

    /// Advances past an element that was counted.
    fn after_element(&mut self, end: usize) {
        self.mark();
        self.go_to(end);
        self.index += 1;
        self.value = Waiting::default();
        self.state = self.after_item();
    }

    /// The state after an element.
    pub(super) fn after_item(&mut self) -> State {
        if self.is_single() { self.end_list() } else { State::AfterElement }
    }

    /// Whether the document is the only record.
    fn is_single(&self) -> bool {
        self.open_list().is_some_and(|list| matches!(list.place, ListPlace::Single(_)))
    }

    /// Notes where the element begins. The element must already be counted.
    fn mark(&mut self) {
        let mark = self.element_mark(self.record_number() - 1);
        self.positions.records.note(mark);
    }

    /// The start of the element, which is the record with this number.
    fn element_mark(&self, record: u64) -> Mark {
        let record_start = RecordStart { record, ..self.location };
        Mark { record_start, list: self.list.unwrap_or_default(), index: self.index, after_blank: false }
    }

    /// Reports an element that is not JSON, and searches for the next one.
    fn broken_element(&mut self, start: usize, error: SyntaxError) {
        let truncated = matches!(error.problem, SyntaxProblem::Truncated { .. });
        let held = self.buffer.held();
        let from = (start + error.span.start.max(1)).min(held.len());
        // The preview shows the rest of the line.
        let rest = &held[from..];
        let rest = &rest[..rest.len().min(4 * WINDOW)];
        let end = from + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let fix = self.rest_fix();
        let beginning = &self.buffer.held()[start..from.min(start + WINDOW)];
        self.broken_key = first_key(beginning).map(<[u8]>::to_vec);
        let text = RecordText::new(&self.buffer.held()[start..], self.record_start());
        let finding = evalcheck_diagnose::syntax_finding(in_document(error)).locate(&text).with_fix(fix);
        self.count_broken(start..end, false, finding);
        self.mark();
        self.go_to(from);
        self.index += 1;
        self.value = Waiting::default();
        if truncated {
            self.state = State::Done;
        } else {
            self.search_from_here();
        }
    }

    fn count_broken(&mut self, text: Range<usize>, is_whole: bool, mut finding: Finding) {
        if let Some(problem) = truncated(&finding.problem, self.outer_brackets()) {
            finding.problem = problem.into();
        }
        self.count_element(Some((text, is_whole)), vec![finding]);
        self.visitor.observe(Event::Unread);
    }
}
