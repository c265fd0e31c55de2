//! Every Eval Ever: the input of a model, its output and the evaluation of it, one sample per line.
//!
//! The JSON Schemas of the two versions in use decide what is accepted (`schemas`); a test compares every verdict with another validator of
//! JSON Schema. Other doubts are warnings (`memory`, `record`, `transcript`).

mod memory;
mod record;
mod schemas;
mod transcript;
mod version;

use std::cmp::Ordering;

use evalcheck_report::view::{Badge, ExtractedAnswer, Part, Sample, Turn};

use super::checks::Checks;
use super::{
    About, ByteOrderMark, Example, Format, Integers, Layout, LineReader, Rules, StrictJson, TextPolicy,
    Variant,
};
use crate::chat;
use crate::detect::{Detector, FileHead, Sign, Signature, WORDS_OCCUR};
use crate::diagnose::{Kind, Value, clip, clip_quoted};
use crate::fields::{Field, First, Numbers, Text, Use, Values};
use crate::loaded::Loader;
use crate::preview::{Shown, mark_answer, reasoning_part};
use memory::Memory;
use record::Instance;
use version::{Name, Version};

/// The format's entry in the catalogue.
pub static FORMAT: Format = Format {
    id: "eee-instance",
    about: About {
        title: "Every Eval Ever instances",
        system: "Every Eval Ever",
        link: "https://github.com/evaleval/every_eval_ever",
        summary: "One sample per line: the input, the output or transcript, how the answer was extracted, and its score.",
        noun: "record",
    },
    variants: &[
        Variant { version: "0.2.0", layout: Layout::Jsonl, schema: &schemas::RECORD_0_2 },
        Variant { version: "0.3.0", layout: Layout::Jsonl, schema: &schemas::RECORD_0_3 },
    ],
    options: &[],
    archive: None,
    detection: Detector {
        extensions: &["jsonl"],
        expected: "lines with \"schema_version\", \"evaluation_id\", \"sample_id\", \"interaction_type\" and \"answer_attribution\"",
        signatures: &[
            Signature::new(&[Sign::record(KEYS).at_least(3)], 60, "line {line} has {names}").up_to(100),
            Signature::new(&[Sign::object(KEYS).at_least(3)], 45, "the first object has {names}"),
            Signature::new(
                &[Sign::words(&["evaluation_id", "interaction_type", "answer_attribution"])],
                25,
                WORDS_OCCUR,
            ),
        ],
        variant: |head, _| version_of(head),
        ..Detector::NONE
    },
    texts: TextPolicy {
        integers: Integers::Exact,
        strict_json: StrictJson::Always,
        byte_order_mark: ByteOrderMark::Refused,
        lines: LineReader::Python,
        ..TextPolicy::NONE
    },
    rules: Rules {
        checks: |variant| {
            let version = Version::of_variant(variant.version);
            Checks::new(Instance(version), Memory::new(version))
        },
        own: &[
            record::VersionProblem::RULES,
            transcript::TranscriptProblem::RULES,
            memory::MemoryProblem::RULES,
        ],
        ..Rules::NONE
    },
    preview,
    fields: &[
        Field::new("id", &["sample_id"], &[Use::Id, Use::Key("The id of the sample.")]),
        Field::new("evaluation", &["evaluation_name", "evaluation_result_id"], &[Use::IdPart]),
        Field::new("question", &["input.raw"], &[Use::Question, Use::Key("The question.")]),
        Field::new("reference", &["input.reference"], &[Use::Key("The reference answer.")]),
        Field::new("answer", &["output.raw"], &[Use::Answer, Use::Key("The answer of the model.")]),
        Field::new("messages", &["interactions", "messages"], &[Use::Messages, Use::Answer]),
        Field::new(
            "extracted",
            &["answer_attribution.*.extracted_value"],
            &[Use::Column("Answer", Text), Use::Where("is_terminal", "true")],
        ),
        Field::new("model", &["model_id"], &[Use::Key("The id of the model."), Use::Fact("Models", Values)]),
        Field::new(
            "score",
            &["evaluation.score"],
            &[
                Use::Key("The score."),
                Use::Column("Score", First),
                Use::Fact("Scores", Numbers),
                Use::By("model"),
            ],
        ),
        Field::new(
            "correct",
            &["evaluation.is_correct"],
            &[
                Use::Key("Whether the answer is correct."),
                Use::Column("Correct", First),
                Use::Fact("Correct", Values),
                Use::By("model"),
            ],
        ),
    ],
    loader: Loader::UNKNOWN,
    examples: &[
        Example::text("minimal", "One question", "minimal.jsonl", include_str!("eee_instance/minimal.jsonl")),
        Example::text("full", "All that 0.2.0 knows", "full.jsonl", include_str!("eee_instance/full.jsonl")),
        Example::text(
            "full-0.3.0",
            "All that 0.3.0 knows",
            "full-0.3.0.jsonl",
            include_str!("eee_instance/full-0.3.0.jsonl"),
        ),
        Example::text(
            "broken",
            "Mistakes people make",
            "broken.jsonl",
            include_str!("eee_instance/broken.jsonl"),
        ),
    ],
};

