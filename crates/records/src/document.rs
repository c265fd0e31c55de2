//! One JSON document whose lists hold the records.
//!
//! The document is never held as a whole. This reader follows its brackets and keys. Each element of a list is a record of
//! its own, which is checked as soon as it is complete. Memory is bounded by the longest element
//! ([`MAX_RECORD`](crate::MAX_RECORD)).
//!
//! After a broken element, reading continues where its brackets end, if a comma or the end of the list follows. Otherwise
//! it continues at the next place where an element or a list evidently begins. Without such a place, a finding says that the
//! rest was not checked.

mod element;
mod fix;
mod outside;
pub mod problem;
mod recovery;
mod root;
mod value;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::record_index::Mark;
use crate::{Event, Positions, Reader, Visit};
use crate::{List, ListPlace};
use evalcheck_core::excerpt::{at_least_one_character, is_continuation};
use evalcheck_core::finding::{Location, Step};
use evalcheck_core::rule::AnyProblem;
use evalcheck_diagnose::SyntaxProblem;
use evalcheck_diagnose::{Expected, PathBuilder, RecordStart, SyntaxError};
use evalcheck_json::buffer::Buffer;
use evalcheck_json::scan::characters;
use problem::Document as DocumentProblem;
use value::Waiting;

/// The number of bytes that show the cause of an error, or whether a record begins.
const WINDOW: usize = 256;

/// Up to this many errors between records, reading continues at the error; after any further one, at the next record.
const MOST_ERRORS: u32 = 100;

/// Reads the elements of one document as its bytes arrive.
#[derive(Debug)]
pub struct DocumentReader<V> {
    visitor: V,
    positions: Positions,
    /// The number of the first record that is read.
    first_record: u64,
    lists: &'static [List],
    buffer: Buffer,
    /// The offset in the buffer of the next byte.
    at: usize,
    /// The location of that byte in the dataset.
    location: RecordStart,
    state: State,
    /// The comment that is being skipped.
    comment: Option<Comment>,
    /// The list that is open, and the index of its next element.
    list: Option<usize>,
    index: u64,
    /// The line at which the open list begins.
    list_begins: u64,
    /// The value that is not complete yet.
    value: Waiting,
    /// The key whose value is next.
    key: TopKey,
    /// The keys so far, and their lines; at most `MOST_KEYS`.
    keys: BTreeMap<Rc<str>, u64>,
    /// The first key that the document does not define and that holds lists of records.
    wrapper: Option<Rc<str>>,
    /// The start of the object.
    begins: RecordStart,
    /// The last comma.
    comma: RecordStart,
    errors: u32,
    /// The last byte before `at` that is not white space.
    last: u8,
    /// The start of the character that it ends, and the length of the character.
    last_character: (RecordStart, u64),
    /// The start of the search for the next record.
    searching_from: RecordStart,
    /// The column of the current element, or of the current key of the document; 0 outside of them.
    item_column: u64,
    /// The first key of the last broken element.
    broken_key: Option<Vec<u8>>,
    /// Whether the end of the bytes was reached.
    ended: bool,
    ends_in_line: bool,
    /// Whether a fix of the rest of the document was tried.
    is_rest_fixed: bool,
}

/// The part that the reader expects next.
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
    /// The rest of a value that is too long, to discard.
    Skip,
    /// The next record or list, after an error.
    Search,
    /// Nothing: the system refuses the document whatever follows.
    Refused,
    /// Nothing: the rest is not checked.
    Done,
}

/// A comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comment {
    /// Up to the end of the line.
    Line,
    /// Up to `*/`.
    Block,
}

/// A key of the document.
#[derive(Debug)]
struct TopKey {
    name: Rc<str>,
    /// The key as written in the file.
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

