//! A record as a conversation.

use evalcheck_wire::view::{Sample, Turn};

use crate::diagnose::{Kind, Value};
use crate::preview::{Shown, reasoning_part, text_part};

/// Fields beside the conversation that are shown.
const MOST_FIELDS: usize = 24;

/// Names of models in the head that are shown.
const MOST_BADGES: usize = 12;

/// The conversation, what models answered, and everything else beside it.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let Kind::Object(members) = &shown.root.kind else { return None };
    let mut turns = Vec::new();
    let mut badges = Vec::new();
    let push = |turns: &mut Vec<Turn>, role: &str, content: &Value<'_>, path: String| {
        let part = content.as_str().map_or_else(|| shown.other(content), text_part);
        turns.push(Turn { role: role.to_owned(), path, parts: vec![part], ..Turn::default() });
    };
    let list =
        |key: &str| shown.root.get(key).and_then(Value::as_array).unwrap_or_default().iter().enumerate();
    let text = |value: &Value<'_>, key: &str| {
        value.get(key).map_or_else(String::new, |value| shown.labelled(key, value).text)
    };
    for (n, message) in list("messages") {
        push(
            &mut turns,
            &text(message, "role"),
            message.get("content").unwrap_or(message),
            format!("messages.{n}"),
        );
    }
    if let Some(system) = shown.root.get("system") {
        push(&mut turns, "system", system, "system".to_owned());
    }
    for (n, pair) in list("conversation") {
        for key in ["prompt", "response"] {
            if let Some(value) = pair.get(key) {
                push(&mut turns, key, value, format!("conversation.{n}.{key}"));
            }
        }
    }
    for key in ["prompt", "response"] {
        if let Some(value) = shown.root.get(key) {
            push(&mut turns, key, value, key.to_owned());
        }
    }
    for (n, output) in list("model_outputs") {
        let name = text(output, "model_name");
        if let Some(name) = output.get("model_name").filter(|_| badges.len() < MOST_BADGES) {
            badges.push(shown.badge("Model", name));
        }
        let responses = output.get("responses").and_then(Value::as_array).unwrap_or_default();
        for (m, response) in responses.iter().enumerate() {
            let path = format!("model_outputs.{n}.responses.{m}");
            push(&mut turns, &name, response.get("content").unwrap_or(response), path);
            if let (Some(reasoning), Some(turn)) = (response.get("reasoning_content"), turns.last_mut())
                && reasoning.kind != Kind::Null
            {
                let part = reasoning.as_str().map_or_else(|| shown.other(reasoning), reasoning_part);
                turn.parts.insert(0, part);
            }
        }
    }
    let told = ["messages", "system", "conversation", "prompt", "response", "model_outputs"];
    let others = members.iter().filter(|member| !member.shadowed && !told.contains(&&*member.key));
    let fields = others.take(MOST_FIELDS).map(|member| shown.labelled(&member.key, &member.value)).collect();
    (!turns.is_empty()).then_some(Sample { badges, turns, fields, ..Sample::default() })
}
