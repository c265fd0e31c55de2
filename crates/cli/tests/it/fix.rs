//! `evalcheck fix` in a shell.
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
    assert!(
        said.starts_with("data.jsonl:2:31: error[shape/invalid-enum-value]: input.messages.0.role: "),
        "{said}"
    );
    let end = "\ndata.jsonl: invalid (juryarena): 3 records, 1 with errors\nApplied 1 fix.\n\
        Found 1 error and 1 warning. 1 is fixable with `evalcheck fix --unsafe`.\n";
    assert!(said.ends_with(end), "{said}");
    assert_eq!(
        fs::read_to_string(folder.path().join("data.jsonl")).unwrap(),
        BROKEN,
        "the file is not touched"
    );
}

#[test]
fn what_is_left_is_listed_with_the_options_of_a_check() {
    let folder = folder();
    let wrong = "{\"input\":{\"messages\":[{\"role\":\"tool\",\"content\":\"\"}]},\"usage_output\":null}\n";
    fs::write(folder.path().join("data.jsonl"), wrong.repeat(10_001)).unwrap();
    let listed = |args: &[&str]| {
        let output = fix(folder.path(), &[&["data.jsonl"], args].concat());
        let said = stderr(&output);
        let listed = said.lines().filter(|line| line.contains(": error[")).count();
        (
            listed,
            said.contains(
                " more findings are counted and not listed\n  help: To list them too, add --all.\n",
            ),
        )
    };
    assert_eq!(listed(&[]), (10_001, false));
    assert_eq!(listed(&["--max-findings", "5"]), (5, true));
    assert_eq!(listed(&["--ignore", "shape"]), (0, false));
}

