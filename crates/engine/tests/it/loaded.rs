//! Records as the system holds them, if the beginning of the dataset decides.
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::Counts;
use evalcheck_report::view::Loaded;
use evalcheck_wire::worker::CheckOptions;

/// The outcome of loading each record: the record as the system holds it, or `dropped` or `refused`; and the counts.
fn loaded(format: &str, name: &str, dataset: &str) -> (Vec<String>, Counts) {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: name.into(), size: dataset.len() as u64 };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let mut check = Check::open(&mut source, info.clone(), options.clone());
    let mut purpose = Purpose::<Cursor<Vec<u8>>>::loaded();
    purpose.prepare(&mut check);
    check.read_all(dataset.as_bytes(), 7);
    let word = |loaded: &Loaded| match loaded {
        Loaded::Held(held) => held.to_json(),
        Loaded::Dropped => "dropped".to_owned(),
        Loaded::Refused => "refused".to_owned(),
    };
    let records = purpose.take_loaded(&mut check);
    let words = records.iter().map(|record| word(&record.loaded)).collect::<Vec<_>>();
    // The page shows the same of a single record.
    let mut plain = Check::open(&mut source, info, options);
    plain.read_all(dataset.as_bytes(), 1 << 20);
    for (record, word_of_all) in records.iter().zip(&words) {
        let shown = plain.view(&mut source).record(record.line, None).unwrap().unwrap();
        assert_eq!(&word(&shown.loaded.unwrap()), word_of_all, "line {} of {dataset}", record.line);
    }
    let counts = plain.report().counts;
    assert_eq!(counts, check.report().counts, "{dataset}");
    (words, counts)
}

const TEXT: &str = r#"[{"type":"text","id":"a","text":"x"}]"#;

/// Lines of Quest after a metadata line.
fn quest(metadata: &str, lines: &[&str]) -> (Vec<String>, Counts) {
    loaded("quest", "data.jsonl", &format!("{metadata}\n{}\n", lines.join("\n")))
}

/// Valid records, invalid ones and lost lines.
fn numbers(counts: &Counts) -> (u64, u64, u64) {
    (counts.valid, counts.invalid, counts.loss.lines)
}

#[test]
fn quest_refuses_every_line_behind_a_metadata_line_that_it_refuses() {
    for metadata in [
        r#"{"total_samples":0,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#,
        r#"{"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#,
        r#"{"total_samples":1,"sample_type":"","samples_per_line":1,"hidden_metadata":[]}"#,
        r#"{"total_samples":1,"sample_type":"text","samples_per_line":null,"hidden_metadata":[]}"#,
        r#"{"total_samples":1,"#,
        "null",
        "",
        " \n{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}",
    ] {
        let (words, counts) = quest(metadata, &[TEXT, "[", TEXT]);
        assert!(!words.is_empty() && words.iter().all(|word| word == "refused"), "{metadata}: {words:?}");
        assert_eq!((counts.valid, counts.loss.lines), (0, 0), "{metadata}");
    }
}

#[test]
fn quest_drops_lines_that_are_not_what_the_metadata_line_wrongly_says() {
    let metadata = |kind: &str, per_line: &str| {
        format!(
            r#"{{"total_samples":1,"sample_type":{kind},"samples_per_line":{per_line},"hidden_metadata":[]}}"#
        )
    };
    for per_line in ["\"1\"", "1.5", "-1", "[1]", "true"] {
        let (words, counts) = quest(&metadata("\"text\"", per_line), &[TEXT, TEXT]);
        assert_eq!(words, ["dropped", "dropped"], "{per_line}");
        assert_eq!(numbers(&counts), (0, 2, 2), "{per_line}");
    }
    let other = TEXT.replace("\"text\",\"id\"", "\"texts\",\"id\"").replace("\"a\"", "\"b\"");
    let (words, counts) = quest(&metadata("\"texts\"", "1"), &[TEXT, &other]);
    assert_eq!((words[0].as_str(), words.len()), ("dropped", 2));
    assert!(words[1].contains("\"texts\""), "{words:?}");
    assert_eq!(numbers(&counts), (1, 1, 1));
    // A line that is no record of its own is lost once.
    let (words, counts) = quest(&metadata("[]", "1"), &[TEXT, "{}"]);
    assert_eq!((words, numbers(&counts)), (vec!["dropped".to_owned(); 2], (0, 2, 2)));
}

#[test]
fn quest_holds_lines_behind_a_metadata_line_that_only_its_document_forbids() {
    for metadata in [
        r#"{"total_samples":1,"sample_type":"text","samples_per_line":1}"#,
        r#"{"total_samples":-1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#,
        r#"{"total_samples":"1","sample_type":"text","samples_per_line":1.0,"hidden_metadata":7}"#,
    ] {
        let (words, counts) = quest(metadata, &[TEXT]);
        assert!(words.len() == 1 && words[0].starts_with("[{"), "{metadata}: {words:?}");
        assert_eq!(numbers(&counts), (1, 0, 0), "{metadata}");
    }
}

