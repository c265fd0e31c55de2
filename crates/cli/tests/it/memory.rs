//! The command on hostile files, with little memory.
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::process::{Command, Output};

use crate::support::suite::rounds;
use serde_json::json;
use tempfile::TempDir;

/// Runs the command on a file with this many MiB of memory. `FILE` in the arguments is the file, `NEW` another one.
fn within(mib: u64, args: &[&str], extension: &str, content: &[u8]) -> Output {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(format!("data.{extension}"));
    fs::write(&file, content).unwrap();
    let args = args.iter().map(|arg| match *arg {
        "FILE" => file.clone(),
        "NEW" => folder.path().join("new"),
        arg => arg.into(),
    });
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit -v {} && exec \"$0\" \"$@\"", mib << 10));
    // `ulimit -v` limits the address space. glibc reserves 64 MiB of it for each thread, most of which is never used.
    shell.env("MALLOC_ARENA_MAX", "1");
    let output = shell.arg(env!("CARGO_BIN_EXE_evalcheck")).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{args:?}: {:?} {said}",
        output.status,
        args = shell.get_args()
    );
    output
}

fn report(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn of_many_findings_in_a_record_some_are_kept_and_all_are_counted() {
    const COUNT: usize = 200_000;
    let record = format!("{{\"input\":{{\"messages\":[{}]}}}}\n", vec!["1"; COUNT].join(","));
    let output = within(100, &["check", "--output", "json", "FILE"], "jsonl", record.as_bytes());
    let report = report(&output);
    assert_eq!(report["counts"]["errors"], COUNT);
    assert_eq!(report["counts"]["by_code"]["shape/wrong-type"], COUNT);
    assert_eq!(report["counts"]["invalid"], 1);
    assert_eq!(report["findings"].as_array().unwrap().len(), 10_000);
    // If all findings are listed, the number of findings of one record is limited too.
    let output = within(160, &["check", "--output", "short", "FILE"], "jsonl", record.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains(":1:")).count(), 20_000);
    assert!(text.contains("180000 more findings"), "{}", text.lines().last().unwrap());
}

#[test]
fn a_row_of_more_cells_than_are_read_is_one_finding() {
    let row = |cells: usize| vec!["a1"; cells].join(",") + "\n";
    let wide = "query_id,query_text,expected_doc_ids,".to_owned() + &row(1_000_000);
    let check = ["check", "--output", "json", "--format", "evret", "FILE"];
    for text in [
        wide.clone() + &row(1_000_003),
        wide.replace(',', ";"),
        format!("query_text,expected_doc_ids\n{}", row(1_000_000)),
    ] {
        let report = report(&within(100, &check, "csv", text.as_bytes()));
        let header_is_lost = report["findings"][0]["line"] == 1;
        assert_eq!(
            report["counts"]["by_code"]["csv/many-cells"],
            if header_is_lost && text.matches('\n').count() == 2 { 2 } else { 1 }
        );
        assert_eq!(report["valid"], false);
    }
    let text = "query_text,expected_doc_ids\n\"".to_owned() + &",".repeat(100_000) + "\",d1\n";
    let report = report(&within(100, &check, "csv", text.as_bytes()));
    assert!(report["counts"]["by_code"]["csv/many-cells"].is_null(), "commas in quotes are text");
}

/// Fixes take little memory, however many there are.
#[test]
fn fixes_of_every_record_take_little_memory() {
    let lines = rounds(40_000, 400_000);
    let text = (0..lines)
        .map(|line| {
            format!("{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"{line}\"}}],}}}}\n")
        })
        .collect::<Vec<_>>()
        .concat();
    let output = within(100, &["fix", "--output", "NEW", "FILE"], "jsonl", text.as_bytes());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("Applied {lines} fixes.")), "{said}");
}

#[test]
fn a_text_of_bytes_that_are_not_utf8_is_one_finding_and_one_edit() {
    let mut record = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"".to_vec();
    record.extend(b"\xe9a".repeat(1 << 20));
    record.extend(b"\"}]}}\n");
    let report = report(&within(100, &["check", "--output", "json", "FILE"], "jsonl", &record));
    assert_eq!(report["counts"]["errors"], 1);
    assert_eq!(report["findings"][0]["fix"]["edits"].as_array().unwrap().len(), 1);
}

