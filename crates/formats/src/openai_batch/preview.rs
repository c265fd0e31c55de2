//! A request as a conversation.

use evalcheck_report::view::{Sample, Turn};

use crate::chat;
use crate::diagnose::{Kind, Value};
use crate::preview::Shown;

/// The number of fields beside the conversation that are shown.
const MOST_FIELDS: usize = 24;

/// The keys of a body with what the model is given, if it is a text.
const INPUTS: [&str; 2] = ["input", "prompt"];

/// The messages of the body, or its input, and all other keys beside them.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let body = shown.root.get("body")?;
    let Kind::Object(of_body) = &body.kind else { return None };
    let Kind::Object(of_line) = &shown.root.kind else { return None };
    let is_text =
        |key: &str| INPUTS.contains(&key) && body.get(key).is_some_and(|value| value.as_str().is_some());
    let list = if body.get("messages").is_some() { "messages" } else { "input" };
    let is_message = |message: &Value<'_>| message.get("role").is_some();
    let messages = body.get(list).and_then(Value::as_array).unwrap_or_default();
    let has_messages = messages.iter().any(is_message);
    let mut turns = Vec::new();
    if has_messages {
        let messages = messages.iter().enumerate();
        turns.extend(messages.map(|(n, message)| chat::turn(shown, message, format!("body.{list}.{n}"))));
    }
    for key in INPUTS.into_iter().filter(|key| is_text(key)) {
        let parts = body.get(key).into_iter().map(|value| shown.text(value)).collect();
        turns.push(Turn { role: "user".to_owned(), path: format!("body.{key}"), parts, ..Turn::default() });
    }
    let is_turn = |key: &str| (key == list && has_messages) || is_text(key);
    let of_line = of_line.iter().filter(|member| !member.shadowed && member.key != "body");
    let fields = of_line.map(|member| shown.labelled(&member.key, &member.value));
    let of_body = of_body.iter().filter(|member| !member.shadowed && !is_turn(&member.key));
    let fields =
        fields.chain(of_body.map(|member| shown.labelled(&format!("body.{}", member.key), &member.value)));
    let fields = fields.take(MOST_FIELDS).collect();
    (!turns.is_empty()).then(|| Sample { turns, fields, ..Sample::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;

    fn sample(json: &str) -> Sample {
        let parsed = diagnose::parse(json.as_bytes()).expect("it is JSON");
        let (attachments, archive, findings) = (None, None, &[][..]);
        let shown = Shown { root: &parsed.value, bytes: json.as_bytes(), attachments, archive, findings };
        preview(&shown).expect("it has turns")
    }

    fn labels(sample: &Sample) -> Vec<&str> {
        sample.fields.iter().map(|field| &*field.label).collect()
    }

    #[test]
    fn messages_are_turns_and_other_keys_are_fields() {
        let sample = sample(
            r#"{"custom_id":"a","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"x"}]}}"#,
        );
        let turns: Vec<_> = sample.turns.iter().map(|turn| (&*turn.role, &*turn.path)).collect();
        assert_eq!(turns, [("user", "body.messages.0")]);
        assert_eq!(labels(&sample), ["custom_id", "url", "body.model"]);
    }

    #[test]
    fn a_text_to_embed_is_a_turn() {
        let sample = sample(r#"{"custom_id":"a","body":{"model":"m","input":"x"}}"#);
        let turns: Vec<_> = sample.turns.iter().map(|turn| (&*turn.role, &*turn.path)).collect();
        assert_eq!(turns, [("user", "body.input")]);
        assert_eq!(labels(&sample), ["custom_id", "body.model"]);
    }
}
