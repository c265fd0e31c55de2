//! Evaluation sets of the Tencent Cloud TI Platform: for inference and evaluation, for evaluation only, and for manual evaluation.

mod loaded;
mod models;
mod preview;
mod rules;
mod schemas;

use super::checks::{Checks, NoChecks};
use super::{About, ByteOrderMark, Example, Format, Layout, Rules, TextPolicy, Variant};
use crate::detect::{Detector, Sign, Signature, WORDS_OCCUR};
use crate::fields::{Elements, Field, Text, Use, Values};
use evalcheck_core::rule::Rule;
use preview::preview;
use rules::{Conversation, Dataset};
use schemas::{ANSWERED, COLUMNS, PROMPTED, QUESTION, ROLES, ROW, captures};

/// The rules for conversations of messages.
const CONVERSATIONS: &[Rule] = rules::ConversationProblem::RULES;

/// Questions with reference answers, for inference and evaluation.
pub static INFER: Format = Format {
    id: "tencent-infer",
    about: About {
        title: "Tencent TI, inference and evaluation",
        system: "Tencent Cloud TI Platform",
        link: "",
        summary: "One conversation per line, to be answered by a model and scored by a judge.",
        noun: "record",
    },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &QUESTION }],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"messages\" (and perhaps \"ref_answer\")",
        signatures: INFER_SIGNATURES,
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TEXTS,
    rules: Rules {
        checks: |_| Checks::new(Conversation { with_models: false }, Dataset::new(false)),
        own: &[CONVERSATIONS],
        ..Rules::NONE
    },
    preview,
    fields: &[Field::new("messages", &["messages"], &[Use::Messages, Use::Question, Use::Answer]), REFERENCE],
    loader: loaded::MESSAGES,
    examples: &[
        Example::text(
            "minimal",
            "One question",
            "minimal.jsonl",
            include_str!("tencent/infer/minimal.jsonl"),
        ),
        Example::text(
            "full",
            "Conversations with reference answers",
            "full.jsonl",
            include_str!("tencent/infer/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("tencent/infer/broken.jsonl"),
        ),
    ],
};

/// Questions with the answers of models, for evaluation only.
pub static EVAL: Format = Format {
    id: "tencent-eval",
    about: About {
        title: "Tencent TI, evaluation only",
        system: "Tencent Cloud TI Platform",
        link: "",
        summary: "One conversation per line with the answers of models, to be scored by a judge.",
        noun: "record",
    },
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &ANSWERED }],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"messages\" and \"model_outputs\"",
        signatures: EVAL_SIGNATURES,
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TEXTS,
    rules: Rules {
        checks: |_| Checks::new(Conversation { with_models: true }, Dataset::new(true)),
        own: &[CONVERSATIONS, models::ModelProblem::RULES],
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new("messages", &["messages"], &[Use::Messages, Use::Question]),
        Field::new(
            "model",
            &["model_outputs.*.model_name"],
            &[Use::Key("The name of a model."), Use::Column("Models", Text), Use::Fact("Models", Values)],
        ),
        Field::new(
            "answer",
            &["model_outputs.*.responses"],
            &[Use::Key("The answers of a model."), Use::Answer, Use::Fact("Responses of a model", Elements)],
        ),
        REFERENCE,
    ],
    loader: loaded::OTHERS,
    examples: &[
        Example::text(
            "minimal",
            "The document's first record",
            "minimal.jsonl",
            include_str!("tencent/eval/minimal.jsonl"),
        ),
        Example::text(
            "full",
            "Two models, two answers each",
            "full.jsonl",
            include_str!("tencent/eval/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("tencent/eval/broken.jsonl"),
        ),
    ],
};

