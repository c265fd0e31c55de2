//! Limits on the size of a dataset.

use crate::checks::Summary;
use evalcheck_report::text::{count, counted};

evalcheck_core::rules! {
    /// Problems of the size of a dataset.
    DatasetProblem for Everywhere {
        NoRecords { noun: &'static str } = "dataset/no-records", Error {
            summary: "The file has no records.",
            message: "no {noun} in the file",
            hint: "Write at least one record.",
            meaning: "The system refuses a dataset without records.",
            invalid: "a file of blank lines",
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        FewRecords { records: String, least: String, note: &'static str } = "dataset/few-records", Error {
            summary: "Fewer records than the system requires.",
            message: "{records}: the system requires at least {least}",
            hint: "Add records.{note}",
            applies: LeastRecords,
            meaning: "The system refuses a dataset with fewer records. FORMATS.md lists the limits of each format.",
            invalid: "a file of 9 records, with a minimum of 10",
            valid: "a file of 10 records",
        }
        LargeFile { size: u64, most: u64, way: &'static str } = "dataset/large-file", Warning {
            summary: "A larger file than the system accepts in the usual way.",
            message: "the file has {size} MiB: the system accepts at most {most} MiB in the usual way",
            hint: "Split the dataset, or use {way}.",
            applies: FileSize,
            meaning: "The system has a limit on the size of an uploaded file. FORMATS.md lists the limits of each format.",
            invalid: "a file of 600 MiB, with a limit of 512 MiB",
            valid: "two files of 300 MiB",
        }
        TooLargeFile { size: String, most: String } = "dataset/too-large-file", Error {
            summary: "A larger file than the system accepts.",
            message: "the file has {size}: the system accepts at most {most}",
            hint: "Split the dataset into smaller files.",
            applies: RefusedSize,
            meaning: "The system refuses a larger file, and has no other way to take it. FORMATS.md lists the limits of each format.",
            invalid: "a file of 200,000,001 bytes, with a limit of 200,000,000",
            valid: "two files of 100,000,001 bytes each",
        }
        BlankLines { lines: String } = "dataset/blank-lines", Warning {
            summary: "Blank lines, which some readers of the system refuse.",
            message: "{lines}: some readers of this format skip them, others refuse the file",
            hint: "Delete them: grep -v '^[[:space:]]*$' FILE > NEW.",
            applies: DoubtfulBlankLines,
            meaning: "A blank line is not JSON. The document does not say whether the system skips it. Reported once for a file.",
            invalid: "two records with a blank line between them",
            valid: "two records without a blank line between them",
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

/// The limits on the size of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Below this number of records, the system refuses the dataset: an error.
    pub least: Option<u64>,
    /// A sentence that follows the advice to add records, such as where fewer suffice; begins with a space, or is empty.
    pub least_note: &'static str,
    /// Above this number of bytes, the system refuses the file in the usual way: a warning, or an error if there is no other way.
    pub bytes: Option<u64>,
    /// The way in which the system takes larger files; empty if there is none.
    pub large_files: &'static str,
    /// Above this number of records, the system refuses the dataset by default: a warning.
    pub usual: Option<u64>,
    /// Above this number of records, the system always refuses the dataset: an error.
    pub most: Option<u64>,
}

impl Limits {
    /// No limits.
    pub const NONE: Self =
        Self { least: None, least_note: "", bytes: None, large_files: "", usual: None, most: None };

    /// The problem of a file of this many bytes, if any.
    pub fn check_bytes(self, bytes: u64) -> Option<DatasetProblem> {
        let most = self.bytes.filter(|most| bytes > *most)?;
        if self.large_files.is_empty() {
            return Some(DatasetProblem::TooLargeFile {
                size: counted(bytes, "byte"),
                most: counted(most, "byte"),
            });
        }
        Some(DatasetProblem::LargeFile {
            size: bytes.div_ceil(1 << 20),
            most: most >> 20,
            way: self.large_files,
        })
    }

    /// The problem of the number of records of a dataset, if any. `noun` is the format's name of a record.
    pub fn check(self, summary: &Summary<'_>, noun: &'static str) -> Option<DatasetProblem> {
        let records = summary.records;
        match (self.most, self.usual) {
            _ if records == 0 => Some(DatasetProblem::NoRecords { noun }),
            _ if let Some(least) =
                self.least.filter(|least| records < *least && !summary.has_lost_records) =>
            {
                Some(DatasetProblem::FewRecords {
                    records: count(records, noun),
                    least: count(least, noun),
                    note: self.least_note,
                })
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use evalcheck_core::rule::Problem;

    #[test]
    fn a_file_above_the_limit_is_large() {
        let limits = Limits { bytes: Some(512 << 20), large_files: "parts", ..Limits::NONE };
        assert!(limits.check_bytes(512 << 20).is_none() && Limits::NONE.check_bytes(u64::MAX).is_none());
        let message = limits.check_bytes((512 << 20) + 1).map(|problem| problem.message());
        let expected = "the file has 513 MiB: the system accepts at most 512 MiB in the usual way";
        assert_eq!(message.as_deref(), Some(expected));
        let limits = Limits { large_files: "", ..limits };
        assert!(limits.check_bytes(512 << 20).is_none());
        let message = limits.check_bytes((512 << 20) + 1).map(|problem| problem.message());
        let expected = "the file has 536,870,913 bytes: the system accepts at most 536,870,912 bytes";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn lost_records_may_be_enough() {
        let limits = Limits { least: Some(10), ..Limits::NONE };
        let check = |records, has_lost_records| {
            limits
                .check(&Summary { file_name: None, records, has_lost_records, statistics: None }, "record")
                .is_some()
        };
        assert!(check(9, false) && !check(9, true) && !check(10, false));
    }
}
