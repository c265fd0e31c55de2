//! An observer of the records of one version.

use evalcheck_formats::Identity;
use evalcheck_formats::KeyedHash;
use evalcheck_records::csv::Table;
use evalcheck_records::{Event, Part, ScannedRecord};

use super::ids::IdReader;
use super::matching::{Entry, Wanted};
use crate::continued::ContinuedText;
use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;
use crate::observer::{Observer, PartText};

/// Observes the records of a version: each of them once, in their order, except those whose text cannot be read.
#[derive(Debug)]
pub(crate) struct VersionObserver {
    task: Task,
    /// Whether the records are elements of a document, which come as events.
    is_document: bool,
    /// Whether the fast tier found the record of the next event clean.
    is_clean: bool,
    /// The record that is counted next, which may continue on the next line.
    pending: Option<Pending>,
    /// Records that were seen.
    seen: u64,
    /// Whether a part of the document was lost, with any number of records.
    has_lost: bool,
}

/// A record that is not counted yet.
#[derive(Debug)]
struct Pending {
    at: RecordStart,
    lines: ContinuedText,
    /// Whether it is read as a header, and is a record only if it is reported as one.
    is_header: bool,
}

/// The task of an observer.
#[derive(Debug)]
pub(super) enum Task {
    /// To collect the keys of all records.
    Keys(Box<Keys>),
    /// To collect the texts of some records.
    Texts(Texts),
}

/// A record.
#[derive(Debug, Clone, Copy)]
struct Record<'a> {
    bytes: &'a [u8],
    at: RecordStart,
    list: usize,
    /// The columns, if it is a row.
    table: Option<&'a Table>,
    /// Whether it is known to be valid.
    is_clean: bool,
}

impl VersionObserver {
    /// An observer for a dataset; `is_document` says whether it is a document.
    pub(super) fn new(task: Task, is_document: bool) -> Self {
        Self { task, is_document, is_clean: false, pending: None, seen: 0, has_lost: false }
    }

    /// The task.
    pub(super) fn task(&mut self) -> &mut Task {
        &mut self.task
    }

    /// The number of records seen.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether a part of the document was lost, with any number of records.
    pub(super) fn has_lost(&self) -> bool {
        self.has_lost
    }

    /// Takes a record that the fast tier found clean.
    #[inline]
    fn take_clean(&mut self, record: &ScannedRecord<'_>) {
        self.is_clean = true;
        if !self.is_document {
            let ScannedRecord { text, at, list, row, .. } = *record;
            let table = row.map(|row| row.table);
            self.take(Record { bytes: text, at, list, table, is_clean: true });
        }
    }

    /// Takes a record that is a line, or begins with it.
    fn begin(&mut self, line: &[u8], at: RecordStart) {
        self.is_clean = false;
        if !self.is_document {
            self.pending = Some(Pending { at, lines: ContinuedText::new(line), is_header: false });
        }
    }

    /// Takes a header, which may turn out to be a record.
    fn begin_header(&mut self, line: &[u8], at: RecordStart) {
        self.begin(line, at);
        if let Some(pending) = &mut self.pending {
            pending.is_header = true;
        }
        if let Task::Keys(keys) = &mut self.task {
            keys.header = Some(keys.hash.hash(line));
        }
    }

    /// Takes a row that is doubtful.
    fn take_row(&mut self, row: &[u8], at: RecordStart, table: &Table) {
        self.take(Record { bytes: row, at, list: 0, table: Some(table), is_clean: false });
    }

    fn take_pending(&mut self, pending: &Pending) {
        let (bytes, at) = (&*pending.lines.text, pending.at);
        self.take(Record { bytes, at, list: 0, table: None, is_clean: false });
    }

    /// Not inlined: every reader calls it in several places.
    #[inline(never)]
    fn take(&mut self, record: Record<'_>) {
        self.seen += 1;
        match &mut self.task {
            Task::Keys(keys) => keys.take(&record),
            Task::Texts(texts) => texts.take(&record),
        }
    }
}