/// The number of extracted answers of a turn that are shown.
const MOST_EXTRACTED: usize = 20;

/// The number of characters of an extracted answer that are shown.
const EXTRACTED_CHARS: usize = 500;

/// Keys that only records of this format have together. The version, which the reason gives anyway, comes last.
const KEYS: &[&str] = &[
    "evaluation_id",
    "interaction_type",
    "answer_attribution",
    "sample_id",
    "evaluation_name",
    "model_id",
    "schema_version",
];

/// The version of most records, and the reason; if no record can be read, the version is chosen by words of the file.
fn version_of(head: &FileHead<'_>) -> (usize, String) {
    let is_record = |value: &&Value<'_>| KEYS.iter().filter(|key| value.get(key).is_some()).count() >= 3;
    let records = || head.lines.iter().map(|(_, value)| value).filter(is_record);
    let Some(first) = records().next() else {
        let mentions = |word| head.mentions(&[word]);
        let is_old = (mentions("\"interactions\"") || mentions("\"0.2.0\"")) && !mentions("\"messages\"");
        return (if is_old { Version::V02 } else { Version::V03 }.variant(), String::new());
    };
    let votes = |version| records().filter(|value| Version::of_record(value) == version).count();
    let version = match votes(Version::V02).cmp(&votes(Version::V03)) {
        Ordering::Greater => Version::V02,
        Ordering::Less => Version::V03,
        Ordering::Equal => Version::of_record(first),
    };
    let record = records().find(|record| Version::of_record(record) == version).unwrap_or(first);
    (version.variant(), why(version, record))
}

/// Why a record is checked against a version, in words.
fn why(version: Version, record: &Value<'_>) -> String {
    let shape = Version::by_shape(record).map(|shape| shape.signs(record).join(" and "));
    let Some(name) = Name::of_record(record) else {
        return match shape {
            Some(signs) => format!("{signs}, as in {}", version.name()),
            None => format!("nothing says which version, so {} is taken", version.name()),
        };
    };
    let named = record.get("schema_version").and_then(Value::as_str).map(clip_quoted).unwrap_or_default();
    match shape {
        Some(signs) if name.version() != version => {
            format!("schema_version is {named}, but {signs}, as in {}", version.name())
        }
        _ if name == Name::V021To023 => {
            format!("schema_version is {named}, which is the schema of {} under another name", version.name())
        }
        _ => format!("schema_version is {named}"),
    }
}

/// The transcript, or the question and its answer, with the score and its subject.
fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let root = shown.root;
    let version = if root.get("messages").is_some() { Version::V03 } else { Version::V02 };
    let transcript = root.get(version.transcript()).and_then(Value::as_array);
    let mut turns: Vec<Turn> = if let Some(turns) = transcript {
        let turns = turns.iter().enumerate();
        turns.map(|(index, turn)| turn_of(shown, turn, format!("{}.{index}", version.transcript()))).collect()
    } else {
        let turn = |role: &str, key: &str, texts: &[&str]| {
            let value = root.get(key).filter(|value| matches!(value.kind, Kind::Object(_)))?;
            let parts = texts_of(shown, value, texts);
            Some(Turn { role: role.to_owned(), path: key.to_owned(), parts, ..Turn::default() })
        };
        let asked = turn("user", "input", &["raw"]);
        let answered = turn("assistant", "output", &["reasoning_trace", "raw"]);
        asked.into_iter().chain(answered).collect()
    };
    extracted_answers(root, transcript, &mut turns);
    let (badges, in_head) = badges(shown);
    let beside = [
        &["evaluation", "score"][..],
        &["evaluation", "is_correct"],
        &["input", "reference"],
        &["input", "choices"],
        &["answer_attribution"],
        &["sample_id"],
        &["evaluation_name"],
        &["evaluation_id"],
        &["model_id"],
        &["interaction_type"],
        &["token_usage"],
        &["performance"],
        &["error"],
        &["metadata"],
    ];
    let fields = beside.into_iter().filter(|keys| !in_head.contains(keys)).filter_map(|keys| {
        let value = keys.iter().try_fold(root, |value, key| value.get(key))?;
        (value.kind != Kind::Null).then(|| shown.labelled(&keys.join("."), value))
    });
    let sample = Sample { badges, turns, fields: fields.collect(), ..Sample::default() };
    (!sample.turns.is_empty()).then_some(sample)
}

