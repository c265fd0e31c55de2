//! Quest Data Labeler: JSONL after a metadata line; each further line is an array of samples that are labelled together.
//!
//! The three types of samples are variants of the format. The metadata line names the type; if it cannot be read, the samples decide, so
//! that a broken metadata line is reported once and hides nothing.

mod first_line;
mod metadata;
pub(super) mod preview;
mod problem;
mod rules;
pub(super) mod schemas;

use super::checks::Checks;
use super::{About, ByteOrderMark, Example, Format, Layout, LineReader, Rules, TextPolicy, Variant};
use crate::detect::{Detector, FileHead, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::{Kind, Value};
use crate::fields::{Count, Elements, Field, First, Use, Values};
use crate::loaded::{Held, JsonReader, Loader};
use evalcheck_json::schema::Schema;
use preview::preview;
use schemas::{
    CHAT_COMPLETIONS, METADATA, METADATA_KEY, SAMPLE, SAMPLE_ID, TEXT_COMPLETIONS, TEXTS, USER_KEY,
};

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    id: "quest",
    about: About {
        title: "Quest dataset",
        system: "Quest Data Labeler",
        link: "",
        summary: "A metadata line, followed by lines with arrays of samples to be labelled together.",
        noun: "line of samples",
    },
    variants: &[
        Variant { version: "", layout: Layout::JsonlWithHeader(&METADATA), schema: &TEXT_COMPLETIONS },
        Variant { version: "", layout: Layout::JsonlWithHeader(&METADATA), schema: &CHAT_COMPLETIONS },
        Variant { version: "", layout: Layout::JsonlWithHeader(&METADATA), schema: &TEXTS },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        expected: "a first line with \"sample_type\", \"samples_per_line\" and \"total_samples\", then lines that are arrays of samples",
        signatures: SIGNATURES,
        variant: |head, _| (sample_type_of(head) as usize, String::new()),
        ..Detector::NONE
    },
    texts: TextPolicy {
        byte_order_mark: ByteOrderMark::Refused,
        lines: LineReader::Node,
        ..TextPolicy::NONE
    },
    rules: Rules {
        checks: |variant| {
            let sample_type = SampleType::of_variant(variant);
            let stated = rules::StatedAt::default();
            Checks::new(
                rules::Samples { sample_type, unknown_type: None, per_line: None, stated, compared: None },
                rules::Dataset::new(sample_type),
            )
        },
        own: &[problem::QuestProblem::RULES],
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new(
            "type",
            &["*.type"],
            &[Use::Key("The type of a sample."), Use::Column("Type", First), Use::Fact("Types", Values)],
        ),
        Field::new(
            "samples",
            &[""],
            &[Use::Column("Samples", Count), Use::Fact("Samples on a line", Elements)],
        ),
        Field::new("id", &["*.id"], &[Use::Id, Use::Key("The id of a sample.")]),
        Field::new("text", &["*.text"], &[Use::Question, Use::Key("The text of a sample.")]),
        Field::new(
            "prompt",
            &["*.prompt"],
            &[Use::Question, Use::Messages, Use::Key("The prompt of a sample.")],
        ),
        Field::new(
            "completion",
            &["*.completion"],
            &[Use::Answer, Use::Messages, Use::Key("The completion of a sample.")],
        ),
    ],
    loader: Loader {
        source: "This is what Quest's reader makes of the line, by its public source: it keeps the samples as they are.",
        is_known: true,
        held: |loading| Held::read(loading.root, loading.bytes, JsonReader::JavaScript),
        may_differ: |_| false,
        loss: rules::loss,
        ..Loader::UNKNOWN
    },
    examples: &[
        Example::text("minimal", "One text", "minimal.jsonl", include_str!("quest/minimal.jsonl")),
        Example::text(
            "full",
            "Pairs of conversations, with metadata",
            "full.jsonl",
            include_str!("quest/full.jsonl"),
        ),
        Example::text("broken", "Mistakes people make", "broken.jsonl", include_str!("quest/broken.jsonl")),
    ],
};

