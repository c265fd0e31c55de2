//! Rules of Every Eval Ever's instance-level records that its JSON Schema does not say. All of them are warnings: the
//! schema alone decides what is accepted.

evalcheck_core::rules! {
    /// What is doubtful in a record, or in the records of one file.
    Eee {
        OtherVersion { other: &'static str, signs: String, checked: &'static str, advice: String } = "eee/other-version", Warning {
            summary: "The record is written for another version of the schema.",
            message: "this says or looks like version {other} ({signs}); it was checked against {checked}",
            hint: "{advice}",
            meaning: "Versions 0.2 and 0.3 differ in names and types, so a record of one version is refused by the other. Most errors beside this warning are about that difference.",
            invalid: r#"{"schema_version":"0.3.0","input":{"raw":"2+2?","reference":["4"]}}"#,
            valid: r#"{"schema_version":"0.2.0","input":{"raw":"2+2?","reference":"4"}}"#,
        }
        MixedVersions { found: String, first: String, line: u64 } = "eee/mixed-versions", Warning {
            summary: "One file mixes versions of the schema.",
            message: "schema_version is {found} here and {first} on line {line}: one file holds records of one version",
            hint: "Write all records anew for one version, or put them into a file for each.",
            meaning: "A file is checked against one version. Records of another version are refused or misread. Only the first record of another version is reported; the overview counts them.",
            invalid: "a line with \"schema_version\":\"0.2.0\" and one with \"schema_version\":\"0.3.0\"",
            valid: "both lines with the same version",
        }
        EvaluationIdDiffers { found: String, first: String, line: u64 } = "eee/evaluation-id-differs", Warning {
            summary: "Records of one file belong to different evaluations.",
            message: "evaluation_id is {found} here and {first} on line {line}: one file belongs to one evaluation",
            hint: "Put the records of each evaluation into a file of their own.",
            meaning: "An instance-level file belongs to one aggregate file, by evaluation_id. The aggregate file does not find records with another id. The first record of each other id is reported.",
            invalid: "a line with \"evaluation_id\":\"run-1\" and one with \"evaluation_id\":\"run-2\"",
            valid: "a file for each evaluation_id",
        }
        ModelIdDiffers { found: String, first: String, line: u64 } = "eee/model-id-differs", Warning {
            summary: "Records of one file are about different models.",
            message: "model_id is {found} here and {first} on line {line}: one file is about one model",
            hint: "Put the records of each model into a file of their own.",
            meaning: "The aggregate file of the instances names one model. The first record of each other model is reported.",
            invalid: "a line with \"model_id\":\"org/a\" and one with \"model_id\":\"org/b\"",
            valid: "a file for each model_id",
        }
        RepeatedSample { sample: String, first_line: u64 } = "eee/repeated-sample", Warning {
            summary: "The file contains a sample twice.",
            message: "sample_id {sample} stands on line {first_line} already, for the same evaluation",
            hint: "Delete one of the two. Where a sample counts for several results, give each record its own evaluation_result_id (since 0.3.0).",
            meaning: "The same sample_id for the same evaluation_id and evaluation_name (and the same evaluation_result_id, where there is one) is counted twice in every score.",
            invalid: "two lines with \"sample_id\":\"gsm8k_0001\"",
            valid: "one line for each sample",
        }
        AttributedTurn { turn: String, turns: String } = "eee/attributed-turn", Warning {
            summary: "An answer is attributed to a turn that does not exist.",
            message: "no turn has turn_idx {turn}: {turns}",
            hint: "Write the turn_idx of the turn that the answer was taken from.",
            meaning: "answer_attribution states the turn that the answer was taken from; 0 for a single turn. A reader that looks the turn up finds nothing.",
            invalid: "\"turn_idx\":7 in the answer_attribution of a conversation of three turns",
            valid: "\"turn_idx\":2",
        }
        NoTerminal = "eee/no-terminal-attribution", Warning {
            summary: "No attribution is marked as the final answer.",
            message: "no entry has is_terminal true: which answer is the final one is not said",
            hint: "Mark the entry that the score is about with \"is_terminal\": true.",
            meaning: "answer_attribution lists how the answer was taken from the model's output; the entry with is_terminal is the answer that was scored. Without it the scored answer is unknown.",
            invalid: r#"{"answer_attribution":[]}"#,
            valid: r#"{"answer_attribution":[{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"regex","is_terminal":true}]}"#,
        }
        TurnOrder { turn: String, before: String } = "eee/turn-order", Warning {
            summary: "The turns are not in order.",
            message: "turn_idx {turn} stands after {before}: turns are listed in their order",
            hint: "Sort the turns by turn_idx, and give each its own, from 0.",
            meaning: "turn_idx is the position of the turn in the conversation, so it grows from turn to turn.",
            invalid: "turns with turn_idx 0, 2, 1",
            valid: "turns with turn_idx 0, 1, 2",
        }
        NumTurns { stated: String, found: usize } = "eee/num-turns", Warning {
            summary: "num_turns disagrees with the transcript.",
            message: "num_turns is {stated}, and the record has {found}",
            hint: "Count the turns of the transcript, or leave num_turns out.",
            meaning: "num_turns is the number of turns in the interaction: the number of turns in the transcript, or 1 for a single turn.",
            invalid: "\"num_turns\":4 beside a transcript of three turns",
            valid: "\"num_turns\":3",
        }
        ToolCallsCount { stated: String, found: usize } = "eee/tool-calls-count", Warning {
            summary: "tool_calls_count disagrees with the transcript.",
            message: "tool_calls_count is {stated}, and the record has {found}",
            hint: "Count the tool_calls of all turns, or leave tool_calls_count out.",
            meaning: "tool_calls_count is the number of tool calls in all turns together.",
            invalid: "\"tool_calls_count\":1 beside a transcript with two calls",
            valid: "\"tool_calls_count\":2",
        }
        UnknownCall { id: String } = "eee/unknown-tool-call", Warning {
            summary: "A turn answers a tool call that was not made.",
            message: "no turn up to here calls a tool with the id {id}",
            hint: "Write the id of one of the tool_calls before.",
            meaning: "tool_call_id states the call that the turn answers, by an id in tool_calls of an earlier turn.",
            invalid: "\"tool_call_id\":\"call_2\" when only call_1 was made",
            valid: "\"tool_call_id\":\"call_1\"",
        }
        TotalTokens { total: String, input: String, output: String } = "eee/total-tokens", Warning {
            summary: "total_tokens is less than the sum of its parts.",
            message: "total_tokens is {total}, less than {input} input and {output} output tokens together",
            hint: "Write the sum, or more where other tokens count too.",
            meaning: "total_tokens counts all tokens that were used, so it is at least input_tokens plus output_tokens.",
            invalid: r#"{"token_usage":{"input_tokens":100,"output_tokens":20,"total_tokens":100}}"#,
            valid: r#"{"token_usage":{"input_tokens":100,"output_tokens":20,"total_tokens":120}}"#,
        }
        MixedScores { found: &'static str, first: &'static str, line: u64 } = "eee/mixed-scores", Warning {
            summary: "One file contains both boolean and numeric scores.",
            message: "the score is a {found} here and a {first} on line {line}: they cannot be averaged together",
            hint: "Write all scores as numbers, 1 and 0 for right and wrong.",
            meaning: "Version 0.2 accepts a boolean as a score. Beside numbers it is most likely an is_correct in the wrong place. Only the first record that differs is reported; the overview counts them.",
            invalid: "\"score\":true in one record and \"score\":0.5 in another",
            valid: "\"score\":1 and \"score\":0.5",
        }
    }
}
