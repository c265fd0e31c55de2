//! Findings before they become text: a problem with typed arguments, at a location.

use std::fmt::Write;

use evalcheck_report::{self as report, Fix, Loss};

use crate::rule::AnyProblem;

pub use crate::location::{Location, Path, Related, Step};

/// A problem of a dataset, or a fact worth knowing, at a location.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The problem.
    pub problem: AnyProblem,
    /// Its location.
    pub location: Location,
    /// The loader whose wording the message repeats, if any, such as `zod`.
    pub loader_wording: Option<&'static str>,
    /// The readers of the format that are known to refuse it, if the format has several.
    pub refused_by: Option<&'static str>,
    /// The bytes to change, if they are known.
    pub fix: Option<Box<Fix>>,
    /// The loss of the system here if it loads the dataset.
    pub loss: Option<Loss>,
    /// For a finding that is only counted and not kept: the number of findings of its record that it represents. It has no
    /// texts, and its fix has no edits.
    pub only_counted: Option<u64>,
    /// Whether only a check of the whole dataset finds it, and not a check of its record alone.
    pub needs_dataset: bool,
}

impl Finding {
    /// A finding at a location.
    pub fn new(problem: impl Into<AnyProblem>, location: Location) -> Self {
        let problem = problem.into();
        let loss = problem.rule().loss;
        Self {
            problem,
            location,
            loader_wording: None,
            refused_by: None,
            fix: None,
            loss,
            only_counted: None,
            needs_dataset: false,
        }
    }

    /// The same with a fix, if any.
    #[must_use]
    pub fn with_fix(self, fix: Option<Fix>) -> Self {
        Self { fix: fix.map(Box::new), ..self }
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.problem.rule().severity == report::Severity::Error
    }

    /// The message, in one line. For a row of a CSV that spans several lines, it also names the row.
    pub fn message(&self) -> String {
        let mut message = self.problem.message();
        if let (Some(begins), Some(record)) = (self.location.begins, self.location.record) {
            let _ = write!(message, " (row {}, which begins at line {begins})", record + 1);
        }
        message
    }

    /// The finding for a report.
    pub fn to_wire(&self) -> report::Finding {
        let rule = self.problem.rule();
        report::Finding {
            code: rule.code.to_owned(),
            severity: rule.severity,
            line: self.location.line,
            column: self.location.column,
            byte_start: self.location.bytes.as_ref().map(|b| b.start),
            byte_end: self.location.bytes.as_ref().map(|b| b.end),
            record: self.location.record,
            path: self.location.path.as_ref().map(Path::dotted),
            message: self.message(),
            hint: self.problem.hint(),
            fix: self.fix.clone(),
            loss: self.loss,
            says: self.loader_wording.map(str::to_owned),
            refused_by: self.refused_by.map(str::to_owned),
            related: self.problem.related().iter().map(Related::to_wire).collect(),
            entry: self.location.entry.as_deref().map(str::to_owned),
        }
    }
}
