//! The schemas of tests, and the columns of a CSV.

use evalcheck_json::schema::{
    Array, Condition, Number, Object, Properties, Property, Schema, StringSchema, Then, Types, UnknownKeys,
};
use evalcheck_records::csv::{Column, Columns, CsvLines};
use evalcheck_records::{List, ListPlace};

/// The lists of a document: it is a list of tests, or one test.
pub(super) static LISTS: &[List] = &[
    List { place: ListPlace::Root, array: &TESTS, schema: &TEST, required: false },
    List { place: ListPlace::Single(ONE), array: &TESTS, schema: &TEST, required: false },
];

static TESTS: Schema = Schema::array(Array::of(&TEST));

/// The keys of which a test has one.
pub(super) const KEYS: &[&str] =
    &["vars", "assert", "options", "metadata", "provider", "providerOutput", "threshold"];

/// The keys of a document that is one test, or the configuration, which is read as one.
const ONE: &[&str] = &[
    "vars",
    "assert",
    "options",
    "metadata",
    "provider",
    "providerOutput",
    "threshold",
    "description",
    "tests",
    "prompts",
    "providers",
];

pub(super) static TEST: Schema = Schema {
    example: Some(r#"{"vars": {"question": "..."}, "assert": [{"type": "contains", "value": "..."}]}"#),
    ..Schema::object(Object::Properties(
        Properties::new(
            &[
                Property::optional("description", &DESCRIPTION),
                Property::optional("vars", &VARS),
                Property::optional("assert", &ASSERT),
                Property::optional("threshold", &THRESHOLD),
                Property::optional("options", &OPTIONS),
                Property::optional("metadata", &METADATA),
                Property::optional("provider", &PROVIDER),
                Property::optional("providers", &NAMES),
                Property::optional("prompts", &NAMES),
                Property::optional("providerOutput", &OUTPUT),
                Property::optional("assertScoringFunction", &TEXT),
            ],
            UnknownKeys::Allow,
        )
        .keys_captured(captures::USER_KEY),
    ))
};

static DESCRIPTION: Schema = Schema {
    doc: "The name of the test; without one it is Row # and its number.",
    null: true,
    ..Schema::STRING
};

static TEXT: Schema = Schema { null: true, ..Schema::STRING };

static VARS: Schema = Schema {
    doc: "The variables of the prompts. A list of strings makes a test for each. A string or a list in place of the object is the path of YAML files with variables.",
    null: true,
    example: Some(r#"{"question": "..."}"#),
    string: Some(StringSchema::ANY.captured(captures::UNUSUAL)),
    array: Some(Array::of(&FILE).elements_captured(captures::UNUSUAL)),
    ..Schema::object(Object::new(
        &[Property::optional("assert", &MISPLACED)],
        UnknownKeys::Each(&evalcheck_json::schema::ANY),
    ))
    .captured(captures::KEPT)
};

static FILE: Schema = Schema { example: Some(r#""vars.yaml""#), ..Schema::STRING };

static MISPLACED: Schema = Schema {
    doc: "A variable, not assertions.",
    string: Some(StringSchema::ANY.captured_raw(captures::UNUSUAL)),
    ..Schema::any().captured(captures::UNUSUAL)
};

static ASSERT: Schema = Schema {
    doc: "What the output has to fulfil; at most 10,000 assertions.",
    null: true,
    ..Schema::array(Array::of(&ASSERTION).at_most(10_000).elements_captured(captures::ASSERTION))
        .captured(captures::KEPT)
};

static ASSERTION: Schema = Schema {
    example: Some(r#"{"type": "contains", "value": "..."}"#),
    ..Schema::object(Object::Properties(
        Properties::new(ASSERTION_FIELDS, UnknownKeys::Allow).keys_captured(captures::INNER_KEY).when(&[
            Condition::new(
                ASSERTION_FIELDS,
                "type",
                &["assert-set"],
                &[Then::required("assert").of(Types::ARRAY)],
            ),
        ]),
    ))
};

const ASSERTION_FIELDS: &[Property] = &[
    Property::required("type", &TYPE),
    Property::optional("value", &VALUE),
    Property::optional("threshold", &LIMIT),
    Property::optional("weight", &WEIGHT),
    Property::optional("metric", &METRIC),
    Property::optional("config", &CONFIG),
    Property::optional("transform", &TRANSFORM),
    Property::optional("contextTransform", &TRANSFORM),
    Property::optional("assert", &SET),
];

static SET: Schema = Schema {
    doc: "The assertions of a set, which is an assertion of the type assert-set.",
    ..Schema::array(Array::of(&MEMBER)).captured(captures::UNUSUAL)
};

static MEMBER: Schema = Schema::object(Object::new(
    &[
        Property::required("type", &TYPE),
        Property::optional("value", &VALUE),
        Property::optional("threshold", &LIMIT),
        Property::optional("weight", &WEIGHT),
        Property::optional("metric", &METRIC),
        Property::optional("config", &CONFIG),
        Property::optional("transform", &TRANSFORM),
        Property::optional("contextTransform", &TRANSFORM),
    ],
    UnknownKeys::Allow,
));

static TYPE: Schema = Schema {
    doc: "The type, such as contains or llm-rubric; not- before it inverts it.",
    example: Some(r#""contains""#),
    ..Schema::text(StringSchema::ANY.captured(captures::TYPE))
};

static VALUE: Schema = Schema {
    doc: "What the output is compared with.",
    string: Some(StringSchema::ANY.captured_raw(captures::VALUE)),
    ..Schema::any().captured(captures::VALUE)
};

static LIMIT: Schema = Schema {
    doc: "The score or the limit at which the assertion passes.",
    ..Schema::number(Number::ANY).captured(captures::LIMIT)
};

static WEIGHT: Schema = Schema { doc: "How much it counts; 1 by default.", ..Schema::number(Number::ANY) };

static METRIC: Schema =
    Schema { doc: "The name under which its score is reported.", ..Schema::text(StringSchema::ANY) };

static TRANSFORM: Schema = Schema {
    doc: "An expression of JavaScript, or the path of a script, that changes the output first.",
    example: Some(r#""output.trim()""#),
    ..Schema::text(StringSchema::ANY)
};

static CONFIG: Schema = Schema::ANY_OBJECT;

static THRESHOLD: Schema = Schema {
    doc: "The score at which the test passes.",
    null: true,
    ..Schema::number(Number::ANY).captured(captures::KEPT)
};

static OPTIONS: Schema =
    Schema { doc: "Options, such as prefix, suffix and transform.", null: true, ..KEPT_OBJECT };

static METADATA: Schema = Schema { doc: "Data by which tests are filtered.", null: true, ..KEPT_OBJECT };

const KEPT_OBJECT: Schema = Schema::ANY_OBJECT.captured(captures::KEPT);

static PROVIDER: Schema = Schema {
    doc: "A provider for this test.",
    example: Some(r#""openai:gpt-4.1""#),
    null: true,
    string: Some(StringSchema::ANY.captured_raw(captures::KEPT)),
    ..KEPT_OBJECT
};

static OUTPUT: Schema = Schema {
    doc: "An output to evaluate, in place of asking a provider.",
    null: true,
    string: Some(StringSchema::ANY.captured_raw(captures::KEPT)),
    ..KEPT_OBJECT
};

static NAMES: Schema = Schema {
    doc: "Names of the configuration to which the test is limited.",
    null: true,
    ..Schema::array(Array::of(&Schema::STRING))
};

/// A row of the CSV.
pub(super) static ROW: Schema = Schema::object(Object::new(
    &[
        Property::optional("__expected", &Schema::STRING),
        Property::optional("__description", &Schema::STRING),
    ],
    UnknownKeys::Allow,
));

pub(super) static COLUMNS: Columns = Columns {
    columns: &[
        Column::optional(
            "__expected",
            "An assertion, such as `contains:Oslo`; further ones in `__expected1`, `__expected2` and so on.",
        ),
        Column::optional("__description", "The name of the test."),
        Column::optional("__prefix", "A text before the prompt."),
        Column::optional("__suffix", "A text after the prompt."),
        Column::optional("__providerOutput", "An output to evaluate, in place of asking a provider."),
        Column::optional("__metric", "The name under which the scores of the row are reported."),
        Column::optional("__threshold", "The score at which the test passes."),
    ],
    lines: CsvLines::Rows,
    any_separator: false,
    ..Columns::ANY
};

/// The numbers of the captures.
pub(super) mod captures {
    pub(in super::super) const TYPE: u8 = 1;
    pub(in super::super) const VALUE: u8 = 2;
    pub(in super::super) const LIMIT: u8 = 3;
    /// An assertion, after its captures.
    pub(in super::super) const ASSERTION: u8 = 4;
    /// A value that makes a record a test.
    pub(in super::super) const KEPT: u8 = 5;
    /// A value that the thorough tier looks at.
    pub(in super::super) const UNUSUAL: u8 = 6;
    /// A key that no test has.
    pub(in super::super) const USER_KEY: u8 = 7;
    /// A key that no assertion has.
    pub(in super::super) const INNER_KEY: u8 = 8;
}
