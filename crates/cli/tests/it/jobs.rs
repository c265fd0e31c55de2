//! Several threads that read a large file give the output of one thread. The quick suite tries a few options.
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::suite::rounds;
use tempfile::TempDir;

const CLEAN: &str = r#"{"input":{"messages":[{"role":"user","content":"Hello"}]},"usage_output":null}"#;

fn check(file: &Path, args: &[&str]) -> Output {
    run(file, "check", args)
}

fn run(file: &Path, name: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.env_remove("CLICOLOR_FORCE").current_dir(file.parent().unwrap());
    command.arg(name).args(args).arg(file.file_name().unwrap()).output().unwrap()
}

/// Lines of a dataset of 18 MiB, more than one thread reads at once. Some are malformed, blank, or the first of a record that spans
/// several lines.
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

/// About 18 MiB of records of Every Eval Ever. A few repeat an id, or differ from the others in a value.
fn records_with_ids(random: &mut fastrand::Rng) -> String {
    let mut data = String::new();
    let mut id = 0;
    while data.len() < 18 << 20 {
        let chance = random.u32(0..3_000);
        id += 1;
        let used = if chance == 0 { random.u32(0..=id) } else { id };
        let (model, score) = (u32::from(chance == 1), if chance == 2 { "true" } else { "0.5" });
        let text = "a".repeat(random.usize(0..1_000));
        writeln!(
            data,
            r#"{{"schema_version":"instance_level_eval_0.2.0","evaluation_id":"run","model_id":"org/{model}","evaluation_name":"gsm8k","sample_id":"{used}","interaction_type":"single_turn","input":{{"raw":"{text}","reference":"4"}},"output":{{"raw":"4"}},"answer_attribution":[{{"turn_idx":0,"source":"output.raw","extracted_value":"4","extraction_method":"exact_match","is_terminal":true}}],"evaluation":{{"score":{score},"is_correct":true}}}}"#
        )
        .unwrap();
    }
    data
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("samples.jsonl");
    let data = lines(&mut fastrand::Rng::with_seed(1));
    // The last line has no line break, and is not a record.
    let cut = &data[..data.len() - 5];
    for data in [cut, &data].into_iter().take(rounds(1, 2)) {
        fs::write(&file, data).unwrap();
        for output in ["json", "text", "short", "sarif"].into_iter().take(rounds(1, 4)) {
            for more in [&[][..], &["--where", "role:tool"], &["--all"], &["--max-findings", "3"]]
                .into_iter()
                .take(rounds(2, 4))
            {
                assert_same(&file, &[&["--output", output][..], more].concat(), Some(1));
            }
        }
    }
}

#[test]
fn searches_find_the_same_records() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("samples.jsonl");
    let mut random = fastrand::Rng::with_seed(3);
    let mut data = lines(&mut random);
    for needle in ["needle", "NEEDLE 27", "n\\u0065edle", "two needles"] {
        let at = data.match_indices("aaa\"}").nth(random.usize(0..500)).unwrap().0;
        data.insert_str(at, needle);
    }
    fs::write(&file, &data).unwrap();
    let queries = [
        "needle",
        "/needle\\w/",
        "-needle is:invalid",
        "is:invalid",
        "role:tool",
        "line:5000..5003",
        "record:>11500 needle",
        "size:<90",
        "has:usage_output needle",
        "NEEDLE",
        "rule:json/trailing-comma",
    ];
    for query in queries.into_iter().step_by(rounds(6, 1)) {
        let find = |jobs| run(&file, "find", &["--jobs", jobs, "--output", "jsonl", query]);
        let (one, several) = (find("1"), find("3"));
        assert!(one.stderr.is_empty(), "{query}");
        assert_eq!((several.status, several.stderr), (one.status, one.stderr), "{query}");
        assert!(several.stdout == one.stdout, "{query}: other records with 3 threads");
        assert_same(&file, &["--where", query], None);
    }
    let found = |query| run(&file, "find", &["--count", query]).stdout;
    assert_eq!(found("needle"), b"samples.jsonl:4\n");
}

#[test]
fn ids_are_compared_in_the_order_of_the_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("samples.jsonl");
    fs::write(&file, records_with_ids(&mut fastrand::Rng::with_seed(2))).unwrap();
    for output in ["json", "text"].into_iter().take(rounds(1, 2)) {
        assert_same(&file, &["--output", output, "--format", "eee-instance"], Some(0));
    }
    let json = check(&file, &["--output", "json"]).stdout;
    let json = String::from_utf8(json).unwrap();
    for code in ["eee/repeated-sample", "eee/model-id-differs", "eee/mixed-scores"] {
        assert!(json.contains(code), "{code}");
    }
}

/// Compares the outputs of a check with one and with several threads, and its status if one is given.
fn assert_same(file: &Path, args: &[&str], status: Option<i32>) {
    let check = |jobs| check(file, &[&["--jobs", jobs][..], args].concat());
    let one = check("1");
    assert!(status.is_none() || one.status.code() == status, "{args:?}: {}", one.status);
    for jobs in ["7", "2"].into_iter().take(rounds(1, 2)) {
        let several = check(jobs);
        assert_eq!(several.status, one.status, "{args:?}");
        assert_eq!(several.stderr, one.stderr, "{args:?}");
        assert!(several.stdout == one.stdout, "{args:?}: another output with {jobs}");
    }
}

#[test]
fn statistics_are_the_same() {
    let folder = TempDir::new().unwrap();
    let samples = folder.path().join("samples.jsonl");
    fs::write(&samples, lines(&mut fastrand::Rng::with_seed(4))).unwrap();
    let records = folder.path().join("records.jsonl");
    fs::write(&records, records_with_ids(&mut fastrand::Rng::with_seed(5))).unwrap();
    for file in [samples, records] {
        for output in ["json", "text"].into_iter().take(rounds(1, 2)) {
            let stats = |jobs| run(&file, "stats", &["--jobs", jobs, "--output", output]);
            let (one, several) = (stats("1"), stats("3"));
            assert!(one.stderr.is_empty(), "{one:?}");
            assert_eq!((several.status, several.stderr), (one.status, one.stderr), "{output}");
            assert!(several.stdout == one.stdout, "{}: other statistics with 3 threads", file.display());
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
