//! A JSON Schema of the user's own: its files, and what the module that validates records (`evalcheck-schema`) says about a record.

pub mod detect;

use std::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

/// The largest schema that is read, all files together, in bytes.
pub const MOST_BYTES: u64 = 4 << 20;

/// A file of a schema, as the user gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct SchemaFile {
    /// Its path or name, to which a `$ref` of another file may be relative.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A place in a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct SchemaPlace {
    /// The file, as an index into the files of the schema.
    pub file: usize,
    /// The JSON Pointer of the keyword; empty for the whole file.
    pub pointer: String,
}

/// The reason why a schema cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct SchemaError {
    /// Its place in the schema.
    pub at: SchemaPlace,
    /// The reason, without the place: `the regular expression does not end its group`.
    pub message: String,
    /// Advice to the user.
    pub hint: String,
}

/// The keys that a schema names at the root of a record. They show whether a dataset is of another schema.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct RootKeys {
    /// The keys that every record must have.
    pub required: Vec<String>,
    /// The keys that the schema names, each once: those that are required, then the others.
    pub named: Vec<String>,
}

/// How the text of a record is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordText {
    /// As the record.
    Json,
    /// As an object whose values are the cells of a row, all strings: each becomes a value of the type that the schema expects.
    Row,
}

/// A rule about records of a user's schema. Each covers some keywords of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum SchemaRule {
    /// `type`.
    Type,
    /// `required`, `dependentRequired`, `dependencies`.
    Required,
    /// `additionalProperties`, `unevaluatedProperties`, `propertyNames`: a key that is not allowed.
    UnknownKey,
    /// `enum`, `const`.
    Enum,
    /// `pattern`.
    Pattern,
    /// `format`, `contentEncoding`, `contentMediaType`.
    Format,
    /// `minLength`, `maxLength`.
    Length,
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`.
    Range,
    /// Keywords about the number and choice of elements or members: `minItems`, `maxItems`, `uniqueItems`, `contains`, `minContains`, `maxContains`, `additionalItems`,
    /// `unevaluatedItems`, `minProperties`, `maxProperties`.
    Size,
    /// `anyOf`, `oneOf`, `not`: no alternative fits, or too many do.
    Alternatives,
    /// A schema that is `false`: no value is allowed here.
    Nothing,
    /// A regular expression takes too many steps, so it is unknown whether the value fits. The check cannot go on.
    TooSlow,
}

/// A step of the path from a record to a value.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Step {
    /// A key of an object.
    Key(String),
    /// An index of an array.
    Index(usize),
}

/// The part of a value that a violation is about.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Part {
    /// The value itself.
    Value,
    /// A key of the object.
    Key(String),
    /// A key that the object lacks.
    Missing(String),
}

/// A difference between a record and the schema.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Violation {
    /// The rule.
    pub rule: SchemaRule,
    /// The path from the record to the value.
    pub value: Vec<Step>,
    /// The part of the value.
    pub part: Part,
    /// The keyword that it violates.
    pub keyword: SchemaPlace,
    /// The difference, with the value that the schema wants: `Expected integer, received string`.
    pub message: String,
    /// Advice to the user.
    pub hint: String,
    /// The change that resolves it, if it is known.
    pub remedy: Option<Remedy>,
}

/// A change of a record that resolves a violation.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Remedy {
    /// The effect, as an instruction.
    pub title: String,
    /// Whether there is one plausible reading of the record, and nothing is invented or lost.
    pub is_safe: bool,
    /// The change.
    pub change: Change,
}

/// A change of the part that a violation is about.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Change {
    /// The value becomes this JSON.
    Replace(String),
    /// The key gets this name.
    Rename(String),
    /// The missing key is added, with this JSON as its value.
    Insert(String),
}

/// A compiled schema.
pub trait Validate: fmt::Debug {
    /// Whether a record is valid. Fast; false if unsure.
    fn is_valid(&self, record: &[u8], text: RecordText) -> bool;

    /// The differences between a record and the schema.
    fn violations(&self, record: &str, text: RecordText) -> Vec<Violation>;

    /// The names that the schema has at the root of a record.
    fn root_keys(&self) -> RootKeys;

    /// Whether the schema describes an array, so that a record that is an object is held against that of its elements.
    fn is_of_elements(&self) -> bool;
}

/// Compiles a schema: its files, of which the first is the schema, and whether formats of strings are held against them too.
pub type Schemas = fn(&[SchemaFile], bool) -> Result<Box<dyn Validate>, SchemaError>;