impl Observer for VersionObserver {
    fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], _: &Dataset) {
        self.take_clean(record);
    }

    fn read(&mut self, part: Part<'_>, text: &PartText<'_>, _: &Dataset) {
        match part {
            Part::Record { .. } => self.begin(text.bytes, text.start),
            Part::Header(_) => self.begin_header(text.bytes, text.start),
            Part::Row(table) => self.take_row(text.bytes, text.start, table),
            Part::Columns(_) | Part::Value { .. } => {}
        }
    }

    fn counted(&mut self, record: u64, _: &[Finding], _: &Dataset) {
        let is_counted = |pending: &mut Pending| pending.at.record == record && !pending.is_header;
        if let Some(pending) = self.pending.take_if(is_counted) {
            self.take_pending(&pending);
        }
    }

    fn event(&mut self, event: &Event<'_>, _: &Dataset) {
        match event {
            Event::Read(record) if self.is_document => {
                let is_clean = std::mem::take(&mut self.is_clean);
                if !record.is_partial {
                    let (at, list) = (record.mark.record_start, record.mark.list);
                    self.take(Record { bytes: record.bytes, at, list, table: None, is_clean });
                }
            }
            Event::Continues { line, offset } => {
                if let Some(pending) = &mut self.pending {
                    pending.lines.push(line, *offset);
                }
            }
            Event::InvalidLines { record, bytes, .. } => {
                if let Some(mut pending) = self.pending.take_if(|pending| pending.at.record == *record) {
                    pending.lines.end_at(bytes.end);
                    self.take_pending(&pending);
                }
            }
            Event::Unread => self.has_lost = true,
            _ => {}
        }
    }
}

/// The keys of the records of a version.
#[derive(Debug)]
pub(super) struct Keys {
    ids: IdReader,
    hash: KeyedHash,
    /// The entries of the records, in their order.
    pub(super) entries: Vec<Entry>,
    most: usize,
    /// Whether there are more records than `most`.
    pub(super) is_full: bool,
    /// The hash of the header of JSONL.
    pub(super) header: Option<u64>,
    /// The hash of the columns of a CSV: rows with the same bytes differ if these do.
    columns: Option<u64>,
    /// The id of a record.
    id: Vec<u8>,
}

impl Keys {
    /// Collects the keys of at most `most` records of a format with this identity.
    pub(super) fn new(identity: Identity, hash: KeyedHash, most: usize) -> Self {
        let ids = IdReader::new(identity);
        Self {
            ids,
            hash,
            entries: Vec::new(),
            most,
            is_full: false,
            header: None,
            columns: None,
            id: Vec::new(),
        }
    }

    #[inline]
    fn take(&mut self, record: &Record<'_>) {
        let number = u32::try_from(record.at.record);
        let (true, Ok(number)) = (self.entries.len() < self.most, number) else {
            self.is_full = true;
            return;
        };
        let Self { ids, id, .. } = self;
        let has_id = match record.table {
            Some(table) => ids.read_row(record.bytes, table, id),
            None if record.is_clean => ids.read_json(record.bytes, id),
            None => ids.read_text(record.bytes, id),
        };
        let id = has_id.then(|| {
            // Lists of a document have ids of their own.
            self.id.extend_from_slice(&record.list.to_le_bytes());
            self.hash.hash(&self.id)
        });
        let columns = record
            .table
            .map_or(0, |table| *self.columns.get_or_insert_with(|| hash_of_columns(table, &self.hash)));
        self.entries.push(Entry::new(id, self.hash.hash(record.bytes) ^ columns, number));
    }
}

/// A hash of the delimiter and the columns, on which the meaning of a row depends.
fn hash_of_columns(table: &Table, hash: &KeyedHash) -> u64 {
    let mut bytes = vec![table.delimiter];
    for column in &table.columns {
        bytes.extend_from_slice(&column.name.len().to_le_bytes());
        bytes.extend_from_slice(column.name.as_bytes());
    }
    hash.hash(&bytes)
}

/// The texts of some records of a version.
#[derive(Debug)]
pub(super) struct Texts {
    /// In the order of the records.
    wanted: Vec<Wanted>,
    /// The number of them that were seen.
    next: usize,
    /// Those that were read and not yet taken.
    taken: Vec<RecordText>,
}

/// A record with its text.
#[derive(Debug)]
pub(super) struct RecordText {
    /// Its number and its pair.
    pub(super) wanted: Wanted,
    /// The line that it begins at.
    pub(super) line: u64,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
}

impl Texts {
    /// Collects the texts of these records, in their order.
    pub(super) fn new(wanted: Vec<Wanted>) -> Self {
        Self { wanted, next: 0, taken: Vec::new() }
    }

    /// Removes and returns the texts of the records that were read.
    pub(super) fn take_read(&mut self) -> Vec<RecordText> {
        std::mem::take(&mut self.taken)
    }

    /// Whether every wanted record was read.
    pub(super) fn is_done(&self) -> bool {
        self.next >= self.wanted.len()
    }

    #[inline]
    fn take(&mut self, record: &Record<'_>) {
        let number = record.at.record;
        while let Some(wanted) =
            self.wanted.get(self.next).filter(|wanted| u64::from(wanted.number) <= number)
        {
            self.next += 1;
            if u64::from(wanted.number) == number {
                self.taken.push(RecordText {
                    wanted: *wanted,
                    line: record.at.line,
                    bytes: record.bytes.to_vec(),
                });
            }
        }
    }
}
