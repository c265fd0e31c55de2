//! The configuration, and the files that are read.
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A record of JuryArena with an unknown role.
const UNKNOWN_ROLE: &str =
    "{\"input\":{\"messages\":[{\"role\":\"User\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

/// A valid record of JuryArena.
const VALID: &str =
    "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]},\"usage_output\":null}\n";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evalcheck")).current_dir(folder).args(args).output().unwrap()
}

fn stdout(folder: &Path, args: &[&str]) -> String {
    String::from_utf8(run(folder, args).stdout).unwrap()
}

/// The files that a check reads, in order.
fn checked(folder: &Path, args: &[&str]) -> Vec<String> {
    let text = stdout(folder, &[&["check", "--output", "jsonl"], args].concat());
    let reports = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reports = reports.filter(|line| line.get("report").is_some());
    reports.map(|line| line["file"].as_str().unwrap().to_owned()).collect()
}

/// The error message for an invalid configuration.
fn refusal(config: &str) -> String {
    let folder = folder(&[("evalcheck.toml", config), ("a.jsonl", VALID)]);
    let output = run(folder.path(), &["check", "a.jsonl"]);
    assert_eq!(output.status.code(), Some(2), "{config}");
    assert!(output.stdout.is_empty(), "{config}");
    let text = String::from_utf8(output.stderr).unwrap();
    let place = text.find("evalcheck.toml").unwrap_or_else(|| panic!("no file in: {text}"));
    text[place..].trim_end().to_owned()
}

#[test]
fn the_nearest_configuration_counts() {
    let folder = folder(&[
        ("evalcheck.toml", "format = \"juryarena\"\n"),
        ("a.jsonl", VALID),
        ("b/pyproject.toml", "[project]\nname = \"x\"\n[tool.evalcheck]\nformat = \"evret\"\n"),
        ("b/c/a.json", "[]"),
        ("d/pyproject.toml", "[project]\nname = \"x\"\n"),
        ("d/a.jsonl", VALID),
    ]);
    let format = |file: &str, options: &[&str]| {
        let text = stdout(folder.path(), &[&["check", "--output", "json", file], options].concat());
        serde_json::from_str::<Value>(&text).unwrap()["format"].clone()
    };
    for (file, id) in [("a.jsonl", "juryarena"), ("b/c/a.json", "evret"), ("d/a.jsonl", "juryarena")] {
        let format = format(file, &[]);
        assert_eq!((format["id"].as_str(), format["detected"].as_bool()), (Some(id), Some(false)), "{file}");
    }
    for options in [&["--isolated"][..], &["--format", "auto"]] {
        assert_eq!(format("a.jsonl", options)["detected"], true, "{options:?}");
    }
    assert_eq!(format("a.jsonl", &["--config", "b/pyproject.toml"])["id"], "evret");
    assert_eq!(format("a.jsonl", &["--format", "quest"])["id"], "quest");
}

#[test]
fn options_of_files_go_before_those_of_all() {
    let config = "ignore = [\"shape\"]\n[[files]]\nmatch = \"strict/*.jsonl\"\nignore = []\n\
                  [[files]]\nmatch = [\"*.x.jsonl\"]\nseverity = { shape = \"info\", \"shape/missing-key\" = \"error\" }\n";
    let folder = folder(&[
        ("evalcheck.toml", config),
        ("a.jsonl", UNKNOWN_ROLE),
        ("strict/a.jsonl", UNKNOWN_ROLE),
        ("strict/a.x.jsonl", UNKNOWN_ROLE),
    ]);
    let code = |args: &[&str]| run(folder.path(), args).status.code();
    assert_eq!(code(&["check", "a.jsonl"]), Some(0));
    assert_eq!(code(&["check", "a.jsonl", "--select", "shape", "--ignore", "csv"]), Some(1));
    assert_eq!(code(&["check", "strict/a.jsonl"]), Some(1));
    assert_eq!(code(&["check", "strict/a.x.jsonl"]), Some(0));
    let text = stdout(folder.path(), &["check", "strict/a.x.jsonl"]);
    assert!(text.contains("info[shape/invalid-enum-value]"), "{text}");
    assert!(text.contains("invalid (juryarena)"), "the verdict is the system's: {text}");
    let csv = stdout(folder.path(), &["check", "strict/a.x.jsonl", "--output", "csv"]);
    assert!(csv.contains(",info,") && !csv.contains(",error,"), "{csv}");
    let json = stdout(folder.path(), &["check", "strict/a.x.jsonl", "--output", "json"]);
    assert!(json.contains("\"error\""), "the report is the system's: {json}");
}

