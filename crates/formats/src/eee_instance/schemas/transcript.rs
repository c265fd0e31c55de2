//! The transcript of several turns: `interactions` in 0.2.0, `messages` in 0.3.0.

use super::{COUNTED, REASONING_TRACE, STRINGS_OR_NULL, TEXT_OR_NULL, capture};
use evalcheck_json::schema::{Array, Object, Property, Schema, StringSchema, UnknownKeys};

const TRANSCRIPT: &str = "The transcript of several turns; null for a single one.";

pub(super) static INTERACTIONS: Schema =
    Schema { null: true, array: Some(Array::of(&INTERACTION)), doc: TRANSCRIPT, ..Schema::NONE };

pub(super) static MESSAGES: Schema =
    Schema { null: true, array: Some(Array::of(&MESSAGE)), doc: TRANSCRIPT, ..Schema::NONE };

static INTERACTION: Schema = Schema::object(Object::new(
    &[
        Property::required("turn_idx", &TURN),
        Property::required("role", &ROLE),
        Property::optional("content", &CONTENT),
        Property::optional("reasoning_trace", &REASONING_TRACE),
        Property::optional("tool_calls", &TOOL_CALLS_0_2),
        Property::optional("tool_call_id", &ANSWERED_0_2),
    ],
    UnknownKeys::Allow,
));

static MESSAGE: Schema = Schema::object(Object::new(
    &[
        Property::required("turn_idx", &TURN),
        Property::required("role", &ROLE),
        Property::optional("content", &CONTENT),
        Property::optional("reasoning_trace", &REASONING_TRACE),
        Property::optional("tool_calls", &TOOL_CALLS_0_3),
        Property::optional("tool_call_id", &ANSWERED_0_3),
    ],
    UnknownKeys::Allow,
));

static TURN: Schema =
    Schema { doc: "Position of the turn in the conversation, from 0.", ..COUNTED.captured(capture::TURN) };
static ROLE: Schema = Schema { doc: "The role of the speaker.", ..Schema::text(StringSchema::NAME) };
static CONTENT: Schema = Schema { doc: "The message.", ..TEXT_OR_NULL };

static TOOL_CALLS_0_2: Schema = Schema {
    null: true,
    array: Some(Array::of(&TOOL_CALL_0_2)),
    doc: "The tools that the turn calls.",
    ..Schema::NONE
};
static TOOL_CALLS_0_3: Schema = Schema {
    null: true,
    array: Some(Array::of(&TOOL_CALL_0_3)),
    doc: "The tools that the turn calls.",
    ..Schema::NONE
};

static CALL_ID: Schema =
    Schema { doc: "Id of the call.", ..Schema::text(StringSchema::NAME.captured(capture::CALL)) };
static CALL_NAME: Schema = Schema { doc: "Name of the tool.", ..Schema::text(StringSchema::NAME) };
const ARGUMENTS: &str = "What the tool is called with.";

static TOOL_CALL_0_2: Schema = Schema::object(Object::new(
    &[
        Property::required("id", &CALL_ID),
        Property::required("name", &CALL_NAME),
        Property::optional("arguments", &Schema { doc: ARGUMENTS, ..Schema::ANY_OBJECT }),
    ],
    UnknownKeys::Allow,
));

static TOOL_CALL_0_3: Schema = Schema::object(Object::new(
    &[
        Property::required("id", &CALL_ID),
        Property::required("name", &CALL_NAME),
        Property::optional("arguments", &Schema { doc: ARGUMENTS, ..STRINGS_OR_NULL }),
    ],
    UnknownKeys::Allow,
));

const ANSWERED: &str = "The call, or the calls, that the turn answers.";
static ANSWERED_ID: Schema = Schema::text(StringSchema::NAME.captured(capture::ANSWERED));
static ANSWERED_0_2: Schema = Schema {
    array: Some(Array::of(&ANSWERED_ID)),
    doc: ANSWERED,
    ..Schema::text(StringSchema::NAME.captured(capture::ANSWERED))
};
static ANSWERED_0_3: Schema =
    Schema { null: true, array: Some(Array::of(&ANSWERED_ID)), doc: ANSWERED, ..Schema::NONE };
