//! Holds records against a JSON Schema of the user's own: drafts 4, 6, 7, 2019-09 and 2020-12, by `$schema`; without one, 2020-12.
//!
//! The crate `jsonschema` validates. Here its answers become [`Violation`]s: rules, words, hints and changes that resolve them. Linked in the command; a
//! module of its own in the page, because it is as large as the engine.
//!
//! Differences from JSON Schema, on purpose:
//!
//! - Nothing is fetched: a `$ref` leads to a place in the files that were given.
//! - `format` is held against strings only on request.
//! - A regular expression that takes too many steps decides nothing: [`SchemaRule::TooSlow`](evalcheck_wire::user_schema::SchemaRule).
//! - A number beyond the range of a double counts as the largest one.
//!
//! ```
//! use evalcheck_schema::Schema;
//! use evalcheck_wire::user_schema::{RecordText, SchemaFile, Validate};
//!
//! let text = r#"{"properties": {"level": {"enum": ["easy", "hard"]}}}"#.to_owned();
//! let schema = Schema::new(&[SchemaFile { name: "faq.schema.json".to_owned(), text }], false).expect("it is a schema");
//! assert!(schema.is_valid(br#"{"level": "easy"}"#, RecordText::Json));
//! let violations = schema.violations(r#"{"level": "Easy"}"#, RecordText::Json);
//! assert_eq!(violations[0].message, "Invalid enum value. Expected 'easy' | 'hard', received 'Easy'");
//! ```

mod cells;
mod compile;
mod expansion;
mod files;
mod parts;
mod patterns;
mod remedies;
mod steps;
mod violations;
mod wasm;
mod words;

use evalcheck_wire::user_schema::{
    RecordText, RootKeys, SchemaError, SchemaFile, SchemaPlace, Validate, Violation,
};
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;

use cells::Cells;
use files::Files;
use patterns::Slow;
use steps::Steps;

/// A schema that is ready for use.
#[derive(Debug)]
pub struct Schema {
    files: Files,
    validator: Validator,
    /// Of a schema of an array, the validator of its elements: a record that is an object is one of them.
    of_elements: Option<Validator>,
    /// The place of the schema of a record that is an object.
    record: SchemaPlace,
    slow: Slow,
    steps: Steps,
    cells: Cells,
}

impl Schema {
    /// Reads a schema: the first of the files; it may name the others in `$ref`, by their `$id` or by their path from it. With `asserts_formats`, strings are
    /// held against `format` too.
    ///
    /// # Errors
    /// It cannot be used; with the place in the schema.
    pub fn new(files: &[SchemaFile], asserts_formats: bool) -> Result<Self, SchemaError> {
        Self::read_files(files, asserts_formats, true)
    }

    /// The same for a value as a whole: a schema of an array is held against an array, and not against its elements.
    ///
    /// # Errors
    /// See [`Schema::new`].
    pub fn of_instance(files: &[SchemaFile], asserts_formats: bool) -> Result<Self, SchemaError> {
        Self::read_files(files, asserts_formats, false)
    }

    fn read_files(
        files: &[SchemaFile],
        asserts_formats: bool,
        of_records: bool,
    ) -> Result<Self, SchemaError> {
        let files = Files::read(files)?;
        if of_records {
            compile::says_something(&files.root().value)?;
        }
        let elements = if of_records { parts::elements(&files) } else { None };
        let (validator, of_elements) = compile::validators(&files, asserts_formats, elements.as_ref())?;
        let slow = Slow::of(&files)?;
        let record = elements.unwrap_or_default();
        let (steps, cells) = (Steps::new(&files, &record), Cells::new(&files, &record));
        Ok(Self { files, validator, of_elements, record, slow, steps, cells })
    }

    /// The violation of a record that would take too long.
    fn too_slow(&self, record: &Value) -> Option<Violation> {
        self.slow.found(record).or_else(|| self.steps.found(record))
    }

    /// The validator of a record.
    fn validator(&self, record: &Value) -> &Validator {
        self.of_elements.as_ref().filter(|_| record.is_object()).unwrap_or(&self.validator)
    }

    /// A record as a value; `None` if it is not JSON for `serde_json`.
    fn read(&self, record: &[u8], text: RecordText) -> Option<Value> {
        let mut reader = serde_json::Deserializer::from_slice(record);
        // The reader of records bounds the depth.
        reader.disable_recursion_limit();
        let value = Value::deserialize(&mut reader).ok()?;
        reader.end().ok()?;
        Some(if text == RecordText::Row { self.cells.typed(value) } else { value })
    }
}

/// Compiles a schema; see [`Schema::new`].
///
/// # Errors
/// It cannot be used.
pub fn compile(files: &[SchemaFile], asserts_formats: bool) -> Result<Box<dyn Validate>, SchemaError> {
    Ok(Box::new(Schema::new(files, asserts_formats)?))
}

impl Validate for Schema {
    fn is_valid(&self, record: &[u8], text: RecordText) -> bool {
        let value = self.read(record, text);
        value.is_some_and(|value| self.too_slow(&value).is_none() && self.validator(&value).is_valid(&value))
    }

    fn violations(&self, record: &str, text: RecordText) -> Vec<Violation> {
        let Some(value) = self.read(record.as_bytes(), text) else {
            return vec![violations::undescribed(
                "Cannot be held against the schema: the validator does not read it",
            )];
        };
        match self.too_slow(&value) {
            Some(too_slow) => vec![too_slow],
            None => violations::of(&self.files, self.validator(&value), &value),
        }
    }

    fn root_keys(&self) -> RootKeys {
        compile::root_keys(&self.files, &self.record)
    }

    fn is_of_elements(&self) -> bool {
        self.of_elements.is_some()
    }
}

#[cfg(test)]
mod tests;
