//! Training and validation files of `OpenAI`'s fine-tuning API, which Azure `OpenAI` takes as well.
//!
//! The service's validator is closed. The rules come from its published schema, from validators that were written from its refusals, and
//! from the documentation of both services.

mod kinds;
mod preview;
mod readers;
mod rules;
mod schemas;

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, FormatOption, Layout, Limits, Rules, TextPolicy, Variant,
};
use crate::chat::PREFERENCE_KEYS;
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::fields::{Count, Field, Use, Values};
use crate::loaded::Loader;

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    options: &[FormatOption {
        name: "azure",
        help: "The files are for Azure: a byte order mark is a warning, and an output of a preference may be several messages, of the assistant and of tools.",
        format: &AZURE,
    }],
    ..OPENAI
};

/// The format for Azure.
static AZURE: Format = Format {
    about: About { title: "Azure OpenAI, fine-tuning", ..ABOUT },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &schemas::RECORD_FOR_AZURE }],
    texts: TextPolicy {
        byte_order_mark: ByteOrderMark::Undocumented,
        mark_note: " Azure's documentation once demanded the mark.",
        ..TEXTS
    },
    ..OPENAI
};

const ABOUT: About = About {
    title: "OpenAI and Azure, fine-tuning",
    system: "OpenAI fine-tuning",
    link: "https://developers.openai.com/api/docs/guides/fine-tuning-best-practices",
    summary: "One example per line: a conversation, or a preference between two answers.",
    noun: "example",
};

const TEXTS: TextPolicy = TextPolicy {
    byte_order_mark: ByteOrderMark::Refused,
    mark_note: " OpenAI refuses the upload: \"Expected file to have JSONL format, where every line is a JSON dictionary. Line 1 is not a dictionary\". Azure's documentation once demanded the mark: use the option azure for it.",
    blank_lines_are_doubtful: true,
    ..TextPolicy::NONE
};

/// The format without options.
const OPENAI: Format = Format {
    id: "openai-finetune",
    about: ABOUT,
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &schemas::RECORD }],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"messages\", or with \"input\", \"preferred_output\" and \"non_preferred_output\"",
        signatures: SIGNATURES,
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TEXTS,
    rules: Rules {
        checks: |_| Checks::new(rules::Messages, kinds::Dataset::default()),
        own: &[
            kinds::KindProblem::RULES,
            rules::MessageProblem::RULES,
            rules::CallProblem::RULES,
            rules::TokenProblem::RULES,
        ],
        limits: Limits {
            least: Some(10),
            least_note: " A validation file needs only 1.",
            bytes: Some(512 << 20),
            large_files: "OpenAI's uploads API, which takes a file in parts",
            ..Limits::NONE
        },
    },
    preview: preview::preview,
    fields: &[
        Field::new(
            "messages",
            &["messages", "input.messages"],
            &[Use::Messages, Use::Question, Use::Answer, Use::Column("Turns", Count)],
        ),
        Field::new("preferred", &["preferred_output"], &[Use::Key("The preferred output."), Use::Answer]),
        Field::new(
            "tool",
            &["messages.*.tool_calls.*.function.name"],
            &[Use::Key("A tool that is called."), Use::Fact("Tools that are called", Values)],
        ),
    ],
    loader: Loader {
        source: "This is the record as Python reads it. The service keeps the bytes of the file; what it makes of them is not public.",
        refused_by: readers::refusing,
        ..Loader::UNKNOWN
    },
    examples: &[
        Example::text(
            "minimal",
            "Ten questions",
            "minimal.jsonl",
            include_str!("openai_finetune/minimal.jsonl"),
        ),
        Example::text(
            "full",
            "Tools, images and weights",
            "full.jsonl",
            include_str!("openai_finetune/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("openai_finetune/broken.jsonl"),
        ),
    ],
};

/// Keys of records of other systems that may also have `messages`.
const FOREIGN: &[&str] = &[
    "schema_version",
    "evaluation_id",
    "interaction_type",
    "sample_id",
    "ref_answer",
    "model_outputs",
    "schemaVersion",
];

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[
            Sign::record(&["messages"]),
            Sign::record(&["messages.*.weight", "parallel_tool_calls"]).at_least(1),
        ],
        85,
        "line {line} has messages, and weight or parallel_tool_calls occurs",
    )
    .up_to(97),
    Signature::new(&[Sign::record(PREFERENCE_KEYS).at_least(1)], 90, "line {line} has {names}").up_to(100),
    Signature::new(&[Sign::record(&["messages", "tools"])], 66, "line {line} has messages and tools")
        .without(FOREIGN),
    Signature::new(
        &[Sign::record(&["messages"]), Sign::words(&["assistant", "developer"]).at_least(1)],
        65,
        "line {line} has messages, and roles of OpenAI's API occur",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::record(&["messages"])],
        50,
        "line {line} has messages, as files of other systems do",
    )
    .without(FOREIGN),
    Signature::new(&[Sign::object(PREFERENCE_KEYS).at_least(1)], 80, "the first object has {names}"),
    Signature::new(
        &[Sign::object(&["messages"]), Sign::words(&["\"weight\"", "parallel_tool_calls"]).at_least(1)],
        75,
        "the first object has a key messages, and weight or parallel_tool_calls occurs",
    )
    .without(FOREIGN),
    Signature::new(&[Sign::object(&["messages"])], 38, "the first object has a key messages")
        .without(FOREIGN),
    Signature::new(&[Sign::words(&["messages", "role", "content"])], 14, WORDS_OCCUR),
];
