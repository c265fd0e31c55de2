//! Schemas of what messages of `OpenAI`'s chat API have in each format.

use evalcheck_json::schema::{Object, Properties, Property, Schema, StringSchema, UnknownKeys};

/// A set of fields, beside which other keys are ignored.
pub(crate) const fn fields(fields: &'static [Property]) -> Properties {
    Properties::new(fields, UnknownKeys::Ignore)
}

pub(crate) static NAME: Schema =
    Schema { doc: "The name of the speaker.", ..Schema::text(StringSchema::NAME) };

pub(crate) static TEXT_PART: Schema =
    Schema::object(Object::Tagged { key: "type", variants: &[("text", fields(PLAIN_PART))] });

pub(crate) static ANSWER_PART: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[("text", fields(PLAIN_PART)), ("refusal", fields(REFUSAL_PART))],
});

pub(crate) const PLAIN_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("text", &PART_TEXT)];

pub(crate) const REFUSAL_PART: &[Property] =
    &[Property::required("type", &PART_TYPE), Property::required("refusal", &PART_TEXT)];

pub(crate) static PART_TYPE: Schema =
    Schema { doc: "The kind of the part.", ..Schema::text(StringSchema::NAME) };

pub(crate) static PART_TEXT: Schema = Schema::text(StringSchema::ANY.captured_raw(captures::TEXT));

pub(crate) static IMAGE_URL: Schema = Schema {
    doc: "The address of an image, or a data URL.",
    ..Schema::text(StringSchema::ANY.captured_raw(captures::IMAGE))
};

pub(crate) static REFUSAL: Schema =
    Schema { null: true, ..Schema::text(StringSchema::ANY.captured_raw(captures::TEXT)) };

pub(crate) static EARLIER_AUDIO: Schema = Schema {
    doc: "An earlier answer of the model in audio.",
    null: true,
    ..Schema::object(Object::new(&[Property::required("id", &Schema::STRING)], UnknownKeys::Allow))
};

pub(crate) static CALL_ID: Schema = Schema {
    doc: "The id of the call, which the tool message with the result repeats.",
    ..Schema::text(StringSchema::NAME.captured(captures::CALL))
};

pub(crate) static TOOL_CALL_ID: Schema = Schema {
    doc: "The id of the call that is answered.",
    ..Schema::text(StringSchema::NAME.captured(captures::ANSWERED))
};

pub(crate) static FUNCTION_TYPE: Schema = Schema::text(StringSchema::one_of(&["function"]));

pub(crate) static CALLED: Schema = Schema::object(Object::new(
    &[Property::required("name", &CALLED_NAME), Property::required("arguments", &ARGUMENTS)],
    UnknownKeys::Ignore,
));

pub(crate) static CALLED_NAME: Schema = Schema::text(StringSchema::NAME.captured(captures::CALLED));

pub(crate) static ARGUMENTS: Schema = Schema {
    doc: "The arguments: JSON in a string.",
    ..Schema::text(StringSchema::JSON.captured_raw(captures::TEXT))
};

pub(crate) static FUNCTION: Schema = Schema::object(Object::new(
    &[
        Property::required("name", &FUNCTION_NAME),
        Property::optional("description", &Schema::STRING),
        Property::optional("parameters", &Schema::ANY_OBJECT).elsewhere("input_schema"),
        Property::optional("strict", &STRICT),
    ],
    UnknownKeys::Ignore,
));

pub(crate) static FUNCTION_NAME: Schema = Schema {
    doc: "At most 64 letters, digits, `_` and `-`.",
    ..Schema::text(StringSchema::NAME.captured(captures::FUNCTION))
};

pub(crate) static STRICT: Schema = Schema { null: true, ..Schema::BOOLEAN };

pub(crate) static PARALLEL_TOOL_CALLS: Schema =
    Schema { doc: "Whether the model may call several tools at once.", ..Schema::BOOLEAN };

pub(crate) static FUNCTION_CALL: Schema = Schema {
    doc: "Deprecated: use tool_calls.",
    null: true,
    capture: Some(captures::UNUSUAL),
    ..Schema::object(Object::new(
        &[Property::required("name", &Schema::STRING), Property::required("arguments", &FUNCTION_ARGUMENTS)],
        UnknownKeys::Ignore,
    ))
};

pub(crate) static FUNCTION_ARGUMENTS: Schema = Schema::text(StringSchema::JSON);

/// The numbers of the captures in these schemas, and in those of fine-tuning. Other formats begin with [`NEXT`](captures::NEXT).
pub(crate) mod captures {
    /// A text of a part, a refusal or arguments.
    pub(crate) const TEXT: u8 = 4;
    /// The id of a tool call.
    pub(crate) const CALL: u8 = 6;
    /// The name of the function that is called.
    pub(crate) const CALLED: u8 = 7;
    /// The id of the call that a tool message answers.
    pub(crate) const ANSWERED: u8 = 8;
    /// The name of a function that the model may call.
    pub(crate) const FUNCTION: u8 = 9;
    /// A value that has a finding wherever it is.
    pub(crate) const UNUSUAL: u8 = 10;
    /// The address of an image.
    pub(crate) const IMAGE: u8 = 17;
    /// The first number that is not used here.
    pub(crate) const NEXT: u8 = 32;
}
