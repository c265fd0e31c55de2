//! `evalcheck check --where` in a shell: the listed findings, the text about them, and its exit status.

use std::fmt::Write;
use std::process::{Command, Output, Stdio};

use crate::support;
use serde_json::{Value, json};
use tempfile::TempDir;

const CONVERSATIONS: &str = r#"{"input":{"messages":[{"role":"user","content":"Where is Paris?"}]}}
{"input":{"messages":[{"role":"human","content":"Where is London?"}]}}
{"input":{"messages":[{"role":"human"}]}}
{"input":{"messages":[{"role":"user","content":"Paris"
"#;

/// Runs `check` in a folder with a dataset.
fn check(name: &str, data: &str, args: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join(name), data).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalcheck"));
    command
        .arg("check")
        .args(args)
        .arg(name)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE");
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn expect(query: &str, status: i32, expected: &str) {
    let output = check("a.jsonl", CONVERSATIONS, &["--output", "short", "--where", query]);
    assert_eq!(text(&output.stderr), "", "{query}");
    assert_eq!(text(&output.stdout), expected, "{query}");
    assert_eq!(output.status.code(), Some(status), "{query}");
}

#[test]
fn only_findings_that_match_are_listed_and_fail_the_check() {
    let verdict = "a.jsonl: invalid (juryarena): 4 records, 3 with errors\n";
    expect(
        "london",
        1,
        &format!(
            "a.jsonl:2:31: error[shape/invalid-enum-value]: input.messages.0.role: Invalid enum value. Expected 'system' | 'user' | 'assistant', received 'human'\n\
             a.jsonl: 1 of 4 records and 1 of 4 findings match london; only these findings are listed\n\
             {verdict}Found 1 error. 1 is fixable with `evalcheck fix --unsafe`.\n"
        ),
    );
    expect(
        "Where",
        1,
        &format!(
            "a.jsonl:2:31: error[shape/invalid-enum-value]: input.messages.0.role: Invalid enum value. Expected 'system' | 'user' | 'assistant', received 'human'\n\
             a.jsonl: 2 of 4 records and 1 of 4 findings match Where; only these findings are listed\n\
             {verdict}Found 1 error. 1 is fixable with `evalcheck fix --unsafe`.\n"
        ),
    );
    expect(
        "where is:valid",
        0,
        &format!(
            "a.jsonl: 1 of 4 records and 0 of 4 findings match where is:valid; only these findings are listed\n{verdict}"
        ),
    );
}

#[test]
fn terms_about_findings_are_compared_with_each_finding() {
    let of = |query: &str| {
        let output = check("a.jsonl", CONVERSATIONS, &["--output", "jsonl", "--where", query]);
        let lines: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (report, findings) = lines.split_last().unwrap();
        support::assert_follows_schema(&report["report"], query);
        let findings = findings.iter().map(|line| {
            let code = line["finding"]["code"].as_str().unwrap();
            (line["finding"]["line"].as_u64().unwrap(), code.to_owned())
        });
        (findings.collect::<Vec<_>>(), report["report"]["filter"].clone())
    };
    let (findings, filter) = of("rule:shape/missing-key");
    assert_eq!(findings, [(3, "shape/missing-key".to_owned())]);
    assert_eq!(
        filter,
        json!({"query": "rule:shape/missing-key", "records": 1, "by_code": {"shape/missing-key": 1}})
    );
    assert_eq!(of("role:human").0.len(), 3);
    assert_eq!(of("role:human rule:shape/missing-key").0.len(), 1);
    assert_eq!(of("role:human -rule:shape/missing-key").0.len(), 2);
    assert_eq!(of("path:input.messages.*.role").0.len(), 2);
    assert_eq!(of("record:4").0, [(4, "json/truncated".to_owned())]);
    assert_eq!(of("").0.len(), 4);
}

#[test]
fn findings_in_no_record_are_listed_where_no_term_is_about_records() {
    let table = "query_id;query_text\nq1;Paris\n";
    let codes = |query: &str| -> Vec<String> {
        let output = check("a.csv", table, &["--format", "evret", "--output", "json", "--where", query]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        support::assert_follows_schema(&report, query);
        let findings = report["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["record"].is_null()), "{query}");
        findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes("rule:csv"), ["csv/separator"]);
    assert!(codes("").contains(&"csv/separator".to_owned()));
    assert_eq!(codes("paris"), [""; 0]);
    assert_eq!(codes("rule:csv paris"), [""; 0]);
}

#[test]
fn a_limit_counts_what_matches() {
    let mut data = String::new();
    // A rule has more findings than are listed. Fewer findings match.
    for n in 0..12_000 {
        let role = if n % 3 == 0 { "human" } else { "robot" };
        writeln!(data, r#"{{"input":{{"messages":[{{"role":"{role}","content":"q {n}"}}]}}}}"#).unwrap();
    }
    let report = |args: &[&str]| -> Value {
        let output =
            check("a.jsonl", &data, &[&["--output", "json", "--where", "role:human"], args].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let of = |report: &Value| {
        let listed = report["findings"].as_array().unwrap().len();
        (listed, report["truncated"].clone(), report["filter"]["records"].clone())
    };
    assert_eq!(of(&report(&[])), (4_000, json!(false), json!(4_000)));
    let capped = report(&["--max-findings", "7"]);
    assert_eq!(of(&capped), (7, json!(true), json!(4_000)));
    assert_eq!(capped["filter"]["by_code"]["shape/invalid-enum-value"], 4_000);
    assert_eq!(capped["findings"][6]["record"], 18);
    assert_eq!(capped["counts"]["errors"], 12_000);
    let short = check(
        "a.jsonl",
        &data,
        &["--output", "short", "--max-findings", "7", "--where", "role:human \"q 9\""],
    );
    let lines: Vec<&str> = text(&short.stdout).lines().collect();
    assert_eq!(lines.len(), 11, "{lines:#?}");
    assert!(lines[7].ends_with("more findings are counted and not listed"), "{}", lines[7]);
}

#[test]
fn errors_in_a_list_that_is_replaced_do_not_count() {
    let wrong = vec!["{\"query_id\":1}"; 10_100].join(",");
    let right = "{\"query_id\":\"q\",\"query_text\":\"t\",\"expected_answers\":[\"a\"]}";
    let data = format!("{{\"queries\":[{wrong}],\"queries\":[{right}]}}");
    let output =
        check("twice.json", &data, &["--format", "evret", "--output", "short", "--where", "is:invalid"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(!text(&output.stdout).contains(": error["));
}

#[test]
fn a_wrong_query_is_refused() {
    let error = |query: &str| {
        let output = check("a.jsonl", CONVERSATIONS, &["--where", query]);
        assert_eq!(output.status.code(), Some(2), "{query}");
        assert_eq!(text(&output.stdout), "", "{query}");
        text(&output.stderr).to_owned()
    };
    assert!(error("is:wrong").contains("is:wrong"), "the query is quoted");
    assert_eq!(
        error("answer:x"),
        "evalcheck: a.jsonl: the format juryarena has no key \"answer\"; it has output, role, content\n"
    );
    assert!(error("sort:content").contains("findings are in the order of the file"));
    assert!(error("/(/").contains("the regular expression cannot be read"));
    let output = check("a.jsonl", CONVERSATIONS, &["--fix", "--where", "paris"]);
    assert_eq!(output.status.code(), Some(2), "all findings are fixed, not only those that match");
}
