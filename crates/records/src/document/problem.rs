//! Rules about datasets that are one JSON document, for every format.

use evalcheck_core::finding::Location;

impl Document {
    /// The advice for a truncated document. `closing` are the missing brackets; empty if more is missing.
    pub(super) fn advice_on_truncated(closing: &str) -> String {
        if closing.is_empty() {
            "The file was cut off, perhaps by an interrupted download or export; write it again in full."
                .to_owned()
        } else {
            format!(
                "Write {closing} at the end of the file, if nothing else is missing there; otherwise write the file \
                 again in full."
            )
        }
    }
}

evalcheck_core::rules! {
    /// Problems of a document between and around its records.
    Document for Document {
        Truncated { open: String, opened: Option<Location>, advice: String } = "document/truncated", Error {
            summary: "The document is cut off.",
            message: "invalid JSON: the document ends with {open} still open",
            hint: "{advice}",
            related: "opened here" => opened.clone(),
            fix: Unsafe,
            meaning: "Brackets or quotes are not closed at the end of the file. The usual cause is an interrupted download or export. A truncated JSON document cannot be loaded at all.",
            other_words: ["Expecting ',' delimiter", "Unterminated string starting at", "Unexpected end of JSON input"],
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
        TextAfter { what: String } = "document/text-after", Error {
            summary: "Text follows the document.",
            message: "invalid JSON: {what} follows the document, and is not checked",
            hint: "Keep one JSON document in the file, with nothing after it. If more records follow, put them into the list of the others.",
            fix: Either,
            meaning: "The file contains one JSON document. A second document, a comma or other text after it makes the file unreadable.",
            other_words: ["Extra data", "Unexpected non-whitespace character after JSON"],
            invalid: "{\"query_id\": \"q1\", \"query_text\": \"how high\", \"expected_answers\": [\"500 dollars\"]}\n{\"query_id\": \"q2\", \"query_text\": \"how low\", \"expected_answers\": [\"5 dollars\"]}",
            valid: "{\"queries\": [\n{\"query_id\": \"q1\", \"query_text\": \"how high\", \"expected_answers\": [\"500 dollars\"]},\n{\"query_id\": \"q2\", \"query_text\": \"how low\", \"expected_answers\": [\"5 dollars\"]}\n]}\n",
        }
        DuplicateKey { key: String, first: u64 } = "document/duplicate-key", Warning {
            summary: "Duplicate key in the document.",
            message: "duplicate key {key} in the document (first on line {first}); only the last one counts",
            hint: "Merge the two values, or delete one of them.",
            related: "first used here" => Location::line(*first),
            loss: Value,
            meaning: "Readers silently keep the last of two equal keys. If the first value is a list, all its records are lost.",
            mistakes: [FirstMember "{},{}"],
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a"}], "queries": []}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}]}"#,
        }
        NotChecked { line: u64 } = "document/not-checked", Error {
            summary: "The rest of the document could not be checked.",
            message: "not checked from line {line} on: after this error it is unclear where the next record begins",
            hint: "Fix this error and check the file again.",
            meaning: "A document is read from bracket to bracket. After an error the check continues where a record clearly begins. Here there is no such place, so the rest is not checked.",
            invalid: "{'queries': [{'query_id': 'q1', 'query_text': 'how high'}]}",
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
    }
}