/// Badges for the score and the correctness of the answer, and the keys of those that the record has.
fn badges(shown: &Shown<'_>) -> (Vec<Badge>, Vec<&'static [&'static str]>) {
    let evaluation = shown.root.get("evaluation");
    let of = |key: &str| evaluation.and_then(|evaluation| evaluation.get(key));
    let mut badges = Vec::new();
    let mut keys: Vec<&[&str]> = Vec::new();
    if let Some(score) = of("score").filter(|score| matches!(score.kind, Kind::Number(..) | Kind::Boolean(_)))
    {
        badges.push(shown.badge("Score", score));
        keys.push(&["evaluation", "score"]);
    }
    if let Some(&Kind::Boolean(is_correct)) = of("is_correct").map(|value| &value.kind) {
        let text = if is_correct { "Correct" } else { "Incorrect" };
        badges.push(Badge { label: String::new(), text: text.to_owned(), is_correct: Some(is_correct) });
        keys.push(&["evaluation", "is_correct"]);
    }
    (badges, keys)
}

/// Adds to each turn the answers that are attributed to it, and marks them in its text if the text is their source.
fn extracted_answers(root: &Value<'_>, transcript: Option<&[Value<'_>]>, turns: &mut [Turn]) {
    let attributions = root.get("answer_attribution").and_then(Value::as_array).unwrap_or_default();
    let text = |of: &Value<'_>, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    for attribution in attributions {
        let Some(answer) = text(attribution, "extracted_value") else { continue };
        let turn = match transcript {
            Some(values) => transcript::attributed(values, attribution),
            // The question has the same number, 0.
            None => turns.iter().position(|turn| turn.path == "output"),
        };
        let Some(turn) = turn.and_then(|turn| turns.get_mut(turn)) else { continue };
        let source = text(attribution, "source").unwrap_or_default();
        if [".content", ".raw"].iter().any(|key| source.ends_with(key)) {
            mark_answer(&mut turn.parts, &answer);
        }
        if turn.extracted.len() < MOST_EXTRACTED {
            let is_final =
                attribution.get("is_terminal").is_some_and(|value| value.kind == Kind::Boolean(true));
            let method = clip(&text(attribution, "extraction_method").unwrap_or_default(), EXTRACTED_CHARS);
            turn.extracted.push(ExtractedAnswer { text: clip(&answer, EXTRACTED_CHARS), method, is_final });
        }
    }
}

/// A turn of a transcript, with its tool calls and the calls that it answers.
fn turn_of(shown: &Shown<'_>, turn: &Value<'_>, path: String) -> Turn {
    let mut parts = texts_of(shown, turn, &["reasoning_trace", "content"]);
    let result_of = chat::add_calls(shown, turn, &path, &mut parts);
    let role = turn.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text);
    Turn { role, path, parts, result_of, ..Turn::default() }
}

/// The texts under some keys.
fn texts_of(shown: &Shown<'_>, value: &Value<'_>, texts: &[&str]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (key, value) in texts.iter().filter_map(|key| Some((*key, value.get(key)?))) {
        let part = |value: &Value<'_>| match value.as_str().filter(|_| key == "reasoning_trace") {
            Some(reasoning) => reasoning_part(reasoning),
            None => shown.text(value),
        };
        match &value.kind {
            Kind::Null => {}
            Kind::Array(several) => parts.extend(several.iter().map(part)),
            _ => parts.push(part(value)),
        }
    }
    parts
}
