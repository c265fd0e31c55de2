//! Where records begin that are no lines, sparsely: enough to find any record by reading a little.

use evalcheck_json::diagnose::RecordStart;

/// Most marks that are kept; 56 bytes each are less than 1 MiB.
const MOST: usize = 1 << 14;

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Where it stands.
    pub record_start: RecordStart,
    /// Which list of a document it is in; 0 elsewhere.
    pub list: usize,
    /// Its index in the list; elsewhere its number.
    pub index: u64,
}

/// The places of every so many records. When there are too many, every other one is dropped, so memory is bounded
/// whatever the file.
#[derive(Debug, Clone)]
pub struct RecordIndex {
    marks: Vec<Mark>,
    /// Every so many records have a mark.
    stride: u64,
}

impl Default for RecordIndex {
    fn default() -> Self {
        Self { marks: Vec::new(), stride: 1 }
    }
}

impl RecordIndex {
    /// Says where a record begins; called for each record, in order.
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

    /// The mark from which on the first record with a part on a line is looked for; `None` when there is no record.
    pub fn before(&self, line: u64) -> Option<&Mark> {
        // Several records may begin on the line; the first of them may be in front of all marks on it.
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
