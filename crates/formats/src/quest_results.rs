//! Labelling results of Quest Data Labeler: one line per labelling of a sample, or of several together.

mod rules;

use evalcheck_json::schema::{
    Array, Empty, Number, Object, Properties, Property, Schema, StringSchema, UnknownKeys,
};
use evalcheck_report::view::Sample;

use super::checks::Checks;
use super::quest::preview::show_samples;
use super::quest::schemas::{CHAT_COMPLETION, TEXT, TEXT_COMPLETION};
use super::{About, ByteOrderMark, Example, Format, Layout, Rules, TextPolicy, Variant};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::Kind;
use crate::fields::{Field, First, Text, Use, Values};
use crate::loaded::Loader;
use crate::preview::Shown;

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    about: About {
        title: "Quest results",
        system: "Quest Data Labeler",
        link: "",
        summary: "One result per line: what was labelled, the feedback, and when.",
        noun: "result",
    },
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"sample\", \"feedback\" and \"timestamp\"",
        signatures: &[
            Signature::new(&[Sign::record(&KEYS)], 60, "line {line} has {all}").up_to(98),
            Signature::new(&[Sign::record(&["sample", "feedback"])], 45, "line {line} has {names}"),
            Signature::new(&[Sign::object(&KEYS)], 75, "the first object has the keys {all}"),
            Signature::new(&[Sign::words(&KEYS)], 18, WORDS_OCCUR),
        ],
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TextPolicy { byte_order_mark: ByteOrderMark::Refused, ..TextPolicy::NONE },
    rules: Rules {
        checks: |_| Checks::new(rules::Timestamps, rules::Dataset::default()),
        own: &[rules::ResultsProblem::RULES],
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new(
            "type",
            &["sample.type", "sample.*.type"],
            &[Use::Key("The type of a sample."), Use::Column("Type", First), Use::Fact("Types", Values)],
        ),
        Field::new("id", &["sample.id", "sample.*.id"], &[Use::Id, Use::Key("The id of a sample.")]),
        Field::new("timestamp", &["timestamp"], &[Use::IdPart]),
        Field::new("prompt", &["sample.prompt", "sample.*.prompt"], &[Use::Question, Use::Messages]),
        Field::new("text", &["sample.text", "sample.*.text"], &[Use::Question]),
        Field::new(
            "completion",
            &["sample.completion", "sample.*.completion"],
            &[Use::Answer, Use::Messages],
        ),
        Field::new(
            "feedback",
            &["feedback.*"],
            &[Use::Key("A value of the feedback."), Use::Column("Feedback", Text)],
        ),
    ],
    loader: Loader {
        source: "This is the line as it is: by its public source, Quest reads back only the keys of the first line.",
        ..Loader::UNKNOWN
    },
    examples: &[
        Example::text("minimal", "One text", "minimal.jsonl", include_str!("quest_results/minimal.jsonl")),
        Example::text("full", "All feedback", "full.jsonl", include_str!("quest_results/full.jsonl")),
        Example::text("broken", "Mistakes", "broken.jsonl", include_str!("quest_results/broken.jsonl")),
    ],
    ..Format::new("quest-results", &[Variant { version: "", layout: Layout::Jsonl, schema: &RESULT }])
};

/// The keys of a result.
const KEYS: [&str; 3] = ["sample", "feedback", "timestamp"];

static RESULT: Schema = Schema::object(Object::new(
    &[
        Property::required("sample", &SAMPLE),
        Property::required("feedback", &FEEDBACK),
        Property::required("timestamp", &TIMESTAMP),
    ],
    UnknownKeys::Deny,
));

const ONE_SAMPLE: Object = Object::Tagged {
    key: "type",
    variants: &[("text_completion", TEXT_COMPLETION), ("chat_completion", CHAT_COMPLETION), ("text", TEXT)],
};

static SAMPLE: Schema = Schema {
    array: Some(Array::of(&Schema::object(ONE_SAMPLE)).empty(Empty::Suspicious)),
    doc: "The sample that was labelled, or the list of those that were compared.",
    ..Schema::object(ONE_SAMPLE).captured(capture::SAMPLE)
};

static FEEDBACK: Schema = Schema {
    doc: "The feedback by the keys of the task.",
    capture: Some(capture::FEEDBACK),
    ..Schema::object(Object::Properties(
        Properties::new(&[], UnknownKeys::Each(&VALUE)).keys_captured(capture::KEY),
    ))
};

static VALUE: Schema = Schema {
    string: Some(StringSchema::ANY.captured_raw(capture::VALUE)),
    array: Some(Array::of(&Schema::STRING)),
    doc: "A string (select, text), a number (numeric) or a list of strings (multiselect, ranking).",
    ..Schema::number(Number::ANY).captured(capture::VALUE)
};

static TIMESTAMP: Schema = Schema {
    doc: "When it was labelled: ISO 8601 in UTC, with milliseconds.",
    example: Some("\"2025-02-10T20:11:56.000Z\""),
    ..Schema::text(StringSchema::ANY.captured(capture::TIMESTAMP))
};

/// Numbers of captures, in addition to those of samples.
mod capture {
    pub(super) const SAMPLE: u8 = 16;
    pub(super) const FEEDBACK: u8 = 17;
    pub(super) const KEY: u8 = 18;
    pub(super) const VALUE: u8 = 19;
    pub(super) const TIMESTAMP: u8 = 20;
}

/// The samples, with the feedback and the timestamp.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let mut out = Sample::default();
    if let Some(Kind::Object(members)) = shown.root.get("feedback").map(|feedback| &feedback.kind) {
        for member in members.iter().filter(|member| !member.shadowed) {
            out.fields.push(shown.labelled(&format!("feedback.{}", member.key), &member.value));
        }
    }
    out.fields.extend(shown.root.get("timestamp").map(|value| shown.labelled("timestamp", value)));
    let sample = shown.root.get("sample")?;
    match sample.as_array() {
        Some(samples) => {
            let samples = samples.iter().enumerate();
            show_samples(shown, samples.map(|(index, sample)| (format!("sample.{index}"), sample)), &mut out);
        }
        None => show_samples(shown, std::iter::once(("sample".to_owned(), sample)), &mut out),
    }
    Some(out)
}
