//! The list of records has one row for each record, whatever the layout, and costs little anywhere in the file.

use std::fmt::Write;
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::FORMATS;
use evalcheck_report::view::{Excerpt, Row, Rows};
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::CheckOptions;

fn checked(data: &[u8], name: &str, format: Option<&str>) -> Check {
    let options = CheckOptions { format: format.map(str::to_owned), ..CheckOptions::default() };
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.read_all(data, 1 << 16);
    check
}

fn rows(data: &[u8], name: &str, format: Option<&str>) -> Rows {
    checked(data, name, format).view(&mut Cursor::new(data)).rows(0, 500).unwrap()
}

fn cell(cell: Option<&Excerpt>) -> String {
    match cell {
        None => "-".to_owned(),
        Some(Excerpt { text, clipped_before: false, clipped_after: false, .. }) => text.clone(),
        Some(Excerpt { text, .. }) => format!("{text}~"),
    }
}

/// A row as a line: number, line, severity, id, question, answer, columns, and the text if there is one.
fn line(row: &Row) -> String {
    let severity = row.severity.map_or("ok", evalcheck_report::Severity::as_str);
    let mut out = format!("{} {} {severity}", row.record, row.line);
    for value in [&row.id, &row.question, &row.answer].into_iter().chain(&row.columns) {
        write!(out, " | {}", cell(value.as_ref())).unwrap();
    }
    if row.text.is_some() {
        write!(out, " || {}", cell(row.text.as_ref())).unwrap();
    }
    out
}

fn lines(rows: &Rows) -> Vec<String> {
    rows.rows.iter().map(line).collect()
}

fn example(format: &str, id: &str) -> (Vec<u8>, &'static str) {
    let format = FORMATS.iter().find(|known| known.id == format).unwrap();
    let example = format.examples.iter().find(|example| example.id == id).unwrap();
    let bytes = match example.content() {
        ExampleContent::Text(text) => text.into_bytes(),
        ExampleContent::Bytes(bytes) => bytes,
    };
    (bytes, example.file_name)
}

#[track_caller]
fn expect_example(format: &str, id: &str, columns: &[&str], expected: &[&str]) {
    let (data, name) = example(format, id);
    let found = rows(&data, name, Some(format));
    let names: Vec<&str> = found.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, columns);
    assert_eq!(lines(&found), expected, "{format} {id}");
    assert_eq!(found.total, expected.len() as u64);
}

#[test]
fn the_examples_have_their_columns() {
    expect_example(
        "juryarena",
        "full",
        &["messages", "attachments"],
        &[
            "0 1 ok | - | Does a flight of 620 dollars need approval? | - | 2 | 1",
            "1 2 ok | - | Which bar is the highest? | The sixth. | 3 | 1",
            "2 3 ok | - | Turn the first page into a list: | - | 1 | 1",
        ],
    );
    let eee = ["extracted", "score", "correct"];
    expect_example(
        "eee-instance",
        "full",
        &eee,
        &[
            "0 1 ok | gsm8k_0001 | A pen costs 3 coins. How much do 4 pens cost? | Four pens cost 12 coins. | 12 | 1.0 | true",
            "1 2 ok | 2 | A number is doubled and gives 18. Which one is it? | Twice 8 is 16, so it is 9. | 9 | 0.5 | true",
            "2 3 ok | gsm8k_0003 | What is 17 times 23? | 391 | 391 | 1 | true",
        ],
    );
    expect_example(
        "eee-instance",
        "full-0.3.0",
        &eee,
        &[
            "0 1 ok | gsm8k_0001 | A pen costs 3 coins. How much do 4 pens cost? | Four pens cost 12 coins. | 12 | 1.0 | true",
            "1 2 ok | gsm8k_0002 | A number is doubled and gives 18. Which one is it? | Twice 8 is 16, so it is 9. | 9 | 0.5 | true",
            "2 3 ok | gsm8k_0003 | What is 17 times 23? | 391 | 391 | 1 | true",
        ],
    );
    expect_example(
        "quest",
        "full",
        &["type", "samples"],
        &[
            "0 2 ok | lamp-a, lamp-b | My lamp flickers. What can I do? | Have you tried another bulb? | chat_completion | 2",
            "1 3 ok | river-a, river-b | Name a river. | The Lena. | chat_completion | 2",
        ],
    );
    expect_example(
        "quest-results",
        "full",
        &["type", "feedback"],
        &[
            "0 1 ok | lamp-a, lamp-b | My lamp flickers. What can I do? | Have you tried another bulb? | chat_completion | a, 0.5, tone, a, b, B asks back.",
            "1 2 ok | river-a, river-b | Name a river. | The Lena. | chat_completion | b, 0, b, a",
        ],
    );
}

