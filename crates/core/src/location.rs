//! The location of a finding in a dataset.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_report::selector::{PathStep, general_path_of, path_of};
use evalcheck_report::{self as report, ROOT_PATH};

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
    /// Another file than the dataset, such as a schema.
    pub file: Option<Rc<str>>,
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

    /// It, for a report.
    pub(crate) fn to_wire(&self) -> report::Related {
        report::Related {
            label: self.label.to_owned(),
            line: self.location.line,
            column: self.location.column,
            byte_start: self.location.bytes.as_ref().map(|b| b.start),
            byte_end: self.location.bytes.as_ref().map(|b| b.end),
            // A line is enough.
            record: self.location.record.filter(|_| self.location.line.is_none()),
            path: self.location.path.as_ref().map(Path::dotted),
            file: self.location.file.as_deref().map(str::to_owned),
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
        if self.0.is_empty() { ROOT_PATH.to_owned() } else { path_of(self.steps()) }
    }

    /// The path with `*` for each index, which findings of a kind share: `input.messages.*.role`.
    pub fn general(&self) -> String {
        if self.0.is_empty() { ROOT_PATH.to_owned() } else { general_path_of(self.steps()) }
    }

    fn steps(&self) -> impl Iterator<Item = PathStep<'_>> {
        self.0.iter().map(|step| match step {
            Step::Key(key) => PathStep::Key(key),
            Step::Index(index) => PathStep::Index(*index),
        })
    }
}
