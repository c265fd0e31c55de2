//! Findings by number, as groups, and as a map of the file.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::fix::FixKind;
use crate::ids::RequestId;
use evalcheck_report::view::{Excerpt, Piece};
use evalcheck_report::{Finding, Severity};

/// The number of parts of the file for which a group counts its findings.
pub const STRIP: usize = 60;

/// The most lines that a group names as examples.
pub const EXAMPLES: usize = 3;

/// The most parts of a map of the file.
pub const MAP: usize = 512;

/// A run of the findings of a dataset, in its order.
#[derive(Debug, Clone, Default, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct FindingList {
    /// The number of findings in the part of the dataset that was read, as far as a filter keeps them.
    pub total: u64,
    /// Findings of the dataset that are counted but not listed, because there are too many. No filter applies to them.
    pub unlisted: u64,
    /// How many of `findings` have the message of their group or the summary of their rule: they depend on several records, and there are too
    /// many of them, or the file cannot be read again.
    pub summaries: u64,
    /// Whether the file cannot be read again. Findings are as far as the check kept them.
    pub is_unreadable: bool,
    /// The requested findings: fewer at the end, or if records are long. At least one if there is one.
    pub findings: Vec<Finding>,
}

/// Which findings are listed, grouped or mapped.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FindingQuery {
    /// The query, see [`crate::query`]; an empty one keeps all.
    pub query: String,
    /// The search for records with the same query, if a term is about the records and not about findings.
    pub search: Option<RequestId>,
}

/// The groups and the map of all findings that a query keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FindingSummary {
    /// The groups, those with most findings first.
    pub groups: Vec<FindingGroup>,
    /// The parts of the file, at most [`MAP`]; `None` for a part without findings.
    pub map: Vec<Option<MapPart>>,
    /// The size of the dataset in bytes; for an entry of a ZIP, the size that the archive states.
    pub bytes: u64,
}

/// A group of findings with examples.
#[derive(Debug, Clone, PartialEq)]
pub struct ExampleGroup {
    /// The group.
    pub group: FindingGroup,
    /// Its first findings, each with the part of the dataset that contains it, if there is one: at most [`EXAMPLES`].
    pub examples: Vec<(Finding, Option<Excerpt>)>,
}

/// The fixes of one kind.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FixGroup {
    /// Their kind.
    pub kind: FixKind,
    /// The title of the fixes, if all of them have the same one.
    pub title: Option<String>,
    /// The summary of the rule.
    pub summary: String,
    /// How many findings they fix.
    pub findings: u64,
    /// The number of records that have such a finding.
    pub records: u64,
    /// The first fixes, at most [`EXAMPLES`]; none for a kind whose examples were not requested.
    pub examples: Vec<FixExample>,
}

/// A fix of a kind, as an example.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FixExample {
    /// The line of its finding, from 1.
    pub line: Option<u64>,
    /// The record, from 0.
    pub record: Option<u64>,
    /// Its title.
    pub title: String,
    /// Its changes; empty for a fix without edits.
    pub diff: Vec<Piece>,
}

/// The findings in a part of a map of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct MapPart {
    /// The worst severity.
    pub severity: Severity,
    /// The number of findings.
    pub findings: u64,
    /// The number of the first finding among those that the filter keeps, from 0.
    pub first: u64,
    /// The line of that finding, from 1.
    pub line: Option<u64>,
    /// Its record, from 0.
    pub record: Option<u64>,
}

/// Findings of one rule, at paths that differ in indices only.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct FindingGroup {
    /// The rule.
    pub code: String,
    /// Its severity.
    pub severity: Severity,
    /// Its summary.
    pub summary: String,
    /// The path with `*` for each index. `None` for findings without a path, and if there are too many paths.
    pub path: Option<String>,
    /// The message, if it is the same for all findings.
    pub message: Option<String>,
    /// The problem of the first finding with its value, as the end of a sentence that begins with the path. All findings have this value if
    /// they have the same message.
    pub brief: Option<String>,
    /// The number of findings.
    pub findings: u64,
    /// How many of them have a safe fix.
    pub safe_fixes: u64,
    /// How many of them have an unsafe fix.
    pub unsafe_fixes: u64,
    /// The number of records that have such a finding.
    pub records: u64,
    /// The number of the first finding among those that the filter keeps.
    pub first: u64,
    /// The first lines with such a finding, from 1, at most [`EXAMPLES`].
    pub lines: Vec<u64>,
    /// The number of findings in each of [`STRIP`] parts of the file of the same length.
    pub strip: Vec<u64>,
}
