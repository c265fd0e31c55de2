//! Records of Every Eval Ever that make sense, and ways to spoil them.

use serde_json::{Map, Value, json};

use super::Choices;

/// A record without findings; `number` makes its id.
pub fn coherent(version: &str, choices: &mut Choices, number: usize) -> Value {
    let new = version == "0.3.0";
    let kind = ["single_turn", "multi_turn", "agentic"][choices.below(3)];
    let texts = |text: &str| if new { json!([text]) } else { json!(text) };
    let mut record = json!({
        "schema_version": version,
        "evaluation_id": "bench/model/1",
        "model_id": "org/model-7b",
        "evaluation_name": (["GSM8K", "mmlu"][choices.below(2)]),
        "sample_id": format!("sample_{number}"),
        "interaction_type": kind,
        "input": {"raw": "How many \"legs\" has a spider?\n", "reference": texts("8")},
        "evaluation": {"score": ([1.0, 0.5, -1.25e2][choices.below(3)]), "is_correct": true},
    });
    let transcript = if new { "messages" } else { "interactions" };
    let mut last = 0;
    let mut calls = 0;
    if kind == "single_turn" {
        record["output"] = json!({"raw": texts("Eight."), "reasoning_trace": null});
        if choices.chance(2) {
            record[transcript] = json!(null);
        }
    } else {
        let turns = 2 + choices.below(4);
        let mut entries = Vec::new();
        for turn in 0..turns {
            let mut value = json!({"turn_idx": turn, "role": "user", "content": "An 8-legged 動物"});
            if kind == "agentic" && turn % 2 == 1 && turn + 1 < turns {
                value["role"] = json!("assistant");
                value["content"] = json!(null);
                value["tool_calls"] =
                    json!([{"id": format!("call_{turn}"), "name": "look_up", "arguments": {"q": "legs"}}]);
                calls += 1;
            } else if kind == "agentic" && turn % 2 == 0 && turn > 0 {
                let id = format!("call_{}", turn - 1);
                value["role"] = json!("tool");
                value["tool_call_id"] = if new || choices.chance(2) { json!([id]) } else { json!(id) };
            }
            entries.push(value);
        }
        last = turns - 1;
        record[transcript] = json!(entries);
        if choices.chance(2) {
            record["output"] = json!(null);
        }
    }
    let turns = last + 1;
    record["answer_attribution"] = json!([{
        "turn_idx": choices.below(turns),
        "source": "output.raw",
        "extracted_value": "8",
        "extraction_method": "regex",
        "is_terminal": choices.chance(2),
    }, {
        "turn_idx": last,
        "source": "output.raw",
        "extracted_value": "8",
        "extraction_method": "regex",
        "is_terminal": true,
    }]);
    if choices.chance(2) {
        record["evaluation"]["num_turns"] = json!(turns);
        record["evaluation"]["tool_calls_count"] = json!(calls);
    }
    if choices.chance(2) {
        let (input, output, more) = (choices.below(500), choices.below(500), choices.below(3));
        record["token_usage"] = json!({
            "input_tokens": input, "output_tokens": output, "total_tokens": input + output + more,
            "reasoning_tokens": null,
        });
    }
    if choices.chance(3) {
        record["performance"] = json!({"latency_ms": 12.5, "generation_time_ms": null});
    }
    if choices.chance(3) {
        record["error"] = json!(null);
        record["metadata"] = json!({"subject": "biology"});
    }
    if choices.chance(4) {
        record["sample_id"] = if new { json!(number.to_string()) } else { json!(number) };
    }
    record
}

/// Other values for any place.
fn stranger(choices: &mut Choices) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1.0),
        json!(-1),
        json!(-0.5),
        json!(2.5),
        json!(1e300),
        json!("text"),
        json!(""),
        json!("single_turn"),
        json!([]),
        json!(["a"]),
        json!([1]),
        json!([null]),
        json!({}),
        json!({"a": "b"}),
        json!({"a": 1}),
        json!({"raw": "a"}),
        json!({"raw": ["a"]}),
        json!([{"turn_idx": 0, "role": "user"}]),
    ];
    values[choices.below(values.len())].clone()
}

const KEYS: &[&str] = &[
    "output",
    "interactions",
    "messages",
    "metrics",
    "metadata",
    "sample_hash",
    "evaluation_result_id",
    "num_turns",
    "tool_calls",
    "tool_call_id",
    "arguments",
    "reasoning_trace",
    "choices",
    "formatted",
    "additional_details",
    "own key",
];

