//! Special tokens of models in texts.

use std::ops::Range;

use crate::checks::{Captures, Findings, Record, Target};
use crate::diagnose::{Kind, RecordFix, Value};
use crate::openai_finetune::schemas::captures;

evalcheck_core::rules! {
    /// Texts with special tokens.
    TokenProblem {
        Special { token: &'static str } = "openai-finetune/special-token", Error {
            summary: "A text has a special token.",
            message: "the special token {token}: the service refuses the file",
            hint: "Remove it, or put a space into it.",
            fix: Unsafe,
            meaning: "Special tokens mark the ends of texts for the model. The service fails the job if the content of a message has one: `message contains an invalid token`. They come with scraped text.",
            other_words: ["Invalid file format. Example 1 message contains an invalid token: <|endoftext|>."],
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.<|endoftext|>"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.<| endoftext|>"}]}"#,
        }
        Elsewhere { token: &'static str } = "openai-finetune/special-token-elsewhere", Warning {
            summary: "A special token outside of the contents of messages.",
            message: "the special token {token}: the service refuses it in the content of a message, and may refuse it here",
            hint: "Remove it, or put a space into it.",
            fix: Unsafe,
            meaning: "The tokens are known from a refusal of the service that names a message, and the validator llmcomp looks at the contents of messages. Tool calls, refusals and tools are written into the same text for the model, but no refusal because of them is known. Keys for a grader are not part of that text, and are not checked.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup","description":"Looks up.<|endoftext|>"}}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup","description":"Looks up.<| endoftext|>"}}]}"#,
        }
        Chat { token: &'static str } = "openai-finetune/chat-token", Warning {
            summary: "A text has a token of a chat template.",
            message: "{token} marks messages in a chat template",
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

/// Whether the content of a string, as written, may have a token. All tokens begin with `<|`; either character may be an escape.
pub(super) fn may_be_in(written: &[u8]) -> bool {
    let follows = |bar: usize| bar > 0 && matches!(written[bar - 1], b'<' | b'c' | b'C');
    memchr::memchr_iter(b'|', written).any(follows) || memchr::memmem::find(written, b"\\u007").is_some()
}

/// Whether the tools certainly have no token.
pub(super) fn are_clean_tools(all: &Captures<'_>) -> bool {
    !all.contents(captures::TOOL).any(may_be_in)
}

/// Reports tokens in the texts of a message.
pub(super) fn check(record: &Record<'_>, message: &Value<'_>, out: &mut Findings<'_>) {
    let is_of_assistant = super::role(message) == "assistant";
    let content = message.get("content");
    let parts = content.and_then(Value::as_array).unwrap_or_default();
    let contents = content.into_iter().chain(parts.iter().filter_map(|part| part.get("text")));
    for value in contents {
        check_text(record, value, Place::Content, out);
    }
    let refusals = message.get("refusal").filter(|_| is_of_assistant).into_iter();
    let refusals = refusals.chain(parts.iter().filter_map(|part| part.get("refusal")));
    let calls = message.get("tool_calls").filter(|_| is_of_assistant).and_then(Value::as_array);
    let calls = calls.unwrap_or_default().iter();
    let arguments = calls.filter_map(|call| call.get("function")?.get("arguments"));
    for value in refusals.chain(arguments) {
        check_text(record, value, Place::Message, out);
    }
}

/// Reports tokens in the tools of `holder`.
pub(super) fn check_tools(record: &Record<'_>, holder: &Value<'_>, out: &mut Findings<'_>) {
    for key in ["tools", "functions"] {
        for tool in holder.get(key).and_then(Value::as_array).unwrap_or_default() {
            check_all(record, tool, out);
        }
    }
}

/// Reports tokens in all texts of a tool. Values are nested no deeper than the parser allows.
fn check_all(record: &Record<'_>, value: &Value<'_>, out: &mut Findings<'_>) {
    match &value.kind {
        Kind::String(_) => check_text(record, value, Place::Tool, out),
        Kind::Array(elements) => elements.iter().for_each(|element| check_all(record, element, out)),
        Kind::Object(members) => {
            members
                .iter()
                .filter(|member| !member.shadowed)
                .for_each(|member| check_all(record, &member.value, out));
        }
        _ => {}
    }
}

/// The place of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The content of a message.
    Content,
    /// Another text of a message.
    Message,
    Tool,
}

fn check_text(record: &Record<'_>, value: &Value<'_>, place: Place, out: &mut Findings<'_>) {
    let Some(text) = value.as_str().filter(|text| text.contains("<|")) else { return };
    let occur = |tokens: &[&str]| tokens.iter().any(|token| text.contains(token));
    if !occur(&SPECIAL) && !occur(&CHAT) {
        return;
    }
    let found = |tokens: &[&'static str]| found(record.text.bytes, &value.span, tokens);
    let path = || record.at(value).path;
    let special = found(&SPECIAL);
    if let Some((token, span, _)) = special.first().cloned() {
        let fix = RecordFix::not_safe("Put a space into each token, which changes the text");
        let fix = special.iter().fold(fix, |fix, (.., inside)| fix.replace(*inside..*inside, " "));
        let target = Target { span, path: path() };
        if place == Place::Content {
            out.report_fixed(TokenProblem::Special { token }, target, Some(fix));
        } else {
            out.report_fixed(TokenProblem::Elsewhere { token }, target, Some(fix));
        }
    }
    if let Some((token, span, _)) = found(&CHAT).first().cloned().filter(|_| place != Place::Tool) {
        out.report(TokenProblem::Chat { token }, Target { span, path: path() });
    }
}

/// The tokens in a string of the record, with their bytes, and the offset after the `<|` of each. Any character may be written as an escape.
fn found(
    record: &[u8],
    string: &Range<usize>,
    tokens: &[&'static str],
) -> Vec<(&'static str, Range<usize>, usize)> {
    let written = &record[..string.end];
    let mut found = Vec::new();
    let mut at = string.start;
    while at < string.end {
        let token = tokens.iter().find_map(|token| Some((*token, after(written, at, token)?)));
        at = match token {
            Some((token, end)) => {
                found.extend(after(written, at, "<|").map(|inside| (token, at..end, inside)));
                end
            }
            None => at + character(written, at).map_or(1, |(_, length)| length),
        };
    }
    found
}

/// The offset after a text of ASCII that begins at an offset of a string.
fn after(written: &[u8], at: usize, text: &str) -> Option<usize> {
    text.bytes().try_fold(at, |at, wanted| {
        let (byte, length) = character(written, at)?;
        (byte == u32::from(wanted)).then_some(at + length)
    })
}

/// The byte or the escape at an offset of a string, and its length. Of escapes other than `\u` the value does not matter.
fn character(written: &[u8], at: usize) -> Option<(u32, usize)> {
    match (*written.get(at)?, written.get(at + 1)) {
        (b'\\', Some(b'u')) => {
            let digits = std::str::from_utf8(written.get(at + 2..at + 6)?).ok()?;
            Some((u32::from_str_radix(digits, 16).ok()?, 6))
        }
        (b'\\', _) => Some((u32::MAX, 2)),
        (byte, _) => Some((u32::from(byte), 1)),
    }
}
