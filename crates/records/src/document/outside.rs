//! What stands around the records: the object, its keys, other values; faults there, and where to go on behind them.

use memchr::memmem;

use super::DocumentProblem;
use super::{Behind, DocumentReader, MOST_FAULTS, State, WINDOW, Waiting, Whole};
use crate::{MAX_RECORD, RecordProblem, Visit};
use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_core::suggest;
use evalcheck_json::diagnose::{self, Expected, PathBuilder, SyntaxError};
use evalcheck_json::diagnose::{SchemaProblem, SyntaxProblem, TextProblem};
use evalcheck_json::scan::BOM;
use evalcheck_json::schema::{ANY, Object, Schema};

/// Keys of the document that are remembered.
const MOST_KEYS: usize = 1000;

static ARRAY: Schema = Schema::ANY_ARRAY;

impl<V: Visit> DocumentReader<V> {
    /// The first byte that is no white space.
    pub(super) fn start(&mut self, byte: u8) -> bool {
        if self.location.offset == 0 && byte == BOM[0] {
            if self.rest().len() < BOM.len() && !self.ended {
                return false;
            }
            if self.rest().starts_with(BOM) {
                let location = Location {
                    line: Some(1),
                    column: Some(1),
                    bytes: Some(0..BOM.len() as u64),
                    ..Location::default()
                };
                self.visitor.report(Finding::new(TextProblem::ByteOrderMark, location));
                self.skip_bytes(BOM.len());
                self.location.column = 1;
                return true;
            }
        }
        let received = match byte {
            b'{' => {
                self.begins = self.location;
                return self.take(State::Key { first: true });
            }
            b'[' => "array",
            b'"' => "string",
            b'-' | b'0'..=b'9' => "number",
            _ => return self.fault(Expected::Value),
        };
        let lists: Vec<String> = self.lists.iter().map(|list| format!("\"{}\"", list.key)).collect();
        let advice = format!("The file is one JSON object that holds {}.", lists.join(" and "));
        let problem = SchemaProblem::WrongType { expected: "object".to_owned(), received, advice };
        let location = Location { path: Some(Path::default()), ..self.place_of(1) };
        self.visitor.report(Finding::new(problem, location));
        self.state = State::Done;
        true
    }

    /// A key of the document, or its end.
    pub(super) fn key(&mut self, byte: u8, first: bool) -> bool {
        if byte == b'}' {
            if !first {
                self.trailing_comma('}');
            }
            self.missing_lists();
            return self.take(State::End);
        }
        if byte != b'"' {
            return self.fault(Expected::Key);
        }
        let length = match self.length_of_value() {
            Ok(length) => length,
            Err(goes_on) => return goes_on,
        };
        let bytes = &self.buffer.held()[self.at..self.at + length];
        let (name, findings) = match diagnose::parse_at(bytes, self.location) {
            Err(fault) => return self.broken_value(fault),
            Ok(parsed) => {
                let name = parsed.value.as_str().unwrap_or_default().to_owned();
                let base = PathBuilder::from(vec![Step::Key(name.as_str().into())]);
                (name, self.visitor.check_value(&parsed, bytes, self.location, &base, &ANY))
            }
        };
        let bytes = bytes.to_vec();
        self.add_other(findings);
        self.key = super::TopKey { name: name.into(), bytes, location: self.location };
        let line = self.location.line;
        if let Some(&first) = self.keys.get(&self.key.name) {
            let key = clip(&String::from_utf8_lossy(&self.key.bytes), 80);
            let location = self.key_place();
            self.visitor.report(Finding::new(DocumentProblem::DuplicateKey { key, first }, location));
        } else if self.keys.len() < MOST_KEYS {
            self.keys.insert(self.key.name.clone(), line);
        }
        self.skip_bytes(length);
        self.value = Waiting::default();
        self.state = State::Colon;
        true
    }

