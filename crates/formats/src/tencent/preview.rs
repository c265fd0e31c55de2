//! A record as a conversation.

use evalcheck_report::view::{Answer, Sample, Turn};

use crate::chat;
use crate::diagnose::{Kind, Value};
use crate::preview::{Shown, reasoning_part, several, text_length};

/// The number of fields beside the conversation that are shown.
const MOST_FIELDS: usize = 24;

/// The number of model names in the head that are shown.
const MOST_BADGES: usize = 12;

/// The conversation and the answers of models, with all other fields beside them.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let Kind::Object(members) = &shown.root.kind else { return None };
    let mut turns = Vec::new();
    let mut badges = Vec::new();
    let mut answers = Vec::new();
    let push = |turns: &mut Vec<Turn>, role: &str, content: &Value<'_>, path: String| {
        let part = shown.text(content);
        turns.push(Turn { role: role.to_owned(), path, parts: vec![part], ..Turn::default() });
    };
    let list =
        |key: &str| shown.root.get(key).and_then(Value::as_array).unwrap_or_default().iter().enumerate();
    let text = |value: &Value<'_>, key: &str| {
        value.get(key).map_or_else(String::new, |value| shown.labelled(key, value).text)
    };
    for (n, message) in list("messages") {
        turns.push(chat::turn(shown, message, format!("messages.{n}")));
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
    let reference = shown.root.get("ref_answer").filter(|value| value.kind != Kind::Null);
    let has_answers = list("model_outputs").any(|(_, output)| responses_of(output).next().is_some());
    let reference = reference.filter(|_| has_answers);
    if let Some(reference) = reference {
        answers.push(Answer {
            name: "Reference answer".to_owned(),
            turns: turns.len()..turns.len() + 1,
            chars: text_length(reference),
            is_reference: true,
        });
        push(&mut turns, "reference", reference, "ref_answer".to_owned());
    }
    for (n, output) in list("model_outputs") {
        let name = text(output, "model_name");
        let name_value = output.get("model_name");
        badges
            .extend(name_value.filter(|_| badges.len() < MOST_BADGES).map(|name| shown.badge("Model", name)));
        let count = responses_of(output).count();
        for (m, response) in responses_of(output).enumerate() {
            let path = format!("model_outputs.{n}.responses.{m}");
            let content = response.get("content").unwrap_or(response);
            let model = name_value.map_or_else(|| format!("Model {}", n + 1), |name| shown.name(name));
            answers.push(Answer {
                name: if count > 1 { format!("{model}, answer {}", m + 1) } else { model },
                turns: turns.len()..turns.len() + 1,
                chars: text_length(content),
                is_reference: false,
            });
            push(&mut turns, &name, content, path);
            if let (Some(reasoning), Some(turn)) = (response.get("reasoning_content"), turns.last_mut())
                && reasoning.kind != Kind::Null
            {
                let part = reasoning.as_str().map_or_else(|| shown.other(reasoning), reasoning_part);
                turn.parts.insert(0, part);
            }
        }
    }
    let told = ["messages", "system", "conversation", "prompt", "response", "model_outputs"];
    let is_told = |key: &str| told.contains(&key) || (key == "ref_answer" && reference.is_some());
    let others = members.iter().filter(|member| !member.shadowed && !is_told(&member.key));
    let fields = others.take(MOST_FIELDS).map(|member| shown.labelled(&member.key, &member.value)).collect();
    (!turns.is_empty()).then_some(Sample { badges, turns, answers: several(answers), fields, omitted: 0 })
}

/// The responses of a model.
fn responses_of<'v, 'a>(output: &'v Value<'a>) -> impl Iterator<Item = &'v Value<'a>> {
    output.get("responses").and_then(Value::as_array).unwrap_or_default().iter()
}
