//! The command in a shell: exit status, standard output, standard error.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};

use crate::support;
use serde_json::Value;
use tempfile::TempDir;

const GOOD: &str = r#"{"input":{"messages":[{"role":"user","content":"Hello"}]},"usage_output":null}"#;
const WRONG_ROLE: &str = r#"{"input":{"messages":[{"role":"tool","content":"Hello"}]},"usage_output":null}"#;
const UNKNOWN_KEY: &str = r#"{"input":{"messages":[{"role":"user","content":"Hello"}]},"colour":"red"}"#;

/// A temporary folder with files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the command in the folder.
fn run(folder: &Folder, args: &[&str]) -> Output {
    command().current_dir(folder.0.path()).args(args).stdin(Stdio::null()).output().unwrap()
}

fn run_with_input(args: &[&str], input: &[u8]) -> Output {
    feed(command().args(args), |mut stdin| stdin.write_all(input).unwrap())
}

/// Runs a command whose standard input another thread writes.
fn feed(command: &mut Command, write: impl FnOnce(ChildStdin) + Send) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || write(stdin));
        child.wait_with_output().unwrap()
    })
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_valid_file_has_status_0_and_one_line() {
    let folder = Folder::new();
    folder.file("good.jsonl", GOOD);
    let output = run(&folder, &["check", "good.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "good.jsonl: valid (juryarena): 1 record\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn an_error_has_status_1_and_reads_as_compilers_print_it() {
    let folder = Folder::new();
    folder.file("bad.jsonl", format!("{GOOD}\n\n{WRONG_ROLE}\n"));
    let output = run(&folder, &["bad.jsonl", "--format", "juryarena"]);
    assert_eq!(output.status.code(), Some(1));
    let first = "bad.jsonl:3:31: error[shape/invalid-enum-value]: input.messages.0.role: Invalid enum value. \
        Expected 'system' | 'user' | 'assistant', received 'tool'\n";
    let details = "    3 | {\"input\":{\"messages\":[{\"role\":\"tool\",\"content\":\"Hello\"}]},\"usage_output\":null}\n\
        \u{20}     |                               ^^^^^^\n\
        \u{20} help: Use one of 'system' | 'user' | 'assistant'.\n";
    let last = "bad.jsonl: invalid (juryarena): 2 records, 1 with errors\nFound 1 error.\n";
    assert_eq!(stdout(&output), format!("{first}{details}{last}"));
    assert_eq!(stderr(&output), "");
    let short = run(&folder, &["check", "bad.jsonl", "--format", "juryarena", "--output", "short"]);
    assert_eq!(short.status.code(), Some(1));
    assert_eq!(stdout(&short), format!("{first}{last}"));
    let quiet = run(&folder, &["check", "-q", "bad.jsonl", "--format", "juryarena", "--output", "short"]);
    assert_eq!(stdout(&quiet), first);
}

#[test]
fn other_places_of_a_finding_are_notes_below_it() {
    let folder = Folder::new();
    let metadata = r#"{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#;
    let sample = r#"[{"type":"text","id":"a","text":"One."}]"#;
    folder.file("quest.jsonl", format!("{metadata}\n{sample}\n{sample}\n"));
    let output = run(&folder, &["check", "quest.jsonl", "--format", "quest"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines[0].starts_with("quest.jsonl:3:22: error[quest/repeated-id]: 0.id: "), "{lines:#?}");
    assert_eq!(lines[3], "  note: line 2: first used here");
    assert!(lines[4].starts_with("  help: "), "{lines:#?}");
    let short = run(&folder, &["check", "quest.jsonl", "--format", "quest", "--output", "short"]);
    assert_eq!(stdout(&short).lines().count(), 3, "{}", stdout(&short));
}

#[test]
fn a_format_that_is_not_certain_is_explained_before_the_verdict() {
    let folder = Folder::new();
    folder.file("chat.jsonl", r#"[{"input":{"messages":[{"role":"user","content":"Hello"}]}}]"#);
    let output = run(&folder, &["check", "chat.jsonl"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    let [.., note, help, verdict, _] = lines.as_slice() else { panic!("{lines:#?}") };
    assert!(
        note.starts_with("chat.jsonl: note: juryarena is likely: the first object has a key input"),
        "{note}"
    );
    assert!(help.starts_with("  help: ") && help.contains("--format"), "{help}");
    assert!(verdict.starts_with("chat.jsonl: invalid (juryarena, likely): "), "{verdict}");
    let chosen = run(&folder, &["check", "chat.jsonl", "--format", "juryarena"]);
    assert!(!stdout(&chosen).contains("note: "), "{}", stdout(&chosen));
    let short = run(&folder, &["check", "chat.jsonl", "--output", "short"]);
    assert_eq!(stdout(&short).lines().count(), 3, "{}", stdout(&short));
}

#[test]
fn a_warning_fails_the_check_only_when_strict() {
    let folder = Folder::new();
    folder.file("warned.jsonl", UNKNOWN_KEY);
    let output = run(&folder, &["check", "warned.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    let first = "warned.jsonl:1:59: warning[shape/unknown-key]: colour: ";
    assert!(stdout(&output).starts_with(first), "{}", stdout(&output));
    assert_eq!(run(&folder, &["check", "--strict", "warned.jsonl"]).status.code(), Some(1));
}

#[test]
fn an_empty_file_and_a_broken_archive_are_errors_and_not_failures() {
    let folder = Folder::new();
    folder.file("empty.jsonl", "");
    folder.file("broken.zip", b"PK\x03\x04 and nothing of what should follow");
    for name in ["empty.jsonl", "broken.zip"] {
        let output = run(&folder, &["check", name]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stdout(&output));
        assert!(stdout(&output).starts_with(&format!("{name}: ")), "{}", stdout(&output));
        assert_eq!(stderr(&output), "", "{name}");
    }
}

#[test]
fn what_cannot_be_read_has_status_3_and_says_why() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join("folder")).unwrap();
    for (name, why) in [
        ("missing.jsonl", "no such file"),
        ("frobnicate", "no such file"),
        ("folder", "no file in this folder ends with .jsonl"),
    ] {
        let output = run(&folder, &["check", name]);
        assert_eq!(output.status.code(), Some(3), "{name}");
        assert_eq!(stdout(&output), "", "{name}");
        let said = stderr(&output);
        assert!(said.starts_with(&format!("evalcheck: {name}: {why}")), "{said}");
    }
}

#[test]
fn of_a_folder_the_datasets_are_checked() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.path().join("all/.hidden")).unwrap();
    for name in ["good.jsonl", "dump.txt", ".hidden/old.jsonl", ".other.jsonl", "list.md"] {
        folder.file(&format!("all/{name}"), GOOD);
    }
    folder.file("all/letter.txt", "Dear all,\n");
    folder.file("all/picture.png", b"\x89PNG");
    let output = run(&folder, &["check", "all"]);
    let said = stdout(&output);
    let checked: Vec<&str> =
        said.lines().filter_map(|line| line.split_once(": ")).map(|(path, _)| path).collect();
    assert_eq!(checked, ["all/dump.txt", "all/good.jsonl"], "{said}");
    // A named file is checked, whatever it contains.
    assert!(stdout(&run(&folder, &["check", "all/letter.txt"])).starts_with("all/letter.txt"));
}

#[test]
fn wrong_arguments_have_status_2() {
    let folder = Folder::new();
    folder.file("good.jsonl", GOOD);
    for args in [
        &["check"][..],
        &["check", "good.jsonl", "--format", "nonsense"],
        &["check", "good.jsonl", "--output", "xml"],
        &["check", "good.jsonl", "--max-findings", "many"],
        &["check", "good.jsonl", "--max-findings", "5", "--all"],
        &["check", "good.jsonl", "--format-version", "1"],
        &["check", "good.jsonl", "--format", "juryarena", "--format-version", "1"],
        &["explain", "no/such-rule"],
        &["schema"],
        &["schema", "nonsense"],
        &["check", "good.jsonl", "--unsafe"],
        &["check", "good.jsonl", "--select", "no-such-category"],
        &["check", "good.jsonl", "good.jsonl", "--output", "json"],
        &["fix", "good.jsonl", "good.jsonl"],
    ] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        assert_ne!(stderr(&output), "", "{args:?}");
    }
    // The message names the existing formats.
    let output = run(&folder, &["check", "good.jsonl", "--format", "nonsense"]);
    assert!(stderr(&output).contains("auto, juryarena"), "{}", stderr(&output));
}

#[test]
fn one_file_of_several_that_is_missing_does_not_hide_the_others() {
    let folder = Folder::new();
    folder.file("good.jsonl", GOOD);
    folder.file("bad.jsonl", WRONG_ROLE);
    folder.file("empty.jsonl", "");
    let output = run(
        &folder,
        &["check", "--output", "short", "good.jsonl", "missing.jsonl", "bad.jsonl", "empty.jsonl"],
    );
    assert_eq!(output.status.code(), Some(3));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines[0], "good.jsonl: valid (juryarena): 1 record");
    let role = "bad.jsonl:1:31: error[shape/invalid-enum-value]: input.messages.0.role: Invalid enum value";
    assert!(lines[1].starts_with(role), "{lines:#?}");
    assert_eq!(lines[2], "bad.jsonl: invalid (juryarena): 1 record, 1 with errors");
    assert!(lines[3].starts_with("empty.jsonl: error[file/empty]: "), "{lines:#?}");
    assert_eq!(lines[5], "Found 2 errors in 2 of 4 files. 1 file was not checked to its end.");
    assert!(stderr(&output).contains("missing.jsonl"));
}

#[test]
fn json_is_the_report_of_one_file() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE);
    let one = run(&folder, &["check", "--output", "json", "bad.jsonl"]);
    assert_eq!(one.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&one.stdout).unwrap();
    support::assert_follows_schema(&report, "bad.jsonl");
    assert_eq!(report["findings"][0]["path"], "input.messages.0.role");
    assert_eq!(report["tool"]["version"], env!("CARGO_PKG_VERSION"));
    let none = run(&folder, &["check", "--output", "json", "missing.jsonl"]);
    assert_eq!((none.status.code(), stdout(&none)), (Some(3), ""));
}

#[test]
fn a_page_has_the_groups_of_one_file_and_can_leave_out_what_it_says() {
    let folder = Folder::new();
    let line = |role: &str| format!(r#"{{"input":{{"messages":[{{"role":"{role}","content":"Secret"}}]}}}}"#);
    folder.file("a.jsonl", [line("<human>"), line("user"), line("<human>")].join("\n"));
    folder.file("b.jsonl", line("user"));

    let output = run(&folder, &["--output", "html", "a.jsonl"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""));
    let page = stdout(&output);
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("&lt;human&gt;") && page.contains("Secret") && !page.contains("<human>"));
    assert!(page.contains("2 findings in 2 records") && page.contains("Line 3, column 31"), "{page}");

    let output = run(&folder, &["--output", "html", "--without-data", "a.jsonl"]);
    let page = stdout(&output);
    assert!(page.contains("shape/invalid-enum-value") && page.contains("First lines: 1, 3"));
    assert!(!page.contains("human") && !page.contains("Secret"), "{page}");

    let output = run(&folder, &["--output", "html", "--ignore", "shape", "a.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!stdout(&output).contains("shape/invalid-enum-value"));

    for refused in
        [&["--output", "html", "a.jsonl", "b.jsonl"][..], &["--output", "html", "--where", "x", "a.jsonl"]]
    {
        let output = run(&folder, refused);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
        assert!(stderr(&output).starts_with("evalcheck: --output: a page "), "{}", stderr(&output));
    }
}

#[test]
fn of_a_folder_all_datasets_are_checked() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.path().join("data/deeper")).unwrap();
    folder.file("data/b.jsonl", GOOD);
    folder.file("data/deeper/a.JSONL", WRONG_ROLE);
    folder.file("data/.hidden.jsonl", WRONG_ROLE);
    folder.file("data/README.md", "Not a dataset.");
    let output = run(&folder, &["data", "--output", "short"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert_eq!(lines[0], "data/b.jsonl: valid (juryarena): 1 record");
    assert!(lines[1].starts_with("data/deeper/a.JSONL:1:31: error["), "{lines:#?}");
    assert_eq!(lines[3], "Found 1 error in 1 of 2 files.");
}

#[test]
fn only_selected_rules_are_listed_and_fail() {
    let folder = Folder::new();
    folder.file("data.jsonl", format!("{WRONG_ROLE}\n{UNKNOWN_KEY}\n"));
    let of = |args: &[&str]| {
        let output = run(&folder, &[&["data.jsonl", "--output", "short"], args].concat());
        let lines: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
        (output.status.code(), lines)
    };
    let verdict = "data.jsonl: invalid (juryarena): 2 records, 1 with errors";
    let (status, lines) = of(&["--ignore", "shape"]);
    assert_eq!((status, lines), (Some(0), vec![verdict.to_owned()]));
    let (status, lines) = of(&["--ignore", "text,shape/invalid-enum-value"]);
    assert_eq!((status, lines.len()), (Some(0), 3), "{lines:#?}");
    assert!(lines[0].contains("warning[shape/unknown-key]"), "{lines:#?}");
    assert_eq!(lines[2], "Found 1 warning. 1 is fixable with `evalcheck fix --unsafe`.");
    assert_eq!(of(&["--select", "shape/unknown-key", "--strict"]).0, Some(1));
    assert_eq!(of(&["--select", "shape/unknown-key", "--fail-on", "loss"]).0, Some(1));
    assert_eq!(of(&["--select", "text", "--fail-on", "loss"]).0, Some(0));
    assert_eq!(of(&["--select", "shape/invalid-enum-value"]).0, Some(1));
    let json = run(&folder, &["check", "data.jsonl", "--output", "json", "--ignore", "shape/unknown-key"]);
    let report: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!(report["counts"]["warnings"], 1);
}

#[test]
fn a_check_can_fix_first() {
    let folder = Folder::new();
    let path = folder.file("data.jsonl", WRONG_ROLE.replace("tool", "User") + "\n" + UNKNOWN_KEY);
    folder.file("good.jsonl", GOOD);
    let output = run(&folder, &["check", "--fix", "--output", "short", "data.jsonl", "good.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let fixed = WRONG_ROLE.replace("tool", "user") + "\n" + UNKNOWN_KEY;
    assert_eq!(std::fs::read_to_string(&path).unwrap(), fixed);
    let text = stdout(&output);
    assert!(
        text.ends_with(
            "\nApplied 1 fix.\nFound 1 warning in 1 of 2 files. 1 is fixable with `evalcheck fix --unsafe`.\n"
        ),
        "{text}"
    );
    let output = run(&folder, &["check", "--fix", "--unsafe", "data.jsonl"]);
    assert_eq!(stdout(&output), "data.jsonl: valid (juryarena): 2 records\nApplied 1 fix.\n");
}

#[test]
fn standard_input_is_checked_and_named() {
    let output = run_with_input(&["check", "-", "--output", "json"], WRONG_ROLE.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    support::assert_follows_schema(&report, "standard input");
    assert_eq!(report["file"]["name"], "stdin");
    assert_eq!(report["file"]["size"], WRONG_ROLE.len());
}

#[test]
fn standard_input_has_the_name_that_the_user_says() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join("data")).unwrap();
    folder.file("data/evalcheck.toml", "format = \"juryarena\"\n");
    let mut command = command();
    command.current_dir(folder.0.path()).args([
        "check",
        "-",
        "--stdin-filename",
        "data/new.jsonl",
        "--output",
        "short",
    ]);
    let output = feed(&mut command, |mut stdin| stdin.write_all(WRONG_ROLE.as_bytes()).unwrap());
    let text = stdout(&output);
    assert!(text.starts_with("data/new.jsonl:"), "{text}");
    assert!(text.contains("(juryarena)"), "the configuration of its folder: {text}");
    let mut command = self::command();
    command.current_dir(folder.0.path()).args(["fix", "-", "--stdin-filename", "a/new.jsonl", "--diff"]);
    let comma = r#"{"input":{"messages":[{"role":"user","content":"Hi"}],}}"#;
    let output = feed(&mut command, |mut stdin| stdin.write_all(comma.as_bytes()).unwrap());
    assert!(stdout(&output).starts_with("--- a/a/new.jsonl\n+++ b/a/new.jsonl\n"), "{}", stdout(&output));
}

#[test]
fn standard_input_gets_the_report_of_the_same_file() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/auto");
    // Without a line that can be parsed, the name determines the intended format of a file.
    let inputs = [
        "eee-instance-broken/input.jsonl",
        "evret-csv/input.csv",
        "evret-json/input.json",
        "juryarena-broken/input.jsonl",
        "quest-array-over-several-lines/input.jsonl",
        "tencent-infer-nan/input.jsonl",
    ];
    for input in inputs {
        let path = cases.join(input);
        let by_name = run(&Folder::new(), &["check", "--output", "json", path.to_str().unwrap()]);
        let by_stream = run_with_input(&["check", "--output", "json", "-"], &std::fs::read(&path).unwrap());
        let name = format!("\"name\": \"{}\"", path.file_name().unwrap().to_str().unwrap());
        assert_eq!(stdout(&by_stream), stdout(&by_name).replace(&name, "\"name\": \"stdin\""), "{input}");
        assert_eq!(by_stream.status.code(), by_name.status.code(), "{input}");
    }
}

#[test]
fn a_long_stream_is_checked_like_a_file() {
    // Longer than the part that is kept in memory.
    let lines = (9 << 20) / GOOD.len();
    let mut input = format!("{GOOD}\n").repeat(lines);
    input.push_str(WRONG_ROLE);
    let output = run_with_input(&["check", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let start = format!("-:{}:31: error[shape/invalid-enum-value]: ", lines + 1);
    assert!(stdout(&output).contains(&start), "{}", stdout(&output));
}

#[test]
fn findings_are_capped_when_told_and_counts_stay_exact() {
    let folder = Folder::new();
    folder.file("bad.jsonl", format!("{WRONG_ROLE}\n").repeat(50));
    let all = run(&folder, &["check", "--output", "short", "bad.jsonl"]);
    assert_eq!(stdout(&all).lines().count(), 52);
    let capped = run(&folder, &["check", "--output", "short", "--max-findings", "3", "bad.jsonl"]);
    assert_eq!(capped.status.code(), Some(1));
    let lines: Vec<&str> = stdout(&capped).lines().collect();
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert_eq!(lines[3], "bad.jsonl: 47 more findings are counted and not listed");
    assert_eq!(lines[5], "Found 50 errors.");
}

/// A dataset whose metadata line contradicts every line.
fn two_samples_are_stated(lines: usize) -> String {
    let header = r#"{"total_samples":3,"sample_type":"text","samples_per_line":2,"hidden_metadata":[]}"#;
    let lines = (0..lines).map(|n| format!("[{{\"type\":\"text\",\"id\":\"{n}\",\"text\":\"One.\"}}]\n"));
    format!("{header}\n{}", lines.collect::<String>())
}

#[test]
fn findings_that_follow_from_one_mistake_are_listed_when_all_are_wanted() {
    let folder = Folder::new();
    folder.file("data.jsonl", two_samples_are_stated(3));
    let of = |args: &[&str]| stdout(&run(&folder, &[&["check", "data.jsonl"], args].concat())).to_owned();
    let some = of(&[]);
    assert!(some.starts_with("data.jsonl:2:") && !some.contains("\ndata.jsonl:3"), "{some}");
    assert!(some.contains("data.jsonl: 2 more findings are counted and not listed: they follow"), "{some}");
    assert!(some.contains("\n  help: To list them too, add --all.\n"), "{some}");
    let all = of(&["--all", "--output", "short"]);
    let lines: Vec<&str> = all.lines().map(|line| line.get(..12).unwrap()).collect();
    assert_eq!(
        lines,
        ["data.jsonl:2", "data.jsonl:3", "data.jsonl:4", "data.jsonl: ", "Found 3 erro"],
        "{all}"
    );
    let report: Value = serde_json::from_str(&of(&["--all", "--output", "json"])).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 3);
    assert_eq!(report["truncated"], false);
    assert_eq!(of(&["--all", "--output", "jsonl"]).lines().count(), 4);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new();
    let path = folder.file("bad.jsonl", format!("{WRONG_ROLE}\n").repeat(20_000));
    let mut child =
        command().arg("check").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn colours_are_for_terminals_and_change_no_text() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE);
    let plain = run(&folder, &["check", "bad.jsonl"]);
    assert!(!stdout(&plain).contains('\u{1b}'));
    let coloured = command()
        .current_dir(folder.0.path())
        .env("CLICOLOR_FORCE", "1")
        .args(["check", "bad.jsonl"])
        .output()
        .unwrap();
    assert!(stdout(&coloured).contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(stdout(&coloured)).to_string(), stdout(&plain));
}

#[test]
fn colours_are_used_when_the_arguments_say_so() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE);
    let is_coloured =
        |args: &[&str]| stdout(&run(&folder, &[&["bad.jsonl"], args].concat())).contains('\u{1b}');
    assert!(is_coloured(&["--color", "always"]));
    assert!(!is_coloured(&["--color", "never"]));
    assert!(!is_coloured(&["--color", "auto"]));
}

#[test]
fn help_and_version_and_pages_go_to_standard_output() {
    let folder = Folder::new();
    for (args, wanted) in [
        (&["--version"][..], env!("CARGO_PKG_VERSION")),
        (&["--help"], "Examples:"),
        (&["--help"], "JSONL, JSON, CSV, or ZIP"),
        (&["check", "--help"], "Exit status:"),
        (&["check", "--help"], "FILE:LINE:COLUMN: SEVERITY[RULE]: PATH: MESSAGE"),
        (&["formats"], "juryarena"),
        (&["schema", "juryarena"], "http://json-schema.org/draft-07/schema#"),
        (&["explain"], "shape/missing-key"),
        (&["explain", "shape/missing-key"], "Fixed:"),
    ] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        assert!(stdout(&output).contains(wanted), "{args:?}: {}", stdout(&output));
    }
}

