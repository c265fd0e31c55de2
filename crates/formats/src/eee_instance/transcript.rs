//! Checks that turns, tool calls, attributions and counts of one record agree. The schema reports wrong types: values that depend on one
//! are not checked here.

use std::collections::BTreeSet;

use super::version::Version;
use crate::checks::{Findings, Record};
use crate::diagnose::{Kind, RecordFix, Value, clip, clip_quoted};
use evalcheck_report::text::count;

evalcheck_core::rules! {
    /// Disagreements within a record.
    TranscriptProblem {
        AttributedTurn { turn: String, turns: String } = "eee/attributed-turn", Warning {
            summary: "An answer is attributed to a turn that does not exist.",
            message: "no turn has turn_idx {turn}: {turns}",
            hint: "Write the turn_idx of the turn that the answer was taken from.",
            meaning: "answer_attribution states the turn that the answer was taken from; 0 for a single turn. A reader that looks the turn up finds nothing.",
            invalid: "\"turn_idx\":7 in the answer_attribution of a conversation of three turns",
            valid: "\"turn_idx\":2",
        }
        NoTerminal { advice: &'static str } = "eee/no-terminal-attribution", Warning {
            summary: "No attribution is marked as the final answer.",
            message: "no entry has is_terminal true, so it is unknown which answer is the final one",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "answer_attribution lists how the answer was taken from the model's output; the entry with is_terminal is the answer that was scored. Without it the scored answer is unknown.",
            invalid: r#"{"answer_attribution":[{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"regex","is_terminal":false}]}"#,
            valid: r#"{"answer_attribution":[{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"regex","is_terminal":true}]}"#,
        }
        TurnOrder { turn: String, before: String } = "eee/turn-order", Warning {
            summary: "The turns are not in order.",
            message: "turn_idx {turn} follows {before}: turns must be in order",
            hint: "Sort the turns by turn_idx, and give each its own, from 0.",
            fix: Unsafe,
            meaning: "turn_idx is the position of the turn in the conversation, so it grows from turn to turn.",
            invalid: "turns with turn_idx 0, 2, 1",
            valid: "turns with turn_idx 0, 1, 2",
        }
        FirstTurn { turn: String } = "eee/first-turn", Warning {
            summary: "The turns are not counted from 0.",
            message: "the first turn has turn_idx {turn}: turns are counted from 0",
            hint: "Number the turns from 0, and write the new numbers in answer_attribution too.",
            fix: Unsafe,
            meaning: "The schema says of turn_idx that it is an index starting from 0. In a transcript that is counted from 1, a reader that takes turn_idx for a position takes the turn after the one that is meant.",
            invalid: "turns with turn_idx 1, 2, 3",
            valid: "turns with turn_idx 0, 1, 2",
        }
        NumTurns { stated: String, found: String } = "eee/num-turns", Warning {
            summary: "num_turns disagrees with the transcript.",
            message: "num_turns is {stated}, but the record has {found}",
            hint: "Count the turns of the transcript, or leave num_turns out.",
            fix: Unsafe,
            meaning: "num_turns is the number of turns in the interaction: the number of turns in the transcript, or 1 for a single turn.",
            invalid: "\"num_turns\":4 beside a transcript of three turns",
            valid: "\"num_turns\":3",
        }
        ToolCallsCount { stated: String, found: String } = "eee/tool-calls-count", Warning {
            summary: "tool_calls_count disagrees with the transcript.",
            message: "tool_calls_count is {stated}, but the record has {found}",
            hint: "Count the tool_calls of all turns, or leave tool_calls_count out.",
            fix: Unsafe,
            meaning: "tool_calls_count is the number of tool calls in all turns together.",
            invalid: "\"tool_calls_count\":1 beside a transcript with two calls",
            valid: "\"tool_calls_count\":2",
        }
        UnknownCall { id: String } = "eee/unknown-tool-call", Warning {
            summary: "A turn answers a tool call that was not made.",
            message: "no earlier turn calls a tool with the id {id}",
            hint: "Write the id of an earlier tool call.",
            meaning: "tool_call_id states the call that the turn answers, by an id in tool_calls of an earlier turn.",
            invalid: "\"tool_call_id\":\"call_2\" when only call_1 was made",
            valid: "\"tool_call_id\":\"call_1\"",
        }
        TotalTokens { total: String, input: String, output: String } = "eee/total-tokens", Warning {
            summary: "total_tokens is less than the sum of its parts.",
            message: "total_tokens is {total}, less than {input} input and {output} output tokens together",
            hint: "Write the sum, or more where other tokens count too.",
            fix: Unsafe,
            meaning: "total_tokens counts all tokens that were used, so it is at least input_tokens plus output_tokens.",
            invalid: r#"{"token_usage":{"input_tokens":100,"output_tokens":20,"total_tokens":100}}"#,
            valid: r#"{"token_usage":{"input_tokens":100,"output_tokens":20,"total_tokens":120}}"#,
        }
    }
}