/// One change at a random place.
pub fn spoil(record: &mut Value, choices: &mut Choices) {
    match choices.below(12) {
        0 => {
            let kinds = ["single_turn", "multi_turn", "agentic", "Single_Turn", ""];
            set(record, "interaction_type", json!(kinds[choices.below(kinds.len())]));
        }
        1 => rename(record, "interactions", "messages"),
        2 => rename(record, "messages", "interactions"),
        3 => {
            let values = [json!({}), json!({"num_turns": 1}), json!({"other": 1}), json!(null), json!(3)];
            set(record, "metrics", values[choices.below(values.len())].clone());
        }
        4 => {
            let key = ["output", "interactions", "messages"][choices.below(3)];
            let value = stranger(choices);
            set(record, key, value);
        }
        _ => inside(record, choices),
    }
}

fn set(record: &mut Value, key: &str, value: Value) {
    if let Some(members) = record.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}

fn rename(record: &mut Value, from: &str, to: &str) {
    if let Some(members) = record.as_object_mut()
        && let Some(value) = members.remove(from)
    {
        members.insert(to.to_owned(), value);
    }
}

fn inside(value: &mut Value, choices: &mut Choices) {
    let deeper = choices.below(5) > 0;
    match value {
        Value::Object(members) if deeper && !members.is_empty() => {
            let key = members.keys().nth(choices.below(members.len())).unwrap().clone();
            match choices.below(8) {
                0 => drop(members.remove(&key)),
                1 => {
                    let key = KEYS[choices.below(KEYS.len())];
                    members.insert(key.to_owned(), stranger(choices));
                }
                _ => inside(&mut members[&key], choices),
            }
        }
        Value::Array(elements) if deeper && !elements.is_empty() => {
            let location = choices.below(elements.len());
            match choices.below(8) {
                0 => drop(elements.remove(location)),
                1 => elements.push(stranger(choices)),
                _ => inside(&mut elements[location], choices),
            }
        }
        Value::Number(number) if deeper => {
            let n = number.as_f64().unwrap();
            *value = [json!(n), json!(n + 0.5), json!(-n), json!(n - 1.0), json!(n * 1e20)][choices.below(5)]
                .clone();
        }
        _ => *value = stranger(choices),
    }
}

/// The same with some whole numbers written in other ways, which `serde_json` would not write.
pub fn with_odd_numbers(line: &str, choices: &mut Choices) -> String {
    let mut line = line.to_owned();
    for key in ["turn_idx", "num_turns", "tool_calls_count", "input_tokens", "total_tokens", "sample_id"] {
        if !choices.chance(10) {
            continue;
        }
        let Some(at) = line.find(&format!("\"{key}\":")) else { continue };
        let from = at + key.len() + 3;
        let to = from + line[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        if to > from && line[to..].starts_with([',', '}']) {
            let odd = ["e0", ".0", ".50", "E+0", "e-1", "0e-1"]
                [choices.below(if &line[from..to] == "0" { 5 } else { 6 })];
            line.insert_str(to, odd);
        }
    }
    line
}

/// One change after which the record follows the schema as before, and may disagree with itself or with the others.
pub fn disagree(record: &mut Value, choices: &mut Choices) {
    let transcript = if record["schema_version"] == "0.3.0" { "messages" } else { "interactions" };
    let number = json!(choices.below(5));
    match choices.below(10) {
        0 => record["answer_attribution"][0]["turn_idx"] = number,
        1 => record["answer_attribution"][1]["is_terminal"] = json!(false),
        2 => record["evaluation"]["num_turns"] = json!(1 + choices.below(5)),
        3 => record["evaluation"]["tool_calls_count"] = number,
        4 => {
            if let Some(Value::Object(turn)) =
                record[transcript].as_array_mut().and_then(|turns| turns.last_mut())
            {
                turn.insert("turn_idx".to_owned(), number);
            }
        }
        5 => {
            for turn in record[transcript].as_array_mut().into_iter().flatten() {
                turn.as_object_mut().map(|turn: &mut Map<String, Value>| turn.remove("tool_calls"));
            }
        }
        6 => {
            record["token_usage"] =
                json!({"input_tokens": 9, "output_tokens": 9, "total_tokens": 14 + choices.below(9)});
        }
        7 => record["model_id"] = json!(["org/model-7b", "org/other"][choices.below(2)]),
        8 => record["schema_version"] = json!(["0.2.0", "0.3.0", "1.0"][choices.below(3)]),
        _ => record["sample_id"] = json!(["7", "8"][choices.below(2)]),
    }
}
