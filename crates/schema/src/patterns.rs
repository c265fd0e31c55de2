//! Regular expressions that may take exponential time: those with lookaround or backreferences, which are matched by backtracking with a limit.
//!
//! A validator has to say something about a string that such an expression gives up on, and inside of `not` both answers could make a record valid. So these
//! expressions are tried on every string of a record before it is validated.

use std::fmt;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_wire::user_schema::{Part, SchemaError, SchemaPlace, SchemaRule, Step, Violation};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Value, json};

use crate::files::{Files, error, walk};

/// The most steps back of an expression in one string: some milliseconds.
pub(crate) const LIMIT: usize = 100_000;

/// The expressions of a schema that may take exponential time.
pub(crate) struct Slow(Vec<(SchemaPlace, String, Validator)>);

impl fmt::Debug for Slow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(_, pattern, _)| pattern)).finish()
    }
}

impl Slow {
    /// Finds them in `pattern` and `patternProperties`.
    ///
    /// # Errors
    /// An expression of a keyword does not compile, or there are very many.
    pub(crate) fn of(files: &Files) -> Result<Self, SchemaError> {
        let mut found = Vec::new();
        for (file, value) in files.values().enumerate() {
            walk(value, &mut String::new(), &mut |pointer, value| {
                let at = |pointer: String| SchemaPlace { file, pointer };
                if let Some(Value::String(pattern)) = value.get("pattern") {
                    found.push((at(format!("{pointer}/pattern")), pattern.clone()));
                }
                if let Some(Value::Object(patterns)) = value.get("patternProperties") {
                    let keys =
                        patterns.keys().map(|key| (at(format!("{pointer}/patternProperties")), key.clone()));
                    found.extend(keys);
                }
            });
        }
        let mut slow: Vec<(SchemaPlace, String, Validator)> = Vec::new();
        for (at, pattern) in found {
            let schema = json!({ "pattern": pattern });
            let linear = jsonschema::options().with_pattern_options(PatternOptions::regex()).build(&schema);
            if linear.is_ok() || slow.iter().any(|(_, other, _)| *other == pattern) {
                continue;
            }
            let backtracking = PatternOptions::fancy_regex().backtrack_limit(LIMIT);
            // Data of the schema, such as a default, may have a key "pattern".
            if let Ok(validator) = jsonschema::options().with_pattern_options(backtracking).build(&schema) {
                slow.push((at, pattern, validator));
            }
        }
        match slow.get(MOST) {
            Some((at, ..)) => Err(error(
                at.file,
                at.pointer.clone(),
                format!("it has more than {MOST} regular expressions with lookaround or backreferences"),
                "Write them without, where that is possible.",
            )),
            None => Ok(Self(slow)),
        }
    }

    /// The first string of a record on which an expression gives up.
    pub(crate) fn found(&self, record: &Value) -> Option<Violation> {
        if self.0.is_empty() { None } else { self.in_value(record, &mut Vec::new()) }
    }

    fn in_value(&self, value: &Value, path: &mut Vec<Step>) -> Option<Violation> {
        match value {
            Value::String(text) => self.in_text(text, path, || Part::Value),
            Value::Array(elements) => elements.iter().enumerate().find_map(|(index, element)| {
                path.push(Step::Index(index));
                let found = self.in_value(element, path);
                path.pop();
                found
            }),
            Value::Object(members) => members.iter().find_map(|(key, value)| {
                let of_key = self.in_text(key, path, || Part::Key(key.clone()));
                path.push(Step::Key(key.clone()));
                let found = of_key.or_else(|| self.in_value(value, path));
                path.pop();
                found
            }),
            _ => None,
        }
    }

    fn in_text(&self, text: &str, path: &[Step], part: impl FnOnce() -> Part) -> Option<Violation> {
        let text = Value::String(text.to_owned());
        let gives_up = |validator: &Validator| {
            let error = validator.validate(&text).err();
            error.is_some_and(|error| {
                matches!(
                    error.kind(),
                    ValidationErrorKind::BacktrackLimitExceeded { .. }
                        | ValidationErrorKind::RegexEngineFailure { .. }
                )
            })
        };
        let (at, pattern, _) = self.0.iter().find(|(.., validator)| gives_up(validator))?;
        Some(Violation {
            rule: SchemaRule::TooSlow,
            value: path.to_vec(),
            part: part(),
            keyword: at.clone(),
            message: format!("the regular expression {} takes too many steps for this string", clip_quoted(pattern)),
            hint: "In the schema, take a repetition in a repetition out of the expression, or its lookaround and backreferences.".to_owned(),
            remedy: None,
        })
    }
}

/// The most such expressions: each is tried on every string.
const MOST: usize = 100;
