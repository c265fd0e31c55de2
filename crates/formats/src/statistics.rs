//! Statistics of a dataset, for checks that need them.

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_report::overview::{JsonType, TypeCounts};

/// The statistics of a dataset whose records were all read.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// The paths of values, each after the path above it. The first is the record.
    pub paths: Vec<PathStatistics>,
    /// Records that have the same bytes as an earlier one; `None` if there are too many records to compare.
    pub duplicates: Option<u64>,
}

/// The values at a path.
#[derive(Debug, Clone, Default)]
pub struct PathStatistics {
    /// The path, with `*` for any index.
    pub path: String,
    /// Its key in the object above; `None` for a record and for the elements of an array.
    pub key: Option<String>,
    /// The path above, as an index into [`Statistics::paths`].
    pub above: Option<usize>,
    /// The values by type.
    pub types: TypeCounts,
    /// The first value of each type.
    pub first: FirstOfType,
    /// Strings without a character.
    pub empty: u64,
    /// The first of them.
    pub first_empty: RecordPlace,
}

/// A record of a dataset by its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct RecordPlace {
    /// The number of its first line, from 1; 0 for no record.
    pub line: u64,
    /// Its number, from 0.
    pub record: u64,
}

impl RecordPlace {
    /// The place in a dataset of a record in a run of its lines, which begins after this many lines and records.
    #[must_use]
    pub const fn after(self, lines: u64, records: u64) -> Self {
        Self { line: self.line + lines, record: self.record + records }
    }
}

/// For each type, the first record with a value of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FirstOfType([RecordPlace; JsonType::ALL.len()]);

impl FirstOfType {
    /// The record of a type.
    pub const fn of(&self, of: JsonType) -> RecordPlace {
        self.0[of as usize]
    }

    /// Sets the record of a type.
    pub const fn set(&mut self, of: JsonType, place: RecordPlace) {
        self.0[of as usize] = place;
    }
}
