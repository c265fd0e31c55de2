//! Everything that is to be said of one record: its JSON, its strings, its shape, and the rules of its format.

use std::ops::Range;

pub use evalcheck_core::excerpt::{clip, clip_quoted, column};
pub use evalcheck_json::diagnose::*;

use evalcheck_wire::report::Severity;

use crate::archive::Attachments;
use crate::finding::{Location, Path};
pub use evalcheck_records::Explanation;

use crate::formats::Format;
use crate::rules::AnyProblem;
use crate::rules::dataset_rules::DatasetRules;
use crate::schema::Schema;

/// What a format's record rule works on.
#[derive(Debug)]
pub struct Context<'a> {
    /// The record.
    pub root: &'a Value<'a>,
    /// Its bytes, which spans count in.
    pub bytes: &'a [u8],
    /// The attachments that the record may refer to; `None` where the dataset is not in an archive.
    pub attachments: Option<&'a Attachments>,
    /// Where the record stands.
    pub origin: RecordStart,
    /// Which list of a document the record is in; 0 elsewhere.
    pub list: usize,
    /// The way from the document to the record, which begins every path; empty where a record is a document.
    pub base: &'a PathBuilder,
    /// The record is only looked at again: nothing of it is to be remembered.
    pub looking: bool,
    found: &'a mut Vec<RecordFinding>,
}

impl Context<'_> {
    /// Reports a problem with a value.
    pub fn report(&mut self, problem: impl Into<AnyProblem>, span: Range<usize>, path: Path) {
        self.found.push(RecordFinding { problem: problem.into(), span, path: Some(path) });
    }

    /// Takes back what was said of the shape of a value, because a rule says better what it is.
    pub fn take_back_shape(&mut self, span: &Range<usize>) {
        self.found.retain(|found| {
            let inside = span.start <= found.span.start && found.span.end <= span.end;
            !(inside && found.problem.is::<crate::rules::SchemaProblem>())
        });
    }

    /// True when nothing that was found in the record so far is an error.
    pub fn is_clean(&self) -> bool {
        self.found.iter().all(|found| found.problem.rule().severity != Severity::Error)
    }

    /// The place of a span of the record, for a finding that is made later.
    pub fn location(&self, span: Range<usize>, path: Path) -> Location {
        self.origin.locate(span, Some(path), self.bytes)
    }
}

/// What a record is explained by.
#[derive(Debug)]
pub struct Task<'a> {
    /// The format.
    pub format: &'static Format,
    /// What the record should look like.
    pub schema: &'static Schema,
    /// The rules beyond the shape.
    pub rules: &'a mut dyn DatasetRules,
    /// The attachments that the record may refer to.
    pub attachments: Option<&'a Attachments>,
    /// Where the record stands.
    pub origin: RecordStart,
    /// Which list of a document the record is in.
    pub list: usize,
    /// The way from the document to the record.
    pub base: &'a PathBuilder,
    /// Nothing is to be remembered.
    pub looking: bool,
}

/// Explains the record in `bytes` (a line without its line break).
pub fn explain(bytes: &[u8], task: Task<'_>) -> Explanation {
    let origin = task.origin;
    let mut found = Vec::new();
    let mut unfinished = false;
    match parse_at(bytes, origin) {
        Err(fault) => {
            unfinished = fault.unfinished;
            found.push(fault.into_finding());
        }
        Ok(parsed) => {
            check_value(&parsed, bytes, task, &mut found, |rules, record| rules.examine(record));
        }
    }
    let findings = found.into_iter().map(|found| found.locate(bytes, origin)).collect();
    Explanation { findings, unfinished }
}

/// Everything that is to be said of a value that could be read; `rule` is which of the rules looks at it.
pub fn check_value<T>(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    task: Task<'_>,
    found: &mut Vec<RecordFinding>,
    rule: impl FnOnce(&mut dyn DatasetRules, &mut Context<'_>) -> T,
) -> T {
    check_schema(&parsed.value, task.schema, task.base, found);
    check_record(parsed, bytes, task, found, rule)
}

/// Everything that is to be said of a record whose shape is known to be right; the same as [`check_value`] otherwise.
pub fn check_record<T>(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    task: Task<'_>,
    found: &mut Vec<RecordFinding>,
    rule: impl FnOnce(&mut dyn DatasetRules, &mut Context<'_>) -> T,
) -> T {
    let Task { format, rules, attachments, origin, list, base, looking, .. } = task;
    check_anomalies(parsed, bytes, format.texts, base, origin, found);
    let mut context = Context { root: &parsed.value, bytes, attachments, origin, list, base, looking, found };
    rule(rules, &mut context)
}
