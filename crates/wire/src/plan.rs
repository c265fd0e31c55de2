//! The plan of a check that is cut into parts.
//!
//! A plan is JSON. It holds what is decided once, so that no part decides it again, and the ranges of the file that can be checked by
//! themselves, on any thread or machine.

use serde::{Deserialize, Serialize};

/// The version of plans.
pub const PLAN_VERSION: &str = "evalcheck-plan/1";

/// How the check of a dataset is cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_VERSION`].
    pub plan: String,
    /// The dataset.
    pub dataset: PlannedDataset,
    /// The ranges, in the order of the file: they follow each other, and together they are the file. Each is its first byte and the byte
    /// after its last one.
    pub ranges: Vec<(u64, u64)>,
}

/// The dataset of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedDataset {
    /// The version of evalcheck. Rules may differ between two versions.
    pub evalcheck: String,
    /// The path or address of the file, as it was planned.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    /// What tells this state of the file from others, such as the time when it was changed or the entity tag of an object; any text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The id of the format, where it was chosen and not detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The version of the format, where it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_version: Option<String>,
    /// What lines are compared with. Missing where the dataset cannot be cut: it is no JSONL, or its header is not UTF-8. Then a part
    /// holds nothing, and the file is read when the parts are put together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<PlannedLines>,
}

/// What the lines of a dataset are compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedLines {
    /// The id of the format.
    pub format: String,
    /// Which variant of it, from 0.
    pub variant: usize,
    /// The first bytes of the dataset up to the end of its header; empty where it has none.
    pub header: String,
    /// The checks of the format compare records with each other.
    pub compares_records: bool,
    /// The query of a search: records that may match are left to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<PlannedQuery>,
    /// Statistics are counted with the lines. Contents are compared by a hash with this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<[u8; 16]>,
}

/// The query of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedQuery {
    /// The query as it is written ([`crate::query::Query`]).
    pub text: String,
    /// Records that match but for terms about findings are left to the search too.
    pub filters_findings: bool,
}

impl Plan {
    /// The ranges of a file, each of at least one byte and about so many bytes; one empty range of an empty file.
    ///
    /// ```
    /// # use evalcheck_wire::plan::Plan;
    /// assert_eq!(Plan::cut(10, 4), [(0, 4), (4, 8), (8, 10)]);
    /// assert_eq!(Plan::cut(0, 4), [(0, 0)]);
    /// ```
    pub fn cut(size: u64, bytes: u64) -> Vec<(u64, u64)> {
        let bytes = bytes.max(1);
        let ranges = size.div_ceil(bytes).max(1);
        (0..ranges).map(|range| (range * bytes, ((range + 1) * bytes).min(size))).collect()
    }
}
