//! A finding before it becomes text: a problem with typed arguments, and where it stands.

use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::report::{self, Fix, Loss, ROOT_PATH};

use crate::rule::AnyProblem;

/// One thing that is wrong, or worth knowing, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is.
    pub problem: AnyProblem,
    /// Where it stands.
    pub location: Location,
    /// The loader whose wording the message repeats, if any: `zod`.
    pub loader_wording: Option<&'static str>,
    /// How it can be fixed by changing bytes, where that is known.
    pub fix: Option<Box<Fix>>,
    /// What the system loses here when it loads the dataset.
    pub loss: Option<Loss>,
    /// It is not kept but only counted, as so many findings of its record: it has no texts, and of its fix only whether it is
    /// safe.
    pub only_counted: Option<u64>,
}

/// Where a finding stands. Everything is optional because an archive has no lines and a line that is not JSON has
/// no path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column, counted from 1 in Unicode code points.
    pub column: Option<u64>,
    /// Bytes of the dataset, counted from 0 (of the entry, where the dataset is an entry of a ZIP).
    pub bytes: Option<Range<u64>>,
    /// The line at which the record begins, where that is another than [`Location::line`] and no element of a document.
    pub begins: Option<u64>,
    /// Record, counted from 0.
    pub record: Option<u64>,
    /// The value.
    pub path: Option<Path>,
    /// The entry of a ZIP that it stands in or is about.
    pub entry: Option<Rc<str>>,
}

/// Another place that belongs to a finding, such as the first use of an id that is used again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// What is there, in a few words: `first used here`.
    pub label: &'static str,
    /// Where it is.
    pub location: Location,
}

impl Related {
    /// A place, when it is known.
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
            // Where there is a line, it says enough.
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
    /// A finding at a place.
    pub fn new(problem: impl Into<AnyProblem>, location: Location) -> Self {
        let problem = problem.into();
        let loss = problem.rule().loss;
        Self { problem, location, loader_wording: None, fix: None, loss, only_counted: None }
    }

    /// The same with a fix, where there is one.
    #[must_use]
    pub fn with_fix(self, fix: Option<Fix>) -> Self {
        Self { fix: fix.map(Box::new), ..self }
    }

    /// What is wrong, one line. Of a row of a CSV that goes over several lines it names the row too.
    pub fn message(&self) -> String {
        let mut message = self.problem.message();
        if let (Some(begins), Some(record)) = (self.location.begins, self.location.record) {
            let _ = write!(message, " (row {}, which begins at line {begins})", record + 1);
        }
        message
    }

    /// The finding as the report has it.
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

/// The way from a record to a value in it.
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