#[test]
fn the_examples_of_tencent_have_their_columns() {
    expect_example(
        "tencent-infer",
        "full",
        &["reference"],
        &[
            "0 1 ok | - | Hello! | Hello! Is there anything I can do for you | The answer is 2",
            "1 2 ok | - | Which is larger, 9.11 or 9.9? | - | 9.9",
            "2 3 ok | - | Good morning! | - | -",
        ],
    );
    expect_example(
        "tencent-eval",
        "full",
        &["model", "reference"],
        &[
            "0 1 ok | - | Hello! | The answer is 32. | llama3, qwen3 | The answer is 32",
            "1 2 ok | - | Write a poem praising programmers | One bracket more, and all is well. | llama3, qwen3 | Code is like poetry.",
        ],
    );
    expect_example(
        "tencent-manual",
        "full",
        &[],
        &[
            "0 1 ok | - | 712+165+223+711= | 1811",
            "1 2 ok | - | Name a river. | The Mekong.",
            "2 3 ok | - | Good morning! | Gut, danke.",
        ],
    );
    expect_example(
        "tencent-manual",
        "full-csv",
        &[],
        &[
            "0 2 ok | - | 712+165+223+711= | 1811",
            "1 3 ok | - | Name a river, please. | The Danube.",
            "2 4 ok | - | Say: \"Good morning!\" | Guten Morgen!",
        ],
    );
}

#[test]
fn the_examples_of_evret_have_their_columns_and_lists() {
    expect_example(
        "evret",
        "full",
        &["document"],
        &[
            "0 3 ok | q1 | does a flight above 500 dollars need manager approval | - | travel_policy_2",
            "1 8 ok | q2 | what hotel reimbursement limit applies to business travel | Hotel reimbursement is capped at 180 dollars per night unless finance approves an exception. | -",
            "2 17 ok | travel_policy_2 | Flights above 500 dollars require manager approval before booking business travel. | - | -",
            "3 25 ok | travel_policy_3 | Hotel reimbursement is capped at 180 dollars per night unless finance approves an exception. | - | -",
        ],
    );
    let (data, name) = example("evret", "full");
    let lists = rows(&data, name, None).lists;
    let lists: Vec<_> = lists.iter().map(|list| (&*list.key, list.first)).collect();
    assert_eq!(lists, [("queries", 0), ("documents", 2)]);
    expect_example(
        "evret",
        "csv",
        &["document"],
        &[
            "0 2 ok | q1 | does a flight above 500 dollars need manager approval | - | [\"travel_policy_2\"]",
            "1 3 ok | q2 | what hotel limit applies, and to whom | - | travel_policy_3, travel_policy_4",
        ],
    );
}

#[test]
fn the_records_of_any_document_are_listed() {
    let elements = "{\"instruction\":\"a\",\"output\":\"x\"},\n {\"instruction\":\"b\",\"output\":\"y\"}";
    let expected = ["0 1 ok | - | a | x", "1 2 ok | - | b | y"];
    assert_eq!(lines(&rows(format!("[{elements}]").as_bytes(), "a.json", None)), expected);
    let document =
        format!("{{\"version\":\"1\",\"tags\":[1,2],\"data\":[{elements}],\"more\":[{{\"id\":\"c\"}}]}}");
    let found = rows(document.as_bytes(), "a.json", None);
    assert_eq!(lines(&found), [expected[0], expected[1], "2 2 ok | c | - | -"]);
    let lists: Vec<_> = found.lists.iter().map(|list| (&*list.key, list.first)).collect();
    assert_eq!(lists, [("data", 0), ("more", 2)]);
    let found = rows(b"{\n\"question\":\"a\"}", "a.json", None);
    assert_eq!((lines(&found), found.lists.len()), (vec!["0 1 ok | - | a | -".to_owned()], 0));
    let mut check = checked(document.as_bytes(), "a.json", None);
    let mut source = Cursor::new(document.as_bytes());
    let record = check.view(&mut source).record_of_number(1, None).unwrap().unwrap();
    assert_eq!((record.line, &*record.source.text), (2, "{\"instruction\":\"b\",\"output\":\"y\"}"));
    assert_eq!(check.view(&mut source).record_of_number(3, None).unwrap(), None);
}

