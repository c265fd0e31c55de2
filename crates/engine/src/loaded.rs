//! Records as the system holds them once the dataset is loaded.

use evalcheck_formats::loaded::{Held, Loading};
use evalcheck_wire::report::{Loss, Severity};
use evalcheck_wire::view::Loaded;

use crate::dataset::Dataset;
use crate::diagnose::{self, Kind, Parsed, RecordFindings, Room};
use crate::finding::Finding;
use crate::formats::ByteOrderMark;
use crate::formats::checks::Fate;
use crate::observer::{Observer, PartText};
use crate::records::csv::{Table, row};
use crate::records::{Event, Part, ScannedRecord};

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

/// Each record that was counted and not yet taken, as the system loads it.
#[derive(Debug, Default)]
pub(crate) struct LoadedRecords {
    records: Vec<LoadedRecord>,
    next: NextLoaded,
}

impl LoadedRecords {
    /// Removes and returns the records so far, in their order.
    pub(crate) fn take(&mut self) -> Vec<LoadedRecord> {
        std::mem::take(&mut self.records)
    }
}

impl Observer for LoadedRecords {
    fn needs_tree(&mut self, _: &ScannedRecord<'_>, _: &Dataset) -> bool {
        true
    }

    fn read(&mut self, part: Part<'_>, text: &PartText<'_>, dataset: &Dataset) {
        self.next.read(part, text, dataset);
    }

    fn counted(&mut self, _: u64, findings: &[Finding], dataset: &Dataset) {
        let (line, outcome) = self.next.count(findings, dataset);
        self.records.push(LoadedRecord { line, loaded: outcome.to_wire(), value: dataset.lists.last() });
    }

    fn event(&mut self, event: &Event<'_>, _: &Dataset) {
        // The findings of a record that could not be read give a line in it, and not always its first.
        if let (Event::Read(read), Some(last)) = (event, self.records.last_mut()) {
            last.line = read.mark.record_start.line;
        }
    }
}

/// The outcome of loading the record that is counted next, with the line at which it begins; `None` if it was not read.
#[derive(Debug, Clone, Default)]
pub(crate) struct NextLoaded(Option<(u64, Outcome)>);

impl NextLoaded {
    /// Notes the outcome of a record that was read.
    pub(crate) fn read(&mut self, part: Part<'_>, text: &PartText<'_>, dataset: &Dataset) {
        let (list, table) = match part {
            Part::Record { list, .. } => (list, None),
            Part::Row(table) => (0, Some(table)),
            _ => return,
        };
        self.0 = Some((text.start.line, dataset.load(text, list, table)));
    }

    /// The outcome of the record that is counted, and its line.
    pub(crate) fn count(&mut self, findings: &[Finding], dataset: &Dataset) -> (u64, Outcome) {
        let is_refused = dataset.collector.rejects_all;
        match self.0.take() {
            // An error of the reader, such as that of a byte order mark, is not in the record.
            Some((line, Outcome::Held(_))) if findings.iter().any(is_error) => {
                (line, Outcome::not_loaded(findings, is_refused))
            }
            Some(noted) => noted,
            None => {
                let lines = findings.iter().filter_map(|finding| finding.location.line);
                (lines.min().unwrap_or(1), Outcome::not_loaded(findings, is_refused))
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

impl Dataset {
    /// The outcome of loading a record of a list, or a row of a table.
    pub(crate) fn load(&self, text: &PartText<'_>, list: usize, table: Option<&Table>) -> Outcome {
        if self.collector.rejects_all {
            return Outcome::Refused;
        }
        Candidate { dataset: self, text, list, table }.load()
    }
}

/// A record to load.
struct Candidate<'a> {
    dataset: &'a Dataset,
    text: &'a PartText<'a>,
    list: usize,
    /// The columns, if it is a row of a CSV.
    table: Option<&'a Table>,
}

impl Candidate<'_> {
    fn load(&self) -> Outcome {
        let (parsed, findings) = (self.parse(), self.text.findings);
        match parsed.as_ref().and_then(|parsed| self.dataset.record_checks.fate(&parsed.value)) {
            Some(Fate::Dropped) => return Outcome::Dropped,
            Some(Fate::Refused) => return Outcome::Refused,
            None => {}
        }
        if findings.iter().any(|finding| (self.dataset.format.loader.loss)(finding) == Some(Loss::Line)) {
            return Outcome::Dropped;
        }
        if findings.iter().any(is_error) {
            return Outcome::Refused;
        }
        parsed.map_or(Outcome::Refused, |parsed| self.held(&parsed))
    }

    /// The record as the system reads it.
    fn parse(&self) -> Option<Parsed<'_>> {
        let Some(table) = self.table else { return diagnose::parse(self.text.bytes).ok() };
        let found = &mut RecordFindings::within(Room::None);
        let mut parsed = row::read(self.text.bytes, table, self.text.start.line, found)?;
        let is_in_name =
            table.has_mark && self.dataset.format.texts.byte_order_mark == ByteOrderMark::Refused;
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
            bytes: self.text.bytes,
            row: if self.table.is_some() { self.text.start.record } else { 0 },
            list: self.list,
            variant: self.dataset.variant,
        };
        Outcome::Held((self.dataset.format.loader.held)(&loading))
    }
}
