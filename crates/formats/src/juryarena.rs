//! `JuryArena`: conversations for a model, as JSONL, or as a ZIP with attachments.
//!
//! The rules come from the system's document and from its public loader; FORMATS.md says which counts if they disagree.

mod dataset_entry;
mod embedded;
mod loaded;
mod references;

use evalcheck_report::view::{Part, Sample, Turn};

use super::checks::{Captures, Checks, Findings, NoChecks, Record, RecordChecks};
use super::{About, Example, Format, Layout, Limits, Packaging, Rules, TextPolicy, Variant};
use crate::chat::PREFERENCE_KEYS;
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::{Kind, Value, clip};
use crate::fields::{Count, Field, Use};
use crate::preview::Shown;
use evalcheck_json::schema::{
    ANY, Array, Empty, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    id: "juryarena",
    about: About {
        title: "JuryArena dataset",
        system: "JuryArena",
        link: "",
        summary: "One conversation per line, to be answered by the compared models; with attachments in a ZIP.",
        noun: "sample",
    },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &SAMPLE }],
    options: &[],
    archive: Some(&Packaging {
        choose_dataset: dataset_entry::choose,
        is_dataset: dataset_entry::is_candidate,
        unreferenced: || references::ReferenceProblem::Unreferenced.into(),
    }),
    detection: Detector {
        extensions: &["jsonl", "zip"],
        expected: "lines with an object \"input\" that holds \"messages\", or a ZIP with samples.jsonl",
        signatures: SIGNATURES,
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TextPolicy { jsonb: true, embedded: true, ..TextPolicy::NONE },
    rules: Rules {
        checks: |_| Checks::new(References, NoChecks),
        own: &[
            references::ReferenceProblem::RULES,
            embedded::EmbeddedProblem::RULES,
            dataset_entry::DatasetEntryProblem::RULES,
        ],
        limits: Limits { usual: Some(5_000), most: Some(50_000), ..Limits::NONE },
    },
    preview,
    fields: &[
        Field::new(
            "messages",
            &["input.messages"],
            &[Use::Messages, Use::Question, Use::Answer, Use::Column("Turns", Count)],
        ),
        Field::new("output", &["usage_output"], &[Use::Key("The reference output."), Use::Answer]),
        Field::new("attachments", &["input.messages.*.content.*.path"], &[Use::Column("Attachments", Count)]),
    ],
    loader: loaded::LOADER,
    examples: &[
        Example::text("minimal", "One question", "minimal.jsonl", include_str!("juryarena/minimal.jsonl")),
        Example::bytes("full", "Conversations of every kind", "full.zip", FULL),
        Example::text(
            "broken",
            "Twelve mistakes people make",
            "broken.jsonl",
            include_str!("juryarena/broken.jsonl"),
        ),
    ],
};

static SAMPLE: Schema = Schema::object(Object::new(
    &[
        Property::required("input", &INPUT),
        Property::optional("json_schema", &JSON_SCHEMA),
        Property::optional("usage_output", &USAGE_OUTPUT),
    ],
    UnknownKeys::Ignore,
));

static INPUT: Schema =
    Schema::object(Object::new(&[Property::required("messages", &MESSAGES)], UnknownKeys::Ignore));

static MESSAGES: Schema = Schema {
    doc: "The conversation, OpenAI-compatible.",
    ..Schema::array(Array::of(&MESSAGE).empty(Empty::Suspicious))
};

static MESSAGE: Schema = Schema::object(Object::new(
    &[Property::required("role", &ROLE), Property::required("content", &CONTENT)],
    UnknownKeys::Ignore,
));

static ROLE: Schema = Schema {
    doc: "The role of the speaker.",
    ..Schema::text(StringSchema::one_of(&["system", "user", "assistant"]))
};

static CONTENT: Schema =
    Schema { array: Some(Array::of(&PART)), doc: "The message: text, or parts.", ..Schema::STRING };

static PART: Schema = Schema::object(Object::Tagged {
    key: "type",
    variants: &[
        (
            "text",
            Properties::new(
                &[Property::required("type", &TAG), Property::required("text", &Schema::STRING)],
                UnknownKeys::Ignore,
            ),
        ),
        (
            "file_ref",
            Properties::new(
                &[Property::required("type", &TAG), Property::required("path", &FILE_PATH)],
                UnknownKeys::Ignore,
            ),
        ),
        (
            "image_url",
            Properties::new(
                &[Property::required("type", &TAG), Property::required("image_url", &IMAGE_URL)],
                UnknownKeys::Ignore,
            ),
        ),
    ],
});

