//! The records of both versions, according to their JSON Schemas.
//!
//! 0.3.0 renamed `interactions` to `messages`, made lists of `input.reference` and `output.raw`, allows `null` where a key was only
//! optional, and refuses unknown keys at the top. In both, users may add keys inside.

mod transcript;

use evalcheck_json::schema::{
    Array, Condition, Lenience, Number, Object, Properties, Property, Schema, StringSchema, Then, Types,
    UnknownKeys,
};

use transcript::{INTERACTIONS, MESSAGES};

/// The numbers of the captures.
pub(super) mod capture {
    pub(in super::super) const SCHEMA_VERSION: u8 = 1;
    pub(in super::super) const EVALUATION_ID: u8 = 2;
    pub(in super::super) const MODEL_ID: u8 = 3;
    pub(in super::super) const EVALUATION_NAME: u8 = 4;
    pub(in super::super) const RESULT_ID: u8 = 5;
    pub(in super::super) const SAMPLE_ID: u8 = 6;
    pub(in super::super) const INTERACTION_TYPE: u8 = 7;
    /// `turn_idx` of a turn of the transcript: one for each.
    pub(in super::super) const TURN: u8 = 8;
    /// The id of a tool call: one for each.
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
    /// The id of a sample, if it is a number.
    pub(in super::super) const SAMPLE_NUMBER: u8 = 19;
}

/// A record of 0.2.0.
pub(super) static RECORD_0_2: Schema =
    Schema::object(Object::Properties(Properties::new(FIELDS_0_2, UnknownKeys::Allow).when(&CONDITIONS_0_2)));

/// A record of 0.3.0.
pub(super) static RECORD_0_3: Schema =
    Schema::object(Object::Properties(Properties::new(FIELDS_0_3, UnknownKeys::Deny).when(&CONDITIONS_0_3)))
        .lenient(CONVERTED);

const FIELDS_0_2: &[Property] = &[
    Property::required("schema_version", &SCHEMA_VERSION),
    Property::required("evaluation_id", &EVALUATION_ID),
    Property::required("model_id", &MODEL_ID),
    Property::required("evaluation_name", &EVALUATION_NAME),
    Property::required("sample_id", &SAMPLE_ID_0_2),
    Property::optional("sample_hash", &SAMPLE_HASH_0_2),
    Property::required("interaction_type", &INTERACTION_TYPE),
    Property::required("input", &INPUT_0_2),
    Property::optional("output", &OUTPUT_0_2),
    Property::optional("interactions", &INTERACTIONS),
    Property::required("answer_attribution", &ANSWER_ATTRIBUTION),
    Property::required("evaluation", &EVALUATION_0_2),
    Property::optional("token_usage", &TOKEN_USAGE),
    Property::optional("performance", &PERFORMANCE_0_2),
    Property::optional("error", &ERROR),
    Property::optional("metadata", &METADATA_0_2),
    Property::optional("metrics", &METRICS),
];

