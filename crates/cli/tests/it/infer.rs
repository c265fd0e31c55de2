//! `evalcheck schema --infer` in a shell.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const LINES: &str = "{\"id\":1,\"text\":\"Hi\"}\n{\"id\":2,\"text\":\"Hello\",\"score\":0.5}\n{\"id\":\n";

fn infer(args: &[&str], input: &[u8]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), LINES).unwrap();
    std::fs::write(folder.path().join("b.csv"), "id,score\n1,0.5\n2,\n").unwrap();
    std::fs::write(folder.path().join("broken.jsonl"), "{\"id\":\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command.arg("schema").args(args).current_dir(folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn schema(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

const EXPECTED: &str = r#"  "type": "object",
  "required": ["id", "text"],
  "properties": {
    "id": {
      "$comment": "numbers: 1 to 2, median 1",
      "type": "integer"
    },
    "text": {
      "$comment": "characters: 2 to 5, median 2",
      "type": "string"
    },
    "score": {
      "$comment": "numbers: 0.5",
      "type": "number"
    }
  },
  "additionalProperties": false
}
"#;

#[test]
fn the_schema_goes_to_standard_output() {
    let output = infer(&["--infer", "a.jsonl"], b"");
    let (text, note) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(text.ends_with(EXPECTED), "{text}");
    assert_eq!(output.status.code(), Some(0), "{note}");
    let expected =
        "evalcheck: a.jsonl: 1 of 3 records could not be read: the schema does not describe them\n";
    assert_eq!(note, expected);
    assert_eq!(schema(&output)["title"], json!("a.jsonl"));
}

#[test]
fn standard_input_and_rows_are_read() {
    let output = infer(&["--infer", "-", "--stdin-filename", "of.jsonl"], LINES.as_bytes());
    assert_eq!(schema(&output)["title"], json!("of.jsonl"));
    let output = infer(&["--infer", "b.csv"], b"");
    assert_eq!(schema(&output)["properties"]["score"]["type"], json!(["null", "number"]));
}

#[test]
fn without_a_record_there_is_no_schema() {
    for (args, status) in [
        (&["--infer", "broken.jsonl", "--format", "jsonl"][..], 3),
        (&["--infer", "missing.jsonl"], 3),
        (&["--infer", "."], 2),
        (&["--infer", "a.jsonl", "quest"], 2),
        (&["--infer", "a.jsonl", "--version", "1"], 2),
        (&["quest", "--format", "quest"], 2),
        (&["quest", "--isolated"], 2),
    ] {
        let output = infer(args, b"");
        assert_eq!(
            output.status.code(),
            Some(status),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}
