//! Lines for a list, and the way from one invalid record to the next.
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::view::{Direction, Line};
use evalcheck_wire::worker::CheckOptions;

fn checked(name: &str, data: &[u8]) -> Check {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, CheckOptions::default());
    check.index_findings();
    check.read_all(data, 1 << 16);
    check
}

fn lines(data: &[u8], from: u64, count: u32) -> Vec<Line> {
    checked("a.jsonl", data).view(&mut Cursor::new(data)).lines(from, count).unwrap().lines
}

/// A record with this number of letters before its role.
fn sample(role: &str, letters: usize) -> String {
    let long = "é".repeat(letters);
    format!(r#"{{"input":{{"messages":[{{"content":"{long}","role":"{role}"}}]}},"usage_output":null}}"#)
}

fn marked(line: &Line) -> &str {
    &line.excerpt.text[line.excerpt.start..line.excerpt.end]
}

#[test]
fn a_line_begins_around_its_first_error() {
    let data = [sample("human", 10), sample("human", 3_000), sample("user", 3_000), sample("bot", 900_000)];
    let lines = lines(data.join("\n").as_bytes(), 1, 10);
    assert_eq!(lines[0].excerpt.text, data[0], "all of a short line");
    assert_eq!(lines.iter().map(marked).collect::<Vec<_>>(), [r#""human""#, r#""human""#, "", r#""bot""#]);
    let around = &lines[1].excerpt;
    assert!(around.clipped_before && !around.clipped_after && around.text.len() <= 600);
    assert!(around.text.ends_with(r#"]},"usage_output":null}"#), "{}", around.text);
    let beginning = &lines[2].excerpt;
    assert!(!beginning.clipped_before && beginning.clipped_after && beginning.text.starts_with("{\"input"));
    let far = &lines[3].excerpt;
    assert!(lines[3].bytes > 1 << 20 && far.clipped_before && far.text.len() <= 600, "{}", far.text);
}

#[test]
fn an_error_comes_before_other_findings() {
    let data = sample("human", 10).replacen('{', r#"{"unknown":1,"#, 1);
    assert_eq!(marked(&lines(data.as_bytes(), 1, 1)[0]), r#""human""#);
}

#[test]
fn what_a_line_shares_with_the_one_before_is_counted() {
    let data = [sample("user", 1), sample("user", 2), String::new(), sample("user", 2)].join("\n");
    let shared =
        |from| -> Vec<usize> { lines(data.as_bytes(), from, 10).iter().map(|line| line.shared).collect() };
    let until_second_letter = data.find('é').unwrap() + "é".len();
    assert_eq!(shared(1), [0, until_second_letter, 0, 0]);
    assert_eq!(shared(2), [until_second_letter, 0, 0], "the line before is not among those asked for");
}

#[test]
fn a_byte_order_mark_is_not_shown() {
    let data = ["\u{feff}".to_owned() + &sample("human", 1), sample("human", 1)].join("\n");
    let lines = lines(data.as_bytes(), 1, 2);
    assert_eq!(lines.iter().map(marked).collect::<Vec<_>>(), [r#""human""#; 2]);
    assert_eq!(lines[0].excerpt, lines[1].excerpt);
}

/// The records with errors as they are found one after another.
fn walked(check: &Check, from: u64, direction: Direction) -> Vec<(u64, Option<u64>)> {
    let next = |found: &(u64, Option<u64>)| check.findings().unwrap().invalid_record(found.0, direction);
    std::iter::successors(check.findings().unwrap().invalid_record(from, direction), next).collect()
}

#[test]
fn the_next_invalid_record_may_be_on_the_same_line() {
    let good = r#"{"query_id":"a","query_text":"b","expected_answers":["c"]}"#;
    let bad = r#"{"query_id":[],"query_text":" ","expected_answers":["c"]}"#;
    let data = format!(r#"{{"queries":[{bad},{good},{bad},{bad}]}}"#);
    let mut check = checked("a.json", data.as_bytes());
    assert_eq!(walked(&check, 0, Direction::Next), [(2, Some(1)), (3, Some(1))]);
    assert_eq!(walked(&check, 3, Direction::Previous), [(2, Some(1)), (0, Some(1))]);
    let rows = check.view(&mut Cursor::new(data.as_bytes())).rows(0, 10).unwrap().rows;
    let starts: Vec<u64> = data.match_indices(r#"{"query_id"#).map(|(at, _)| at as u64).collect();
    assert_eq!(rows.iter().map(|row| row.byte_start).collect::<Vec<_>>(), starts);
}
