//! `evalcheck fix` as a shell sees it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

const BROKEN: &str = "\
{'input': {'messages': [{'role': 'user', 'content': 'Hi'}]}, 'usage_output': None}
{\"input\":{\"messages\":[{\"role\":\"tool\",\"content\":\"No such role\"}]},\"usage_output\":null}
{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null,\"extra\":1}
";

const FIXED: &str = "\
{\"input\": {\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}, \"usage_output\": null}
{\"input\":{\"messages\":[{\"role\":\"tool\",\"content\":\"No such role\"}]},\"usage_output\":null}
{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null,\"extra\":1}
";

fn fix(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.current_dir(folder).arg("fix").args(args).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("data.jsonl"), BROKEN).unwrap();
    folder
}

#[test]
fn the_fixed_dataset_goes_to_standard_output_and_what_is_left_to_standard_error() {
    let folder = folder();
    let output = fix(folder.path(), &["data.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), FIXED);
    let said = stderr(&output);
    assert!(said.starts_with("line 2: input.messages.0.role: Invalid enum value."), "{said}");
    assert!(said.ends_with("1 fix applied, 2 errors and warnings left\n"), "{said}");
    assert_eq!(
        fs::read_to_string(folder.path().join("data.jsonl")).unwrap(),
        BROKEN,
        "the file is not touched"
    );
}

#[test]
fn unsafe_fixes_are_applied_when_they_are_asked_for() {
    let folder = folder();
    let output = fix(folder.path(), &["--unsafe", "data.jsonl"]);
    assert!(stdout(&output).contains("\"usage_output\":null}\n"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("extra"));
    let output = fix(folder.path(), &["--unsafe", "--ignore", "shape", "data.jsonl"]);
    assert_eq!(stdout(&output), FIXED);
    let output = fix(folder.path(), &["--unsafe", "--select", "shape/unknown-key", "data.jsonl"]);
    assert_eq!(stdout(&output), BROKEN.replace(",\"extra\":1", ""));
}

#[test]
fn the_diff_has_the_changed_lines() {
    let folder = folder();
    let output = fix(folder.path(), &["--diff", "data.jsonl"]);
    let (before, after) = (BROKEN.lines().next().unwrap(), FIXED.lines().next().unwrap());
    let expected = format!("--- a/data.jsonl\n+++ b/data.jsonl\n@@ -1 +1 @@\n-{before}\n+{after}\n");
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_file_is_replaced_with_its_mode() {
    let folder = folder();
    let path = folder.path().join("data.jsonl");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    let output = fix(folder.path(), &["--in-place", "data.jsonl"]);
    assert_eq!(stdout(&output), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), FIXED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left in the folder");
}

#[test]
fn invalid_records_are_left_out_and_written_with_their_findings() {
    let folder = folder();
    let output = fix(
        folder.path(),
        &["--drop-invalid", "--rejects", "rejects.jsonl", "-o", "out.jsonl", "data.jsonl"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut lines = FIXED.lines();
    let kept = format!("{}\n{}\n", lines.next().unwrap(), lines.nth(1).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl")).unwrap(), kept);
    let rejects = fs::read_to_string(folder.path().join("rejects.jsonl")).unwrap();
    let reject: serde_json::Value = serde_json::from_str(rejects.trim_end()).unwrap();
    assert_eq!(reject["line"], 2);
    assert_eq!(reject["text"], FIXED.lines().nth(1).unwrap());
    assert_eq!(reject["findings"][0]["code"], "shape/invalid-enum-value");
}

#[test]
fn of_a_zip_only_the_dataset_changes() {
    let folder = TempDir::new().unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let dataset = BROKEN.replacen("'Hi'", "[{'type': 'file_ref', 'path': '.\\\\attachments/A.txt'}]", 1);
    for (name, contents) in [("samples.jsonl", dataset.as_str()), ("attachments/a.txt", "contents")] {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents.as_bytes()).unwrap();
    }
    fs::write(folder.path().join("data.zip"), writer.finish().unwrap().into_inner()).unwrap();
    let output = fix(folder.path(), &["-o", "fixed.zip", "data.zip"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let mut archive = zip::ZipArchive::new(fs::File::open(folder.path().join("fixed.zip")).unwrap()).unwrap();
    let mut read = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(read("attachments/a.txt"), "contents");
    let dataset = read("samples.jsonl");
    assert!(dataset.contains("\"path\": \"attachments/a.txt\""), "{dataset}");
}

#[test]
fn a_clean_file_comes_out_as_it_is() {
    let folder = TempDir::new().unwrap();
    let clean = FIXED.lines().next().unwrap();
    fs::write(folder.path().join("data.jsonl"), clean).unwrap();
    let output = fix(folder.path(), &["data.jsonl"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), (clean, Some(0)));
}
