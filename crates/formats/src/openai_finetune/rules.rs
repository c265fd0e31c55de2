//! The rules of one record beyond its schema.

mod calls;
mod tokens;

use std::ops::Range;

use super::schemas::captures;
use crate::chat::PREFERENCE_KEYS;
use crate::checks::{Captures, Findings, Record, RecordChecks};
use crate::diagnose::{Kind, RecordFix, Value};
use evalcheck_core::rule::Cause;

pub(super) use calls::CallProblem;
pub(super) use tokens::TokenProblem;

evalcheck_core::rules! {
    /// Mistakes in the messages of a record.
    MessageProblem {
        NoContent = "openai-finetune/no-content", Error {
            summary: "An assistant message without content.",
            message: "the message has neither content nor tool_calls, so there is nothing to learn",
            hint: "Write the answer, or leave the example out.",
            meaning: "An assistant message needs a text or tool calls. The schema allows both to be missing; validators written from refusals of the service, and Microsoft's page for Azure, do not.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":null}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        EmptyContent { role: String } = "openai-finetune/empty-content", Warning {
            summary: "A message with an empty text.",
            message: "the {role} message has an empty text",
            hint: "Write the text, or remove the message.",
            meaning: "The service takes an empty text, but it says nothing to the model. It is usually a value that was missing when the file was written.",
            invalid: r#"{"messages":[{"role":"system","content":""},{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        LastMessage { role: String } = "openai-finetune/last-message", Error {
            summary: "A conversation ends with neither an answer nor a question.",
            message: "the last message has the role {role}",
            hint: "End with the assistant's message for supervised fine-tuning, with the user's for reinforcement fine-tuning.",
            meaning: "Supervised fine-tuning trains the model on the messages of the assistant, so the conversation ends with one. Reinforcement fine-tuning and preferences let the model answer the last message, which is the user's.",
            mistakes: [Last "{},{\"role\":\"system\",\"content\":\"Be brief.\"}"],
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."},{"role":"system","content":"Be brief."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        AnsweredInput = "openai-finetune/answered-input", Error {
            summary: "The input of a preference ends with an answer.",
            message: "the input ends with a message of the assistant, so there is nothing to answer",
            hint: "Move the answer into preferred_output or non_preferred_output, or remove it.",
            meaning: "The two outputs are answers to the last message of the input, so that message is the user's or a tool's.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"A bird."}]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"What is a bee?"}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"A bird."}]}"#,
        }
        SameOutputs = "openai-finetune/same-outputs", Warning {
            summary: "Both outputs of a preference are the same.",
            message: "preferred_output and non_preferred_output are the same, so there is nothing to learn",
            hint: "Write a worse answer into non_preferred_output, or leave the record out.",
            meaning: "The model learns from the difference between the two outputs.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":"What is a bee?"}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"What is a bee?"}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"A bird."}]}"#,
        }
        Developer = "openai-finetune/developer", Error {
            summary: "A developer message outside of reinforcement fine-tuning.",
            message: "the role developer is only accepted for reinforcement fine-tuning",
            hint: "Write the role system. For reinforcement fine-tuning, keep it and end with the user's message.",
            fix: Unsafe,
            meaning: "The schemas of supervised fine-tuning and of preferences do not have the role developer. It is fine in reinforcement fine-tuning, whose conversations end with the user.",
            invalid: r#"{"messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        TwoAnswers = "openai-finetune/two-answers", Warning {
            summary: "Two assistant messages in a row.",
            message: "the message before this one is the assistant's too",
            hint: "Join the two, or write the message between them.",
            meaning: "Azure OpenAI has refused such files as `contains invalid schema`. Often a tool message with the result of a call is missing between the two.",
            mistakes: [Last "{},{\"role\":\"assistant\",\"content\":\"It flies.\"}"],
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."},{"role":"assistant","content":"It flies."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect. It flies."}]}"#,
        }
        LastUnweighted = "openai-finetune/last-unweighted", Error {
            summary: "The last assistant message has weight 0.",
            message: "weight 0 on the last message of the assistant, which is the one to learn",
            hint: "Remove the weight, or write 1.",
            meaning: "A weight of 0 leaves an answer out of training. The service refuses a conversation whose last answer is left out.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.","weight":0}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.","weight":1}]}"#,
        }
        WeightForm { digit: &'static str } = "openai-finetune/weight-form", Warning {
            summary: "A weight with a decimal point.",
            message: "the weight is written with a point or an exponent",
            hint: "Write {digit}.",
            fix: Safe,
            meaning: "The schema asks for the integer 0 or 1. Readers in Python take 1.0 for a float, and some refuse it.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.","weight":1.0}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.","weight":1}]}"#,
        }
        Deprecated { what: &'static str, who: &'static str, instead: &'static str } = "openai-finetune/deprecated-call", Warning {
            summary: "The deprecated form of tool calls.",
            message: "{what} is deprecated, and {who} refuses it",
            hint: "Write {instead}.",
            meaning: "function_call and the role function are the form of tool calls before tools. The schema still has them. The validator llmcomp, written from refusals of the service, refuses both; Azure OpenAI refuses the role.",
            invalid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","content":null,"function_call":{"name":"lookup","arguments":"{}"}}],"functions":[{"name":"lookup"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
        }
        Completion = "openai-finetune/completions", Info {
            summary: "The file has the old format of prompts and completions.",
            message: "records with prompt and completion: only babbage-002 and davinci-002 take them",
            hint: "Write conversations with messages for any other model.",
            cause: Cause::File(String::new()),
            fix: Unsafe,
            meaning: "The first models for fine-tuning completed a text. Chat models learn from conversations. Of all records the first is listed. The fix writes the prompt as the user's message and the completion as the answer; separators and stop sequences that the old format needed stay in the texts.",
            invalid: r#"{"prompt":"What is a bee?","completion":"An insect."}"#,
            valid: r#"{"messages":[{"role": "user", "content": "What is a bee?"}, {"role": "assistant", "content": "An insect."}]}"#,
        }
        FunctionRole = "openai-finetune/function-role", Error {
            summary: "A function message in reinforcement fine-tuning.",
            message: "reinforcement fine-tuning, whose conversations end with the user, does not have the role function",
            hint: "Write the role tool, with the tool_call_id of the call.",
            meaning: "Conversations for reinforcement fine-tuning have the roles system, developer, user, assistant and tool. The role function is the old form of tool.",
            invalid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"function","name":"lookup","content":"insect"},{"role":"user","content":"What is a bee?"}],"answer":"insect"}"#,
            valid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"insect"},{"role":"user","content":"What is a bee?"}],"answer":"insect","tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
        }
        MisplacedWeight { role: String } = "openai-finetune/misplaced-weight", Warning {
            summary: "A weight on a message that is not the assistant's.",
            message: "the {role} message has a weight: the schema has it only for the assistant, and llmcomp refuses it here",
            hint: "Remove the weight.",
            fix: Unsafe,
            meaning: "A weight says whether an answer is trained. Other messages are never trained: the schema ignores the key there, and the validator llmcomp, written from refusals of the service, refuses it.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?","weight":0},{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        EmptyCalls = "openai-finetune/empty-calls", Error {
            summary: "An empty list of tool calls.",
            message: "tool_calls is empty",
            hint: "Leave the key out: without it, the message calls no tool.",
            fix: Safe,
            meaning: "Libraries write an empty list where a message has no calls. The validator llmcomp, written from refusals of the service, refuses it.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect.","tool_calls":[]}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        MisplacedPart { kind: String, role: String } = "openai-finetune/misplaced-part", Error {
            summary: "An image, audio or a file outside of a user message.",
            message: "the {role} message has a part of the type {kind}: only user messages have such parts",
            hint: "Move the part into a message of the user.",
            meaning: "The schemas of the other messages have only text, and a refusal in the assistant's. Images belong to messages of the user.",
            invalid: r#"{"messages":[{"role":"system","content":[{"type":"image_url","image_url":{"url":"https://example.com/bee.png"}}]},{"role":"user","content":"What is it?"},{"role":"assistant","content":"A bee."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/bee.png"}},{"type":"text","text":"What is it?"}]},{"role":"assistant","content":"A bee."}]}"#,
        }
        ImageInPreference = "openai-finetune/image-in-preference", Warning {
            summary: "An image in a preference.",
            message: "the documentation of direct preference optimization says that it takes text only",
            hint: "Describe the image in words, or leave the record out.",
            meaning: "OpenAI's guide to direct preference optimization says that it supports only text inputs and outputs. The published schema of the input has images nevertheless.",
            invalid: r#"{"input":{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/bee.png"}}]}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"A bird."}]}"#,
            valid: r#"{"input":{"messages":[{"role":"user","content":"What is a bee?"}]},"preferred_output":[{"role":"assistant","content":"An insect."}],"non_preferred_output":[{"role":"assistant","content":"A bird."}]}"#,
        }
        UntrainedPart { kind: String } = "openai-finetune/untrained-part", Warning {
            summary: "Audio or a file in a message.",
            message: "parts of the type {kind} are not supported for training",
            hint: "Leave the part out, or write what it says as text.",
            meaning: "The schema of messages is that of the API, which has audio and files. Its text says that they are not supported for fine-tuning.",
            invalid: r#"{"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]},{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"What is a bee?"}]},{"role":"assistant","content":"An insect."}]}"#,
        }
    }
}

