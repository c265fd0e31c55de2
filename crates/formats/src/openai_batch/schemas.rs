//! The schemas of lines: the envelope, and the body of each endpoint.

mod others;

use evalcheck_json::schema::{
    Array, Empty, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

use crate::chat::schemas::{
    ANSWER_PART, CALL_ID, CALLED, EARLIER_AUDIO, FUNCTION, FUNCTION_CALL, FUNCTION_TYPE, IMAGE_URL, NAME,
    PARALLEL_TOOL_CALLS, PART_TYPE, PLAIN_PART, REFUSAL, TEXT_PART, TOOL_CALL_ID, fields,
};

use others::{COMPLETIONS_BODY, EMBEDDINGS_BODY, EMBEDDINGS_BODY_OF_VLLM, MODERATIONS_BODY, RESPONSES_BODY};

/// A line for `OpenAI`.
pub(super) static RECORD: Schema = Schema::object(Object::Tagged { key: "url", variants: OPENAI });

/// A line for Azure, whose samples leave out the version of the API.
pub(super) static RECORD_FOR_AZURE: Schema = Schema::object(Object::Tagged { key: "url", variants: AZURE });

/// A line for vLLM.
pub(super) static RECORD_FOR_VLLM: Schema = Schema::object(Object::Tagged { key: "url", variants: VLLM });

/// The endpoints of Azure: one of its own, then those of `OpenAI`.
const AZURE: &[(&str, Properties); 9] = &[
    ("/chat/completions", fields(CHAT)),
    ("/v1/chat/completions", fields(CHAT)),
    ("/v1/responses", fields(RESPONSES)),
    ("/v1/embeddings", fields(EMBEDDINGS)),
    ("/v1/completions", fields(COMPLETIONS)),
    ("/v1/moderations", fields(MODERATIONS)),
    ("/v1/images/generations", fields(OTHER)),
    ("/v1/images/edits", fields(OTHER)),
    ("/v1/videos", fields(OTHER)),
];

const OPENAI: &[(&str, Properties)] = {
    let [_, endpoints @ ..] = AZURE;
    endpoints
};

const VLLM: &[(&str, Properties)] = &[
    ("/v1/chat/completions", fields(CHAT_OF_VLLM)),
    ("/v1/embeddings", fields(EMBEDDINGS_OF_VLLM)),
    ("/score", fields(OTHER)),
    ("/rerank", fields(OTHER)),
    ("/v1/score", fields(OTHER)),
    ("/v1/rerank", fields(OTHER)),
    ("/v2/rerank", fields(OTHER)),
    ("/v1/audio/transcriptions", fields(OTHER)),
    ("/v1/audio/translations", fields(OTHER)),
];

const CHAT: &[Property] = &line(&CHAT_BODY);
const CHAT_OF_VLLM: &[Property] = &line(&CHAT_BODY_OF_VLLM);
const RESPONSES: &[Property] = &line(&RESPONSES_BODY);
const EMBEDDINGS: &[Property] = &line(&EMBEDDINGS_BODY);
const EMBEDDINGS_OF_VLLM: &[Property] = &line(&EMBEDDINGS_BODY_OF_VLLM);
const COMPLETIONS: &[Property] = &line(&COMPLETIONS_BODY);
const MODERATIONS: &[Property] = &line(&MODERATIONS_BODY);
const OTHER: &[Property] = &line(&OTHER_BODY);

const fn line(body: &'static Schema) -> [Property; 4] {
    [
        Property::required("custom_id", &CUSTOM_ID),
        Property::required("method", &METHOD),
        Property::required("url", &URL),
        Property::required("body", body),
    ]
}

static CUSTOM_ID: Schema = Schema {
    doc: "The id by which results are matched with requests; no two lines have the same.",
    ..Schema::text(StringSchema::NAME.captured(captures::ID))
};

static METHOD: Schema = Schema::text(StringSchema::one_of(&["POST"]));

static URL: Schema = Schema {
    doc: "The endpoint; the same in every line, except for vLLM.",
    ..Schema::text(StringSchema::NAME.captured(captures::URL))
};

static MODEL: Schema = Schema {
    doc: "The model, for Azure its deployment; the same in every line.",
    ..Schema::text(StringSchema::NAME.captured(captures::MODEL))
};

/// A body beside whose keys any others are taken: the API has new ones often.
const fn body(fields: &'static [Property]) -> Schema {
    Schema::object(Object::Properties(any(fields)))
}

/// A set of fields, beside which any keys are taken.
const fn any(fields: &'static [Property]) -> Properties {
    Properties::new(fields, UnknownKeys::Allow)
}

static OTHER_BODY: Schema =
    Schema { doc: "The request. Only its model is checked.", ..body(&[Property::optional("model", &MODEL)]) };

// Chat completions

static CHAT_BODY: Schema = Schema { doc: "The request for a chat completion.", ..body(CHAT_FIELDS) };

static CHAT_BODY_OF_VLLM: Schema =
    Schema { doc: "The request for a chat completion.", ..body(CHAT_FIELDS_OF_VLLM) };

const CHAT_FIELDS: &[Property] = &chat(&MESSAGES, &TOOLS, &TOOL_CHOICE, &RESPONSE_FORMAT);

const CHAT_FIELDS_OF_VLLM: &[Property] =
    &chat(&MESSAGES_OF_VLLM, &TOOLS_OF_VLLM, &TOOL_CHOICE_OF_VLLM, &RESPONSE_FORMAT_OF_VLLM);

const fn chat(
    messages: &'static Schema,
    tools: &'static Schema,
    tool_choice: &'static Schema,
    response_format: &'static Schema,
) -> [Property; 22] {
    [
        Property::required("messages", messages),
        Property::required("model", &MODEL),
        Property::optional("tools", tools),
        Property::optional("tool_choice", tool_choice),
        Property::optional("parallel_tool_calls", &PARALLEL_TOOL_CALLS),
        Property::optional("response_format", response_format),
        Property::optional("max_completion_tokens", &INTEGER),
        Property::optional("max_tokens", &INTEGER),
        Property::optional("temperature", &NUMBER),
        Property::optional("top_p", &NUMBER),
        Property::optional("frequency_penalty", &NUMBER),
        Property::optional("presence_penalty", &NUMBER),
        Property::optional("n", &INTEGER),
        Property::optional("seed", &INTEGER),
        Property::optional("stop", &STOP),
        Property::optional("logit_bias", &LOGIT_BIAS),
        Property::optional("logprobs", &LOGPROBS),
        Property::optional("top_logprobs", &TOP_LOGPROBS),
        Property::optional("stream", &STREAM),
        Property::optional("stream_options", &STREAM_OPTIONS),
        Property::optional("user", &Schema::STRING),
        Property::optional("metadata", &METADATA),
    ]
}

static NUMBER: Schema = Schema { null: true, ..Schema::number(Number::ANY) };

static INTEGER: Schema = Schema { null: true, ..Schema::number(Number::INTEGER) };

static BOOLEAN: Schema = Schema { null: true, ..Schema::BOOLEAN };

static TEXT: Schema = Schema { null: true, ..Schema::STRING };

static STOP: Schema = Schema {
    doc: "A text at which the answer ends, or several.",
    null: true,
    array: Some(Array::of(&Schema::STRING)),
    ..Schema::STRING
};

static LOGIT_BIAS: Schema = each(&WHOLE);

static WHOLE: Schema = Schema::number(Number::INTEGER);

static METADATA: Schema = each(&Schema::STRING);

/// An object with any keys, or `null`.
const fn each(value: &'static Schema) -> Schema {
    Schema { null: true, ..Schema::object(Object::new(&[], UnknownKeys::Each(value))) }
}

static LOGPROBS: Schema = Schema { null: true, ..Schema::BOOLEAN.captured(captures::LOGPROBS) };

static TOP_LOGPROBS: Schema = Schema {
    doc: "Only with logprobs.",
    null: true,
    ..Schema::number(Number::INTEGER.at_least(-1)).captured(captures::TOP_LOGPROBS)
};

static STREAM: Schema = Schema {
    doc: "A batch has no streams: false, or absent.",
    null: true,
    ..Schema::BOOLEAN.captured(captures::STREAM)
};

static STREAM_OPTIONS: Schema = Schema {
    doc: "Only for streams, which a batch does not have.",
    null: true,
    ..Schema::ANY_OBJECT.captured(captures::STREAM_OPTIONS)
};

static MESSAGES: Schema = messages(&MESSAGE);

static MESSAGES_OF_VLLM: Schema = messages(&MESSAGE_OF_VLLM);

const fn messages(message: &'static Schema) -> Schema {
    Schema {
        doc: "The conversation.",
        example: Some(r#"[{"role": "user", "content": "..."}]"#),
        ..Schema::array(Array::of(message).empty(Empty::Deny))
    }
}

static MESSAGE: Schema = Schema::object(Object::Tagged { key: "role", variants: ROLES });

static MESSAGE_OF_VLLM: Schema = Schema::object(Object::Tagged { key: "role", variants: ROLES_OF_VLLM });

const ROLES: &[(&str, Properties)] = &roles(USER, ASSISTANT);

const ROLES_OF_VLLM: &[(&str, Properties)] = &roles(USER_OF_VLLM, ASSISTANT_OF_VLLM);

const fn roles(user: &'static [Property], assistant: &'static [Property]) -> [(&'static str, Properties); 6] {
    [
        ("system", any(INSTRUCTION)),
        ("developer", any(INSTRUCTION)),
        ("user", any(user)),
        ("assistant", any(assistant)),
        ("tool", any(TOOL_RESULT)),
        ("function", any(FUNCTION_RESULT).unlisted()),
    ]
}

const INSTRUCTION: &[Property] = &said(&TEXTS);

const USER: &[Property] = &said(&CONTENT);

const USER_OF_VLLM: &[Property] = &said(&CONTENT_OF_VLLM);

const fn said(content: &'static Schema) -> [Property; 3] {
    [
        Property::required("role", &ROLE),
        Property::required("content", content),
        Property::optional("name", &NAME),
    ]
}

const ASSISTANT: &[Property] = &assistant(&TOOL_CALL_LIST);

const ASSISTANT_OF_VLLM: &[Property] = &assistant(&TOOL_CALL_LIST_OF_VLLM);

const fn assistant(tool_calls: &'static Schema) -> [Property; 7] {
    [
        Property::required("role", &ROLE),
        Property::optional("content", &ANSWER),
        Property::optional("refusal", &REFUSAL),
        Property::optional("name", &NAME),
        Property::optional("audio", &EARLIER_AUDIO),
        Property::optional("tool_calls", tool_calls),
        Property::optional("function_call", &FUNCTION_CALL),
    ]
}

const TOOL_RESULT: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("content", &TEXTS),
    Property::required("tool_call_id", &TOOL_CALL_ID),
];

const FUNCTION_RESULT: &[Property] = &[
    Property::required("role", &ROLE),
    Property::required("name", &NAME),
    Property::required("content", &TEXT),
];

static ROLE: Schema = Schema { doc: "The role of the speaker.", ..Schema::text(StringSchema::NAME) };

static TEXTS: Schema =
    Schema { doc: "A text, or a list of parts.", array: Some(Array::of(&TEXT_PART)), ..Schema::STRING };

static CONTENT: Schema = Schema {
    doc: "A text, or a list of texts, images, audio and files.",
    array: Some(Array::of(&USER_PART)),
    ..Schema::STRING
};

static CONTENT_OF_VLLM: Schema = Schema {
    doc: "A text, or a list of texts, images, audio and videos.",
    array: Some(Array::of(&USER_PART_OF_VLLM)),
    ..Schema::STRING
};

static ANSWER: Schema = Schema {
    doc: "The answer; null or absent beside tool_calls.",
    null: true,
    array: Some(Array::of(&ANSWER_PART)),
    ..Schema::STRING
};

static USER_PART: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[
        ("text", fields(PLAIN_PART)),
        ("image_url", any(IMAGE_PART)),
        ("input_audio", any(AUDIO_PART)),
        ("file", any(FILE_PART)),
    ],
});

