//! Statistics of a dataset, for checks that need them.

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_report::overview::{JsonType, TypeCounts};

/// The statistics of a dataset whose records were all read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The paths of values, each after the path above it. The first is the record.
    pub paths: Vec<PathStatistics>,
    /// Records that have the same bytes as an earlier one; `None` if there are too many records to compare.
    pub duplicates: Option<u64>,
}

/// The values at a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    pub first: FirstLines,
    /// Strings without a character.
    pub empty: u64,
    /// The line of the first of them; 0 without one.
    pub first_empty: u64,
}

/// For each type, the first line of the first record with a value of it; 0 without one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FirstLines([u64; JsonType::ALL.len()]);

impl FirstLines {
    /// The line of a type.
    pub const fn of(&self, of: JsonType) -> u64 {
        self.0[of as usize]
    }

    /// Sets the line of a type.
    pub const fn set(&mut self, of: JsonType, line: u64) {
        self.0[of as usize] = line;
    }
}
