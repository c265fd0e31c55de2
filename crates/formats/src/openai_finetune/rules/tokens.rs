//! Special tokens of models in texts.

use std::ops::Range;

use crate::checks::{Findings, Record};
use crate::diagnose::{RecordFix, Value};

evalcheck_core::rules! {
    /// Texts with special tokens.
    TokenProblem {
        Special { token: &'static str } = "openai-finetune/special-token", Error {
            summary: "A text has a special token.",
            message: "the text has the special token {token}, and the service refuses the file",
            hint: "Remove it, or put a space into it.",
            fix: Unsafe,
            meaning: "Special tokens mark the ends of texts for the model. The service fails the job: `message contains an invalid token`. They come with scraped text.",
            other_words: ["Invalid file format. Example 1 message contains an invalid token: <|endoftext|>."],
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.<|endoftext|>"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.<| endoftext|>"}]}"#,
        }
        Chat { token: &'static str } = "openai-finetune/chat-token", Warning {
            summary: "A text has a token of a chat template.",
            message: "the text has {token}, which marks messages in a chat template",
            hint: "Write the conversation as messages, and remove the token.",
            meaning: "The service adds such tokens itself. In a text they are usually left over from a conversation that was written as one text.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?<|im_end|>"},{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
    }
}

/// The tokens that the service refuses.
const SPECIAL: [&str; 5] =
    ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"];

/// The tokens of chat templates.
const CHAT: [&str; 2] = ["<|im_start|>", "<|im_end|>"];

/// Whether the content of a string, as written, may have a token. All begin with `<|`, of which either may be written as an escape.
pub(super) fn may_be_in(written: &[u8]) -> bool {
    let follows = |bar: usize| bar > 0 && matches!(written[bar - 1], b'<' | b'c' | b'C');
    memchr::memchr_iter(b'|', written).any(follows) || memchr::memmem::find(written, b"\\u007").is_some()
}

/// Reports tokens in the texts of a message.
pub(super) fn check(record: &Record<'_>, message: &Value<'_>, out: &mut Findings<'_>) {
    let is_of_assistant = super::role(message) == "assistant";
    let own = [message.get("content"), message.get("refusal").filter(|_| is_of_assistant)];
    let parts = message.get("content").and_then(Value::as_array).unwrap_or_default();
    let of_parts = parts.iter().flat_map(|part| [part.get("text"), part.get("refusal")]);
    let calls = message.get("tool_calls").filter(|_| is_of_assistant).and_then(Value::as_array);
    let calls = calls.unwrap_or_default().iter();
    let of_calls = calls.map(|call| call.get("function")?.get("arguments"));
    for value in own.into_iter().chain(of_parts).chain(of_calls).flatten() {
        check_text(record, value, out);
    }
}

fn check_text(record: &Record<'_>, value: &Value<'_>, out: &mut Findings<'_>) {
    let Some(text) = value.as_str().filter(|text| text.contains("<|")) else { return };
    let first = |tokens: &[&'static str]| tokens.iter().copied().find(|token| text.contains(token));
    if let Some(token) = first(&SPECIAL) {
        let fix = RecordFix::not_safe("Put a space into the token, which changes the text");
        let places = places(&record.text.bytes[value.span.clone()], value.span.start);
        let fix = places.into_iter().fold(fix, |fix, place| fix.replace(place, " "));
        let fix = Some(fix).filter(|fix| !fix.edits.is_empty());
        out.report_fixed(TokenProblem::Special { token }, record.at(value), fix);
    }
    if let Some(token) = first(&CHAT) {
        out.report(TokenProblem::Chat { token }, record.at(value));
    }
}

/// The places after `<|` of the tokens that are written without escapes in a string.
fn places(written: &[u8], start: usize) -> Vec<Range<usize>> {
    let begins = memchr::memmem::find_iter(written, b"<|");
    let tokens = begins.filter(|at| SPECIAL.iter().any(|token| written[*at..].starts_with(token.as_bytes())));
    tokens.map(|at| start + at + 2..start + at + 2).collect()
}
