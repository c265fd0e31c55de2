//! Evaluation sets of the Tencent Cloud TI Platform: for inference and evaluation, for evaluation only, and of the
//! kind for evaluation by hand.

mod loaded;
mod models;
mod preview;
mod rules;

use evalcheck_wire::catalogue::ExampleContent;

use super::checks::{Checks, NoChecks};
use super::{ByteOrderMark, Example, Format, Layout, Limits, TextPolicy, Variant, loss_of_exact_reader};
use crate::detect::{Detection, FileHead};
use crate::diagnose::Value;
use evalcheck_core::rule::Rule;
use evalcheck_json::schema::{Array, Empty, Object, Properties, Property, Schema, StringSchema, UnknownKeys};
use evalcheck_records::csv::{Column, Columns};
use preview::preview;
use rules::{Conversation, Dataset};

/// The rules of conversations by messages.
const CONVERSATIONS: &[Rule] = rules::ConversationProblem::RULES;

/// Questions with reference answers, for inference and evaluation.
pub static INFER: Format = Format {
    id: "tencent-infer",
    title: "Tencent TI, inference and evaluation",
    system: "Tencent Cloud TI Platform",
    link: "",
    summary: "One conversation per line, to be answered by a model and scored by a judge.",
    extensions: &["jsonl"],
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &QUESTION }],
    archive: None,
    detect: detect_infer,
    expected: "lines with \"messages\" (and perhaps \"ref_answer\")",
    texts: TEXTS,
    checks: |_| Checks::new(Conversation { with_models: false }, Dataset::new(false)),
    rules: &[CONVERSATIONS],
    preview,
    loader: loaded::MESSAGES,
    says: |_| None,
    loss: loss_of_exact_reader,
    limits: Limits::NONE,
    noun: "record",
    examples: &[
        Example {
            id: "minimal",
            title: "One question",
            file_name: "minimal.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/infer/minimal.jsonl").to_owned()),
        },
        Example {
            id: "full",
            title: "Conversations with reference answers",
            file_name: "full.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/infer/full.jsonl").to_owned()),
        },
        Example {
            id: "broken",
            title: "Mistakes people make",
            file_name: "broken.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/infer/broken.jsonl").to_owned()),
        },
    ],
};

/// The same with the answers of models, for evaluation only.
pub static EVAL: Format = Format {
    id: "tencent-eval",
    title: "Tencent TI, evaluation only",
    system: "Tencent Cloud TI Platform",
    link: "",
    summary: "One conversation per line with the answers of models, to be scored by a judge.",
    extensions: &["jsonl"],
    variants: &[Variant { version: "", layout: Layout::Jsonl, schema: &ANSWERED }],
    archive: None,
    detect: detect_eval,
    expected: "lines with \"messages\" and \"model_outputs\"",
    texts: TEXTS,
    checks: |_| Checks::new(Conversation { with_models: true }, Dataset::new(true)),
    rules: &[CONVERSATIONS, models::ModelProblem::RULES],
    preview,
    loader: loaded::OTHERS,
    says: |_| None,
    loss: loss_of_exact_reader,
    limits: Limits::NONE,
    noun: "record",
    examples: &[
        Example {
            id: "minimal",
            title: "The document's first record",
            file_name: "minimal.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/eval/minimal.jsonl").to_owned()),
        },
        Example {
            id: "full",
            title: "Two models, two answers each",
            file_name: "full.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/eval/full.jsonl").to_owned()),
        },
        Example {
            id: "broken",
            title: "Mistakes people make",
            file_name: "broken.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/eval/broken.jsonl").to_owned()),
        },
    ],
};