#[test]
fn what_fails_a_check_is_configured() {
    let folder = folder(&[
        ("evalcheck.toml", "severity = { shape = \"warning\" }\nfail-on = \"warning\"\nmax-findings = 1\n"),
        ("a.jsonl", &UNKNOWN_ROLE.repeat(3)),
    ]);
    let output = run(folder.path(), &["check", "a.jsonl", "--output", "short"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("warning[shape/invalid-enum-value]").count(), 1, "{text}");
    assert_eq!(run(folder.path(), &["check", "a.jsonl", "--fail-on", "error"]).status.code(), Some(0));
}

#[test]
fn a_wrong_configuration_says_where_and_what() {
    for (config, expected) in [
        ("ignroe = []", "evalcheck.toml:1:1: unknown key \"ignroe\". Did you mean \"ignore\"?"),
        (
            "# x\n[[files]]\nmatch = \"*\"\n  fail_on = \"loss\"",
            "evalcheck.toml:4:3: unknown key \"fail_on\". Did you mean \"fail-on\"?",
        ),
        (
            "format = \"jurarena\"",
            "evalcheck.toml:1:10: no format has the id \"jurarena\"; did you mean \"juryarena\"?",
        ),
        (
            "select = [\"shape/mising-key\"]",
            "evalcheck.toml:1:10: no rule has the code or category \"shape/mising-key\"; \
             did you mean \"shape/missing-key\"? `evalcheck explain` lists all",
        ),
        (
            "[[files]]\nformat = \"evret\"",
            "evalcheck.toml:1:1: the key \"match\" is missing: it says which files are meant",
        ),
        ("files = 1", "evalcheck.toml:1:9: a list of tables is wanted: write [[files]]"),
        ("exclude = 1", "evalcheck.toml:1:11: a pattern, or a list of patterns, is wanted"),
    ] {
        assert_eq!(refusal(config), expected);
    }
    for config in ["a = ", "max-findings = -1"] {
        assert!(refusal(&format!("\n{config}\n")).starts_with("evalcheck.toml:2:"));
    }
    for config in ["format = \"juryarena\"\nformat-version = \"9\"", "format-version = \"1\""] {
        let folder = folder(&[("evalcheck.toml", config), ("a.jsonl", VALID)]);
        let output = run(folder.path(), &["check", "a.jsonl"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.starts_with("evalcheck: configuration: of a.jsonl: "), "{text}");
    }
}

#[test]
fn patterns_and_excludes_decide_what_is_read() {
    let folder = folder(&[
        ("evalcheck.toml", "exclude = \"/old/\"\n"),
        ("data/a.jsonl", VALID),
        ("data/b.txt", "text"),
        ("data/deep/er/c.jsonl", VALID),
        ("data/old/d.jsonl", VALID),
        ("old/e.jsonl", VALID),
        ("ignored/f.jsonl", VALID),
        (".gitignore", "ignored/\n"),
        ("[g].jsonl", VALID),
    ]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let checked = |args: &[&str]| checked(folder.path(), args);
    assert_eq!(checked(&["."]), ["[g].jsonl", "data/a.jsonl", "data/deep/er/c.jsonl", "data/old/d.jsonl"]);
    assert_eq!(checked(&["data", "--exclude", "deep", "--exclude=/data/old"]), ["data/a.jsonl"]);
    assert_eq!(checked(&["data/*.jsonl"]), ["data/a.jsonl"]);
    assert_eq!(checked(&["data/**/*.jsonl"]), ["data/a.jsonl", "data/deep/er/c.jsonl", "data/old/d.jsonl"]);
    assert_eq!(checked(&["{data,old}/?.jsonl"]), ["data/a.jsonl"]);
    let absolute = folder.path().join("data/**/c.*");
    assert_eq!(checked(&[absolute.to_str().unwrap()]).len(), 1);
    // A named file is read even if it is excluded; and the name of a file may look like a pattern.
    assert_eq!(checked(&["old/e.jsonl", "[g].jsonl"]), ["old/e.jsonl", "[g].jsonl"]);
    let output = run(folder.path(), &["check", "none/*.jsonl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no dataset matches this pattern"));
}

#[test]
fn every_command_that_reads_follows_the_configuration() {
    let folder = folder(&[("evalcheck.toml", "format = \"eee-instance\"\n"), ("a.jsonl", VALID)]);
    for args in
        [&["stats", "--output", "json", "a.jsonl"][..], &["diff", "--output", "json", "a.jsonl", "a.jsonl"]]
    {
        let text = stdout(folder.path(), args);
        assert!(text.contains("\"eee-instance\""), "{args:?}: {text}");
    }
    let find = |options: &[&str]| {
        run(folder.path(), &[&["find", "is:invalid", "a.jsonl"], options].concat()).status.code()
    };
    assert_eq!((find(&[]), find(&["--isolated"])), (Some(0), Some(1)));
    let loaded =
        |options: &[&str]| run(folder.path(), &[&["loaded", "a.jsonl"], options].concat()).status.code();
    assert_eq!((loaded(&[]), loaded(&["--isolated"])), (Some(1), Some(0)));
}

#[test]
fn the_published_schema_is_that_of_the_command() {
    let schema = stdout(Path::new("."), &["schema", "config"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config.schema.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), schema, "run this test with UPDATE_EXPECT=1");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(
        validator.is_valid(&serde_json::json!({"files": [{"match": "a", "severity": {"shape": "info"}}]}))
    );
    assert!(
        !validator.is_valid(&serde_json::json!({"files": [{"match": "a", "severity": {"shapes": "info"}}]}))
    );
}