/// The checks of one record.
#[derive(Debug)]
pub(super) struct Messages;

/// The facts about a message that decide whether it is clean.
#[derive(Debug, Default)]
struct Message<'c> {
    role: &'c [u8],
    /// Whether it has an empty text.
    has_empty: bool,
    /// Whether it has a text that is not empty, parts or calls.
    is_filled: bool,
    is_unweighted: bool,
}

impl<'c> Message<'c> {
    /// The message with these captures; `None` if one of them has to be looked at.
    fn of(part: &[(u8, Range<usize>)], all: &Captures<'c>) -> Option<Self> {
        let mut message = Self::default();
        for (number, range) in part {
            let bytes = all.bytes(range);
            match *number {
                captures::ROLE => message.role = bytes,
                captures::CONTENT if bytes.is_empty() => message.has_empty = true,
                captures::CONTENT | captures::TEXT if tokens::may_be_in(bytes) => return None,
                captures::CONTENT | captures::PARTS | captures::CALL => message.is_filled = true,
                captures::WEIGHT if bytes == b"0" => message.is_unweighted = true,
                captures::WEIGHT if bytes != b"1" => return None,
                captures::UNUSUAL => return None,
                _ => {}
            }
        }
        Some(message)
    }

    fn is_of_assistant(&self) -> bool {
        self.role == b"assistant"
    }