static USER_PART_OF_VLLM: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[
        ("text", fields(PLAIN_PART)),
        ("image_url", any(IMAGE_PART)),
        ("input_audio", any(AUDIO_PART)),
        ("file", any(FILE_PART).unlisted()),
        ("audio_url", any(OWN_PART)),
        ("video_url", any(OWN_PART)),
        ("image_embeds", any(OWN_PART).unlisted()),
        ("audio_embeds", any(OWN_PART).unlisted()),
        ("video_embeds", any(OWN_PART).unlisted()),
        ("prompt_embeds", any(OWN_PART).unlisted()),
        ("thinking", any(OWN_PART).unlisted()),
        ("tool_reference", any(OWN_PART).unlisted()),
    ],
});

const OWN_PART: &[Property] = &[Property::required("type", &PART_TYPE)];

const IMAGE_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("image_url", &IMAGE)];

const AUDIO_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("input_audio", &AUDIO)];

const FILE_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("file", &Schema::ANY_OBJECT)];

static IMAGE: Schema = Schema::object(Object::Properties(any(&[
    Property::required("url", &IMAGE_URL),
    Property::optional("detail", &DETAIL),
])));

static DETAIL: Schema = Schema::text(StringSchema::one_of(&["auto", "low", "high", "original"]));

static AUDIO: Schema = Schema::object(Object::Properties(any(&[
    Property::required("data", &Schema::STRING),
    Property::required("format", &AUDIO_FORMAT),
])));

