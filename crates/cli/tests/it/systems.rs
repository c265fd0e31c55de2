//! A file is checked for several systems: those that `--for` names, or those that its content fits alike.

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Runs `evalcheck check` in a folder.
fn check(folder: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.env_remove("CLICOLOR_FORCE").arg("check").args(args);
    command.current_dir(folder.path()).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Messages that two systems take, or with a content that both of them refuse.
fn conversations(records: usize, content: &str) -> String {
    let line = format!(
        r#"{{"messages":[{{"role":"user","content":"1 + 1?"}},{{"role":"assistant","content":{content}}}]}}"#
    );
    format!("{line}\n").repeat(records)
}

#[test]
fn a_file_that_fits_two_systems_alike_has_a_line_for_each_and_no_verdict() {
    let folder = folder(&[("both.jsonl", &conversations(12, "\"2\""))]);
    let output = check(&folder, &["both.jsonl"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(
        lines,
        [
            "both.jsonl: openai-finetune: takes all 12 records",
            "both.jsonl: tencent-infer: takes all 12 records",
            "both.jsonl: note: this looks like openai-finetune or tencent-infer: which one is meant?",
            "  help: Name it with --format. --for openai-finetune,tencent-infer lists the findings of each.",
        ]
    );
    let json = check(&folder, &["both.jsonl", "--output", "json"]);
    assert_eq!(json.status.code(), Some(3));
    let report: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(report["format"]["rivals"], serde_json::json!(["tencent-infer"]));
    let never = check(&folder, &["both.jsonl", "--fail-on", "never"]);
    assert_eq!(never.status.code(), Some(0));
    let chosen = check(&folder, &["both.jsonl", "--format", "openai-finetune"]);
    assert_eq!(chosen.status.code(), Some(0));
}

#[test]
fn what_both_systems_refuse_is_an_error() {
    let folder =
        folder(&[("neither.jsonl", &conversations(12, "2")), ("both.jsonl", &conversations(12, "\"2\""))]);
    let output = check(&folder, &["neither.jsonl"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let first = stdout(&output).lines().next().unwrap();
    assert!(
        first.starts_with("neither.jsonl: openai-finetune: refuses it at line 1: messages.1.content: ")
            && first.ends_with(" (12 errors)"),
        "{first}"
    );
    let several = check(&folder, &["neither.jsonl", "both.jsonl"]);
    assert_eq!(stdout(&several).lines().last(), Some("2 files fit several formats."));
}

#[test]
fn findings_follow_for_each_format_that_is_asked_for() {
    let folder = folder(&[("chat.jsonl", &conversations(12, "\"2\""))]);
    let output = check(&folder, &["chat.jsonl", "--for", "all", "--output", "short"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines[0], "chat.jsonl: openai-finetune: takes all 12 records");
    assert_eq!(lines[1], "chat.jsonl: tencent-infer: takes all 12 records");
    assert_eq!(lines[2], "chat.jsonl: hf-datasets 5.2: takes all 12 records");
    assert_eq!(lines[3], "chat.jsonl: valid (openai-finetune): 12 records");
    assert!(lines[4].starts_with("chat.jsonl: info[tencent/ground-truth]: "), "{}", lines[4]);

    let output = check(&folder, &["chat.jsonl", "--for", "quest,tencent-infer", "--output", "jsonl"]);
    assert_eq!(output.status.code(), Some(1), "the worst of both");
    let reports = stdout(&output).lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        Some((line["report"]["format"]["id"].as_str()?.to_owned(), line["report"]["valid"].as_bool()?))
    });
    let reports: Vec<(String, bool)> = reports.collect();
    assert_eq!(reports, [("quest".to_owned(), false), ("tencent-infer".to_owned(), true)]);
}

#[test]
fn a_check_for_a_system_that_evidently_is_not_meant_ends_early() {
    let folder = folder(&[("large.jsonl", &conversations(20_000, "\"2\""))]);
    let args = ["large.jsonl", "--for", "eee-instance,tencent-infer", "--output", "jsonl"];
    let output = check(&folder, &args);
    assert_eq!(output.status.code(), Some(1), "refused, whatever the rest is");
    let report = |id: &str| {
        let mut lines = stdout(&output).lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .find_map(|line| Some(line["report"].clone()).filter(|report| report["format"]["id"] == id))
            .unwrap()
    };
    let other = report("eee-instance");
    assert_eq!(other["checked"], false);
    assert!(other["counts"]["records"].as_u64().unwrap() < 1_000, "{}", other["counts"]);
    assert_eq!(other["counts"]["by_code"]["file/another-format"], 1);
    assert_eq!(report("tencent-infer")["counts"]["records"], 20_000);
}

#[test]
fn an_output_about_one_report_is_refused() {
    let folder = folder(&[("chat.jsonl", &conversations(12, "\"2\""))]);
    let output = check(&folder, &["chat.jsonl", "--for", "all", "--output", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let why = String::from_utf8(output.stderr).unwrap();
    assert!(why.contains("--output text, short or jsonl"), "{why}");
}

#[test]
fn the_page_of_an_undecided_file_has_its_findings() {
    let folder = folder(&[("neither.jsonl", &conversations(12, "2"))]);
    let page = |args: &[&str]| stdout(&check(&folder, args)).to_owned();
    let group = "<code>shape/wrong-type</code>";
    let chosen = page(&["neither.jsonl", "--format", "openai-finetune", "--output", "html"]);
    assert!(chosen.contains(group), "{chosen}");
    let undecided = page(&["neither.jsonl", "--output", "html"]);
    assert!(undecided.contains(group), "{undecided}");
}

#[test]
fn a_line_on_a_system_is_about_all_findings_listed_or_not() {
    let folder = folder(&[("neither.jsonl", &conversations(12, "2"))]);
    let first = |args: &[&str]| stdout(&check(&folder, args)).lines().next().unwrap().to_owned();
    let all = first(&["neither.jsonl"]);
    assert_eq!(first(&["neither.jsonl", "--ignore", "shape"]), all);
    let none_listed = first(&["neither.jsonl", "--max-findings", "0"]);
    assert_eq!(none_listed, "neither.jsonl: openai-finetune: refuses it (12 errors)");
}
