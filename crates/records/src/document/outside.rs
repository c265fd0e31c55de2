//! Reads the parts of a document around the records: the object, its keys, other values.

use super::DocumentProblem;
use super::value::{Waiting, Whole};
use super::{DocumentReader, State, WINDOW};
use crate::multiline::is_record;
use crate::reader::byte_order_mark;
use crate::{Event, List, ListPlace, MAX_RECORD, Part, RecordProblem, Visit};
use evalcheck_core::excerpt::clip;
use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_core::suggest;
use evalcheck_diagnose::{Expected, PathBuilder, RecordFix};
use evalcheck_diagnose::{SchemaProblem, SyntaxProblem, Value};
use evalcheck_json::scan::{BOM, FileKind};
use evalcheck_json::schema::{ANY, Object};
use evalcheck_json::tokens::begins_with;
use evalcheck_report::{Conversion, Fix};

/// The number of keys of the document that are remembered.
const MOST_KEYS: usize = 1000;

impl<V: Visit> DocumentReader<V> {
    /// Reads the first byte that is not white space.
    pub(super) fn start(&mut self, byte: u8) -> bool {
        if self.location.offset == 0 && byte == BOM[0] {
            if self.rest().len() < BOM.len() && !self.ended {
                return false;
            }
            if self.rest().starts_with(BOM) {
                let mark = byte_order_mark(self.visitor.texts(), FileKind::Document);
                self.visitor.report(mark);
                self.skip_bytes(BOM.len());
                self.location.column = 1;
                return true;
            }
        }
        self.begins = self.location;
        match byte {
            b'{' => self.root_object(),
            b'[' => {
                if let Some(root) = self.list_at(ListPlace::Root) {
                    self.take(State::Element { first: true });
                    self.begin_list(root);
                    return true;
                }
                if self.rest().len() < WINDOW && !self.ended {
                    return false;
                }
                let inside = &self.rest()[1..];
                let list = self.lists.first().filter(|list| is_record(inside, list.schema));
                let key = list.and_then(List::key);
                let fix = key.map(|key| {
                    let fix = RecordFix::not_safe(format!(
                        "Put the array under the key \"{key}\", which is a guess"
                    ));
                    fix.convert(Conversion::ArrayInObject { key: key.to_owned() }).locate(0)
                });
                let advice = match key {
                    Some(key) => format!("Put the array into an object: {{\"{key}\": [...]}}."),
                    None => self.wanted_root(),
                };
                self.wrong_root("array", advice, fix);
                self.state = State::Refused;
                true
            }
            b'"' | b'-' | b'0'..=b'9' => self.scalar_root(),
            b't' | b'f' | b'n' => {
                if self.rest().len() <= "false".len() && !self.ended {
                    return false;
                }
                let is_word = |word: &[u8]| {
                    let behind = self.rest().strip_prefix(word).map(<[u8]>::first);
                    behind.is_some_and(|next| {
                        !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                    })
                };
                if [b"true".as_slice(), b"false", b"null"].into_iter().any(is_word) {
                    self.scalar_root()
                } else {
                    self.unexpected(Expected::Value)
                }
            }
            _ => self.unexpected(Expected::Value),
        }
    }

    /// Reads a document that is a string, a number or a word.
    fn scalar_root(&mut self) -> bool {
        let length = match self.length_of_value() {
            Ok(length) => length,
            Err(goes_on) => return goes_on,
        };
        let bytes = &self.buffer.held()[self.at..self.at + length];
        let received = match evalcheck_diagnose::parse_at(bytes, self.location) {
            Err(error) => return self.broken_value(error),
            Ok(parsed) => parsed.value.type_name(),
        };
        self.wrong_root(received, self.wanted_root(), None);
        self.skip_bytes(length);
        self.value = Waiting::default();
        self.state = State::End;
        true
    }

    /// The advice for a document that is neither an object nor a list.
    fn wanted_root(&self) -> String {
        if self.list_at(ListPlace::Root).is_some() {
            return "Write one JSON array of objects, or an object.".to_owned();
        }
        let keys = self.lists.iter().filter(|list| list.required).filter_map(List::key);
        let members: Vec<String> = keys.map(|key| format!("\"{key}\": [...]")).collect();
        format!("Write one JSON object: {{{}}}.", members.join(", "))
    }

