//! Tool calls, their answers and the tools.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::role;
use crate::checks::{Captures, Findings, Record};
use crate::diagnose::{Value, clip_quoted};
use crate::openai_finetune::schemas::captures;

evalcheck_core::rules! {
    /// Tool calls that do not fit the messages and tools around them.
    CallProblem {
        Unanswered { id: String } = "openai-finetune/unanswered-call", Warning {
            summary: "A tool call has no answer.",
            message: "the call {id} is not answered before the next message",
            hint: "Add a message of the role tool with this tool_call_id.",
            meaning: "The API answers each tool call with a tool message before the conversation continues. A model trained without the answers learns to ignore results.",
            invalid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"user","content":"And?"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"insect"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
        }
        NoCall { id: String } = "openai-finetune/no-call", Warning {
            summary: "A tool message answers no call.",
            message: "the assistant's message before this one has no open call {id}",
            hint: "Write the id of a call in the assistant's message before.",
            meaning: "tool_call_id names the call that the message answers: one of the last assistant message that is not answered yet.",
            invalid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"insect"},{"role":"tool","tool_call_id":"2","content":"insect"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"insect"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
        }
        UnknownTool { name: String } = "openai-finetune/unknown-tool", Warning {
            summary: "A call of a tool that the record does not list.",
            message: "no tool of the record has the name {name}",
            hint: "Add the tool to tools, or correct the name.",
            meaning: "tools, and formerly functions, lists what the model may call. A call of another function teaches the model to call what it does not have.",
            invalid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"look_up","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Look up a bee."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"lookup","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"lookup"}}]}"#,
        }
        ToolName { name: String } = "openai-finetune/tool-name", Warning {
            summary: "A name that a function cannot have.",
            message: "the function is named {name}: a name has 1 to 64 letters a to z, digits, _ and -",
            hint: "Use another name, here and in the calls.",
            meaning: "The API refuses other names of functions when the model is used. The fine-tuning service does not say when it looks.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"look up"}}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"tools":[{"type":"function","function":{"name":"look_up"}}]}"#,
        }
    }
}

/// The most comparisons of names of a record that [`are_known`] makes.
const MOST_COMPARED: usize = 1 << 12;

/// The calls of the last assistant message that are still open, if they are answered in their order.
#[derive(Debug, Default)]
pub(super) struct InOrder<'c>(&'c [(u8, Range<usize>)]);

impl<'c> InOrder<'c> {
    /// Takes the next message, with its captures. Returns false unless it certainly fits the open calls.
    pub(super) fn follow(&mut self, role: &[u8], part: &'c [(u8, Range<usize>)], all: &Captures<'_>) -> bool {
        if role != b"tool" {
            let is_open = self.next().is_some();
            self.0 = part;
            return !is_open;
        }
        let answered = part.iter().find(|(number, _)| *number == captures::ANSWERED);
        let answers = |(_, id): &(u8, Range<usize>)| {
            answered.is_some_and(|(_, answered)| all.bytes(answered) == all.bytes(id))
        };
        self.next().is_some_and(answers)
    }

    fn next(&mut self) -> Option<&'c (u8, Range<usize>)> {
        let place = self.0.iter().position(|(number, _)| *number == captures::CALL)?;
        let (before, rest) = self.0.split_at(place + 1);
        self.0 = rest;
        before.last()
    }
}

/// Whether the names of functions are well formed, and the called ones certainly among them.
pub(super) fn are_known(all: &Captures<'_>) -> bool {
    let functions = all.contents(captures::FUNCTION);
    if !functions.clone().all(is_name) {
        return false;
    }
    let mut called = all.contents(captures::CALLED);
    let compared = called.clone().count().saturating_mul(all.strings.len());
    compared <= MOST_COMPARED && called.all(|name| functions.clone().any(|known| known == name))
}

fn is_name(name: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=64).contains(&name.len()) && name.iter().all(fits)
}

/// Checks the tool calls of a conversation; `holder` has the messages and the tools.
pub(super) fn check(
    record: &Record<'_>,
    holder: &Value<'_>,
    messages: &[Value<'_>],
    outputs: [Option<&Value<'_>>; 2],
    out: &mut Findings<'_>,
) {
    let names = check_names(record, holder, out);
    // The calls of the last assistant message that are not answered, by their ids. Two calls may have one id.
    let mut open = BTreeMap::new();
    for message in messages {
        if role(message) == "tool" {
            let Some((value, id)) = text(message.get("tool_call_id")) else { continue };
            let answered = open.range((id, 0)..).next().map(|(key, _)| *key);
            match answered.filter(|(answered, _)| *answered == id) {
                Some(call) => drop(open.remove(&call)),
                None => out.report(CallProblem::NoCall { id: clip_quoted(id) }, record.at(value)),
            }
            continue;
        }
        for ((id, _), value) in std::mem::take(&mut open) {
            out.report(CallProblem::Unanswered { id: clip_quoted(id) }, record.at(value));
        }
        let calls = message.get("tool_calls").filter(|_| role(message) == "assistant");
        for (number, call) in calls.and_then(Value::as_array).unwrap_or_default().iter().enumerate() {
            open.extend(text(call.get("id")).map(|(value, id)| ((id, number), value)));
        }
    }
    let of_outputs = outputs.into_iter().flatten().filter_map(Value::as_array).flatten();
    for message in messages.iter().chain(of_outputs).filter(|message| role(message) == "assistant") {
        let calls = message.get("tool_calls").and_then(Value::as_array).unwrap_or_default().iter();
        let called = calls.map(|call| call.get("function")).chain([message.get("function_call")]);
        for (value, name) in called.filter_map(|called| text(called?.get("name"))) {
            if !names.contains(name) {
                out.report(CallProblem::UnknownTool { name: clip_quoted(name) }, record.at(value));
            }
        }
    }
}

/// Checks the names of the functions that the model may call, and returns them.
fn check_names<'v>(record: &Record<'_>, holder: &'v Value<'_>, out: &mut Findings<'_>) -> BTreeSet<&'v str> {
    let list = |key: &str| holder.get(key).and_then(Value::as_array).unwrap_or_default().iter();
    let tools = list("tools").map(|tool| tool.get("function")?.get("name"));
    let names = tools.chain(list("functions").map(|function| function.get("name")));
    let mut known = BTreeSet::new();
    for (value, name) in names.filter_map(text) {
        known.insert(name);
        if !is_name(name.as_bytes()) {
            out.report(CallProblem::ToolName { name: clip_quoted(name) }, record.at(value));
        }
    }
    known
}

/// A value that is a text.
fn text<'v, 'a>(value: Option<&'v Value<'a>>) -> Option<(&'v Value<'a>, &'v str)> {
    let value = value?;
    Some((value, value.as_str()?))
}
