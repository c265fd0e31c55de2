//! Records as the system holds them once the dataset is loaded.

use evalcheck_formats::loaded::{Held, Loading};
use evalcheck_wire::report::{Loss, Severity};
use evalcheck_wire::view::Loaded;

use crate::diagnose::{self, Kind, Parsed, RecordFindings, RecordStart, Room};
use crate::finding::Finding;
use crate::formats::checks::{Fate, RecordChecks};
use crate::formats::{ByteOrderMark, Format, Variant};
use crate::records::Event;
use crate::records::csv::Table;
use crate::records::csv::row;

/// The character before the name of the first column in a reader that does not know the byte order mark.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A record of a dataset, and the outcome of loading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedRecord {
    /// The line at which it begins.
    pub line: u64,
    /// The outcome.
    pub loaded: Loaded,
    /// The index of the occurrence of the list that the record is in: a document may repeat the key of its list. 0 elsewhere.
    pub value: usize,
}

impl LoadedRecord {
    /// Observes an event. When a record is read, sets the line of the last record, which only its findings gave before.
    pub(crate) fn observe(records: &mut [Self], event: &Event<'_>) {
        if let (Event::Read(read), Some(last)) = (event, records.last_mut()) {
            last.line = read.mark.record_start.line;
        }
    }
}

/// The outcome of loading the record that is counted next.
#[derive(Debug)]
pub(crate) struct Noted {
    /// The line at which it begins.
    pub(crate) line: u64,
    /// The outcome.
    pub(crate) outcome: Outcome,
}

impl Noted {
    /// The outcome of loading a record with these findings. `noted` is the outcome that was known when the record was read, if it
    /// was read; `is_refused`: the system refuses the dataset because of its header.
    pub(crate) fn count(noted: Option<Self>, findings: &[Finding], is_refused: bool) -> Self {
        match noted {
            // An error of the reader, such as that of a byte order mark, is not in the record.
            Some(Self { line, outcome: Outcome::Held(_) }) if findings.iter().any(is_error) => {
                Self { line, outcome: Outcome::not_loaded(findings, is_refused) }
            }
            Some(noted) => noted,
            None => {
                let lines = findings.iter().filter_map(|finding| finding.location.line);
                Self { line: lines.min().unwrap_or(1), outcome: Outcome::not_loaded(findings, is_refused) }
            }
        }
    }
}

fn is_error(finding: &Finding) -> bool {
    finding.problem.rule().severity == Severity::Error
}

/// The outcome of loading a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// See [`Loaded::Held`].
    Held(Held),
    /// See [`Loaded::Dropped`].
    Dropped,
    /// See [`Loaded::Refused`].
    Refused,
}

impl Outcome {
    /// The outcome of a record with these findings that cannot be read. `is_refused`: the system refuses the dataset because of its header.
    pub(crate) fn not_loaded(findings: &[Finding], is_refused: bool) -> Self {
        let is_dropped = findings.iter().any(|finding| finding.loss == Some(Loss::Line));
        if is_dropped && !is_refused { Self::Dropped } else { Self::Refused }
    }

    /// The outcome as it is shown.
    pub(crate) fn to_wire(&self) -> Loaded {
        match self {
            Self::Held(held) => Loaded::Held(held.to_wire()),
            Self::Dropped => Loaded::Dropped,
            Self::Refused => Loaded::Refused,
        }
    }
}

/// A record to load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) format: &'static Format,
    pub(crate) variant: &'static Variant,
    /// The checks of the record, which know the header.
    pub(crate) checks: &'a dyn RecordChecks,
    pub(crate) bytes: &'a [u8],
    pub(crate) start: RecordStart,
    pub(crate) list: usize,
    /// The columns, if it is a row of a CSV.
    pub(crate) table: Option<&'a Table>,
}

impl Candidate<'_> {
    /// The outcome of loading the record, which has these findings.
    pub(crate) fn load(&self, findings: &[Finding]) -> Outcome {
        let parsed = self.parse();
        match parsed.as_ref().and_then(|parsed| self.checks.fate(&parsed.value)) {
            Some(Fate::Dropped) => return Outcome::Dropped,
            Some(Fate::Refused) => return Outcome::Refused,
            None => {}
        }
        if findings.iter().any(|finding| (self.format.loader.loss)(finding) == Some(Loss::Line)) {
            return Outcome::Dropped;
        }
        if findings.iter().any(is_error) {
            return Outcome::Refused;
        }
        parsed.map_or(Outcome::Refused, |parsed| self.held(&parsed))
    }

    /// The record as the system reads it.
    fn parse(&self) -> Option<Parsed<'_>> {
        let Some(table) = self.table else { return diagnose::parse(self.bytes).ok() };
        let found = &mut RecordFindings::within(Room::None);
        let mut parsed = row::read(self.bytes, table, self.start.line, found)?;
        let is_in_name = table.has_mark && self.format.texts.byte_order_mark == ByteOrderMark::Refused;
        if is_in_name
            && let Kind::Object(members) = &mut parsed.value.kind
            && let Some(first) = members.first_mut()
        {
            first.key = format!("{BYTE_ORDER_MARK}{}", first.key).into();
        }
        Some(parsed)
    }

    fn held(&self, parsed: &Parsed<'_>) -> Outcome {
        let loading = Loading {
            root: &parsed.value,
            bytes: self.bytes,
            row: if self.table.is_some() { self.start.record } else { 0 },
            list: self.list,
            variant: self.variant,
        };
        Outcome::Held((self.format.loader.held)(&loading))
    }
}
