//! Limits on the number of records of a dataset.

use evalcheck_report::text::count;

evalcheck_core::rules! {
    /// Problems of the number of records.
    DatasetProblem for Everywhere {
        NoRecords { noun: &'static str } = "dataset/no-records", Error {
            summary: "The file has no records.",
            message: "no {noun} in the file",
            hint: "Write at least one record.",
            meaning: "The system refuses a dataset without records.",
            invalid: "a file of blank lines",
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        ManyRecords { records: String, limit: u64 } = "dataset/many-records", Warning {
            summary: "More records than the system accepts by default.",
            message: "{records}: the system accepts {limit} by default",
            hint: "Split the dataset, or raise the limit where the system is asked to load it.",
            applies: UsualLimit,
            meaning: "The system has a default limit, which can be raised on request. FORMATS.md lists the limits of each format.",
            invalid: "a file of 5,001 records, with a default limit of 5,000",
            valid: "two files of at most 5,000 records each",
        }
        TooManyRecords { records: String, limit: u64, most: String } = "dataset/too-many-records", Error {
            summary: "More records than the system accepts.",
            message: "{records}: the system accepts at most {limit}",
            hint: "Split the dataset into files of at most {most}.",
            applies: Limit,
            meaning: "The system accepts at most this number of records in one dataset, and the limit cannot be raised. FORMATS.md lists the limits of each format.",
            invalid: "a file of 50,001 records, with a limit of 50,000",
            valid: "two files of at most 50,000 records each",
        }
    }
}

/// The limits on the number of records of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Above this, the system refuses the dataset by default: a warning.
    pub usual: Option<u64>,
    /// Above this, the system always refuses the dataset: an error.
    pub most: Option<u64>,
}

impl Limits {
    /// Any number of records.
    pub const NONE: Self = Self { usual: None, most: None };
}

impl Limits {
    /// The problem of a dataset with this number of records, if any. `noun` is the format's name of a record.
    pub fn check(self, records: u64, noun: &'static str) -> Option<DatasetProblem> {
        match (self.most, self.usual) {
            _ if records == 0 => Some(DatasetProblem::NoRecords { noun }),
            (Some(limit), _) if records > limit => Some(DatasetProblem::TooManyRecords {
                records: count(records, noun),
                limit,
                most: count(limit, noun),
            }),
            (_, Some(limit)) if records > limit => {
                Some(DatasetProblem::ManyRecords { records: count(records, noun), limit })
            }
            _ => None,
        }
    }
}
