//! The readers of the format, which differ: the check of `LiteLLM` on uploads, vLLM's `run-batch`, and the types of requests in `OpenAI`'s
//! package, `openai-python`. `OpenAI`'s own is known by its documentation and by the codes of its errors.
//!
//! `tests/loaders/openai-batch.test.js` holds each line of the table to them.

use evalcheck_core::finding::{Finding, Path};

use super::rules::RequestProblem;

pub(super) const TYPES: &str = "openai-python";
pub(super) const VLLM: &str = "vLLM";
pub(super) const BOTH: &str = "openai-python and vLLM";
const LINES: &str = "LiteLLM and vLLM";
const KEYS: &str = "OpenAI (missing_required_parameter), LiteLLM and vLLM";
const JSON: &str = "OpenAI (invalid_json_line), LiteLLM and vLLM";
const MARK: &str = "OpenAI (invalid_json_line) and vLLM";

/// No reader that is known.
const NONE: &str = "";

/// The beginning of a code, the end of a path with `*` for each index, and the readers that refuse each such error. The first line that
/// fits counts.
const TABLE: &[(&str, &str, &str)] = &[
    ("json/nan", "", NONE),
    ("json/number-out-of-range", "", NONE),
    ("json/too-deep", "", NONE),
    // A line of such characters alone is blank to some.
    ("json/stray-character", "", NONE),
    ("json/", "", JSON),
    ("text/refused-byte-order-mark", "", MARK),
    ("text/stray-byte-order-mark", "", MARK),
    ("text/", "", JSON),
    ("file/empty", "", "OpenAI (empty_file) and LiteLLM"),
    ("dataset/no-records", "", "OpenAI (empty_file) and LiteLLM"),
    ("openai-batch/file-name", "", "OpenAI and LiteLLM"),
    ("openai-batch/anthropic", "", LINES),
    ("openai-batch/result", "", LINES),
    ("shape/wrong-type", "(root)", LINES),
    ("shape/missing-key", "custom_id", KEYS),
    ("shape/missing-key", "method", KEYS),
    ("shape/missing-key", "url", KEYS),
    ("shape/missing-key", "body", KEYS),
    ("shape/wrong-type", "custom_id", VLLM),
    ("shape/wrong-type", "method", VLLM),
    ("shape/wrong-type", "url", VLLM),
];

/// The same for differences of a body.
const BODIES: &[(&str, &str, &str)] = &[
    ("shape/missing-key", "body.messages", BOTH),
    ("shape/wrong-type", "body.messages", BOTH),
    ("shape/missing-key", "messages.*.role", BOTH),
    ("shape/wrong-type", "messages.*.role", BOTH),
    ("shape/wrong-type", "messages.*", BOTH),
    ("shape/wrong-type", "messages.*.name", BOTH),
    ("shape/wrong-type", "tools", TYPES),
    ("shape/missing-key", "function.name", BOTH),
    ("shape/missing-key", "function.arguments", BOTH),
    ("shape/wrong-type", "function.arguments", BOTH),
    ("shape/missing-key", "tool_calls.*.id", BOTH),
    ("shape/wrong-type", "tool_calls.*.id", BOTH),
    ("shape/too-few-elements", "body.messages", NONE),
    ("shape/too-few-elements", "body.tools", VLLM),
    ("shape/too-few-elements", "", NONE),
    ("shape/too-small", "body.top_logprobs", VLLM),
    // The types of responses do not demand it.
    ("shape/missing-key", "body.model", NONE),
    ("shape/", "", TYPES),
];

/// The readers that refuse an error with this code at this path of a line.
pub(super) fn of(code: &str, path: Option<&Path>) -> &'static str {
    let path = path.map(Path::general).unwrap_or_default();
    let table = if path.starts_with("body.") { BODIES } else { TABLE };
    let fits = |(start, end, _): &&(&str, &str, &str)| code.starts_with(start) && path.ends_with(end);
    table.iter().find(fits).map_or(NONE, |(_, _, readers)| readers)
}

/// The readers that refuse what a finding is about, as far as they are known.
pub(super) fn refusing(finding: &Finding) -> Option<&'static str> {
    let readers = match finding.problem.downcast_ref() {
        Some(RequestProblem::BadRequest { readers, .. } | RequestProblem::RefusedRequest { readers, .. }) => {
            readers
        }
        None if finding.is_error() => of(finding.problem.rule().code, finding.location.path.as_ref()),
        None => NONE,
    };
    Some(readers).filter(|readers| !readers.is_empty())
}