#[test]
fn escapes_that_are_halves_of_characters_are_one_finding_and_one_edit() {
    let text = "\\ud83d\\ude00\\ud800 a\\\\ud800 ".repeat(1 << 16);
    let record = format!("{{\"input\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"{text}\"}}]}}}}\n");
    let report = report(&within(100, &["check", "--output", "json", "FILE"], "jsonl", record.as_bytes()));
    let edits = report["findings"][0]["fix"]["edits"].as_array().unwrap();
    assert_eq!((report["counts"]["warnings"].clone(), edits.len()), (1.into(), 1));
    let fixed = edits[0]["text"].as_str().unwrap();
    assert!(fixed.starts_with("\\ufffd a\\\\ud800 \\ud83d\\ude00\\ufffd a"), "{}", &fixed[..80]);
}

#[test]
fn what_is_in_a_cell_that_the_loader_refuses_is_not_looked_at() {
    let list = vec!["\"\"d\"\""; 500_000].join(",");
    let table = format!("query_id,query_text,relevant_doc_ids\nq,t,\"[{list}]\"\n");
    let report = report(&within(100, &["check", "--output", "json", "FILE"], "csv", table.as_bytes()));
    assert_eq!(report["counts"]["by_code"], serde_json::json!({"evret/cell-too-long": 1}));
}

#[test]
fn rejects_are_written_as_they_come() {
    let records =
        "{\"input\":{\"messages\":[{\"role\":\"xyz\",\"content\":\"x\"}]}}\n".repeat(rounds(20_000, 60_000));
    within(100, &["fix", "--rejects", "NEW", "FILE"], "jsonl", records.as_bytes());
}

#[test]
fn loaded_records_of_a_document_are_written_as_they_come() {
    let query = r#"{"query_id":"q","query_text":"how high is the limit","relevant_doc_ids":["d1"]}"#;
    let first = r#"{"query_id":"replaced","query_text":"t","relevant_doc_ids":["d1"]}"#;
    let records = rounds(20_000, 60_000);
    let queries = vec![query; records].join(",");
    let document = format!("{{\"queries\":[{first}],\"queries\":[{queries}]}}");
    let output = within(100, &["loaded", "--format", "evret", "FILE"], "json", document.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), records + 1);
    assert!(text.lines().next().unwrap().contains("\"state\":\"dropped\""));
    assert!(!text.contains("replaced"));
}

#[test]
fn places_beyond_4_gib_have_64_bits() {
    const VALID: &[u8] = b"{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}}\n";
    const INVALID: &[u8] = b"{\"input\":{\"messages\":[{\"role\":\"usr\",\"content\":\"Hi\"}]}}\n";
    // In the quick suite, only a line that is too long.
    let hole = rounds(65 << 20, 4 << 30) + 100;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data.jsonl");
    // A sparse file: the hole takes no space on the disk, and is a line that is too long.
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(VALID).unwrap();
    file.set_len(hole).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(&[b"\n", VALID, INVALID].concat()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    let output = command.args(["check", "--output", "json"]).arg(&path).output().unwrap();
    let report = report(&output);
    assert_eq!(report["counts"]["lines"], 4);
    let findings = report["findings"].as_array().unwrap();
    let places: Vec<_> =
        findings.iter().map(|found| (&found["code"], &found["line"], &found["byte_start"])).collect();
    let role = INVALID.windows(3).position(|text| text == b"usr").unwrap() as u64;
    let start = hole + 1 + VALID.len() as u64 + role;
    assert_eq!(places.len(), 2, "{places:?}");
    assert_eq!(places[0], (&json!("file/record-too-long"), &json!(2), &json!(VALID.len())));
    assert_eq!(places[1].0, "shape/invalid-enum-value");
    assert_eq!(places[1].1, 4);
    // The span contains the quotes.
    assert_eq!(places[1].2.as_u64().unwrap() + 1, start);
}
