//! A record as the system holds it after loading, and its differences from the file.

mod write;

use std::borrow::Cow;

use evalcheck_core::Loss;
use evalcheck_core::finding::Finding;
use evalcheck_diagnose::TextProblem;
use evalcheck_json::schema::{Schema, UnknownKeys};
use evalcheck_records::Layout;
use evalcheck_records::csv::{Column, Columns};
use evalcheck_report::selector::PathStep;
use evalcheck_report::view::{ChangeKind, HeldRecord};

use crate::Variant;
use crate::diagnose::{Kind, Member, Value, json_string, parse};

/// How a format's system loads a record.
#[derive(Debug)]
pub struct Loader {
    /// The source of the knowledge about the loader, as a sentence: its code, its documentation.
    pub source: &'static str,
    /// Whether the behaviour of the loader is known.
    pub is_known: bool,
    /// Whether the loaded form of a record depends on other records, so that only [`RecordChecks::held`](crate::checks::RecordChecks::held)
    /// knows it, at the end of the dataset.
    pub needs_all: fn(&Variant) -> bool,
    /// Returns the loaded form of a record without errors.
    pub held: fn(&Loading<'_>) -> Held,
    /// Returns false if a record without findings, given as its bytes, is certainly loaded unchanged. Only a shortcut for `held`.
    pub may_differ: fn(&[u8]) -> bool,
    /// The loss by a finding if the system loads the dataset anyway: that of its rule ([`rule_loss`]), or more.
    pub loss: fn(&Finding) -> Option<Loss>,
    /// The loader whose wording the message of a finding in a record repeats, if any: `zod`.
    pub wording: fn(&Finding) -> Option<&'static str>,
    /// The readers that are known to refuse what a finding is about, if the format has several and they differ.
    pub refused_by: fn(&Finding) -> Option<&'static str>,
}

impl Loader {
    /// For a system whose loader is not public and not documented: the record as it is read.
    pub const UNKNOWN: Self = Self {
        source: "This is the record as it is read from the file: what the system does with it is not public.",
        is_known: false,
        needs_all: |_| false,
        held: |loading| match loading.variant.layout {
            Layout::Csv(columns) => Held::read_row(loading.root, columns),
            _ => Held::read(loading.root, loading.bytes, JsonReader::Python),
        },
        may_differ: |_| true,
        loss: loss_of_unknown_reader,
        wording: |_| None,
        refused_by: |_| None,
    };
}

/// The loss that the rule of a finding declares.
pub fn rule_loss(finding: &Finding) -> Option<Loss> {
    finding.problem.rule().loss
}

/// The loss for a system whose reader is not known. It may read large integers exactly, so they are no loss.
fn loss_of_unknown_reader(finding: &Finding) -> Option<Loss> {
    let is_inexact = matches!(finding.problem.downcast_ref(), Some(TextProblem::InexactInteger { .. }));
    rule_loss(finding).filter(|_| !is_inexact)
}

/// The input of a loader: a record without errors.
#[derive(Debug, Clone, Copy)]
pub struct Loading<'a> {
    /// The record.
    pub root: &'a Value<'a>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The number of the record, from 0.
    pub row: u64,
    /// The number of the record's list in a document; 0 elsewhere.
    pub list: usize,
    /// The variant of the dataset.
    pub variant: &'static Variant,
}

/// A value that the system holds, or has removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    content: Content,
    change: Option<Change>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// A scalar as JSON.
    Scalar(String),
    Array(Vec<Held>),
    Object(Vec<HeldMember>),
}

/// A member of an object that the system holds, or has removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldMember {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: Held,
    /// The key as JSON.
    json: String,
}

impl HeldMember {
    /// A member with this key.
    pub fn new(key: &str, value: Held) -> Self {
        Self { key: key.to_owned(), value, json: json_string(key) }
    }
}

/// The difference of a value from the file, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    kind: ChangeKind,
    why: Cow<'static, str>,
}

/// The reader of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonReader {
    /// Python's `json`: integers of any size.
    Python,
    /// `JSON.parse`: every number is a double.
    JavaScript,
}

impl Held {
    /// A string.
    pub fn string(text: &str) -> Self {
        Self::scalar(json_string(text))
    }

    /// The value of JSON in a text, as a reader holds it; the text itself if it is not JSON.
    pub fn read_text(json: &str, reader: JsonReader) -> Self {
        match parse(json.as_bytes()) {
            Ok(parsed) => Self::read(&parsed.value, json.as_bytes(), reader),
            Err(_) => Self::string(json),
        }
    }

    /// A scalar, written as JSON.
    pub fn json(json: impl Into<String>) -> Self {
        Self::scalar(json.into())
    }

    /// An array.
    pub fn array(elements: Vec<Self>) -> Self {
        Self { content: Content::Array(elements), change: None }
    }

    /// An object.
    pub fn object(members: Vec<HeldMember>) -> Self {
        Self { content: Content::Object(members), change: None }
    }

    fn scalar(json: String) -> Self {
        Self { content: Content::Scalar(json), change: None }
    }

