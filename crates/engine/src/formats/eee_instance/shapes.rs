//! The records of both versions, as their JSON Schemas have them.
//!
//! 0.3.0 renamed `interactions` to `messages`, made lists of `input.reference` and `output.raw`, allows `null` where a
//! key was only optional, and refuses unknown keys at the top. In both, what else is allowed inside is the user's own.

use crate::shape::{Array, Condition, Field, Fields, Number, Object, Others, Shape, Text, Then, Types};

/// Numbers of the captures: what the rules beyond the shape need of a record.
pub(super) mod capture {
    pub(in super::super) const SCHEMA_VERSION: u8 = 1;
    pub(in super::super) const EVALUATION_ID: u8 = 2;
    pub(in super::super) const MODEL_ID: u8 = 3;
    pub(in super::super) const EVALUATION_NAME: u8 = 4;
    pub(in super::super) const RESULT_ID: u8 = 5;
    pub(in super::super) const SAMPLE_ID: u8 = 6;
    pub(in super::super) const INTERACTION_TYPE: u8 = 7;
    /// `turn_idx` of a turn of the transcript: there is one for each.
    pub(in super::super) const TURN: u8 = 8;
    /// The id of a tool call: there is one for each.
    pub(in super::super) const CALL: u8 = 9;
    /// A tool call that a turn answers.
    pub(in super::super) const ANSWERED: u8 = 10;
    pub(in super::super) const ATTRIBUTED_TURN: u8 = 11;
    pub(in super::super) const IS_TERMINAL: u8 = 12;
    pub(in super::super) const SCORE: u8 = 13;
    pub(in super::super) const NUM_TURNS: u8 = 14;
    pub(in super::super) const TOOL_CALLS_COUNT: u8 = 15;
    pub(in super::super) const INPUT_TOKENS: u8 = 16;
    pub(in super::super) const OUTPUT_TOKENS: u8 = 17;
    pub(in super::super) const TOTAL_TOKENS: u8 = 18;
}

/// A record of 0.2.0.
pub(super) static RECORD_0_2: Shape =
    Shape::object(Object::Fields(Fields::new(FIELDS_0_2, Others::Accepted).when(&CONDITIONS_0_2)));

/// A record of 0.3.0.
pub(super) static RECORD_0_3: Shape =
    Shape::object(Object::Fields(Fields::new(FIELDS_0_3, Others::Forbidden).when(&CONDITIONS_0_3)));

const FIELDS_0_2: &[Field] = &[
    Field::required("schema_version", &SCHEMA_VERSION),
    Field::required("evaluation_id", &EVALUATION_ID),
    Field::required("model_id", &MODEL_ID),
    Field::required("evaluation_name", &EVALUATION_NAME),
    Field::required("sample_id", &SAMPLE_ID_0_2),
    Field::optional("sample_hash", &SAMPLE_HASH_0_2),
    Field::required("interaction_type", &INTERACTION_TYPE),
    Field::required("input", &INPUT_0_2),
    Field::optional("output", &OUTPUT_0_2),
    Field::optional("interactions", &INTERACTIONS),
    Field::required("answer_attribution", &ANSWER_ATTRIBUTION),
    Field::required("evaluation", &EVALUATION_0_2),
    Field::optional("token_usage", &TOKEN_USAGE),
    Field::optional("performance", &PERFORMANCE_0_2),
    Field::optional("error", &ERROR),
    Field::optional("metadata", &METADATA_0_2),
    Field::optional("metrics", &METRICS),
];

const FIELDS_0_3: &[Field] = &[
    Field::required("schema_version", &SCHEMA_VERSION),
    Field::required("evaluation_id", &EVALUATION_ID),
    Field::required("model_id", &MODEL_ID),
    Field::required("evaluation_name", &EVALUATION_NAME),
    Field::optional("evaluation_result_id", &RESULT_ID),
    Field::required("sample_id", &SAMPLE_ID_0_3),
    Field::optional("sample_hash", &SAMPLE_HASH_0_3),
    Field::required("interaction_type", &INTERACTION_TYPE),
    Field::required("input", &INPUT_0_3),
    Field::optional("output", &OUTPUT_0_3),
    Field::optional("messages", &MESSAGES),
    Field::required("answer_attribution", &ANSWER_ATTRIBUTION),
    Field::required("evaluation", &EVALUATION_0_3),
    Field::optional("token_usage", &TOKEN_USAGE),
    Field::optional("performance", &PERFORMANCE_0_3),
    Field::optional("error", &ERROR),
    Field::optional("metadata", &METADATA_0_3),
];

