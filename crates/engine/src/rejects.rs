//! The records with errors: left out of the dataset, or written to a file of their own with their findings.

use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};
use std::ops::Range;

use evalcheck_core::finding::Finding as CoreFinding;
use evalcheck_core::order::Order;
use evalcheck_records::CountedRecord;
use evalcheck_report::{Edit, Finding, Fix, Severity};

use crate::check::Check;
use crate::dataset::Dataset;
use crate::fix::{EditPlan, Store};
use crate::observer::Observer;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// The records with errors, and their errors.
///
/// A [`Purpose`](crate::purpose::Purpose) makes the check keep the positions of such records, passes the findings to [`Rejects::note`], and
/// calls [`Rejects::locate`] at the end. Errors take several times the bytes of their records, so they are written to `store` as they come.
#[derive(Debug, Default)]
pub struct Rejects<S = Cursor<Vec<u8>>> {
    store: S,
    stored: u64,
    /// The errors, in the order of their records from [`Rejects::locate`] on.
    errors: Vec<StoredError>,
    /// The reason why `store` does not have all of them.
    failure: Option<io::Error>,
    /// The numbers of the records, and their bytes in the dataset, in its order.
    records: Vec<(u64, Range<u64>)>,
    /// Whether they are elements of lists in a document.
    in_document: bool,
}

/// An error of a record, as JSON in the store.
#[derive(Debug)]
struct StoredError {
    record: u64,
    line: Option<u64>,
    at: u64,
    length: u64,
}

impl<S: Store> Rejects<S> {
    /// With a store for the errors, which is empty.
    pub fn new(store: S) -> Self {
        let (errors, records) = (Vec::new(), Vec::new());
        Self { store, stored: 0, errors, failure: None, records, in_document: false }
    }

    /// Takes the errors of records among findings. [`Rejects::write`] fails if they cannot be stored.
    pub fn note(&mut self, findings: &[Finding]) {
        if self.failure.is_none() {
            self.failure = self.store(findings).err();
        }
    }

    fn store(&mut self, findings: &[Finding]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
            let Some(record) = finding.record else { continue };
            let start = bytes.len();
            serde_json::to_writer(&mut bytes, finding)?;
            let (at, length) = (self.stored + start as u64, (bytes.len() - start) as u64);
            self.errors.push(StoredError { record, line: finding.line, at, length });
        }
        self.stored += bytes.len() as u64;
        self.store.write_all(&bytes)
    }

    /// Takes the positions of the records, at the end of a check.
    pub fn locate(&mut self, check: &Check) {
        let positions = check.observer::<InvalidRecords>();
        self.records = positions.map(|positions| positions.records.clone()).unwrap_or_default();
        self.errors.order_by_key(|error| error.record);
        self.in_document = check.dataset().has_lists();
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records.len() as u64
    }

    /// The number of errors of the records.
    pub fn errors(&self) -> u64 {
        self.records.iter().map(|(record, _)| self.errors_of(*record).len() as u64).sum()
    }

    fn errors_of(&self, record: u64) -> &[StoredError] {
        let start = self.errors.partition_point(|error| error.record < record);
        let length = self.errors[start..].partition_point(|error| error.record == record);
        &self.errors[start..start + length]
    }

    /// Plans to leave the records out of the dataset: lines and rows with their line breaks, elements with a comma each.
    ///
    /// # Errors
    /// Those of `source`, which is read for a document.
    pub fn plan_removal(&self, source: &mut dyn Read, plan: &mut EditPlan<impl Store>) -> io::Result<()> {
        let mut add = |edit| plan.add(&Fix::safe("Leave out the invalid record", vec![edit]));
        if self.in_document {
            for edit in elements(&mut BufReader::with_capacity(BUFFER, source), &self.records)? {
                add(edit);
            }
        } else {
            for (_, bytes) in &self.records {
                add(remove(bytes.start, bytes.end));
            }
        }
        Ok(())
    }

    /// Writes each record as a line of JSON: `{"line": N, "text": ..., "findings": [...]}`.
    ///
    /// # Errors
    /// Those of `source`, the dataset, of `out` and of the store.
    pub fn write(&mut self, source: &mut dyn Read, out: &mut impl Write) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.store.rewind()?;
        let mut store = Stored { bytes: BufReader::with_capacity(BUFFER, &mut self.store), at: 0 };
        let mut errors = self.errors.iter().peekable();
        let mut source = BufReader::with_capacity(BUFFER, source);
        let mut at = 0;
        for (record, bytes) in &self.records {
            io::copy(&mut source.by_ref().take(bytes.start - at), &mut io::sink())?;
            let mut text = Vec::new();
            source.by_ref().take(bytes.end - bytes.start).read_to_end(&mut text)?;
            at = bytes.end;
            while errors.next_if(|error| error.record < *record).is_some() {}
            let line = errors.peek().filter(|error| error.record == *record).and_then(|error| error.line);
            out.write_all(b"{\"findings\":[")?;
            let mut separator: &[u8] = b"";
            while let Some(error) = errors.next_if(|error| error.record == *record) {
                out.write_all(separator)?;
                store.copy(error, out)?;
                separator = b",";
            }
            out.write_all(b"],\"line\":")?;
            serde_json::to_writer(&mut *out, &line)?;
            out.write_all(b",\"text\":")?;
            let text = String::from_utf8_lossy(&text);
            serde_json::to_writer(&mut *out, text.trim_end_matches(['\r', '\n']))?;
            out.write_all(b"}\n")?;
        }
        Ok(())
    }
}

