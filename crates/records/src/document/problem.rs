//! Rules about datasets that are one JSON document, of every format.

evalcheck_core::rules! {
    /// What is wrong with a document between and around its records.
    Document {
        Truncated { open: String } = "document/truncated", Error {
            summary: "The document ends before its JSON does.",
            message: "invalid JSON: the document ends with {open} still open",
            hint: "The file was cut off, perhaps by an interrupted download or export; write it again in full.",
            meaning: "Brackets or quotes that were opened are not closed by the end of the file. This is how a file looks that was cut while it was written or copied. A JSON document that is not whole cannot be loaded at all.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high"}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
        TextAfter { what: String } = "document/text-after", Error {
            summary: "Something follows the document.",
            message: "invalid JSON: {what} follows the document; it was not checked",
            hint: "Keep one JSON object in the file, with nothing after it.",
            meaning: "The file holds one JSON document. A second object, a comma or other text after it makes the file unreadable.",
            invalid: "{\"queries\": []}\n{\"queries\": []}",
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
        DuplicateKey { key: String, first: u64 } = "document/duplicate-key", Warning {
            summary: "A key stands twice in the document.",
            message: "the key {key} stands twice in the document (first on line {first}); only the last one counts",
            hint: "Join the two lists, or delete one of the two.",
            meaning: "Readers keep the last of two equal keys in silence, so that all records of the first list are lost.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a"}], "queries": []}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}]}"#,
        }
        NotChecked { line: u64 } = "document/not-checked", Error {
            summary: "The rest of the document could not be checked.",
            message: "not checked from line {line} on: what is wrong here leaves no place at which a record begins",
            hint: "Mend what is reported here and check the file again.",
            meaning: "A document is read from bracket to bracket. Behind a fault the check goes on where a record evidently begins; here there is no such place, so that nothing is said of the rest.",
            invalid: "{'queries': [{'query_id': 'q1', 'query_text': 'how high'}]}",
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high", "expected_answers": ["500 dollars"]}]}"#,
        }
    }
}
