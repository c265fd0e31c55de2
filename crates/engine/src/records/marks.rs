//! Where records begin that are no lines, sparsely: enough to find any record by reading a little.

use crate::explain::RecordStart;

/// Most marks that are kept; 56 bytes each are less than 1 MiB.
const MOST: usize = 1 << 14;

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Where it stands.
    pub origin: RecordStart,
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
    pub fn note(&mut self, origin: RecordStart, list: usize, index: u64) {
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

    /// The mark from which on the first record with a part on a line is looked for; `None` when there is no record.
    pub fn before(&self, line: u64) -> Option<&Mark> {
        // Several records may begin on the line; the first of them may be in front of all marks on it.
        let location = self.marks.partition_point(|mark| mark.origin.line < line);
        self.marks.get(location.saturating_sub(1))
    }
}

/// Looks for the first record that has a part on a line, while records are read.
#[derive(Debug)]
pub struct Watch {
    line: u64,
    /// The record, once it was met.
    pub found: Option<Watched>,
    /// Another record has a part on the line too.
    pub several: bool,
    /// No record that comes can be of interest.
    pub done: bool,
}

/// A record as it stands in the file.
#[derive(Debug)]
pub struct Watched {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it stands.
    pub mark: Mark,
    /// Its end could not be found: these are its first bytes.
    pub is_partial: bool,
}

impl Watch {
    /// Looks for the record at a line.
    pub fn new(line: u64) -> Self {
        Self { line, found: None, several: false, done: false }
    }

    /// A record was read that ends on a line.
    pub fn pass(&mut self, mark: Mark, last_line: u64, bytes: &[u8], is_partial: bool) {
        let is_wanted = mark.origin.line <= self.line && self.line <= last_line;
        self.several |= is_wanted && self.found.is_some();
        if is_wanted && self.found.is_none() {
            self.found = Some(Watched { bytes: bytes.to_vec(), mark, is_partial });
        }
        self.done |= self.several || last_line > self.line;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_record_of_many_is_near_a_mark() {
        let mut marks = Marks::default();
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
            assert!(mark.origin.line <= line && line - mark.origin.line < 256);
            assert_eq!(mark.origin.offset, mark.origin.record * 10);
        }
    }
}