/// Errors that were stored.
struct Stored<R> {
    bytes: BufReader<R>,
    /// The position in them.
    at: u64,
}

impl<R: Read + Seek> Stored<R> {
    fn copy(&mut self, error: &StoredError, out: &mut impl Write) -> io::Result<()> {
        // The errors come nearly in their order.
        self.bytes.seek_relative(error.at.cast_signed() - self.at.cast_signed())?;
        io::copy(&mut self.bytes.by_ref().take(error.length), out)?;
        self.at = error.at + error.length;
        Ok(())
    }
}

fn remove(start: u64, end: u64) -> Edit {
    Edit { start, end, text: String::new() }
}

/// The edits that leave elements out of the lists of a document, each with the comma after it; the last ones of a list with the
/// comma before them.
fn elements(source: &mut impl BufRead, elements: &[(u64, Range<u64>)]) -> io::Result<Vec<Edit>> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let mut edits: Vec<Edit> = Vec::new();
    let mut at = 0;
    // The end of the kept bytes before the current elements, and whether a comma follows it.
    let (mut kept, mut has_comma_before) = (0, false);
    for (_, bytes) in elements {
        while at < bytes.start {
            let held = source.fill_buf()?;
            let left = usize::try_from(bytes.start - at).unwrap_or(usize::MAX);
            let held = &held[..held.len().min(left)];
            if held.is_empty() {
                return Ok(edits);
            }
            let last = held.iter().rposition(|&byte| !is_space(byte) && byte != b',');
            if let Some(last) = last {
                (kept, has_comma_before) = (at + last as u64 + 1, false);
            }
            has_comma_before |= held[last.map_or(0, |last| last + 1)..].contains(&b',');
            let length = held.len();
            source.consume(length);
            at += length as u64;
        }
        io::copy(&mut source.by_ref().take(bytes.end - at), &mut io::sink())?;
        at = bytes.end;
        let mut has_comma = false;
        while let Some(&byte) = source.fill_buf()?.first() {
            if byte == b',' && !has_comma {
                has_comma = true;
            } else if !is_space(byte) {
                break;
            }
            source.consume(1);
            at += 1;
        }
        if has_comma {
            edits.push(remove(bytes.start, at));
        } else if has_comma_before {
            while edits.last().is_some_and(|edit| edit.start >= kept) {
                edits.pop();
            }
            edits.push(remove(kept, bytes.end));
        } else {
            edits.push(remove(bytes.start, bytes.end));
        }
    }
    Ok(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document without the elements that are `x`.
    fn without_x(document: &str) -> String {
        let ranges: Vec<(u64, Range<u64>)> =
            document.match_indices('x').map(|(at, _)| (0, at as u64..at as u64 + 1)).collect();
        let edits = elements(&mut BufReader::with_capacity(3, document.as_bytes()), &ranges).unwrap();
        let mut left = document.to_owned();
        for edit in edits.iter().rev() {
            let (start, end) = (usize::try_from(edit.start).unwrap(), usize::try_from(edit.end).unwrap());
            left.replace_range(start..end, "");
        }
        left
    }

    #[test]
    fn elements_go_with_their_commas() {
        let known = [
            ("[1, x, 2]", "[1, 2]"),
            ("[x, 1]", "[1]"),
            ("[1, x]", "[1]"),
            ("[x]", "[]"),
            ("[x, x]", "[]"),
            ("[ x , x ]", "[  ]"),
            ("[1, x, x]", "[1]"),
            ("[1, x, 2, x]", "[1, 2]"),
            ("[\n  1,\n  x,\n  2\n]", "[\n  1,\n  2\n]"),
            ("[\n  1,\n  x\n]", "[\n  1\n]"),
            ("{\"a\": [x], \"b\": [x, 2]}", "{\"a\": [], \"b\": [2]}"),
            ("{\"a\": [1, x], \"b\": [x]}", "{\"a\": [1], \"b\": []}"),
        ];
        for (document, left) in known {
            assert_eq!(without_x(document), left, "{document}");
        }
    }
}

/// The positions of records with errors in the dataset. Those whose end could not be found are left out.
#[derive(Debug, Default)]
pub(crate) struct InvalidRecords {
    /// Their numbers, and their bytes with the line breaks that end them, in the order of the dataset.
    records: Vec<(u64, Range<u64>)>,
}

impl Observer for InvalidRecords {
    fn counted(&mut self, record: &CountedRecord<'_>, findings: &[CoreFinding], _: &Dataset) {
        if let Some(bytes) = record.bytes.clone().filter(|_| findings.iter().any(CoreFinding::is_error)) {
            self.records.push((record.mark.record_start.record, bytes));
        }
    }
}
