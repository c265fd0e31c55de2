//! A finding in a record.

use std::cell::OnceCell;
use std::ops::Range;

use evalcheck_core::finding::{Finding, Location, Path};
use evalcheck_core::rule::AnyProblem;
use evalcheck_report::Loss;

use super::fix::RecordFix;
use super::record_text::{RecordStart, RecordText};

/// A problem in a record, at a span of the record's bytes. [`RecordFinding::locate`] turns it into a finding of the
/// dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordFinding {
    /// The problem.
    pub problem: AnyProblem,
    /// Its bytes in the record.
    pub span: Range<usize>,
    /// The path of the value concerned, if any.
    pub path: Option<Path>,
    /// The edits of the record that resolve the problem, if known.
    pub fix: Option<Box<RecordFix>>,
    /// The number of findings, if it is only counted and not kept.
    pub(super) count: Option<Count>,
    /// See [`Finding::needs_dataset`].
    pub needs_dataset: bool,
}

/// The number of findings that a counted finding represents, and what the system loses for each. The loss is computed when a second finding
/// of the kind is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) number: u64,
    pub(super) loss: OnceCell<Option<Loss>>,
}

impl RecordFinding {
    /// A finding without a fix.
    pub fn new(problem: impl Into<AnyProblem>, span: Range<usize>, path: Option<Path>) -> Self {
        Self { problem: problem.into(), span, path, fix: None, count: None, needs_dataset: false }
    }

    /// Sets the fix, if any.
    #[must_use]
    pub fn with_fix(self, fix: Option<RecordFix>) -> Self {
        Self { fix: fix.map(Box::new), ..self }
    }

    /// Converts it to a finding of the dataset.
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
        let finding = Finding::new(self.problem, record.locate(self.span, self.path)).with_fix(fix);
        Finding { needs_dataset: self.needs_dataset, ..finding }
    }
}