    /// Marks the value as added: the file does not have it.
    #[must_use]
    pub fn added(self, why: impl Into<Cow<'static, str>>) -> Self {
        self.with(ChangeKind::Added, why)
    }

    /// Marks the value as changed: the file has it in another form or in another place.
    #[must_use]
    pub fn changed(self, why: impl Into<Cow<'static, str>>) -> Self {
        self.with(ChangeKind::Changed, why)
    }

    /// Marks the value as removed: the file has it, the system does not hold it.
    #[must_use]
    pub fn removed(self, why: impl Into<Cow<'static, str>>) -> Self {
        self.with(ChangeKind::Removed, why)
    }

    /// Marks the value as changed, in addition to an earlier change.
    #[must_use]
    pub fn also_changed(self, why: &str) -> Self {
        let why = match &self.change {
            Some(change) => format!("{} {why}", change.why),
            None => why.to_owned(),
        };
        self.changed(why)
    }

    /// Removes the value: the system does not hold it.
    pub fn remove(&mut self, why: impl Into<Cow<'static, str>>) {
        self.change = Some(Change { kind: ChangeKind::Removed, why: why.into() });
    }

    fn with(self, kind: ChangeKind, why: impl Into<Cow<'static, str>>) -> Self {
        Self { change: Some(Change { kind, why: why.into() }), ..self }
    }

    /// Reads a value of a JSON file. Of members with the same key the last one counts.
    pub fn read(value: &Value<'_>, bytes: &[u8], reader: JsonReader) -> Self {
        Self::read_known(value, bytes, reader, None)
    }

    /// Reads a row of a CSV as an object of the columns that the format knows.
    pub fn read_row(row: &Value<'_>, columns: &Columns) -> Self {
        let Kind::Object(cells) = &row.kind else { return Self::object(Vec::new()) };
        let read = |cell: &Member<'_>| {
            let held = Self::string(cell.value.as_str().unwrap_or_default());
            let is_it = |column: &Column| column.name == cell.key || column.aliases.contains(&&*cell.key);
            let is_known = columns.takes_others || columns.columns.iter().any(is_it);
            let held = match (is_known, cell.shadowed) {
                (false, _) => held.removed(UNKNOWN_COLUMN),
                (true, true) => held.removed(SHADOWED),
                (true, false) => held,
            };
            HeldMember::new(&cell.key, held)
        };
        Self::object(cells.iter().map(read).collect())
    }

    /// Like [`Held::read`], but removes undeclared keys where the schema says that the system ignores them.
    pub fn read_declared(value: &Value<'_>, bytes: &[u8], reader: JsonReader, schema: &Schema) -> Self {
        Self::read_known(value, bytes, reader, Some(schema))
    }

    fn read_known(value: &Value<'_>, bytes: &[u8], reader: JsonReader, schema: Option<&Schema>) -> Self {
        let text = || String::from_utf8_lossy(&bytes[value.span.clone()]).into_owned();
        match &value.kind {
            Kind::Number(number, written) if reader == JsonReader::JavaScript => {
                let held = Self::scalar(text());
                match as_javascript_writes(*number, written) {
                    Some(read) => Self::scalar(read).changed(INEXACT),
                    None => held,
                }
            }
            Kind::Number(_, "-0") => Self::scalar("0".to_owned()),
            Kind::Null | Kind::Boolean(_) | Kind::Number(..) | Kind::String(_) => Self::scalar(text()),
            Kind::Array(elements) => {
                let items = schema.and_then(|schema| schema.array.as_ref()).map(|array| array.items);
                let read = |element| Self::read_known(element, bytes, reader, items);
                Self::array(elements.iter().map(read).collect())
            }
            Kind::Object(members) => {
                let fields = schema.and_then(|schema| Fields::of(schema, value));
                let read = |member: &Member<'_>| {
                    let (schema, is_declared) = match &fields {
                        Some(fields) => fields.declared(&member.key),
                        None => (None, true),
                    };
                    let held = Self::read_known(&member.value, bytes, reader, schema);
                    let value = if !is_declared {
                        held.removed(UNDECLARED)
                    } else if member.shadowed {
                        held.removed(SHADOWED)
                    } else {
                        held
                    };
                    // As written in the file, because it may not be decodable in full.
                    let json = String::from_utf8_lossy(&bytes[member.key_span.clone()]).into_owned();
                    HeldMember { key: member.key.clone().into_owned(), value, json }
                };
                Self::object(members.iter().map(read).collect())
            }
        }
    }

    /// The member with this key, if the value is an object that has one.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Content::Object(members) = &mut self.content else { return None };
        members.iter_mut().rev().find(|member| member.key == key).map(|member| &mut member.value)
    }

    /// The members, if the value is an object.
    pub fn members_mut(&mut self) -> Option<&mut Vec<HeldMember>> {
        match &mut self.content {
            Content::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Whether the value is an array with an element that the system holds.
    pub fn holds_elements(&self) -> bool {
        matches!(&self.content, Content::Array(elements) if elements.iter().any(|element| !element.is_removed()))
    }

    /// The value as indented JSON.
    pub fn to_wire(&self) -> HeldRecord {
        write::lines(self)
    }

    /// Calls `visit` for each difference from the file with its kind, the path of the value (counting removed elements) and the reason.
    pub fn visit_changes<'h>(&'h self, visit: impl FnMut(ChangeKind, &[PathStep<'h>], &'h str)) {
        write::visit_changes(self, visit);
    }

    fn is_removed(&self) -> bool {
        self.change.as_ref().is_some_and(|change| change.kind == ChangeKind::Removed)
    }
}

/// The reason for removing a key that the loader does not know.
pub const UNDECLARED: &str = "The loader does not know this key and drops it.";

/// The reason for removing a cell in an unknown column.
const UNKNOWN_COLUMN: &str = "The system reads no column of this name.";

/// The reason for removing a member whose key is repeated later.
pub const SHADOWED: &str = "The same key comes again, and the last one counts.";
/// The reason for changing an integer.
const INEXACT: &str = "JavaScript reads numbers as doubles, which cannot hold this one exactly.";

/// The fields of an object, by its schema.
struct Fields<'s> {
    declared: &'s evalcheck_json::schema::Properties,
}

