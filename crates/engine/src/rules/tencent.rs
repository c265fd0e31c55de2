//! Rules of the evaluation sets of the Tencent Cloud TI Platform.

evalcheck_core::rules! {
    /// What a shape cannot say of an evaluation set.
    Tencent {
        SystemNotFirst = "tencent/system-not-first", Warning {
            summary: "A system message follows other messages.",
            message: "a system message that is not the first message",
            hint: "Move it to the front, or give it another role.",
            meaning: "The system message sets up the conversation, so it comes first. Many models refuse or ignore one in the middle.",
            invalid: r#"{"messages":[{"role":"user","content":"Hello!"},{"role":"system","content":"Be brief."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello!"}]}"#,
        }
        NoUserMessage = "tencent/no-user-message", Warning {
            summary: "A conversation without a user message.",
            message: "no message has the role user, so there is no question to answer",
            hint: "Add the user's message.",
            meaning: "The platform sends the user's messages to the model. A conversation of system and assistant messages contains no question.",
            invalid: r#"{"messages":[{"role":"system","content":"Be brief."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is 1 + 1?"}]}"#,
        }
        GroundTruth { records: String, line: u64 } = "tencent/ground-truth", Info {
            summary: "The last message is taken as the ground truth.",
            message: "{records} with a last message of the role assistant (the first on line {line}): the platform takes it as the ground truth",
            hint: "Leave the last answer out where it is not meant to be the reference.",
            meaning: "When a conversation ends with the assistant, the platform does not ask the model to continue: it reads that message as the correct answer. Reported once for a file.",
            invalid: r#"{"messages":[{"role":"user","content":"What is 1 + 1?"},{"role":"assistant","content":"2"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is 1 + 1?"}],"ref_answer":"2"}"#,
        }
        ModelTwice { name: String } = "tencent/model-twice", Warning {
            summary: "One record lists a model twice.",
            message: "the model \"{name}\" stands twice in this record",
            hint: "Put all its answers into one list of responses, or correct the name.",
            meaning: "Models are told apart by their names. Several answers of one model to one question belong in its responses; a second entry with the same name is lost or counted twice.",
            invalid: r#"{"messages":[{"role":"user","content":"Hello!"}],"model_outputs":[{"model_name":"a","responses":[{"content":"Hi"}]},{"model_name":"a","responses":[{"content":"Hey"}]}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hello!"}],"model_outputs":[{"model_name":"a","responses":[{"content":"Hi"},{"content":"Hey"}]}]}"#,
        }
        ModelSpelling { name: String, other: String, line: u64 } = "tencent/model-spelling", Warning {
            summary: "Two model names differ only in case or white space.",
            message: "the model name \"{name}\" differs from \"{other}\" (line {line}) in case or white space only",
            hint: "Use one spelling for one model.",
            meaning: "The document requires the same name for the same model in the whole set. The report groups by name, so two spellings are two models with half of the results each.",
            invalid: "\"llama3\" on line 1 and \"Llama3\" on line 2",
            valid: "\"llama3\" on both lines",
        }
        ModelNotEverywhere { name: String, answered: u64, records: u64 } = "tencent/model-not-everywhere", Warning {
            summary: "A model answers only some of the records.",
            message: "the model \"{name}\" answers {answered} of {records} records; this is the first without it",
            hint: "Add its answers, or leave the model out of the set.",
            meaning: "Scores of models are compared over the whole set. A model without all records is compared on other questions than the rest.",
            invalid: "two records, the second without the outputs of one model",
            valid: "two records with outputs of the same models",
        }
        ResponseCount { name: String, found: u64, other: u64, line: u64 } = "tencent/response-count", Warning {
            summary: "The number of responses of a model varies.",
            message: "the number of responses of the model \"{name}\" is {found} here and {other} on line {line}",
            hint: "Run the model equally often for each record.",
            meaning: "Several responses come from asking n times. When n varies within a set, records have different weights in the average. Reported once for each model.",
            invalid: "one response of a model on line 1, and two on line 2",
            valid: "two responses of the model on both lines",
        }
    }
}
