//! The records at the beginning of a file of no known format are listed as far as they can be distinguished.

use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::view::Rows;
use evalcheck_wire::worker::CheckOptions;

fn open(data: &[u8], name: &str) -> Check {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, CheckOptions::default());
    check.read_all(data, 1 << 16);
    assert!(check.report().format.id.is_empty(), "{:?}", check.report().format);
    check
}

fn rows(data: &[u8], name: &str) -> Rows {
    let found = open(data, name).view(&mut Cursor::new(data)).rows(0, 500).unwrap();
    assert!(found.rows.iter().all(|row| row.severity.is_none()), "nothing is an error of no format");
    found
}

/// Line, id, question, answer, and the text if there is one.
#[track_caller]
fn expect(data: &str, name: &str, expected: &[(u64, &str, &str, &str, &str)]) {
    let found = rows(data.as_bytes(), name);
    let text = |cell: &Option<evalcheck_report::view::Excerpt>| {
        cell.clone().map_or_else(String::new, |cell| cell.text)
    };
    let cells: Vec<_> = (0..)
        .zip(&found.rows)
        .map(|(number, row)| {
            assert_eq!(row.record, number);
            (row.line, text(&row.id), text(&row.question), text(&row.answer), text(&row.text))
        })
        .collect();
    let cells: Vec<_> = cells.iter().map(|(line, a, b, c, d)| (*line, &**a, &**b, &**c, &**d)).collect();
    assert_eq!(cells, expected);
    assert_eq!((found.total, found.is_beginning), (expected.len() as u64, false));
}

#[test]
fn a_record_may_go_over_several_lines() {
    expect(
        "{\n  \"question\": \"a\"\n}\n{\n  \"question\": \"b\"\n}\n",
        "a.txt",
        &[(1, "", "a", "", ""), (4, "", "b", "", "")],
    );
}

#[test]
fn elements_of_an_array_or_of_the_first_list_are_records() {
    let elements = "{\"instruction\":\"a\",\"output\":\"x\"},\n {\"instruction\":\"b\",\"output\":\"y\"}";
    let expected = [(1, "", "a", "x", ""), (2, "", "b", "y", "")];
    expect(&format!("[{elements}]"), "a.json", &expected);
    expect(
        &format!("{{\"version\":\"1\",\"tags\":[1,2],\"data\":[{elements}],\"more\":[{{}}]}}"),
        "a.json",
        &expected,
    );
    expect("[1, \"two\"]", "a.json", &[(1, "", "", "", "1"), (1, "", "", "", "\"two\"")]);
    expect("{\"foo\":[1,2]}", "a.json", &[(1, "", "", "", "{\"foo\":[1,2]}")]);
}

#[test]
fn other_text_is_listed_by_its_lines() {
    expect("one\n\ntwo three\n", "a.txt", &[(1, "", "", "", "one"), (3, "", "", "", "two three")]);
    expect(" \n", "a.txt", &[]);
}

#[test]
fn of_a_long_file_the_beginning_is_listed() {
    let data = ["[", &"{\"question\":\"q\"},".repeat(100_000)].concat();
    let mut check = open(data.as_bytes(), "a.json");
    let found = check.view(&mut Cursor::new(&data)).rows(998, 500).unwrap();
    assert_eq!((found.total, found.is_beginning, found.rows.len()), (1_000, true, 2));
    assert_eq!(found.rows[1].record, 999);
    assert_eq!(found.rows[1].question.as_ref().unwrap().text, "q");
    let long = format!("{{\"question\":\"{}\"}},\n", "q".repeat(200 << 10)).repeat(3);
    let found = rows(format!("[{long}").as_bytes(), "a.json");
    assert_eq!((found.total, found.is_beginning), (1, true));
}

#[test]
fn a_record_is_opened_by_its_number() {
    let data = "[{\"question\":\"a\"},\n{\"question\":\"b\"}]";
    let mut check = open(data.as_bytes(), "a.json");
    let record = check.view(&mut Cursor::new(data)).record_of_number(1, None).unwrap().unwrap();
    assert_eq!((record.line, &*record.source.text), (2, "{\"question\":\"b\"}"));
    assert_eq!(check.view(&mut Cursor::new(data)).record_of_number(2, None).unwrap(), None);
}

#[test]
fn brackets_without_an_end_cost_no_more_than_the_file() {
    for text in ["[", "{\"a\":", "[\n", "{\"a\":\n", "]\n", "\"\n"] {
        let data = text.repeat((100 << 10) / text.len());
        for name in ["a.json", "a.jsonl", "a.csv"] {
            let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
            let mut check = Check::open(&mut Cursor::new(&data), file, CheckOptions::default());
            check.read_all(data.as_bytes(), 1 << 16);
            assert!(check.view(&mut Cursor::new(&data)).rows(0, 500).unwrap().rows.len() <= 500);
        }
    }
}