/// Reports disagreements within a record.
pub(super) fn check(record: &Record<'_>, version: Version, out: &mut Findings<'_>) {
    let root = record.root;
    let kind = root.get("interaction_type").and_then(Value::as_str);
    let transcript = root.get(version.transcript()).and_then(Value::as_array);
    let single = kind == Some("single_turn");
    // A single turn has no transcript; the schema already reports one as an error.
    let transcript = transcript.filter(|_| !single && kind.is_some());
    if let Some(turns) = transcript {
        if order(record, turns, out) {
            first(record, turns, out);
        }
        answered_calls(record, turns, out);
    }
    attributions(record, transcript, single, out);
    counts(record, transcript, single, out);
    tokens(record, out);
}

/// The number of a value, if it can be an index.
fn index(value: &Value<'_>) -> Option<f64> {
    match value.kind {
        // Adding 0 turns -0 into 0, which equals it but has other bits.
        Kind::Number(n, _) if n >= 0.0 && n.fract() == 0.0 => Some(n + 0.0),
        _ => None,
    }
}

/// The index of the turn that an attribution refers to, if there is exactly one.
pub(super) fn attributed(turns: &[Value<'_>], attribution: &Value<'_>) -> Option<usize> {
    let wanted = turn_idx(attribution)?.to_bits();
    let is_wanted = |turn: &Value<'_>| turn_idx(turn).is_some_and(|number| number.to_bits() == wanted);
    let mut found = turns.iter().enumerate().filter(|(_, turn)| is_wanted(turn));
    let (index, _) = found.next()?;
    found.next().is_none().then_some(index)
}

fn turn_idx(turn: &Value<'_>) -> Option<f64> {
    turn.get("turn_idx").and_then(index)
}

/// A number as written in the file.
fn text(record: &Record<'_>, value: &Value<'_>) -> String {
    clip(&String::from_utf8_lossy(&record.text.bytes[value.span.clone()]), 40)
}

/// Reports turns whose numbers do not increase. Returns true if all do.
fn order(record: &Record<'_>, turns: &[Value<'_>], out: &mut Findings<'_>) -> bool {
    let mut before: Option<&Value<'_>> = None;
    let mut renumbered = false;
    for value in turns.iter().filter_map(|turn| turn.get("turn_idx")) {
        let Some(n) = index(value) else { continue };
        if let Some(before) = before
            && index(before).is_some_and(|last| n <= last)
        {
            let problem =
                TranscriptProblem::TurnOrder { turn: text(record, value), before: text(record, before) };
            // One fix renumbers all turns.
            let fix = (!std::mem::replace(&mut renumbered, true)).then(|| in_order(turns));
            out.report_fixed(problem, record.at(value), fix);
        }
        before = Some(value);
    }
    !renumbered
}

/// Reports turns that are in order but do not begin with 0.
fn first(record: &Record<'_>, turns: &[Value<'_>], out: &mut Findings<'_>) {
    // A turn without a readable number may have any.
    let Some(numbers) = turns.iter().map(turn_idx).collect::<Option<Vec<f64>>>() else { return };
    let Some(value) = turns.first().and_then(|turn| turn.get("turn_idx")) else { return };
    if numbers.first() == Some(&0.0) {
        return;
    }
    let problem = TranscriptProblem::FirstTurn { turn: text(record, value) };
    out.report_fixed(problem, record.at(value), from_zero(record, turns, &numbers));
}

/// Renumbers turns that are counted from 1, and the attributions to them, from 0. `None` if they are counted in another way.
fn from_zero(record: &Record<'_>, turns: &[Value<'_>], numbers: &[f64]) -> Option<RecordFix> {
    if !numbers
        .iter()
        .zip(1_u32..)
        .all(|(number, position)| number.to_bits() == f64::from(position).to_bits())
    {
        return None;
    }
    let attributions = record.root.get("answer_attribution").and_then(Value::as_array).unwrap_or_default();
    let fix = RecordFix::not_safe("Count the turns and the attributions to them from 0, which is a guess");
    let mut counted = turns.iter().chain(attributions).filter_map(|counted| counted.get("turn_idx"));
    counted.try_fold(fix, |fix, value| {
        let number = index(value).filter(|number| numbers.contains(number))?;
        Some(fix.replace(value.span.clone(), (number - 1.0).to_string()))
    })
}

/// Numbers the turns in their present order.
fn in_order(turns: &[Value<'_>]) -> RecordFix {
    let numbers =
        turns.iter().enumerate().filter_map(|(position, turn)| Some((position, turn.get("turn_idx")?)));
    let fix = RecordFix::not_safe("Number the turns as they stand, which is a guess");
    numbers.fold(fix, |fix, (position, value)| fix.replace(value.span.clone(), position.to_string()))
}

/// Replaces the stated number by the counted one.
fn counted(stated: &Value<'_>, count: f64) -> RecordFix {
    let count = count.to_string();
    let fix = RecordFix::not_safe(format!("Write {count}, which was counted; what was stated is lost"));
    fix.replace(stated.span.clone(), count)
}

fn calls<'v, 'a>(turn: &'v Value<'a>) -> &'v [Value<'a>] {
    turn.get("tool_calls").and_then(Value::as_array).unwrap_or_default()
}

