//! One JSON object whose lists hold the records.
//!
//! The document is never held as a whole: its brackets and keys are followed here, and each element of a list is a
//! record of its own, checked as soon as it is whole. Memory is bounded by the longest element ([`MAX_RECORD`]).
//!
//! Behind an element that is broken reading goes on where its brackets end, if a comma or the end of the list follows
//! them; otherwise at the next place where an element or a list evidently begins; otherwise the rest is said to be not
//! checked.

mod outside;
pub mod problem;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::List;
use crate::record_index::Mark;
use crate::{MAX_RECORD, PassedRecord, RecordProblem, ScannedRecord};
use crate::{Positions, Reader, Visit};
use evalcheck_core::finding::{Finding, Location, Step};
use evalcheck_core::rule::AnyProblem;
use evalcheck_json::buffer::Buffer;
use evalcheck_json::diagnose::SyntaxProblem;
use evalcheck_json::diagnose::{self, Expected, PathBuilder, RecordStart, SyntaxError};
use evalcheck_json::extent::{Extent, Follow};
use evalcheck_json::scan::characters;
use problem::Document as DocumentProblem;

/// Bytes from which the cause of a fault can be seen, and the beginning of a record be told.
const WINDOW: usize = 256;

/// Faults between records that are gone past; a document with more is lost.
const MOST_FAULTS: u32 = 100;

/// An element that goes on for more bytes than this is looked at before its end is there, so that a quote that is
/// missing does not swallow the rest of the document. Doubled with each look.
const FIRST_LOOK: usize = 64 << 10;

/// Reads the elements of one document as its bytes come.
#[derive(Debug)]
pub struct DocumentReader<V> {
    visitor: V,
    positions: Positions,
    /// The number of the first record that is read.
    first_record: u64,
    lists: &'static [List],
    buffer: Buffer,
    /// The byte of the buffer that comes next.
    at: usize,
    /// Where it stands.
    location: RecordStart,
    state: State,
    /// The list that is open, and its next element.
    list: Option<usize>,
    index: u64,
    /// Where the open list begins.
    list_begins: u64,
    /// The value that is being waited for.
    value: Waiting,
    /// The key whose value is next.
    key: TopKey,
    /// The keys so far and their lines; no more than a thousand.
    keys: BTreeMap<Rc<str>, u64>,
    /// Where the object begins.
    begins: RecordStart,
    /// The last comma.
    comma: RecordStart,
    faults: u32,
    /// The last byte before `at` that is not white space.
    last: u8,
    /// Where the search for a place to go on began.
    searching_from: RecordStart,
    /// No more bytes will come.
    ended: bool,
    ends_in_line: bool,
}

/// What is wanted next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Key {
        first: bool,
    },
    Colon,
    Value,
    Element {
        first: bool,
    },
    AfterElement,
    AfterValue,
    End,
    /// The rest of a value that is too long.
    Skip,
    /// The rest of a comment; `block` is one that `*/` ends.
    Comment {
        block: bool,
        then: Behind,
    },
    /// A place where reading can go on.
    Search,
    /// Nothing: the rest is not looked at.
    Done,
}

/// What a comment stands in front of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    Start,
    Key,
    Colon,
    Value,
    Element,
    AfterElement,
    AfterValue,
    End,
}

/// How far a value was read that is not whole yet.
#[derive(Debug)]
struct Waiting {
    follow: Follow,
    /// Its end, once it was found.
    ends: Option<usize>,
    /// The fast tier looked at it, at a time when it was perhaps not whole.
    tried: bool,
    next_look: usize,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { follow: Follow::default(), ends: None, tried: false, next_look: FIRST_LOOK }
    }
}

/// A key of the document.
#[derive(Debug)]
struct TopKey {
    name: Rc<str>,
    /// As it stands in the file.
    bytes: Vec<u8>,
    location: RecordStart,
}

/// What became of the wait for the end of a value.
enum Whole {
    /// It ends there.
    Ends(usize),
    /// It is broken.
    Broken(SyntaxError),
    /// It is longer than is read.
    TooLong,
    More,
}

impl<V: Visit> Reader<V> for DocumentReader<V> {
    fn buffer(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    fn commit(&mut self, n: usize) {
        self.buffer.advance(n);
        self.run();
    }

    fn finish(&mut self) {
        self.ended = true;
        self.run();
        self.end_of_file();
        let lost = self.visitor.collector().errors() > 0;
        self.visitor.finish(self.location.offset == 0, lost);
    }

    fn stop(&mut self) {
        self.buffer = Buffer::default();
        self.at = 0;
    }

    fn positions(&self) -> &Positions {
        &self.positions
    }

    fn visitor(&self) -> &V {
        &self.visitor
    }

    fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }
}