    /// The length of the value that begins here. Where it cannot be told, what is wrong with it was said, and the error is
    /// whether there is more to do with the bytes at hand.
    fn length_of_value(&mut self) -> Result<usize, bool> {
        match self.whole_value() {
            Whole::Ends(length) => Ok(length),
            Whole::More => Err(false),
            Whole::Broken(fault) => Err(self.broken_value(fault)),
            Whole::TooLong => Err(self.value_too_long()),
        }
    }

    /// The place of the key at hand.
    fn key_place(&self) -> Location {
        let at = self.key.location;
        Location {
            line: Some(at.line),
            column: Some(at.column),
            bytes: Some(at.offset..at.offset + self.key.bytes.len() as u64),
            path: Some(Path(vec![Step::Key(self.key.name.clone())])),
            ..Location::default()
        }
    }

    /// The value behind a key of the document.
    pub(super) fn top_value(&mut self, byte: u8) -> bool {
        let list = self.lists.iter().position(|list| *list.key == *self.key.name);
        if let Some(list) = list
            && byte == b'['
        {
            self.take(State::Element { first: true });
            self.begin_list(list);
            return true;
        }
        if matches!(byte, b',' | b'}' | b']' | b':' | b'/' | b'#') {
            return self.fault(Expected::Value);
        }
        let length = match self.length_of_value() {
            Ok(length) => length,
            Err(goes_on) => return goes_on,
        };
        let bytes = &self.buffer.held()[self.at..self.at + length];
        let origin = self.location;
        let base = PathBuilder::from(vec![Step::Key(self.key.name.clone())]);
        let schema = if list.is_some() { &ARRAY } else { &ANY };
        let mut findings = match diagnose::parse_at(bytes, origin) {
            Err(fault) => return self.broken_value(fault),
            Ok(parsed) => self.visitor.check_value(&parsed, bytes, origin, &base, schema),
        };
        if list.is_none() {
            let key = format!("\"{}\"", clip(&self.key.name, 80));
            let near = suggest::nearest(&self.key.name, self.lists.iter().map(|list| list.key));
            let advice = near.map_or_else(
                || "Delete the key, or keep it knowing that the system does not see it.".to_owned(),
                |near| format!("Did you mean \"{near}\"?"),
            );
            let unknown = Finding::new(SchemaProblem::UnknownKey { key, advice }, self.key_place());
            findings.insert(0, unknown);
        }
        self.add_other(findings);
        self.skip_bytes(length);
        self.value = Waiting::default();
        self.state = State::AfterValue;
        true
    }

    /// Adds findings that are not a record's.
    fn add_other(&mut self, mut findings: Vec<Finding>) {
        for finding in &mut findings {
            finding.location.record = None;
        }
        for finding in findings {
            self.visitor.report(finding);
        }
    }

    fn broken_value(&mut self, fault: SyntaxError) -> bool {
        let from = fault.span.start.max(1);
        let truncated = self.report_fault(fault);
        self.value = Waiting::default();
        self.skip_bytes(from);
        if truncated {
            self.state = State::Done;
        } else {
            self.search_from_here();
        }
        true
    }

    fn value_too_long(&mut self) -> bool {
        let problem = RecordProblem::TooLong { limit: MAX_RECORD as u64 };
        let location = self.place_of(MAX_RECORD);
        self.visitor.report(Finding::new(problem, location));
        self.state = State::Skip;
        true
    }

    /// Reports a fault in bytes that begin here; true when it is that the document ends.
    fn report_fault(&mut self, fault: SyntaxError) -> bool {
        let found = super::in_document(fault).into_finding();
        let mut finding = found.locate(self.rest(), self.location);
        finding.location.record = None;
        let truncated = super::truncated(&finding.problem);
        let is_truncated = truncated.is_some();
        if let Some(problem) = truncated {
            finding.problem = problem.into();
        }
        self.add_other(vec![finding]);
        is_truncated
    }

