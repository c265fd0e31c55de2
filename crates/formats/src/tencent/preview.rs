//! A record as a conversation.

use evalcheck_wire::view::{Sample, Turn};

use crate::diagnose::{Kind, Value};
use crate::preview::{Shown, text_part};

/// Fields beside the conversation that are shown.
const MOST_FIELDS: usize = 24;

/// The conversation, what models answered, and everything else beside it.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let Kind::Object(members) = &shown.root.kind else { return None };
    let mut turns = Vec::new();
    let mut push = |role: &str, content: &Value<'_>, path: String| {
        let part = content.as_str().map_or_else(|| shown.other(content), text_part);
        turns.push(Turn { role: role.to_owned(), path, parts: vec![part], ..Turn::default() });
    };
    let list =
        |key: &str| shown.root.get(key).and_then(Value::as_array).unwrap_or_default().iter().enumerate();
    let text = |value: &Value<'_>, key: &str| {
        value.get(key).map_or_else(String::new, |value| shown.labelled(key, value).text)
    };
    for (n, message) in list("messages") {
        push(&text(message, "role"), message.get("content").unwrap_or(message), format!("messages.{n}"));
    }
    if let Some(system) = shown.root.get("system") {
        push("system", system, "system".to_owned());
    }
    for (n, pair) in list("conversation") {
        for key in ["prompt", "response"] {
            if let Some(value) = pair.get(key) {
                push(key, value, format!("conversation.{n}.{key}"));
            }
        }
    }
    for key in ["prompt", "response"] {
        if let Some(value) = shown.root.get(key) {
            push(key, value, key.to_owned());
        }
    }
    for (n, output) in list("model_outputs") {
        let name = text(output, "model_name");
        let responses = output.get("responses").and_then(Value::as_array).unwrap_or_default();
        for (m, response) in responses.iter().enumerate() {
            let path = format!("model_outputs.{n}.responses.{m}");
            if let Some(reasoning) = response.get("reasoning_content") {
                push(&format!("{name}, reasoning"), reasoning, format!("{path}.reasoning_content"));
            }
            push(&name, response.get("content").unwrap_or(response), path);
        }
    }
    let told = ["messages", "system", "conversation", "prompt", "response", "model_outputs"];
    let others = members.iter().filter(|member| !member.shadowed && !told.contains(&&*member.key));
    let fields = others.take(MOST_FIELDS).map(|member| shown.labelled(&member.key, &member.value)).collect();
    (!turns.is_empty()).then_some(Sample { turns, fields, omitted: 0 })
}