impl<V: Visit> DocumentReader<V> {
    /// A reader for a dataset of a document.
    pub fn new(visitor: V, lists: &'static [List]) -> Self {
        let start = RecordStart { offset: 0, line: 1, column: 1, record: 0 };
        let key = TopKey { name: "".into(), bytes: Vec::new(), location: start };
        Self {
            visitor,
            positions: Positions::default(),
            first_record: 0,
            lists,
            buffer: Buffer::default(),
            at: 0,
            location: start,
            state: State::Start,
            list: None,
            index: 0,
            list_begins: 1,
            value: Waiting::default(),
            key,
            keys: BTreeMap::new(),
            begins: start,
            comma: start,
            faults: 0,
            last: 0,
            searching_from: start,
            ended: false,
            ends_in_line: false,
        }
    }

    /// A reader that begins at an element that was passed before.
    pub fn resume(visitor: V, lists: &'static [List], mark: Mark) -> Self {
        let mut reader = Self::new(visitor, lists);
        reader.first_record = mark.origin.record;
        reader.location = mark.origin;
        reader.state = State::Element { first: true };
        reader.begin_list(mark.list);
        reader.index = mark.index;
        reader
    }

    /// The number of the next record.
    fn record_number(&self) -> u64 {
        self.first_record + self.visitor.collector().records()
    }

    fn rest(&self) -> &[u8] {
        self.buffer.held().get(self.at..).unwrap_or_default()
    }

    fn run(&mut self) {
        if self.location.offset == 0 && self.at == 0 && self.state == State::Start && self.rest().is_empty() {
            return;
        }
        self.positions.lines.note(1, 0);
        while self.step() {}
        self.buffer.consume(self.at);
        self.at = 0;
        self.positions.text_lines = self.location.line - u64::from(!self.ends_in_line);
    }

    /// Goes on to a place in the buffer.
    fn go_to(&mut self, to: usize) {
        let passed = &self.buffer.held()[self.at..to];
        let Some(&last) = passed.last() else { return };
        self.ends_in_line = last != b'\n';
        if let Some(&byte) = passed.iter().rev().find(|byte| !is_space(**byte)) {
            self.last = byte;
        }
        let mut line_start = 0;
        for newline in memchr::memchr_iter(b'\n', passed) {
            line_start = newline + 1;
            self.location.line += 1;
            self.positions.lines.note(self.location.line, self.location.offset + line_start as u64);
        }
        if line_start > 0 {
            self.location.column = 1;
        }
        self.location.column += characters(&passed[line_start..]);
        self.location.offset += passed.len() as u64;
        self.at = to;
    }

    fn skip_bytes(&mut self, n: usize) {
        self.go_to((self.at + n).min(self.buffer.held().len()));
    }

    fn white_space(&mut self) {
        let spaces = self.rest().iter().take_while(|byte| is_space(**byte)).count();
        self.skip_bytes(spaces);
    }

    /// Goes on by one step; false when more bytes are needed.
    fn step(&mut self) -> bool {
        match self.state {
            State::Search => return self.search(),
            State::Skip => return self.skip(),
            State::Comment { block, then } => return self.comment(block, then),
            State::Done => {
                let left = self.rest().len();
                self.skip_bytes(left);
                return false;
            }
            _ => {}
        }
        self.white_space();
        let Some(&byte) = self.rest().first() else { return false };
        match self.state {
            State::Start => self.start(byte),
            State::Key { first } => self.key(byte, first),
            State::Colon if byte == b':' => self.take(State::Value),
            State::Colon => self.fault(Expected::Colon),
            State::Value => self.top_value(byte),
            State::Element { first } => match byte {
                b']' => {
                    if !first {
                        self.trailing_comma(']');
                    }
                    self.end_list();
                    self.take(State::AfterValue)
                }
                // A word that is no value is the element's own fault, and so is a string in other quotes.
                b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.element(),
                _ => self.fault(Expected::Element),
            },
            State::AfterElement => match byte {
                b',' => {
                    self.comma = self.location;
                    self.take(State::Element { first: false })
                }
                b']' => {
                    self.end_list();
                    self.take(State::AfterValue)
                }
                _ => self.fault(Expected::ArraySeparator),
            },
            State::AfterValue => match byte {
                b',' => {
                    self.comma = self.location;
                    self.take(State::Key { first: false })
                }
                b'}' => {
                    self.missing_lists();
                    self.take(State::End)
                }
                _ => self.fault(Expected::ObjectSeparator),
            },
            _ => self.text_after(),
        }
    }