    /// What stands here is not what is wanted: says so, and goes on where that is possible. False when more bytes are
    /// needed to see the cause.
    pub(super) fn fault(&mut self, wanted: Expected) -> bool {
        if self.rest().len() < WINDOW && !self.ended {
            return false;
        }
        let window = &self.rest()[..self.rest().len().min(WINDOW)];
        let byte = window[0];
        let mut fault = diagnose::unexpected_token(wanted, window, self.location);
        if matches!(wanted, Expected::Nothing)
            && let SyntaxProblem::SecondValue { what, .. } = &fault.problem
        {
            let problem = DocumentProblem::TextAfter { what: what.clone() };
            let location = self.place_of(1);
            self.visitor.report(Finding::new(problem, location));
            self.state = State::Done;
            return true;
        }
        fault.span.end = fault.span.end.min(window.len());
        let problem = fault.problem.clone();
        let length = fault.span.len();
        let block = window.starts_with(b"/*");
        self.report_fault(fault);
        self.faults += 1;
        if self.faults > MOST_FAULTS {
            self.search_from_here();
            return true;
        }
        match (problem, self.state) {
            (SyntaxProblem::Comment { .. }, state) => {
                self.state = State::Comment { block, then: behind(state) }
            }
            (SyntaxProblem::StrayCharacter { .. }, _) if length > 0 => self.skip_bytes(length),
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
            // A brace too many: the next element follows.
            (SyntaxProblem::UnmatchedBracket { .. }, State::AfterElement) if is_surplus(self.rest()) => {
                self.skip_bytes(1);
            }
            // The bracket that ends the list is missing.
            (SyntaxProblem::UnmatchedBracket { .. }, State::AfterElement | State::Element { .. })
                if byte == b'}' =>
            {
                self.end_list();
                self.state = State::AfterValue;
            }
            _ => self.search_from_here(),
        }
        true
    }

    /// What follows the document.
    pub(super) fn text_after(&mut self) -> bool {
        self.fault(Expected::Nothing)
    }

    pub(super) fn trailing_comma(&mut self, before: char) {
        let at = self.comma;
        let location = Location {
            line: Some(at.line),
            column: Some(at.column),
            bytes: Some(at.offset..at.offset + 1),
            ..Location::default()
        };
        self.visitor
            .report(Finding::new(SyntaxProblem::TrailingComma { column: at.column, before }, location));
    }

    /// The document is whole: lists that it should have and has not.
    pub(super) fn missing_lists(&mut self) {
        let lists = self.lists;
        for list in lists.iter().filter(|list| list.required) {
            if self.keys.contains_key(list.key) {
                continue;
            }
            let others = self.keys.keys().map(|key| &**key);
            let unknown = others.filter(|key| lists.iter().all(|list| list.key != *key));
            let advice = match suggest::nearest(list.key, unknown) {
                Some(near) => {
                    format!("There is a key \"{}\": rename it to \"{}\".", clip(near, 80), list.key)
                }
                None => format!("Add the key \"{}\" (array).", list.key),
            };
            let at = self.begins;
            let location = Location {
                line: Some(at.line),
                column: Some(at.column),
                bytes: Some(at.offset..at.offset + 1),
                path: Some(Path(vec![Step::Key(list.key.into())])),
                ..Location::default()
            };
            self.add_at(SchemaProblem::MissingKey { advice }, location);
        }
    }

    /// Adds a finding about a place that was gone past.
    fn add_at(&mut self, problem: impl Into<evalcheck_core::rule::AnyProblem>, location: Location) {
        let finding = Finding::new(problem, location);
        self.visitor.report_late(finding);
    }

