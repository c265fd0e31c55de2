//! The schemas of goldens in JSON and JSONL.
//!
//! Both kinds of goldens have one schema, because the value of `scenario` decides the kind: rules say which keys are read.

use evalcheck_json::schema::{
    Array, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

/// A golden in a JSON file.
pub(super) static IN_JSON: Schema = record(IN_JSON_FIELDS);

/// A golden on a line of JSONL, where lists may be texts.
pub(super) static IN_JSONL: Schema = record(IN_JSONL_FIELDS);

/// A JSON file.
pub(super) static GOLDENS: Schema = Schema::array(Array::of(&IN_JSON));

const fn record(fields: &'static [Property]) -> Schema {
    let fields = Properties::new(fields, UnknownKeys::Ignore).with_alternatives(&[&["input", "scenario"]]);
    Schema { example: Some(r#"{"input": "..."}"#), ..Schema::object(Object::Properties(fields)) }
}

const IN_JSON_FIELDS: &[Property] = &fields(&CONTEXT, &RETRIEVED, &CALLED, &WANTED);
const IN_JSONL_FIELDS: &[Property] =
    &fields(&CONTEXT_OR_TEXT, &RETRIEVED_OR_TEXT, &CALLED_OR_TEXT, &WANTED_OR_TEXT);

const fn fields(
    context: &'static Schema,
    retrieved: &'static Schema,
    called: &'static Schema,
    wanted: &'static Schema,
) -> [Property; 21] {
    [
        Property::optional("input", &INPUT),
        Property::optional("actual_output", &ACTUAL).read_with("input"),
        Property::optional("expected_output", &EXPECTED).read_with("input"),
        Property::optional("context", context),
        Property::optional("retrieval_context", retrieved).read_with("input"),
        Property::optional("tools_called", called).read_with("input"),
        Property::optional("expected_tools", wanted).read_with("input"),
        Property::optional("token_cost", &COST).read_with("input"),
        Property::optional("input_token_count", &TOKENS).read_with("input"),
        Property::optional("output_token_count", &TOKENS).read_with("input"),
        Property::optional("source_file", &SOURCE).read_with("input"),
        Property::optional("scenario", &SCENARIO),
        Property::optional("turns", &TURNS).read_with("scenario"),
        Property::optional("expected_outcome", &OUTCOME).read_with("scenario"),
        Property::optional("persona", &PERSONA).read_with("scenario"),
        Property::optional("user_description", &DESCRIPTION).read_with("scenario"),
        Property::optional("name", &NAME),
        Property::optional("comments", &COMMENTS),
        Property::optional("additional_metadata", &METADATA),
        Property::optional("custom_column_key_values", &CUSTOM),
        Property::optional("expectations", &EXPECTATIONS),
    ]
}

/// A text that may be null.
const fn text(doc: &'static str, capture: u8) -> Schema {
    Schema { null: true, doc, ..Schema::text(StringSchema::ANY.captured_raw(capture)) }
}

/// A text that may be null, and that no rule needs.
const fn plain(doc: &'static str) -> Schema {
    Schema { null: true, doc, ..Schema::STRING }
}

/// An object of any members that may be null.
const fn any_object(doc: &'static str) -> Schema {
    Schema { null: true, doc, ..Schema::ANY_OBJECT }
}

static INPUT: Schema = Schema {
    doc: "The input of the application that is evaluated; required without scenario.",
    ..Schema::text(StringSchema::ANY.captured_raw(captures::INPUT))
};
static ACTUAL: Schema =
    text("The answer of the application. Usually the evaluation fills it in.", captures::ACTUAL);
static EXPECTED: Schema = text("The ideal answer.", captures::EXPECTED);
static SOURCE: Schema = text("The file from which the golden was made.", captures::SINGLE);
static SCENARIO: Schema = text(
    "The situation of a conversation. A record with it is conversational, any other has one turn.",
    captures::SCENARIO,
);
static OUTCOME: Schema = text("What a conversation should lead to.", captures::OUTCOME);
static DESCRIPTION: Schema =
    text("Who the user of a conversation is. Deprecated: use persona.", captures::DESCRIPTION);
static NAME: Schema = plain("The name of the golden.");
static COMMENTS: Schema = plain("Comments.");
pub(super) static METADATA: Schema = any_object("Any values.");
pub(super) static CUSTOM: Schema = Schema {
    null: true,
    doc: "Further columns of the platform: texts by their names.",
    ..Schema::object(Object::new(&[], UnknownKeys::Each(&Schema::STRING)))
};

const CONTEXT_DOC: &str = "The texts that an ideal answer rests on.";
const RETRIEVED_DOC: &str =
    "The texts that the application retrieved: strings, or objects with context and source.";
const CALLED_DOC: &str = "The tools that the application called.";
const WANTED_DOC: &str = "The tools that it should call.";

static CONTEXT: Schema = context(None);
static CONTEXT_OR_TEXT: Schema = context(Some(captures::CONTEXT_TEXT));

/// A list of texts; in JSONL also a text that is cut at `|`.
const fn context(as_text: Option<u8>) -> Schema {
    Schema {
        null: true,
        string: or_text(as_text),
        doc: CONTEXT_DOC,
        ..Schema::array(Array::of(&Schema::STRING).elements_captured(captures::CONTEXT_ITEM))
            .captured(captures::CONTEXT)
    }
}

static RETRIEVED: Schema = retrieved(None);
static RETRIEVED_OR_TEXT: Schema = retrieved(Some(captures::RETRIEVED_TEXT));

const fn retrieved(as_text: Option<u8>) -> Schema {
    Schema {
        null: true,
        string: or_text(as_text),
        doc: RETRIEVED_DOC,
        ..Schema::array(Array::of(&RETRIEVED_ITEM).elements_captured(captures::RETRIEVED_ITEM))
            .captured(captures::RETRIEVED)
    }
}

static CALLED: Schema = tools(CALLED_DOC, captures::CALLED, None);
static CALLED_OR_TEXT: Schema = tools(CALLED_DOC, captures::CALLED, Some(captures::JSON_TEXT));
static WANTED: Schema = tools(WANTED_DOC, captures::WANTED, None);
static WANTED_OR_TEXT: Schema = tools(WANTED_DOC, captures::WANTED, Some(captures::JSON_TEXT));

const fn tools(doc: &'static str, number: u8, as_text: Option<u8>) -> Schema {
    Schema {
        null: true,
        string: or_text(as_text),
        doc,
        example: Some(r#"[{"name": "search", "input_parameters": {"query": "..."}}]"#),
        ..Schema::array(Array::of(&TOOL)).captured(number)
    }
}

const fn or_text(capture: Option<u8>) -> Option<StringSchema> {
    match capture {
        Some(number) => Some(StringSchema::ANY.captured_raw(number)),
        None => None,
    }
}

pub(super) static RETRIEVED_ITEM: Schema = Schema {
    string: Some(StringSchema::ANY),
    ..Schema::object(Object::new(
        &[Property::required("context", &Schema::STRING), Property::required("source", &Schema::STRING)],
        UnknownKeys::Ignore,
    ))
};

/// A list of tools.
pub(super) static TOOLS: Schema = Schema::array(Array::of(&TOOL));

pub(super) static TOOL: Schema = Schema::object(Object::new(
    &[
        Property::required("name", &TOOL_NAME),
        Property::optional("type", &TOOL_TYPE),
        Property::optional("description", &TEXT),
        Property::optional("reasoning", &TEXT),
        Property::optional("output", &ANYTHING),
        Property::optional("input_parameters", &PARAMETERS).elsewhere("arguments"),
        Property::optional("inputParameters", &OTHER_PARAMETERS),
    ],
    UnknownKeys::Ignore,
));

static TOOL_NAME: Schema = Schema { doc: "The name of the tool.", ..Schema::text(StringSchema::NAME) };
static TOOL_TYPE: Schema = Schema::text(StringSchema::one_of(&["FUNCTION", "MCP"]));
static TEXT: Schema = plain("");
static ANYTHING: Schema = Schema::any();
static PARAMETERS: Schema =
    Schema { example: Some(r#"{"query": "..."}"#), ..any_object("The arguments of the call.") };
static OTHER_PARAMETERS: Schema =
    Schema { doc: "The same; of both this one counts.", ..any_object("").captured(captures::DOUBT) };

static COST: Schema = Schema { doc: "The cost of the answer.", ..converted(Number::ANY, captures::NUMBER) };

static TOKENS: Schema = Schema { doc: "A number of tokens.", ..converted(Number::INTEGER, captures::NUMBER) };

pub(super) static EXPECTATIONS: Schema = Schema {
    null: true,
    doc: "Conditions on the answer or the conversation.",
    ..Schema::object(Object::new(
        &[
            Property::optional("must", &CONDITIONS),
            Property::optional("must_not", &CONDITIONS),
            Property::optional("mustNot", &OTHER_CONDITIONS),
            Property::optional("model", &TEXT),
            Property::optional("eval_mode", &EVAL_MODE),
        ],
        UnknownKeys::Deny,
    ))
};

static CONDITIONS: Schema = Schema::array(Array::of(&CONDITION));
static OTHER_CONDITIONS: Schema =
    Schema { doc: "The same.", ..Schema::array(Array::of(&CONDITION)).captured(captures::DOUBT) };
static CONDITION: Schema = Schema::text(StringSchema::ANY.captured_raw(captures::CONDITION));
static EVAL_MODE: Schema =
    Schema { null: true, ..Schema::text(StringSchema::one_of(&["llm", "system_one"])) };

static TURNS: Schema = Schema {
    null: true,
    string: Some(StringSchema::ANY.captured_raw(captures::JSON_TEXT)),
    doc: "The turns so far, or JSON text of such a list.",
    example: Some(r#"[{"role": "user", "content": "..."}]"#),
    ..Schema::array(Array::of(&TURN).elements_captured(captures::TURN))
};

/// Turns of a conversation.
pub(super) static TURN_LIST: Schema = Schema::array(Array::of(&TURN));

pub(super) static TURN: Schema = Schema::object(Object::new(
    &[
        Property::required("role", &ROLE),
        Property::required("content", &Schema::STRING),
        Property::optional("user_id", &TEXT),
        Property::optional("userId", &OTHER_TEXT),
        Property::optional("retrieval_context", &TURN_RETRIEVED),
        Property::optional("retrievalContext", &OTHER_RETRIEVED),
        Property::optional("tools_called", &TURN_TOOLS),
        Property::optional("toolsCalled", &OTHER_TOOLS),
        Property::optional("latency_ms", &LATENCY),
        Property::optional("latencyMs", &OTHER_LATENCY),
        Property::optional("interrupted", &FLAG_OR_NULL),
        Property::optional("provider_transcript", &TEXT),
        Property::optional("providerTranscript", &OTHER_TEXT),
        Property::optional("metadata", &TURN_METADATA),
        Property::optional("additionalMetadata", &OTHER_METADATA),
        Property::optional("additional_metadata", &OTHER_METADATA),
        Property::optional("audio", &AUDIO),
        Property::optional("mcp_tools_called", &NOTHING),
        Property::optional("mcp_resources_called", &NOTHING),
        Property::optional("mcp_prompts_called", &NOTHING),
    ],
    UnknownKeys::Ignore,
));

static ROLE: Schema = Schema::text(StringSchema::one_of(&["user", "assistant"]));
static OTHER_TEXT: Schema = text("The same.", captures::DOUBT);
static TURN_RETRIEVED: Schema = Schema { null: true, ..Schema::array(Array::of(&RETRIEVED_ITEM)) };
static OTHER_RETRIEVED: Schema = Schema {
    null: true,
    doc: "The same.",
    ..Schema::array(Array::of(&RETRIEVED_ITEM)).captured(captures::DOUBT)
};
static TURN_TOOLS: Schema = Schema { null: true, ..Schema::array(Array::of(&TOOL)) };
static OTHER_TOOLS: Schema =
    Schema { null: true, doc: "The same.", ..Schema::array(Array::of(&TOOL)).captured(captures::DOUBT) };
static LATENCY: Schema = converted(Number::ANY, captures::LATENCY);
static OTHER_LATENCY: Schema = Schema { doc: "The same.", ..converted(Number::ANY, captures::DOUBT) };
static FLAG_OR_NULL: Schema = flag();
static FLAG: Schema = Schema { null: false, ..flag() };

/// A boolean, or a value that pydantic converts to one.
const fn flag() -> Schema {
    Schema { example: Some("true"), ..converted(Number::ANY, captures::FLAG) }
}

/// A number, or a value that pydantic converts to one.
const fn converted(number: Number, capture: u8) -> Schema {
    Schema {
        null: true,
        boolean: true,
        string: Some(StringSchema::ANY.captured_raw(captures::DOUBT)),
        example: Some("1"),
        ..Schema::number(number).captured(capture)
    }
}
static TURN_METADATA: Schema = any_object("");
static OTHER_METADATA: Schema = Schema { doc: "The same.", ..any_object("").captured(captures::DOUBT) };
static AUDIO: Schema = any_object("A recording. Its members are not checked.");
static NOTHING: Schema = Schema { null: true, doc: "Null: a value needs the package mcp.", ..Schema::NONE };

/// A persona. Any other value than an object is ignored.
pub(super) static PERSONA: Schema = Schema {
    null: true,
    doc: "Who the user of a conversation is.",
    example: Some(r#"{"characteristics": "..."}"#),
    ..Schema::object(Object::new(
        &[
            Property::required("characteristics", &Schema::STRING),
            Property::optional("name", &TEXT),
            Property::optional("voice", &TEXT),
            Property::optional("metadata", &TURN_METADATA),
            Property::optional("speaks_first", &FLAG),
            Property::optional("muted", &FLAG),
            Property::optional("multilingual_stt", &FLAG),
            Property::optional("hold_timeout", &HOLD),
            Property::optional("interruption_behavior", &INTERRUPTION),
            Property::optional("background_noise", &NOISE),
        ],
        UnknownKeys::Ignore,
    ))
    .captured(captures::PERSONA)
};

static HOLD: Schema =
    Schema { doc: "Seconds, more than 0.", ..converted(Number::ANY.at_least(0), captures::HOLD) };

static INTERRUPTION: Schema = Schema {
    null: true,
    ..Schema::object(Object::new(
        &[Property::optional("frequency", &FREQUENCY), Property::optional("overlap", &OVERLAP)],
        UnknownKeys::Ignore,
    ))
};

static FREQUENCY: Schema = Schema::text(StringSchema::one_of(&["rare", "normal", "frequent"]));
static OVERLAP: Schema = Schema::text(StringSchema::one_of(&["yield", "adaptive", "insist"]));

static NOISE: Schema = Schema {
    null: true,
    ..Schema::object(Object::new(
        &[Property::required("audio", &Schema::STRING), Property::optional("volume", &VOLUME)],
        UnknownKeys::Ignore,
    ))
};

static VOLUME: Schema =
    Schema { null: false, ..converted(Number::ANY.at_least(0).at_most(1), captures::LATENCY) };

/// The numbers of the captures of a record.
pub(super) mod captures {
    pub(in super::super) const SCENARIO: u8 = 1;
    pub(in super::super) const INPUT: u8 = 2;
    pub(in super::super) const ACTUAL: u8 = 3;
    pub(in super::super) const EXPECTED: u8 = 4;
    /// The list of retrieved texts.
    pub(in super::super) const RETRIEVED: u8 = 5;
    pub(in super::super) const RETRIEVED_ITEM: u8 = 6;
    /// A text in place of the list.
    pub(in super::super) const RETRIEVED_TEXT: u8 = 7;
    pub(in super::super) const CONTEXT: u8 = 8;
    pub(in super::super) const CONTEXT_ITEM: u8 = 9;
    pub(in super::super) const CONTEXT_TEXT: u8 = 10;
    /// The tools that were called.
    pub(in super::super) const CALLED: u8 = 11;
    /// The tools that should be called.
    pub(in super::super) const WANTED: u8 = 12;
    /// JSON text in place of a list.
    pub(in super::super) const JSON_TEXT: u8 = 13;
    /// A value that only goldens of one turn have.
    pub(in super::super) const SINGLE: u8 = 14;
    /// A number of such goldens, or a boolean.
    pub(in super::super) const NUMBER: u8 = 15;
    pub(in super::super) const TURN: u8 = 16;
    pub(in super::super) const OUTCOME: u8 = 17;
    pub(in super::super) const PERSONA: u8 = 18;
    pub(in super::super) const DESCRIPTION: u8 = 19;
    pub(in super::super) const CONDITION: u8 = 20;
    pub(in super::super) const HOLD: u8 = 21;
    /// A value that has to be looked at.
    pub(in super::super) const DOUBT: u8 = 22;
    /// A number of a conversation, or a boolean.
    pub(in super::super) const LATENCY: u8 = 23;
    /// A boolean, or a number.
    pub(in super::super) const FLAG: u8 = 24;
}
