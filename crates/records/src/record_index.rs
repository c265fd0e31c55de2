//! A sparse index of records that are not lines: it finds any record by reading a little.

use evalcheck_json::diagnose::RecordStart;

/// The most marks that are kept. Each takes 56 bytes, all take less than 1 MiB.
const MOST: usize = 1 << 14;

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its location in the dataset.
    pub record_start: RecordStart,
    /// The index of its list in a document; otherwise 0.
    pub list: usize,
    /// Its index in the list; otherwise its number.
    pub index: u64,
}

/// The starts of every `stride`-th record. When there are too many, every second one is dropped, so memory is bounded for
/// any file.
#[derive(Debug, Clone)]
pub struct RecordIndex {
    marks: Vec<Mark>,
    /// The distance of marks, in records.
    stride: u64,
}

impl Default for RecordIndex {
    fn default() -> Self {
        Self { marks: Vec::new(), stride: 1 }
    }
}

impl RecordIndex {
    /// Notes where a record begins. To be called for each record, in order.
    #[inline]
    pub fn note(&mut self, record_start: RecordStart, list: usize, index: u64) {
        if record_start.record & (self.stride - 1) == 0 {
            self.add(Mark { record_start, list, index });
        }
    }

    #[cold]
    fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
        if self.marks.len() == MOST {
            self.stride *= 2;
            let stride = self.stride;
            self.marks.retain(|mark| mark.record_start.record % stride == 0);
        }
    }

    /// The mark from which to search the first record with a part on a line; `None` when there is no record.
    pub fn before(&self, line: u64) -> Option<&Mark> {
        // Several records may begin on the line. The first of them may be before all marks on it.
        let location = self.marks.partition_point(|mark| mark.record_start.line < line);
        self.marks.get(location.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_record_of_many_is_near_a_mark() {
        let mut marks = RecordIndex::default();
        for record in 0..1_000_000 {
            marks.note(
                RecordStart { offset: record * 10, line: record * 2 + 1, column: 1, record },
                0,
                record,
            );
        }
        assert!(marks.marks.len() <= MOST);
        for record in [0, 1, 777_777, 999_999] {
            let line = record * 2 + 2;
            let mark = marks.before(line).unwrap();
            assert!(mark.record_start.line <= line && line - mark.record_start.line < 256);
            assert_eq!(mark.record_start.offset, mark.record_start.record * 10);
        }
    }
}