/// Ids and texts of the queries that Evret holds, or `refused`.
fn evret(name: &str, dataset: &str) -> (Vec<String>, Counts) {
    let (words, counts) = loaded("evret", name, dataset);
    let short = |word: String| match serde_json::from_str::<serde_json::Value>(&word) {
        Ok(record) => format!("{}: {}", record["query_id"], record["query_text"]).replace('"', ""),
        Err(_) => word,
    };
    (words.into_iter().map(short).collect(), counts)
}

#[test]
fn evret_loses_the_first_column_of_a_csv_with_a_byte_order_mark() {
    let (words, counts) =
        evret("a.csv", "\u{feff}query_id,query_text,expected_answers\nx1,how,a\nx2,who,b\n");
    assert_eq!(words, ["q1: how", "q2: who"]);
    assert_eq!((counts.valid, counts.errors), (2, 1));
    let (words, counts) = evret("a.csv", "\u{feff}query_text,query_id,expected_answers\nhow,x1,a\n");
    assert_eq!((words, counts.valid, counts.invalid), (vec!["refused".to_owned()], 0, 1));
    let both = "\u{feff}query_text,query,query_id,expected_answers\nhow,,x1,a\nwho,why,x2,b\n";
    assert_eq!(evret("a.csv", both).0, ["refused", "x2: why"]);
    let ids = "\u{feff}query_id,query_text,id,expected_answers\nx1,how,\" \",a\nx2,who,y2,b\n";
    assert_eq!(evret("a.csv", ids).0, ["refused", "y2: who"]);
    let (words, counts) =
        evret("a.json", "\u{feff}{\"queries\": [{\"query_id\": \"a\", \"query_text\": \"b\"}]}");
    assert_eq!((words, counts.valid), (vec!["refused".to_owned()], 0));
}

#[test]
fn evret_refuses_every_row_under_a_header_without_its_columns() {
    for dataset in [
        "query_id;query_text\nx1;how\nx2;who\n",
        "\nquery_id,query_text\nx1,how\nx2,who\n",
        "query_id,question\nx1,how\nx2,who\n",
        "query_id,\"query_text\nx1,how\"x\na,b\nc,d\n",
        "query_id,query_text\rx0,when\nx1,how\nx2,who\n",
        "A title\nquery_id,query_text\nx1,how\n",
    ] {
        let (words, counts) = evret("a.csv", dataset);
        assert_eq!(words, ["refused", "refused"], "{dataset}");
        assert_eq!((counts.valid, counts.invalid), (0, 2), "{dataset}");
    }
}

#[test]
fn promptfoo_holds_the_last_of_two_columns_of_one_name() {
    let dataset = "q,__expected,__expected\na,contains:x,contains:y\n";
    let (held, _) = loaded("promptfoo", "tests.csv", dataset);
    assert!(held[0].contains("\"y\"") && !held[0].contains("\"x\""), "{held:?}");
}

#[test]
fn promptfoo_refuses_every_row_under_a_header_that_it_refuses() {
    let dataset = "q,__expected,__config:__expected:weight\na,contains:x,1\n";
    let (held, counts) = loaded("promptfoo", "tests.csv", dataset);
    assert_eq!((held, counts.invalid), (vec!["refused".to_owned()], 1));
}

#[test]
fn a_record_is_loaded_once_whatever_its_lines_are() {
    let record = r#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
    let several = record.replace(',', ",\n");
    let half = &record[..record.len() / 2];
    let data = format!("{record}\n{half}\n{record}\n{several}\n{record}\n{half}");
    let (words, counts) = loaded("juryarena", "data.jsonl", &data);
    let states: Vec<bool> = words.iter().map(|word| word != "refused").collect();
    assert_eq!(states, [true, false, true, false, true, false], "{words:?}");
    assert_eq!((counts.records, counts.invalid), (6, 3));
    let (words, counts) = quest(
        r#"{"total_samples":1,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}"#,
        &[TEXT, &TEXT[..TEXT.len() / 2]],
    );
    assert_eq!((words.len(), words[1].as_str(), counts.loss.lines), (2, "dropped", 1));
}

#[test]
fn a_byte_order_mark_that_is_refused_refuses_its_record() {
    let records = include_str!("../../../formats/src/eee_instance/minimal.jsonl");
    let (plain, _) = loaded("eee-instance", "data.jsonl", records);
    let (words, counts) = loaded("eee-instance", "data.jsonl", &format!("\u{feff}{records}"));
    assert_eq!((words[0].as_str(), &words[1..], counts.invalid), ("refused", &plain[1..], 1));
}