#[test]
fn records_of_any_document_are_read_again_behind_a_broken_one() {
    let record =
        |number: usize| format!("  {{\"id\": \"q{number}\", \"question\": \"{}\"}}", "x".repeat(number % 50));
    let mut records: Vec<String> = (0..40_000).map(record).collect();
    records[20_000] = "  {\"id\": \"q20000\", \"tags\": [{\"id\": 1}".to_owned() + "}";
    let data = format!("{{\"rows\": [\n{}\n]}}", records.join(",\n"));
    let mut check = checked(data.as_bytes(), "a.json", None);
    assert_eq!(check.report().counts.records, 40_000);
    for number in [0, 19_999, 20_001, 39_999] {
        let mut source = Cursor::new(data.as_bytes());
        let found = check.view(&mut source).record_of_number(number, None).unwrap().unwrap();
        assert_eq!(found.source.text, records[usize::try_from(number).unwrap()].trim(), "{number}");
        assert!(found.findings.is_empty());
    }
}

#[test]
fn records_that_cannot_be_read_have_their_beginning_as_text() {
    let (data, name) = example("evret", "broken");
    let found = lines(&rows(&data, name, None));
    assert_eq!(found.len(), 10);
    assert_eq!(
        found[6],
        r#"6 9 error | - | - | - | - || {"query_id": "q7", "query_text": 'may I fly first class', "expected_answers": ["no"]}"#
    );
    assert_eq!(
        found[7],
        "7 12 ok | travel_policy_2 | Flights above 500 dollars require manager approval. | - | -"
    );
    let (data, name) = example("tencent-manual", "broken-csv");
    let found = lines(&rows(&data, name, None));
    assert_eq!(found[1], "1 3 error | - | - | - || ,2+2=,4");
    assert_eq!(found[2], "2 4 error | - | - | 6");
    assert_eq!(found[6], "6 8 error | - | - | - || ,\"7+7=,14,");
    let long = format!("{{\"input\": {}\n", "x".repeat(300));
    let found = lines(&rows(long.as_bytes(), "a.jsonl", Some("juryarena")));
    assert_eq!(found, [format!("0 1 error | - | - | - | - | - || {{\"input\": {}~", "x".repeat(190))]);
}

fn asked(question: &str) -> String {
    format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{question}"}}]}}}}"#)
}

#[track_caller]
fn expect(data: &str, format: &str, expected: &[&str]) {
    let found = lines(&rows(data.as_bytes(), "data", Some(format)));
    assert_eq!(found, expected);
}

