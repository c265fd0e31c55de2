//! The schemas of records.

use evalcheck_json::schema::{Array, Empty, Object, Properties, Property, Schema, StringSchema, UnknownKeys};
use evalcheck_records::csv::{Column, Columns, CsvLines};

pub(super) static QUESTION: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[Property::required("messages", &MESSAGES), Property::optional("ref_answer", &REF_ANSWER)],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

pub(super) static ANSWERED: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[
            Property::required("messages", &MESSAGES),
            Property::required("model_outputs", &MODEL_OUTPUTS),
            Property::optional("ref_answer", &REF_ANSWER),
        ],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

pub(super) static PROMPTED: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[Property::optional("system", &SYSTEM), Property::required("conversation", &CONVERSATION)],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

static MESSAGES: Schema = Schema {
    doc: "The conversation. A last message of the role assistant is taken as the ground truth.",
    ..Schema::array(Array::of(&MESSAGE).empty(Empty::Deny).elements_captured(captures::MESSAGE))
};

static MESSAGE: Schema = Schema::object(Object::new(
    &[Property::required("role", &ROLE), Property::required("content", &Schema::STRING)],
    UnknownKeys::Allow,
));

/// The roles that a message may have.
pub(super) const ROLES: &[&str] = &["system", "user", "assistant"];

static ROLE: Schema = Schema {
    doc: "The role of the speaker.",
    ..Schema::text(StringSchema::one_of(ROLES).captured(captures::ROLE))
};

static REF_ANSWER: Schema = Schema { doc: "The reference answer.", ..Schema::STRING };

static MODEL_OUTPUTS: Schema = Schema {
    doc: "The answers of each model.",
    ..Schema::array(Array::of(&MODEL_OUTPUT).empty(Empty::Deny).elements_captured(captures::OUTPUT))
};

static MODEL_OUTPUT: Schema = Schema::object(Object::new(
    &[Property::required("model_name", &MODEL_NAME), Property::required("responses", &RESPONSES)],
    UnknownKeys::Allow,
));

static MODEL_NAME: Schema = Schema {
    doc: "The model; the same name for the same model in the whole dataset.",
    ..Schema::text(StringSchema::NAME.captured(captures::MODEL_NAME))
};

static RESPONSES: Schema = Schema {
    doc: "The answers of the model; several when it was asked several times.",
    ..Schema::array(Array::of(&RESPONSE).empty(Empty::Deny).elements_captured(captures::RESPONSE))
        .captured(captures::RESPONSES)
};

static RESPONSE: Schema = Schema::object(Object::new(
    &[Property::required("content", &ANSWER), Property::optional("reasoning_content", &REASONING)],
    UnknownKeys::Allow,
));

static ANSWER: Schema = Schema { doc: "The final answer.", ..Schema::STRING };

static REASONING: Schema = Schema { doc: "The reasoning of the model before the answer.", ..Schema::STRING };

static SYSTEM: Schema = Schema { doc: "The system message.", ..Schema::STRING };

static CONVERSATION: Schema =
    Schema { doc: "The turns.", ..Schema::array(Array::of(&PAIR).empty(Empty::Deny)) };

static PAIR: Schema = Schema::object(Object::new(
    &[Property::required("prompt", &PROMPT), Property::required("response", &EXPECTED)],
    UnknownKeys::Allow,
));

/// A row of the CSV; the header's names are the keys.
pub(super) static ROW: Schema = Schema::object(Object::new(
    &[
        Property::optional("system", &SYSTEM),
        Property::required("prompt", &PROMPT),
        Property::required("response", &EXPECTED),
    ],
    UnknownKeys::Allow,
));

pub(super) static COLUMNS: Columns = Columns {
    columns: &[
        Column {
            name: "system",
            aliases: &[],
            required: false,
            not_blank: false,
            is_list: false,
            doc: "The system message; may be missing or blank.",
        },
        Column {
            name: "prompt",
            aliases: &[],
            required: true,
            not_blank: true,
            is_list: false,
            doc: "The message of the user.",
        },
        Column {
            name: "response",
            aliases: &[],
            required: true,
            not_blank: false,
            is_list: false,
            doc: "The expected response.",
        },
    ],
    lines: CsvLines::Skipped,
    longest_cell: usize::MAX,
    one_of: None,
    takes_others: false,
    any_separator: false,
    labels_rows: false,
};

static PROMPT: Schema = Schema { doc: "The message of the user.", ..Schema::STRING };

static EXPECTED: Schema = Schema { doc: "The expected response.", ..Schema::STRING };

/// The numbers of the captures.
pub(super) mod captures {
    /// The role of a message.
    pub(in super::super) const ROLE: u8 = 1;
    /// A message, after its role.
    pub(in super::super) const MESSAGE: u8 = 2;
    pub(in super::super) const MODEL_NAME: u8 = 3;
    /// A response of a model.
    pub(in super::super) const RESPONSE: u8 = 4;
    /// The list of a model's responses, after all of them.
    pub(in super::super) const RESPONSES: u8 = 5;
    /// The answers of one model, after its name and its responses.
    pub(in super::super) const OUTPUT: u8 = 6;
    /// A key that the format leaves to its users.
    pub(in super::super) const USER_KEY: u8 = 7;
}