static CONDITIONS_0_2: [Condition; 2] = [
    Condition::new(
        FIELDS_0_2,
        "interaction_type",
        &["single_turn"],
        &[Then::required("output").of(Types::OBJECT), Then::optional("interactions").of(Types::NULL)],
    ),
    Condition::new(
        FIELDS_0_2,
        "interaction_type",
        &["multi_turn", "agentic"],
        &[
            Then::optional("output").of(Types::NULL),
            Then::required("interactions").of(Types::ARRAY),
            Then::optional("metrics").with_keys(&["num_turns"]),
        ],
    ),
];

// What the schema says of `metrics` here goes without saying: 0.3.0 refuses the key.
static CONDITIONS_0_3: [Condition; 2] = [
    Condition::new(
        FIELDS_0_3,
        "interaction_type",
        &["single_turn"],
        &[Then::required("output").of(Types::OBJECT), Then::optional("messages").of(Types::NULL)],
    ),
    Condition::new(
        FIELDS_0_3,
        "interaction_type",
        &["multi_turn", "agentic"],
        &[Then::optional("output").of(Types::NULL), Then::required("messages").of(Types::ARRAY)],
    ),
];

/// A number of things.
const COUNT: Number = Number { integer: true, minimum: Some(0) };

const TEXT_OR_NULL: Shape = Shape { null: true, ..Shape::STRING };
const COUNT_OR_NULL: Shape = Shape { null: true, ..Shape::number(COUNT) };

const TEXTS: Array = Array::of(&Shape::STRING);
const STRINGS_OR_NULL: Shape =
    Shape { null: true, ..Shape::object(Object::new(&[], Others::Each(&Shape::STRING))) };

static SCHEMA_VERSION: Shape = Shape {
    doc: "Version of the schema that the record follows.",
    ..Shape::text(Text::NAME.captured(capture::SCHEMA_VERSION))
};

static EVALUATION_ID: Shape = Shape {
    doc: "The evaluation that the record belongs to, by the id in its aggregate file.",
    ..Shape::text(Text::NAME.captured(capture::EVALUATION_ID))
};

static MODEL_ID: Shape =
    Shape { doc: "The model, as on Hugging Face.", ..Shape::text(Text::NAME.captured(capture::MODEL_ID)) };

static EVALUATION_NAME: Shape = Shape {
    doc: "Which evaluation it is, a benchmark's name say.",
    ..Shape::text(Text::NAME.captured(capture::EVALUATION_NAME))
};

static RESULT_ID: Shape = Shape {
    doc: "The one aggregate result that the record counts for.",
    ..Shape::text(Text::NAME.captured(capture::RESULT_ID))
};

static SAMPLE_ID_0_2: Shape = Shape {
    number: Some(Number { integer: true, minimum: None }),
    doc: "The question's id in its dataset.",
    ..Shape::text(Text::NAME.captured(capture::SAMPLE_ID)).captured(capture::SAMPLE_ID)
};

static SAMPLE_ID_0_3: Shape = Shape {
    doc: "The question's id in its dataset.",
    ..Shape::text(Text::NAME.captured(capture::SAMPLE_ID))
};

const HASH: &str = "Hash of the input and its reference, to compare models on the same sample.";
static SAMPLE_HASH_0_2: Shape = Shape { doc: HASH, ..Shape::STRING };
static SAMPLE_HASH_0_3: Shape = Shape { doc: HASH, ..TEXT_OR_NULL };

static INTERACTION_TYPE: Shape = Shape {
    doc: "How the model was asked; it decides whether output or the transcript is there.",
    ..Shape::text(Text::one_of(&["single_turn", "multi_turn", "agentic"]).captured(capture::INTERACTION_TYPE))
};

