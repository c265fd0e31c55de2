//! An observer of the records of one version.

use evalcheck_formats::KeyedHash;
use evalcheck_formats::fields::Field;
use evalcheck_records::csv::Table;
use evalcheck_records::{CountedRecord, Event, ScannedRecord};

use super::ids::IdReader;
use super::matching::{Entry, Wanted};
use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;
use crate::observer::Observer;

/// Observes the records of a version, except those whose text cannot be read to its end.
#[derive(Debug)]
pub(crate) struct VersionObserver {
    task: Task,
    /// Records that were seen.
    seen: u64,
    /// Whether a part of the document was lost, with any number of records.
    has_lost: bool,
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
    /// An observer with a task.
    pub(super) fn new(task: Task) -> Self {
        Self { task, seen: 0, has_lost: false }
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
        let ScannedRecord { text, at, list, row, .. } = *record;
        let table = row.map(|row| row.table);
        self.take(Record { bytes: text, at, list, table, is_clean: true });
    }

    fn counted(&mut self, record: &CountedRecord<'_>, _: &[Finding], _: &Dataset) {
        let CountedRecord { mark, table, .. } = *record;
        if let Some(bytes) = record.text.filter(|_| record.bytes.is_some()) {
            self.take(Record { bytes, at: mark.record_start, list: mark.list, table, is_clean: false });
        }
    }

    fn event(&mut self, event: &Event<'_>, _: &Dataset) {
        match event {
            Event::Header(line) => {
                if let Task::Keys(keys) = &mut self.task {
                    keys.header = Some(keys.hash.hash(line));
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
    /// Collects the keys of at most `most` records of a format with these fields.
    pub(super) fn new(fields: &'static [Field], hash: KeyedHash, most: usize) -> Self {
        let ids = IdReader::new(fields);
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