    /// Reports that the document is neither an object nor a list.
    fn wrong_root(&mut self, received: &'static str, advice: String, fix: Option<Fix>) {
        let takes_array = self.list_at(ListPlace::Root).is_some();
        let problem = SchemaProblem::WrongType {
            expected: if takes_array { "array or object" } else { "object" }.to_owned(),
            received,
            note: "",
            advice: advice.into(),
        };
        let location = Location { path: Some(Path::default()), ..self.place_of(1) };
        self.visitor.report(Finding::new(problem, location).with_fix(fix));
    }

    /// The fix for records on their own lines: the first object has keys of a record and none of the document. Certain if all its keys are
    /// those of a record.
    pub(super) fn lines_fix(&self) -> Option<Fix> {
        let list = self.lists.first().filter(|_| self.rest().starts_with(b"{"))?;
        let Some(Object::Properties(fields)) = &list.schema.object else { return None };
        let is_list = |key: &str| self.lists.iter().any(|list| list.key() == Some(key));
        let is_of_record = |key: &str| fields.position(key.as_bytes()).is_some();
        let keys = || self.keys.keys();
        if keys().any(|key| is_list(key)) || !keys().any(|key| is_of_record(key)) {
            return None;
        }
        let key = list.key()?.to_owned();
        let title = format!("Put the lines in a list under the key \"{key}\"");
        let fix = RecordFix::safe_if(keys().all(|key| is_of_record(key)), title);
        Some(fix.convert(Conversion::LinesInObject { key }).locate(0))
    }