static RAW_INPUT: Shape = Shape { doc: "The input as the evaluation defines it.", ..Shape::STRING };
const FORMATTED: &str = "The input as the model saw it, chat template included.";
const REFERENCE: &str = "What a right answer is compared with.";
const CHOICES: &str = "The choices of a multiple-choice question.";

static INPUT_0_2: Shape = Shape {
    doc: "What was asked.",
    ..Shape::object(Object::new(
        &[
            Field::required("raw", &RAW_INPUT),
            Field::optional("formatted", &Shape { doc: FORMATTED, ..Shape::STRING }),
            Field::required("reference", &Shape { doc: REFERENCE, ..Shape::STRING }),
            Field::optional("choices", &Shape { array: Some(TEXTS), doc: CHOICES, ..Shape::NONE }),
        ],
        Others::Accepted,
    ))
};

static INPUT_0_3: Shape = Shape {
    doc: "What was asked.",
    ..Shape::object(Object::new(
        &[
            Field::required("raw", &RAW_INPUT),
            Field::optional("formatted", &Shape { doc: FORMATTED, ..TEXT_OR_NULL }),
            Field::required("reference", &Shape { array: Some(TEXTS), doc: REFERENCE, ..Shape::NONE }),
            Field::optional(
                "choices",
                &Shape { null: true, array: Some(TEXTS), doc: CHOICES, ..Shape::NONE },
            ),
        ],
        Others::Accepted,
    ))
};

const RAW_OUTPUT: &str = "The whole answer.";
const TRACE: &str = "What the model wrote while it reasoned.";

static OUTPUT_0_2: Shape = Shape {
    null: true,
    doc: "What a model answered in a single turn; otherwise null.",
    ..Shape::object(Object::new(
        &[
            Field::required("raw", &Shape { doc: RAW_OUTPUT, ..Shape::STRING }),
            Field::optional("reasoning_trace", &REASONING_TRACE),
        ],
        Others::Accepted,
    ))
};

static OUTPUT_0_3: Shape = Shape {
    null: true,
    doc: "What a model answered in a single turn; otherwise null.",
    ..Shape::object(Object::new(
        &[
            Field::required("raw", &Shape { array: Some(TEXTS), doc: RAW_OUTPUT, ..Shape::NONE }),
            Field::optional(
                "reasoning_trace",
                &Shape { null: true, array: Some(TEXTS), doc: TRACE, ..Shape::NONE },
            ),
        ],
        Others::Accepted,
    ))
};

static REASONING_TRACE: Shape = Shape { doc: TRACE, ..TEXT_OR_NULL };

const TRANSCRIPT: &str = "The transcript of several turns; null for a single one.";

static INTERACTIONS: Shape =
    Shape { null: true, array: Some(Array::of(&INTERACTION)), doc: TRANSCRIPT, ..Shape::NONE };

static MESSAGES: Shape =
    Shape { null: true, array: Some(Array::of(&MESSAGE)), doc: TRANSCRIPT, ..Shape::NONE };

static INTERACTION: Shape = Shape::object(Object::new(
    &[
        Field::required("turn_idx", &TURN),
        Field::required("role", &ROLE),
        Field::optional("content", &CONTENT),
        Field::optional("reasoning_trace", &REASONING_TRACE),
        Field::optional("tool_calls", &TOOL_CALLS_0_2),
        Field::optional("tool_call_id", &ANSWERED_0_2),
    ],
    Others::Accepted,
));

static MESSAGE: Shape = Shape::object(Object::new(
    &[
        Field::required("turn_idx", &TURN),
        Field::required("role", &ROLE),
        Field::optional("content", &CONTENT),
        Field::optional("reasoning_trace", &REASONING_TRACE),
        Field::optional("tool_calls", &TOOL_CALLS_0_3),
        Field::optional("tool_call_id", &ANSWERED_0_3),
    ],
    Others::Accepted,
));

