//! The records that refer to a file, and the missing files.

use std::collections::BTreeMap;

/// The number of records per file that are named.
pub const FIRST_RECORDS: usize = 3;

/// The maximum number of missing files that are remembered.
const MAX_MISSING: usize = 50_000;

/// The maximum number of bytes of the remembered paths of missing files.
const MAX_MISSING_BYTES: usize = 4 << 20;

/// The records that refer to a file. Records are noted in order; repeated notes of one record count once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct References {
    /// The number of records.
    pub records: u64,
    /// The number of records with a reference that has to be corrected.
    pub wrong: u64,
    first: [u64; FIRST_RECORDS],
    last: Option<u64>,
    last_wrong: Option<u64>,
}

impl References {
    /// The numbers of the first records, from 0.
    pub fn first(&self) -> &[u64] {
        let count = usize::try_from(self.records).map_or(FIRST_RECORDS, |records| records.min(FIRST_RECORDS));
        self.first.get(..count).unwrap_or_default()
    }

    pub(crate) fn note(&mut self, record: u64, is_right: bool) {
        if self.last.is_none_or(|last| last < record) {
            let next = usize::try_from(self.records).ok().and_then(|next| self.first.get_mut(next));
            if let Some(next) = next {
                *next = record;
            }
            self.records += 1;
            self.last = Some(record);
        }
        if !is_right && self.last_wrong.is_none_or(|last| last < record) {
            self.wrong += 1;
            self.last_wrong = Some(record);
        }
    }
}

/// The missing files that records refer to, in bounded memory.
#[derive(Debug, Default)]
pub struct MissingFiles {
    files: BTreeMap<Box<str>, MissingFile>,
    /// The number of bytes of all paths.
    bytes: usize,
    /// The records that refer to files that are not remembered; a record with several counts once.
    beyond: References,
}

/// A missing file.
#[derive(Debug, Clone, Copy, Default)]
pub struct MissingFile {
    /// The records that refer to it.
    pub references: References,
    /// The entry with the nearest path.
    pub nearest: Option<usize>,
    /// Whether a file at this path would be found.
    pub is_usable: bool,
}

impl MissingFiles {
    /// The files with their paths as written in the records, in the order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &MissingFile)> {
        self.files.iter().map(|(path, file)| (&**path, file))
    }

    /// The number of records that refer to files that are not remembered, because there are too many.
    pub fn beyond(&self) -> u64 {
        self.beyond.records
    }

    pub(crate) fn note(&mut self, path: &str, nearest: Option<usize>, is_usable: bool, record: u64) {
        if let Some(file) = self.files.get_mut(path) {
            file.references.note(record, true);
        } else if self.files.len() < MAX_MISSING && self.bytes + path.len() <= MAX_MISSING_BYTES {
            let mut file = MissingFile { nearest, is_usable, ..MissingFile::default() };
            file.references.note(record, true);
            self.bytes += path.len();
            self.files.insert(path.into(), file);
        } else {
            self.beyond.note(record, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_once_however_often_it_is_read() {
        let mut references = References::default();
        for (record, is_right) in
            [(2, true), (2, true), (2, false), (5, true), (2, true), (7, false), (9, true)]
        {
            references.note(record, is_right);
        }
        assert_eq!((references.records, references.wrong, references.first()), (4, 2, &[2, 5, 7][..]));
        assert_eq!(References::default().first(), [0; 0]);
    }

    #[test]
    fn missing_files_are_bounded_and_the_rest_is_counted() {
        let mut missing = MissingFiles::default();
        let long = "x".repeat(MAX_MISSING_BYTES - 1);
        for (record, path) in ["a", "a", &*long, "bb", "a"].into_iter().enumerate() {
            missing.note(path, None, true, record as u64);
        }
        let known: Vec<_> =
            missing.iter().map(|(path, file)| (path.len(), file.references.records)).collect();
        assert_eq!((known, missing.beyond()), (vec![(1, 3), (MAX_MISSING_BYTES - 1, 1)], 1));

        let mut missing = MissingFiles::default();
        (0..MAX_MISSING as u64 + 5).for_each(|record| missing.note(&record.to_string(), None, true, record));
        assert_eq!((missing.iter().count(), missing.beyond()), (MAX_MISSING, 5));
    }
}
