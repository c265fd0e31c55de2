//! A large file that is read by several threads has the output of one that is read by one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const CLEAN: &str = r#"{"input":{"messages":[{"role":"user","content":"Hello"}]},"usage_output":null}"#;

fn check(file: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.env_remove("CLICOLOR_FORCE").current_dir(file.parent().unwrap());
    command.arg("check").args(args).arg(file.file_name().unwrap()).output().unwrap()
}

/// Lines of a dataset of 18 MiB, more than one thread reads at once. Some are broken, blank, or the first of a record over several lines.
fn lines(random: &mut fastrand::Rng) -> String {
    let mut data = String::new();
    let long = CLEAN.replace("Hello", &"Hello ".repeat(50_000));
    while data.len() < 18 << 20 {
        let line = match random.u32(0..2_000) {
            0 => CLEAN.replace("user", "tool"),
            1 => CLEAN.replace("\"messages\":", "\n\"messages\":\n"),
            2 => String::new(),
            3 => CLEAN.replacen('{', "", 1),
            4 => long.clone(),
            5 => format!("{CLEAN}\r"),
            6 => CLEAN.replace("Hello", "{\n"),
            _ => CLEAN.replace("Hello", &"a".repeat(random.usize(0..2_000))),
        };
        data.push_str(&line);
        data.push('\n');
    }
    data
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("samples.jsonl");
    let mut data = lines(&mut fastrand::Rng::with_seed(1));
    for is_cut in [false, true] {
        if is_cut {
            // The last line has no line break, and is no record.
            data.truncate(data.len() - 5);
        }
        fs::write(&file, &data).unwrap();
        for output in ["text", "short", "json", "sarif"] {
            for more in [&[][..], &["--all"], &["--max-findings", "3"], &["--where", "role:tool"]] {
                let args = |jobs| [&["--output", output, "--jobs", jobs][..], more].concat();
                let one = check(&file, &args("1"));
                assert!(matches!(one.status.code(), Some(1)), "{output} {more:?}: {one:?}");
                for jobs in ["2", "7"] {
                    let several = check(&file, &args(jobs));
                    assert_eq!(several.status, one.status, "{output} {more:?}");
                    assert_eq!(several.stderr, one.stderr, "{output} {more:?}");
                    assert!(several.stdout == one.stdout, "{output} {more:?}: another output with {jobs}");
                }
            }
        }
    }
}

#[test]
fn a_number_of_threads_is_at_least_one() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("samples.jsonl");
    fs::write(&file, CLEAN).unwrap();
    assert_eq!(check(&file, &["--jobs", "3"]).status.code(), Some(0));
    let none = check(&file, &["--jobs", "0"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("--jobs"), "{none:?}");
}
