//! The bodies of other endpoints than chat.

use evalcheck_json::schema::{Array, Empty, Number, Object, Property, Schema, StringSchema};

use super::{
    BOOLEAN, IMAGE_PART, INTEGER, LOGIT_BIAS, METADATA, MODEL, NUMBER, OWN_PART, PART_TYPE, STOP, STREAM,
    STREAM_OPTIONS, TEXT, WHOLE, any, body, captures,
};
use crate::chat::schemas::{PLAIN_PART, fields};

pub(super) static RESPONSES_BODY: Schema = Schema {
    doc: "The request for a response.",
    ..body(&[
        Property::required("model", &MODEL),
        Property::optional("input", &RESPONSES_INPUT),
        Property::optional("instructions", &TEXT),
        Property::optional("max_output_tokens", &INTEGER),
        Property::optional("temperature", &NUMBER),
        Property::optional("top_p", &NUMBER),
        Property::optional("tools", &RESPONSES_TOOLS),
        Property::optional("text", &RESPONSES_TEXT),
        Property::optional("reasoning", &OBJECT),
        Property::optional("prompt", &OBJECT),
        Property::optional("top_logprobs", &INTEGER),
        Property::optional("stream", &STREAM),
        Property::optional("user", &Schema::STRING),
        Property::optional("metadata", &METADATA),
    ])
};

static RESPONSES_INPUT: Schema = Schema {
    doc: "A text, or a list of messages and other items.",
    array: Some(Array::of(&RESPONSES_ITEM)),
    ..Schema::STRING
};

/// An item of the input. Messages and additional tools have a role.
static RESPONSES_ITEM: Schema = Schema::object(Object::Properties(any(&[
    Property::optional("role", &RESPONSES_ROLE),
    Property::optional("content", &RESPONSES_CONTENT),
])));

static RESPONSES_ROLE: Schema =
    Schema::text(StringSchema::one_of(&["user", "assistant", "system", "developer"]));

static RESPONSES_CONTENT: Schema =
    Schema { null: true, array: Some(Array::of(&RESPONSES_PART)), ..Schema::STRING };

static RESPONSES_PART: Schema =
    Schema::object(Object::Properties(any(&[Property::required("type", &RESPONSES_PART_TYPE)])));

/// The parts of messages from the user, of answers, and of reasoning.
static RESPONSES_PART_TYPE: Schema = Schema::text(StringSchema::one_of(&[
    "input_text",
    "input_image",
    "input_file",
    "input_audio",
    "output_text",
    "refusal",
    "reasoning_text",
]));

static RESPONSES_TOOLS: Schema = Schema::array(Array::of(&RESPONSES_TOOL));

static RESPONSES_TOOL: Schema = Schema::object(Object::Properties(any(&[
    Property::required("type", &Schema::STRING),
    Property::optional("function", &FUNCTION),
])));

/// The function of a tool for chat completions.
static FUNCTION: Schema = Schema::any().captured(captures::NESTED);

static RESPONSES_TEXT: Schema =
    Schema::object(Object::Properties(any(&[Property::optional("format", &RESPONSES_FORMAT)])));

static RESPONSES_FORMAT: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[
        ("text", any(OWN_PART)),
        ("json_object", any(OWN_PART)),
        (
            "json_schema",
            any(&[
                Property::required("type", &PART_TYPE),
                Property::required("name", &Schema::STRING),
                Property::required("schema", &Schema::ANY_OBJECT),
                Property::optional("description", &Schema::STRING),
                Property::optional("strict", &BOOLEAN),
            ]),
        ),
    ],
});

static OBJECT: Schema = Schema { null: true, ..Schema::ANY_OBJECT };

pub(super) static EMBEDDINGS_BODY: Schema = Schema {
    doc: "The request for embeddings.",
    ..body(&[
        Property::required("model", &MODEL),
        Property::required("input", &INPUT),
        Property::optional("dimensions", &WHOLE),
        Property::optional("encoding_format", &ENCODING),
        Property::optional("user", &Schema::STRING),
    ])
};

pub(super) static EMBEDDINGS_BODY_OF_VLLM: Schema = Schema {
    doc: "The request for embeddings, of input or of messages.",
    ..body(&[
        Property::required("model", &MODEL),
        Property::optional("input", &INPUT_OF_VLLM),
        Property::optional("messages", &EMBEDDED_MESSAGES),
        Property::optional("dimensions", &INTEGER),
        Property::optional("user", &TEXT),
    ])
};

static ENCODING: Schema = Schema::text(StringSchema::one_of(&["float", "base64"]));

static INPUT: Schema = Schema {
    doc: "A text, a list of texts, the numbers of tokens, or a list of such lists.",
    array: Some(Array::of(&EMBEDDED).empty(Empty::Deny).elements_captured(captures::INPUT)),
    ..Schema::text(StringSchema::ANY.captured_raw(captures::INPUT_TEXT))
};

static INPUT_OF_VLLM: Schema = Schema {
    doc: "A text, a list of texts, the numbers of tokens, or a list of such lists.",
    array: Some(Array::of(&EMBEDDED).elements_captured(captures::INPUT)),
    ..Schema::text(StringSchema::ANY.captured_raw(captures::INPUT_TEXT))
};

static EMBEDDED: Schema =
    Schema { number: Some(Number::INTEGER), array: Some(Array::of(&WHOLE)), ..Schema::STRING };

static EMBEDDED_MESSAGES: Schema = Schema {
    doc: "A conversation to embed, in place of input.",
    ..Schema::any().captured(captures::EMBEDDED_MESSAGES)
};

pub(super) static COMPLETIONS_BODY: Schema = Schema {
    doc: "The request for a completion.",
    ..body(&[
        Property::required("model", &MODEL),
        Property::required("prompt", &PROMPT),
        Property::optional("suffix", &TEXT),
        Property::optional("max_tokens", &INTEGER),
        Property::optional("temperature", &NUMBER),
        Property::optional("top_p", &NUMBER),
        Property::optional("frequency_penalty", &NUMBER),
        Property::optional("presence_penalty", &NUMBER),
        Property::optional("n", &INTEGER),
        Property::optional("best_of", &INTEGER),
        Property::optional("logprobs", &INTEGER),
        Property::optional("echo", &BOOLEAN),
        Property::optional("seed", &INTEGER),
        Property::optional("stop", &STOP),
        Property::optional("logit_bias", &LOGIT_BIAS),
        Property::optional("stream", &STREAM),
        Property::optional("stream_options", &STREAM_OPTIONS),
        Property::optional("user", &Schema::STRING),
    ])
};

static PROMPT: Schema = Schema {
    doc: "The text to complete, a list of texts, the numbers of tokens, or a list of such lists.",
    null: true,
    array: Some(Array::of(&EMBEDDED).elements_captured(captures::PROMPT)),
    ..Schema::STRING
};

pub(super) static MODERATIONS_BODY: Schema = Schema {
    doc: "The request for a moderation.",
    ..body(&[Property::required("input", &MODERATED), Property::optional("model", &MODEL)])
};

static MODERATED: Schema = Schema {
    doc: "A text, or a list of texts or of parts.",
    array: Some(Array::of(&MODERATED_ITEM)),
    ..Schema::STRING
};

static MODERATED_ITEM: Schema = Schema {
    object: Some(Object::Tagged {
        key: "type",
        variants: &[("text", fields(PLAIN_PART)), ("image_url", any(IMAGE_PART))],
    }),
    ..Schema::STRING
};
