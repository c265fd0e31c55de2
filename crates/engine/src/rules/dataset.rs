//! Rules about the file and the dataset as a whole, of every format.

evalcheck_core::rules! {
    /// What is wrong with a file or with the number of its records.
    Dataset {
        EmptyFile = "file/empty", Error {
            summary: "The file is empty.",
            message: "the file is empty",
            hint: "Export the dataset again; the file has no bytes at all.",
            meaning: "There is nothing to read.",
            invalid: "a file of 0 bytes",
            valid: "a file with at least one record",
        }
        NoRecords { noun: &'static str } = "dataset/no-records", Error {
            summary: "The file holds no record.",
            message: "no {noun} in the file",
            hint: "Write at least one record.",
            meaning: "The system refuses a dataset without a sample.",
            invalid: "a file of blank lines",
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        ManyRecords { found: u64, limit: u64 } = "dataset/many-records", Warning {
            summary: "More records than the system takes by default.",
            message: "{found} samples: the system takes {limit} unless it is told otherwise",
            hint: "Split the dataset, or raise the limit in the request.",
            meaning: "JuryArena's loader accepts at most 5,000 samples by default; its API can be asked for up to 50,000.",
            invalid: "a file of 5,001 records",
            valid: "two files of at most 5,000 records each",
        }
        TooManyRecords { found: u64, limit: u64 } = "dataset/too-many-records", Error {
            summary: "More records than the system can take.",
            message: "{found} samples: the system takes at most {limit}",
            hint: "Split the dataset into files of at most {limit} samples.",
            meaning: "JuryArena's API takes at most 50,000 samples in one dataset, whatever it is asked for.",
            invalid: "a file of 50,001 records",
            valid: "two files of at most 50,000 records each",
        }
        NotRecognised { wants: String } = "format/not-recognised", Error {
            summary: "The file is in none of the formats.",
            message: "this is none of the formats: {wants}",
            hint: "Choose the format by hand to see what keeps the file from being read as that.",
            meaning: "Nothing in the first records looks like one of the formats, so nothing was checked.",
            invalid: r#"{"hello":"world"}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        UnknownFormat { id: String, known: String } = "format/unknown", Error {
            summary: "A format was asked for that does not exist.",
            message: "there is no format called {id}; there are {known}",
            hint: "Choose one of these, or auto to let the content decide.",
            meaning: "The name given for the format is not in the catalogue, so nothing was checked.",
            invalid: "--format juriarena",
            valid: "--format juryarena",
        }
        NotText { kind: String, advice: String } = "file/another-kind", Error {
            summary: "A file of another kind.",
            message: "this is {kind}, not a dataset that can be read as text",
            hint: "{advice}",
            meaning: "The first bytes say what the file is, whatever its name says. The system reads UTF-8 text (or a ZIP that holds it).",
            invalid: "report.pdf renamed to data.jsonl",
            valid: "the records as UTF-8 text, one JSON object a line",
        }
        NotRead { byte: u64, why: String } = "file/not-read", Error {
            summary: "The file could not be read to its end.",
            message: "not checked from byte {byte} on: {why}",
            hint: "Choose the file again when nothing is writing to it.",
            meaning: "A read failed or gave fewer bytes than the file had when it was chosen: it was changed, moved, deleted, or its disk went away. What was not read is not judged.",
            invalid: "a file that another program shortens while it is checked",
            valid: "the same file, left alone",
        }
        Cancelled { byte: u64 } = "file/cancelled", Info {
            summary: "The check was stopped.",
            message: "not checked from byte {byte} on: the check was cancelled",
            hint: "Start the check again to have a verdict.",
            meaning: "A check that was stopped gives no verdict on the file; the findings up to that place stand.",
            invalid: "pressing Cancel",
            valid: "letting the check run to its end",
        }
    }
}
