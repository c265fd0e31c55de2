//! Problems of making and merging parts.

use std::fmt;

/// The reason why a part cannot be made, read or merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartProblem {
    /// The bytes are not a part.
    NotAPart,
    /// The bytes of a part were changed or cut.
    Damaged,
    /// A plan or part of another version of these.
    OtherVersion {
        /// Its version.
        found: String,
        /// The version that can be read.
        known: &'static str,
    },
    /// A plan or part that another version of evalcheck made.
    OtherEvalcheck {
        /// That version.
        found: String,
        /// This version.
        known: &'static str,
    },
    /// The plan names a format that is not known.
    UnknownFormat(String),
    /// A range that is not in the file.
    Range {
        /// The range.
        range: (u64, u64),
        /// Bytes of the file.
        size: u64,
    },
    /// Two parts are of different plans.
    OtherDataset {
        /// The range of one.
        one: (u64, u64),
        /// The range of the other.
        other: (u64, u64),
    },
    /// Two parts have bytes in common.
    Overlap {
        /// The range of one.
        one: (u64, u64),
        /// The range of the other.
        other: (u64, u64),
    },
    /// Some bytes of the file are in no part.
    Missing {
        /// The first of them.
        start: u64,
        /// The byte after the last one.
        end: u64,
    },
    /// There is no part.
    None,
    /// The file has another size than the plan says.
    OtherSize {
        /// Its size.
        found: u64,
        /// The size in the plan.
        planned: u64,
    },
    /// The first lines of the file are not those of the plan.
    OtherLines,
    /// The file was changed after it was planned.
    Changed,
    /// The file cannot be read.
    NotRead(String),
}

impl fmt::Display for PartProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPart => write!(f, "this is not a part of a check: `evalcheck part` makes them"),
            Self::Damaged => write!(f, "the part is damaged: make it again"),
            Self::OtherVersion { found, known } => {
                write!(f, "it is of the version {found}, and this version of evalcheck reads {known}")
            }
            Self::OtherEvalcheck { found, known } => write!(
                f,
                "evalcheck {found} made it, and this is {known}: use one version for the plan and all parts"
            ),
            Self::UnknownFormat(format) => write!(f, "the format {format} of the plan is not known"),
            Self::Range { range: (start, end), size } => {
                write!(f, "the range {start}-{end} is not in the file, which has {size} bytes")
            }
            Self::OtherDataset { one, other } => write!(
                f,
                "the parts of the ranges {}-{} and {}-{} are of different plans",
                one.0, one.1, other.0, other.1
            ),
            Self::Overlap { one, other } => write!(
                f,
                "the parts of the ranges {}-{} and {}-{} have bytes in common",
                one.0, one.1, other.0, other.1
            ),
            Self::Missing { start, end } => {
                write!(f, "the part of the range {start}-{end} is missing: what was not read is not valid")
            }
            Self::None => write!(f, "there is no part"),
            Self::OtherSize { found, planned } => {
                write!(f, "the file has {found} bytes, and had {planned} when it was planned")
            }
            Self::OtherLines => write!(f, "the first lines of the file are not those that were planned"),
            Self::Changed => write!(f, "the file was changed after it was planned"),
            Self::NotRead(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for PartProblem {}
