//! The schemas of records: conversations for supervised and reinforcement fine-tuning, preferences, and the old prompts with completions.

use evalcheck_json::schema::{
    Array, Empty, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

use crate::chat::schemas::{
    ANSWER_PART, CALL_ID, CALLED, EARLIER_AUDIO, FUNCTION, FUNCTION_CALL, FUNCTION_TYPE, IMAGE_URL, NAME,
    PARALLEL_TOOL_CALLS, PART_TYPE, PLAIN_PART, REFUSAL, TEXT_PART, TOOL_CALL_ID, fields,
};

/// A record of any kind.
pub(super) static RECORD: Schema = Schema::object(Object::keyed(&kinds(PREFERENCE)));

/// The same for Azure, where an output may be several messages, of the assistant and of tools.
pub(super) static RECORD_FOR_AZURE: Schema = Schema::object(Object::keyed(&kinds(PREFERENCE_FOR_AZURE)));

/// The kinds of records, each by a key that it has.
const fn kinds(preference: &'static [Property]) -> [(&'static str, Properties); 3] {
    [
        ("messages", Properties::new(CONVERSATION, UnknownKeys::Allow).keys_captured(captures::USER_KEY)),
        ("input", fields(preference)),
        ("prompt", fields(COMPLETION)),
    ]
}

/// A conversation for supervised or reinforcement fine-tuning. For reinforcement it may have further keys, which the grader reads.
const CONVERSATION: &[Property] = &[
    Property::required("messages", &CONVERSATION_MESSAGES),
    Property::optional("tools", &TOOLS),
    Property::optional("parallel_tool_calls", &PARALLEL_TOOL_CALLS),
    Property::optional("functions", &FUNCTIONS),
];

/// Direct preference optimization.
const PREFERENCE: &[Property] = &preference(&PREFERRED, &NON_PREFERRED);

const PREFERENCE_FOR_AZURE: &[Property] = &preference(&PREFERRED_FOR_AZURE, &NON_PREFERRED_FOR_AZURE);

const fn preference(preferred: &'static Schema, other: &'static Schema) -> [Property; 3] {
    [
        Property::required("input", &INPUT),
        Property::required("preferred_output", preferred).formerly("preferred_completion"),
        Property::required("non_preferred_output", other).formerly("non_preferred_completion"),
    ]
}

/// The format of the completions API.
const COMPLETION: &[Property] =
    &[Property::required("prompt", &PROMPT), Property::required("completion", &Schema::STRING)];

static PROMPT: Schema = Schema {
    doc: "The prompt of the old completions format, which only babbage-002 and davinci-002 take.",
    ..Schema::text(StringSchema::ANY.captured_raw(captures::PROMPT))
};

