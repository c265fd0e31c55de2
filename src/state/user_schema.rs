//! The JSON Schema of the user's own, which stays from file to file.

use std::rc::Rc;

use evalcheck_wire::question::{Answer, Question};
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::CheckOptions;

use super::check::Check;
use super::format_choice::FormatChoice;

/// The schema against which records are held beside the checks of their format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UserSchema {
    /// Its files, of which the first is the schema; none without a schema.
    pub(super) files: Rc<[SchemaFile]>,
    /// Whether strings are held against the formats that it names.
    pub(crate) checks_formats: bool,
}

impl UserSchema {
    /// Its name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.files.first().map(|file| file.name.as_str())
    }

    /// The number of its further files.
    pub(crate) fn further_files(&self) -> usize {
        self.files.len().saturating_sub(1)
    }

    /// Another schema, or none.
    pub(super) fn with(&self, files: Vec<SchemaFile>) -> Self {
        Self { files: files.into(), ..*self }
    }
}

/// Whether the user wants the JSON Schema that fits the shown file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WantsSchema(pub(super) bool);

impl Check {
    /// Whether the user wants the JSON Schema that fits the file.
    pub(crate) fn wants_schema(&self) -> bool {
        self.has_statistics() && self.preview.chosen.get::<WantsSchema>().0
    }

    /// The JSON Schema that fits the file, once it is made.
    pub(super) fn made_schema(&self) -> Option<SchemaFile> {
        let text = self.preview.answers.get(&Question::Schema, Answer::try_as_schema_ref)?;
        Some(SchemaFile { name: self.schema_name(), text: text.clone() })
    }

    /// The name of the file for the JSON Schema.
    pub(crate) fn schema_name(&self) -> String {
        let name = &self.original().name;
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        format!("{stem}.schema.json")
    }
}

/// The options for checking a file: its format, and the schema of the user.
pub(super) fn options_of(
    choice: Option<&FormatChoice>,
    schema: &UserSchema,
    max_per_code: u64,
) -> CheckOptions {
    CheckOptions {
        format: choice.map(|choice| choice.id.to_string()),
        version: choice.and_then(|choice| choice.version.as_ref()).map(ToString::to_string),
        option: choice.iter().filter_map(|choice| choice.option.as_ref()).map(ToString::to_string).collect(),
        schema: schema.files.to_vec(),
        schema_formats: schema.checks_formats,
        max_findings_per_code: Some(max_per_code),
        ..CheckOptions::default()
    }
}