/// Prompts and responses, of the kind for evaluation by hand.
pub static MANUAL: Format = Format {
    id: "tencent-manual",
    title: "Tencent TI, manual evaluation",
    system: "Tencent Cloud TI Platform",
    link: "",
    summary: "Prompts with the expected responses, one conversation per line.",
    extensions: &["jsonl", "csv"],
    variants: &[
        Variant { version: "", layout: Layout::Jsonl, schema: &PROMPTED },
        Variant { version: "", layout: Layout::Csv(&COLUMNS), schema: &ROW },
    ],
    archive: None,
    detect: detect_manual,
    expected: "lines with \"conversation\", or a CSV with the columns system, prompt and response",
    texts: TEXTS,
    checks: |variant| match variant.layout {
        Layout::Csv(_) => Checks::new(NoChecks, NoChecks),
        _ => Checks::new(NoChecks, Dataset::new(false)),
    },
    rules: &[],
    preview,
    loader: loaded::OTHERS,
    says: |_| None,
    loss: loss_of_exact_reader,
    limits: Limits::NONE,
    noun: "record",
    examples: &[
        Example {
            id: "minimal",
            title: "The document's two records",
            file_name: "minimal.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/manual/minimal.jsonl").to_owned()),
        },
        Example {
            id: "full",
            title: "Conversations of several turns",
            file_name: "full.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/manual/full.jsonl").to_owned()),
        },
        Example {
            id: "broken",
            title: "Mistakes people make",
            file_name: "broken.jsonl",
            content: || ExampleContent::Text(include_str!("tencent/manual/broken.jsonl").to_owned()),
        },
        Example {
            id: "minimal-csv",
            title: "Two rows",
            file_name: "minimal.csv",
            content: || ExampleContent::Text(include_str!("tencent/manual/minimal.csv").to_owned()),
        },
        Example {
            id: "full-csv",
            title: "Rows with quotes and line breaks",
            file_name: "full.csv",
            content: || ExampleContent::Text(include_str!("tencent/manual/full.csv").to_owned()),
        },
        Example {
            id: "broken-csv",
            title: "Mistakes in a table",
            file_name: "broken.csv",
            content: || ExampleContent::Text(include_str!("tencent/manual/broken.csv").to_owned()),
        },
    ],
};

const TEXTS: TextPolicy = TextPolicy { byte_order_mark: ByteOrderMark::Undocumented, ..TextPolicy::NONE };

static QUESTION: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[Property::required("messages", &MESSAGES), Property::optional("ref_answer", &REF_ANSWER)],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

static ANSWERED: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[
            Property::required("messages", &MESSAGES),
            Property::required("model_outputs", &MODEL_OUTPUTS),
            Property::optional("ref_answer", &REF_ANSWER),
        ],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

static PROMPTED: Schema = Schema::object(Object::Properties(
    Properties::new(
        &[Property::optional("system", &SYSTEM), Property::required("conversation", &CONVERSATION)],
        UnknownKeys::Allow,
    )
    .keys_captured(captures::USER_KEY),
));

static MESSAGES: Schema = Schema {
    doc: "The conversation. A last message of the role assistant is taken as the ground truth.",
    ..Schema::array(Array::of(&MESSAGE).empty(Empty::Deny).elements_captured(captures::MESSAGE))
};

static MESSAGE: Schema = Schema::object(Object::new(
    &[Property::required("role", &ROLE), Property::required("content", &Schema::STRING)],
    UnknownKeys::Allow,
));

/// The roles that a message may have.
const ROLES: &[&str] = &["system", "user", "assistant"];

static ROLE: Schema = Schema {
    doc: "The role of the speaker.",
    ..Schema::text(StringSchema::one_of(ROLES).captured(captures::ROLE))
};

static REF_ANSWER: Schema = Schema { doc: "The reference answer.", ..Schema::STRING };

static MODEL_OUTPUTS: Schema = Schema {
    doc: "The answers of each model.",
    ..Schema::array(Array::of(&MODEL_OUTPUT).empty(Empty::Deny).elements_captured(captures::OUTPUT))
};

static MODEL_OUTPUT: Schema = Schema::object(Object::new(
    &[Property::required("model_name", &MODEL_NAME), Property::required("responses", &RESPONSES)],
    UnknownKeys::Allow,
));