static INPUT: Schema = Schema {
    doc: "What the model is asked.",
    example: Some(r#"{"messages": [{"role": "user", "content": "..."}]}"#),
    ..Schema::object(Object::new(
        &[
            Property::required("messages", &INPUT_MESSAGES),
            Property::optional("tools", &TOOLS),
            Property::optional("parallel_tool_calls", &PARALLEL_TOOL_CALLS),
        ],
        UnknownKeys::Ignore,
    ))
};

static PREFERRED: Schema = Schema {
    doc: "The better answer: one message of the assistant; for Azure (the option azure) several, of tools too.",
    ..preferred(ANSWER)
};

static NON_PREFERRED: Schema = Schema {
    doc: "The worse answer: one message of the assistant; for Azure (the option azure) several, of tools too.",
    ..non_preferred(ANSWER)
};

static PREFERRED_FOR_AZURE: Schema =
    Schema { doc: "The better answer: messages of the assistant and of tools.", ..preferred(ANSWERS) };

static NON_PREFERRED_FOR_AZURE: Schema =
    Schema { doc: "The worse answer: messages of the assistant and of tools.", ..non_preferred(ANSWERS) };

const fn preferred(answer: Array) -> Schema {
    Schema { example: Some(ANSWER_EXAMPLE), ..Schema::array(answer).captured(captures::PREFERRED) }
}

const fn non_preferred(answer: Array) -> Schema {
    Schema { example: Some(ANSWER_EXAMPLE), ..Schema::array(answer).captured(captures::NON_PREFERRED) }
}

const ANSWER_EXAMPLE: &str = r#"[{"role": "assistant", "content": "..."}]"#;

/// An output of one message.
const ANSWER: Array = outputs(&OUTPUT).at_most(1);

/// An output of several messages.
const ANSWERS: Array = outputs(&OUTPUT_FOR_AZURE);

const fn outputs(message: &'static Schema) -> Array {
    Array::of(message).empty(Empty::Deny).elements_captured(captures::OUTPUT)
}

static OUTPUT: Schema =
    Schema::object(Object::Tagged { key: "role", variants: &[("assistant", fields(ANSWERING))] });

static OUTPUT_FOR_AZURE: Schema = Schema::object(Object::Tagged {
    key: "role",
    variants: &[("assistant", fields(ANSWERING)), ("tool", fields(TOOL))],
});

static CONVERSATION_MESSAGES: Schema = Schema {
    doc: "The conversation: for supervised fine-tuning it ends with the assistant, for reinforcement fine-tuning with the user.",
    example: Some(r#"[{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}]"#),
    ..Schema::array(ALL_MESSAGES)
};

static INPUT_MESSAGES: Schema = Schema {
    doc: "The conversation up to the message that the outputs answer.",
    example: Some(r#"[{"role": "user", "content": "..."}]"#),
    ..Schema::array(ALL_MESSAGES)
};

const ALL_MESSAGES: Array = Array::of(&MESSAGE).empty(Empty::Deny).elements_captured(captures::MESSAGE);

static MESSAGE: Schema = Schema::object(Object::Tagged {
    key: "role",
    variants: &[
        ("system", fields(INSTRUCTION)),
        ("user", fields(USER)),
        ("assistant", fields(ASSISTANT)),
        ("tool", fields(TOOL)),
        ("function", fields(FUNCTION_RESULT).unlisted()),
        ("developer", fields(INSTRUCTION).unlisted()),
    ],
});

const INSTRUCTION: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("content", &TEXTS),
    Property::optional("name", &NAME),
    Property::optional("weight", &NO_WEIGHT),
];

const USER: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("content", &CONTENT),
    Property::optional("name", &NAME),
    Property::optional("weight", &NO_WEIGHT),
];

const ASSISTANT: &[Property] = &assistant(&WEIGHT);

/// A message of an output.
const ANSWERING: &[Property] = &assistant(&IGNORED_WEIGHT);

const fn assistant(weight: &'static Schema) -> [Property; 8] {
    [
        Property::required("role", &ROLE),
        Property::optional("content", &ANSWER_CONTENT),
        Property::optional("refusal", &REFUSAL),
        Property::optional("name", &NAME),
        Property::optional("audio", &EARLIER_AUDIO),
        Property::optional("weight", weight),
        Property::optional("tool_calls", &TOOL_CALLS),
        Property::optional("function_call", &FUNCTION_CALL),
    ]
}

const TOOL: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("content", &TEXTS),
    Property::required("tool_call_id", &TOOL_CALL_ID),
    Property::optional("weight", &NO_WEIGHT),
];

const FUNCTION_RESULT: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("name", &NAME),
    Property::required("content", &FUNCTION_CONTENT),
    Property::optional("weight", &NO_WEIGHT),
];

static ROLE: Schema = Schema {
    doc: "The role of the speaker; developer only for reinforcement fine-tuning.",
    ..Schema::text(StringSchema::NAME.captured(captures::ROLE))
};

/// A text of a message.
const TEXT: StringSchema = StringSchema::ANY.captured_raw(captures::CONTENT);

static TEXTS: Schema = Schema {
    doc: "A text, or a list of parts.",
    array: Some(Array::of(&TEXT_PART).empty(Empty::Deny)),
    capture: Some(captures::PARTS),
    ..Schema::text(TEXT)
};

