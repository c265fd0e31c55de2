//! Rules about bytes, characters, keys and numbers, for every format.

use evalcheck_core::finding::Location;
use evalcheck_core::rule::Cause;

use evalcheck_json::scan::{ByteOrderMark, FileKind, TextPolicy};

impl TextProblem {
    /// The problem of bytes that are not UTF-8. `more` counts others in the same text; `encodings` are the possible encodings of the
    /// record.
    pub(super) fn invalid_utf8(found: &[u8], column: u64, more: String, encodings: &[&str]) -> Self {
        let hex: Vec<String> = found.iter().map(|byte| format!("{byte:02X}")).collect();
        let noun = if hex.len() == 1 { "the byte" } else { "the bytes" };
        let (looks_like, advice) = match encodings {
            [first, others @ ..] => {
                let label = first.to_ascii_lowercase();
                let others: Vec<String> = others.iter().map(|name| name.to_ascii_lowercase()).collect();
                let others = match others.join(" or ") {
                    others if others.is_empty() => others,
                    others => format!(" It may also be {others}."),
                };
                let advice = format!(
                    "Save the file as UTF-8, in the program that wrote it. If all of it is {first}, this converts it: evalcheck fix --encoding {label} FILE -o NEW_FILE.{others}"
                );
                (format!("; it may be {}", encodings.join(" or ")), advice)
            }
            [] => {
                (String::new(), "Write the damaged character again, and save the file as UTF-8.".to_owned())
            }
        };
        let encoding = encodings.first().map(|&first| first.to_owned());
        let byte = format!("{noun} {}", hex.join(" "));
        Self::InvalidUtf8 { byte, column, more, looks_like, encoding, advice }
    }

    /// The problem of a file of a kind that begins with a byte order mark.
    pub fn byte_order_mark(policy: TextPolicy, kind: FileKind) -> Self {
        match policy.byte_order_mark {
            ByteOrderMark::Undocumented => Self::UndocumentedByteOrderMark { note: policy.mark_note },
            mark if mark.is_refused_in(kind) => Self::RefusedByteOrderMark { note: policy.mark_note },
            _ => Self::ByteOrderMark,
        }
    }
}

