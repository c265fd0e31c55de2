//! Problems of data of no system.

use evalcheck_core::finding::Location;

evalcheck_core::rules! {
    /// Signs of mistakes in plain data.
    PlainProblem {
        MisspeltKey { path: String, meant: String, share: String, others: u64, line: u64 } = "plain/misspelt-key", Warning {
            summary: "A key that few records have, which is almost the name of another.",
            message: "\"{path}\" is in {share}, and \"{meant}\" in {others}",
            hint: "Rename it to \"{meant}\" if that is meant.",
            related: "the first one" => Location::line(*line),
            meaning: "Most records have one key, and a few have another that differs from it in a letter or two. Readers take them for two keys.",
            invalid: "{\"question\":\"1 + 1?\",\"answer\":\"2\"}\n{\"question\":\"2 + 2?\",\"anwser\":\"4\"}\n{\"question\":\"3 + 3?\",\"answer\":\"6\"}",
            valid: "{\"question\":\"1 + 1?\",\"answer\":\"2\"}\n{\"question\":\"2 + 2?\",\"answer\":\"4\"}\n{\"question\":\"3 + 3?\",\"answer\":\"6\"}",
        }
        RepeatedId { key: &'static str, value: String, records: String, line: u64 } = "plain/repeated-id", Warning {
            summary: "The same id in two records.",
            message: "{records} an id that an earlier record has in \"{key}\", the first \"{value}\"",
            hint: "Give each record its own id, or remove the records that are there twice.",
            related: "the first one" => Location::line(*line),
            meaning: "Almost all values of the key are different, so that it seems to be an id. Many systems refuse a dataset in which two records have the same id, or keep only the last of them.",
            invalid: "the id q1 in two of 100 records",
            valid: "an id of its own in each record",
        }
        MixedTypes { path: String, types: String, line: u64 } = "plain/mixed-types", Info {
            summary: "Values of several types.",
            message: "\"{path}\" is {types}",
            hint: "Write one type in all records, if the reader needs one: tables, such as those of pandas, Arrow and Hugging Face datasets, have one type for a column.",
            related: "the first of the rarest type" => Location::line(*line),
            meaning: "The values at a path have different types. Some readers take that, others convert the values, or stop.",
            invalid: "{\"question\":\"1 + 1?\",\"score\":1}\n{\"question\":\"2 + 2?\",\"score\":\"1\"}",
            valid: "{\"question\":\"1 + 1?\",\"score\":1}\n{\"question\":\"2 + 2?\",\"score\":1}",
        }
        MissingKey { path: String, share: String } = "plain/missing-key", Info {
            summary: "A key that a few records lack.",
            message: "{share} no \"{path}\"",
            hint: "Search for -has:{path} to see them.",
            meaning: "Nearly all records have the key. A reader that needs it fails at the others, or reads an empty value.",
            invalid: "3 of 100 records without an answer",
            valid: "an answer in each record",
        }
        RareKey { path: String, share: String, line: u64 } = "plain/rare-key", Info {
            summary: "A key that only a few records have.",
            message: "only {share} \"{path}\"",
            hint: "Search for has:{path} to see them.",
            related: "the first one" => Location::line(*line),
            meaning: "Nearly all records lack the key, which may be a slip, or a note that somebody left.",
            invalid: "a key todo in 3 of 100 records",
            valid: "the same keys in each record",
        }
        EmptyValue { path: String, share: String, line: u64 } = "plain/empty-value", Info {
            summary: "A value that is empty in a few records.",
            message: "\"{path}\" is {share}",
            hint: "Fill it in, or leave the records out.",
            related: "the first one" => Location::line(*line),
            meaning: "Nearly all records have a value there, and a few have none: an empty text, or null.",
            invalid: "an answer that is empty in 3 of 100 records",
            valid: "a filled answer in each record",
        }
        Duplicates { records: String } = "plain/duplicates", Info {
            summary: "Records that are the same, byte for byte.",
            message: "{records} the same, byte for byte, as an earlier one",
            hint: "Search for is:duplicate to see them, and remove them unless each counts.",
            meaning: "A record that is there twice counts twice in a mean.",
            invalid: "the line {\"id\":\"q1\",\"question\":\"1 + 1?\"} twice",
            valid: "the line once",
        }
    }
}
