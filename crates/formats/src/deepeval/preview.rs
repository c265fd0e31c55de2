//! A golden as a conversation.

use evalcheck_report::view::{Sample, Turn};

use crate::diagnose::{Kind, Value};
use crate::preview::Shown;

/// Values that are shown as turns, with their roles.
const TEXTS: [(&str, &str); 5] = [
    ("scenario", "scenario"),
    ("input", "input"),
    ("actual_output", "actual output"),
    ("expected_output", "expected output"),
    ("expected_outcome", "expected outcome"),
];

/// The input and the outputs, or the scenario, the turns and the outcome; the other values beside them.
pub(super) fn preview(shown: &Shown<'_>) -> Option<Sample> {
    let Kind::Object(members) = &shown.root.kind else { return None };
    let mut sample = Sample::default();
    let turns = shown.root.get("turns").and_then(Value::as_array).unwrap_or_default();
    for (key, role) in TEXTS {
        if key == "expected_outcome" {
            sample.turns.extend(turns.iter().enumerate().map(|(n, turn)| turn_of(shown, turn, n)));
        }
        if let Some(value) =
            shown.root.get(key).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()))
        {
            let parts = vec![shown.text(value)];
            sample.turns.push(Turn { role: role.to_owned(), path: key.to_owned(), parts, ..Turn::default() });
        }
    }
    let is_turn = |key: &str| sample.turns.iter().any(|turn| turn.path.split('.').next() == Some(key));
    let others = members.iter().filter(|member| !member.shadowed && !is_turn(&member.key));
    let filled = others
        .filter(|member| !matches!(&member.value.kind, Kind::Null) && member.value.as_str() != Some(""));
    sample.fields = filled.map(|member| shown.labelled(&member.key, &member.value)).take(24).collect();
    (!sample.turns.is_empty()).then_some(sample)
}

fn turn_of(shown: &Shown<'_>, turn: &Value<'_>, number: usize) -> Turn {
    let path = format!("turns.{number}");
    let role = turn.get("role").map_or_else(String::new, |role| shown.labelled("role", role).text);
    let mut parts = match turn.get("content") {
        Some(content) => vec![shown.text(content)],
        None => vec![shown.other(turn)],
    };
    for key in ["tools_called", "toolsCalled"] {
        let tools = turn.get(key).and_then(Value::as_array).unwrap_or_default();
        parts.extend(tools.iter().map(|tool| shown.other(tool)));
    }
    Turn { role, path, parts, ..Turn::default() }
}