static MODEL_NAME: Schema = Schema {
    doc: "The model; the same name for the same model in the whole dataset.",
    ..Schema::text(StringSchema::NAME.captured(captures::MODEL_NAME))
};

static RESPONSES: Schema = Schema {
    doc: "The answers of the model; several when it was asked several times.",
    ..Schema::array(Array::of(&RESPONSE).empty(Empty::Deny).elements_captured(captures::RESPONSE))
        .captured(captures::RESPONSES)
};

static RESPONSE: Schema = Schema::object(Object::new(
    &[Property::required("content", &ANSWER), Property::optional("reasoning_content", &REASONING)],
    UnknownKeys::Allow,
));

static ANSWER: Schema = Schema { doc: "The final answer.", ..Schema::STRING };

static REASONING: Schema = Schema { doc: "The reasoning of the model before the answer.", ..Schema::STRING };

static SYSTEM: Schema = Schema { doc: "The system message.", ..Schema::STRING };

static CONVERSATION: Schema =
    Schema { doc: "The turns.", ..Schema::array(Array::of(&PAIR).empty(Empty::Deny)) };

static PAIR: Schema = Schema::object(Object::new(
    &[Property::required("prompt", &PROMPT), Property::required("response", &EXPECTED)],
    UnknownKeys::Allow,
));

/// A row of the CSV; the header's names are the keys.
static ROW: Schema = Schema::object(Object::new(
    &[
        Property::optional("system", &SYSTEM),
        Property::required("prompt", &PROMPT),
        Property::required("response", &EXPECTED),
    ],
    UnknownKeys::Allow,
));

static COLUMNS: Columns = Columns {
    columns: &[
        Column {
            name: "system",
            aliases: &[],
            required: false,
            not_blank: false,
            is_list: false,
            doc: "The system message; may be missing or blank.",
        },
        Column {
            name: "prompt",
            aliases: &[],
            required: true,
            not_blank: true,
            is_list: false,
            doc: "The message of the user.",
        },
        Column {
            name: "response",
            aliases: &[],
            required: true,
            not_blank: false,
            is_list: false,
            doc: "The expected response.",
        },
    ],
    white_space_is_a_row: false,
    longest_cell: usize::MAX,
};

static PROMPT: Schema = Schema { doc: "The message of the user.", ..Schema::STRING };

static EXPECTED: Schema = Schema { doc: "The expected response.", ..Schema::STRING };

/// The numbers of the captures.
mod captures {
    /// The role of a message.
    pub(super) const ROLE: u8 = 1;
    /// A message, behind its role.
    pub(super) const MESSAGE: u8 = 2;
    pub(super) const MODEL_NAME: u8 = 3;
    /// A response of a model.
    pub(super) const RESPONSE: u8 = 4;
    /// The list of a model's responses, behind all of them.
    pub(super) const RESPONSES: u8 = 5;
    /// What one model answered, behind its name and its responses.
    pub(super) const OUTPUT: u8 = 6;
    /// A key that the format leaves to its users.
    pub(super) const USER_KEY: u8 = 7;
}

/// A record with `messages` at the top that has no key of another system's records.
fn has_messages(value: &Value<'_>) -> bool {
    let foreign = ["schema_version", "evaluation_id", "interaction_type", "sample_id"];
    value.get("messages").is_some() && foreign.iter().all(|key| value.get(key).is_none())
}

