//! Changes between two versions of a dataset, by records and not by lines.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use evalcheck_report::Tool;
use evalcheck_report::overview::Number;

/// The version of [`Comparison`].
pub const COMPARISON_VERSION: &str = "1";

/// Changes between two versions of a dataset. Records are matched by their ids, or by their content if they have no id or share it with
/// other records. A record that moved is not changed.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Version of this contract. It only changes when fields change their meaning.
    #[cfg_attr(feature = "types", schemars(regex(pattern = "^1$")))]
    pub comparison: String,
    /// The program that compared.
    pub tool: Tool,
    /// The id of the format of both versions; empty if it is not known, or differs.
    pub format: String,
    /// Whether all records of both versions were compared.
    pub complete: bool,
    /// The reasons if not, in sentences. Without counts below, nothing was compared; otherwise the counts cover the records that were
    /// compared.
    pub incomplete: Vec<String>,
    /// The older version.
    pub old: ComparedFile,
    /// The newer version.
    pub new: ComparedFile,
    /// Whether both versions have a header line, which is no record, and its bytes differ.
    pub header_changed: bool,
    /// Records that have the same bytes in both versions.
    pub unchanged: u64,
    /// Records that have the same value in both versions, written differently: white space, the order of keys, escapes, the notation
    /// of numbers.
    pub rewritten: u64,
    /// Records with the same id and different values.
    pub changed: u64,
    /// Records with the same id and different bytes whose values were not compared.
    pub unexamined: u64,
    /// Records that only the newer version has.
    pub added: u64,
    /// Records that only the older version has.
    pub removed: u64,
    /// The paths at which changed records differ, those of most records first; at most 500.
    pub paths: Vec<ChangedPath>,
    /// Differences at further paths.
    pub at_other_paths: u64,
    /// The first changed records, in the order of the newer version.
    pub changed_records: Vec<ChangedRecord>,
    /// The first added records.
    pub added_records: Vec<ComparedRecord>,
    /// The first removed records.
    pub removed_records: Vec<ComparedRecord>,
}

/// A version of a dataset that was compared.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ComparedFile {
    /// Its name.
    pub name: String,
    /// Its records.
    pub records: u64,
    /// Records of these that cannot be read, so that they were not compared.
    pub unread: u64,
    /// Records without an id, which are matched by their content.
    pub without_id: u64,
    /// Records whose id several records of one version share. They are matched by their content.
    pub repeated_id: u64,
}

/// A path at which changed records differ.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ChangedPath {
    /// The path from the root of a record; `*` is any index. Empty for the record as a whole.
    pub path: String,
    /// Changed records that differ there.
    pub records: u64,
    /// The first of these places, in the order of the newer version.
    pub examples: Vec<ChangedValue>,
}

/// A place at which a record differs.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize, Serialize, Deserialize,
)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ChangedValue {
    /// The number of the record in the newer version, from 0.
    pub new_record: u64,
    /// The line that it begins at there, from 1.
    pub new_line: u64,
    /// The number of the record in the older version, from 0.
    pub old_record: u64,
    /// The line that it begins at there, from 1.
    pub old_line: u64,
    /// The path with its indices, in the newer version if that has it.
    pub path: String,
    /// The beginning of the older value, as JSON; for a record that is not JSON, of its text. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The beginning of the newer value, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// A record that changed.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ChangedRecord {
    /// The record in the older version.
    pub old: ComparedRecord,
    /// The record in the newer version.
    pub new: ComparedRecord,
    /// The paths at which it differs, at most 20; `*` is any index.
    pub paths: Vec<String>,
}

/// A record of one version.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ComparedRecord {
    /// Its number, from 0.
    pub record: u64,
    /// The line that it begins at, from 1.
    pub line: u64,
    /// Its id, clipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The beginning of the question, or of the text of the record.
    pub text: String,
}

/// The counts of a comparison whose records are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ComparisonSums {
    /// As [`Comparison::incomplete`].
    pub incomplete: Vec<String>,
    /// The key by which records were matched: an id of the format, or their content.
    pub matched_by: String,
    /// As [`Comparison::header_changed`].
    pub header_changed: bool,
    /// As [`Comparison::unchanged`].
    pub unchanged: u64,
    /// As [`Comparison::rewritten`].
    pub rewritten: u64,
    /// As [`Comparison::unexamined`].
    pub unexamined: u64,
    /// As [`Comparison::changed`].
    pub changed: u64,
    /// As [`Comparison::added`].
    pub added: u64,
    /// As [`Comparison::removed`].
    pub removed: u64,
    /// Scores by model or the like, if the format has them and all records of both versions were read.
    pub means: Option<ComparedMeans>,
}

/// The means of a number by groups of records, in both versions.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ComparedMeans {
    /// The number and the groups.
    pub heading: String,
    /// The groups, those with most numbers in the newer version first; at most 10.
    pub groups: Vec<ComparedMean>,
    /// Further groups.
    pub others: u64,
}

/// The means of a group.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ComparedMean {
    /// The value that its records have in common.
    pub value: String,
    /// The mean in the older version, if that has the group.
    pub old: Option<Mean>,
    /// The mean in the newer version, if that has the group.
    pub new: Option<Mean>,
}

/// The mean of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Mean {
    /// How many there are.
    pub count: u64,
    /// Their mean.
    pub mean: Number,
}

/// How a record differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum DifferenceKind {
    /// Both versions have it, with different values.
    Changed,
    /// Only the newer version has it.
    Added,
    /// Only the older version has it.
    Removed,
}

/// The most records of a kind that are listed.
pub const LISTED_DIFFERENCES: u32 = 10_000;

impl ComparisonSums {
    /// Records that differ in this way, or in any.
    pub fn count(&self, kind: Option<DifferenceKind>) -> u64 {
        self.sum(kind, u64::MAX)
    }

    /// How many of them are listed.
    pub fn listed(&self, kind: Option<DifferenceKind>) -> u64 {
        self.sum(kind, LISTED_DIFFERENCES.into())
    }

    fn sum(&self, kind: Option<DifferenceKind>, most: u64) -> u64 {
        let counts = [
            (DifferenceKind::Changed, self.changed),
            (DifferenceKind::Added, self.added),
            (DifferenceKind::Removed, self.removed),
        ];
        let counts = counts.iter().filter(|(of, _)| kind.is_none_or(|kind| kind == *of));
        counts.map(|(_, count)| (*count).min(most)).sum()
    }
}

/// A record that differs, for a list.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Difference {
    /// The record in the older version, if that has it.
    pub old: Option<ComparedRecord>,
    /// The record in the newer version, if that has it.
    pub new: Option<ComparedRecord>,
    /// The first places at which the two differ.
    pub fields: Vec<ChangedField>,
    /// How many further places there are.
    pub other_fields: u64,
}

/// A place at which the versions of a record differ.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangedField {
    /// The path in the newer version if that has it; with `*` for any index if the values are not known.
    pub path: String,
    /// The older value as JSON, clipped around the first difference; absent if there is none, or it is not known.
    pub old: Option<String>,
    /// The newer value, likewise.
    pub new: Option<String>,
}
