//! The plan of a check that is cut into parts.
//!
//! A plan is JSON. It holds decisions that parts must not make again, and the ranges of the file that can be checked independently, on
//! any thread or machine.

use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::user_schema::SchemaFile;

/// The version of plans.
pub const PLAN_VERSION: &str = "evalcheck-plan/1";

/// The ranges into which the check of a dataset is cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_VERSION`].
    pub plan: String,
    /// The dataset.
    pub dataset: PlannedDataset,
    /// The ranges, in the order of the file. They are adjacent and cover the file. Each is the offset of its first byte and of the byte
    /// after its last one.
    pub ranges: Vec<(u64, u64)>,
}

/// The dataset of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedDataset {
    /// The version of evalcheck. Rules may differ between two versions.
    pub evalcheck: String,
    /// The path or address of the file when it was planned.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    /// A text that identifies this state of the file, such as its modification time or the entity tag of an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The id of the format, if it was chosen and not detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The version of the format, if it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_version: Option<String>,
    /// The chosen options of the format.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub option: Vec<String>,
    /// The files of the user's own schema: the schema, then those that it refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema: Vec<SchemaFile>,
    /// Whether formats of strings in the schema are held against them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub schema_formats: bool,
    /// The schema of lines. Absent if the dataset cannot be cut: it is not JSONL, or its header is not UTF-8. Then a part is empty, and
    /// combining the parts reads the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<PlannedLines>,
}

/// The schema that the lines of a dataset are checked against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedLines {
    /// The id of the format.
    pub format: String,
    /// Its variant, from 0.
    pub variant: usize,
    /// The first bytes of the dataset up to the end of its header; empty if it has none.
    pub header: String,
    /// Whether the system loads none of the records, because of the name or the beginning of the dataset.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rejects_all: bool,
    /// Whether the checks of the format compare records with each other.
    pub compares_records: bool,
    /// The query of a search: parts leave records that may match to the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<PlannedQuery>,
    /// If present, statistics are counted with the lines. Contents are compared by a hash with this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<[u8; 16]>,
    /// Whether these statistics count lengths and values too, for the report.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_values: bool,
}

/// The query of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedQuery {
    /// The text of the query ([`crate::query::Query`]).
    pub text: String,
    /// Whether records that match all terms except those about findings are left to the search too.
    pub filters_findings: bool,
}

impl PlannedDataset {
    /// The options with what the plan says of how the dataset is checked.
    #[must_use]
    pub fn choose(&self, options: Options) -> Options {
        Options {
            format: self.format.clone(),
            format_version: self.format_version.clone(),
            option: Some(self.option.clone()),
            schema: Some(self.schema.clone()).filter(|files| !files.is_empty()),
            schema_formats: self.schema_formats,
            ..options
        }
    }
}

impl Plan {
    /// Cuts a file into ranges of about `bytes` bytes, at least one each; an empty file is one empty range.
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