static TURN: Shape = Shape {
    doc: "Location of the turn in the conversation, from 0.",
    ..Shape::number(COUNT).captured(capture::TURN)
};
static ROLE: Shape = Shape { doc: "Who speaks.", ..Shape::text(Text::NAME) };
static CONTENT: Shape = Shape { doc: "What is said.", ..TEXT_OR_NULL };

static TOOL_CALLS_0_2: Shape = Shape {
    null: true,
    array: Some(Array::of(&TOOL_CALL_0_2)),
    doc: "The tools that the turn calls.",
    ..Shape::NONE
};
static TOOL_CALLS_0_3: Shape = Shape {
    null: true,
    array: Some(Array::of(&TOOL_CALL_0_3)),
    doc: "The tools that the turn calls.",
    ..Shape::NONE
};

static CALL_ID: Shape = Shape { doc: "Id of the call.", ..Shape::text(Text::NAME.captured(capture::CALL)) };
static CALL_NAME: Shape = Shape { doc: "Name of the tool.", ..Shape::text(Text::NAME) };
const ARGUMENTS: &str = "What the tool is called with.";

static TOOL_CALL_0_2: Shape = Shape::object(Object::new(
    &[
        Field::required("id", &CALL_ID),
        Field::required("name", &CALL_NAME),
        Field::optional("arguments", &Shape { doc: ARGUMENTS, ..Shape::ANY_OBJECT }),
    ],
    Others::Accepted,
));

static TOOL_CALL_0_3: Shape = Shape::object(Object::new(
    &[
        Field::required("id", &CALL_ID),
        Field::required("name", &CALL_NAME),
        Field::optional("arguments", &Shape { doc: ARGUMENTS, ..STRINGS_OR_NULL }),
    ],
    Others::Accepted,
));

const ANSWERED: &str = "The call, or the calls, that the turn answers.";
static ANSWERED_ID: Shape = Shape::text(Text::NAME.captured(capture::ANSWERED));
static ANSWERED_0_2: Shape = Shape {
    array: Some(Array::of(&ANSWERED_ID)),
    doc: ANSWERED,
    ..Shape::text(Text::NAME.captured(capture::ANSWERED))
};
static ANSWERED_0_3: Shape =
    Shape { null: true, array: Some(Array::of(&ANSWERED_ID)), doc: ANSWERED, ..Shape::NONE };

static ANSWER_ATTRIBUTION: Shape = Shape {
    doc: "How the answer was taken from what the model wrote.",
    ..Shape::array(Array::of(&ATTRIBUTION))
};

static ATTRIBUTION: Shape = Shape::object(Object::new(
    &[
        Field::required(
            "turn_idx",
            &Shape {
                doc: "The turn it was taken from; 0 for a single turn.",
                ..Shape::number(COUNT).captured(capture::ATTRIBUTED_TURN)
            },
        ),
        Field::required("source", &Shape { doc: "The value it was taken from.", ..Shape::STRING }),
        Field::required("extracted_value", &Shape { doc: "What was taken.", ..Shape::STRING }),
        Field::required("extraction_method", &Shape { doc: "How.", ..Shape::STRING }),
        Field::required(
            "is_terminal",
            &Shape {
                doc: "It is the final answer, and no step on the way to it.",
                ..Shape::BOOLEAN.captured(capture::IS_TERMINAL)
            },
        ),
    ],
    Others::Accepted,
));

const NUM_TURNS: Number = Number { integer: true, minimum: Some(1) };
static SCORE: Shape = Shape {
    doc: "The score of this sample.",
    ..Shape::number(Number { integer: false, minimum: None }).captured(capture::SCORE)
};
static SCORE_OR_BOOLEAN: Shape = Shape {
    boolean: true,
    doc: "The score of this sample.",
    ..Shape::number(Number { integer: false, minimum: None }).captured(capture::SCORE)
};
static IS_CORRECT: Shape = Shape { doc: "The final answer is right.", ..Shape::BOOLEAN };

const TURNS_STATED: &str = "Number of turns.";
const CALLS_STATED: &str = "Number of tool calls in all turns.";
static NUM_TURNS_0_2: Shape =
    Shape { doc: TURNS_STATED, ..Shape::number(NUM_TURNS).captured(capture::NUM_TURNS) };
