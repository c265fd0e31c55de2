//! `evalcheck stats` in a shell: its tables, its JSON, and its exit status.

use std::process::{Command, Output, Stdio};

use crate::support;
use serde_json::{Value, json};
use tempfile::TempDir;

const CONVERSATIONS: &str = r#"{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]}}
{"input":{"messages":[{"role":"user","content":"\u65e5\u672c\u8a9e\u3067"}]},"usage_output":"<b>\u202e"}
{"input":{"messages":[{"role":"user","content":"Where is Paris?"}]}}
{"input":{"messages":[{"role":"user","content":"Where is Paris?"}]}}
{"input":{"messages":[{"role":"User","content":"Where is Rome?"}]}}
"#;

/// Runs the command in a folder with a dataset.
fn stats(args: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), CONVERSATIONS).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.arg("stats").args(args).current_dir(folder.path()).stdin(Stdio::null());
    command.env_remove("CLICOLOR_FORCE").output().unwrap()
}

const EXPECTED: &str = r"a.jsonl: 5 records
  valid      4   80.0 %  ################################
  invalid    1   20.0 %  ########
  duplicate  1   20.0 %  ########
  A duplicate has the same bytes as an earlier record.
";

#[test]
fn tables_have_a_bar_in_each_row() {
    let output = stats(&["a.jsonl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with(EXPECTED), "{text}");
    let roles = "\nRoles\n  user    4   66.7 %  ##########################\n  \
        system  1   16.7 %  ######\n  User    1   16.7 %  ######\n";
    assert!(text.contains(roles), "{text}");
    assert!(text.contains("\nTurns\n  1  4   80.0 %  ####"), "{text}");
    assert!(text.contains("\n  input.messages.*.role           5  100.0 %  string\n"), "{text}");
    assert!(text.ends_with("\na.jsonl: invalid (juryarena): 5 records, 1 with errors\n"), "{text}");
    assert!(!text.contains('\u{202e}') && text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn json_is_the_report_with_its_overview() {
    let output = stats(&["--output", "json", "a.jsonl"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    support::assert_follows_schema(&report, "a report with an overview");
    let overview = &report["overview"];
    assert_eq!((&overview["records"], &overview["duplicates"]), (&json!(5), &json!(1)));
    let paths = overview["paths"].as_array().unwrap();
    let output = paths.iter().find(|path| path["path"] == "usage_output").unwrap();
    assert_eq!(output["types"]["string"], json!(1));
    assert_eq!(output["characters"]["min"], json!(4));
    let roles = &overview["facts"].as_array().unwrap()[1];
    assert_eq!(roles["distribution"]["categories"]["values"][0], json!({"value": "user", "count": 4}));
}

#[test]
fn several_files_are_no_json_and_a_missing_one_is_an_error() {
    let output = stats(&["--output", "json", "a.jsonl", "a.jsonl"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "evalcheck: --output json: JSON is the report of one file, not of 2\n");
    assert_eq!(output.status.code(), Some(2));
    let output = stats(&["no.jsonl", "a.jsonl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(EXPECTED));
}