static TAG: Schema = Schema {
    doc: "The kind of the part.",
    ..Schema::text(StringSchema::one_of(&["text", "file_ref", "image_url"]))
};

static FILE_PATH: Schema = Schema {
    doc: "Path of an attachment in the ZIP, under attachments/.",
    ..Schema::text(StringSchema::NAME.captured(FILE_REF))
};

static IMAGE_URL: Schema = Schema {
    doc: "In the loader, not in the document.",
    ..Schema::object(Object::new(&[Property::required("url", &Schema::STRING)], UnknownKeys::Ignore))
};

static JSON_SCHEMA: Schema =
    Schema { doc: "A JSON Schema for the answer. In the loader, not in the document.", ..Schema::ANY_OBJECT };

static USAGE_OUTPUT: Schema = Schema {
    null: true,
    string: Some(StringSchema::ANY),
    object: Some(Object::new(&[], UnknownKeys::Allow)),
    array: Some(Array::of(&ANY)),
    doc: "Reserved; typically null.",
    ..Schema::NONE
};

/// The number of the capture of a `file_ref`'s path.
const FILE_REF: u8 = 1;

/// Checks that the referenced attachments exist, in the folder that the document names. The attachments remember which of them are
/// referenced.
#[derive(Debug)]
struct References;

impl RecordChecks for References {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        match captures.attachments {
            None => captures.strings.is_empty(),
            Some(attachments) => captures.texts(FILE_REF).all(|path| references::is_valid(attachments, path)),
        }
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        embedded::check(record, out);
        references::check(record, out);
    }
}

static SIGNATURES: &[Signature] = &[
    Signature::new(&[Sign::entries(&["samples.jsonl"])], 90, "the ZIP has samples.jsonl"),
    Signature::new(&[Sign::entries(&["attachments/"])], 75, "the ZIP has a folder attachments"),
    Signature::new(&[Sign::entries(&[])], 20, "it is a ZIP archive"),
    Signature::new(&[Sign::record(&["input.messages"])], 60, "line {line} has {name}")
        .up_to(100)
        .beside_other(60)
        .without(PREFERENCE_KEYS),
    Signature::new(
        &[Sign::strings(&["input"])],
        20,
        "line {line} has a key input, which is text and has no messages",
    )
    .beside_other(0),
    Signature::new(&[Sign::record(&["input"])], 40, "line {line} has a key input, but no messages in it")
        .beside_other(0)
        .without(PREFERENCE_KEYS),
    Signature::new(
        &[Sign::object(&["input"]), Sign::words(&["messages"])],
        35,
        "the first object has a key input, and messages in it",
    )
    .beside_other(0)
    .without(PREFERENCE_KEYS),
    Signature::new(&[Sign::words(&["input", "messages", "role"])], 20, WORDS_OCCUR).beside_other(0),
];

/// The full example, packed by build.rs from the folder juryarena/full.
const FULL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/juryarena-full.zip"));

/// The turns of `input.messages`, and the keys beside `input`.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let messages = shown.root.get("input")?.get("messages")?.as_array()?;
    let turns = messages.iter().enumerate().map(|(index, message)| Turn {
        role: message.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text),
        path: format!("input.messages.{index}"),
        parts: message.get("content").map_or_else(Vec::new, |content| parts(shown, content)),
        ..Turn::default()
    });
    let fields = ["json_schema", "usage_output"].into_iter().filter_map(|key| {
        let value = shown.root.get(key)?;
        (value.kind != Kind::Null).then(|| shown.labelled(key, value))
    });
    Some(Sample { turns: turns.collect(), fields: fields.collect(), ..Sample::default() })
}

fn parts(shown: &Shown<'_>, content: &Value<'_>) -> Vec<Part> {
    match &content.kind {
        Kind::String(_) => vec![shown.text(content)],
        Kind::Array(parts) => parts.iter().map(|value| part(shown, value)).collect(),
        _ => vec![shown.other(content)],
    }
}

fn part(shown: &Shown<'_>, value: &Value<'_>) -> Part {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match text("type") {
        Some("text") => shown.text(value.get("text").filter(|text| text.as_str().is_some()).unwrap_or(value)),
        Some("file_ref") => text("path").map_or_else(|| shown.other(value), |path| shown.file(path)),
        Some("image_url") => match value.get("image_url").and_then(|image| image.get("url")?.as_str()) {
            Some(url) => Part::ImageUrl { url: clip(url, 2048) },
            None => shown.other(value),
        },
        _ => shown.other(value),
    }
}
