//! The files of a folder that are checked: datasets, and files that may be meant as one; not files of other tools.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const RECORD: &str =
    "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

/// Files of ordinary repositories.
const OTHERS: &[(&str, &str)] = &[
    ("package.json", "{\"name\":\"site\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"vitest\"}}"),
    ("package-lock.json", "{\"name\":\"site\",\"lockfileVersion\":3,\"packages\":{}}"),
    ("tsconfig.build.json", "{\"compilerOptions\":{\"strict\":true}}"),
    ("evalcheck.toml", "[[files]]\nmatch = \"named/*\"\nformat = \"evret\"\n"),
    ("Cargo.lock", "[[package]]\nname = \"a\"\n"),
    ("notebook.ipynb", "{\"cells\":[],\"metadata\":{},\"nbformat\":4}"),
    ("cities.csv", "city,inhabitants\nParis,2100000\n"),
    ("people.csv", "id,name,email\n1,Ada,ada@example.org\n"),
    ("openapi.json", "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"API\"},\"paths\":{}}"),
    ("countries.json", "[{\"name\":\"France\",\"code\":\"FR\"},{\"name\":\"Peru\",\"code\":\"PE\"}]"),
    ("numbers.json", "[[1,2],[3,4]]"),
    ("settings", "{\"theme\":\"dark\"}"),
    ("train.parquet", "PAR1"),
    ("images.tar.gz", "\u{1f}"),
    ("report.jsonl", "{\"file\":\"a.jsonl\",\"report\":{\"report\":\"evalcheck/1\",\"findings\":[]}}\n"),
];

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evalcheck"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[test]
fn what_other_tools_have_written_is_skipped_and_counted() {
    let folder = folder(OTHERS);
    fs::write(folder.path().join("data.jsonl"), RECORD).unwrap();
    let output = run(folder.path(), &["check", "."]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    let last = format!(
        "Found no errors. Skipped {} files that are no datasets; --skipped names them.\n",
        OTHERS.len()
    );
    assert!(text.ends_with(&last), "{text}");
    assert_eq!(stderr(&output), "");
    let named = stderr(&run(folder.path(), &["check", ".", "--skipped"]));
    for (name, _) in OTHERS {
        assert!(named.contains(&format!("evalcheck: {name}: skipped: ")), "{name}: {named}");
    }
    // Commands without such a line print it to standard error.
    let found = run(folder.path(), &["find", "Hi", "."]);
    assert_eq!(stdout(&found).lines().count(), 1, "{}", stdout(&found));
    assert!(stderr(&found).contains("Skipped 15 files"), "{}", stderr(&found));
    let fixed = run(folder.path(), &["fix", "--in-place", "."]);
    assert_eq!(fixed.status.code(), Some(0), "{}", stderr(&fixed));
    for (name, content) in OTHERS {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *content, "{name}");
    }
}

#[test]
fn a_run_that_judges_nothing_is_no_success() {
    let folder = folder(OTHERS);
    let output = run(folder.path(), &["check", "."]);
    assert_eq!((output.status.code(), stdout(&output).contains("valid (")), (Some(3), false));
    let why = stderr(&output);
    assert!(why.contains("no dataset is in this folder: 15 files in it are something else"), "{why}");
}

#[test]
fn what_may_be_meant_as_a_dataset_is_judged() {
    for (name, content) in [
        // Names that only datasets have.
        ("notes.jsonl", "{\"theme\":\"dark\"}\n"),
        ("empty.zip", "PK\u{5}\u{6}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        // A renamed key, a misspelt column, a key of another system, one level too deep.
        ("a.json", "[{\"conversations\":[{\"from\":\"human\",\"value\":\"Hi\"}]}]"),
        ("a.csv", "query_id,qery_text\nq1,How far?\n"),
        ("b.csv", "question,answer\nHow far?,12 km\n"),
        ("b.json", "{\"data\":[{\"messages\":[],\"ref_answer\":\"\"}]}"),
        ("c.json", "{\"querys\":[]}"),
        ("d.json", "{\"version\":1,\"test\":[{\"messages\":[]}]}"),
        ("e.json", "{\"data\":[{\"query_text\" : \"\"}]}"),
        // A title above the header.
        ("c.csv", "Export of 2024\n\nquery_id,query_text\nq1,\n"),
        // It claims to be a report.
        ("f.json", "{\"report\":\"evalcheck/1\",\"queries\":[]}"),
        // These have no recognisable content.
        ("empty.json", ""),
        ("utf16.json", "{\0\"\0a\0\"\0:\0"),
    ] {
        let folder = folder(&[(name, content)]);
        let output = run(folder.path(), &["check", "."]);
        assert!(
            stdout(&output).contains(&format!("{name}: ")),
            "{name}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert!(!stdout(&output).contains("Skipped"), "{name}");
    }
}

#[test]
fn what_is_named_is_judged() {
    let cities = ("named/cities.csv", "city,inhabitants\nParis,2100000\n");
    let package = ("named/package.json", "{\"name\":\"site\"}");
    let folder_of = |more: &[(&str, &str)]| folder(&[&[cities, package], more].concat());
    let configured = folder_of(&[("evalcheck.toml", "[[files]]\nmatch = \"named/*\"\nformat = \"evret\"\n")]);
    let plain = folder_of(&[]);
    for (folder, args, judged) in [
        (&configured, &["check", "."][..], [true, true]),
        (&plain, &["check", "named/*"], [true, true]),
        (&plain, &["check", "named/cities.csv", "named/package.json"], [true, true]),
        (&plain, &["check", ".", "--format", "evret"], [true, false]),
        (&plain, &["check", "."], [false, false]),
    ] {
        let output = run(folder.path(), args);
        let text = stdout(&output);
        let is_judged = [cities, package].map(|(name, _)| text.contains(&format!("{name}: ")));
        assert_eq!(is_judged, judged, "{args:?}: {text}{}", stderr(&output));
        assert_ne!(output.status.code(), Some(0), "{args:?}");
    }
}
