//! Rules about the shape of records, for every format. The messages of errors are those of Zod 3.

use super::advice::Advice;

evalcheck_core::rules! {
    /// Differences between a record and the shape that its format declares.
    SchemaProblem for Everywhere {
        MissingKey { advice: Advice } = "shape/missing-key", Error {
            summary: "A required key is missing.",
            title: "is missing",
            message: "Required",
            hint: "{advice}",
            fix: Either,
            applies: RequiredKeys,
            meaning: "The system's schema requires this key. The system itself reports «Required» at the path of the missing key.",
            other_words: ["Required", "'messages' is a required property"],
            mistakes: [Key "\"{}s\"", Member ""],
            invalid: r#"{"input":{"message":[{"role":"user","content":"Hi"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        WrongType { expected: String, received: &'static str, note: &'static str, advice: Advice } = "shape/wrong-type", Error {
            summary: "A value has the wrong type.",
            title: "has the wrong type",
            message: "Expected {expected}, received {received}{note}",
            hint: "{advice}",
            fix: Either,
            applies: Json,
            meaning: "The system's schema does not accept the type of this value. The types are those of JSON: string, number, boolean, null, array, object.",
            other_words: ["Expected string, received number", "42 is not of type 'string'"],
            mistakes: [
                String "42" => "\"42\"",
                Number "\"{}\"",
                Array "\"...\"" => "[\"...\"]",
                Array "\"...\"",
                Object "\"...\"",
            ],
            invalid: r#"{"messages":[{"role":"user","content":42}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"42"}]}"#,
        }
        RecordsInOneObject { count: usize, arrangement: &'static str } = "shape/records-in-one-object", Error {
            summary: "All records are in one object, as a table.",
            message: "{count} records are in one object, {arrangement}",
            hint: "Write each record on its own line. In pandas: to_json(FILE, orient='records', lines=True).",
            fix: Unsafe,
            applies: ObjectLines,
            meaning: "pandas writes a table as one object: by columns, or with orient='index' by rows. The row numbers, which count from 0, are then keys. A system that reads a record from each line does not find its keys in that object.",
            other_words: ["Required", "'messages' is a required property"],
            mistakes: [File "{\"0\": {}, \"1\": {}}" => "{}\n{}"],
            invalid: r#"{"0":{"messages":[{"role":"user","content":"Hi"}]},"1":{"messages":[{"role":"user","content":"Ho"}]}}"#,
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"Ho\"}]}",
        }
        MissingKeyThen { key: &'static str, value: String, advice: Advice } = "shape/missing-key-then", Error {
            summary: "A key is missing that the value of another key requires.",
            title: "is missing",
            message: "Required when {key} is '{value}'",
            hint: "{advice}",
            fix: Either,
            applies: Conditions,
            meaning: "The system's schema requires this key because of the value of another key in the same object. Either add the key or correct the other value.",
            mistakes: [Key "\"{}s\"", Member ""],
            invalid: r#"{"interaction_type":"multi_turn"}"#,
            valid: r#"{"interaction_type":"multi_turn","interactions":[{"turn_idx":0,"role":"user","content":"Hi"}]}"#,
        }
        WrongTypeThen { expected: String, key: &'static str, value: String, received: &'static str, advice: String } = "shape/wrong-type-then", Error {
            summary: "A value has a type that the value of another key excludes.",
            title: "has the wrong type",
            message: "Expected {expected} when {key} is '{value}', received {received}",
            hint: "{advice}",
            applies: Conditions,
            meaning: "The system's schema accepts the type in general, but not together with the value of another key in the same object.",
            mistakes: [Value "[]"],
            invalid: r#"{"interaction_type":"single_turn","interactions":[]}"#,
            valid: r#"{"interaction_type":"single_turn","interactions":null}"#,
        }
        EnumValue { expected: String, received: String, advice: Advice } = "shape/invalid-enum-value", Error {
            summary: "A string is not one of the allowed values.",
            title: "is not one of the allowed values",
            message: "Invalid enum value. Expected {expected}, received '{received}'",
            brief: is_not_among(received, expected),
            hint: "{advice}",
            fix: Either,
            applies: Values,
            meaning: "Only the listed strings are accepted here, spelled exactly like this.",
            other_words: ["Invalid enum value. Expected 'system' | 'user' | 'assistant', received 'tool'", "'tool' is not one of ['system', 'user', 'assistant']"],
            mistakes: [String "\"{}s\""],
            invalid: r#"{"messages":[{"role":"User","content":"Hi"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        Discriminator { expected: String, received: String, advice: Advice } = "shape/unknown-variant", Error {
            summary: "The key that states the kind of an object has an unknown value.",
            title: "is not a known kind",
            message: "Invalid discriminator value. Expected {expected}, received '{received}'",
            brief: is_not_among(received, expected),
            hint: "{advice}",
            fix: Either,
            applies: Variants,
            meaning: "Objects at this path are of several kinds, and this key states the kind. Its value is none of them, so the rest of the object is not checked. The system itself may report only «Invalid input» for the object.",
            other_words: ["Invalid discriminator value. Expected 'text' | 'file_ref' | 'image_url'"],
            mistakes: [String "\"{}s\""],
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"image","path":"attachments/a.png"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/a.png"}]}]}}"#,
        }
        UnknownKey { key: String, advice: Advice } = "shape/unknown-key", Warning {
            summary: "A key that the system drops.",
            message: "unknown key {key}: the system silently drops it and its value",
            hint: "{advice}",
            fix: Either,
            loss: Key,
            applies: IgnoredKeys,
            meaning: "The system's schema does not have this key. The record loads without it. Often the key is a misspelling of a known one.",
            mistakes: [LastMember "{},\"note\":\"easy\""],
            invalid: r#"{"id":7,"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        EmptyArray = "shape/empty-array", Warning {
            summary: "An empty array.",
            message: "the array is empty: the system loads it, but there is nothing to evaluate",
            hint: "Add at least one element, or remove the record.",
            applies: SuspiciousArrays,
            meaning: "The system's schema accepts an empty array here, but the record then has nothing to evaluate.",
            mistakes: [Array "[]"],
            invalid: r#"{"input":{"messages":[]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        TooFewElements { advice: Advice } = "shape/too-few-elements", Error {
            summary: "An empty array that must have an element.",
            title: "is empty",
            message: "Array must contain at least 1 element(s)",
            hint: "{advice}",
            applies: FilledArrays,
            meaning: "The system's document requires at least one element here.",
            other_words: ["Array must contain at least 1 element(s)", "[] should be non-empty"],
            mistakes: [Array "[]"],
            invalid: r#"{"messages":[]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        TooManyElements { most: usize } = "shape/too-many-elements", Error {
            summary: "An array with too many elements.",
            title: "has too many elements",
            message: "Array must contain at most {most} element(s)",
            hint: "Remove the elements that do not belong here, or split the record.",
            applies: BoundedArrays,
            meaning: "The system's schema states the maximum number of elements of this array.",
            other_words: ["Array must contain at most 1 element(s)", "[1, 2] is too long"],
            mistakes: [Last "{},{}"],
            invalid: "two messages where the schema allows one",
            valid: "one message",
        }
        NotJson = "shape/not-json", Warning {
            summary: "A string that should hold JSON, and does not.",
            message: "the text is not JSON: the system does not look, but what reads the value later does",
            hint: "Write JSON in the string, with its quotes escaped, such as \"{{\\\"city\\\": \\\"Paris\\\"}}\".",
            applies: JsonStrings,
            meaning: "The value is a string with JSON in it, such as the arguments of a call of a function. The system accepts any string; the function cannot be called with another text.",
            mistakes: [ValueOf("arguments") "\"city=Paris\""],
            invalid: r#"{"name":"weather","arguments":"city=Paris"}"#,
            valid: r#"{"name":"weather","arguments":"{\"city\":\"Paris\"}"}"#,
        }
        ForbiddenKey { key: String, advice: Advice } = "shape/forbidden-key", Error {
            summary: "A key that the system refuses.",
            title: "is not allowed",
            message: "Unrecognized key(s) in object: {key}",
            hint: "{advice}",
            fix: Either,
            applies: DeniedKeys,
            meaning: "The system's schema allows only the keys that it lists here.",
            other_words: ["Unrecognized key(s) in object: 'note'", "Additional properties are not allowed ('note' was unexpected)"],
            mistakes: [LastMember "{},\"note\":\"easy\""],
            invalid: "a key that the schema does not list",
            valid: "the same object without that key",
        }
        TooSmall { minimum: i64, advice: Advice } = "shape/too-small", Error {
            summary: "A number is below its minimum.",
            title: "is too small",
            message: "Number must be greater than or equal to {minimum}",
            hint: "{advice}",
            applies: Minimum,
            meaning: "The system's schema states a minimum for this number.",
            other_words: ["Number must be greater than or equal to 0", "-1 is less than the minimum of 0"],
            mistakes: [Number "-1"],
            invalid: "-1 as a count",
            valid: "0 as a count",
        }
        TooBig { maximum: i64, advice: Advice } = "shape/too-big", Error {
            summary: "A number is above its maximum.",
            title: "is too big",
            message: "Number must be less than or equal to {maximum}",
            hint: "{advice}",
            applies: Maximum,
            meaning: "The system's schema states a maximum for this number.",
            other_words: ["Number must be less than or equal to 1", "2 is greater than the maximum of 1"],
            mistakes: [Number "999999"],
            invalid: "2 as a weight",
            valid: "1 as a weight",
        }
        Blank = "shape/blank", Error {
            summary: "A blank string.",
            title: "is blank",
            message: "String must not be blank",
            hint: "Write the text, or leave the record out.",
            applies: FilledStrings,
            meaning: "The system requires text here. A string that is empty or only white space counts as missing.",
            mistakes: [
                String "\" \"",
                Cell "",
            ],
            invalid: "system,prompt,response\n,,4",
            valid: "system,prompt,response\n,2+2=,4",
        }
    }
}

/// Names a value that is none of those allowed, which are given as in a message of Zod.
fn is_not_among(received: &str, expected: &str) -> String {
    format!("is \"{received}\" (allowed: {})", expected.trim_matches('\'').replace("' | '", ", "))
}