static AUDIO_FORMAT: Schema = Schema::text(StringSchema::one_of(&["wav", "mp3"]));

static TOOL_CALL_LIST: Schema = Schema::array(Array::of(&TOOL_CALL));

static TOOL_CALL_LIST_OF_VLLM: Schema = Schema::array(Array::of(&TOOL_CALL_OF_VLLM));

static TOOL_CALL: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[("function", any(FUNCTION_CALLED)), ("custom", any(CUSTOM_CALLED))],
});

static TOOL_CALL_OF_VLLM: Schema =
    Schema::object(Object::Tagged { key: "type", variants: &[("function", any(FUNCTION_CALLED))] });

const FUNCTION_CALLED: &[Property] = &[
    Property::required("id", &CALL_ID),
    Property::required("type", &PART_TYPE),
    Property::required("function", &CALLED),
];

const CUSTOM_CALLED: &[Property] = &[
    Property::required("id", &CALL_ID),
    Property::required("type", &PART_TYPE),
    Property::required("custom", &CUSTOM_INPUT),
];

static CUSTOM_INPUT: Schema = Schema::object(Object::Properties(any(&[
    Property::required("name", &Schema::STRING),
    Property::required("input", &Schema::STRING),
])));

static TOOLS: Schema = tools(&TOOL);

