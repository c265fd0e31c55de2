//! Outputs for other tools: each is valid for its readers, and text of a dataset has no effect there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::cases::{self, Case};
use crate::support::suite::rounds;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Text that has an effect in a log, on a terminal, in XML, in Markdown or in a spreadsheet, unless it is escaped.
const HOSTILE: &str = "\n::error file=x::y\r##[error]z\u{1b}[31m\u{1b}]0;t\u{7}</failure>]]><b>`|%0A";

/// The outputs of whole runs that are files.
const FILES: [&str; 6] = ["sarif", "gitlab", "junit", "rdjson", "csv", "markdown"];

fn hostile_dataset() -> String {
    let record =
        |role: &str| json!({"input": {"messages": [{"role": role, "content": "Hi"}]}, "usage_output": null});
    let mut other = record("user");
    other[HOSTILE] = json!(1);
    let lines = [
        record(HOSTILE).to_string(),
        "::add-mask::x".into(),
        "##[error]x".into(),
        "=1+1".into(),
        other.to_string(),
    ];
    lines.join("\n")
}

fn check(folder: &Path, file: &str, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.current_dir(folder).args(["check", file]).args(options).env_remove("CLICOLOR_FORCE");
    command.env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    command.output().unwrap()
}

/// The outputs of [`FILES`] for a dataset, in their order, and the text beside them.
fn outputs(folder: &Path, file: &str) -> ([String; 6], String) {
    let options: Vec<String> = FILES.iter().map(|form| format!("--output-file={form}={form}.out")).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let output = check(folder, file, &options);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |form: &str| std::fs::read_to_string(folder.join(format!("{form}.out"))).unwrap();
    (FILES.map(read), String::from_utf8(output.stdout).unwrap())
}

/// Panics if a text has control characters, or a line that begins like a command or a formula.
fn assert_tame(text: &str) {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r');
    assert!(!text.contains(is_control), "{text:?}");
    for line in text.lines().map(str::trim_start) {
        assert!(!["::", "##[", "=", "\r"].iter().any(|start| line.starts_with(start)), "{line}");
    }
}

#[test]
fn all_outputs_of_a_hostile_dataset_are_tame() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a b.jsonl"), hostile_dataset()).unwrap();
    let (files, text) = outputs(folder.path(), "a b.jsonl");
    for output in files.iter().chain([&text]) {
        assert_tame(output);
    }
    let [sarif, gitlab, junit, rdjson, csv, _] = files;
    for json in [&sarif, &gitlab, &rdjson] {
        serde_json::from_str::<Value>(json).unwrap();
    }
    let xml = roxmltree::Document::parse(&junit).unwrap();
    assert_eq!(xml.root_element().attribute("tests"), Some("6"), "{junit}");
    assert_eq!(xml.descendants().filter(|node| node.has_tag_name("failure")).count(), 4, "{junit}");
    let rows = csv.split("\r\n").filter(|row| !row.is_empty()).count();
    assert_eq!(rows, 6, "a header, and a row for each finding: {csv}");
}

#[test]
fn a_workflow_gets_annotations_and_a_summary_and_no_other_command() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), hostile_dataset()).unwrap();
    let output = check(folder.path(), "a.jsonl", &["--output", "github"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let token = first.strip_prefix("::stop-commands::").unwrap();
    assert!(token.len() >= 8 && !rest.is_empty());
    let (stopped, commands) = rest.split_once(&format!("\n::{token}::\n")).unwrap();
    assert_tame(stopped);
    assert!(stopped.contains("invalid (juryarena): 5 records"), "{stopped}");
    let commands: Vec<&str> = commands.lines().collect();
    let annotates = |line: &&&str| {
        line.starts_with("::error file=a.jsonl,") || line.starts_with("::warning file=a.jsonl,")
    };
    assert_eq!(commands.iter().filter(annotates).count(), commands.len(), "{commands:?}");
    assert_eq!(commands.len(), 5);
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert_tame(&summary);
    assert_eq!(summary.lines().filter(|line| line.starts_with("| ")).count(), 6, "{summary}");
    // A second step appends to it.
    check(folder.path(), "a.jsonl", &["--output", "github"]);
    let twice = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert_eq!(twice, format!("{summary}{summary}"));
}

#[test]
fn sarif_of_golden_cases_follows_its_schema() {
    let mut schema: Value = serde_json::from_str(include_str!("../data/sarif-2.1.0.schema.json")).unwrap();
    // Its pattern is not a regular expression; we write no language.
    for of in ["run", "toolComponent"] {
        schema["definitions"][of]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    let schema = jsonschema::validator_for(&schema).unwrap();
    let folder = TempDir::new().unwrap();
    let (mut results, mut fixes) = (0, 0);
    // In the quick suite, only some cases: the schema is large.
    let one_of = rounds(6, 1);
    for case in cases::folders().iter().step_by(one_of).map(|folder| Case::load(folder)) {
        // Large cases are made by a recipe, and add nothing.
        if case.bytes.len() > 1 << 20 {
            continue;
        }
        std::fs::write(folder.path().join(&case.file_name), &case.bytes).unwrap();
        let mut options = vec!["--output", "sarif"];
        if let Some(format) = &case.options.format {
            options.extend(["--format", format]);
        }
        let output = check(folder.path(), &case.file_name, &options);
        let log: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{}: {error}: {}", case.name, String::from_utf8_lossy(&output.stderr))
        });
        let errors: Vec<String> =
            schema.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}: {}", case.name, errors.join("\n"));
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let mut prints = BTreeSet::new();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"], "{}", case.name);
            let print = result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap();
            assert!(prints.insert(print.to_owned()), "{}: {print} is there twice", case.name);
            results += 1;
            fixes += usize::from(result.get("fixes").is_some());
        }
    }
    assert!(results > 500 / one_of && fixes > 50 / one_of, "{results} results, {fixes} with a fix");
}