    /// Reads a key of the document, or the document's end.
    pub(super) fn key(&mut self, byte: u8, first: bool) -> bool {
        self.item_column = self.location.column;
        if byte == b'}' {
            if !first {
                self.trailing_comma('}');
            }
            self.missing_lists();
            return self.take(State::End);
        }
        if byte != b'"' {
            return self.unexpected(Expected::Key);
        }
        let length = match self.length_of_value() {
            Ok(length) => length,
            Err(goes_on) => return goes_on,
        };
        let bytes = &self.buffer.held()[self.at..self.at + length];
        let (name, findings) = match evalcheck_diagnose::parse_at(bytes, self.location) {
            Err(error) => return self.broken_value(error),
            Ok(parsed) => {
                let name = parsed.value.as_str().unwrap_or_default().to_owned();
                let base = PathBuilder::from(vec![Step::Key(name.as_str().into())]);
                let part = Part::Value { parsed: &parsed, base: &base, schema: &ANY };
                (name, self.visitor.check(part, bytes, self.location).findings)
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

    /// The length of the value that begins here.
    ///
    /// # Errors
    /// If the value has no known end: `true` if it is reported and reading continues, `false` if more bytes are needed.
    fn length_of_value(&mut self) -> Result<usize, bool> {
        match self.whole_value() {
            Whole::Ends(length) => Ok(length),
            Whole::More => Err(false),
            Whole::Broken(error) => Err(self.broken_value(error)),
            Whole::TooLong => Err(self.value_too_long()),
        }
    }

    /// The location of the current key.
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

    /// Reads the value of a key of the document.
    pub(super) fn top_value(&mut self, byte: u8) -> bool {
        let any_key = self.list_at(ListPlace::AnyKey);
        let list = match self.lists.iter().position(|list| list.key() == Some(&*self.key.name)) {
            None if any_key.is_some() && byte == b'[' => match self.begins_with_object() {
                None => return false,
                Some(is_list) => any_key.filter(|_| is_list),
            },
            list => list,
        };
        if let Some(list) = list
            && byte == b'['
        {
            self.take(State::Element { first: true });
            self.visitor.observe(Event::ValueBegins(&self.key.name));
            self.begin_list(list);
            return true;
        }
        if matches!(byte, b',' | b'}' | b']' | b':' | b'/' | b'#') {
            return self.unexpected(Expected::Value);
        }
        let length = match self.length_of_value() {
            Ok(length) => length,
            Err(goes_on) => return goes_on,
        };
        if let Some(list) = list {
            let behind = self.rest().get(length..).unwrap_or_default();
            if byte == b'{' && behind.len() < WINDOW && !self.ended {
                return false;
            }
            if byte == b'{' && begins_with(&behind[..behind.len().min(WINDOW)], b",{") {
                return self.begin_without_bracket(list);
            }
            self.visitor.observe(Event::ValueBegins(&self.key.name));
        }
        let bytes = &self.buffer.held()[self.at..self.at + length];
        let record_start = self.location;
        let base = PathBuilder::from(vec![Step::Key(self.key.name.clone())]);
        let schema = list.map_or(&ANY, |list| self.lists[list].array);
        let (mut findings, inner) = match evalcheck_diagnose::parse_at(bytes, record_start) {
            Err(error) => return self.broken_value(error),
            Ok(parsed) => {
                let part = Part::Value { parsed: &parsed, base: &base, schema };
                let keys = self.lists.iter().filter_map(List::key);
                let inner: Vec<_> = keys.filter(|key| holds(&parsed.value, key)).collect();
                (self.visitor.check(part, bytes, record_start).findings, inner)
            }
        };
        if list.is_none() && any_key.is_none() {
            let fix = (!inner.is_empty()).then(|| self.taken_apart(length));
            let unknown = Finding::new(self.unknown_key(&inner), self.key_place()).with_fix(fix);
            findings.insert(0, unknown);
            if self.wrapper.is_none() && !inner.is_empty() {
                self.wrapper = Some(self.key.name.clone());
            }
        }
        self.add_other(findings);
        if list.is_some() {
            self.visitor.observe(Event::ValueEnds);
        }
        self.skip_bytes(length);
        self.value = Waiting::default();
        self.state = State::AfterValue;
        true
    }

    /// Begins a list whose first bracket is missing, and reports that.
    fn begin_without_bracket(&mut self, list: usize) -> bool {
        let problem = SchemaProblem::WrongType {
            expected: "array".to_owned(),
            received: "object",
            note: "",
            advice: "Write [ before the first object of the list; another object follows it."
                .to_owned()
                .into(),
        };
        let path = Some(Path(vec![Step::Key(self.key.name.clone())]));
        let location = Location { path, record: None, ..self.place_of(1) };
        let fix = RecordFix::not_safe("Write the bracket before the list, which guesses that it is missing");
        let fix = fix.replace(0..0, "[").locate(self.location.offset);
        self.visitor.report(Finding::new(problem, location).with_fix(Some(fix)));
        self.value = Waiting::default();
        self.visitor.observe(Event::ValueBegins(&self.key.name));
        self.begin_list(list);
        self.state = State::Element { first: true };
        true
    }

    /// The problem of the current key, which the document does not define. `inner` are the lists in its value.
    fn unknown_key(&self, inner: &[&str]) -> SchemaProblem {
        let name = clip(&self.key.name, 80);
        let near = suggest::nearest(&self.key.name, self.lists.iter().filter_map(List::key));
        let advice = match (inner.first(), near) {
            (Some(key), _) => {
                format!("Move \"{key}\" out of \"{name}\", to the level of \"{name}\".")
            }
            (None, Some(near)) => format!("Did you mean \"{near}\"?"),
            (None, None) => {
                "If the system needs the value, rename the key; otherwise delete it, or keep it.".to_owned()
            }
        };
        SchemaProblem::UnknownKey { key: format!("\"{name}\""), advice: advice.into() }
    }

    /// The fix that replaces the current key by the keys of the value that begins here.
    fn taken_apart(&self, length: usize) -> Fix {
        let key = self.key.location.offset;
        // The length of a value in the buffer fits.
        let value = usize::try_from(self.location.offset - key).unwrap_or_default();
        let title = format!(
            "Put what is in \"{}\" in its place, which guesses that it belongs there",
            clip(&self.key.name, 80)
        );
        let last = value + length - 1;
        RecordFix::not_safe(title).replace(0..value + 1, "").replace(last..last + 1, "").locate(key)
    }

    /// Adds findings that do not belong to a record.
    pub(super) fn add_other(&mut self, mut findings: Vec<Finding>) {
        for finding in &mut findings {
            finding.location.record = None;
        }
        for finding in findings {
            self.visitor.report(finding);
        }
    }

    fn value_too_long(&mut self) -> bool {
        let problem = RecordProblem::TooLong { limit: MAX_RECORD as u64 };
        let location = self.place_of(MAX_RECORD);
        self.visitor.report(Finding::new(problem, location));
        self.state = State::Skip;
        true
    }

    /// Reports text after the document.
    pub(super) fn text_after(&mut self) -> bool {
        self.unexpected(Expected::Nothing)
    }

    pub(super) fn trailing_comma(&mut self, before: char) {
        let at = self.comma;
        let location = Location {
            line: Some(at.line),
            column: Some(at.column),
            bytes: Some(at.offset..at.offset + 1),
            ..Location::default()
        };
        let fix = RecordFix::safe("Delete the comma").replace(0..1, "").locate(at.offset);
        let problem = SyntaxProblem::TrailingComma { column: at.column, before };
        self.visitor.report(Finding::new(problem, location).with_fix(Some(fix)));
    }

    /// At the end of the document, reports the required lists that are missing.
    pub(super) fn missing_lists(&mut self) {
        let lists = self.lists;
        for wanted in lists.iter().filter(|list| list.required).filter_map(List::key) {
            if self.keys.contains_key(wanted) {
                continue;
            }
            let others = self.keys.keys().map(|key| &**key);
            let unknown = others.filter(|key| lists.iter().all(|list| list.key() != Some(key)));
            let advice = match suggest::nearest(wanted, unknown) {
                Some(near) => {
                    format!("If \"{}\" holds it, rename it to \"{wanted}\".", clip(near, 80))
                }
                None => match &self.wrapper {
                    Some(wrapper) => {
                        format!("If \"{}\" holds it, move it out of there.", clip(wrapper, 80))
                    }
                    None => format!("Add the key \"{wanted}\" (array)."),
                },
            };
            let at = self.begins;
            let location = Location {
                line: Some(at.line),
                column: Some(at.column),
                bytes: Some(at.offset..at.offset + 1),
                path: Some(Path(vec![Step::Key(wanted.into())])),
                ..Location::default()
            };
            self.add_at(SchemaProblem::MissingKey { advice: advice.into() }, location);
        }
    }

    /// Adds a finding at an earlier location.
    fn add_at(&mut self, problem: impl Into<evalcheck_core::rule::AnyProblem>, location: Location) {
        let finding = Finding::new(problem, location);
        self.visitor.report(finding);
    }

    /// After the last byte, reports unclosed parts of the document.
    pub(super) fn end_of_file(&mut self) {
        let (open, opened) = match self.state {
            State::Done | State::Refused | State::End | State::Start => return,
            State::Search => {
                let from = self.searching_from;
                let location = if from.offset == self.location.offset {
                    self.place_of_last()
                } else {
                    Location {
                        line: Some(from.line),
                        column: Some(from.column),
                        bytes: Some(from.offset..from.offset + 1),
                        ..Location::default()
                    }
                };
                self.add_at(DocumentProblem::NotChecked { line: from.line }, location);
                self.visitor.observe(Event::NotChecked);
                return;
            }
            _ => match self.open_list() {
                Some(List { place: ListPlace::Root, .. }) => {
                    ("the outermost array".to_owned(), Location::line(self.begins.line))
                }
                Some(list) => {
                    let key = list.key().map_or_else(|| clip(&self.key.name, 80), str::to_owned);
                    let open = format!("the list \"{key}\" (opened on line {})", self.list_begins);
                    (open, Location::line(self.list_begins))
                }
                None => ("the outermost object".to_owned(), Location::line(self.begins.line)),
            },
        };
        self.visitor.observe(Event::Unread);
        let location = self.place_of_last();
        let closing = match self.state {
            State::AfterElement | State::AfterValue if self.comment.is_none() => self.outer_brackets(),
            _ => "",
        };
        let advice = DocumentProblem::advice_on_truncated(closing);
        let fix = self.rest_fix();
        let problem = DocumentProblem::Truncated { open, opened: Some(opened), advice };
        self.visitor.report(Finding::new(problem, location).with_fix(fix));
    }
}

/// Whether a value is an object with an array under this key.
fn holds(value: &Value<'_>, key: &str) -> bool {
    value.get(key).is_some_and(|value| value.as_array().is_some())
}
