//! The schemas of the metadata line and of lines of samples.

use evalcheck_json::schema::{
    Array, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

pub(super) static METADATA: Schema = Schema {
    doc: "The first line.",
    ..Schema::object(Object::new(
        &[
            Property::required("total_samples", &TOTAL),
            Property::required("sample_type", &SAMPLE_TYPE),
            Property::required("samples_per_line", &PER_LINE),
            Property::required("hidden_metadata", &HIDDEN),
        ],
        UnknownKeys::Allow,
    ))
};

static TOTAL: Schema = Schema {
    doc: "The number of samples; the number of lines is accepted too.",
    ..Schema::number(AT_LEAST_ONE)
};

static SAMPLE_TYPE: Schema = Schema {
    doc: "The type of all samples.",
    ..Schema::text(StringSchema::one_of(&["text_completion", "chat_completion", "text"]))
};

static PER_LINE: Schema =
    Schema { doc: "The number of samples on each line.", ..Schema::number(AT_LEAST_ONE) };

const AT_LEAST_ONE: Number = Number::INTEGER.at_least(1);

static HIDDEN: Schema = Schema {
    doc: "Keys of the samples' metadata that labellers do not see.",
    example: Some("[]"),
    ..Schema::array(Array::of(&Schema::STRING))
};

pub(super) static TEXT_COMPLETIONS: Schema = Schema {
    doc: "A line of samples of the type text_completion.",
    ..Schema::array(Array::of(&Schema::object(Object::Properties(TEXT_COMPLETION))).elements_captured(SAMPLE))
};

pub(super) static CHAT_COMPLETIONS: Schema = Schema {
    doc: "A line of samples of the type chat_completion.",
    ..Schema::array(Array::of(&Schema::object(Object::Properties(CHAT_COMPLETION))).elements_captured(SAMPLE))
};

pub(super) static TEXTS: Schema = Schema {
    doc: "A line of samples of the type text.",
    ..Schema::array(Array::of(&Schema::object(Object::Properties(TEXT))).elements_captured(SAMPLE))
};

/// A sample of the type `text_completion`.
pub(crate) const TEXT_COMPLETION: Properties = of_sample(&TEXT_COMPLETION_FIELDS);

static TEXT_COMPLETION_FIELDS: [Property; 5] = [
    Property::required("type", &type_of(&["text_completion"])),
    Property::required("id", &ID),
    Property::optional("metadata", &SAMPLE_METADATA),
    Property::required("prompt", &Schema::STRING),
    Property::required("completion", &Schema::STRING),
];

/// A sample of the type `chat_completion`.
pub(crate) const CHAT_COMPLETION: Properties = of_sample(&CHAT_COMPLETION_FIELDS);

static CHAT_COMPLETION_FIELDS: [Property; 5] = [
    Property::required("type", &type_of(&["chat_completion"])),
    Property::required("id", &ID),
    Property::optional("metadata", &SAMPLE_METADATA),
    Property::required("prompt", &PROMPT),
    Property::required("completion", &COMPLETION),
];

/// A sample of the type `text`.
pub(crate) const TEXT: Properties = of_sample(&TEXT_FIELDS);

static TEXT_FIELDS: [Property; 4] = [
    Property::required("type", &type_of(&["text"])),
    Property::required("id", &ID),
    Property::optional("metadata", &SAMPLE_METADATA),
    Property::required("text", &Schema::STRING),
];

const fn of_sample(fields: &'static [Property]) -> Properties {
    Properties::new(fields, UnknownKeys::Allow).keys_captured(USER_KEY)
}

const fn type_of(name: &'static [&'static str]) -> Schema {
    Schema::text(StringSchema::one_of(name).captured(TYPE))
}

static ID: Schema = Schema {
    doc: "Unique among the samples of a dataset.",
    ..Schema::text(StringSchema::NAME.captured(SAMPLE_ID))
};

static SAMPLE_METADATA: Schema = Schema {
    doc: "Shown to the labeller, except for the keys in hidden_metadata.",
    ..Schema::object(Object::Properties(
        Properties::new(&[], UnknownKeys::Each(&Schema::STRING)).keys_captured(METADATA_KEY),
    ))
};

static PROMPT: Schema = Schema {
    doc: "The conversation so far.",
    ..Schema::array(Array::of(&Schema::object(Object::new(
        &[
            Property::required("role", &Schema::text(StringSchema::one_of(&["user", "assistant", "system"]))),
            Property::required("content", &Schema::STRING),
        ],
        UnknownKeys::Allow,
    ))))
};

static COMPLETION: Schema = Schema {
    doc: "The answer of the model.",
    ..Schema::array(Array::of(&Schema::object(Object::new(
        &[
            Property::required("role", &Schema::text(StringSchema::one_of(&["assistant"]))),
            Property::required("content", &Schema::STRING),
        ],
        UnknownKeys::Allow,
    ))))
};

/// The number of the capture of a sample's id.
pub(crate) const SAMPLE_ID: u8 = 1;

/// The number of the captures of the keys of a sample's metadata.
pub(super) const METADATA_KEY: u8 = 2;

/// The number of the captures of keys of a sample that its type does not define.
pub(super) const USER_KEY: u8 = 3;

/// The number of the capture of a whole sample, after its other captures.
pub(super) const SAMPLE: u8 = 4;

/// The number of the capture of a sample's type.
pub(crate) const TYPE: u8 = 5;
