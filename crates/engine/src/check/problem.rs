//! Rules about the file and the dataset as a whole, of every format.

use evalcheck_core::excerpt::clip;

use crate::formats::Format;

evalcheck_core::rules! {
    /// Problems of a file or of the number of its records.
    FileProblem for Everywhere {
        EmptyFile = "file/empty", Error {
            summary: "The file is empty.",
            message: "the file is empty",
            hint: "Export the dataset again; the file has no bytes at all.",
            meaning: "There is nothing to read.",
            invalid: "a file of 0 bytes",
            valid: "a file with at least one record",
        }
        NotRecognised { reason: String, expected: String } = "format/not-recognised", Error {
            summary: "The file matches no known format.",
            message: "no known format matches: {reason}",
            hint: "Choose the format that the file is meant for, with --format in the command. The nearest: {expected}.",
            applies: NoFormat,
            meaning: "The first records match no known format, so nothing was checked. Where their keys are those of a system that is not supported, the message names it.",
            invalid: r#"{"hello":"world"}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        UnknownFormat { id: String, known: String } = "format/unknown", Error {
            summary: "The requested format does not exist.",
            message: "there is no format called {id}; the formats are {known}",
            hint: "Choose one of these, or auto to let the content decide.",
            applies: NoFormat,
            meaning: "The requested name is not the id of a format, so nothing was checked.",
            invalid: "--format juriarena",
            valid: "--format juryarena",
        }
        NoEntry { entry: String, place: String } = "file/no-entry", Error {
            summary: "The file has no entry of the requested name.",
            message: "there is no file {entry}{place}",
            hint: "Name a file of the ZIP with its path in it.",
            applies: NoFormat,
            meaning: "The requested file of the ZIP does not exist, or the file is no ZIP, so nothing was checked.",
            invalid: "--entry train.jsonl for a ZIP with data/train.jsonl",
            valid: "--entry data/train.jsonl",
        }
        InArchive { system: &'static str, read: String, advice: String } = "file/in-archive", Error {
            summary: "The dataset is in a ZIP, and its system reads none.",
            message: "{system} reads no ZIP; {read}",
            hint: "{advice}",
            meaning: "The archive holds a dataset of a format that comes as a file by itself. The dataset is checked all the same, so that it can be taken out as it is.",
            invalid: "data.jsonl of Every Eval Ever, packed into data.zip",
            valid: "data.jsonl by itself",
        }
        NotText { kind: String, wanted: &'static str, advice: String } = "file/another-kind", Error {
            summary: "The file is not a dataset but another type of file.",
            message: "this is {kind}, not {wanted}",
            hint: "{advice}",
            fix: Safe,
            meaning: "The first bytes tell the type of a file, whatever its name is. The system reads UTF-8 text, or a ZIP that contains it.",
            invalid: "report.pdf renamed to data.jsonl",
            valid: "the records as UTF-8 text, one JSON object a line",
        }
        OtherEncoding { name: String, label: String } = "file/other-encoding", Error {
            summary: "The file is in another encoding than UTF-8, as its user says.",
            message: "the file is not UTF-8: it was checked as if it were converted from {name}",
            hint: "Convert it: evalcheck fix --encoding {label} FILE -o NEW_FILE. Lines, columns and bytes of this report are those of the converted file.",
            meaning: "The system reads UTF-8. With --encoding a dataset is converted before it is checked, so that its other mistakes can be found; the file itself is still in the other encoding.",
            invalid: "a file in Shift_JIS, checked with --encoding shift_jis",
            valid: "the same file in UTF-8",
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
        AnotherFormat { records: u64, byte: u64 } = "file/another-format", Info {
            summary: "The dataset is evidently of another format, so its check ended early.",
            message: "not checked from byte {byte} on: the first {records} records all have errors",
            hint: "Check it as this format alone to have all findings.",
            meaning: "A dataset is checked for several systems at once. Where none of the first records fits, the rest is not counted: the system refuses the dataset in any case.",
            invalid: "a file of Tencent TI, checked with --for eee-instance,tencent-infer",
            valid: "the same file, checked with --format eee-instance",
        }
    }
}

impl FileProblem {
    /// The problem of a ZIP without a file of a format of plain data.
    pub fn no_data(format: &Format) -> Self {
        let extension = format.detection.extensions.first().copied().unwrap_or_default();
        Self::NoEntry { entry: format!("that ends in .{extension}"), place: " in the ZIP".to_owned() }
    }

    /// The problem of a dataset that is this entry of a ZIP, if its format does not allow a ZIP.
    pub fn in_archive(format: &Format, entry: Option<&str>) -> Self {
        let kinds: Vec<String> =
            format.detection.extensions.iter().map(|extension| format!(".{extension}")).collect();
        let nothing = || {
            let read = format!("no file in it ends in {}", kinds.join(" or "));
            (read, "Use the dataset by itself, without a ZIP.".to_owned())
        };
        let (read, advice) = entry.map_or_else(nothing, |entry| {
            let entry = clip(entry, 80);
            let read = format!("the file \"{entry}\" in it was checked");
            (read, format!("Take \"{entry}\" out of the ZIP, and use it by itself."))
        });
        Self::InArchive { system: format.about.system, read, advice }
    }
}