#[test]
fn every_format_that_is_json_has_a_schema_for_each_version() {
    use evalcheck_engine::formats::{FORMATS, Format, Layout};

    let folder = Folder::new();
    let is_json =
        |format: &Format| format.variants.iter().any(|variant| !matches!(variant.layout, Layout::Csv(_)));
    for format in FORMATS.iter().filter(|format| is_json(format)) {
        let mut versions = vec![Vec::new()];
        versions.extend(format.versions().into_iter().map(|version| vec!["--version", version]));
        for version in versions {
            let output = run(&folder, &[&["schema", format.id], &version[..]].concat());
            assert_eq!(output.status.code(), Some(0), "{}: {}", format.id, stderr(&output));
            let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
            let example = format.examples[0].content();
            let evalcheck_wire::catalogue::ExampleContent::Text(text) = example else { continue };
            let Some(record) = text.lines().next_back().and_then(|line| serde_json::from_str(line).ok())
            else {
                continue;
            };
            if version.is_empty() {
                assert!(
                    jsonschema::draft7::new(&schema).unwrap().is_valid(&record),
                    "{}: {record}",
                    format.id
                );
            }
        }
    }
}

/// The number of records without a key; more than are kept.
const MANY: usize = 10_100;

#[test]
fn many_findings_are_all_listed_as_they_come() {
    let folder = Folder::new();
    folder.file("many.jsonl", "{}\n".repeat(MANY));
    let output = run(&folder, &["check", "--format", "tencent-infer", "--output", "short", "many.jsonl"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!((output.status.code(), lines.len()), (Some(1), MANY + 2));
    for (number, line) in lines[..MANY].iter().enumerate() {
        assert!(line.starts_with(&format!("many.jsonl:{}:", number + 1)), "{line}");
    }
    assert!(lines[MANY + 1].starts_with(&format!("Found {MANY} errors.")), "{}", lines[MANY + 1]);
}

#[test]
fn a_report_lists_ten_thousand_findings_of_a_rule_unless_more_are_wanted() {
    let folder = Folder::new();
    folder.file("many.jsonl", "{}\n".repeat(MANY));
    let report = |args: &[&str]| -> Value {
        let args = [&["check", "--format", "tencent-infer", "--output", "json", "many.jsonl"], args].concat();
        serde_json::from_str(stdout(&run(&folder, &args))).unwrap()
    };
    let usual = report(&[]);
    assert_eq!(usual["findings"].as_array().unwrap().len(), 10_000);
    assert_eq!((&usual["truncated"], &usual["counts"]["errors"]), (&Value::Bool(true), &Value::from(MANY)));
    let all = report(&["--max-findings", "30000"]);
    assert_eq!(report(&["--all"])["findings"], all["findings"]);
    assert_eq!((all["findings"].as_array().unwrap().len(), &all["truncated"]), (MANY, &Value::Bool(false)));
}

#[test]
fn json_lines_are_findings_and_reports() {
    let folder = Folder::new();
    folder.file("good.jsonl", r#"{"messages":[{"role":"user","content":"Hi"}]}"#);
    folder.file("many.jsonl", "{}\n".repeat(MANY));
    let output = run(
        &folder,
        &["check", "--format", "tencent-infer", "--output", "jsonl", "good.jsonl", "many.jsonl"],
    );
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), MANY + 2);
    assert_eq!((&lines[0]["file"], &lines[0]["report"]["valid"]), (&"good.jsonl".into(), &Value::Bool(true)));
    assert_eq!((&lines[1]["file"], &lines[1]["finding"]["line"]), (&"many.jsonl".into(), &Value::from(1)));
    let report = &lines[MANY + 1]["report"];
    assert_eq!(
        (&report["counts"]["errors"], &report["findings"]),
        (&Value::from(MANY), &Value::Array(Vec::new()))
    );
    support::assert_follows_schema(report, "a report without its findings");
}

#[test]
fn findings_that_a_later_list_replaces_are_retracted() {
    let folder = Folder::new();
    let wrong = vec!["{\"query_id\":1}"; MANY].join(",");
    let right = "{\"query_id\":\"q\",\"query_text\":\"t\",\"expected_answers\":[\"a\"]}";
    folder.file("twice.json", format!("{{\"queries\":[{wrong}],\"queries\":[{right}]}}"));
    let output = run(&folder, &["check", "--format", "evret", "--output", "short", "twice.json"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", text.lines().last().unwrap());
    assert!(text.contains("of the errors above do not count"));
    let verdict = text.lines().find(|line| line.starts_with("twice.json: valid (evret"));
    assert!(verdict.is_some(), "{}", text.lines().last().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_says_it_is_empty_is_read_all_the_same() {
    let folder = Folder::new();
    let output = run(&folder, &["check", "--output", "json", "/proc/version"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert!(report["file"]["size"].as_u64().unwrap() > 10, "{report:#}");
}

#[cfg(unix)]
#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    // More than is kept in memory.
    let output = feed(command().args(["check", "-"]).env("TMPDIR", "/no/such/folder"), |mut stdin| {
        // The command ends before it has read everything.
        let _ = stdin.write_all(&b"{}\n".repeat(8 << 20));
    });
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(3));
    assert!(error.contains("cannot write a temporary file in /no/such/folder"), "{error}");
}

#[test]
fn every_command_has_the_status_of_the_verdict() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE);
    // After the first error it is unclear where the next record begins.
    folder.file("unclear.json", r#"{"queries": [{"query_id": "q1", "query_text": "a?"}], "x": @ 7, "y": 1}"#);
    for command in ["check", "stats", "loaded", "fix"] {
        for (file, format, status) in [("bad.jsonl", "juryarena", 1), ("unclear.json", "evret", 3)] {
            let output = run(&folder, &[command, "--format", format, file]);
            assert_eq!(output.status.code(), Some(status), "{command} {file}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_check_that_never_fails_says_still_what_was_not_read() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE);
    let never = run(&folder, &["check", "--fail-on", "never", "bad.jsonl"]);
    assert_eq!(never.status.code(), Some(0));
    assert!(stdout(&never).contains("Found 1 error."), "{}", stdout(&never));
    let unread = run(&folder, &["check", "--fail-on", "never", "bad.jsonl", "missing.jsonl"]);
    assert_eq!(unread.status.code(), Some(3));
}

#[test]
fn statistics_are_the_counts_of_rules() {
    let folder = Folder::new();
    folder.file("bad.jsonl", format!("{UNKNOWN_KEY}\n{WRONG_ROLE}\n{UNKNOWN_KEY}\n"));
    let output = run(&folder, &["check", "--statistics", "--quiet", "bad.jsonl"]);
    let text = stdout(&output);
    let last: Vec<&str> = text.lines().rev().take(2).collect();
    assert_eq!(last, ["       1  shape/invalid-enum-value", "       2  shape/unknown-key"], "{text}");
}

#[test]
fn check_shows_the_diff_that_fix_shows() {
    let folder = Folder::new();
    folder.file("bad.jsonl", WRONG_ROLE.replace(",\"usage_output\":null}", ",}"));
    let (check, fix) =
        (run(&folder, &["check", "--diff", "bad.jsonl"]), run(&folder, &["fix", "--diff", "bad.jsonl"]));
    assert!(stdout(&check).contains("\n+{\"input\""), "{}", stdout(&check));
    assert_eq!(
        (check.status.code(), stdout(&check), stderr(&check)),
        (fix.status.code(), stdout(&fix), stderr(&fix))
    );
    assert_eq!(run(&folder, &["check", "--unsafe", "bad.jsonl"]).status.code(), Some(2));
}

#[test]
fn a_word_may_be_meant_as_a_command() {
    let folder = Folder::new();
    let version = run(&folder, &["version"]);
    assert_eq!(stdout(&version), stdout(&run(&folder, &["--version"])));
    let output = run(&folder, &["lsp"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no such file, and no command of this name"), "{}", stderr(&output));
}

#[test]
fn configurations_and_baselines_are_read_with_a_bound() {
    let folder = Folder::new();
    folder.file("good.jsonl", GOOD);
    folder.file("long.toml", "# a comment\n".repeat(100_000));
    let output = run(&folder, &["check", "--config", "long.toml", "good.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("longer than 1 MiB"), "{}", stderr(&output));
    #[cfg(unix)]
    for args in [["--config", "/dev/zero"], ["--baseline", "/dev/zero"]] {
        let output = run(&folder, &["check", args[0], args[1], "good.jsonl"]);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("longer than "), "{}", stderr(&output));
    }
}
