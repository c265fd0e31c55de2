//! Baselines: known findings are not listed and do not fail the check, wherever they are.
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A record of JuryArena with this role and text.
fn record(role: &str, text: &str) -> String {
    format!(r#"{{"input":{{"messages":[{{"role":"{role}","content":"{text}"}}]}},"usage_output":null}}"#)
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evalcheck")).current_dir(folder).args(args).output().unwrap()
}

/// Checks `a.jsonl` of a folder against the baseline `b.json`: exit status and output.
fn check(folder: &Path, options: &[&str]) -> (i32, String) {
    let output = run(folder, &[&["check", "a.jsonl", "--baseline", "b.json"], options].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// A folder with `a.jsonl` and a baseline of all its findings.
fn known(lines: &[String]) -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), lines);
    let (status, text) = check(folder.path(), &["--write-baseline"]);
    assert_eq!(status, 0, "{text}");
    folder
}

fn write(folder: &Path, lines: &[String]) {
    fs::write(folder.join("a.jsonl"), lines.join("\n")).unwrap();
}

#[test]
fn only_what_is_new_is_listed_and_fails() {
    let lines = [record("User", "a"), record("user", "b"), record("Tool", "c"), record("Tool", "c")];
    let folder = known(&lines);
    let (status, text) = check(folder.path(), &[]);
    assert_eq!(status, 0, "{text}");
    assert!(!text.contains("error["), "{text}");
    assert!(text.contains("3 findings are in the baseline and not listed."), "{text}");
    assert!(text.contains("invalid (juryarena): 4 records, 3 with errors"), "the system refuses it: {text}");

    // Moved, with white space and keys in another order, and one more of the line that was there twice.
    let moved =
        lines[0].replace("\"role\":\"User\",\"content\":\"a\"", "\"content\" : \"a\", \"role\":\"User\"");
    let lines =
        [lines[3].clone(), lines[1].clone(), lines[1].clone(), lines[2].clone(), moved, lines[3].clone()];
    write(folder.path(), &lines);
    let (status, text) = check(folder.path(), &[]);
    assert_eq!((status, text.matches("error[").count()), (1, 1), "{text}");
    assert!(text.contains("a.jsonl:6:") && text.contains("Found 1 error."), "{text}");
    assert!(text.contains("3 findings are in the baseline"), "{text}");
}

#[test]
fn what_is_gone_is_said_and_taken_out_when_it_is_written_again() {
    let folder = known(&[record("User", "a"), record("Tool", "b")]);
    write(folder.path(), &[record("Tool", "b")]);
    let (status, text) = check(folder.path(), &[]);
    assert_eq!(status, 0);
    assert!(
        text.contains("1 finding of the baseline is gone. Write it again with --write-baseline."),
        "{text}"
    );
    let (_, text) = check(folder.path(), &["--where", "rule:csv"]);
    assert!(!text.contains("gone"), "{text}");
    check(folder.path(), &["--write-baseline"]);
    let (_, text) = check(folder.path(), &[]);
    assert!(!text.contains("gone"), "{text}");
    write(folder.path(), &[record("User", "a")]);
    assert_eq!(check(folder.path(), &[]).0, 1);
}

