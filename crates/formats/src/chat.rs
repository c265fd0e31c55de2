//! Parts of formats whose records are conversations in the form of `OpenAI`'s chat API.

pub(crate) mod schemas;

use evalcheck_report::view::{Part, Turn};

use crate::diagnose::{Kind, Value, clip};
use crate::preview::{Shown, tool_call_id};

/// The keys of the outputs of a preference, former names included.
pub(crate) const PREFERENCE_KEYS: &[&str] =
    &["preferred_output", "non_preferred_output", "preferred_completion", "non_preferred_completion"];

/// Keys of lists whose objects are messages of one record, not records.
pub(crate) const MESSAGE_LISTS: &[&str] = &["messages", "conversation", "conversations"];

/// A message as a turn: its texts and images, its tool calls, and the call that it answers.
pub(crate) fn turn(shown: &Shown<'_>, message: &Value<'_>, path: String) -> Turn {
    let role = message.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text);
    let is_object = matches!(message.kind, Kind::Object(_));
    let content = message.get("content").filter(|content| content.kind != Kind::Null);
    let mut parts = match content.map(|content| &content.kind) {
        Some(Kind::Array(parts)) => parts.iter().map(|value| part(shown, value)).collect(),
        Some(_) => content.into_iter().map(|content| shown.text(content)).collect(),
        None if is_object => Vec::new(),
        None => vec![shown.other(message)],
    };
    let result_of = add_calls(shown, message, &path, &mut parts);
    if is_object && parts.is_empty() {
        parts.push(shown.other(message));
    }
    Turn { role, path, parts, result_of, ..Turn::default() }
}

/// Adds the tool calls of a message to its parts, and returns the ids of the calls that it answers.
pub(crate) fn add_calls(
    shown: &Shown<'_>,
    message: &Value<'_>,
    path: &str,
    parts: &mut Vec<Part>,
) -> Vec<String> {
    let stated = |key: &str| message.get(key).filter(|value| value.kind != Kind::Null);
    if let Some(calls) = stated("tool_calls") {
        match calls.as_array() {
            Some(calls) => parts.extend(
                calls
                    .iter()
                    .enumerate()
                    .map(|(n, call)| shown.tool_call(call, format!("{path}.tool_calls.{n}"))),
            ),
            None => parts.push(shown.other(calls)),
        }
    }
    let mut result_of = Vec::new();
    if let Some(ids) = stated("tool_call_id") {
        for id in ids.as_array().unwrap_or(std::slice::from_ref(ids)) {
            match tool_call_id(id) {
                Some(id) => result_of.push(id),
                None => parts.push(shown.other(id)),
            }
        }
    }
    result_of
}

/// A part of a message: a text, an image, or anything else as JSON.
fn part(shown: &Shown<'_>, value: &Value<'_>) -> Part {
    let text = |key: &str| value.get(key).filter(|text| text.as_str().is_some());
    let url = || value.get("image_url")?.get("url")?.as_str();
    match value.get("type").and_then(Value::as_str) {
        Some("text") if let Some(text) = text("text") => shown.text(text),
        Some("refusal") if let Some(text) = text("refusal") => shown.text(text),
        Some("image_url") if let Some(url) = url() => Part::ImageUrl { url: clip(url, 2048) },
        _ => shown.other(value),
    }
}
