//! `evalcheck find` in a shell: its hits, its exit status, and the message for an invalid query.
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const CONVERSATIONS: &str = r#"{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]}}
{"input":{"messages":[{"role":"human","content":"Gr\u00fc\u00dfe aus Paris"}]}}
"#;

/// Runs the command in a folder with two datasets.
fn find(args: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/a.jsonl"), CONVERSATIONS).unwrap();
    std::fs::write(folder.path().join("data/b.csv"), "query_id,query_text\nq1,Paris\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command
        .arg("find")
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE");
    command.output().unwrap()
}

#[track_caller]
fn expect(args: &[&str], status: i32, expected: &str) {
    let output = find(args);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{args:?}");
    assert_eq!(output.status.code(), Some(status), "{args:?}");
}

#[track_caller]
fn expect_error(args: &[&str], expected: &str) {
    let output = find(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected, "{args:?}");
}

#[test]
fn matches_are_listed_as_grep_lists_them() {
    expect(&["brief", "data/a.jsonl"], 0, "data/a.jsonl:1: Be brief.\n");
    expect(
        &["paris", "data"],
        0,
        "data/a.jsonl:1: Where is Paris?\ndata/a.jsonl:2: Grüße aus Paris\ndata/b.csv:2: Paris\n",
    );
    expect(
        &["-is:valid", "data/a.jsonl"],
        0,
        "data/a.jsonl:2: {\"input\":{\"messages\":[{\"role\":\"human\",\"content\":\"Gr\\u00fc\\u00dfe aus Paris\"}]}}\n",
    );
    expect(&["London", "data"], 1, "");
    expect(&["--count", "paris", "data"], 0, "data/a.jsonl:2\ndata/b.csv:1\n");
    expect(&["--count", "/gr(ü|u)ße/i", "data"], 0, "data/a.jsonl:1\ndata/b.csv:0\n");
}

/// A text of a record is matched with an expression by itself, without the bytes around it in the file.
#[test]
fn anchors_and_boundaries_are_those_of_a_text() {
    for (expression, counts) in [
        ("/^Paris$/", [0, 1]),
        ("/^Where/", [1, 0]),
        (r"/\APa/", [0, 1]),
        ("/(?m)brief\\.$/", [1, 0]),
        (r"/\bParis\b/", [2, 1]),
        (r"/\BParis/", [0, 0]),
        (r"/\bGr\w+e\b/", [1, 0]),
        ("/Paris\"/", [0, 0]),
        ("/paris|x/i", [2, 1]),
    ] {
        let status = i32::from(counts == [0, 0]);
        let expected = format!("data/a.jsonl:{}\ndata/b.csv:{}\n", counts[0], counts[1]);
        expect(&["--count", expression, "data"], status, &expected);
    }
}

#[test]
fn json_lines_say_where_the_match_is() {
    let output = find(&["--output", "jsonl", "role:human \"paris\"", "data/a.jsonl"]);
    let hit: Value = serde_json::from_slice(&output.stdout).unwrap();
    let excerpt = json!({
        "text": "Grüße aus Paris", "start": 12, "end": 17, "clipped_before": false, "clipped_after": false,
    });
    let expected = json!({
        "file": "data/a.jsonl", "line": 2, "record": 1, "path": "input.messages.0.content", "excerpt": excerpt,
    });
    assert_eq!(hit, expected);
}

#[test]
fn a_wrong_query_is_marked_where_it_is_wrong() {
    expect_error(
        &["paris is:good", "data/a.jsonl"],
        "error: \"is\" takes valid, invalid, lost, fixable, changed, duplicate\n  paris is:good\n           ^^^^\n",
    );
    expect_error(
        &["score:1", "data/a.jsonl"],
        "evalcheck: data/a.jsonl: the format juryarena has no key \"score\"; it has output, role, content\n",
    );
    let output = find(&["/(/", "data/a.jsonl"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("the regular expression cannot be read"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_not_searched_to_its_end_has_status_3() {
    let output = find(&["paris", "data/a.jsonl", "data/none.jsonl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("data/a.jsonl:1: "));
}

#[test]
fn records_are_listed_in_the_order_of_a_value() {
    expect(
        &["paris -sort:.input.messages.0.content", "data/a.jsonl"],
        0,
        "data/a.jsonl:2: Grüße aus Paris\ndata/a.jsonl:1: Where is Paris?\n",
    );
}

#[test]
fn keys_with_dots_are_found_by_the_path_that_is_printed() {
    let folder = TempDir::new().unwrap();
    let record =
        r#"{"input":{"messages":[{"role":"user","content":"a"}]},"usage_output":null,"top.1":{"b c":"x"}}"#;
    std::fs::write(folder.path().join("a.jsonl"), record).unwrap();
    for query in ["x", r#"."top.1"."b c":x"#, r#"."top.1".*:=x"#] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
        command.args(["find", "--output", "jsonl", query, "a.jsonl"]).current_dir(folder.path());
        let found: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        assert_eq!(found["path"], r#""top.1".b c"#, "{query}");
    }
}