#[test]
fn a_baseline_keeps_files_and_rules_that_were_not_checked() {
    let folder = known(&[record("User", "a"), "{".to_owned()]);
    let path = folder.path();
    fs::write(path.join("c.jsonl"), record("User", "c")).unwrap();
    let options = ["--baseline", "b.json", "--write-baseline"];
    run(path, &[&["check", "c.jsonl"], &options[..]].concat());
    run(path, &[&["check", "a.jsonl", "--select", "json"], &options[..]].concat());
    let baseline: Value = serde_json::from_str(&fs::read_to_string(path.join("b.json")).unwrap()).unwrap();
    let files = baseline["files"].as_object().unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.jsonl", "c.jsonl"]);
    assert_eq!(files["a.jsonl"].as_object().unwrap().len(), 2, "{baseline}");
    // From another folder the files are the same.
    fs::create_dir(path.join("d")).unwrap();
    let output = run(&path.join("d"), &["check", "..", "--baseline", "../b.json", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn of_more_than_10_000_findings_of_a_rule_the_number_may_only_fall() {
    let lines: Vec<String> = (0..10_050).map(|number| record("User", &number.to_string())).collect();
    let folder = known(&lines);
    assert!(fs::metadata(folder.path().join("b.json")).unwrap().len() < 1000);
    write(folder.path(), &lines[..10_020]);
    let (status, text) = check(folder.path(), &[]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("30 findings of the baseline are gone"), "{text}");
    let more = [&lines[..], &[record("User", "x"), record("User", "y")]].concat();
    write(folder.path(), &more);
    let (status, text) = check(folder.path(), &[]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("10052 findings of shape/invalid-enum-value, 10050 in the baseline"), "{text}");
    assert!(text.contains("Found 2 errors."), "{text}");
}

#[test]
fn sarif_marks_what_is_known() {
    let folder = known(&[record("User", "a"), record("Tool", "b")]);
    let states = |options: &[&str]| {
        let (_, text) = check(folder.path(), &[&["--output", "sarif"], options].concat());
        let log: Value = serde_json::from_str(&text).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        let print = |result: &Value| result["partialFingerprints"]["primaryLocationLineHash"].clone();
        results.iter().map(|result| (result["baselineState"].clone(), print(result))).collect::<Vec<_>>()
    };
    let known = states(&[]);
    assert!(known.len() == 2 && known.iter().all(|(state, _)| state == "unchanged"), "{known:?}");
    write(folder.path(), &[record("User", "n"), record("User", "a"), record("Tool", "b")]);
    let now = states(&[]);
    assert_eq!(now.iter().filter(|(state, _)| state == "new").count(), 1, "{now:?}");
    assert_eq!(now[1..], known);
    let (_, text) = check(folder.path(), &["--output", "csv"]);
    assert_eq!(text.lines().count(), 2, "{text}");
}

/// Writes a ZIP with these lines as its dataset.
fn zip(path: &Path, lines: &[String]) {
    let mut zip = ZipWriter::new(fs::File::create(path).unwrap());
    zip.start_file("samples.jsonl", SimpleFileOptions::default()).unwrap();
    zip.write_all(lines.join("\n").as_bytes()).unwrap();
    zip.finish().unwrap();
}

#[test]
fn findings_of_a_zip_are_told_by_their_content() {
    let lines: Vec<String> = (0..300).map(|number| record("User", &number.to_string())).collect();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.zip");
    zip(&path, &lines);
    let args = ["check", "a.zip", "--baseline", "b.json"];
    run(folder.path(), &[&args[..], &["--write-baseline"]].concat());
    let mut moved = vec![record("user", "first")];
    moved.extend(lines.into_iter().rev());
    zip(&path, &moved);
    let output = run(folder.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("300 findings are in the baseline"), "{text}");
}

#[test]
fn records_on_one_line_are_told_apart() {
    let folder = TempDir::new().unwrap();
    // An object is not an answer.
    let query = |text: &str, is_valid: bool| {
        let answers = if is_valid { r#"["x"]"# } else { "[{}]" };
        format!(r#"{{"query_id":"{text}","query_text":"How is {text}?","expected_answers":{answers}}}"#)
    };
    let write = |queries: &[String]| {
        fs::write(folder.path().join("q.json"), format!(r#"{{"queries":[{}]}}"#, queries.join(","))).unwrap();
    };
    let check = |options: &[&str]| {
        let output = run(folder.path(), &[&["check", "q.json", "--baseline", "b.json"], options].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (bad, worse) = (query("a", false), query("b", false));
    write(&[query("x", true), bad.clone()]);
    let (_, text) = check(&["--write-baseline"]);
    assert!(text.contains("1 finding is in the baseline"), "{text}");
    write(&[query("y", true), bad.clone(), query("x", true)]);
    let (status, text) = check(&[]);
    assert_eq!(status, Some(0), "{text}");
    write(&[worse, bad]);
    let (status, text) = check(&[]);
    assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{text}");
}

#[test]
fn a_baseline_that_cannot_be_used_is_refused() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), &[record("User", "a")]);
    let refusal = |args: &[&str]| {
        let output = run(folder.path(), &[&["check", "a.jsonl"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal(&["--baseline", "b.json"]).contains("--write-baseline makes it"));
    assert!(refusal(&["--write-baseline"]).contains("--baseline FILE"));
    for (text, why) in [("[", "no baseline"), (r#"{"baseline":"x","files":{}}"#, "another version")] {
        fs::write(folder.path().join("b.json"), text).unwrap();
        assert!(refusal(&["--baseline", "b.json"]).contains(why));
    }
    fs::write(folder.path().join("b.json"), r#"{"baseline":"evalcheck/1","files":{}}"#).unwrap();
    assert!(refusal(&["--baseline", "b.json", "--output", "html"]).contains("leave out the baseline"));
    fs::write(folder.path().join("evalcheck.toml"), "baseline = \"b.json\"").unwrap();
    let output = run(folder.path(), &["check", "a.jsonl", "--write-baseline"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(run(folder.path(), &["check", "a.jsonl"]).status.code(), Some(0));
    assert_eq!(run(folder.path(), &["check", "a.jsonl", "--isolated"]).status.code(), Some(1));
}