static CONTENT: Schema = Schema {
    doc: "A text, or a list of texts and images.",
    array: Some(Array::of(&USER_PART).empty(Empty::Deny)),
    capture: Some(captures::PARTS),
    ..Schema::text(TEXT)
};

static ANSWER_CONTENT: Schema = Schema {
    doc: "The answer; required without tool_calls.",
    null: true,
    array: Some(Array::of(&ANSWER_PART).empty(Empty::Deny)),
    capture: Some(captures::PARTS),
    ..Schema::text(TEXT)
};

static FUNCTION_CONTENT: Schema = Schema { null: true, ..Schema::text(TEXT) };

static USER_PART: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[
        ("text", fields(PLAIN_PART)),
        ("image_url", fields(IMAGE_PART)),
        ("input_audio", fields(INPUT_AUDIO_PART)),
        ("file", fields(FILE_PART)),
    ],
});

const IMAGE_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("image_url", &IMAGE)];

const INPUT_AUDIO_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("input_audio", &UNTRAINED)];

const FILE_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("file", &UNTRAINED)];

static IMAGE: Schema = Schema::object(Object::new(
    &[Property::required("url", &IMAGE_URL), Property::optional("detail", &DETAIL)],
    UnknownKeys::Ignore,
));

static DETAIL: Schema = Schema::text(StringSchema::one_of(&["auto", "low", "high"]));

static UNTRAINED: Schema = Schema::ANY_OBJECT.captured(captures::UNUSUAL);

static WEIGHT: Schema = Schema {
    doc: "1 if the message is trained, which is the default, 0 if not.",
    ..Schema::number(Number::INTEGER.at_least(0).at_most(1)).captured(captures::WEIGHT)
};

static IGNORED_WEIGHT: Schema = Schema { doc: "Of no use: an output is always trained.", ..Schema::any() };

static NO_WEIGHT: Schema = Schema {
    doc: "Only messages of the assistant have a weight.",
    null: true,
    string: Some(StringSchema::ANY.captured_raw(captures::UNUSUAL)),
    ..Schema::any().captured(captures::UNUSUAL)
};

static TOOL_CALLS: Schema = Schema::array(Array::of(&TOOL_CALL).empty(Empty::Deny));

static TOOL_CALL: Schema = Schema::object(Object::new(
    &[
        Property::required("id", &CALL_ID),
        Property::required("type", &FUNCTION_TYPE),
        Property::required("function", &CALLED),
    ],
    UnknownKeys::Ignore,
));

static TOOLS: Schema = Schema {
    doc: "The tools that the model may call.",
    ..Schema::array(Array::of(&TOOL_OF_LIST).elements_captured(captures::TOOL))
};

static TOOL_OF_LIST: Schema = Schema::object(Object::new(
    &[Property::required("type", &FUNCTION_TYPE), Property::required("function", &FUNCTION)],
    UnknownKeys::Ignore,
));

static FUNCTIONS: Schema = Schema {
    doc: "Deprecated: use tools.",
    ..Schema::array(Array::of(&FUNCTION).empty(Empty::Deny).at_most(128).elements_captured(captures::TOOL))
};

/// The numbers of the captures.
pub(super) mod captures {
    pub(in super::super) use crate::chat::schemas::captures::*;

    /// The role of a message.
    pub(in super::super) const ROLE: u8 = 1;
    /// The text of a message that has no parts.
    pub(in super::super) const CONTENT: u8 = 2;
    /// The parts of a message, after their texts.
    pub(in super::super) const PARTS: u8 = 3;
    pub(in super::super) const WEIGHT: u8 = 5;
    /// A message, after its captures.
    pub(in super::super) const MESSAGE: u8 = 11;
    /// A message of an output, after its captures.
    pub(in super::super) const OUTPUT: u8 = 12;
    pub(in super::super) const PREFERRED: u8 = 13;
    pub(in super::super) const NON_PREFERRED: u8 = 14;
    pub(in super::super) const PROMPT: u8 = 15;
    /// A key of a conversation that is not declared.
    pub(in super::super) const USER_KEY: u8 = 16;
    /// A function that the model may call, as JSON.
    pub(in super::super) const TOOL: u8 = 18;
}