static TOOLS_OF_VLLM: Schema = tools(&TOOL_OF_VLLM);

const fn tools(tool: &'static Schema) -> Schema {
    Schema {
        doc: "The tools that the model may call.",
        ..Schema::array(Array::of(tool).empty(Empty::Deny)).captured(captures::TOOLS)
    }
}

static TOOL: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[("function", any(FUNCTION_TOOL)), ("custom", any(CUSTOM_TOOL))],
});

static TOOL_OF_VLLM: Schema =
    Schema::object(Object::Tagged { key: "type", variants: &[("function", any(FUNCTION_TOOL))] });

const FUNCTION_TOOL: &[Property] =
    &[Property::required("type", &FUNCTION_TYPE), Property::required("function", &FUNCTION)];

const CUSTOM_TOOL: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("custom", &NAMED)];

static NAMED: Schema =
    Schema::object(Object::Properties(any(&[Property::required("name", &Schema::STRING)])));

static TOOL_CHOICE: Schema = Schema {
    doc: "Only with tools.",
    object: Some(Object::Tagged {
        key: "type",
        variants: &[
            ("function", any(CHOSEN_FUNCTION)),
            ("custom", any(CUSTOM_TOOL)),
            ("allowed_tools", any(ALLOWED)),
        ],
    }),
    capture: Some(captures::TOOL_CHOICE),
    ..Schema::text(CHOICES)
};

