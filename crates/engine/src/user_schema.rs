//! A JSON Schema of the user's own: records are held against it beside the checks of their format.
//!
//! The engine validates nothing itself. A driver lends a compiler ([`Schemas`]), which is `evalcheck-schema`: linked in the command, a module of its own in
//! the page. It says what a record violates and by which keyword; here the places in the record and in the schema are found, and the edits of a
//! fix made.

mod misfit;
mod place;
mod problem;
mod text;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use evalcheck_diagnose::{Kind, Member, RecordFix, Value, json_string};
use evalcheck_formats::checks::{Captures, Fate, Findings, Record, RecordChecks, Target};
use evalcheck_formats::loaded::{Held, Loading};
use evalcheck_formats::{Format, Layout, Variant};
use evalcheck_wire::options::CheckOptions;
use evalcheck_wire::user_schema::{
    Change, Part, RecordText, Remedy, SchemaError, SchemaFile, SchemaPlace, SchemaRule, Schemas, Step,
    Validate, Violation,
};

use crate::environment::Environment;
use crate::finding::{self, Finding, Location};
use crate::rules::AnyProblem;

pub(crate) use misfit::misfit;
use place::place_in;
pub use problem::UserSchemaProblem;
use text::{row_text, write_value};

/// The compiler of a driver that has none.
///
/// # Errors
/// Always.
pub fn no_schemas(_: &[SchemaFile], _: bool) -> Result<Box<dyn Validate>, SchemaError> {
    Err(SchemaError {
        at: SchemaPlace::default(),
        message: "schemas of one's own cannot be read here".to_owned(),
        hint: "Use the command evalcheck.".to_owned(),
    })
}

/// A schema of the user before it is compiled, for any thread.
#[derive(Debug, Clone)]
pub(crate) struct SchemaSource {
    files: Arc<[SchemaFile]>,
    /// Whether formats of strings are held against them.
    formats: bool,
    schemas: Schemas,
}

impl SchemaSource {
    /// The schema of these files; `None` if there are none.
    pub(crate) fn new(files: &[SchemaFile], formats: bool, environment: &Environment) -> Option<Self> {
        (!files.is_empty()).then(|| Self { files: files.into(), formats, schemas: environment.schemas })
    }

    /// The schema in the options of a check.
    pub(crate) fn of(options: &CheckOptions, environment: &Environment) -> Option<Self> {
        Self::new(&options.schema, options.schema_formats, environment)
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// Compiles it for a dataset.
    ///
    /// # Errors
    /// The schema cannot be used.
    pub(crate) fn compile(&self, format: &Format, variant: &Variant) -> Result<Rc<UserSchema>, AnyProblem> {
        let files = Arc::clone(&self.files);
        let compiled = (self.schemas)(&files, self.formats)
            .map_err(|error| AnyProblem::from(unusable(&files, error)))?;
        let text = if matches!(variant.layout, Layout::Csv(_)) { RecordText::Row } else { RecordText::Json };
        Ok(Rc::new(UserSchema {
            compiled,
            files,
            text,
            is_beside_system: !format.is_plain(),
            places: RefCell::default(),
            gave_up: RefCell::default(),
        }))
    }
}

/// A schema of the user, as a check uses it.
#[derive(Debug)]
pub(crate) struct UserSchema {
    compiled: Box<dyn Validate>,
    files: Arc<[SchemaFile]>,
    text: RecordText,
    /// Whether a system reads the dataset too.
    is_beside_system: bool,
    /// The places of keywords that were violated.
    places: RefCell<BTreeMap<(usize, String), Location>>,
    /// The record at which a regular expression took too long: nothing can be said of later ones.
    gave_up: RefCell<Option<GaveUp>>,
}

/// The texts of a finding about records after one on which a regular expression took too long.
#[derive(Debug, Clone)]
struct GaveUp {
    record: u64,
    message: String,
    hint: String,
    at: Location,
}

impl UserSchema {
    /// Whether later records cannot be judged.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up.borrow().is_some()
    }

    /// The part of the schema that is not checked, as a note for the user. `are_arrays` says that records are arrays.
    pub(crate) fn note(&self, are_arrays: bool) -> Option<String> {
        (self.compiled.is_of_elements() && !are_arrays).then(|| {
            let name = self.files.first().map_or("", |file| &file.name);
            format!("{name} describes an array: each record was held against its items, and the array itself was not checked.")
        })
    }

    /// Whether a record that was scanned is valid.
    fn is_valid(&self, captures: &Captures<'_>) -> bool {
        if self.gave_up() {
            return false;
        }
        match captures.row {
            None => self.compiled.is_valid(captures.record, self.text),
            Some(row) => self.compiled.is_valid(row_text(captures.record, row).as_bytes(), self.text),
        }
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let number = record.text.start.record;
        let gave_up = self.gave_up.borrow().clone().filter(|earlier| earlier.record < number);
        if let Some(GaveUp { message, hint, at, .. }) = gave_up {
            let problem = UserSchemaProblem::of(SchemaRule::TooSlow, message, hint, at, None);
            return out.report(problem, record.at_start(record.root));
        }
        let mut text = String::with_capacity(record.text.bytes.len());
        write_value(&mut text, record.root);
        let violations = self.compiled.violations(&text, self.text);
        let is_renamed = |found: &Violation| matches!(&found.remedy, Some(remedy) if matches!(remedy.change, Change::Rename(_)));
        let has_slip = violations.iter().any(is_renamed);
        for violation in violations {
            let (target, fix) = self.locate(&violation, record);
            let at = self.place(&violation.keyword);
            let Violation { rule, value, part, message, hint, .. } = violation;
            let of_every = match part {
                Part::Key(key) | Part::Missing(key) if value.is_empty() && !has_slip && fix.is_none() => {
                    Some(key)
                }
                _ => None,
            };
            if rule == SchemaRule::TooSlow {
                let (message, hint, at) = (message.clone(), hint.clone(), at.clone());
                self.gave_up.borrow_mut().get_or_insert(GaveUp { record: number, message, hint, at });
            }
            out.report_fixed(UserSchemaProblem::of(rule, message, hint, at, of_every), target, fix);
        }
    }

