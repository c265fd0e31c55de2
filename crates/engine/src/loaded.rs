//! Records as the system holds them once the dataset is loaded.

use evalcheck_formats::loaded::{Held, Loading};
use evalcheck_report::Loss;
use evalcheck_report::view::Loaded;

use crate::dataset::Dataset;
use crate::diagnose::{Kind, Parsed, RecordStart};
use crate::finding::Finding;
use crate::formats::ByteOrderMark;
use crate::formats::checks::Fate;
use crate::observer::Observer;
use crate::records::csv::Table;
use crate::records::{CountedRecord, ScannedRecord, parse};
use crate::user_schema::is_error_of_format;

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
pub(crate) struct LoadedRecords(Vec<LoadedRecord>);

impl LoadedRecords {
    /// Removes and returns the records so far, in their order.
    pub(crate) fn take(&mut self) -> Vec<LoadedRecord> {
        std::mem::take(&mut self.0)
    }
}

impl Observer for LoadedRecords {
    fn needs_tree(&mut self, _: &ScannedRecord<'_>, _: &Dataset) -> bool {
        true
    }

    fn counted(&mut self, record: &CountedRecord<'_>, findings: &[Finding], dataset: &Dataset) {
        let loaded = dataset.load_counted(record, findings).to_wire();
        let (line, value) = (record.mark.record_start.line, dataset.lists.last());
        self.0.push(LoadedRecord { line, loaded, value });
    }
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
    /// The outcome of loading a record that is counted with these findings.
    pub(crate) fn load_counted(&self, record: &CountedRecord<'_>, findings: &[Finding]) -> Outcome {
        let CountedRecord { mark, table, .. } = *record;
        // A loader of lines reads each by itself.
        let text = record.text.filter(|_| !record.is_continued);
        self.load(&Candidate { text, start: mark.record_start, list: mark.list, table, findings })
    }

    /// The outcome of loading a record.
    pub(crate) fn load(&self, record: &Candidate<'_>) -> Outcome {
        if self.collector.rejects_all { Outcome::Refused } else { record.load(self) }
    }
}

/// A record to load.
pub(crate) struct Candidate<'a> {
    /// Its text; `None` if it is not read.
    pub(crate) text: Option<&'a [u8]>,
    pub(crate) start: RecordStart,
    /// The index of its list in a document; otherwise 0.
    pub(crate) list: usize,
    /// The columns, if it is a row of a CSV.
    pub(crate) table: Option<&'a Table>,
    /// Its findings.
    pub(crate) findings: &'a [Finding],
}

impl Candidate<'_> {
    fn load(&self, dataset: &Dataset) -> Outcome {
        if self.table.is_some_and(|table| table.moves_cells.get()) {
            return Outcome::Refused;
        }
        let (parsed, findings) = (self.parse(dataset), self.findings);
        match parsed.as_ref().and_then(|parsed| dataset.record_checks.fate(&parsed.value)) {
            Some(Fate::Dropped) => return Outcome::Dropped,
            Some(Fate::Refused) => return Outcome::Refused,
            None => {}
        }
        if findings.iter().any(|finding| (dataset.format.loader.loss)(finding) == Some(Loss::Line)) {
            return Outcome::Dropped;
        }
        if findings.iter().any(is_error_of_format) {
            return Outcome::Refused;
        }
        parsed.map_or(Outcome::Refused, |parsed| self.held(&parsed, dataset))
    }

    /// The record as the system reads it.
    fn parse(&self, dataset: &Dataset) -> Option<Parsed<'_>> {
        let mut parsed = parse(self.text?, self.start.line, self.table)?;
        let has_mark = self.table.is_some_and(|table| table.has_mark);
        if has_mark
            && dataset.format.texts.byte_order_mark == ByteOrderMark::Refused
            && let Kind::Object(members) = &mut parsed.value.kind
            && let Some(first) = members.first_mut()
        {
            first.key = format!("{BYTE_ORDER_MARK}{}", first.key).into();
        }
        Some(parsed)
    }

    fn held(&self, parsed: &Parsed<'_>, dataset: &Dataset) -> Outcome {
        let loading = Loading {
            root: &parsed.value,
            bytes: self.text.unwrap_or_default(),
            row: self.start.record,
            list: self.list,
            variant: dataset.variant,
        };
        let of_all = dataset.record_checks.held(&loading);
        Outcome::Held(of_all.unwrap_or_else(|| (dataset.format.loader.held)(&loading)))
    }
}