    fn is_clean(&self) -> bool {
        match self.role {
            b"assistant" => self.is_filled,
            role => !self.has_empty && role != b"function",
        }
    }
}

impl RecordChecks for Messages {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        if captures.contents(captures::PROMPT).next().is_some() {
            return false;
        }
        let ends = |(number, _): &(u8, _)| [captures::MESSAGE, captures::OUTPUT].contains(number);
        let (mut before, mut has_developer, mut has_outputs) = (Message::default(), false, false);
        let mut calls = calls::InOrder::default();
        for part in captures.strings.split_inclusive(ends) {
            let Some((last, _)) = part.last().filter(|last| ends(last)) else { continue };
            let Some(message) = Message::of(part, captures).filter(Message::is_clean) else { return false };
            if *last == captures::OUTPUT {
                has_outputs = true;
                continue;
            }
            if message.is_of_assistant() && before.is_of_assistant() {
                return false;
            }
            if !calls.follow(message.role, part, captures) {
                return false;
            }
            has_developer |= message.role == b"developer";
            before = message;
        }
        let ends_well = match before.role {
            b"assistant" => !has_outputs && !has_developer,
            b"user" | b"" => !(has_outputs && has_developer),
            _ => has_outputs && !has_developer,
        };
        let has_images = || captures.contents(captures::IMAGE).next().is_some();
        ends_well
            && !before.is_unweighted
            && !(has_outputs && has_images())
            && are_different(captures)
            && calls::are_known(captures)
            && tokens::are_clean_tools(captures)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let root = record.root;
        check_completion(record, out);
        let conversation = root.get("messages");
        let is_preference = conversation.is_none() && root.get("input").is_some();
        let holder = if is_preference { root.get("input") } else { Some(root) };
        let Some(holder) = holder else { return };
        let messages = holder.get("messages").and_then(Value::as_array).unwrap_or_default();
        let outputs = ["preferred_output", "non_preferred_output"].map(|key| root.get(key));
        let outputs = if is_preference { outputs } else { [None; 2] };
        check_messages(record, messages, is_preference, out);
        calls::check(record, holder, messages, outputs, out);
        tokens::check_tools(record, holder, out);
        check_outputs(record, outputs, out);
    }
}

