//! A sparse index of records: it finds any record by reading a little.

use evalcheck_diagnose::RecordStart;

/// The maximum number of marks that are kept. Each takes 64 bytes, all take 1 MiB.
const MOST: usize = 1 << 14;

/// The start of a record, or of blank lines before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its location in the dataset.
    pub record_start: RecordStart,
    /// The index of its list in a document; otherwise 0.
    pub list: usize,
    /// Its index in the list; otherwise its number.
    pub index: u64,
    /// Whether blank lines are before it, if records are lines.
    pub after_blank: bool,
}

impl Mark {
    /// The start of a record that is not in a list, without blank lines before it.
    pub(crate) const fn new(record_start: RecordStart) -> Self {
        Self { record_start, list: 0, index: record_start.record, after_blank: false }
    }
}

/// The starts of records, at least `gap` bytes from each other. If there are too many, the gap is doubled, so memory is bounded for any
/// file, and the bytes from a mark to the next one are at most 1/4096 of the file, or one record.
#[derive(Debug, Clone, Default)]
pub struct RecordIndex {
    marks: Vec<Mark>,
    /// The distance of marks, in bytes.
    gap: u64,
    /// The first byte at which a record is marked.
    next: u64,
}

impl RecordIndex {
    /// Whether a record that begins at an offset of the dataset is to be marked. Called for each record, in order.
    #[inline]
    pub fn wants(&self, offset: u64) -> bool {
        offset >= self.next
    }

    /// Marks the start of a record, if it is far enough from the last mark. Called for each record, in order.
    #[inline]
    pub fn note(&mut self, mark: Mark) {
        if self.wants(mark.record_start.offset) {
            self.add(mark);
        }
    }

    #[cold]
    fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
        if self.marks.len() == MOST {
            while self.marks.len() > MOST / 2 {
                self.gap = (self.gap * 2).max(1);
                let (gap, mut next) = (self.gap, 0);
                self.marks.retain(|mark| {
                    let is_kept = mark.record_start.offset >= next;
                    if is_kept {
                        next = mark.record_start.offset + gap;
                    }
                    is_kept
                });
            }
        }
        let last = self.marks.last().map_or(0, |mark| mark.record_start.offset);
        self.next = last + self.gap.max(1);
    }

    /// The mark from which to search for the first record with a part on a line; `None` if there is no record.
    pub fn before(&self, line: u64) -> Option<&Mark> {
        // Several records may begin on the line, the first of them before all marks on it.
        let location = self.marks.partition_point(|mark| mark.record_start.line < line);
        self.marks.get(location.saturating_sub(1))
    }

    /// The mark from which to search for the record with a number, from 0. `None` if there is no record, and for records in the lines of a
    /// broken header, which are found from the start of the dataset.
    pub fn before_record(&self, record: u64) -> Option<&Mark> {
        let location = self.marks.partition_point(|mark| mark.record_start.record <= record);
        self.marks.get(location.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(record_start: RecordStart) -> Mark {
        Mark { record_start, list: 0, index: record_start.record, after_blank: false }
    }

    /// The marks of records of `bytes` bytes and two lines each.
    fn noted(records: u64, bytes: u64) -> RecordIndex {
        let mut marks = RecordIndex::default();
        for record in 0..records {
            let start = RecordStart { offset: record * bytes, line: record * 2 + 1, column: 1, record };
            marks.note(mark(start));
        }
        marks
    }

    #[test]
    fn any_record_of_many_is_near_a_mark() {
        let (records, bytes) = (1_000_000, 10);
        let marks = noted(records, bytes);
        assert!(marks.marks.len() <= MOST);
        for record in [0, 1, 777_777, 999_999] {
            let line = record * 2 + 2;
            for mark in [marks.before(line).unwrap(), marks.before_record(record).unwrap()] {
                let start = mark.record_start;
                assert!(start.record <= record && start.line <= line);
                assert!((record - start.record) * bytes <= records * bytes / 4_096);
                assert_eq!(start.offset, start.record * bytes);
            }
        }
    }

    #[test]
    fn positions_have_64_bits() {
        let mut marks = noted(20_000, 1 << 20);
        let start = RecordStart { offset: 1 << 60, line: 1 << 50, column: 1, record: 1 << 40 };
        marks.note(mark(start));
        marks.note(mark(RecordStart { offset: start.offset + 5, record: start.record + 1, ..start }));
        assert_eq!(marks.before_record(start.record + 9).unwrap().record_start, start);
        assert!(marks.before_record(start.record - 1).unwrap().record_start.record > 19_990);
    }

    #[test]
    fn records_after_a_long_one_are_marked() {
        let mut marks = noted(100_000, 100);
        let long = RecordStart { offset: 10_000_000, line: 1, column: 1, record: 100_000 };
        marks.note(mark(long));
        let next = RecordStart { offset: 1 << 30, record: 100_001, ..long };
        marks.note(mark(next));
        assert_eq!(marks.before_record(100_001).unwrap().record_start, next);
    }
}