    fn into_visitor(self: Box<Self>) -> V {
        self.visitor
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
            comment: None,
            list: None,
            index: 0,
            list_begins: 1,
            value: Waiting::default(),
            key,
            keys: BTreeMap::new(),
            wrapper: None,
            begins: start,
            comma: start,
            errors: 0,
            last: 0,
            last_character: (start, 0),
            searching_from: start,
            item_column: 0,
            broken_key: None,
            ended: false,
            ends_in_line: false,
            is_rest_fixed: false,
        }
    }

    /// A reader that begins at a known element.
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

    /// Advances to an offset in the buffer.
    fn go_to(&mut self, to: usize) {
        let Some(&last) = self.buffer.held()[self.at..to].last() else { return };
        self.ends_in_line = last != b'\n';
        let passed = &self.buffer.held()[self.at..to];
        if let Some(end) = passed.iter().rposition(|byte| !is_space(*byte)) {
            self.last = passed[end];
            let character = at_least_one_character(&passed[..=end], end + 1..end + 1);
            let is_split = is_continuation(passed[character.start]);
            self.count(self.at + character.start);
            // The character may have begun in an earlier piece.
            if is_split {
                self.last_character.1 += character.len() as u64;
            } else {
                self.last_character = (self.location, character.len() as u64);
            }
        }
        self.count(to);
    }

    /// Counts the lines and columns up to an offset in the buffer.
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

    /// Takes one step. Returns false if more bytes are needed.
    fn step(&mut self) -> bool {
        if let Some(comment) = self.comment {
            return self.skip_comment(comment);
        }
        match self.state {
            State::Search => return self.search(),
            State::Skip => return self.skip(),
            State::Refused => {
                let left = self.rest().len();
                self.skip_bytes(left);
                return false;
            }
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
                    let after = self.end_list();
                    self.take(after)
                }
                // A word that is not a literal, and a string in other quotes, are errors of the element.
                b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.element(),
                _ => self.unexpected(Expected::Element),
            },
            State::AfterElement => match byte {
                b',' => {
                    self.comma = self.location;
                    self.take(State::Element { first: false })
                }
                b']' => {
                    let after = self.end_list();
                    self.take(after)
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
        let List { schema, .. } = self.lists[list];
        let key = Some(&self.key.name).filter(|_| self.lists[list].is_in_object());
        self.visitor.observe(Event::List { list, key, schema, record });
    }

    /// Ends the open list, and returns the state after it.
    fn end_list(&mut self) -> State {
        let is_in_object = self.open_list().is_none_or(List::is_in_object);
        self.list = None;
        self.visitor.observe(Event::ValueEnds);
        if is_in_object { State::AfterValue } else { State::End }
    }

    /// The list that is open.
    fn open_list(&self) -> Option<&'static List> {
        self.list.map(|list| &self.lists[list])
    }

    /// The index of the list at a place that is declared without a key.
    fn list_at(&self, place: ListPlace) -> Option<usize> {
        self.lists.iter().position(|list| list.place == place)
    }

    fn record_start(&self) -> RecordStart {
        RecordStart { record: self.record_number(), ..self.location }
    }

    /// The path of the current element.
    fn base(&self) -> PathBuilder {
        self.open_list().map_or_else(
            || PathBuilder::from(vec![Step::Key(self.key.name.clone())]),
            |list| list.path(self.index),
        )
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

    /// The location of the next `n` bytes.
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

/// The problem of a truncated document, if `problem` is a truncated value. `outer` closes the brackets around the value.
fn truncated(problem: &AnyProblem, outer: &str) -> Option<DocumentProblem> {
    match problem.downcast_ref() {
        Some(SyntaxProblem::Truncated { open, opened, closing, .. }) => {
            let closing = if closing.is_empty() { String::new() } else { format!("{closing}{outer}") };
            let advice = DocumentProblem::advice_on_truncated(&closing);
            let opened = opened.as_deref().cloned();
            Some(DocumentProblem::Truncated { open: open.clone(), opened, advice })
        }
        _ => None,
    }
}

/// An error of a document: unlike in JSONL, no line can be unfinished.
fn in_document(error: SyntaxError) -> SyntaxError {
    SyntaxError { unfinished: false, ..error }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