#[test]
fn a_finding_is_told_again_wherever_its_record_is() {
    let folder = TempDir::new().unwrap();
    let prints = |records: &str| {
        std::fs::write(folder.path().join("a.json"), format!("{{\"queries\": [\n{records}\n]}}")).unwrap();
        let output = check(folder.path(), "a.json", &["--output", "sarif"]);
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut results = log["runs"][0]["results"].as_array().unwrap().clone();
        // Not those about repeated ids.
        results.retain(|result| result["level"] == "error");
        let print = |result: &Value| {
            result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().to_owned()
        };
        results.iter().map(print).collect::<Vec<_>>()
    };
    let good = r#"{"query_id":"a","query_text":"b","expected_answers":["c"]}"#;
    let other = good.replace("\"a\"", "\"e\"");
    let bad = r#"{"query_id":"x","query_text":"b","expected_answers":7}"#;
    let first = prints(bad);
    assert_eq!(first.len(), 1);
    let moved = r#"{ "expected_answers": 7, "query_text": "b", "query_id": "another" }"#;
    assert_eq!(
        prints(&[good, &other, moved].join(",\n"))[..],
        first[..],
        "another line, id, order and white space"
    );
    assert_ne!(prints(&bad.replace("\"b\"", "\"d\""))[..], first[..], "another content");
    let twice = prints(&[bad, moved].join(",\n"));
    assert_eq!((twice.len(), &twice[0]), (2, &first[0]));
    assert_ne!(twice[0], twice[1], "equal ones are numbered");
}

#[test]
fn what_is_selected_is_what_is_counted() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), hostile_dataset()).unwrap();
    let output = check(folder.path(), "a.jsonl", &["--select", "json", "--output", "junit"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("tests=\"4\" failures=\"3\""), "{text}");
    let output = check(folder.path(), "a.jsonl", &["--where", "rule:json/comment", "--output", "markdown"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 of 5 findings match rule:json/comment; only these"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("| error")).count(), 1, "{text}");
    assert!(text.contains("5 records, 4 with errors"), "the verdict is on all of it: {text}");
}

#[test]
fn several_outputs_at_once_say_the_same() {
    let folder = TempDir::new().unwrap();
    let bad = r#"{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}"#;
    std::fs::write(folder.path().join("a.jsonl"), format!("{bad}\n").repeat(12_000)).unwrap();
    let alone = check(folder.path(), "a.jsonl", &["--output", "json"]).stdout;
    let output = check(
        folder.path(),
        "a.jsonl",
        &["--output", "short", "--output-file", "json=a.json", "--output-file", "sarif=a.sarif"],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("a.jsonl:")).count(),
        12_002,
        "all, one of the dataset, and the verdict"
    );
    let beside = std::fs::read(folder.path().join("a.json")).unwrap();
    let (alone, beside): (Value, Value) =
        (serde_json::from_slice(&alone).unwrap(), serde_json::from_slice(&beside).unwrap());
    assert_eq!(beside["findings"].as_array().unwrap().len(), 10_001);
    assert_eq!(alone, beside);
    let log: Value = serde_json::from_slice(&std::fs::read(folder.path().join("a.sarif")).unwrap()).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 5_000);
    let said = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(*said, json!("7001 findings of shape/invalid-enum-value are not listed."));
}

#[test]
fn an_output_that_cannot_be_written_is_said() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), "{}\n").unwrap();
    for (value, why) in [
        ("sarif=no/such/folder/a.sarif", "no/such/folder/a.sarif"),
        ("sarif", "write a form and a file"),
        ("sarif=", "the name of the file is missing"),
        ("github=a", "use --output github"),
        ("xml=a", "xml"),
    ] {
        let output = check(folder.path(), "a.jsonl", &["--output-file", value]);
        assert_eq!(output.status.code(), Some(2), "{value}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(why), "{value}: {said}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_in_every_output() {
    let folder = TempDir::new().unwrap();
    std::fs::write(
        folder.path().join("a.jsonl"),
        "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n",
    )
    .unwrap();
    let options: Vec<String> = FILES
        .iter()
        .map(|form| format!("--output-file={form}={form}.out"))
        .chain(["b.jsonl".to_owned()])
        .collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let output = check(folder.path(), "a.jsonl", &options);
    assert_eq!(output.status.code(), Some(3));
    for form in FILES {
        let text = std::fs::read_to_string(folder.path().join(format!("{form}.out"))).unwrap();
        assert!(text.contains("b.jsonl") && text.contains("could not be read: "), "{form}: {text}");
    }
    let log: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("sarif.out")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let log = check(folder.path(), "b.jsonl", &["--output", "github"]);
    let log = String::from_utf8(log.stdout).unwrap();
    assert!(log.contains("::error file=b.jsonl,title=file/not-read::The file could not be read: "), "{log}");
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("b.jsonl: The file could not be read: "), "{summary}");
}