/// Offers to write a prompt and its completion as a conversation.
fn check_completion(record: &Record<'_>, out: &mut Findings<'_>) {
    let Kind::Object(members) = &record.root.kind else { return };
    // Of equal keys the last one counts, and the others would stay.
    let place = |key| {
        let mut places = (0..members.len()).filter(|place| members[*place].key == key);
        places.next().filter(|_| places.next().is_none())
    };
    if PREFERENCE_KEYS.iter().chain(&["messages", "input"]).any(|key| record.root.get(key).is_some()) {
        return;
    }
    let [Some(text), Some(answer)] = ["prompt", "completion"].map(|key| record.root.get(key)) else { return };
    if text.as_str().is_none() || answer.as_str().is_none() {
        return;
    }
    let target = record.at(text);
    let (Some(prompt), Some(completion)) = (place("prompt"), place("completion")) else {
        return out.report(MessageProblem::Completion, target);
    };
    let message = |role: &str, value: &Value<'_>| {
        let text = String::from_utf8_lossy(&record.text.bytes[value.span.clone()]);
        format!(r#"{{"role": "{role}", "content": {text}}}"#)
    };
    let messages = format!("[{}, {}]", message("user", text), message("assistant", answer));
    let fix =
        RecordFix::not_safe("Write a conversation, which guesses that the prompt is what the user says")
            .replace(members[prompt].key_span.clone(), "\"messages\"")
            .replace(text.span.clone(), messages)
            .delete_member(members, completion);
    // An empty answer would be an error.
    let fix = Some(fix).filter(|_| answer.as_str() != Some(""));
    out.report_fixed(MessageProblem::Completion, target, fix);
}

/// Whether the two outputs certainly differ: their messages have different texts.
fn are_different(captures: &Captures<'_>) -> bool {
    let mut texts = [None; 2];
    let mut text = None;
    for (number, range) in captures.strings {
        match *number {
            captures::MESSAGE => text = None,
            captures::CONTENT => text = Some(captures.bytes(range)),
            captures::PREFERRED => texts[0] = text.take(),
            captures::NON_PREFERRED => texts[1] = text.take(),
            _ => {}
        }
    }
    let is_preference = captures.contents(captures::PREFERRED).next().is_some();
    !is_preference || matches!(texts, [Some(preferred), Some(other)] if differ(preferred, other))
}

/// Whether the contents of two strings, as written, certainly stand for different texts. The same character may be written as an escape, so
/// the first difference counts only outside of escapes.
fn differ(one: &[u8], other: &[u8]) -> bool {
    /// The length of an escape without its last byte.
    const WITHIN: usize = 5;
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let is_in_escape = one[same.saturating_sub(WITHIN)..same].contains(&b'\\');
    let is_escape = |text: &[u8]| text.get(same) == Some(&b'\\');
    one.len().max(other.len()) > same && !is_in_escape && !is_escape(one) && !is_escape(other)
}