static NUM_TURNS_0_3: Shape =
    Shape { null: true, doc: TURNS_STATED, ..Shape::number(NUM_TURNS).captured(capture::NUM_TURNS) };
static TOOL_CALLS_COUNT_0_2: Shape =
    Shape { doc: CALLS_STATED, ..Shape::number(COUNT).captured(capture::TOOL_CALLS_COUNT) };
static TOOL_CALLS_COUNT_0_3: Shape =
    Shape { null: true, doc: CALLS_STATED, ..Shape::number(COUNT).captured(capture::TOOL_CALLS_COUNT) };

static EVALUATION_0_2: Shape = Shape {
    doc: "How the answer was judged.",
    ..Shape::object(Object::new(
        &[
            Field::required("score", &SCORE_OR_BOOLEAN),
            Field::required("is_correct", &IS_CORRECT),
            Field::optional("num_turns", &NUM_TURNS_0_2),
            Field::optional("tool_calls_count", &TOOL_CALLS_COUNT_0_2),
        ],
        Others::Accepted,
    ))
};

static EVALUATION_0_3: Shape = Shape {
    doc: "How the answer was judged.",
    ..Shape::object(Object::new(
        &[
            Field::required("score", &SCORE),
            Field::required("is_correct", &IS_CORRECT),
            Field::optional("num_turns", &NUM_TURNS_0_3),
            Field::optional("tool_calls_count", &TOOL_CALLS_COUNT_0_3),
        ],
        Others::Accepted,
    ))
};

static TOKEN_USAGE: Shape = Shape {
    null: true,
    doc: "Tokens that the answer took.",
    ..Shape::object(Object::new(
        &[
            Field::required("input_tokens", &INPUT_TOKENS),
            Field::required("output_tokens", &OUTPUT_TOKENS),
            Field::required("total_tokens", &TOTAL_TOKENS),
            Field::optional("input_tokens_cache_write", &COUNT_OR_NULL),
            Field::optional("input_tokens_cache_read", &COUNT_OR_NULL),
            Field::optional("reasoning_tokens", &COUNT_OR_NULL),
        ],
        Others::Accepted,
    ))
};
static INPUT_TOKENS: Shape = Shape::number(COUNT).captured(capture::INPUT_TOKENS);
static OUTPUT_TOKENS: Shape = Shape::number(COUNT).captured(capture::OUTPUT_TOKENS);
static TOTAL_TOKENS: Shape = Shape::number(COUNT).captured(capture::TOTAL_TOKENS);

const MILLISECONDS: Shape =
    Shape { null: true, ..Shape::number(Number { integer: false, minimum: Some(0) }) };
const PERFORMANCE: &str = "How long it took.";

static PERFORMANCE_0_2: Shape = Shape {
    null: true,
    doc: PERFORMANCE,
    ..Shape::object(Object::new(
        &[
            Field::optional("latency_ms", &MILLISECONDS),
            Field::optional("time_to_first_token_ms", &MILLISECONDS),
            Field::optional("generation_time_ms", &MILLISECONDS),
        ],
        Others::Accepted,
    ))
};

static PERFORMANCE_0_3: Shape = Shape {
    null: true,
    doc: PERFORMANCE,
    ..Shape::object(Object::new(
        &[
            Field::optional("latency_ms", &MILLISECONDS),
            Field::optional("time_to_first_token_ms", &MILLISECONDS),
            Field::optional("generation_time_ms", &MILLISECONDS),
            Field::optional("additional_details", &STRINGS_OR_NULL),
        ],
        Others::Accepted,
    ))
};

static ERROR: Shape = Shape { doc: "What went wrong, a timeout say.", ..TEXT_OR_NULL };
static METADATA_0_2: Shape = Shape { doc: "Whatever else is known of the sample.", ..Shape::ANY_OBJECT };
static METADATA_0_3: Shape = Shape { doc: "Whatever else is known of the sample.", ..STRINGS_OR_NULL };

static METRICS: Shape = Shape {
    doc: "Only a condition of the schema speaks of it: with several turns it holds num_turns.",
    ..Shape::any()
};