fn answered_calls(record: &Record<'_>, turns: &[Value<'_>], out: &mut Findings<'_>) {
    let mut made = BTreeSet::new();
    for turn in turns {
        for id in calls(turn).iter().filter_map(|call| call.get("id")?.as_str()) {
            made.insert(id);
        }
        let Some(answered) = turn.get("tool_call_id") else { continue };
        for value in answered.as_array().unwrap_or(std::slice::from_ref(answered)) {
            if let Some(id) = value.as_str().filter(|id| !made.contains(id)) {
                out.report(TranscriptProblem::UnknownCall { id: clip_quoted(id) }, record.at(value));
            }
        }
    }
}

fn attributions(record: &Record<'_>, transcript: Option<&[Value<'_>]>, single: bool, out: &mut Findings<'_>) {
    let Some(attribution) = record.root.get("answer_attribution") else { return };
    let Some(entries) = attribution.as_array() else { return };
    let terminal = |entry: &Value<'_>| match entry.get("is_terminal")?.kind {
        Kind::Boolean(terminal) => Some(terminal),
        _ => None,
    };
    // An entry without `is_terminal` is already an error, and may be the final one.
    if entries.iter().all(|entry| terminal(entry) == Some(false)) {
        let fix = match entries {
            [only] => only.get("is_terminal").map(|value| {
                let fix = RecordFix::not_safe("Mark the only entry as the final answer, which is a guess");
                fix.replace(value.span.clone(), "true")
            }),
            _ => None,
        };
        let advice = match entries {
            [] => "Add an entry that says where the answer is, with \"is_terminal\": true.",
            _ => "Mark the entry of the final answer with \"is_terminal\": true.",
        };
        out.report_fixed(TranscriptProblem::NoTerminal { advice }, record.at(attribution), fix);
    }
    let turns: Option<Vec<f64>> = match transcript {
        _ if single => Some(vec![0.0]),
        // A turn without a readable number may be any turn.
        Some(turns) => turns.iter().map(turn_idx).collect(),
        None => None,
    };
    if let Some(all) = turns {
        let turns: BTreeSet<u64> = all.into_iter().map(f64::to_bits).collect();
        for value in entries.iter().filter_map(|entry| entry.get("turn_idx")) {
            if index(value).is_none_or(|n| turns.contains(&n.to_bits())) {
                continue;
            }
            let there = match turns.len() {
                _ if single => "a single turn is turn 0".to_owned(),
                0 => "the transcript is empty".to_owned(),
                1 => "the transcript has 1 turn".to_owned(),
                n => format!("the transcript has {n} turns"),
            };
            let problem = TranscriptProblem::AttributedTurn { turn: text(record, value), turns: there };
            out.report(problem, record.at(value));
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "whole numbers, found by counting in one record"
)]
fn counts(record: &Record<'_>, transcript: Option<&[Value<'_>]>, single: bool, out: &mut Findings<'_>) {
    let Some(evaluation) = record.root.get("evaluation") else { return };
    let turns = transcript.map(<[_]>::len).or(single.then_some(1));
    if let (Some(stated), Some(found)) = (evaluation.get("num_turns"), turns)
        && index(stated).is_some_and(|n| n != found as f64 && n > 0.0)
    {
        let problem =
            TranscriptProblem::NumTurns { stated: text(record, stated), found: count(found as u64, "turn") };
        out.report_fixed(problem, record.at(stated), Some(counted(stated, found as f64)));
    }
    let readable = |turn: &Value<'_>| {
        turn.get("tool_calls").is_none_or(|calls| matches!(calls.kind, Kind::Null | Kind::Array(_)))
    };
    let made = transcript
        .filter(|turns| turns.iter().all(readable))
        .map(|turns| turns.iter().map(|turn| calls(turn).len()).sum::<usize>());
    if let (Some(stated), Some(found)) = (evaluation.get("tool_calls_count"), made.or(single.then_some(0)))
        && index(stated).is_some_and(|n| n != found as f64)
    {
        let problem = TranscriptProblem::ToolCallsCount {
            stated: text(record, stated),
            found: count(found as u64, "tool call"),
        };
        out.report_fixed(problem, record.at(stated), Some(counted(stated, found as f64)));
    }
}

fn tokens(record: &Record<'_>, out: &mut Findings<'_>) {
    let Some(usage) = record.root.get("token_usage") else { return };
    let number = |key: &str| usage.get(key).and_then(|value| Some((value, index(value)?)));
    let (Some((input, i)), Some((output, o)), Some((total, t))) =
        (number("input_tokens"), number("output_tokens"), number("total_tokens"))
    else {
        return;
    };
    if t < i + o {
        let problem = TranscriptProblem::TotalTokens {
            total: text(record, total),
            input: text(record, input),
            output: text(record, output),
        };
        out.report_fixed(problem, record.at(total), Some(counted(total, i + o)));
    }
}
