//! Rules about the file and the dataset as a whole, of every format.

evalcheck_core::rules! {
    /// What is wrong with a file or with the number of its records.
    FileProblem {
        EmptyFile = "file/empty", Error {
            summary: "The file is empty.",
            message: "the file is empty",
            hint: "Export the dataset again; the file has no bytes at all.",
            meaning: "There is nothing to read.",
            invalid: "a file of 0 bytes",
            valid: "a file with at least one record",
        }
        NotRecognised { wants: String } = "format/not-recognised", Error {
            summary: "The file matches no known format.",
            message: "this is none of the formats: {wants}",
            hint: "Choose the format by hand to see what keeps the file from being read as that.",
            meaning: "The first records match no known format, so nothing was checked.",
            invalid: r#"{"hello":"world"}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        UnknownFormat { id: String, known: String } = "format/unknown", Error {
            summary: "The requested format does not exist.",
            message: "there is no format called {id}; there are {known}",
            hint: "Choose one of these, or auto to let the content decide.",
            meaning: "The requested name is not the id of a format, so nothing was checked.",
            invalid: "--format juriarena",
            valid: "--format juryarena",
        }
        NotText { kind: String, advice: String } = "file/another-kind", Error {
            summary: "The file is not a dataset but another type of file.",
            message: "this is {kind}, not a dataset that can be read as text",
            hint: "{advice}",
            meaning: "The first bytes tell the type of a file, whatever its name is. The system reads UTF-8 text, or a ZIP that contains it.",
            invalid: "report.pdf renamed to data.jsonl",
            valid: "the records as UTF-8 text, one JSON object a line",
        }
        NotRead { byte: u64, why: String } = "file/not-read", Error {
            summary: "The file could not be read to its end.",
            message: "not checked from byte {byte} on: {why}",
            hint: "Choose the file again when nothing is writing to it.",
            meaning: "A read failed, or returned fewer bytes than the file had when it was chosen: the file was changed, moved or deleted, or its disk was removed. The part that was not read has no verdict.",
            invalid: "a file that another program shortens while it is checked",
            valid: "the same file, left alone",
        }
        Cancelled { byte: u64 } = "file/cancelled", Info {
            summary: "The check was cancelled.",
            message: "not checked from byte {byte} on: the check was cancelled",
            hint: "Start the check again to have a verdict.",
            meaning: "A cancelled check has no verdict. The findings before this byte are kept.",
            invalid: "pressing Cancel",
            valid: "letting the check run to its end",
        }
    }
}
