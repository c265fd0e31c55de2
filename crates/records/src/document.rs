//! One JSON object whose lists hold the records.
//!
//! The document is never held as a whole: its brackets and keys are followed here, and each element of a list is a
//! record of its own, checked as soon as it is whole. Memory is bounded by the longest element ([`MAX_RECORD`](crate::MAX_RECORD)).
//!
//! Behind an element that is broken reading goes on where its brackets end, if a comma or the end of the list follows
//! them; otherwise at the next place where an element or a list evidently begins; otherwise the rest is said to be not
//! checked.

mod element;
mod fix;
mod outside;
pub mod problem;
mod recovery;
mod value;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::List;
use crate::record_index::Mark;
use crate::{Event, Positions, Reader, Visit};
use evalcheck_core::excerpt::{at_least_one_character, is_continuation};
use evalcheck_core::finding::{Location, Step};
use evalcheck_core::rule::AnyProblem;
use evalcheck_json::buffer::Buffer;
use evalcheck_json::diagnose::SyntaxProblem;
use evalcheck_json::diagnose::{Expected, PathBuilder, RecordStart, SyntaxError};
use evalcheck_json::scan::characters;
use problem::Document as DocumentProblem;
use value::Waiting;

/// Bytes from which the cause of an error can be seen, and the beginning of a record be told.
const WINDOW: usize = 256;

/// Errors between records that are gone past; a document with more is lost.
const MOST_ERRORS: u32 = 100;

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
    errors: u32,
    /// The last byte before `at` that is not white space.
    last: u8,
    /// The character that it ends, and its bytes.
    last_character: (RecordStart, u64),
    /// Where the search for a place to go on began.
    searching_from: RecordStart,
    /// No more bytes will come.
    ended: bool,
    ends_in_line: bool,
    /// The rest of the document was looked at for a fix of all of it.
    is_rest_fixed: bool,
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
    /// Nothing: the rest is not checked.
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

/// A key of the document.
#[derive(Debug)]
struct TopKey {
    name: Rc<str>,
    /// As it stands in the file.
    bytes: Vec<u8>,
    location: RecordStart,
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
        let is_empty = self.location.offset == 0;
        self.visitor.observe(Event::End { is_empty, is_lost: lost });
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
            errors: 0,
            last: 0,
            last_character: (start, 0),
            searching_from: start,
            ended: false,
            ends_in_line: false,
            is_rest_fixed: false,
        }
    }

    /// A reader that begins at an element that was passed before.
    pub fn resume(visitor: V, lists: &'static [List], mark: Mark) -> Self {
        let mut reader = Self::new(visitor, lists);
        reader.first_record = mark.record_start.record;
        reader.location = mark.record_start;
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
        let Some(&last) = self.buffer.held()[self.at..to].last() else { return };
        self.ends_in_line = last != b'\n';
        let passed = &self.buffer.held()[self.at..to];
        if let Some(end) = passed.iter().rposition(|byte| !is_space(*byte)) {
            self.last = passed[end];
            let character = at_least_one_character(&passed[..=end], end + 1..end + 1);
            let is_split = is_continuation(passed[character.start]);
            self.count(self.at + character.start);
            // The first bytes of a character may have come before the rest of it.
            if is_split {
                self.last_character.1 += character.len() as u64;
            } else {
                self.last_character = (self.location, character.len() as u64);
            }
        }
        self.count(to);
    }

    /// Counts the lines and columns up to a place in the buffer.
    fn count(&mut self, to: usize) {
        let passed = &self.buffer.held()[self.at..to];
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
                if self.rest().iter().any(|byte| !is_space(*byte)) {
                    self.visitor.observe(Event::NotChecked);
                }
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
            State::Colon => self.unexpected(Expected::Colon),
            State::Value => self.top_value(byte),
            State::Element { first } => match byte {
                b']' => {
                    if !first {
                        self.trailing_comma(']');
                    }
                    self.end_list();
                    self.take(State::AfterValue)
                }
                // A word that is no value is the element's own error, and so is a string in other quotes.
                b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.element(),
                _ => self.unexpected(Expected::Element),
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
                _ => self.unexpected(Expected::ArraySeparator),
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
                _ => self.unexpected(Expected::ObjectSeparator),
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
        let schema = self.lists[list].schema;
        self.visitor.observe(Event::List { list, schema, record });
    }

    fn end_list(&mut self) {
        self.list = None;
        self.visitor.observe(Event::ValueEnds);
    }

    fn record_start(&self) -> RecordStart {
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

    /// The last character of the document that is not white space.
    fn place_of_last(&self) -> Location {
        let (at, length) = self.last_character;
        Location {
            line: Some(at.line),
            column: Some(at.column),
            bytes: Some(at.offset..at.offset + length),
            ..Location::default()
        }
    }

    /// The place of the next `n` bytes.
    fn place_of(&self, n: usize) -> Location {
        let record_start = self.record_start();
        let bytes = Some(record_start.offset..record_start.offset + n as u64);
        let record = self.list.map(|_| record_start.record);
        Location {
            line: Some(record_start.line),
            column: Some(record_start.column),
            bytes,
            record,
            ..Location::default()
        }
    }
}

/// The problem that a document is truncated, when a finding says so of a value in it.
fn truncated(problem: &AnyProblem) -> Option<DocumentProblem> {
    match problem.downcast_ref() {
        Some(SyntaxProblem::Truncated { open, opened, .. }) => {
            Some(DocumentProblem::Truncated { open: open.clone(), opened: opened.as_deref().cloned() })
        }
        _ => None,
    }
}

/// An error whose line is not JSONL's: nothing is unfinished.
fn in_document(error: SyntaxError) -> SyntaxError {
    SyntaxError { unfinished: false, ..error }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
