//! Rules about the encoding of text and about values that readers disagree on, of every format.

evalcheck_core::rules! {
    /// What is wrong with bytes, characters, keys and numbers in records that are JSON all the same.
    TextProblem {
        InvalidUtf8 { byte: String, column: u64 } = "text/invalid-utf8", Error {
            summary: "Bytes that are not UTF-8.",
            message: "invalid UTF-8: {byte} at column {column}",
            hint: "Save the file as UTF-8. If it is in another encoding, iconv -f LATIN1 -t UTF-8 (or the encoding it has) converts it.",
            meaning: "Datasets are UTF-8. A reader that meets other bytes either fails or puts U+FFFD in their place, and then the model is asked something else than was written.",
            invalid: "é written as the single byte E9 of Latin-1",
            valid: "é written as the two bytes C3 A9 of UTF-8",
        }
        ByteOrderMark = "text/byte-order-mark", Info {
            summary: "The file begins with a byte order mark.",
            message: "the file begins with a byte order mark (BOM); it is skipped",
            hint: "Save as UTF-8 without BOM where other tools have to read the file.",
            meaning: "Some editors put the bytes EF BB BF in front of UTF-8 text. The systems here skip them; other tools read them as part of the first record.",
            invalid: "EF BB BF and then the first record",
            valid: "the first record from the first byte on",
        }
        StrayByteOrderMark { column: u64 } = "text/stray-byte-order-mark", Error {
            summary: "A byte order mark in the middle of the file.",
            message: "invalid JSON: a byte order mark (U+FEFF) in the middle of the file at column {column}",
            hint: "Delete the three bytes EF BB BF; they came along when files were joined.",
            meaning: "A BOM is skipped at the start of a file only. In the middle, where files with a BOM were joined, it is a character that no JSON reader takes.",
            invalid: "two files with a BOM joined by cat",
            valid: "the same without the second BOM",
        }
        DuplicateKey { key: String, first: String } = "json/duplicate-key", Warning {
            summary: "A key stands twice in one object.",
            message: "the key {key} stands twice in this object (first at {first}); only the last one counts",
            hint: "Delete one of the two.",
            meaning: "Readers keep the last of two equal keys in silence, so the first value is lost. A key written with escapes is the same key.",
            invalid: r#"{"input":{"messages":[]},"input":{"messages":[]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        RefusedDuplicateKey { key: String, first: String } = "json/refused-duplicate-key", Error {
            summary: "A key stands twice in one object, and the system reads strict JSON.",
            message: "the key {key} stands twice in this object (first at {first}); the system refuses that",
            hint: "Delete one of the two.",
            meaning: "The system's validator reads strict JSON: an object with two equal keys is refused, because no one can say which of the two is meant. A key written with escapes is the same key.",
            invalid: r#"{"model_id":"a","model_id":"b"}"#,
            valid: r#"{"model_id":"b"}"#,
        }
        InexactInteger { found: String, read: String } = "json/inexact-integer", Warning {
            summary: "A whole number that loses digits.",
            message: "{found} is read as {read}: whole numbers beyond 2^53 lose digits",
            hint: "Write ids and other exact numbers as strings.",
            meaning: "JavaScript and many other readers hold numbers as 64-bit floating point, exact for whole numbers up to 9007199254740992.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[9007199254740993]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":["9007199254740993"]}"#,
        }
        LoneSurrogate { escape: String } = "text/lone-surrogate", Warning {
            summary: "Half of a surrogate pair.",
            message: "{escape} is half of a surrogate pair: it is no character, and writing it as UTF-8 fails",
            hint: "A text was cut in the middle of an emoji or a rare character; write the whole character or leave it out.",
            meaning: "Characters beyond U+FFFF take two \\u escapes. One alone is no text: PostgreSQL's jsonb refuses it, Python cannot encode it, Rust's readers fail.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"\ud83d"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"\ud83d\ude00"}]}}"#,
        }
        NulCharacter = "text/nul-character", Warning {
            summary: "An escaped NUL in a string.",
            message: "\\u0000 in a string: storing the sample fails, PostgreSQL's jsonb does not take it",
            hint: "Remove the character.",
            meaning: "The line passes the system's validation, and fails when the sample is stored: jsonb has no way to hold U+0000.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"a\u0000b"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"ab"}]}}"#,
        }
        SuspiciousCharacter { name: String, shown: String } = "text/suspicious-character", Warning {
            summary: "An invisible or look-alike character in a name.",
            message: "{name} in {shown}: invisible or easily mistaken for another character",
            hint: "Type the name again by hand.",
            meaning: "Bidirectional controls, zero-width characters and letters of other scripts that look like Latin ones make two names that look the same differ. It nearly always came along with copied text.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc\u200b1.pdf"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}
