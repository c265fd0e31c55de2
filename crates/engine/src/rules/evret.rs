//! Rules of Evret's datasets, from its document and its public loader.

evalcheck_core::rules! {
    /// What is wrong with queries and documents beyond their shape.
    Evret {
        Missing { name: &'static str, other: &'static str } = "evret/missing", Error {
            summary: "A required value is missing under both of its names.",
            message: "Required: \"{name}\", or \"{other}\"",
            hint: "Add the key \"{name}\" (string).",
            meaning: "A query has an id and a text. Each has two possible names, and one of them is required.",
            invalid: r#"{"queries": [{"query_id": "q1", "text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        Blank = "evret/blank", Error {
            summary: "A blank id or text.",
            message: "String must not be blank",
            hint: "Write the id or the text, or leave the query out.",
            meaning: "The loader treats an empty string as a missing value, and refuses the query when the other name has no value either. A string of white space is neither an id nor a text.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": " ", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        Falsy { found: String, name: &'static str } = "evret/counts-as-missing", Error {
            summary: "A value that the loader treats as missing.",
            message: "{found} counts as missing: the loader wants a \"{name}\" that is not empty",
            hint: "Write the value as a string in double quotes.",
            meaning: "The loader tests the value for truth as Python does. 0, false and null are not true, so the query or document has no such value and is refused.",
            invalid: r#"{"queries": [{"query_id": 0, "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "0", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        Coerced { found: String, name: String } = "evret/coerced", Warning {
            summary: "A value that is not a string and is converted to one.",
            message: "{found} is no string: the loader makes one of it for \"{name}\"",
            hint: "Put the value in double quotes.",
            meaning: "The document requires a string. The loader converts other values as Python prints them: 1.0 becomes \"1.0\" and true becomes \"True\". An id then no longer matches the id it is compared with.",
            invalid: r#"{"queries": [{"query_id": 1, "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        TwoNames { read: &'static str, ignored: &'static str } = "evret/two-names", Warning {
            summary: "A value is given under two names.",
            message: "\"{ignored}\" is ignored, because there is \"{read}\" too, with another value",
            hint: "Delete one of the two.",
            meaning: "The loader knows two names for the value and uses the second only when the first is missing or empty.",
            invalid: r#"{"queries": [{"query_id": "q1", "id": "7", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        BothRelevance { ids: &'static str } = "evret/both-relevance-fields", Error {
            summary: "A query with both ids and answers.",
            message: "both \"{ids}\" and \"expected_answers\" are given: the document wants one of the two, and the loader would not notice",
            hint: "Keep the ids to compare document ids, or the answers to have a judge compare texts.",
            meaning: "The document says: provide either relevant_doc_ids or expected_answers, not both. The loader silently accepts both, and which of the two is scored is then left to chance.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"], "expected_answers": ["500 dollars"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        NoRelevance = "evret/nothing-to-score", Warning {
            summary: "A query with neither ids nor answers.",
            message: "neither \"relevant_doc_ids\" nor \"expected_answers\" is given: there is nothing to score against",
            hint: "Give the ids of the relevant documents, or the answers that are expected.",
            meaning: "The query is run but its results cannot be scored, so it counts for nothing or lowers every score.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit"}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_answers": ["500 dollars"]}]}"#,
        }
        NoRelevanceColumn = "evret/no-relevance-column", Warning {
            summary: "A CSV without a column to score against.",
            message: "none of the columns relevant_doc_ids, expected_answers and relevant_docs is there: the document wants one, and there is nothing to score against",
            hint: "Add the column relevant_doc_ids or expected_answers.",
            meaning: "The document requires a column with the relevant documents or the expected answers. The loader does not require it, and no query can then be scored.",
            invalid: "query_id,query_text\nq1,how high is the limit",
            valid: "query_id,query_text,relevant_doc_ids\nq1,how high is the limit,travel_policy_2",
        }
        Deprecated { what: &'static str, becomes: &'static str } = "evret/deprecated-relevant-docs", Warning {
            summary: "The deprecated name relevant_docs.",
            message: "{what} \"relevant_docs\" is deprecated; {becomes}",
            hint: "Rename it to relevant_doc_ids.",
            meaning: "The name is from earlier releases. It is read as relevant_doc_ids when there are neither ids nor answers under their current names; otherwise it is ignored.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_docs": ["d1"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        Alias { count: String } = "evret/expected-doc-ids", Info {
            summary: "The list of ids has the name of later releases.",
            message: "\"expected_doc_ids\" is how later releases of Evret name \"relevant_doc_ids\"; it is read as that{count}",
            hint: "Write relevant_doc_ids where earlier releases of Evret have to read the file.",
            meaning: "Releases of Evret differ in the name of this list. Reported once for a file.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "expected_doc_ids": ["d1"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        BlankEntry = "evret/blank-entry", Warning {
            summary: "A blank entry in a list.",
            message: "a blank entry: the loader drops it",
            hint: "Write the entry, or delete it.",
            meaning: "The loader keeps only entries that are not blank. A blank entry is left over from a template or an export, and perhaps an id or an answer is missing.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1", ""]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        RepeatedEntry { found: String, first: u64 } = "evret/repeated-entry", Warning {
            summary: "Duplicate entry in a list.",
            message: "{found} stands in the list already, as entry {first}: the loader drops the repeat",
            hint: "Delete it, or write the entry that was meant.",
            meaning: "The loader keeps each entry once. Perhaps another id or answer was meant.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1", "d1"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "how high is the limit", "relevant_doc_ids": ["d1"]}]}"#,
        }
        DuplicateId { what: &'static str, id: String, first: String } = "evret/duplicate-id", Warning {
            summary: "Two queries or two documents have the same id.",
            message: "the {what} \"{id}\" is taken already by {first}",
            hint: "Give each its own id.",
            meaning: "The loader accepts the duplicate. Results and references use the id, so they are assigned to the wrong query or document, or one of the two is lost.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}, {"query_id": "q1", "query_text": "c", "expected_answers": ["d"]}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}, {"query_id": "q2", "query_text": "c", "expected_answers": ["d"]}]}"#,
        }
        UnknownDocument { id: String, suggestion: String } = "evret/unknown-document", Warning {
            summary: "A relevant document that is not among the documents.",
            message: "no document has the id {id}{suggestion}",
            hint: "Write the id as the document has it, or add the document.",
            meaning: "The file lists its documents, and none has this id. Unless the index of the system has such a document, no answer to the query can be correct.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d2", "text": "b"}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d2"]}], "documents": [{"doc_id": "d2", "text": "b"}]}"#,
        }
        NoText = "evret/document-without-text", Warning {
            summary: "A document without text.",
            message: "the document has no \"text\"",
            hint: "Write the text of the document.",
            meaning: "The system's document lists the text beside the id, and only the metadata as optional. A document without text cannot be found.",
            invalid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d1"}]}"#,
            valid: r#"{"queries": [{"query_id": "q1", "query_text": "a", "relevant_doc_ids": ["d1"]}], "documents": [{"doc_id": "d1", "text": "b"}]}"#,
        }
        CellNotList { received: &'static str } = "evret/cell-not-a-list", Error {
            summary: "A cell contains JSON that is not a list.",
            message: "Expected array, received {received}: the loader takes JSON in this cell, and then only a list",
            hint: "Write a JSON list of strings, such as \"[\"\"travel_policy_2\"\"]\"; a single value that is JSON by itself, a number say, has to stand in a list too.",
            meaning: "The loader first tries to read the cell as JSON. JSON must then be a list: an id such as 42, true or null is JSON of another type, and loading fails.",
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,42",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"42\"\"]\"",
        }
        BrokenList { cause: String } = "evret/broken-list", Warning {
            summary: "A cell begins like a JSON list and is not one.",
            message: "the cell begins like a JSON list and is none ({cause}): the loader splits it at its commas, brackets and quotes included",
            hint: "Write a JSON list of strings in double quotes, each doubled in the CSV: \"[\"\"a\"\", \"\"b\"\"]\". Python's str() of a list is not JSON; json.dumps() is.",
            meaning: "A cell that is not valid JSON is split at its commas. The first entry then begins with a bracket, and no id or answer is as intended.",
            invalid: "query_text,relevant_doc_ids\nhow high is the limit,\"['travel_policy_2']\"",
            valid: "query_text,relevant_doc_ids\nhow high is the limit,\"[\"\"travel_policy_2\"\"]\"",
        }
    }
}