    /// The place of a violation in a record, and its fix.
    fn locate(&self, violation: &Violation, record: &Record<'_>) -> (Target, Option<RecordFix>) {
        let (value, is_there) = follow(record.root, &violation.value);
        let (mut target, member) = match &violation.part {
            Part::Value => (record.at(value), None),
            Part::Key(key) => {
                let member = value.live_members().find(|member| member.key == **key);
                let span = member.map_or(value.span.clone(), |member| member.key_span.clone());
                (Target { span, ..record.at(value) }, member)
            }
            Part::Missing(_) => (record.at_start(value), None),
        };
        if let Part::Key(key) | Part::Missing(key) = &violation.part {
            target.path.0.push(finding::Step::Key(key.as_str().into()));
        }
        // The column exists, although its empty cell has no value.
        if let (RecordText::Row, Part::Missing(key)) = (self.text, &violation.part)
            && let Some(member) = value.live_members().find(|member| member.key == **key)
        {
            target.span = member.value.span.clone();
        }
        let remedy = violation.remedy.as_ref().filter(|_| is_there);
        let fix = remedy.and_then(|remedy| self.fix(remedy, value, member, &violation.part));
        (target, fix)
    }

    fn fix(
        &self,
        Remedy { title, is_safe, change }: &Remedy,
        value: &Value<'_>,
        member: Option<&Member<'_>>,
        part: &Part,
    ) -> Option<RecordFix> {
        let fix = match (*is_safe, self.is_beside_system) {
            (true, false) => RecordFix::safe(title.clone()),
            (true, true) => RecordFix::not_safe(format!("{title}, which may change what the system loads")),
            (false, _) => RecordFix::not_safe(title.clone()),
        };
        match (change, part, self.text) {
            (Change::Replace(json), _, RecordText::Json) => Some(fix.replace(value.span.clone(), json)),
            (Change::Replace(json), ..) => {
                let cell = evalcheck_diagnose::parse(json.as_bytes()).ok()?;
                let text = cell.value.as_str().unwrap_or(json);
                let is_plain = !text.contains(['"', ',', ';', '\t', '|', '\r', '\n']) && text.trim() == text;
                is_plain.then(|| fix.replace(value.span.clone(), text))
            }
            (Change::Rename(key), _, RecordText::Json) => {
                Some(fix.replace(member?.key_span.clone(), json_string(key)))
            }
            (Change::Insert(json), Part::Missing(key), RecordText::Json) => {
                let Kind::Object(members) = &value.kind else { return None };
                let at = members.first()?.key_span.start;
                Some(fix.replace(at..at, format!("{}: {json}, ", json_string(key))))
            }
            _ => None,
        }
    }

    /// The place of a keyword, as precisely as the text of the schema tells.
    fn place(&self, SchemaPlace { file, pointer }: &SchemaPlace) -> Location {
        let key = (*file, pointer.clone());
        let mut places = self.places.borrow_mut();
        places.entry(key).or_insert_with(|| place_in(&self.files, *file, pointer)).clone()
    }
}

/// Whether a finding is an error for the system that reads the dataset, which knows nothing of the user's own schema.
pub(crate) fn is_error_of_format(finding: &Finding) -> bool {
    finding.is_error() && !finding.problem.is::<UserSchemaProblem>()
}

/// The problem of a schema that cannot be used.
fn unusable(files: &[SchemaFile], error: SchemaError) -> UserSchemaProblem {
    let SchemaError { at: SchemaPlace { file, pointer }, message: why, hint } = error;
    let at = place_in(files, file, &pointer);
    let name = at.file.as_deref().unwrap_or("it").to_owned();
    let place = match at.line {
        Some(line) if !pointer.is_empty() => format!("{name} at line {line}, {pointer}"),
        _ if !pointer.is_empty() => format!("{name} at {pointer}"),
        _ => name,
    };
    UserSchemaProblem::Unusable { place, why, hint, at }
}

/// The value at the end of a path, and whether it is there: of a path into the JSON of a cell, the cell.
fn follow<'v, 'a>(root: &'v Value<'a>, path: &[Step]) -> (&'v Value<'a>, bool) {
    let found = path.iter().try_fold(root, |value, step| next(value, step).ok_or(value));
    (found.unwrap_or_else(|last| last), found.is_ok())
}

fn next<'v, 'a>(value: &'v Value<'a>, step: &Step) -> Option<&'v Value<'a>> {
    match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
    }
}

/// The checks of a format's records, and a schema of the user's own beside them.
#[derive(Debug)]
pub(crate) struct WithSchema {
    pub(crate) of_format: Rc<dyn RecordChecks>,
    pub(crate) schema: Rc<UserSchema>,
}

impl RecordChecks for WithSchema {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        self.of_format.is_clean(captures) && self.schema.is_valid(captures)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        self.of_format.check(record, out);
        self.schema.check(record, out);
    }

    fn depend_on_header(&self) -> bool {
        self.of_format.depend_on_header()
    }

    fn fate(&self, record: &Value<'_>) -> Option<Fate> {
        self.of_format.fate(record)
    }

    fn held(&self, loading: &Loading<'_>) -> Option<Held> {
        self.of_format.held(loading)
    }
}
