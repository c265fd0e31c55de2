//! Findings before they become text: a problem with typed arguments, at a location.

use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::report::{self, Fix, Loss, ROOT_PATH};

use crate::rule::AnyProblem;

/// A problem of a dataset, or a fact worth knowing, at a location.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The problem.
    pub problem: AnyProblem,
    /// Its location.
    pub location: Location,
    /// The loader whose wording the message repeats, if any, such as `zod`.
    pub loader_wording: Option<&'static str>,
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

/// The location of a finding. Everything is optional, because an archive has no lines and a line that is not JSON has no path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column, counted from 1 in Unicode code points.
    pub column: Option<u64>,
    /// Bytes of the dataset, counted from 0 (in the entry, if the dataset is an entry of a ZIP).
    pub bytes: Option<Range<u64>>,
    /// The line at which the record begins, if it differs from [`Location::line`] and the record is not an element of a document.
    pub begins: Option<u64>,
    /// Record, counted from 0.
    pub record: Option<u64>,
    /// The path of the value.
    pub path: Option<Path>,
    /// The entry of a ZIP that the finding is in or about.
    pub entry: Option<Rc<str>>,
}

/// Another location that belongs to a finding, such as the first use of an id that is used again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// A few words about it, such as `first used here`.
    pub label: &'static str,
    /// Its location.
    pub location: Location,
}

impl Related {
    /// A related location, if it is known.
    pub fn new(label: &'static str, location: impl Into<Option<Location>>) -> Option<Self> {
        location.into().map(|location| Self { label, location })
    }

    fn to_wire(&self) -> report::Related {
        report::Related {
            label: self.label.to_owned(),
            line: self.location.line,
            column: self.location.column,
            byte_start: self.location.bytes.as_ref().map(|b| b.start),
            byte_end: self.location.bytes.as_ref().map(|b| b.end),
            // A line is enough.
            record: self.location.record.filter(|_| self.location.line.is_none()),
            path: self.location.path.as_ref().map(Path::dotted),
        }
    }
}

impl Location {
    /// The file as a whole.
    pub fn file() -> Self {
        Self::default()
    }

    /// A line as a whole.
    pub fn line(line: u64) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    /// An entry of a ZIP as a whole.
    pub fn entry(name: impl Into<Rc<str>>) -> Self {
        Self { entry: Some(name.into()), ..Self::default() }
    }
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
            related: self.problem.related().iter().map(Related::to_wire).collect(),
            entry: self.location.entry.as_deref().map(str::to_owned),
        }
    }
}

/// The path from a record to a value in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Path(pub Vec<Step>);

/// One step of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A key of an object, unescaped.
    Key(Rc<str>),
    /// An index of an array.
    Index(usize),
}

impl Path {
    /// `input.messages.0.role`; [`ROOT_PATH`] for the record itself.
    pub fn dotted(&self) -> String {
        if self.0.is_empty() {
            return ROOT_PATH.to_owned();
        }
        let mut out = String::new();
        for step in &self.0 {
            if !out.is_empty() {
                out.push('.');
            }
            match step {
                Step::Key(key) => out.push_str(key),
                Step::Index(index) => {
                    let _ = write!(out, "{index}");
                }
            }
        }
        out
    }
}