evalcheck_core::rules! {
    /// Problems of bytes, characters, keys and numbers in records that are valid JSON.
    TextProblem for Everywhere {
        InvalidUtf8 { byte: String, column: u64, more: String, looks_like: String, encoding: Option<String>, advice: String } = "text/invalid-utf8", Error {
            summary: "Bytes that are not UTF-8.",
            message: "invalid UTF-8: {byte} at column {column}{more}{looks_like}",
            hint: "{advice}",
            cause: encoding.clone().map(Cause::File),
            fix: Unsafe,
            meaning: "Datasets are UTF-8. A reader of other bytes either fails or replaces them by U+FFFD, and the model then gets a different text.",
            other_words: ["'utf-8' codec can't decode byte 0xe9 in position 12: invalid continuation byte", "stream did not contain valid UTF-8"],
            invalid: "é written as the single byte E9 of Latin-1",
            valid: "é written as the two bytes C3 A9 of UTF-8",
        }
        ByteOrderMark = "text/byte-order-mark", Info {
            summary: "The file begins with a byte order mark.",
            message: "the file begins with a byte order mark (BOM); it is skipped",
            hint: "Where other tools have to read the file, save it as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig).",
            fix: Safe,
            applies: SkippedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. This system skips them; other tools read them as part of the first record.",
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        UndocumentedByteOrderMark { note: &'static str } = "text/undocumented-byte-order-mark", Warning {
            summary: "The file begins with a byte order mark, and it is not known what the system does with it.",
            message: "the file begins with a byte order mark (BOM), and it is not known what the system does with it",
            hint: "Save the file as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig), or remove the three bytes: tail -c +4 FILE > NEW_FILE.{note}",
            fix: Safe,
            applies: UndocumentedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. Many readers take them for a part of the first record, or of the name of the first column, and fail there. Without them the file is safe.",
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        RefusedByteOrderMark { note: &'static str } = "text/refused-byte-order-mark", Error {
            summary: "The file begins with a byte order mark, which the system does not skip.",
            message: "the file begins with a byte order mark (BOM), and the system reads it as part of the first line",
            hint: "Save the file as \"UTF-8\", not as \"UTF-8 with BOM\" (in Python utf-8, not utf-8-sig), or remove the three bytes: tail -c +4 FILE > NEW_FILE.{note}",
            fix: Safe,
            applies: RefusedMark,
            meaning: "Some editors write the bytes EF BB BF before UTF-8 text. The system's reader does not skip them, so the first line is not what it seems: JavaScript says that U+FEFF is an unexpected token, Python that there is an unexpected UTF-8 BOM.",
            other_words: ["Unexpected UTF-8 BOM (decode using utf-8-sig)"],
            invalid: "EF BB BF before the first record",
            valid: "the first record at the first byte",
        }
        StrayByteOrderMark { column: u64 } = "text/stray-byte-order-mark", Error {
            summary: "A byte order mark in the middle of the file.",
            message: "invalid JSON: a byte order mark (U+FEFF) in the middle of the file at column {column}",
            hint: "Delete the three bytes EF BB BF; they usually come from joining files.",
            fix: Safe,
            meaning: "A BOM is skipped only at the start of a file. In the middle, where files with a BOM were joined, it is a character that no JSON reader accepts.",
            invalid: "two files with a BOM joined by cat",
            valid: "the same without the second BOM",
        }
        ConflictMarker { what: &'static str } = "text/conflict-marker", Error {
            summary: "A conflict marker of git.",
            message: "a conflict marker of git: {what}",
            hint: "Keep the lines of one version, or of both where each is wanted, and delete the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>.",
            cause: Cause::File(String::new()),
            meaning: "Git writes both versions of lines that it cannot merge, between lines of seven equal characters. Only a person can say which version is meant. Of all markers in a file the first is listed.",
            other_words: ["Expecting value", "Unexpected token '<', \"<<<<<<< HEAD\" is not valid JSON"],
            mistakes: [
                File "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> new-answers" => "{}\n",
                NewRow "<<<<<<< HEAD",
            ],
            invalid: "<<<<<<< HEAD\n{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n=======\n{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}\n>>>>>>> new-questions",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}",
        }
        LoneCarriageReturn { column: u64 } = "text/lone-carriage-return", Error {
            summary: "A lone carriage return inside a record.",
            message: "a lone carriage return (CR, U+000D) inside the record at column {column}: the system ends the line there",
            hint: "Delete the character; a line break is LF or CR LF, after a record.",
            fix: Safe,
            applies: CarriageReturns,
            meaning: "JSON takes a carriage return for white space, and most editors show it as a line break or not at all. The system's reader ends the line there, so neither of the two parts is JSON, and the record is refused or dropped.",
            invalid: "a CR between two members of an object",
            valid: "the record on one line, without the CR",
        }
        LineSeparator { name: String, escape: String, effect: &'static str } = "text/line-separator", Warning {
            summary: "A raw line separator in a string (U+0085, U+2028, U+2029), which may end the line.",
            message: "a raw {name} in a string: {effect}",
            hint: "Write {escape} instead of the character, or replace it by a space or \\n.",
            fix: Safe,
            applies: LineSeparators,
            meaning: "U+0085 (next line), U+2028 (line separator) and U+2029 (paragraph separator) are allowed in JSON strings. Recent versions of Node.js end a line at the last two, as JavaScript does, and splitlines() of Python at all three, so that the record is cut in two.",
            invalid: "U+2028 as a raw character in a string",
            valid: "the same string with the escape \\u2028",
        }
        DuplicateKey { key: String, first: String, first_at: Location } = "json/duplicate-key", Warning {
            summary: "Duplicate key in an object.",
            message: "duplicate key {key} in this object (first at {first}); only the last one counts",
            hint: "Delete one of them.",
            related: "first used here" => first_at.clone(),
            fix: Either,
            loss: Value,
            applies: RepeatedKeys,
            meaning: "Readers silently keep the last of two equal keys, so the first value is lost. A key written with escapes is the same key.",
            mistakes: [FirstMember "{},{}"],
            invalid: r#"{"messages":[{"role":"user","content":"Hi"}],"messages":[{"role":"user","content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        RefusedDuplicateKey { key: String, first: String, first_at: Location } = "json/refused-duplicate-key", Error {
            summary: "Duplicate key in an object, refused by a system that reads strict JSON.",
            message: "duplicate key {key} in this object (first at {first}); the system refuses that",
            hint: "Delete one of them.",
            related: "first used here" => first_at.clone(),
            fix: Either,
            applies: UniqueKeys,
            meaning: "The system's validator reads strict JSON: it refuses an object with two equal keys, because it is unknown which one is meant. A key written with escapes is the same key.",
            mistakes: [FirstMember "{},{}"],
            invalid: r#"{"model_id":"a","model_id":"b"}"#,
            valid: r#"{"model_id":"b"}"#,
        }
        InexactInteger { found: String, read: String } = "json/inexact-integer", Warning {
            summary: "An integer that loses digits.",
            message: "{found} is an integer beyond 2^53: readers that hold numbers as 64-bit floating point, as JavaScript does, read {read}",
            hint: "Write an id as a string. Where the system needs a number, use a smaller one.",
            loss: Value,
            applies: InexactIntegers,
            meaning: "JavaScript and many other readers hold numbers as 64-bit floating point, which is exact for integers up to 9007199254740992. Not reported for systems that are known to read larger ones exactly.",
            mistakes: [
                LastMember "{},\"note\":9007199254740993" => "{},\"note\":\"9007199254740993\"",
                Number "9007199254740993",
            ],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":[9007199254740993]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":["9007199254740993"]}"#,
        }
        LoneSurrogate { escape: String, more: String } = "text/lone-surrogate", Warning {
            summary: "Half of a surrogate pair.",
            message: "{escape} is half of a surrogate pair{more}: it is not a character, and writing it as UTF-8 fails",
            hint: "A text was cut in the middle of an emoji or a rare character; write the whole character or leave it out.",
            fix: Unsafe,
            applies: Json,
            meaning: "A character beyond U+FFFF is written as two \\u escapes. One alone is not a character: PostgreSQL's jsonb refuses it, Python cannot encode it, and Rust's readers fail.",
            other_words: ["'utf-8' codec can't encode character: surrogates not allowed", "lone leading surrogate in hex escape"],
            mistakes: [String "\"{}\\ud83d\"" => "\"{}\\ufffd\""],
            invalid: r#"{"messages":[{"role":"user","content":"Hi \ud83d"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi \ufffd"}]}"#,
        }
        NulCharacter { more: String } = "text/nul-character", Warning {
            summary: "An escaped NUL in a string.",
            message: "\\u0000 in a string{more}: storing the record fails, because PostgreSQL's jsonb does not accept it",
            hint: "Remove every NUL of the text.",
            fix: Unsafe,
            applies: NoNul,
            meaning: "The record passes validation and fails when it is stored: jsonb cannot contain U+0000.",
            other_words: ["unsupported Unicode escape sequence: \\u0000 cannot be converted to text."],
            mistakes: [String "\"{}\\u0000\""],
            invalid: r#"{"input":{"messages":[{"role":"user","content":"a\u0000b"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"ab"}]}}"#,
        }
        SingleBackslash { escape: String, name: String, more: String } = "text/single-backslash", Warning {
            summary: "A backslash before a letter that JSON reads as a control character.",
            message: "{escape} before a letter is read as {name}{more}: the backslash was probably not doubled",
            hint: "Write a backslash that is part of the text, as in LaTeX and in paths of Windows, as \\\\.",
            fix: Unsafe,
            applies: Json,
            meaning: "In a JSON string \\b is a backspace, \\f a form feed, \\t a tab, \\n a line break and \\r a carriage return. \\beta, \\frac, \\times and C:\\backup are therefore valid JSON, and the text then lacks a backslash and a letter. Texts hardly ever have a backspace, a form feed before a lower-case letter, or one of the others before the rest of a command of LaTeX.",
            mistakes: [String "\"{} \\beta\"" => "\"{} \\\\beta\""],
            invalid: r#"{"messages":[{"role":"user","content":"What is \frac{1}{2}?"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is \\frac{1}{2}?"}]}"#,
        }
        LostObject = "text/lost-object", Warning {
            summary: "A text in which JavaScript lost an object.",
            message: "the text is [object Object]: a program wrote an object as a text, and its content is lost",
            hint: "Write the text that is meant, from where the record came from; in JavaScript JSON.stringify() keeps an object. Leave it if exactly this text is meant.",
            meaning: "JavaScript turns an object into the text [object Object] where a text is expected, as in a template or in a cell of a CSV. The record is valid, and what the object held is missing.",
            mistakes: [
                String "\"[object Object]\"" => "\"What is 2 + 2?\"",
                Cell "[object Object]" => "What is 2 + 2?",
            ],
            invalid: r#"{"messages":[{"role":"user","content":"[object Object]"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is 2 + 2?"}]}"#,
        }
        RoundedName { shown: String, advice: &'static str } = "text/rounded-name", Warning {
            summary: "A name that a spreadsheet has rounded.",
            message: "{shown} looks like a number that a spreadsheet has rounded: some of its digits are lost",
            hint: "{advice}",
            applies: Names,
            meaning: "A spreadsheet takes an id of many digits for a number, shows it as 1.20E+15, and saves what it shows. Two ids then become one, and no id matches that of another file. No fix can bring the digits back.",
            mistakes: [
                String "\"1.20E+15\"" => "\"1203450000000017\"",
                Cell "1.20E+15" => "1203450000000017",
            ],
            invalid: r#"{"queries": [{"query_id": "1.20E+15", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "1203450000000017", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
        SuspiciousCharacter { name: String, shown: String } = "text/suspicious-character", Warning {
            summary: "An invisible or look-alike character in a name.",
            message: "{name} in {shown}: invisible or easily mistaken for another character",
            hint: "Retype the name.",
            applies: Names,
            meaning: "Bidirectional controls, zero-width characters and letters of other scripts make two names look the same and still differ. Such characters nearly always come from copied text.",
            mistakes: [String "\"{}\\u200b\""],
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc\u200b1.pdf"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/doc1.pdf"}]}]}}"#,
        }
    }
}