#[test]
fn blank_lines_and_headers_are_no_records() {
    let data = format!("\u{feff}{}\r\n\r\n \t\n{}\n\n{}", asked("a"), asked("b"), asked("c"));
    expect(
        &data,
        "juryarena",
        &["0 1 info | - | a | - | 1 | 0", "1 4 ok | - | b | - | 1 | 0", "2 6 ok | - | c | - | 1 | 0"],
    );
    let header = r#"{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#;
    let text = |id: &str| format!(r#"[{{"type":"text","id":"{id}","text":"t {id}"}}]"#);
    let data = format!("{header}\n{}\n{}\n", text("1"), text("2"));
    expect(&data, "quest", &["0 2 ok | 1 | t 1 | - | text | 1", "1 3 ok | 2 | t 2 | - | text | 1"]);
}

#[test]
fn a_table_has_blank_lines_and_line_breaks_in_cells() {
    let data = "system,prompt,response\n\n,\"a\n\nb\",c\n\n\n,d,e\n";
    let found = rows(data.as_bytes(), "data.csv", Some("tencent-manual"));
    assert_eq!(lines(&found), ["0 3 ok | - | a b | c", "1 8 ok | - | d | e"]);
}

#[test]
fn a_record_over_several_lines_is_one_row() {
    let pretty = "{\n  \"input\": {\n    \"messages\": [\n      {\"role\": \"user\", \"content\": \"b\"}\n    ]\n  }\n}";
    let data = format!("{}\n{pretty}\n{}\n", asked("a"), asked("c"));
    expect(
        &data,
        "juryarena",
        &["0 1 ok | - | a | - | 1 | 0", "1 2 error | - | b | - | 1 | 0", "2 9 ok | - | c | - | 1 | 0"],
    );
    // Each of the lines after a record that is cut off is a record of its own.
    let data = format!("{{\"input\":\n\"messages\":\n{}\n", asked("c"));
    let found = rows(data.as_bytes(), "a.jsonl", Some("juryarena"));
    let numbers: Vec<_> = found.rows.iter().map(|row| (row.record, row.line)).collect();
    assert_eq!(numbers, [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(line(&found.rows[2]), "2 3 ok | - | c | - | 1 | 0");
    // Records in an array around them are one record.
    let data = format!("[\n{},\n{}\n]\n", asked("a"), asked("b"));
    let found = rows(data.as_bytes(), "a.jsonl", Some("juryarena"));
    assert_eq!((found.total, found.rows.len()), (1, 1));
    let text = format!("[ {}, {} ]", asked("a"), asked("b"));
    assert_eq!(cell(found.rows[0].text.as_ref()), text);
}

#[test]
fn of_many_records_on_one_line_each_is_shown_alone() {
    let query =
        |n: usize| format!(r#"{{"query_id":"q{n}","query_text":"what is {n}","expected_answers":["{n}"]}}"#);
    let queries: Vec<_> = (0..2_000).map(query).collect();
    let document = |n: usize| format!(r#"{{"doc_id":"d{n}","text":"text {n}"}}"#);
    let documents: Vec<_> = (0..500).map(document).collect();
    let data = format!(r#"{{"queries":[{}],"documents":[{}]}}"#, queries.join(","), documents.join(","));
    let mut check = checked(data.as_bytes(), "a.json", Some("evret"));
    let mut source = Cursor::new(&data);
    let found = check.view(&mut source).rows(1_999, 3).unwrap();
    assert_eq!(found.total, 2_500);
    assert_eq!(
        lines(&found),
        [
            "1999 1 ok | q1999 | what is 1999 | 1999 | -",
            "2000 1 ok | d0 | text 0 | - | -",
            "2001 1 ok | d1 | text 1 | - | -"
        ]
    );
    for (number, text) in [(0, query(0)), (1_234, query(1_234)), (2_499, document(499))] {
        let record = check.view(&mut source).record_of_number(number, None).unwrap().unwrap();
        assert_eq!(record.source.text, text);
        assert!(record.sample.is_some() && record.findings.is_empty());
    }
    assert_eq!(check.view(&mut source).record_of_number(2_500, None).unwrap(), None);
    assert_eq!(check.view(&mut source).rows(2_500, 5).unwrap().rows, []);
}

#[test]
fn of_records_on_one_line_only_those_with_findings_are_marked() {
    let data = r#"{"queries":[{"query_id":"a","query_text":"x","expected_answers":["y"]},{"query_id":"b","query_text":7,"expected_answers":["y"]},{"query_id":"c","query_text":"x","expected_answers":["y"]}]}"#;
    let severities: Vec<_> = rows(data.as_bytes(), "a.json", Some("evret"))
        .rows
        .iter()
        .map(|row| row.severity.is_some())
        .collect();
    assert_eq!(severities, [false, true, false]);
}

#[test]
fn a_record_of_lines_is_opened_by_its_number() {
    let data = format!("{}\n\n{}\n", asked("a"), asked("b"));
    let mut check = checked(data.as_bytes(), "a.jsonl", None);
    let record = check.view(&mut Cursor::new(&data)).record_of_number(1, None).unwrap().unwrap();
    assert_eq!((record.line, record.source.text), (3, asked("b")));
}

#[test]
fn long_texts_and_those_from_right_to_left_are_cut_between_characters() {
    let arabic = "مرحبا بالعالم ".repeat(100);
    let message = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let data = format!(
        r#"{{"input":{{"messages":[{},{}]}}}}"#,
        message("user", &arabic),
        message("assistant", &arabic)
    );
    let found = rows(data.as_bytes(), "a.jsonl", None);
    let (question, answer) = (found.rows[0].question.clone().unwrap(), found.rows[0].answer.clone().unwrap());
    assert!(question.clipped_after && answer.clipped_before);
    assert!(arabic.starts_with(&question.text) && arabic.trim_end().ends_with(&answer.text));
    assert!((199..=200).contains(&question.text.chars().count()));
    assert!((199..=200).contains(&answer.text.chars().count()));
}

#[test]
fn records_are_listed_while_the_check_runs() {
    let data: String = (0..100).map(|n| asked(&n.to_string()) + "\n").collect();
    let file = FileInfo { name: "a.jsonl".to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(&data), file, CheckOptions::default());
    check.read_piece(&mut data.as_bytes(), data.len() / 2);
    let found = check.view(&mut Cursor::new(&data)).rows(0, 500).unwrap();
    assert!((40..=50).contains(&found.total), "{}", found.total);
    assert_eq!(found.rows.len() as u64, found.total);
}