fn detect_infer(head: &FileHead<'_>) -> Option<Detection> {
    let detection = |confidence, reason| Some(Detection { variant: 0, confidence, reason });
    if let Some(line) = head.first_line(has_messages) {
        if head.first_line(|value| value.get("model_outputs").is_some()).is_some() {
            return detection(
                50,
                format!("line {line} has messages; model_outputs would be a key of your own"),
            );
        }
        if head.first_line(|value| value.get("ref_answer").is_some()).is_none() {
            let reason = format!("line {line} has messages, as in OpenAI's fine-tuning files and others");
            return detection(60, reason);
        }
        let confidence = 55 + head.share(has_messages) / 10 * 3;
        return detection(confidence, format!("line {line} has messages, and ref_answer occurs"));
    }
    if head.has_key("messages") && !head.has_key("schema_version") {
        return detection(40, "the first object has a key messages".to_owned());
    }
    let mentioned = head.lines.is_empty() && head.mentions(&["messages", "role", "content"]);
    mentioned
        .then_some(())
        .and_then(|()| detection(15, "the words messages, role and content occur".to_owned()))
}

fn detect_eval(head: &FileHead<'_>) -> Option<Detection> {
    let is_answered = |value: &Value<'_>| has_messages(value) && value.get("model_outputs").is_some();
    let detection = |confidence, reason| Some(Detection { variant: 0, confidence, reason });
    if let Some(line) = head.first_line(is_answered) {
        let confidence = 65 + head.share(is_answered) / 10 * 3;
        return detection(confidence, format!("line {line} has messages and model_outputs"));
    }
    if let Some(line) = head.first_line(|value| value.get("model_outputs").is_some()) {
        return detection(50, format!("line {line} has model_outputs"));
    }
    if head.has_key("model_outputs") || (head.has_key("messages") && head.mentions(&["model_outputs"])) {
        return detection(45, "the first object has messages, and model_outputs occurs".to_owned());
    }
    let mentioned = head.lines.is_empty() && head.mentions(&["model_outputs", "model_name", "responses"]);
    mentioned
        .then_some(())
        .and_then(|()| detection(25, "the words model_outputs, model_name and responses occur".to_owned()))
}

fn detect_manual(head: &FileHead<'_>) -> Option<Detection> {
    let is_prompted = |value: &Value<'_>| value.get("conversation").is_some();
    let has_prompts = |value: &Value<'_>| {
        let turns = value.get("conversation").and_then(Value::as_array).unwrap_or_default();
        turns.iter().any(|turn| turn.get("prompt").is_some() || turn.get("response").is_some())
    };
    let detection = |variant, confidence, reason| Some(Detection { variant, confidence, reason });
    if let Some(line) = head.first_line(is_prompted) {
        if head.first_line(has_prompts).is_none() {
            let reason = format!("line {line} has a conversation, but no prompt and no response in it");
            return detection(0, 25, reason);
        }
        let confidence = 60 + head.share(is_prompted) / 10 * 3;
        return detection(0, confidence, format!("line {line} has a conversation"));
    }
    if let Some(header) = &head.header {
        let has = |name: &str| header.iter().any(|cell| cell.trim().eq_ignore_ascii_case(name));
        let exact = ["prompt", "response"].iter().all(|name| header.iter().any(|cell| cell == name));
        if has("prompt") && has("response") {
            let (confidence, reason) = match (exact, has("system")) {
                (true, true) => (90, "the first row names the columns system, prompt and response"),
                (true, false) => {
                    (65, "the first row names the columns prompt and response, as files of other systems do")
                }
                (false, _) => {
                    (60, "the first row names the columns prompt and response, though not spelled exactly so")
                }
            };
            return detection(1, confidence, reason.to_owned());
        }
        if head.other_system().is_none() && (has("prompt") || has("response")) && head.has_extension("csv") {
            let name = if has("prompt") { "prompt" } else { "response" };
            return detection(1, 40, format!("the first row names a column {name}"));
        }
    }
    if head.has_key("conversation") {
        return detection(0, 40, "the first object has a key conversation".to_owned());
    }
    let mentioned = head.lines.is_empty() && head.mentions(&["conversation", "prompt", "response"]);
    mentioned
        .then_some(())
        .and_then(|()| detection(0, 18, "the words conversation, prompt and response occur".to_owned()))
}
