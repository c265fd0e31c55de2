//! Finds the record on a line, where records are no lines.

use evalcheck_core::collector::FindingCollector;
use evalcheck_core::finding::Finding;
use evalcheck_json::diagnose::{Parsed, PathBuilder, RecordFindings, RecordStart, Value};
use evalcheck_json::scan::{self, Scratch, TextPolicy};
use evalcheck_json::schema::{ANY, Schema};

use crate::csv::header::Table;
use crate::record_index::Mark;
use crate::visit::{Diagnosis, Header, PassedRecord, ScannedRecord, Visit};

/// A visitor that looks for the first record with a part on a line.
#[derive(Debug)]
pub struct RecordFinder {
    line: u64,
    /// The record, once it was met.
    pub found: Option<FoundRecord>,
    /// Another record has a part on the line too.
    pub several: bool,
    /// No record that comes can be of interest.
    pub is_done: bool,
    counts: FindingCollector,
    scratch: Scratch,
}

/// A record as it stands in the file.
#[derive(Debug)]
pub struct FoundRecord {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it stands.
    pub mark: Mark,
    /// Its end could not be found: these are its first bytes.
    pub is_partial: bool,
}

impl RecordFinder {
    /// Looks for the record on a line.
    pub fn new(line: u64) -> Self {
        Self {
            line,
            found: None,
            several: false,
            is_done: false,
            counts: FindingCollector::new(Some(0)),
            scratch: Scratch::default(),
        }
    }
}

/// Any JSON will do.
const POLICY: TextPolicy = TextPolicy::NONE;

impl Visit for RecordFinder {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn report(&mut self, _: Finding) {}

    fn report_late(&mut self, _: Finding) {}

    fn count_record(&mut self, _: Vec<Finding>) {
        self.counts.valid += 1;
    }

    fn scan_line(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        scan::line(bytes, start, &ANY, POLICY, &mut self.scratch).ok()
    }

    fn scan_element(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        scan::element(bytes, start, &ANY, POLICY, &mut self.scratch).ok()
    }

    fn accept(&mut self, _: &ScannedRecord<'_>) -> bool {
        true
    }

    fn check(&mut self, _: &[u8], _: RecordStart, _: &PathBuilder, _: usize) -> Diagnosis {
        Diagnosis { findings: Vec::new(), unfinished: false }
    }

    fn check_row(&mut self, _: &[u8], _: RecordStart, _: &Table) -> Vec<Finding> {
        Vec::new()
    }

    fn texts(&self) -> TextPolicy {
        POLICY
    }

    fn check_header(&mut self, _: &[u8], _: RecordStart, _: &'static Schema) -> (Header, Diagnosis) {
        (Header::default(), Diagnosis { findings: Vec::new(), unfinished: false })
    }

    fn check_columns(&mut self, _: &Value<'_>, _: &[u8], _: RecordStart, _: &mut RecordFindings<'_>) {}

    fn check_value(
        &mut self,
        _: &Parsed<'_>,
        _: &[u8],
        _: RecordStart,
        _: &PathBuilder,
        _: &'static Schema,
    ) -> Vec<Finding> {
        Vec::new()
    }

    fn set_schema(&mut self, _: &'static Schema) {}

    fn begin_list(&mut self, _: usize, _: &'static Schema, _: u64) {}

    fn passed(&mut self, record: &PassedRecord<'_>) {
        let is_wanted = record.mark.record_start.line <= self.line && self.line <= record.last_line;
        self.several |= is_wanted && self.found.is_some();
        if is_wanted && self.found.is_none() {
            self.found = Some(FoundRecord {
                bytes: record.bytes.to_vec(),
                mark: record.mark,
                is_partial: record.is_partial,
            });
        }
        self.is_done |= self.several || record.last_line > self.line;
    }

    fn finish(&mut self, _: bool, _: bool) {}
}
