//! A record as its system holds it once the dataset is loaded.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

/// A record as the system loads it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Loaded {
    /// It holds this record.
    Held(HeldRecord),
    /// It loads the dataset without the record.
    Dropped,
    /// The system or its documentation rejects the record because of its errors; or the system
    /// rejects the dataset because of its header, its name or a column.
    Refused,
}

/// A record as the system holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct HeldRecord {
    /// The record as indented JSON, a line for each scalar and each bracket, including the parts that the system no longer holds. The
    /// lines that are not [`ChangeKind::Removed`] are valid JSON.
    pub lines: Vec<HeldLine>,
    /// The differences from the file, in the order of the lines.
    pub changes: Vec<LoadedChange>,
    /// Whether there are more lines.
    pub clipped: bool,
}

impl HeldRecord {
    /// The record on one line, without the parts that the system does not hold.
    pub fn to_json(&self) -> String {
        let is_held = |line: &&HeldLine| {
            let change = line.change.and_then(|change| self.changes.get(usize::try_from(change).ok()?));
            change.is_none_or(|change| change.kind != ChangeKind::Removed)
        };
        self.lines.iter().filter(is_held).map(|line| line.text.trim_start()).collect()
    }
}

/// A line of a record as the system holds it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct HeldLine {
    /// Its text, with its indentation.
    pub text: String,
    /// The index of the change in [`HeldRecord::changes`] that it belongs to.
    pub change: Option<u32>,
}

/// A difference between a record in the file and the same record in the system.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct LoadedChange {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The path of the value among the lines, removed ones included; empty for the record itself.
    pub path: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// The change of a value when it is loaded.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    BorshSerialize,
    BorshDeserialize,
    Serialize,
    Deserialize,
)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The system adds it.
    Added,
    /// The system holds it in another form or under another key.
    Changed,
    /// The system does not hold it.
    Removed,
}