/// The type of all samples of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SampleType {
    TextCompletion,
    ChatCompletion,
    Text,
}

impl SampleType {
    const ALL: [Self; 3] = [Self::TextCompletion, Self::ChatCompletion, Self::Text];

    /// Its name in the metadata line, and in a sample's `type`.
    const fn name(self) -> &'static str {
        match self {
            Self::TextCompletion => "text_completion",
            Self::ChatCompletion => "chat_completion",
            Self::Text => "text",
        }
    }

    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The schema of a line of such samples.
    fn schema(self) -> &'static Schema {
        FORMAT.variants[self as usize].schema
    }

    /// The type of a variant, by its schema.
    fn of_variant(variant: &'static Variant) -> Self {
        let is_of = |kind: &Self| std::ptr::eq(kind.schema(), variant.schema);
        Self::ALL.into_iter().find(is_of).unwrap_or(Self::TextCompletion)
    }

    /// The type of a sample by its `type`, or by its fields if that is missing or unknown.
    fn of(sample: &Value<'_>) -> Option<Self> {
        let named = sample.get("type").and_then(|name| Self::by_name(name.as_str()?));
        let kind = |key| sample.get(key).map(|value| &value.kind);
        named.or_else(|| match (kind("prompt"), kind("completion"), kind("text")) {
            (Some(Kind::Array(_)), Some(Kind::Array(_)), _) => Some(Self::ChatCompletion),
            (Some(Kind::String(_)), Some(Kind::String(_)), _) => Some(Self::TextCompletion),
            (None, None, Some(Kind::String(_))) => Some(Self::Text),
            _ => None,
        })
    }
}

/// The keys of the metadata line.
const METADATA_KEYS: [&str; 4] = ["sample_type", "samples_per_line", "total_samples", "hidden_metadata"];

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::record(&METADATA_KEYS).at_least(2), Sign::record(SAMPLE_KEYS).at_least(1)],
        98,
        METADATA_LINE,
    ),
    Signature::new(&[Sign::record(&METADATA_KEYS).at_least(2)], 85, METADATA_LINE),
    Signature::new(&[Sign::object(&METADATA_KEYS).at_least(2)], 80, METADATA_OBJECT),
    Signature::new(&[Sign::object(&METADATA_KEYS).at_least(1)], 50, METADATA_OBJECT),
    Signature::new(&[Sign::record(SAMPLE_KEYS).at_least(1)], 45, "line {line} is an array of samples"),
    Signature::new(&[Sign::words(&["sample_type", "samples_per_line"])], 20, WORDS_OCCUR),
];

const METADATA_LINE: &str = "line {line} is a metadata line with {name}";
const METADATA_OBJECT: &str = "the first object has keys of a metadata line";

/// The keys of samples that identify a line of samples.
const SAMPLE_KEYS: &[&str] = &["0.completion", "0.text"];

/// The type that the metadata line names, otherwise that of the first sample.
fn sample_type_of(head: &FileHead<'_>) -> SampleType {
    let is_metadata = |value: &Value<'_>| METADATA_KEYS.iter().any(|key| value.get(key).is_some());
    let mut named = head.lines.iter().filter(|(_, value)| is_metadata(value));
    let named = named.find_map(|(_, value)| SampleType::by_name(value.get("sample_type")?.as_str()?));
    let samples = || {
        let arrays = head.lines.iter().filter_map(|(_, value)| value.as_array());
        arrays.flatten().flat_map(|inner| inner.as_array().unwrap_or(std::slice::from_ref(inner)))
    };
    named
        .or_else(|| samples().find_map(SampleType::of))
        .or_else(|| by_words(head))
        .unwrap_or(SampleType::TextCompletion)
}

/// The type that the samples of an unreadable file seem to have.
fn by_words(head: &FileHead<'_>) -> Option<SampleType> {
    if head.mentions(&["prompt", "completion", "role", "content"]) {
        Some(SampleType::ChatCompletion)
    } else if head.mentions(&["prompt", "completion"]) {
        Some(SampleType::TextCompletion)
    } else {
        head.mentions(&["text"]).then_some(SampleType::Text)
    }
}
