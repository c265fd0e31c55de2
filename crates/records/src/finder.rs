//! Finds a record in layouts whose records are not lines.

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Finding;
use evalcheck_diagnose::RecordStart;
use evalcheck_json::scan::{Scratch, TextPolicy};
use evalcheck_json::schema::ANY;

use crate::record_index::Mark;
use crate::visit::{CountedRecord, Diagnosis, Event, Extent, Part, ScannedRecord, Visit};

/// A visitor that searches for a record.
#[derive(Debug)]
pub struct RecordFinder {
    wanted: Wanted,
    /// The record, if it was found.
    pub found: Option<FoundRecord>,
    /// Whether another record also has a part on the line.
    pub several: bool,
    /// Whether no later record can be meant.
    pub is_done: bool,
    counts: FindingCollector,
    scratch: Scratch,
}

/// The record to search for.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// The first with a part on this line.
    Line(u64),
    /// The record with this number, from 0.
    Record(u64),
}

/// A record as it is in the file.
#[derive(Debug)]
pub struct FoundRecord {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its start.
    pub mark: Mark,
    /// Whether its end could not be found: then these are its first bytes.
    pub is_partial: bool,
}

impl RecordFinder {
    /// A visitor that searches for the first record with a part on a line.
    pub fn on_line(line: u64) -> Self {
        Self::new(Wanted::Line(line))
    }

    /// A visitor that searches for the record with a number, from 0.
    pub fn of_number(record: u64) -> Self {
        Self::new(Wanted::Record(record))
    }

    fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            found: None,
            several: false,
            is_done: false,
            counts: FindingCollector::new(Some(0)),
            scratch: Scratch::default(),
        }
    }
}

/// Accepts any JSON.
const POLICY: TextPolicy = TextPolicy::NONE;

impl Visit for RecordFinder {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn texts(&self) -> TextPolicy {
        POLICY
    }

    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, &ANY, POLICY, &mut self.scratch)
    }

    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        let ScannedRecord { text, at, list, index, .. } = *record;
        let mark = Mark { record_start: at, list, index, after_blank: false };
        self.take(text, mark, record.last_line(), false);
        true
    }

    fn check(&mut self, _: Part<'_>, _: &[u8], _: RecordStart) -> Diagnosis {
        Diagnosis::default()
    }

    fn count_record(&mut self, record: &CountedRecord<'_>, _: Vec<Finding>) {
        self.counts.valid += 1;
        if let Some(text) = record.text {
            self.take(text, record.mark, record.last_line, record.bytes.is_none());
        }
    }

    fn report(&mut self, _: Finding) {}

    fn observe(&mut self, _: Event<'_>) {}
}

impl RecordFinder {
    fn take(&mut self, bytes: &[u8], mark: Mark, last_line: u64, is_partial: bool) {
        let start = mark.record_start;
        let (is_wanted, is_last) = match self.wanted {
            Wanted::Line(line) => (start.line <= line && line <= last_line, last_line > line),
            Wanted::Record(number) => (start.record == number, start.record >= number),
        };
        self.several |= is_wanted && self.found.is_some();
        if is_wanted && self.found.is_none() {
            self.found = Some(FoundRecord { bytes: bytes.to_vec(), mark, is_partial });
        }
        self.is_done |= self.several || is_last;
    }
}
