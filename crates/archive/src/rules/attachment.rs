//! Rules about the files that samples reference.

evalcheck_core::rules! {
    /// What can be wrong with a reference to a file, or with the file.
    Attachment {
        Missing { path: String, suggestion: String } = "attachment/missing", Error {
            summary: "The referenced file is not in the ZIP.",
            message: "no file \"{path}\" in the ZIP{suggestion}",
            hint: "Add the file to the ZIP, or write the path exactly as the ZIP has it.",
            meaning: "A path is compared with the names in the ZIP character by character (after Unicode normalisation to NFC). The file must exist when the record is evaluated.",
            invalid: "the path attachments/Doc1.pdf when the ZIP contains attachments/doc1.pdf",
            valid: "the path attachments/doc1.pdf",
        }
        Outside { path: String } = "attachment/outside-folder", Error {
            summary: "The referenced file is not under attachments/.",
            message: "\"{path}\" is not under attachments/",
            hint: "Move the file under attachments/ in the ZIP, and write its path from the root of the ZIP.",
            meaning: "The system's document requires attached files to be under attachments/.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        EmptyPath = "attachment/empty-path", Error {
            summary: "The path of a reference is empty.",
            message: "the path is empty",
            hint: "Write the path of the file in the ZIP, such as attachments/doc1.pdf, or remove the part.",
            meaning: "A reference must name a file.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":""}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Absolute { path: String } = "attachment/absolute-path", Error {
            summary: "The path of a reference is absolute.",
            message: "\"{path}\" is an absolute path",
            hint: "Write the path inside the ZIP, beginning with attachments/.",
            meaning: "The path is looked up in the ZIP. A path on the disk of the author means nothing to the system.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"/home/me/doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Traversal { path: String } = "attachment/parent-folder", Error {
            summary: "The path of a reference contains `..`.",
            message: "\"{path}\" goes up a folder with \"..\"",
            hint: "Write the path from the root of the ZIP, without \"..\".",
            meaning: "The path is compared with the names in the ZIP and not resolved like a path on a disk. A step to a parent folder is refused.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/../doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Backslash { path: String } = "attachment/backslash", Error {
            summary: "The path of a reference contains a backslash.",
            message: "\"{path}\" separates folders by a backslash",
            hint: "Write \"/\" between folders.",
            meaning: "Names in a ZIP separate folders by \"/\" on every operating system. A path with backslashes matches no file.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments\\doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        Url { path: String } = "attachment/url", Error {
            summary: "The path of a reference is a URL.",
            message: "\"{path}\" is a URL",
            hint: "Put the file into the ZIP under attachments/ and write its path.",
            meaning: "A reference names a file in the ZIP. Nothing is fetched from a URL.",
            invalid: r#"in a ZIP dataset: {"type":"file_ref","path":"https://example.org/doc1.pdf"}"#,
            valid: r#"in a ZIP dataset: {"type":"file_ref","path":"attachments/doc1.pdf"}"#,
        }
        NoArchive { path: String } = "attachment/no-archive", Warning {
            summary: "A dataset that is not a ZIP references a file.",
            message: "\"{path}\" cannot be found at run time, because the dataset is a bare .jsonl",
            hint: "Pack the .jsonl as samples.jsonl into a ZIP together with the folder attachments.",
            meaning: "The dataset loads, but only a ZIP can contain attachments. The reference leads nowhere when the record is evaluated.",
            invalid: "data.jsonl that references a file, uploaded without a ZIP",
            valid: "a ZIP with the dataset and the referenced file",
        }
        Unreferenced = "attachment/unreferenced", Warning {
            summary: "No record references this file.",
            message: "no sample references this file",
            hint: "Reference it by a file_ref, or leave it out of the ZIP.",
            meaning: "The file is uploaded and never used. Often a path in a record is misspelled, or a record is missing.",
            invalid: "dataset.zip with attachments/doc2.pdf, which no record references",
            valid: "dataset.zip without attachments/doc2.pdf",
        }
        Empty = "attachment/empty", Warning {
            summary: "An attached file is empty.",
            message: "the file is empty",
            hint: "Put the file in with its contents, or remove it and its references.",
            meaning: "The model gets nothing to read. An empty file is usually the result of a failed export.",
            invalid: "attachments/doc1.pdf of 0 bytes",
            valid: "attachments/doc1.pdf with its contents",
        }
        ContentMismatch { extension: String, found: &'static str } = "attachment/content-mismatch", Warning {
            summary: "The content of a file does not match its extension.",
            message: "the name ends with .{extension}, the content is {found}",
            hint: "Give the file the extension of what it holds, or replace it by the right file.",
            meaning: "Model providers choose how to read a file by its extension. They refuse an HTML page named .pdf, or read it as something else.",
            invalid: "attachments/doc1.pdf that contains an HTML error page",
            valid: "attachments/doc1.pdf that contains a PDF",
        }
        Embedded { what: &'static str, bytes: u64 } = "attachment/embedded", Warning {
            summary: "The contents of a file are embedded in a record.",
            message: "the contents of a file are embedded here ({what}, {bytes} bytes)",
            hint: "Put the file into a ZIP under attachments/ and refer to it by a file_ref.",
            meaning: "The system's document forbids embedded file contents. They make every record larger, and the model may get them as text.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"data:application/pdf;base64,JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoK"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}
