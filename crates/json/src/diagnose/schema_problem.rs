//! Rules about the shape of records, of every format. The messages of errors are Zod 3's.

evalcheck_core::rules! {
    /// Where a record differs from the shape its format declares.
    SchemaProblem {
        MissingKey { advice: String } = "shape/missing-key", Error {
            summary: "A required key is missing.",
            message: "Required",
            hint: "{advice}",
            meaning: "The system's schema requires this key. Its own report says «Required» at the path where the key should be.",
            invalid: r#"{"input":{}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        WrongType { expected: String, received: &'static str, advice: String } = "shape/wrong-type", Error {
            summary: "A value of another type than the system wants.",
            message: "Expected {expected}, received {received}",
            hint: "{advice}",
            meaning: "The value at this path has a type that the system's schema does not accept. The types are those of JSON: string, number, boolean, null, array, object.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":42}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"42"}]}}"#,
        }
        MissingKeyThen { key: &'static str, value: String, advice: String } = "shape/missing-key-then", Error {
            summary: "A key is missing that another key's value asks for.",
            message: "Required when {key} is '{value}'",
            hint: "{advice}",
            meaning: "The system's schema requires this key because of what another key of the same object says. Either the key is missing, or the other key should say something else.",
            invalid: r#"{"interaction_type":"multi_turn"}"#,
            valid: r#"{"interaction_type":"multi_turn","interactions":[{"turn_idx":0,"role":"user","content":"Hi"}]}"#,
        }
        WrongTypeThen { expected: String, key: &'static str, value: String, received: &'static str } = "shape/wrong-type-then", Error {
            summary: "A value of a type that another key's value rules out.",
            message: "Expected {expected} when {key} is '{value}', received {received}",
            hint: "Write {expected} here, or change {key} to what the record is.",
            meaning: "The type is one that the system's schema knows here, but not together with what another key of the same object says.",
            invalid: r#"{"interaction_type":"single_turn","interactions":[]}"#,
            valid: r#"{"interaction_type":"single_turn","interactions":null}"#,
        }
        EnumValue { expected: String, received: String, advice: String } = "shape/invalid-enum-value", Error {
            summary: "A string that is not one of those allowed.",
            message: "Invalid enum value. Expected {expected}, received '{received}'",
            hint: "{advice}",
            meaning: "Only the listed strings are accepted here, spelled exactly so: lower case, without spaces.",
            invalid: r#"{"input":{"messages":[{"role":"tool","content":"Hi"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        Discriminator { expected: String, received: String, advice: String } = "shape/unknown-variant", Error {
            summary: "A key that tells the kind of an object has an unknown value.",
            message: "Invalid discriminator value. Expected {expected}, received '{received}'",
            hint: "{advice}",
            meaning: "Objects at this place come in several kinds, told apart by this key. Its value names none of them, so the rest of the object was not checked. The system's own report may say no more than «Invalid input» at the value around it.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"image","path":"attachments/a.png"}]}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/a.png"}]}]}}"#,
        }
        UnknownKey { key: String, advice: String } = "shape/unknown-key", Warning {
            summary: "A key that the system drops.",
            message: "unknown key {key}: the system drops it and what it holds, silently",
            hint: "{advice}",
            meaning: "The system's schema does not know this key. The line loads, and the key is lost on the way. Often it is a misspelling of a key that is known.",
            invalid: r#"{"id":7,"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        EmptyArray = "shape/empty-array", Warning {
            summary: "An array without an element.",
            message: "the array is empty: the system loads it, and there is nothing in it to evaluate",
            hint: "Put at least one element in it, or leave the record out.",
            meaning: "The system's schema accepts an empty array here, though a record without any message cannot be asked of a model.",
            invalid: r#"{"input":{"messages":[]}}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#,
        }
        TooFewElements = "shape/too-few-elements", Error {
            summary: "An array without the element that it must have.",
            message: "Array must contain at least 1 element(s)",
            hint: "Put at least one element in the array.",
            meaning: "The system's document requires at least one element here.",
            invalid: r#"{"messages":[]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        }
        ForbiddenKey { key: String, advice: String } = "shape/forbidden-key", Error {
            summary: "A key that the system refuses.",
            message: "Unrecognized key(s) in object: {key}",
            hint: "{advice}",
            meaning: "The system's schema allows no other keys than those it lists here.",
            invalid: "a key that the schema does not list",
            valid: "the same without the key",
        }
        TooSmall { minimum: i64 } = "shape/too-small", Error {
            summary: "A number below the least value allowed.",
            message: "Number must be greater than or equal to {minimum}",
            hint: "Write a number of at least {minimum}.",
            meaning: "The system's schema states a least value for this number.",
            invalid: "-1 as a count",
            valid: "0 as a count",
        }
        Blank = "shape/blank", Error {
            summary: "A string of nothing but white space.",
            message: "String must not be blank",
            hint: "Write the text, or leave the record out.",
            meaning: "The system needs text here; a string that is empty or only white space counts as missing.",
            invalid: "system,prompt,response\n,,4",
            valid: "system,prompt,response\n,2+2=,4",
        }
    }
}
