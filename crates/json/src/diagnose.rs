//! The thorough tier: reads one record into a tree with spans, and finds all that is wrong with its JSON, its strings and
//! its shape.
//!
//! It reads records that the fast tier ([`crate::scan`]) found doubtful, and records that a person looks at.

mod check;
mod parse;
mod schema_problem;
mod syntax_error;
mod syntax_problem;
mod text_problem;
mod texts;
mod value;

use std::ops::Range;

pub use check::expected_types;
pub use parse::{Parsed, Remark, parse, parse_at};
pub use schema_problem::SchemaProblem;
pub use syntax_error::{SyntaxError, Wanted, skeleton, string_end};
pub use syntax_problem::SyntaxProblem;
pub use text_problem::TextProblem;
pub use texts::check as check_texts;
pub use value::{Kind, Member, Value};

use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_core::rule::AnyProblem;

use crate::schema::Schema;

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

/// Adds every difference between a value and a shape. Paths begin with `base`.
pub fn check_shape(value: &Value<'_>, schema: &'static Schema, base: &Trail, found: &mut Vec<Found>) {
    check::check(value, schema, base, found);
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
    let column = syntax_error::column_at(bytes, start, origin);
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
