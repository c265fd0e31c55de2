//! The thorough tier: parses a record into a tree with spans, and finds everything that is wrong with it.
//!
//! It reads the records that the fast tier ([`crate::scan`]) finds doubtful, and those that are shown to the user. There
//! are three steps:
//! 1. [`parse_at`] returns the tree ([`Value`]), or the one [`SyntaxError`] with its cause.
//! 2. [`check_schema`] compares the tree with the format's schema: `compare` yields the differences, `repair` says what to do
//!    about each.
//! 3. [`check_anomalies`] reports what the parser noticed besides, such as duplicate keys ([`Anomaly`]).
//!
//! Each step adds [`RecordFinding`]s, whose spans count from the start of the record. [`RecordFinding::locate`] turns them
//! into findings of the dataset, with line and column.

mod advice;
mod anomaly;
mod captures;
mod check;
mod compare;
mod fix;
mod kin;
mod levels;
mod parse;
mod place;
mod record_findings;
mod record_text;
mod repair;
mod schema_problem;
mod syntax_error;
mod syntax_problem;
mod unexpected_token;
mod value;
mod wording;

use std::ops::Range;

pub use advice::{Advice, expected_types};
pub use anomaly::{Anomaly, TextProblem, TextSpans, check_anomalies};
pub use captures::{TreeCaptures, paths_of_captures};
pub use check::{check_schema, check_schema_outside};
pub use fix::{RecordFix, fix_syntax, is_one_entry, join_lines, json_string, quoted};
pub use parse::{Parsed, parse, parse_at};
pub use record_findings::{RecordFindings, Room};
pub use record_text::RecordText;
pub use schema_problem::SchemaProblem;
pub use syntax_error::SyntaxError;
pub use syntax_problem::SyntaxProblem;
pub use unexpected_token::{Expected, unexpected_token};
pub use value::{Kind, Member, Value};

use evalcheck_core::finding::{Finding, Location, Path, Step};
use evalcheck_core::rule::AnyProblem;

/// Where a record begins in the dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordStart {
    /// The offset of its first byte in the dataset.
    pub offset: u64,
    /// The line of that byte, from 1.
    pub line: u64,
    /// The column of that byte, from 1.
    pub column: u64,
    /// The index of the record, from 0.
    pub record: u64,
}

/// A problem in a record, at a span of the record's bytes. [`RecordFinding::locate`] turns it into a finding of the
/// dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordFinding {
    /// The problem.
    pub problem: AnyProblem,
    /// Its bytes in the record.
    pub span: Range<usize>,
    /// The path of the value concerned; `None` where no value is.
    pub path: Option<Path>,
    /// How the record can be changed so that the problem is gone, where that is known.
    pub fix: Option<Box<RecordFix>>,
    /// It is not kept but only counted.
    count: Option<record_findings::Count>,
}

impl RecordStart {
    /// The location of one span of the record, whose bytes are `bytes`; for several use a [`RecordText`].
    pub fn locate(self, span: Range<usize>, path: Option<Path>, bytes: &[u8]) -> Location {
        RecordText::new(bytes, self).locate(span, path)
    }
}

impl RecordFinding {
    /// A finding without a fix.
    pub fn new(problem: impl Into<AnyProblem>, span: Range<usize>, path: Option<Path>) -> Self {
        Self { problem: problem.into(), span, path, fix: None, count: None }
    }

    /// The same with a fix, where there is one.
    #[must_use]
    pub fn with_fix(self, fix: Option<RecordFix>) -> Self {
        Self { fix: fix.map(Box::new), ..self }
    }

    /// The same as a finding of the dataset.
    pub fn locate(self, record: &RecordText<'_>) -> Finding {
        let fix = self.fix.map(|fix| fix.locate(record.start.offset));
        if let Some(count) = self.count {
            let RecordStart { line, record, .. } = record.start;
            let location =
                Location { line: Some(line), record: Some(record), path: self.path, ..Location::default() };
            return Finding {
                only_counted: Some(count.number),
                ..Finding::new(self.problem, location).with_fix(fix)
            };
        }
        Finding::new(self.problem, record.locate(self.span, self.path)).with_fix(fix)
    }
}

/// A path that is built while walking down a tree. Most of its places are never reported, so their keys are in one buffer.
#[derive(Debug, Clone, Default)]
pub struct PathBuilder {
    keys: String,
    steps: Vec<BuiltStep>,
}

/// A step of a [`PathBuilder`].
#[derive(Debug, Clone, Copy)]
enum BuiltStep {
    /// The key that begins here in the buffer.
    Key(usize),
    Index(usize),
}

impl From<Vec<Step>> for PathBuilder {
    fn from(steps: Vec<Step>) -> Self {
        let mut path = Self::default();
        for step in steps {
            match step {
                Step::Key(key) => path.key(&key),
                Step::Index(index) => path.index(index),
            }
        }
        path
    }
}

impl PathBuilder {
    /// Enters a member of an object.
    pub fn key(&mut self, key: &str) {
        self.steps.push(BuiltStep::Key(self.keys.len()));
        self.keys.push_str(key);
    }

    /// Enters an element of an array.
    pub fn index(&mut self, index: usize) {
        self.steps.push(BuiltStep::Index(index));
    }

    /// True for the record itself.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Leaves the last member or element.
    pub fn back(&mut self) {
        if let Some(BuiltStep::Key(start)) = self.steps.pop() {
            self.keys.truncate(start);
        }
    }

    /// The path of the current value.
    pub fn path(&self) -> Path {
        let mut end = self.keys.len();
        let mut steps = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().rev() {
            steps.push(match *step {
                BuiltStep::Key(start) => {
                    let key = &self.keys[start..end];
                    end = start;
                    Step::Key(key.into())
                }
                BuiltStep::Index(index) => Step::Index(index),
            });
        }
        steps.reverse();
        Path(steps)
    }
}
