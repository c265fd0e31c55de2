//! What a format says of its records beyond their shape, with what it must remember from record to record.

use std::fmt;
use std::ops::Range;

use crate::archive::Attachments;
use crate::explain::{Context, RecordStart};
use crate::finding::{Finding, Location};
use crate::rules::AnyProblem;
use crate::tally::FindingCollector;

pub use evalcheck_records::Header;

/// Rules of one dataset. The checker calls, for each record, either [`DatasetRules::accept`] alone (when it answers
/// true), or [`DatasetRules::examine`]; and at last [`DatasetRules::finish`].
///
/// What is remembered must be bounded, or grow by a few bytes for each record; the implementation says which.
pub trait DatasetRules {
    /// The shape of the record is right and no string of it is unusual. True when these rules have nothing to say of
    /// it either; then it is remembered. When it answers false, it must have remembered nothing, and `examine` is
    /// called for the same record.
    fn accept(&mut self, _record: &Accepted<'_>) -> bool {
        true
    }

    /// Reports what is to be said of a record, and remembers it (unless [`Context::looking`]).
    fn examine(&mut self, _record: &mut Context<'_>) {}

    /// The first line of [`crate::formats::Layout::JsonlWithHeader`]: reports, and gives the shape of the records behind
    /// it. `None` for `line` means that the line is blank or no JSON; a value that is no object was not compared with
    /// the header's shape. Of a CSV it is the header, as an object whose keys are the columns, and what it gives is not
    /// used.
    fn header(&mut self, _line: Option<&mut Context<'_>>) -> Header {
        Header::default()
    }

    /// A list of a document begins; its first record will have this number.
    fn begin_list(&mut self, _list: usize, _record: u64) {}

    /// A record of a document could not be read, or the rest of it cannot be: what these rules miss may be there.
    fn unread(&mut self) {}

    /// Every record was read.
    fn finish(&mut self, _end: &mut End<'_>) {}

    /// The same rules as after the header, remembering no record: for looking at single records again.
    fn looking(&self) -> Box<dyn DatasetRules>;
}

/// A record that the fast tier found clean.
#[derive(Debug, Clone, Copy)]
pub struct Accepted<'a> {
    /// The buffer that the ranges point into; [`crate::scan::PADDING`] bytes stand behind the last of them.
    pub bytes: &'a [u8],
    /// Where the record begins in it; without meaning for a row of a CSV, whose texts may have been decoded.
    pub start: usize,
    /// Number of the capture and range of the string's content (without quotes; without escapes, but for what is
    /// captured raw), in the order of the file.
    pub strings: &'a [(u8, Range<usize>)],
    /// Where the record stands.
    pub origin: RecordStart,
    /// Which list of a document the record is in; 0 elsewhere.
    pub list: usize,
    /// The attachments that a record may refer to; `None` where the dataset is not in an archive.
    pub attachments: Option<&'a Attachments>,
}

impl<'a> Accepted<'a> {
    /// The text of a captured string; empty for what is not UTF-8, which the scanner lets none through.
    #[inline]
    pub fn text(&self, range: &Range<usize>) -> &'a str {
        std::str::from_utf8(&self.bytes[range.clone()]).unwrap_or_default()
    }

    /// The bytes of the strings captured under a number, in the order of the file.
    pub fn contents(&self, number: u8) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.strings
            .iter()
            .filter(move |(n, _)| *n == number)
            .map(move |(_, range)| &self.bytes[range.clone()])
    }

    /// The texts captured under a number, in the order of the file.
    pub fn texts(&self, number: u8) -> impl Iterator<Item = &'a str> + Clone {
        self.strings.iter().filter(move |(n, _)| *n == number).map(move |(_, range)| self.text(range))
    }
}

/// Takes what is to be said of a dataset as a whole.
#[derive(Debug)]
pub struct End<'a> {
    tally: &'a mut FindingCollector,
    notes: &'a mut Vec<String>,
    file_name: Option<&'a str>,
}

impl<'a> End<'a> {
    /// For a tally and the notes of its report, and the name of the file.
    pub fn new(
        tally: &'a mut FindingCollector,
        notes: &'a mut Vec<String>,
        file_name: Option<&'a str>,
    ) -> Self {
        Self { tally, notes, file_name }
    }

    /// The file's name; `None` for what comes from a stream and has none.
    pub fn file_name(&self) -> Option<&'a str> {
        self.file_name
    }

    /// What was counted.
    pub fn tally(&self) -> &FindingCollector {
        self.tally
    }

    /// Reports a problem of the dataset as a whole.
    pub fn report(&mut self, problem: impl Into<AnyProblem>) {
        self.tally.add(Finding::new(problem, Location::file()));
    }

    /// Reports a problem at a place that was passed long ago; it is listed there.
    pub fn report_at(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        self.tally.add_late(Finding::new(problem, location));
    }

    /// Says something in the overview that is no finding: a count, a fact. One sentence.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }
}

// By name only. With `Debug` asked of each implementation, the wasm of the worker holds a printer for every type that any
// of them remembers: 45 kB.
impl fmt::Debug for dyn DatasetRules + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatasetRules")
    }
}

/// Rules of a format that has none beyond its shape.
#[derive(Debug)]
pub struct NoRules;

impl DatasetRules for NoRules {
    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self)
    }
}
