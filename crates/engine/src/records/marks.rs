//! Where records begin that are no lines, sparsely: enough to find any record by reading a little.

use crate::explain::Origin;

/// Most marks that are kept; 56 bytes each are less than 1 MiB.
const MOST: usize = 1 << 14;

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Where it stands.
    pub origin: Origin,
    /// Which list of a document it is in; 0 elsewhere.
    pub list: usize,
    /// Its index in the list; elsewhere its number.
    pub index: u64,
}

/// The places of every so many records. When there are too many, every other one is dropped, so memory is bounded
/// whatever the file.
#[derive(Debug, Clone)]
pub struct Marks {
    marks: Vec<Mark>,
    /// Every so many records have a mark.
    stride: u64,
}

impl Default for Marks {
    fn default() -> Self {
        Self { marks: Vec::new(), stride: 1 }
    }
}

impl Marks {
    /// Says where a record begins; called for each record, in order.
    #[inline]
    pub fn note(&mut self, origin: Origin, list: usize, index: u64) {
        if origin.record & (self.stride - 1) == 0 {
            self.add(Mark { origin, list, index });
        }
    }

    #[cold]
    fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
        if self.marks.len() == MOST {
            self.stride *= 2;
            let stride = self.stride;
            self.marks.retain(|mark| mark.origin.record % stride == 0);
        }
    }

    /// The last mark of a record that begins before a line.
    pub fn before_line(&self, line: u64) -> Option<&Mark> {
        // Several records may begin on the line; the first of them may be in front of all marks on it.
        let place = self.marks.partition_point(|mark| mark.origin.line < line);
        place.checked_sub(1).and_then(|place| self.marks.get(place))
    }

    /// The last mark that is not behind a record.
    pub fn before_record(&self, record: u64) -> Option<&Mark> {
        let place = self.marks.partition_point(|mark| mark.origin.record <= record);
        place.checked_sub(1).and_then(|place| self.marks.get(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_record_of_many_is_near_a_mark() {
        let mut marks = Marks::default();
        for record in 0..1_000_000 {
            marks.note(Origin { offset: record * 10, line: record * 2 + 1, column: 1, record }, 0, record);
        }
        assert!(marks.marks.len() <= MOST);
        for record in [0, 1, 777_777, 999_999] {
            let mark = marks.before_record(record).unwrap();
            assert!(mark.origin.record <= record && record - mark.origin.record < 128);
            assert_eq!(mark.origin.offset, mark.origin.record * 10);
            let line = record * 2 + 2;
            let mark = marks.before_line(line).unwrap();
            assert!(mark.origin.line < line && line - mark.origin.line < 256);
        }
    }
}