/// The role of a message.
fn role<'v>(message: &'v Value<'_>) -> &'v str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

fn check_messages(record: &Record<'_>, messages: &[Value<'_>], is_preference: bool, out: &mut Findings<'_>) {
    let last = messages.last().map(role).unwrap_or_default();
    let mut before = "";
    for message in messages {
        check_message(record, message, out);
        let Some(value) = message.get("role") else { continue };
        if role(message) == "function" {
            if !is_preference && last == "user" {
                out.report(MessageProblem::FunctionRole, record.at(value));
            } else {
                out.report(
                    MessageProblem::Deprecated {
                        what: "the role function",
                        who: "Azure OpenAI",
                        instead: "the role tool, with the tool_call_id of the call",
                    },
                    record.at(value),
                );
            }
        }
        if is_preference {
            check_images(record, message, out);
        }
        if role(message) == "developer" && (is_preference || last == "assistant") {
            let fix = RecordFix::not_safe(
                "Write the role system, which guesses that the record is not for reinforcement",
            );
            out.report_fixed(
                MessageProblem::Developer,
                record.at(value),
                Some(fix.replace(value.span.clone(), "\"system\"")),
            );
        }
        if role(message) == "assistant" && before == "assistant" {
            out.report(MessageProblem::TwoAnswers, record.at(value));
        }
        before = role(message);
    }
    let weight = messages.last().filter(|_| last == "assistant" && !is_preference);
    let weight = weight.and_then(|message| message.get("weight"));
    if let Some(weight) = weight.filter(|weight| matches!(weight.kind, Kind::Number(0.0, _))) {
        out.report(MessageProblem::LastUnweighted, record.at(weight));
    }
    let Some(value) = messages.last().and_then(|message| message.get("role")) else { return };
    match last {
        "assistant" if is_preference => out.report(MessageProblem::AnsweredInput, record.at(value)),
        "system" | "tool" | "function" | "developer" if !is_preference => {
            out.report(MessageProblem::LastMessage { role: last.to_owned() }, record.at(value));
        }
        _ => {}
    }
}

/// Checks a message by itself.
fn check_message(record: &Record<'_>, message: &Value<'_>, out: &mut Findings<'_>) {
    let stated = |key: &str| message.get(key).filter(|value| value.kind != Kind::Null);
    let content = stated("content");
    let is_empty = content.and_then(Value::as_str) == Some("");
    let is_empty_list = |value: &&Value<'_>| value.as_array().is_some_and(<[_]>::is_empty);
    let called = stated("tool_calls").filter(|calls| !is_empty_list(calls)).or(stated("function_call"));
    match role(message) {
        "assistant" if called.is_none() && (content.is_none() || is_empty) => {
            let written = message.get("content");
            let target = written.map_or_else(|| record.at_start(message), |written| record.at(written));
            out.report(MessageProblem::NoContent, target);
        }
        "system" | "user" | "tool" | "developer" | "function" if is_empty => {
            let role = role(message).to_owned();
            let target = content.map_or_else(|| record.at_start(message), |content| record.at(content));
            out.report(MessageProblem::EmptyContent { role }, target);
        }
        _ => {}
    }
    if role(message) == "assistant" {
        if let Some(calls) = message.get("tool_calls").filter(is_empty_list) {
            let fix = RecordFix::safe("Leave the key out");
            out.replace_schema_findings(&calls.span);
            out.report_fixed(
                MessageProblem::EmptyCalls,
                record.at(calls),
                without(fix, message, "tool_calls"),
            );
        }
        if let Some(value) = message.get("function_call").filter(|call| matches!(call.kind, Kind::Object(_)))
        {
            let (what, who, instead) = ("function_call", "the validator llmcomp", "tool_calls");
            out.report(MessageProblem::Deprecated { what, who, instead }, record.at(value));
        }
        check_weight(record, message, out);
    } else if let Some(weight) = stated("weight").filter(|_| is_known(role(message))) {
        let fix = RecordFix::not_safe("Delete the weight, which is lost");
        let role = role(message).to_owned();
        out.report_fixed(
            MessageProblem::MisplacedWeight { role },
            record.at(weight),
            without(fix, message, "weight"),
        );
    }
    check_parts(record, message, content, out);
    tokens::check(record, message, out);
}