impl<'s> Fields<'s> {
    fn of(schema: &'s Schema, value: &Value<'_>) -> Option<Self> {
        Some(Self { declared: value.fields_of(schema.object.as_ref()?)? })
    }

    /// The schema of a key's value, and whether the system keeps the value.
    fn declared(&self, key: &str) -> (Option<&'s Schema>, bool) {
        match (self.declared.position(key.as_bytes()), &self.declared.others) {
            (Some(field), _) => (Some(self.declared.fields[field].schema), true),
            (None, UnknownKeys::Each(schema)) => (Some(schema), true),
            (None, UnknownKeys::Ignore) => (None, false),
            (None, UnknownKeys::Allow | UnknownKeys::Deny) => (None, true),
        }
    }
}

/// An integer that a double cannot hold, as JavaScript writes it after reading; `None` for any other number.
fn as_javascript_writes(number: f64, written: &str) -> Option<String> {
    let is_exact = written.contains(['.', 'e', 'E']) || format!("{number:.0}") == written || written == "-0";
    // JavaScript writes an exponent from 1e21.
    let read = || if number.abs() < 1e21 { format!("{number}") } else { format!("{number:e}") };
    (!is_exact).then(read)
}

#[cfg(test)]
mod tests {
    use evalcheck_json::schema::{Object, Property};

    use super::*;
    use crate::diagnose::parse;

    static INNER: Schema =
        Schema::object(Object::new(&[Property::optional("a", &Schema::STRING)], UnknownKeys::Ignore));
    static SCHEMA: Schema = Schema::object(Object::new(
        &[Property::optional("list", &Schema::array(evalcheck_json::schema::Array::of(&INNER)))],
        UnknownKeys::Ignore,
    ));

    fn read(text: &str, reader: JsonReader) -> Held {
        Held::read_declared(&parse(text.as_bytes()).unwrap().value, text.as_bytes(), reader, &SCHEMA)
    }

    fn changes(record: &HeldRecord) -> Vec<(ChangeKind, &str)> {
        record.changes.iter().map(|change| (change.kind, change.path.as_str())).collect()
    }

    #[test]
    fn undeclared_keys_are_removed_at_every_level() {
        let text = r#"{"x": [1, {}], "list": [{"b": 1, "a": "\u00e9", "a": "z"}, {"b": 2}], "y": null}"#;
        let record = read(text, JsonReader::Python).to_wire();
        assert_eq!(record.to_json(), r#"{"list": [{"a": "z"},{}]}"#);
        let removed = ["x", "list.0.b", "list.0.a", "list.1.b", "y"].map(|path| (ChangeKind::Removed, path));
        assert_eq!(changes(&record), removed);
        let lines: Vec<&str> = record.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            lines,
            [
                "{",
                "  \"x\": [",
                "    1,",
                "    {}",
                "  ]",
                "  \"list\": [",
                "    {",
                "      \"b\": 1",
                "      \"a\": \"\\u00e9\"",
                "      \"a\": \"z\"",
                "    },",
                "    {",
                "      \"b\": 2",
                "    }",
                "  ]",
                "  \"y\": null",
                "}",
            ]
        );
    }

    #[test]
    fn readers_differ_in_numbers() {
        let text = "[12345678901234567890, 9007199254740993, 1.50, -0]";
        let held =
            |reader| Held::read(&parse(text.as_bytes()).unwrap().value, text.as_bytes(), reader).to_wire();
        assert_eq!(held(JsonReader::Python).to_json(), "[12345678901234567890,9007199254740993,1.50,0]");
        let javascript = held(JsonReader::JavaScript);
        assert_eq!(javascript.to_json(), "[12345678901234567000,9007199254740992,1.50,-0]");
        assert_eq!(changes(&javascript), [(ChangeKind::Changed, "0"), (ChangeKind::Changed, "1")]);
    }
}
