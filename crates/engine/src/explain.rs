//! The explaining tier: everything that is to be said of one record, at the deepest path, with spans.
//!
//! It reads records that [`crate::scan`] found doubtful, and records that a person looks at. It builds a tree and
//! takes its time.

mod check;
mod fault;
mod parse;
mod texts;
mod value;

use std::ops::Range;

pub use check::expected_types;
pub use evalcheck_core::excerpt::{clip, clip_quoted, column};
pub use fault::{Fault, Wanted, skeleton, string_end};
pub use parse::{Parsed, Remark, parse, parse_at};
pub use value::{Kind, Member, Value};

use evalcheck_wire::report::Severity;

use crate::archive::Attachments;
use crate::finding::{Finding, Location, Path, Step};
use crate::formats::Format;
use crate::rules::AnyProblem;
use crate::rules::dataset_rules::DatasetRules;
use crate::shape::Shape;

/// Where a record stands in the dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin {
    /// Byte of the dataset at which the record's bytes begin.
    pub offset: u64,
    /// Line of that byte, from 1.
    pub line: u64,
    /// Column of that byte, from 1.
    pub column: u64,
    /// The record's number, from 0.
    pub record: u64,
}

/// Everything that is to be said of one record.
#[derive(Debug)]
pub struct Explanation {
    /// The findings: errors of shape in the order in which the system's checker comes upon them, then the rules'.
    pub findings: Vec<Finding>,
    /// The record may go on behind the end of its line; then its only finding is that the line ends too early.
    pub unfinished: bool,
}

/// A problem at a place of the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What it is.
    pub problem: AnyProblem,
    /// Its bytes in the record.
    pub span: Range<usize>,
    /// The value it is about; `None` for what is not about a value.
    pub path: Option<Path>,
}

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
    pub origin: Origin,
    /// Which list of a document the record is in; 0 elsewhere.
    pub list: usize,
    /// The way from the document to the record, which begins every path; empty where a record is a document.
    pub base: &'a Trail,
    /// The record is only looked at again: nothing of it is to be remembered.
    pub looking: bool,
    found: &'a mut Vec<Found>,
}

impl Context<'_> {
    /// Reports a problem with a value.
    pub fn report(&mut self, problem: impl Into<AnyProblem>, span: Range<usize>, path: Path) {
        self.found.push(Found { problem: problem.into(), span, path: Some(path) });
    }

    /// Takes back what was said of the shape of a value, because a rule says better what it is.
    pub fn take_back_shape(&mut self, span: &Range<usize>) {
        self.found.retain(|found| {
            let inside = span.start <= found.span.start && found.span.end <= span.end;
            !(inside && found.problem.is::<crate::rules::Shape>())
        });
    }

    /// True when nothing that was found in the record so far is an error.
    pub fn is_clean(&self) -> bool {
        self.found.iter().all(|found| found.problem.rule().severity != Severity::Error)
    }

    /// The place of a span of the record, for a finding that is made later.
    pub fn location(&self, span: Range<usize>, path: Path) -> Location {
        location(span, Some(path), self.bytes, self.origin)
    }
}

/// What a record is explained by.
#[derive(Debug)]
pub struct Task<'a> {
    /// The format.
    pub format: &'static Format,
    /// What the record should look like.
    pub shape: &'static Shape,
    /// The rules beyond the shape.
    pub rules: &'a mut dyn DatasetRules,
    /// The attachments that the record may refer to.
    pub attachments: Option<&'a Attachments>,
    /// Where the record stands.
    pub origin: Origin,
    /// Which list of a document the record is in.
    pub list: usize,
    /// The way from the document to the record.
    pub base: &'a Trail,
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
            found.push(fault.into_found());
        }
        Ok(parsed) => {
            check_value(&parsed, bytes, task, &mut found, |rules, record| rules.examine(record));
        }
    }
    let findings = found.into_iter().map(|found| locate(found, bytes, origin)).collect();
    Explanation { findings, unfinished }
}

/// Everything that is to be said of a value that could be read; `rule` is which of the rules looks at it.
pub fn check_value<T>(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    task: Task<'_>,
    found: &mut Vec<Found>,
    rule: impl FnOnce(&mut dyn DatasetRules, &mut Context<'_>) -> T,
) -> T {
    check::check(&parsed.value, task.shape, task.base, found);
    check_record(parsed, bytes, task, found, rule)
}

/// Everything that is to be said of a record whose shape is known to be right; the same as [`check_value`] otherwise.
pub fn check_record<T>(
    parsed: &Parsed<'_>,
    bytes: &[u8],
    task: Task<'_>,
    found: &mut Vec<Found>,
    rule: impl FnOnce(&mut dyn DatasetRules, &mut Context<'_>) -> T,
) -> T {
    let Task { format, rules, attachments, origin, list, base, looking, .. } = task;
    texts::check(parsed, bytes, format, base, origin, found);
    let mut context = Context { root: &parsed.value, bytes, attachments, origin, list, base, looking, found };
    rule(rules, &mut context)
}

/// Adds every difference between a value and a shape. Paths begin with `base`.
pub fn check_shape(value: &Value<'_>, shape: &'static Shape, base: &Trail, found: &mut Vec<Found>) {
    check::check(value, shape, base, found);
}

/// The place in the dataset of a span of a record.
pub fn place_of(span: Range<usize>, path: Option<Path>, bytes: &[u8], origin: Origin) -> Location {
    location(span, path, bytes, origin)
}

/// Turns offsets in the record into the place in the dataset.
pub fn locate(found: Found, bytes: &[u8], origin: Origin) -> Finding {
    Finding::new(found.problem, location(found.span, found.path, bytes, origin))
}

/// The place of a part of the record.
pub fn location(span: Range<usize>, path: Option<Path>, bytes: &[u8], origin: Origin) -> Location {
    let start = span.start.min(bytes.len());
    let before = &bytes[..start];
    let newlines = memchr::memchr_iter(b'\n', before).count() as u64;
    let column = fault::column_at(bytes, start, origin);
    Location {
        line: Some(origin.line + newlines),
        column: Some(column),
        bytes: Some(origin.offset + span.start as u64..origin.offset + span.end as u64),
        begins: None,
        record: Some(origin.record),
        path,
        entry: None,
    }
}

/// A path under construction on the way down a tree.
#[derive(Debug, Clone, Default)]
pub struct Trail(Vec<Step>);

impl From<Vec<Step>> for Trail {
    fn from(steps: Vec<Step>) -> Self {
        Self(steps)
    }
}

impl Trail {
    /// Goes into a member.
    pub fn key(&mut self, key: &str) {
        self.0.push(Step::Key(key.into()));
    }

    /// Goes into an element.
    pub fn index(&mut self, index: usize) {
        self.0.push(Step::Index(index));
    }

    /// Goes back out.
    pub fn back(&mut self) {
        self.0.pop();
    }

    /// The path to here.
    pub fn path(&self) -> Path {
        Path(self.0.clone())
    }
}