    fn take(&mut self, state: State) -> bool {
        self.skip_bytes(1);
        self.state = state;
        true
    }

    fn begin_list(&mut self, list: usize) {
        self.list = Some(list);
        self.index = 0;
        self.list_begins = self.location.line;
        let record = self.record_number();
        self.visitor.begin_list(list, self.lists[list].schema, record);
    }

    fn end_list(&mut self) {
        self.list = None;
    }

    fn origin(&self) -> RecordStart {
        RecordStart { record: self.record_number(), ..self.location }
    }

    /// The way to the element at hand.
    fn base(&self) -> PathBuilder {
        let Some(list) = self.list else {
            return PathBuilder::from(vec![Step::Key(self.key.name.clone())]);
        };
        let index = usize::try_from(self.index).unwrap_or(usize::MAX);
        PathBuilder::from(vec![Step::Key(self.lists[list].key.into()), Step::Index(index)])
    }

    /// The element of a list that begins here.
    fn element(&mut self) -> bool {
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
            Whole::Broken(fault) => {
                self.broken_element(start, fault);
                true
            }
            Whole::TooLong => {
                let problem = RecordProblem::TooLong { limit: MAX_RECORD as u64 };
                let location = self.place_of(MAX_RECORD);
                let finding = vec![Finding::new(problem, location)];
                self.count_element(start, finding);
                self.visitor.unread();
                self.state = State::Skip;
                true
            }
        }
    }

    /// Goes past the element when the fast tier has nothing to say of it.
    #[inline]
    fn clean_element(&mut self, start: usize) -> bool {
        let held = self.buffer.held().len();
        let bytes = self.buffer.with_padding();
        let Some(end) = self.visitor.scan_element(bytes, start) else { return false };
        // What stands in the memory behind the held bytes is not the document's.
        let closed = matches!(bytes[start], b'{' | b'[' | b'"');
        if end > held || (end == held && !closed) || end - start > MAX_RECORD {
            return false;
        }
        let at = self.origin();
        let list = self.list.unwrap_or_default();
        let bytes = self.buffer.with_padding();
        if !self.visitor.accept(&ScannedRecord { bytes, start, captures: None, at, list }) {
            return false;
        }
        self.visitor.collector_mut().lines += 1;
        self.visitor.collector_mut().valid += 1;
        self.after_element(start, end);
        true
    }

    /// An element whose end is known.
    fn whole_element(&mut self, start: usize, length: usize) -> bool {
        let end = start + length;
        if self.clean_element(start) {
            return true;
        }
        let bytes = &self.buffer.held()[start..end];
        let origin = self.origin();
        if let Err(fault) = diagnose::parse_at(bytes, origin) {
            let behind = self.buffer.held()[end..].iter().find(|byte| !is_space(**byte));
            match behind {
                None if !self.ended => return false,
                None | Some(b',' | b']') => {
                    self.report_broken(start, fault);
                    self.after_element(start, end);
                }
                Some(_) => self.broken_element(start, fault),
            }
            return true;
        }
        let base = self.base();
        let list = self.list.unwrap_or_default();
        let findings = self.visitor.check(bytes, origin, &base, list).findings;
        self.count_element(start, findings);
        self.after_element(start, end);
        true
    }

    fn count_element(&mut self, start: usize, findings: Vec<Finding>) {
        debug_assert_eq!(start, self.at, "an element is counted before it is gone past");
        self.visitor.collector_mut().lines += 1;
        self.visitor.count_record(findings);
    }

    /// Goes past an element that was counted.
    fn after_element(&mut self, start: usize, end: usize) {
        self.mark();
        let before = self.location;
        self.go_to(end);
        self.note_passed(before, start, end, false);
        self.index += 1;
        self.value = Waiting::default();
        self.state = State::AfterElement;
    }

    /// Notes where the element begins; to be called once it was counted.
    fn mark(&mut self) {
        let record = self.record_number() - 1;
        self.positions.records.note(
            RecordStart { record, ..self.location },
            self.list.unwrap_or_default(),
            self.index,
        );
    }

    /// Tells the visitor of the element that was gone past.
    #[inline]
    fn note_passed(&mut self, before: RecordStart, start: usize, end: usize, is_partial: bool) {
        let origin = RecordStart { record: self.record_number() - 1, ..before };
        self.visitor.passed(&PassedRecord {
            bytes: &self.buffer.held()[start..end],
            mark: Mark { origin, list: self.list.unwrap_or_default(), index: self.index },
            last_line: self.location.line,
            is_partial,
        });
    }

    /// Reports an element that is no JSON, and looks for the next.
    fn broken_element(&mut self, start: usize, fault: SyntaxError) {
        let from = start + fault.span.start.max(1);
        let truncated = matches!(fault.problem, SyntaxProblem::Truncated { .. });
        self.report_broken(start, fault);
        self.mark();
        let before = self.location;
        self.go_to(from.min(self.buffer.held().len()));
        // The rest of the line, for showing.
        let rest = self.rest();
        let rest = &rest[..rest.len().min(4 * WINDOW)];
        let more = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.note_passed(before, start, self.at + more, true);
        self.index += 1;
        self.value = Waiting::default();
        if truncated {
            self.state = State::Done;
        } else {
            self.search_from_here();
        }
    }

    fn report_broken(&mut self, start: usize, fault: SyntaxError) {
        let origin = self.origin();
        let bytes = &self.buffer.held()[start..];
        let mut finding = vec![in_document(fault).into_finding().locate(bytes, origin)];
        if let Some(problem) = truncated(&finding[0].problem) {
            finding[0].problem = problem.into();
        }
        self.count_element(start, finding);
        self.visitor.unread();
    }

    /// Waits for the end of the value that begins here.
    fn whole_value(&mut self) -> Whole {
        if let Some(length) = self.value.ends {
            return Whole::Ends(length);
        }
        let rest = self.buffer.held().get(self.at..).unwrap_or_default();
        let most = rest.len().min(MAX_RECORD + 1);
        let follow = &mut self.value.follow;
        match follow.find(&rest[..most]) {
            Extent::Ends(length) => {
                self.value.ends = Some(length);
                return Whole::Ends(length);
            }
            Extent::Lost => {
                let until = follow.forget() + 1;
                if let Err(fault) = diagnose::parse_at(&rest[..until], self.origin()) {
                    return Whole::Broken(fault);
                }
            }
            Extent::More => {}
        }
        while most >= self.value.next_look {
            let look = self.value.next_look;
            self.value.next_look *= 2;
            if let Err(fault) = diagnose::parse_at(&rest[..look], self.origin())
                && !matches!(fault.problem, SyntaxProblem::Truncated { .. })
                && fault.span.end + WINDOW < look
            {
                return Whole::Broken(fault);
            }
        }
        if most > MAX_RECORD {
            return Whole::TooLong;
        }
        if !self.ended {
            return Whole::More;
        }
        match diagnose::parse_at(rest, self.origin()) {
            Err(fault) => Whole::Broken(fault),
            Ok(_) => Whole::Ends(rest.len()),
        }
    }

    /// Throws away the rest of a value that is too long.
    fn skip(&mut self) -> bool {
        let found = self.value.follow.find(self.buffer.held().get(self.at..).unwrap_or_default());
        let gone = self.value.follow.forget();
        self.skip_bytes(gone);
        match found {
            Extent::More => return false,
            Extent::Lost => self.search_from_here(),
            Extent::Ends(_) => {
                self.state = if self.list.is_some() { State::AfterElement } else { State::AfterValue };
            }
        }
        if self.list.is_some() {
            self.index += 1;
        }
        self.value = Waiting::default();
        true
    }

    /// The place of the next `n` bytes.
    fn place_of(&self, n: usize) -> Location {
        let origin = self.origin();
        let bytes = Some(origin.offset..origin.offset + n as u64);
        let record = self.list.map(|_| origin.record);
        Location {
            line: Some(origin.line),
            column: Some(origin.column),
            bytes,
            record,
            ..Location::default()
        }
    }
}

/// The problem that a document is truncated, when a finding says so of a value in it.
fn truncated(problem: &AnyProblem) -> Option<DocumentProblem> {
    match problem.downcast_ref() {
        Some(SyntaxProblem::Truncated { open, .. }) => {
            Some(DocumentProblem::Truncated { open: open.clone() })
        }
        _ => None,
    }
}

/// A fault whose line is not JSONL's: nothing is unfinished.
fn in_document(fault: SyntaxError) -> SyntaxError {
    SyntaxError { unfinished: false, ..fault }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