    /// Goes past a comment.
    pub(super) fn comment(&mut self, block: bool, then: Behind) -> bool {
        let rest = self.rest();
        let end = if block {
            memmem::find(rest, b"*/").map(|location| location + 2)
        } else {
            memchr::memchr(b'\n', rest)
        };
        let Some(end) = end else {
            // The last byte may be the first of the end.
            let keep = usize::from(block && !self.ended);
            let gone = rest.len().saturating_sub(keep);
            self.skip_bytes(gone);
            return false;
        };
        self.skip_bytes(end);
        self.state = match then {
            Behind::Start => State::Start,
            Behind::Key => State::Key { first: true },
            Behind::Colon => State::Colon,
            Behind::Value => State::Value,
            Behind::Element => State::Element { first: true },
            Behind::AfterElement => State::AfterElement,
            Behind::AfterValue => State::AfterValue,
            Behind::End => State::End,
        };
        true
    }

    pub(super) fn search_from_here(&mut self) {
        self.visitor.unread();
        self.searching_from = self.location;
        self.state = State::Search;
    }

    /// Looks for a place where a record or a list begins.
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
                && self.list.is_some_and(|list| begins_with_a_key(window, self.lists[list].schema));
            if begins_record {
                self.state = State::Element { first: true };
                return true;
            }
            let begins_list = window[0] == b'"'
                && matches!(self.last, b',' | b'{' | b'}' | b']')
                && self.lists.iter().any(|list| is_list_key(window, list.key));
            if begins_list {
                self.end_list();
                self.state = State::Key { first: true };
                return true;
            }
            self.skip_bytes(1);
        }
    }

    /// Every byte was read: what is still open.
    pub(super) fn end_of_file(&mut self) {
        let open = match self.state {
            State::Done
            | State::End
            | State::Start
            | State::Comment { then: Behind::End | Behind::Start, .. } => return,
            State::Search => {
                let from = self.searching_from;
                let location = Location {
                    line: Some(from.line),
                    column: Some(from.column),
                    bytes: Some(from.offset..from.offset),
                    ..Location::default()
                };
                self.add_at(DocumentProblem::NotChecked { line: from.line }, location);
                return;
            }
            _ => match self.list {
                Some(list) => {
                    format!("the list \"{}\" (opened on line {})", self.lists[list].key, self.list_begins)
                }
                None => "the object around everything".to_owned(),
            },
        };
        self.visitor.unread();
        let location = Location { record: None, ..self.place_of(0) };
        self.visitor.report(Finding::new(DocumentProblem::Truncated { open }, location));
    }
}

fn behind(state: State) -> Behind {
    match state {
        State::Start => Behind::Start,
        State::Key { .. } => Behind::Key,
        State::Colon => Behind::Colon,
        State::Value => Behind::Value,
        State::Element { .. } => Behind::Element,
        State::AfterElement => Behind::AfterElement,
        State::AfterValue => Behind::AfterValue,
        _ => Behind::End,
    }
}

/// True for bytes that begin an object with one of a shape's own keys.
fn begins_with_a_key(bytes: &[u8], schema: &Schema) -> bool {
    let Some(Object::Properties(fields)) = &schema.object else { return false };
    let inside = bytes[1..].trim_ascii_start();
    let Some(key) = inside.strip_prefix(b"\"") else { return false };
    let Some(end) = memchr::memchr(b'"', key) else { return false };
    fields.position(&key[..end]).is_some() && key[end + 1..].trim_ascii_start().starts_with(b":")
}

/// True for a brace behind an element that closes nothing: a comma and the next element follow it.
fn is_surplus(bytes: &[u8]) -> bool {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let behind = window.strip_prefix(b"}").map(<[u8]>::trim_ascii_start);
    let next = behind.and_then(|behind| behind.strip_prefix(b","));
    next.is_some_and(|next| next.trim_ascii_start().starts_with(b"{"))
}

/// True for bytes that begin with this key, a colon and an array.
fn is_list_key(bytes: &[u8], key: &str) -> bool {
    let rest = bytes[1..].strip_prefix(key.as_bytes()).and_then(|rest| rest.strip_prefix(b"\""));
    let value = rest.and_then(|rest| rest.trim_ascii_start().strip_prefix(b":"));
    value.is_some_and(|value| value.trim_ascii_start().starts_with(b"["))
}