const FIELDS_0_3: &[Property] = &[
    Property::required("schema_version", &SCHEMA_VERSION),
    Property::required("evaluation_id", &EVALUATION_ID),
    Property::required("model_id", &MODEL_ID),
    Property::required("evaluation_name", &EVALUATION_NAME),
    Property::optional("evaluation_result_id", &RESULT_ID),
    Property::required("sample_id", &SAMPLE_ID_0_3),
    Property::optional("sample_hash", &SAMPLE_HASH_0_3),
    Property::required("interaction_type", &INTERACTION_TYPE),
    Property::required("input", &INPUT_0_3),
    Property::optional("output", &OUTPUT_0_3),
    Property::optional("messages", &MESSAGES),
    Property::required("answer_attribution", &ANSWER_ATTRIBUTION),
    Property::required("evaluation", &EVALUATION_0_3),
    Property::optional("token_usage", &TOKEN_USAGE),
    Property::optional("performance", &PERFORMANCE_0_3),
    Property::optional("error", &ERROR),
    Property::optional("metadata", &METADATA_0_3),
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

// The condition of the schema on `metrics` is implied: 0.3.0 refuses the key.
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

/// A count.
const COUNT: Number = Number::INTEGER.at_least(0);

// The project's validator, made with pydantic, reads records of 0.3.0. It converts numbers and booleans, and takes values of any
// type in metadata and arguments.
const CONVERTED: Lenience = Lenience::Converted;

const TEXT_OR_NULL: Schema = Schema { null: true, ..Schema::STRING };
const COUNTED: Schema = Schema::number(COUNT).lenient(CONVERTED);
const COUNT_OR_NULL: Schema = Schema { null: true, ..COUNTED };

const TEXTS: Array = Array::of(&Schema::STRING);
const STRINGS_OR_NULL: Schema =
    Schema { null: true, ..Schema::object(Object::new(&[], UnknownKeys::Each(&STRING_OF_VALIDATOR))) };
static STRING_OF_VALIDATOR: Schema = Schema::STRING.lenient(Lenience::Any);

static SCHEMA_VERSION: Schema = Schema {
    doc: "Version of the schema that the record follows.",
    ..Schema::text(StringSchema::NAME.captured(capture::SCHEMA_VERSION))
};

static EVALUATION_ID: Schema = Schema {
    doc: "The evaluation that the record belongs to, by the id in its aggregate file.",
    ..Schema::text(StringSchema::NAME.captured(capture::EVALUATION_ID))
};

static MODEL_ID: Schema = Schema {
    doc: "The model, as on Hugging Face.",
    ..Schema::text(StringSchema::NAME.captured(capture::MODEL_ID))
};

static EVALUATION_NAME: Schema = Schema {
    doc: "The name of the evaluation, such as the name of a benchmark.",
    ..Schema::text(StringSchema::NAME.captured(capture::EVALUATION_NAME))
};

static RESULT_ID: Schema = Schema {
    doc: "The one aggregate result that the record counts for.",
    ..Schema::text(StringSchema::NAME.captured(capture::RESULT_ID))
};

static SAMPLE_ID_0_2: Schema = Schema {
    number: Some(Number::INTEGER),
    doc: "The question's id in its dataset.",
    ..Schema::text(StringSchema::NAME.captured(capture::SAMPLE_ID)).captured(capture::SAMPLE_NUMBER)
};

static SAMPLE_ID_0_3: Schema = Schema {
    doc: "The question's id in its dataset.",
    ..Schema::text(StringSchema::NAME.captured(capture::SAMPLE_ID)).captured(capture::SAMPLE_NUMBER)
};

const HASH: &str = "Hash of the input and its reference, to compare models on the same sample.";
static SAMPLE_HASH_0_2: Schema = Schema { doc: HASH, ..Schema::STRING };
static SAMPLE_HASH_0_3: Schema = Schema { doc: HASH, ..TEXT_OR_NULL };

static INTERACTION_TYPE: Schema = Schema {
    doc: "How the model was asked; decides whether the record has an output or a transcript.",
    ..Schema::text(
        StringSchema::one_of(&["single_turn", "multi_turn", "agentic"]).captured(capture::INTERACTION_TYPE),
    )
};

static RAW_INPUT: Schema = Schema { doc: "The input as the evaluation defines it.", ..Schema::STRING };
const FORMATTED: &str = "The input as the model saw it, chat template included.";
const REFERENCE: &str = "What a right answer is compared with.";
const CHOICES: &str = "The choices of a multiple-choice question.";

static INPUT_0_2: Schema = Schema {
    doc: "The question.",
    ..Schema::object(Object::new(
        &[
            Property::required("raw", &RAW_INPUT),
            Property::optional("formatted", &Schema { doc: FORMATTED, ..Schema::STRING }),
            Property::required("reference", &Schema { doc: REFERENCE, ..Schema::STRING }),
            Property::optional("choices", &Schema { array: Some(TEXTS), doc: CHOICES, ..Schema::NONE }),
        ],
        UnknownKeys::Allow,
    ))
};

static INPUT_0_3: Schema = Schema {
    doc: "The question.",
    ..Schema::object(Object::new(
        &[
            Property::required("raw", &RAW_INPUT),
            Property::optional("formatted", &Schema { doc: FORMATTED, ..TEXT_OR_NULL }),
            Property::required("reference", &Schema { array: Some(TEXTS), doc: REFERENCE, ..Schema::NONE }),
            Property::optional(
                "choices",
                &Schema { null: true, array: Some(TEXTS), doc: CHOICES, ..Schema::NONE },
            ),
        ],
        UnknownKeys::Allow,
    ))
};

const RAW_OUTPUT: &str = "The whole answer.";
const TRACE: &str = "What the model wrote while it reasoned.";

static OUTPUT_0_2: Schema = Schema {
    null: true,
    doc: "The answer in a single turn; otherwise null.",
    ..Schema::object(Object::new(
        &[
            Property::required("raw", &Schema { doc: RAW_OUTPUT, ..Schema::STRING }),
            Property::optional("reasoning_trace", &REASONING_TRACE),
        ],
        UnknownKeys::Allow,
    ))
};

static OUTPUT_0_3: Schema = Schema {
    null: true,
    doc: "The answer in a single turn; otherwise null.",
    ..Schema::object(Object::new(
        &[
            Property::required("raw", &Schema { array: Some(TEXTS), doc: RAW_OUTPUT, ..Schema::NONE }),
            Property::optional(
                "reasoning_trace",
                &Schema { null: true, array: Some(TEXTS), doc: TRACE, ..Schema::NONE },
            ),
        ],
        UnknownKeys::Allow,
    ))
};

static REASONING_TRACE: Schema = Schema { doc: TRACE, ..TEXT_OR_NULL };

static ANSWER_ATTRIBUTION: Schema = Schema {
    doc: "How the answer was extracted from the output of the model.",
    ..Schema::array(Array::of(&ATTRIBUTION))
};

static ATTRIBUTION: Schema = Schema::object(Object::new(
    &[
        Property::required(
            "turn_idx",
            &Schema {
                doc: "The turn of the answer; 0 for a single turn.",
                ..COUNTED.captured(capture::ATTRIBUTED_TURN)
            },
        ),
        Property::required(
            "source",
            &Schema { doc: "The value that the answer was extracted from.", ..Schema::STRING },
        ),
        Property::required("extracted_value", &Schema { doc: "The extracted answer.", ..Schema::STRING }),
        Property::required(
            "extraction_method",
            &Schema { doc: "The method of extraction.", ..Schema::STRING },
        ),
        Property::required(
            "is_terminal",
            &Schema {
                doc: "True for the final answer, false for an intermediate step.",
                ..Schema::BOOLEAN.lenient(CONVERTED).captured(capture::IS_TERMINAL)
            },
        ),
    ],
    UnknownKeys::Allow,
));

const NUM_TURNS: Number = Number::INTEGER.at_least(1);
static SCORE: Schema = Schema {
    doc: "The score of this sample.",
    ..Schema::number(Number::ANY).lenient(CONVERTED).captured(capture::SCORE)
};
static SCORE_OR_BOOLEAN: Schema = Schema {
    boolean: true,
    doc: "The score of this sample.",
    ..Schema::number(Number::ANY).captured(capture::SCORE)
};
static IS_CORRECT: Schema =
    Schema { doc: "True when the final answer is correct.", ..Schema::BOOLEAN.lenient(CONVERTED) };

const TURNS_STATED: &str = "Number of turns.";
const CALLS_STATED: &str = "Number of tool calls in all turns.";
static NUM_TURNS_0_2: Schema =
    Schema { doc: TURNS_STATED, ..Schema::number(NUM_TURNS).captured(capture::NUM_TURNS) };
static NUM_TURNS_0_3: Schema = Schema {
    null: true,
    doc: TURNS_STATED,
    ..Schema::number(NUM_TURNS).lenient(CONVERTED).captured(capture::NUM_TURNS)
};
static TOOL_CALLS_COUNT_0_2: Schema =
    Schema { doc: CALLS_STATED, ..COUNTED.captured(capture::TOOL_CALLS_COUNT) };
static TOOL_CALLS_COUNT_0_3: Schema =
    Schema { null: true, doc: CALLS_STATED, ..COUNTED.captured(capture::TOOL_CALLS_COUNT) };

static EVALUATION_0_2: Schema = Schema {
    doc: "How the answer was judged.",
    ..Schema::object(Object::new(
        &[
            Property::required("score", &SCORE_OR_BOOLEAN),
            Property::required("is_correct", &IS_CORRECT),
            Property::optional("num_turns", &NUM_TURNS_0_2),
            Property::optional("tool_calls_count", &TOOL_CALLS_COUNT_0_2),
        ],
        UnknownKeys::Allow,
    ))
};

static EVALUATION_0_3: Schema = Schema {
    doc: "How the answer was judged.",
    ..Schema::object(Object::new(
        &[
            Property::required("score", &SCORE),
            Property::required("is_correct", &IS_CORRECT),
            Property::optional("num_turns", &NUM_TURNS_0_3),
            Property::optional("tool_calls_count", &TOOL_CALLS_COUNT_0_3),
        ],
        UnknownKeys::Allow,
    ))
};

static TOKEN_USAGE: Schema = Schema {
    null: true,
    doc: "Tokens used for the answer.",
    ..Schema::object(Object::new(
        &[
            Property::required("input_tokens", &INPUT_TOKENS),
            Property::required("output_tokens", &OUTPUT_TOKENS),
            Property::required("total_tokens", &TOTAL_TOKENS),
            Property::optional("input_tokens_cache_write", &COUNT_OR_NULL),
            Property::optional("input_tokens_cache_read", &COUNT_OR_NULL),
            Property::optional("reasoning_tokens", &COUNT_OR_NULL),
        ],
        UnknownKeys::Allow,
    ))
};
static INPUT_TOKENS: Schema = COUNTED.captured(capture::INPUT_TOKENS);
static OUTPUT_TOKENS: Schema = COUNTED.captured(capture::OUTPUT_TOKENS);
static TOTAL_TOKENS: Schema = COUNTED.captured(capture::TOTAL_TOKENS);

const MILLISECONDS: Schema =
    Schema { null: true, ..Schema::number(Number::ANY.at_least(0)).lenient(CONVERTED) };
const PERFORMANCE: &str = "How long it took.";

static PERFORMANCE_0_2: Schema = Schema {
    null: true,
    doc: PERFORMANCE,
    ..Schema::object(Object::new(
        &[
            Property::optional("latency_ms", &MILLISECONDS),
            Property::optional("time_to_first_token_ms", &MILLISECONDS),
            Property::optional("generation_time_ms", &MILLISECONDS),
        ],
        UnknownKeys::Allow,
    ))
};

static PERFORMANCE_0_3: Schema = Schema {
    null: true,
    doc: PERFORMANCE,
    ..Schema::object(Object::new(
        &[
            Property::optional("latency_ms", &MILLISECONDS),
            Property::optional("time_to_first_token_ms", &MILLISECONDS),
            Property::optional("generation_time_ms", &MILLISECONDS),
            Property::optional("additional_details", &STRINGS_OR_NULL),
        ],
        UnknownKeys::Allow,
    ))
};

static ERROR: Schema = Schema { doc: "The error, such as a timeout.", ..TEXT_OR_NULL };
static METADATA_0_2: Schema = Schema { doc: "Other data about the sample.", ..Schema::ANY_OBJECT };
static METADATA_0_3: Schema = Schema { doc: "Other data about the sample.", ..STRINGS_OR_NULL };

static METRICS: Schema = Schema {
    doc: "Only used by a condition of the schema: with several turns it contains num_turns.",
    ..Schema::any()
};