static TOOL_CHOICE_OF_VLLM: Schema = Schema {
    doc: "Only with tools.",
    object: Some(Object::Tagged { key: "type", variants: &[("function", any(CHOSEN_FUNCTION))] }),
    capture: Some(captures::TOOL_CHOICE),
    ..Schema::text(CHOICES)
};

const CHOICES: StringSchema =
    StringSchema::one_of(&["none", "auto", "required"]).captured(captures::TOOL_CHOICE);

const CHOSEN_FUNCTION: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("function", &CHOSEN)];

static CHOSEN: Schema = Schema::object(Object::Properties(any(&[Property::required("name", &CHOSEN_NAME)])));

static CHOSEN_NAME: Schema = Schema::text(StringSchema::NAME.captured(captures::CHOSEN));

const ALLOWED: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("allowed_tools", &Schema::ANY_OBJECT)];

static RESPONSE_FORMAT: Schema =
    Schema::object(Object::Tagged { key: "type", variants: &response_formats::<3>() });

static RESPONSE_FORMAT_OF_VLLM: Schema = Schema {
    null: true,
    ..Schema::object(Object::Tagged { key: "type", variants: &response_formats::<4>() })
};

/// The first of these are those of the API, the last is vLLM's.
const fn response_formats<const N: usize>() -> [(&'static str, Properties); N] {
    let mut formats = [const { ("structural_tag", any(OWN_PART).unlisted()) }; N];
    formats[0] = ("text", any(OWN_PART));
    formats[1] = ("json_object", any(OWN_PART));
    formats[2] = ("json_schema", any(OF_SCHEMA));
    formats
}

const OF_SCHEMA: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("json_schema", &JSON_SCHEMA)];

static JSON_SCHEMA: Schema = Schema::object(Object::Properties(any(&[
    Property::required("name", &Schema::STRING),
    Property::optional("schema", &Schema::ANY_OBJECT),
    Property::optional("description", &Schema::STRING),
    Property::optional("strict", &BOOLEAN),
])));

/// The numbers of the captures.
pub(super) mod captures {
    pub(in crate::openai_batch) use crate::chat::schemas::captures::FUNCTION;
    use crate::chat::schemas::captures::NEXT;

    pub(in crate::openai_batch) const ID: u8 = NEXT;
    pub(in crate::openai_batch) const URL: u8 = NEXT + 1;
    pub(in crate::openai_batch) const MODEL: u8 = NEXT + 2;
    /// A text to embed.
    pub(in crate::openai_batch) const INPUT_TEXT: u8 = NEXT + 3;
    /// An element of a list to embed, as JSON.
    pub(in crate::openai_batch) const INPUT: u8 = NEXT + 4;
    pub(in crate::openai_batch) const EMBEDDED_MESSAGES: u8 = NEXT + 5;
    pub(in crate::openai_batch) const TOOLS: u8 = NEXT + 6;
    /// A value of `tool_choice`, after the name in it.
    pub(in crate::openai_batch) const TOOL_CHOICE: u8 = NEXT + 7;
    /// The name of the function that `tool_choice` names.
    pub(in crate::openai_batch) const CHOSEN: u8 = NEXT + 8;
    pub(in crate::openai_batch) const LOGPROBS: u8 = NEXT + 9;
    pub(in crate::openai_batch) const TOP_LOGPROBS: u8 = NEXT + 10;
    pub(in crate::openai_batch) const STREAM: u8 = NEXT + 11;
    pub(in crate::openai_batch) const STREAM_OPTIONS: u8 = NEXT + 12;
    /// An element of a list to complete, as JSON.
    pub(in crate::openai_batch) const PROMPT: u8 = NEXT + 13;
    /// The function of a tool in a request for a response.
    pub(in crate::openai_batch) const NESTED: u8 = NEXT + 14;
}
