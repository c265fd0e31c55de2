//! The command on a terminal, with a reader that stops, and with an interrupt.
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tempfile::TempDir;

const COMMAND: &str = env!("CARGO_BIN_EXE_evalcheck");

/// A folder with a dataset that has a finding.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let record = r#"{"input":{"messages":[{"role":"User","content":"Hi"}]},"usage_output":null}"#;
    fs::write(folder.path().join("a.jsonl"), record).unwrap();
    folder
}

/// The output of a check on a terminal with these variables.
fn on_terminal(variables: &[(&str, &str)], args: &[&str]) -> String {
    let folder = folder();
    let pair = native_pty_system().openpty(PtySize { cols: 100, rows: 40, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(COMMAND);
    command.cwd(folder.path());
    command.env_clear();
    command.env("TERM", "xterm-256color");
    for (name, value) in variables {
        command.env(name, value);
    }
    command.args(args);
    let mut child = pair.slave.spawn_command(command).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    drop(pair.slave);
    let mut text = Vec::new();
    // Linux reports an error at the end of a terminal.
    let _ = reader.read_to_end(&mut text);
    assert_eq!(child.wait().unwrap().exit_code(), 1);
    String::from_utf8(text).unwrap()
}

#[test]
fn a_terminal_gets_colours_unless_it_or_the_user_says_otherwise() {
    let is_coloured = |variables: &[(&str, &str)], args: &[&str]| {
        let text = on_terminal(variables, args);
        assert!(text.contains("Found 1 error"), "{text}");
        // The escapes of a progress bar, which a slow machine shows, are different.
        let mut escapes = text.split("\u{1b}[").skip(1);
        escapes.any(|escape| {
            escape.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')
        })
    };
    assert!(is_coloured(&[], &["a.jsonl"]));
    assert!(!is_coloured(&[("NO_COLOR", "1")], &["a.jsonl"]));
    assert!(!is_coloured(&[("TERM", "dumb")], &["a.jsonl"]));
    assert!(is_coloured(&[("NO_COLOR", "1")], &["a.jsonl", "--color", "always"]));
    assert!(!is_coloured(&[], &["a.jsonl", "--color", "never"]));
}

#[test]
fn a_reader_that_stops_ends_the_output_without_a_word() {
    let folder = folder();
    let line = fs::read_to_string(folder.path().join("a.jsonl")).unwrap() + "\n";
    fs::write(folder.path().join("a.jsonl"), line.repeat(20_000)).unwrap();
    for args in [&["check", "a.jsonl"][..], &["find", "role:User", "a.jsonl"], &["loaded", "a.jsonl"]] {
        let mut child = Command::new(COMMAND)
            .current_dir(folder.path())
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.signal(), None, "{args:?}");
    }
}

#[test]
fn a_watched_file_is_checked_again_when_it_changes() {
    let folder = folder();
    let mut child = Command::new(COMMAND)
        .current_dir(folder.path())
        .args(["check", "--watch", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut ends_with = |end: &str| lines.by_ref().any(|line| line.contains(end));
    assert!(ends_with("Found 1 error"));
    let text = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    fs::write(folder.path().join("b.jsonl"), text.replace("User", "Assistants")).unwrap();
    assert!(ends_with("Found 2 errors"));
    fs::write(folder.path().join("evalcheck.toml"), "ignore = [\"shape\"]").unwrap();
    assert!(ends_with("b.jsonl: invalid (juryarena)"));
    assert!(ends_with("Found no errors"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_interrupt_ends_it_as_a_signal_does() {
    let folder = folder();
    let pair = native_pty_system().openpty(PtySize { cols: 100, rows: 40, ..PtySize::default() }).unwrap();
    // A child of a terminal receives interrupts, even if the process that started the tests ignores them.
    let mut command = CommandBuilder::new(COMMAND);
    command.cwd(folder.path());
    command.args(["check", "--watch", "a.jsonl"]);
    let mut child = pair.slave.spawn_command(command).unwrap();
    let mut reader = BufReader::new(pair.master.try_clone_reader().unwrap());
    drop(pair.slave);
    let mut line = String::new();
    while !line.contains("Found 1 error") {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0);
    }
    pair.master.take_writer().unwrap().write_all(b"\x03").unwrap();
    let status = child.wait().unwrap();
    assert!(status.signal().is_some(), "{status:?}");
}
