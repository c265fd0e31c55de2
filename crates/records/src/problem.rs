//! Rules about records that cannot be read.

evalcheck_core::rules! {
    /// Problems that prevent reading a record, in any layout.
    RecordProblem for Everywhere {
        TooLong { limit: u64 } = "file/record-too-long", Error {
            summary: "A line is longer than evalcheck reads.",
            message: "the line is longer than {limit} bytes; it was not checked",
            hint: "Move large contents to files of their own and refer to them.",
            meaning: "A record is held in memory while it is checked, so its size is limited. A line of this size is nearly always a file without line breaks, or a record with embedded contents.",
            invalid: "a line of 100 MiB",
            valid: "records of a few kilobytes, one a line",
        }
    }
}
