//! Text of a dataset has no effect where an output shows it, whatever the command and the form.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Text that controls a terminal, or that the agent of a build server reads as a command.
const HOSTILE: &str =
    "::add-mask::e ##vso[task.complete]##[error]z ##teamcity[x] \u{1b}[31m\u{1b}]0;t\u{7}\u{9b}1m\r\u{202e}";

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.current_dir(folder).args(args).env_remove("CLICOLOR_FORCE").output().unwrap()
}

/// Panics if a text has an effect.
fn assert_inert(text: &str, about: &str) {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!text.replace("\r\n", "\n").contains(is_control), "{about}: {text:?}");
    for line in text.lines() {
        for acts in ["##[", "##vso[", "##teamcity["] {
            assert!(!line.contains(acts), "{about}: {line}");
        }
        assert!(!line.trim_start().starts_with("::"), "{about}: {line}");
    }
}

/// A folder with a dataset that has the text at every possible place, literally and with JSON escapes; and another version of it.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let record = |role: &str, id: &str| {
        let mut record = json!({
            "id": id,
            "input": {"messages": [{"role": role, "content": HOSTILE}]},
            "usage_output": null,
        });
        record[HOSTILE] = json!({HOSTILE: HOSTILE});
        record.to_string()
    };
    let raw = format!("{{'input': {{'messages': [{{'role': 'user', 'content': '{HOSTILE}'}}]}}}}");
    let lines = [
        record(HOSTILE, "1"),
        record("user", HOSTILE),
        "  ::add-mask::e".to_owned(),
        raw,
        format!("{HOSTILE}\u{c}"),
        record("User", "2"),
    ];
    fs::write(folder.path().join("a.jsonl"), lines.join("\n")).unwrap();
    fs::write(
        folder.path().join("b.jsonl"),
        lines.join("\n").replace("\"User\"", "\"user\"").replace("Hi", HOSTILE),
    )
    .unwrap();
    folder
}

#[test]
fn nothing_acts_in_any_output_of_any_command() {
    let folder = folder();
    let mut all: Vec<Vec<&str>> = Vec::new();
    for form in
        ["text", "short", "json", "jsonl", "html", "sarif", "gitlab", "junit", "rdjson", "csv", "markdown"]
    {
        all.push(vec!["check", "a.jsonl", "--output", form]);
    }
    for format in ["juryarena", "quest", "eee-instance", "evret", "tencent-infer"] {
        all.push(vec!["check", "a.jsonl", "--format", format]);
        all.push(vec!["stats", "a.jsonl", "--format", format]);
        all.push(vec!["loaded", "a.jsonl", "--format", format]);
    }
    all.extend([
        vec!["fix", "a.jsonl", "--diff"],
        vec!["fix", "a.jsonl", "--diff", "--unsafe"],
        vec!["find", "vso", "a.jsonl", "--format", "juryarena"],
        vec!["find", "##", "a.jsonl", "--format", "juryarena"],
        vec!["find", "vso", "a.jsonl", "--format", "juryarena", "--output", "jsonl"],
        vec!["stats", "a.jsonl", "--output", "json"],
        vec!["schema", "--infer", "a.jsonl"],
        vec!["diff", "a.jsonl", "b.jsonl", "--format", "juryarena"],
        vec!["diff", "a.jsonl", "b.jsonl", "--format", "juryarena", "--output", "json"],
        vec!["check", "a.jsonl", "--where", "##["],
        vec!["plan", "a.jsonl"],
    ]);
    for args in all {
        let output = run(folder.path(), &args);
        let about = args.join(" ");
        // A file that a system cannot load has no records.
        let is_shown = !output.stdout.is_empty() || about.starts_with("loaded");
        assert!(is_shown, "{about}: {}", String::from_utf8_lossy(&output.stderr));
        assert_inert(&String::from_utf8(output.stdout).unwrap(), &about);
        assert_inert(&String::from_utf8(output.stderr).unwrap(), &about);
    }
}

#[test]
fn json_says_the_same_with_its_own_escapes() {
    let folder = TempDir::new().unwrap();
    let key = "a ##vso[b] \u{9b}\u{7f} é 語 Â¢ [c]";
    let mut record =
        json!({"input": {"messages": [{"role": "user", "content": "Hi"}]}, "usage_output": null});
    record[key] = json!(1);
    fs::write(folder.path().join("a.jsonl"), record.to_string()).unwrap();
    let output = run(folder.path(), &["check", "a.jsonl", "--output", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = report["findings"].to_string();
    assert!(text.contains("é 語 Â¢ [c]"), "{text}");
    let output = run(folder.path(), &["loaded", "a.jsonl"]);
    let loaded: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(loaded["changes"].to_string().contains("é 語 Â¢ [c]"), "{loaded}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("##vso\\u005b"));
}

#[test]
fn a_diff_in_a_file_can_be_applied() {
    let folder = folder();
    let before = fs::read(folder.path().join("a.jsonl")).unwrap();
    let file = fs::File::create(folder.path().join("a.diff")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    let status =
        command.current_dir(folder.path()).args(["fix", "--diff", "a.jsonl"]).stdout(file).status().unwrap();
    assert_eq!(status.code(), Some(1));
    let diff = fs::read(folder.path().join("a.diff")).unwrap();
    let is_raw = diff.windows(2).any(|bytes| bytes == b"\x1b[");
    assert!(is_raw, "bytes are as they are");
    let shown = run(folder.path(), &["fix", "--diff", "a.jsonl"]);
    assert!(String::from_utf8_lossy(&shown.stderr).contains("to apply the diff, write it to a file"));
    assert!(fs::read(folder.path().join("a.jsonl")).unwrap() == before);
}

#[test]
fn a_configuration_does_nothing_either() {
    let folder = folder();
    for config in [
        "\"a\\u001b]0;t\\u0007\\n::error::x\" = 1",
        "format = \"##vso[x]\\u009b\\n::x\"",
        "select = [\"a\\u001b\"]",
    ] {
        fs::write(folder.path().join("evalcheck.toml"), config).unwrap();
        for args in [&["check", "a.jsonl"][..], &["fix", "a.jsonl"], &["fix", "--diff", "a.jsonl"]] {
            let output = run(folder.path(), args);
            assert_eq!(output.status.code(), Some(2));
            assert_inert(&String::from_utf8(output.stderr).unwrap(), config);
        }
    }
}

/// Names of files come from a repository too.
#[cfg(unix)]
#[test]
fn the_name_of_a_file_does_nothing() {
    let folder = TempDir::new().unwrap();
    let name = "::error::\u{1b}[31m##[x].jsonl";
    let line = "{'input':{'messages':[{'role':'User','content':'Hi'}]}}\n";
    fs::write(folder.path().join(name), line).unwrap();
    for args in [
        &["check", "."][..],
        &["check", ".", "--output", "jsonl"],
        &["check", ".", "--output", "markdown"],
        &["stats", "."],
        &["loaded", "."],
        &["find", "Hi", "."],
        &["fix", "--diff", "."],
        &["check", "none/::error\u{1b}::x"],
    ] {
        let output = run(folder.path(), args);
        for out in [output.stdout, output.stderr] {
            assert_inert(&String::from_utf8(out).unwrap(), &args.join(" "));
        }
    }
}
