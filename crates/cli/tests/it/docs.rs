//! Every command and configuration in the documentation works as documented.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ignore::{DirEntry, Walk};
use regex::Regex;
use tempfile::TempDir;

/// The documents that contain commands of evalcheck.
const DOCUMENTS: [&str; 4] = ["README.md", "docs/outputs.md", "docs/configuration.md", "docs/report.md"];

/// Beginnings of lines that are not commands of evalcheck: the suite runs them, or builds the same.
const OTHERS: [&str; 2] = ["cargo xtask ", "cargo install --path crates/cli"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of the blocks of a document in a language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(document)).unwrap();
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(of) = line.trim_start().strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
        if of == language {
            blocks.push(block.join("\n"));
        }
    }
    blocks
}

/// A folder with the files that the documents name.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let record = |role: &str, content: &str| {
        format!(
            r#"{{"input":{{"messages":[{{"role":"{role}","content":"{content}"}}]}},"usage_output":null}}"#
        ) + "\n"
    };
    let bad = [record("user", "Hi"), record("user", "Hello"), record("User", "Hello")].concat();
    let good = record("user", "Hi") + &record("assistant", "I cannot help with that.");
    for (name, text) in [
        ("samples.jsonl", &bad),
        ("old.jsonl", &good),
        ("new.jsonl", &bad),
        ("data/train.jsonl", &bad),
        ("data/test.jsonl", &good),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs a command in a shell.
fn run(folder: &Path, command: &str) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_evalcheck")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    // It would never end; `terminal.rs` tests it.
    let command = command.replace(" --watch", "");
    Command::new("sh").current_dir(folder).env("PATH", path).args(["-c", &command]).output().unwrap()
}

/// The commands of a block.
fn commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line).trim());
    let is_command = |line: &&str| !line.is_empty() && !line.starts_with('#');
    lines.filter(is_command).map(str::to_owned).collect()
}

#[test]
fn every_command_runs() {
    let mut count = 0;
    for document in DOCUMENTS {
        let folder = folder();
        for block in blocks(document, "sh") {
            for command in commands(&block) {
                if OTHERS.iter().any(|other| command.starts_with(other)) {
                    continue;
                }
                assert!(command.starts_with("evalcheck "), "{document}: {command}");
                let output = run(folder.path(), &command);
                let said = String::from_utf8_lossy(&output.stderr);
                let is_as_expected = matches!(output.status.code(), Some(0 | 1));
                assert!(
                    is_as_expected && said.is_empty(),
                    "{document}: {command}: {:?} {said}",
                    output.status
                );
                count += 1;
            }
        }
    }
    assert!(count >= 6, "{count} commands");
}

#[test]
fn what_commands_write_is_what_is_shown() {
    let folder = folder();
    let mut count = 0;
    for document in DOCUMENTS {
        for language in ["console", "text"] {
            for block in blocks(document, language) {
                for shown in format!("\n{block}").split("\n$ ").skip(1) {
                    let (command, expected) = shown.split_once('\n').unwrap_or((shown, ""));
                    assert!(command.starts_with("evalcheck "), "{document}: {command}");
                    let output = run(folder.path(), command);
                    let text = String::from_utf8(output.stdout).unwrap();
                    assert!(output.stderr.is_empty() && !text.is_empty(), "{document}: {command}");
                    // A truncated output is an example with another dataset.
                    if !expected.lines().any(|line| line == "...") {
                        assert_eq!(text.trim_end(), expected.trim_end(), "{document}: {command}");
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 0);
}

#[test]
fn every_configuration_is_valid() {
    let mut count = 0;
    for document in DOCUMENTS {
        for block in blocks(document, "toml") {
            let folder = folder();
            fs::write(folder.path().join("evalcheck.toml"), block).unwrap();
            let output = run(folder.path(), "evalcheck stats samples.jsonl");
            assert!(output.stderr.is_empty(), "{document}: {}", String::from_utf8_lossy(&output.stderr));
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    let documents = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut documents: Vec<PathBuf> =
        documents.filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect();
    documents.extend(
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| root().join(name)),
    );
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if file.is_empty() || link.contains("://") || link.contains(' ') {
                continue;
            }
            assert!(document.parent().unwrap().join(file).exists(), "{}: {link}", document.display());
        }
    }
}

#[test]
fn comments_begin_with_a_noun_and_use_plain_words() {
    let refused =
        Regex::new(r"(?m)^\s*//[/!] What\b.*|//.*\b(that which|such a one|rightly|at hand)\b").unwrap();
    let sources = Walk::new(root()).flatten().map(DirEntry::into_path);
    let (mut count, mut found) = (0, Vec::new());
    for source in sources.filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        count += 1;
        // This test contains the words.
        if !source.ends_with("it/docs.rs") {
            let text = fs::read_to_string(&source).unwrap();
            found.extend(
                refused.find_iter(&text).map(|line| format!("{}: {}", source.display(), line.as_str())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(count > 500, "{count} files");
}