/// Whether a role has messages without a weight.
fn is_known(role: &str) -> bool {
    ["system", "user", "tool", "function", "developer"].contains(&role)
}

/// Adds the removal of a key of a message, unless it occurs twice.
fn without(fix: RecordFix, message: &Value<'_>, key: &str) -> Option<RecordFix> {
    let Kind::Object(members) = &message.kind else { return None };
    let mut places = (0..members.len()).filter(|place| members[*place].key == key);
    let place = places.next().filter(|_| places.next().is_none())?;
    Some(fix.delete_member(members, place))
}

/// Checks for images in a message of a preference.
fn check_images(record: &Record<'_>, message: &Value<'_>, out: &mut Findings<'_>) {
    let parts = message.get("content").and_then(Value::as_array).unwrap_or_default();
    for part in parts.iter().filter(|_| role(message) == "user") {
        let is_image = part.get("type").and_then(Value::as_str) == Some("image_url");
        if let Some(image) = part.get("image_url").filter(|_| is_image) {
            out.report(MessageProblem::ImageInPreference, record.at(image));
        }
    }
}

/// Checks for parts that are not trained, or not where they belong.
fn check_parts(
    record: &Record<'_>,
    message: &Value<'_>,
    content: Option<&Value<'_>>,
    out: &mut Findings<'_>,
) {
    let role = role(message);
    for part in content.and_then(Value::as_array).unwrap_or_default() {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        if ["system", "developer", "tool", "assistant"].contains(&role)
            && ["image_url", "input_audio", "file"].contains(&kind)
        {
            let (kind, role) = (kind.to_owned(), role.to_owned());
            let target = part.get("type").map_or_else(|| record.at_start(part), |kind| record.at(kind));
            out.replace_schema_findings(&part.span);
            out.report(MessageProblem::MisplacedPart { kind, role }, target);
            continue;
        }
        let held =
            Some(kind).filter(|kind| ["input_audio", "file"].contains(kind)).and_then(|kind| part.get(kind));
        if let Some(held) = held.filter(|held| role == "user" && matches!(held.kind, Kind::Object(_))) {
            out.report(MessageProblem::UntrainedPart { kind: kind.to_owned() }, record.at(held));
        }
    }
}

fn check_weight(record: &Record<'_>, message: &Value<'_>, out: &mut Findings<'_>) {
    let Some(value) = message.get("weight") else { return };
    let Kind::Number(number, text) = &value.kind else { return };
    let digit = match *number {
        0.0 => "0",
        1.0 => "1",
        _ => return,
    };
    // Minus zero is an integer too.
    if text.contains(['.', 'e', 'E']) {
        let fix = RecordFix::safe("Write the integer").replace(value.span.clone(), digit);
        out.report_fixed(MessageProblem::WeightForm { digit }, record.at(value), Some(fix));
    }
}

fn check_outputs(record: &Record<'_>, outputs: [Option<&Value<'_>>; 2], out: &mut Findings<'_>) {
    for message in outputs.iter().flatten().flat_map(|output| output.as_array().unwrap_or_default()) {
        if ["assistant", "tool"].contains(&role(message)) {
            check_message(record, message, out);
        }
    }
    if let [Some(preferred), Some(other)] = outputs
        && preferred.as_array().is_some()
        && preferred.is_same(other)
    {
        out.report(MessageProblem::SameOutputs, record.at(other));
    }
}
