//! The readers of the format, which differ: `openai-python` (the types of `OpenAI`'s package, put together as its published schema does),
//! `llmcomp` (a validator written from refusals of the service, for supervised fine-tuning) and Together's check of its near relative.
//!
//! `tests/loaders/openai-finetune.test.js` holds each line of the table to them.

use evalcheck_core::finding::{Finding, Path};

const ALL: &str = "openai-python, llmcomp and Together";
const STRICT: &str = "llmcomp and Together";
const TYPES: &str = "openai-python";
const TYPES_AND_CALLS: &str = "openai-python and llmcomp";
const TYPES_AND_PARTS: &str = "openai-python and Together";
const LLMCOMP: &str = "llmcomp";
const TOGETHER: &str = "Together";

/// No reader that is known.
const NONE: &str = "";

/// The beginning of a code, the end of a path with `*` for each index, and the readers that refuse each such error. The first line that
/// fits counts.
const TABLE: &[(&str, &str, &str)] = &[
    ("json/nan", "", NONE),
    ("json/number-out-of-range", "", NONE),
    ("json/stray-character", "", TYPES),
    ("json/", "", ALL),
    ("text/", "", ALL),
    ("file/another-kind", "", ALL),
    ("file/empty", "", STRICT),
    ("dataset/no-records", "", STRICT),
    ("dataset/few-records", "", LLMCOMP),
    ("openai-finetune/developer", "", STRICT),
    ("openai-finetune/empty-calls", "", LLMCOMP),
    ("openai-finetune/function-role", "", TYPES),
    ("openai-finetune/last-message", "", LLMCOMP),
    ("openai-finetune/last-unweighted", "", LLMCOMP),
    ("openai-finetune/misplaced-part", "", TYPES_AND_PARTS),
    ("openai-finetune/mixed-kinds", "", TOGETHER),
    ("openai-finetune/no-answer", "", LLMCOMP),
    ("openai-finetune/no-content", "content", NONE),
    ("openai-finetune/no-content", "", STRICT),
    ("openai-finetune/special-token", "", LLMCOMP),
    ("shape/invalid-enum-value", "image_url.detail", NONE),
    ("shape/invalid-enum-value", "tool_calls.*.type", LLMCOMP),
    ("shape/too-few-elements", "content", NONE),
    ("shape/too-few-elements", "functions", TYPES),
    ("shape/too-many-elements", "functions", TYPES),
    ("shape/too-", "", ALL),
    ("shape/unknown-variant", "content.*.type", TYPES_AND_PARTS),
    ("shape/unknown-variant", "role", ALL),
    ("shape/", "weight", TYPES),
    ("shape/", "tool_call_id", TYPES_AND_CALLS),
    ("shape/", "*.tool_calls", TYPES_AND_CALLS),
    ("shape/", "tool_calls.*.id", TYPES_AND_CALLS),
    ("shape/", "tool_calls.*.type", TYPES_AND_CALLS),
    ("shape/", "tool_calls.*.function", TYPES_AND_CALLS),
    ("shape/", "tool_calls.*.function.name", TYPES_AND_CALLS),
    ("shape/", "tool_calls.*.function.arguments", TYPES_AND_CALLS),
    ("shape/", "content.*.text", ALL),
    ("shape/missing-key", "content.*.type", ALL),
    ("shape/", "content.*.type", TYPES_AND_PARTS),
    ("shape/", "content.*.image_url", ALL),
    ("shape/", "content.*", ALL),
    ("shape/missing-key", "messages.*.content", ALL),
    ("shape/", "messages.*.content", TYPES),
    ("shape/", "messages.*", ALL),
    ("shape/", "output.*", ALL),
    ("shape/", "messages", ALL),
    ("shape/", "role", ALL),
    ("shape/", "input", ALL),
    ("shape/", "preferred_output", ALL),
    ("shape/", "prompt", ALL),
    ("shape/", "completion", ALL),
    ("shape/", "(root)", ALL),
    ("shape/", "", TYPES),
];

/// The readers that refuse what an error is about, as far as they are known.
pub(super) fn refusing(finding: &Finding) -> Option<&'static str> {
    let code = finding.problem.rule().code;
    let path = finding.location.path.as_ref().map(Path::general).unwrap_or_default();
    let fits = |(start, end, _): &&(&str, &str, &str)| code.starts_with(start) && path.ends_with(end);
    let readers = TABLE.iter().find(fits).map(|(_, _, readers)| *readers);
    readers.filter(|readers| finding.is_error() && !readers.is_empty())
}