#[test]
fn the_files_of_a_folder_are_fixed_in_place() {
    let folder = folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    for name in ["a.jsonl", "b.jsonl"] {
        fs::write(folder.path().join("data").join(name), BROKEN).unwrap();
    }
    let refused = fix(folder.path(), &["data"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("several files need --in-place or --diff"), "{}", stderr(&refused));
    let diff = fix(folder.path(), &["--diff", "data"]);
    assert_eq!(stdout(&diff).matches("\n+{").count(), 2, "{}", stdout(&diff));
    let output = fix(folder.path(), &["--in-place", "data"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("\nApplied 2 fixes.\nFound 2 errors"), "{}", stderr(&output));
    for name in ["a.jsonl", "b.jsonl"] {
        assert_eq!(fs::read_to_string(folder.path().join("data").join(name)).unwrap(), FIXED);
    }
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
fn a_dataset_of_which_nothing_would_be_left_is_not_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data.jsonl");
    fs::write(&path, "{}\n{}\n").unwrap();
    for output in [&["--in-place"][..], &["-o", "out.jsonl", "--rejects", "rejects.jsonl"], &[]] {
        let all = [&["--format", "juryarena", "--drop-invalid"], output, &["data.jsonl"]].concat();
        let output = fix(folder.path(), &all);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{}", stderr(&output));
        assert!(stderr(&output).contains("nothing was written"), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n{}\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Interrupts the command as soon as the temporary file is there. Where it was faster, the dataset is the fixed one, and another try is made.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_temporary_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data.jsonl");
    let long = "x".repeat(60 << 20);
    let record = |role: &str| {
        format!("{{\"input\": {{\"messages\": [{{\"role\": \"{role}\", \"content\": \"{long}\"}}]}}}}\n")
    };
    let (broken, fixed) = (record("USER"), record("user"));
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let was_interrupted = (0..20).any(|_| {
        fs::write(&path, &broken).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_evalcheck"));
        let mut child =
            command.current_dir(folder.path()).args(["fix", "--in-place", "data.jsonl"]).spawn().unwrap();
        while files() < 2 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        let status = child.wait().unwrap();
        assert_eq!(files(), 1, "only the dataset is in the folder");
        let left = fs::read(&path).unwrap();
        let is_as_before = left == broken.as_bytes();
        assert!(is_as_before || left == fixed.as_bytes(), "the dataset is as it was, or fixed as a whole");
        signal.unwrap().success() && status.code() == Some(130) && is_as_before
    });
    assert!(was_interrupted, "the command was always faster than the interrupt");
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

/// A ZIP of these files.
fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn names(zip: &Path) -> Vec<String> {
    let archive = zip::ZipArchive::new(fs::File::open(zip).unwrap()).unwrap();
    archive.file_names().map(|name| name.unwrap().to_string()).collect()
}

/// A ZIP with a reference to a file in another folder, an invalid record, and unused files.
fn misplaced() -> TempDir {
    let folder = TempDir::new().unwrap();
    let good = r#"{"input":{"messages":[{"role":"user","content":[{"type":"file_ref","path":"attachments/a.pdf"}]}]},"usage_output":null}"#;
    let bad = r#"{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}"#;
    let dataset = format!("{good},\n{bad}\n");
    let files = [
        ("data.jsonl", dataset.as_str()),
        ("files/a.pdf", "%PDF-1.4\n%%EOF\n"),
        (".DS_Store", "junk"),
        ("notes.md", "n"),
    ];
    fs::write(folder.path().join("data.zip"), zip_of(&files)).unwrap();
    folder
}

#[test]
fn entries_of_a_zip_are_moved_and_left_out_in_place() {
    let folder = misplaced();
    let path = folder.path().join("data.zip");
    let output = fix(folder.path(), &["--in-place", "data.zip"]);
    assert!(
        stderr(&output).contains("\nApplied 4 fixes.\nFound 1 error and 1 warning."),
        "{}",
        stderr(&output)
    );
    assert_eq!(names(&path), ["samples.jsonl", "attachments/a.pdf", "notes.md"]);
    // The invalid record does not mean the file that no other record refers to: its text is read, and names no file.
    let output = fix(folder.path(), &["--in-place", "--unsafe", "data.zip"]);
    assert!(stderr(&output).contains("\nApplied 1 fix.\nFound 1 error."), "{}", stderr(&output));
    assert_eq!(names(&path), ["samples.jsonl", "attachments/a.pdf"]);
    let before = fs::read(&path).unwrap();
    fix(folder.path(), &["--in-place", "--unsafe", "data.zip"]);
    assert_eq!(fs::read(&path).unwrap(), before, "what is fixed stays as it is");
}

#[test]
fn a_diff_of_a_zip_lists_its_entries() {
    let folder = misplaced();
    let output = fix(folder.path(), &["--diff", "data.zip"]);
    let diff = stdout(&output);
    let (entries, lines) = diff.split_at(diff.find("---").unwrap());
    assert_eq!(
        entries,
        "deleted file data.zip/.DS_Store\n\
         rename from data.zip/data.jsonl\nrename to data.zip/samples.jsonl\n\
         rename from data.zip/files/a.pdf\nrename to data.zip/attachments/a.pdf\n"
    );
    assert!(
        lines.starts_with("--- a/data.zip/data.jsonl\n+++ b/data.zip/samples.jsonl\n@@ -1 +1 @@\n-{"),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 5, "{lines}");
}

#[test]
fn invalid_records_of_a_zip_are_left_out_and_written_with_their_findings() {
    let folder = misplaced();
    let args = ["--drop-invalid", "--rejects", "rejects.jsonl", "-o", "out.zip", "data.zip"];
    let output = fix(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut archive = zip::ZipArchive::new(fs::File::open(folder.path().join("out.zip")).unwrap()).unwrap();
    let mut dataset = String::new();
    archive.by_name("samples.jsonl").unwrap().read_to_string(&mut dataset).unwrap();
    assert_eq!(dataset.lines().count(), 1, "{dataset}");
    let rejects = fs::read_to_string(folder.path().join("rejects.jsonl")).unwrap();
    assert_eq!(rejects.lines().count(), 1, "{rejects}");
}

#[test]
fn a_zip_that_cannot_be_written_anew_stays_as_it_is() {
    let folder = misplaced();
    let path = folder.path().join("data.zip");
    let mut zip = fs::read(&path).unwrap();
    zip.extend(b"a log line\n");
    fs::write(&path, &zip).unwrap();
    let output = fix(folder.path(), &["data.zip"]);
    assert_eq!((output.status.code(), output.stdout == zip), (Some(1), true), "{}", stderr(&output));
    let output = fix(folder.path(), &["--unsafe", "-o", "fixed.zip", "data.zip"]);
    assert!(stderr(&output).contains("\nApplied 6 fixes.\nFound 1 error."), "{}", stderr(&output));
    assert_eq!(names(&folder.path().join("fixed.zip")), ["samples.jsonl", "attachments/a.pdf"]);
}

#[test]
fn a_clean_file_comes_out_as_it_is() {
    let folder = TempDir::new().unwrap();
    let clean = FIXED.lines().next().unwrap();
    fs::write(folder.path().join("data.jsonl"), clean).unwrap();
    let output = fix(folder.path(), &["data.jsonl"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), (clean, Some(0)));
}

/// A ZIP whose dataset uses a compression method that evalcheck does not support.
fn packed_by_lzma() -> Vec<u8> {
    let mut zip = zip_of(&[("samples.jsonl", FIXED), ("__MACOSX/x", "junk")]);
    // The compression method is at offset 8 of the local header, and at offset 10 of the entry in the central directory.
    let central = zip.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    zip[8] = 14;
    zip[central + 10] = 14;
    zip
}

#[test]
fn what_cannot_be_read_is_listed_whatever_is_written() {
    let folder = TempDir::new().unwrap();
    for output in [&["--diff"][..], &["-o", "out.zip"], &["--in-place"], &[], &["--unsafe", "--diff"]] {
        fs::write(folder.path().join("data.zip"), packed_by_lzma()).unwrap();
        let output = fix(folder.path(), &[output, &["data.zip"]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("data.zip:samples.jsonl: error[zip/unsupported-method]"), "{said}");
        assert!(said.contains("pply 1 fix") || said.contains("Applied 1 fix"), "{said}");
    }
}

#[test]
fn records_that_are_no_lines_are_left_out() {
    let folder = folder();
    let valid = |id: &str| format!(r#"{{"query_id": "{id}", "query_text": "a", "expected_answers": ["b"]}}"#);
    let (one, two) = (valid("q1"), valid("q2"));
    let bad = "{\n    \"query_id\": \"q0\",\n    \"query_text\": \"\"\n  }";
    let document = |elements: &str| format!("{{\"queries\": [{elements}], \"documents\": [ ]}}\n");
    let cases = [
        (
            "rows.csv",
            "query_id,query_text,relevant_doc_ids\r\nq1,\"a\nb\",d1\r\nq2,\"\n \",d2\r\nq3,a,d1\r\nq4,\" \n\",d1".to_owned(),
            "query_id,query_text,relevant_doc_ids\r\nq1,\"a\nb\",d1\r\nq3,a,d1\r\n".to_owned(),
        ),
        ("first.json", document(&format!("\n  {bad},\n  {one}\n")), document(&format!("\n  {one}\n"))),
        ("middle.json", document(&format!("{one}, {bad} , {bad},{two}")), document(&format!("{one}, {two}"))),
        ("last.json", document(&format!("\n  {one},\n  {bad},\n  {bad}\n")), document(&format!("\n  {one}\n"))),
        ("minified.json", document(&format!("{bad},{one},{bad},{two},{bad}")), document(&format!("{one},{two}"))),
    ];
    let good = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
    let over_lines = "{\"input\":\r\n\r\n {\"messages\":[]},\r\n\"x\":}";
    let cases = cases.into_iter().chain([(
        "lines.jsonl",
        format!("{good}\r\n{over_lines}\r\n{good}\n\n{{\"input\":\n{good}\n{{\"input\":{{"),
        format!("{good}\r\n{good}\n\n{good}\n"),
    )]);
    for (name, content, expected) in cases {
        fs::write(folder.path().join(name), content).unwrap();
        let output = fix(folder.path(), &["--drop-invalid", "--rejects", "rejects.jsonl", name]);
        assert_eq!(stdout(&output), expected, "{name}");
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let rejects = fs::read_to_string(folder.path().join("rejects.jsonl")).unwrap();
        let first: serde_json::Value = serde_json::from_str(rejects.lines().next().unwrap()).unwrap();
        let text = first["text"].as_str().unwrap();
        let rejected = match name {
            "rows.csv" => "q2,\"\n \",d2",
            "lines.jsonl" => over_lines,
            _ => bad,
        };
        assert_eq!(text, rejected, "{name}");
        assert!(!first["findings"].as_array().unwrap().is_empty());
    }
}
