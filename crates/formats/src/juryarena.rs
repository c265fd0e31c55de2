//! `JuryArena`: conversations for a model, as JSONL, or as a ZIP with attachments.
//!
//! The rules come from the system's document and from its public loader; where the two disagree FORMATS.md says which
//! counts.

mod dataset_entry;
mod embedded;
mod loaded;
mod references;

use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::view::{Part, Sample, Turn};

use super::checks::{Captures, Checks, Findings, NoChecks, Record, RecordChecks};
use super::{Example, Format, Layout, Limits, Packaging, TextPolicy, Variant, rule_loss};
use crate::detect::{Detection, FileHead};
use crate::diagnose::{Kind, SchemaProblem, Value, clip};
use crate::preview::{Shown, text_part};
use evalcheck_core::finding::{Finding, Step};
use evalcheck_json::schema::{
    ANY, Array, Empty, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};

/// The format's line in the catalogue.
pub static FORMAT: Format = Format {
    id: "juryarena",
    title: "JuryArena dataset",
    system: "JuryArena",
    link: "",
    summary: "One conversation per line, to be answered by the compared models; with attachments in a ZIP.",
    extensions: &["jsonl", "zip"],
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &SAMPLE }],
    archive: Some(&Packaging {
        choose_dataset: dataset_entry::choose,
        is_dataset: dataset_entry::is_candidate,
        unreferenced: || references::ReferenceProblem::Unreferenced.into(),
    }),
    detect,
    expected: "lines with an object \"input\" that holds \"messages\", or a ZIP with samples.jsonl",
    texts: TextPolicy { jsonb: true, embedded: true, ..TextPolicy::NONE },
    checks: |_| Checks::new(References, NoChecks),
    rules: &[
        references::ReferenceProblem::RULES,
        embedded::EmbeddedProblem::RULES,
        dataset_entry::DatasetEntryProblem::RULES,
    ],
    preview,
    loader: loaded::LOADER,
    says: zod_says,
    loss: rule_loss,
    limits: Limits { usual: Some(5_000), most: Some(50_000) },
    noun: "sample",
    examples: &[
        Example {
            id: "minimal",
            title: "One question",
            file_name: "minimal.jsonl",
            content: || ExampleContent::Text(include_str!("juryarena/minimal.jsonl").to_owned()),
        },
        Example {
            id: "full",
            title: "Conversations of every kind",
            file_name: "full.zip",
            content: full_example,
        },
        Example {
            id: "broken",
            title: "Twelve mistakes people make",
            file_name: "broken.jsonl",
            content: || ExampleContent::Text(include_str!("juryarena/broken.jsonl").to_owned()),
        },
    ],
};

/// JuryArena's loader parses with Zod 3. Where Zod tries the alternatives of a union it says no more than `Invalid input`, and
/// our message says which was meant.
fn zod_says(finding: &Finding) -> Option<&'static str> {
    let is_union = |key: &str| matches!(key, "content" | "type" | "usage_output");
    let last = finding.location.path.as_ref().and_then(|path| path.0.last());
    let at_union = matches!(last, Some(Step::Key(key)) if is_union(key));
    let verbatim = matches!(
        finding.problem.downcast_ref(),
        Some(
            SchemaProblem::MissingKey { .. }
                | SchemaProblem::WrongType { .. }
                | SchemaProblem::EnumValue { .. }
        )
    );
    (verbatim && !at_union).then_some("zod")
}

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

/// Number of the capture that is a `file_ref`'s path.
const FILE_REF: u8 = 1;

/// References to attachments: each is there, and in the folder that the document names. The attachments remember which of
/// them are referenced.
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

/// The confidence in a ZIP that is named as `JuryArena` wants, whose dataset is something else.
const UNSURE: u8 = 50;

fn detect(head: &FileHead<'_>) -> Option<Detection> {
    let has_messages =
        |value: &Value<'_>| value.get("input").is_some_and(|input| input.get("messages").is_some());
    let detection = |confidence, reason| Some(Detection { variant: 0, confidence, reason });
    if let Some(archive) = head.archive {
        let (confidence, reason) = dataset_entry::detect(archive);
        let share = head.share(has_messages);
        if share > confidence {
            return detection(share, "the dataset in the ZIP has input.messages".to_owned());
        }
        let has_input = head.first_line(|value| value.get("input").is_some()).is_some();
        let other = head.other_system();
        if head.lines.is_empty() || share > 0 || (has_input && other.is_none()) {
            return detection(confidence, reason.to_owned());
        }
        let but = match other {
            Some(system) => format!("the dataset has {}", system.reason()),
            None => "no line of the dataset has input.messages".to_owned(),
        };
        return detection(confidence.min(UNSURE), format!("{reason}, but {but}"));
    }
    if let Some(line) = head.first_line(has_messages) {
        return match head.other_system() {
            None => {
                detection(60 + head.share(has_messages) * 2 / 5, format!("line {line} has input.messages"))
            }
            Some(other) => {
                detection(60, format!("line {line} has input.messages, but also {}", other.reason()))
            }
        };
    }
    if head.other_system().is_some() {
        return None;
    }
    if let Some(line) =
        head.first_line(|value| value.get("input").is_some_and(|input| input.as_str().is_some()))
    {
        return detection(20, format!("line {line} has a key input, which is text and has no messages"));
    }
    if let Some(line) = head.first_line(|value| value.get("input").is_some()) {
        return detection(40, format!("line {line} has a key input, but no messages in it"));
    }
    if head.has_key("input") && head.mentions(&["messages"]) {
        return detection(35, "the first object has a key input, and messages in it".to_owned());
    }
    (head.lines.is_empty() && head.mentions(&["input", "messages", "role"]))
        .then_some(())
        .and_then(|()| detection(20, "the words input, messages and role occur".to_owned()))
}

fn full_example() -> ExampleContent {
    // Packed by build.rs from the folder juryarena/full.
    ExampleContent::Bytes(include_bytes!(concat!(env!("OUT_DIR"), "/juryarena-full.zip")).to_vec())
}

/// The turns of `input.messages`, and the keys beside `input`.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let messages = shown.root.get("input")?.get("messages")?.as_array()?;
    let turns = messages.iter().enumerate().map(|(index, message)| Turn {
        role: message.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text),
        path: format!("input.messages.{index}"),
        parts: message.get("content").map_or_else(Vec::new, |content| parts(shown, content)),
    });
    let fields = ["json_schema", "usage_output"].into_iter().filter_map(|key| {
        let value = shown.root.get(key)?;
        (value.kind != Kind::Null).then(|| shown.labelled(key, value))
    });
    Some(Sample { turns: turns.collect(), fields: fields.collect(), omitted: 0 })
}

fn parts(shown: &Shown<'_>, content: &Value<'_>) -> Vec<Part> {
    match &content.kind {
        Kind::String(text) => vec![text_part(text)],
        Kind::Array(parts) => parts.iter().map(|value| part(shown, value)).collect(),
        _ => vec![shown.other(content)],
    }
}

fn part(shown: &Shown<'_>, value: &Value<'_>) -> Part {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match text("type") {
        Some("text") => text("text").map_or_else(|| shown.other(value), text_part),
        Some("file_ref") => text("path").map_or_else(|| shown.other(value), |path| shown.file(path)),
        Some("image_url") => match value.get("image_url").and_then(|image| image.get("url")?.as_str()) {
            Some(url) => Part::ImageUrl { url: clip(url, 2048) },
            None => shown.other(value),
        },
        _ => shown.other(value),
    }
}
