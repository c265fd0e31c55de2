//! Input files of `OpenAI`'s Batch API, which Azure `OpenAI`, `LiteLLM`, vLLM and others take as well.
//!
//! The service's validator is closed. The rules come from its reference, from the check of `LiteLLM`, from vLLM's reader, and from the
//! types of requests in `OpenAI`'s package.

mod dataset;
mod preview;
mod readers;
mod rules;
mod schemas;

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, FormatOption, Layout, Limits, Rules, TextPolicy, Variant,
};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::fields::{Count, Field, Text, Use, Values};
use crate::loaded::Loader;

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    options: &[
        FormatOption {
            name: "azure",
            help: "The file is for Azure, which also takes the url /chat/completions.",
            format: &AZURE,
        },
        FormatOption {
            name: "vllm",
            help: "The file is for vLLM: a request with a mistake in its body stops the whole batch, so such mistakes are errors. Lines may have different urls.",
            format: &VLLM,
        },
    ],
    ..OPENAI
};

/// The format for Azure.
static AZURE: Format = Format {
    about: About { title: "Azure OpenAI, batch", ..ABOUT },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &schemas::RECORD_FOR_AZURE }],
    ..OPENAI
};

/// The format for vLLM.
static VLLM: Format = Format {
    about: About { title: "vLLM, batch", ..ABOUT },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &schemas::RECORD_FOR_VLLM }],
    texts: TextPolicy { mark_note: "", ..TEXTS },
    rules: Rules {
        checks: |variant| {
            Checks::new(
                rules::Requests { schema: variant.schema, is_strict: true },
                dataset::Dataset::new(dataset::Demands::OF_VLLM),
            )
        },
        limits: Limits::NONE,
        ..RULES
    },
    ..OPENAI
};

const ABOUT: About = About {
    title: "OpenAI, Azure and vLLM, batch",
    system: "OpenAI Batch API",
    link: "https://developers.openai.com/api/docs/guides/batch",
    summary: "One request per line: an id, the endpoint, and the body.",
    noun: "request",
};

const TEXTS: TextPolicy = TextPolicy {
    byte_order_mark: ByteOrderMark::Refused,
    mark_note: " Line 1 is then not JSON for OpenAI, which fails the batch (invalid_json_line).",
    ..TextPolicy::NONE
};

const RULES: Rules = Rules {
    checks: |variant| {
        Checks::new(
            rules::Requests { schema: variant.schema, is_strict: false },
            dataset::Dataset::new(dataset::Demands::OF_OPENAI),
        )
    },
    own: &[rules::LineProblem::RULES, rules::RequestProblem::RULES, dataset::BatchProblem::RULES],
    limits: Limits { most: Some(50_000), bytes: Some(200_000_000), ..Limits::NONE },
};

/// The format without options.
const OPENAI: Format = Format {
    id: "openai-batch",
    about: ABOUT,
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &schemas::RECORD }],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        // Of its keys only one is hardly a key of other data.
        expected: "lines with \"custom_id\", a method, a url and a body",
        signatures: SIGNATURES,
        ..Detector::NONE
    },
    texts: TEXTS,
    rules: RULES,
    preview: preview::preview,
    fields: &[
        Field::new(
            "id",
            &["custom_id"],
            &[Use::Id, Use::Key("The id of a request."), Use::Column("Id", Text)],
        ),
        Field::new("url", &["url"], &[Use::Key("The endpoint."), Use::Fact("Endpoints", Values)]),
        Field::new(
            "model",
            &["body.model"],
            &[Use::Key("The model."), Use::Column("Model", Text), Use::Fact("Models", Values)],
        ),
        Field::new(
            "messages",
            &["body.messages"],
            &[Use::Messages, Use::Question, Use::Answer, Use::Column("Turns", Count)],
        ),
        Field::new(
            "input",
            &["body.input", "body.prompt"],
            &[Use::Key("The input of another endpoint than chat."), Use::Question],
        ),
        Field::new(
            "tool",
            &["body.messages.*.tool_calls.*.function.name"],
            &[Use::Key("A tool that is called."), Use::Fact("Tools that are called", Values)],
        ),
    ],
    loader: Loader {
        source: "This is the line as Python reads it. The service and its proxies pass the bytes on; vLLM reads the body again as the request of its endpoint.",
        refused_by: readers::refusing,
        ..Loader::UNKNOWN
    },
    examples: &[
        Example::text(
            "minimal",
            "Two questions",
            "minimal.jsonl",
            include_str!("openai_batch/minimal.jsonl"),
        ),
        Example::text(
            "full",
            "Tools, images and settings",
            "full.jsonl",
            include_str!("openai_batch/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("openai_batch/broken.jsonl"),
        ),
    ],
};

static SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::record(&["custom_id", "url", "method", "body"])],
        90,
        "line {line} has custom_id and url, with method and body",
    )
    .up_to(99),
    Signature::new(
        &[Sign::record(&["custom_id", "body"]), Sign::record(&["url", "method"]).at_least(1)],
        80,
        "line {line} has {names}",
    ),
    Signature::new(
        &[Sign::record(&["custom_id", "url", "method"])],
        80,
        "line {line} has {names}, without a body",
    ),
    Signature::new(
        &[Sign::record(&["custom_id", "body"])],
        60,
        "line {line} has {names}, without a method and a url",
    ),
    Signature::new(
        &[Sign::record(&["url", "body"]), Sign::record(&["method"])],
        60,
        "line {line} has {names}, and a method",
    ),
    Signature::new(&[Sign::object(&["custom_id", "body"])], 60, "the first object has {names}"),
    Signature::new(&[Sign::record(&["body.messages"])], 40, "line {line} has {name}"),
    Signature::new(&[Sign::words(&["custom_id", "body", "url"])], 25, WORDS_OCCUR),
];
