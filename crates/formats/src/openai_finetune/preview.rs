//! A record as a conversation.

use evalcheck_report::view::{Answer, Sample, Turn};

use crate::chat;
use crate::diagnose::{Kind, Value};
use crate::preview::{Shown, text_length};

/// The number of fields beside the conversation that are shown.
const MOST_FIELDS: usize = 24;

/// The conversation, the two outputs of a preference to compare, and all other fields beside them.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let root = shown.root;
    let Kind::Object(members) = &root.kind else { return None };
    let input = root.get("input");
    let mut turns = Vec::new();
    let add = |turns: &mut Vec<Turn>, path: &str, messages: Option<&Value<'_>>| {
        let messages = messages.and_then(Value::as_array).unwrap_or_default().iter().enumerate();
        turns.extend(messages.map(|(n, message)| chat::turn(shown, message, format!("{path}.{n}"))));
    };
    add(&mut turns, "messages", root.get("messages"));
    add(&mut turns, "input.messages", input.and_then(|input| input.get("messages")));
    let mut answers = Vec::new();
    for (name, key) in [("Preferred", "preferred_output"), ("Not preferred", "non_preferred_output")] {
        let first = turns.len();
        let output = root.get(key);
        add(&mut turns, key, output);
        let messages = output.and_then(Value::as_array).unwrap_or_default().iter();
        if turns.len() > first {
            answers.push(Answer {
                name: name.to_owned(),
                turns: first..turns.len(),
                chars: messages.filter_map(|message| message.get("content")).map(text_length).sum(),
                is_reference: false,
            });
        }
    }
    for (role, key) in [("user", "prompt"), ("assistant", "completion")] {
        if let Some(value) = root.get(key).filter(|value| value.as_str().is_some()) {
            let parts = vec![shown.text(value)];
            turns.push(Turn { role: role.to_owned(), path: key.to_owned(), parts, ..Turn::default() });
        }
    }
    let has_turns = |key: &str| turns.iter().any(|turn| turn.path.split('.').next() == Some(key));
    let others = members.iter().filter(|member| !member.shadowed && !has_turns(&member.key));
    let fields = others.map(|member| shown.labelled(&member.key, &member.value));
    let of_input = ["tools", "parallel_tool_calls"].into_iter().filter_map(|key| {
        let value = input?.get(key)?;
        Some(shown.labelled(&format!("input.{key}"), value))
    });
    let fields = fields.chain(of_input).take(MOST_FIELDS).collect();
    (!turns.is_empty()).then(|| Sample {
        turns,
        answers: crate::preview::several(answers),
        fields,
        ..Sample::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;
    use evalcheck_report::view::Part;

    fn sample(json: &str) -> Sample {
        let parsed = diagnose::parse(json.as_bytes()).expect("it is JSON");
        let (attachments, archive, findings) = (None, None, &[][..]);
        let shown = Shown { root: &parsed.value, bytes: json.as_bytes(), attachments, archive, findings };
        preview(&shown).expect("it has turns")
    }

    #[test]
    fn calls_and_images_are_parts_of_their_turns() {
        let sample = sample(
            r#"{"messages":[
                {"role":"user","content":[{"type":"text","text":"Look"},{"type":"image_url","image_url":{"url":"a.png"}}]},
                {"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
                {"role":"tool","tool_call_id":"1","content":"x"}],"answer":"y"}"#,
        );
        let [user, assistant, tool] = &sample.turns[..] else { panic!("{:?}", sample.turns) };
        assert!(matches!(&user.parts[..], [Part::Text { .. }, Part::ImageUrl { url }] if url == "a.png"));
        assert!(matches!(&assistant.parts[..], [Part::ToolCall(call)] if call.name == "f"));
        assert_eq!(
            (&*tool.role, &*tool.path, &tool.result_of[..]),
            ("tool", "messages.2", &["1".to_owned()][..])
        );
        assert_eq!(sample.fields.iter().map(|field| &*field.label).collect::<Vec<_>>(), ["answer"]);
    }

    #[test]
    fn the_outputs_of_a_preference_are_compared() {
        let sample = sample(
            r#"{"input":{"messages":[{"role":"user","content":"a"}],"tools":[]},
                "preferred_output":[{"role":"assistant","content":"b"}],"non_preferred_output":[{"role":"assistant","content":"cc"}]}"#,
        );
        let answers: Vec<_> =
            sample.answers.iter().map(|answer| (&*answer.name, answer.turns.clone(), answer.chars)).collect();
        assert_eq!(answers, [("Preferred", 1..2, 1), ("Not preferred", 2..3, 2)]);
        assert_eq!(sample.fields.iter().map(|field| &*field.label).collect::<Vec<_>>(), ["input.tools"]);
    }
}
