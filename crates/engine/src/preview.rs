//! Reads lines, records and attachments again to show them, a few at a time.

mod again;
mod attachment;
mod attachments;
mod cells;
mod changes;
mod edited;
mod encodings;
mod example_groups;
mod excerpt;
mod findings;
mod fingerprint;
mod fix_diff;
mod fixes;
mod limits;
mod lines;
mod linked;
mod pdf;
mod record;
mod records_again;
mod rows;
mod sample;
mod source;
mod table;
mod text;

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use evalcheck_report::Severity;
use evalcheck_report::view::{Record, Rows};

use crate::finding::Finding;
use crate::records::MAX_RECORD;
use crate::records::finder::FoundRecord;
use crate::search::Search;

pub(crate) use source::Packing;
pub use source::View;

/// The maximum number of records returned at once.
const MOST_ROWS: u32 = 500;

impl<R: Read + Seek> View<'_, R> {
    /// Records `from..from + count` (from 0, at most 500) for a list: fewer at the end of the dataset and if records are long, but
    /// at least one if there is any.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn rows(&mut self, from: u64, count: u32) -> io::Result<Rows> {
        let wanted = from..from.saturating_add(u64::from(count.min(MOST_ROWS)));
        rows::rows(self, wanted)
    }

    /// Records that a search has found, by their numbers in the order of its list, as [`View::rows`] returns them: of at most 500, and
    /// fewer if records are long, but at least one. `search` finds the records in this dataset, whichever check it belongs to.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn found_rows(&mut self, records: &[u64], search: &Search) -> io::Result<Rows> {
        rows::found(self, &records[..records.len().min(MOST_ROWS as usize)], search)
    }

    /// The record with a number, from 0, in full, as [`View::record`] returns it; alone even if others are on its line.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn record_of_number(&mut self, number: u64, at: Option<u64>) -> io::Result<Option<Record>> {
        if number >= self.reader.visitor().dataset.collector.records() {
            return Ok(None);
        }
        if let Some(found) = record::find_number(self, number)?.and_then(|finder| finder.found) {
            return self.found_record(&found, at).map(Some);
        }
        match self.rows(number, 1)?.rows.first() {
            Some(row) => self.record(row.line, at),
            None => Ok(None),
        }
    }

    /// A record that was found, with samples in other encodings, and with the records that it names.
    fn found_record(&mut self, found: &FoundRecord, at: Option<u64>) -> io::Result<Record> {
        let encodings = encodings::samples(&found.bytes, self.decoders);
        let mut record = Record { encodings, ..record::record(found, self.reader, self.archive, at) };
        linked::add(self, &found.bytes, &mut record)?;
        Ok(record)
    }

    /// The record at a line in full; `None` if the dataset has no such line. The text of a long record is that around a byte of the
    /// dataset, by default around its first finding.
    ///
    /// # Errors
    /// Those of the source, if the file was removed or changed.
    pub fn record(&mut self, line: u64, at: Option<u64>) -> io::Result<Option<Record>> {
        let count = self.reader.positions().text_lines;
        // The end of a record that is cut off is after the last line break.
        let number = if line == count + 1 { count } else { line };
        if number == 0 || number > count {
            return Ok(None);
        }
        let mut record = None;
        let (reader, archive, decoders) = (self.reader, self.archive, self.decoders);
        let finder = record::find(self, number)?;
        let several = finder.as_ref().is_some_and(|finder| finder.several);
        let found = finder.and_then(|finder| finder.found);
        if let Some(found) = &found
            && !several
        {
            return self.found_record(found, at).map(Some);
        }
        lines::each_line(self, number, MAX_RECORD, |raw| {
            let encodings = encodings::samples(&raw.bytes, decoders);
            record = Some(Record { encodings, ..lines::record_of_line(&raw, reader, archive, at) });
            ControlFlow::Break(())
        })?;
        if let (Some(record), Some(found)) = (&mut record, &found) {
            // For several records on one line, all of it is shown, and the sample is that of the first one.
            let first = record::record(found, reader, archive, at);
            record.sample = first.sample;
            record.sample_is_fixed = first.sample_is_fixed;
            record.loaded = first.loaded;
        }
        Ok(record)
    }
}

fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.problem.rule().severity).min()
}

/// Adds the findings that the check kept, except those that were found again.
fn merge(findings: &mut Vec<Finding>, kept: Vec<Finding>) {
    let own = findings.len();
    for finding in kept {
        let twin = |other: &Finding| {
            other.location.bytes == finding.location.bytes
                && other.problem.rule().code == finding.problem.rule().code
                && other.problem.message() == finding.problem.message()
        };
        if !findings[..own].iter().any(twin) {
            findings.push(finding);
        }
    }
}
