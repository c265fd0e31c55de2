//! `evalcheck diff` in a shell: its text, its JSON, and its exit status.
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The schema of comparisons.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(include_str!("../../../wire/comparison.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

/// A record of Every Eval Ever, with the keys that a comparison needs.
fn record(id: &str, rest: &str) -> String {
    format!(r#"{{"evaluation_name":"e","sample_id":"{id}","input":{{"raw":"What is {id}?"}},{rest}}}"#)
}

/// Two versions: `c` is removed, `d` is new, `a` has moved and is written differently, `b` has changed.
fn versions() -> [String; 2] {
    let long = "y".repeat(300);
    let old = [
        record("a", r#""score":1"#),
        record("b", &format!(r#""score":0.5,"tags":["x","<b>\u202e","{long}"]"#)),
        record("c", r#""score":1"#),
    ];
    let new = [
        record("b", &format!(r#""score":0.75,"tags":["x","{long}"]"#)),
        record("a", r#""score": 1.0"#),
        record("d", r#""score":1"#),
    ];
    [old, new].map(|lines| lines.map(|line| line + "\n").concat())
}

/// Runs the command in a folder with both versions.
fn diff(args: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    let [old, new] = versions();
    std::fs::write(folder.path().join("old.jsonl"), old).unwrap();
    std::fs::write(folder.path().join("new.jsonl"), new).unwrap();
    std::fs::write(folder.path().join("other.jsonl"), r#"{"messages":[{"role":"user","content":"Hi"}]}"#)
        .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.arg("diff").args(args).current_dir(folder.path()).stdin(Stdio::null());
    command.env_remove("CLICOLOR_FORCE").output().unwrap()
}

const FORMAT: [&str; 2] = ["--format", "eee-instance"];

#[test]
fn text_has_sums_paths_and_records() {
    let output = diff(&[&FORMAT[..], &["old.jsonl", "new.jsonl"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = r#"old.jsonl -> new.jsonl: 1 added, 1 removed, 1 changed, 0 unchanged (eee-instance: 3 records and 3)
  1 record has the same value, written differently

score changed in 1 record
  old.jsonl:2 -> new.jsonl:1
    - 0.5
    + 0.75

tags.* changed in 1 record
  old.jsonl:2 -> new.jsonl:1
    - "<b>\u{202e}"

Added
  new.jsonl:3: d: What is d?

Removed
  old.jsonl:3: c: What is c?
"#;
    assert_eq!(text, expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn json_follows_its_schema() {
    let output = diff(&[&FORMAT[..], &["--output", "json", "old.jsonl", "new.jsonl"]].concat());
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let errors: Vec<String> = SCHEMA.iter_errors(&comparison).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let numbers = ["added", "removed", "changed", "rewritten", "unchanged"]
        .map(|key| comparison[key].as_u64().unwrap());
    assert_eq!((numbers, &comparison["complete"]), ([1, 1, 1, 1, 0], &json!(true)));
    let changed = &comparison["changed_records"][0];
    assert_eq!((&changed["old"]["line"], &changed["new"]["line"]), (&json!(2), &json!(1)));
    assert_eq!(changed["paths"], json!(["score", "tags.*"]));
    assert_eq!(comparison["removed_records"][0]["id"], json!("c"));
    assert_eq!(output.status.code(), Some(1));
    let output =
        diff(&[&FORMAT[..], &["--limit", "0", "--output", "json", "old.jsonl", "new.jsonl"]].concat());
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&comparison["added"], &comparison["added_records"]), (&json!(1), &json!([])));
}

#[test]
fn the_same_records_are_no_difference() {
    let output = diff(&["--format", "eee-instance", "old.jsonl", "old.jsonl"]);
    let expected = "old.jsonl -> old.jsonl: 0 added, 0 removed, 0 changed, 3 unchanged (eee-instance: 3 records and 3)\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_cannot_be_compared_is_trouble() {
    let output = diff(&["old.jsonl", "other.jsonl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "not compared to the end: the formats differ: juryarena and tencent-infer\n");
    assert_eq!(output.status.code(), Some(3));
    let output = diff(&["old.jsonl", "missing.jsonl"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("missing.jsonl"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    let output = diff(&["-", "-"]);
    assert_eq!(output.status.code(), Some(2));
}