/// Prompts and responses, for manual evaluation.
pub static MANUAL: Format = Format {
    id: "tencent-manual",
    about: About {
        title: "Tencent TI, manual evaluation",
        system: "Tencent Cloud TI Platform",
        link: "",
        summary: "Prompts with the expected responses, one conversation per line.",
        noun: "record",
    },
    variants: &[
        Variant { version: "", layout: Layout::Jsonl, schema: &PROMPTED },
        Variant { version: "", layout: Layout::Csv(&COLUMNS), schema: &ROW },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl", "csv"],
        expected: "lines with \"conversation\", or a CSV with the columns system, prompt and response",
        signatures: MANUAL_SIGNATURES,
        variant: Detector::AS_SIGNED,
        ..Detector::NONE
    },
    texts: TEXTS,
    rules: Rules {
        checks: |variant| match variant.layout {
            Layout::Csv(_) => Checks::new(NoChecks, NoChecks),
            _ => Checks::new(NoChecks, Dataset::new(false)),
        },
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new("system", &["system"], &[Use::Key("The system prompt.")]),
        Field::new("turns", &["conversation"], &[Use::Fact("Turns", Elements)]),
        Field::new("question", &["conversation.*.prompt", "prompt"], &[Use::Question, Use::Key("A prompt.")]),
        Field::new(
            "answer",
            &["conversation.*.response", "response"],
            &[Use::Answer, Use::Key("A response.")],
        ),
    ],
    loader: loaded::OTHERS,
    examples: &[
        Example::text(
            "minimal",
            "The document's two records",
            "minimal.jsonl",
            include_str!("tencent/manual/minimal.jsonl"),
        ),
        Example::text(
            "full",
            "Conversations of several turns",
            "full.jsonl",
            include_str!("tencent/manual/full.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("tencent/manual/broken.jsonl"),
        ),
        Example::text("minimal-csv", "Two rows", "minimal.csv", include_str!("tencent/manual/minimal.csv")),
        Example::text(
            "full-csv",
            "Rows with quotes and line breaks",
            "full.csv",
            include_str!("tencent/manual/full.csv"),
        ),
        Example::text(
            "broken-csv",
            "Mistakes in a table",
            "broken.csv",
            include_str!("tencent/manual/broken.csv"),
        ),
    ],
};

/// The reference answer.
const REFERENCE: Field = Field::new(
    "reference",
    &["ref_answer"],
    &[Use::Key("The reference answer."), Use::Column("Reference", Text)],
);

const TEXTS: TextPolicy = TextPolicy { byte_order_mark: ByteOrderMark::Undocumented, ..TextPolicy::NONE };

/// Keys of records of other systems that may also have `messages`.
const FOREIGN: &[&str] =
    &["schema_version", "schemaVersion", "evaluation_id", "interaction_type", "sample_id"];

static INFER_SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::record(&["messages"]), Sign::record(&["model_outputs"])],
        50,
        "line {line} has messages; model_outputs would be a key of your own",
    )
    .without(FOREIGN),
    Signature::new(
        &[Sign::record(&["messages"]), Sign::record(&["ref_answer"])],
        55,
        "line {line} has messages, and ref_answer occurs",
    )
    .up_to(85)
    .without(FOREIGN),
    Signature::new(
        &[Sign::record(&["messages"])],
        60,
        "line {line} has messages, as in OpenAI's fine-tuning files and others",
    )
    .without(FOREIGN),
    Signature::new(&[Sign::object(&["messages"])], 40, "the first object has a key messages")
        .without(FOREIGN),
    Signature::new(&[Sign::words(&["messages", "role", "content"])], 15, WORDS_OCCUR),
];

static EVAL_SIGNATURES: &[Signature] = &[
    Signature::new(
        &[Sign::record(&["messages", "model_outputs"])],
        65,
        "line {line} has messages and model_outputs",
    )
    .up_to(95)
    .without(FOREIGN),
    Signature::new(&[Sign::record(&["model_outputs"])], 50, "line {line} has model_outputs"),
    Signature::new(&[Sign::object(&["model_outputs"])], 45, ANSWERS_OCCUR),
    Signature::new(&[Sign::object(&["messages"]), Sign::words(&["model_outputs"])], 45, ANSWERS_OCCUR),
    Signature::new(&[Sign::words(&["model_outputs", "model_name", "responses"])], 25, WORDS_OCCUR),
];

const ANSWERS_OCCUR: &str = "the first object has messages, and model_outputs occurs";

static MANUAL_SIGNATURES: &[Signature] = &[
    Signature::new(
        &[
            Sign::record(&["conversation"]),
            Sign::record(&["conversation.*.prompt", "conversation.*.response"]).at_least(1),
        ],
        60,
        "line {line} has a conversation",
    )
    .up_to(90),
    Signature::new(
        &[Sign::record(&["conversation"])],
        25,
        "line {line} has a conversation, but no prompt and no response in it",
    ),
    Signature::new(
        &[Sign::columns(&["prompt", "response"]), Sign::loose_columns(&["system"])],
        90,
        "the first row names the columns system, prompt and response",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::columns(&["prompt", "response"])],
        65,
        "the first row names the columns prompt and response, as files of other systems do",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::loose_columns(&["prompt", "response"])],
        60,
        "the first row names the columns prompt and response, though not spelled exactly so",
    )
    .of_variant(1),
    Signature::new(
        &[Sign::loose_columns(&["prompt", "response"]).at_least(1), Sign::extension(&["csv"])],
        40,
        "the first row names a column {name}",
    )
    .beside_other(0)
    .of_variant(1),
    Signature::new(&[Sign::object(&["conversation"])], 40, "the first object has a key conversation"),
    Signature::new(&[Sign::words(&["conversation", "prompt", "response"])], 18, WORDS_OCCUR),
];
