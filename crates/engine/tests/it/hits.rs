//! The records that a search has found are listed as rows that show what it has found, read again from the numbers of the records.

use std::io::Cursor;

use crate::support::cases::{Input, inputs};
use crate::support::many;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{FindRegex, Search, short_names};
use evalcheck_report::view::{Direction, Excerpt, Hit, Part, Row};
use evalcheck_wire::query::Query;
use evalcheck_wire::worker::CheckOptions;

fn no_regexes(_: &str, _: bool) -> Result<Box<dyn FindRegex>, String> {
    Err("no regular expressions".to_owned())
}

/// A check of a file that was searched, with its search and its hits.
fn searched(data: &[u8], name: &str, query: &str) -> Option<(Check, Search, Vec<Hit>)> {
    let query = Query::parse(query, &short_names()).unwrap();
    let mut purpose = Purpose::<Cursor<Vec<u8>>>::search();
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, purpose.options(CheckOptions::default()));
    // A format may not have the key.
    check.observe(Search::new(&query, check.dataset().format, no_regexes).ok()?.keep_hits());
    let (mut found, mut source) = (Vec::new(), data);
    while check.read_piece(&mut source, 1 << 16) {
        purpose.take(&mut check);
        found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    }
    found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    let mut search = check.take_observer::<Search>().unwrap();
    search.finish().unwrap();
    Some((check, search, found))
}

/// The rows of all records that match, read `page` at once.
fn rows(check: &mut Check, data: &[u8], search: &Search, page: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    while let Some(from) = Some(rows.len() as u64).filter(|from| *from < search.listed()) {
        let records: Vec<u64> = (from..from + page).map_while(|n| search.select(n)).collect();
        let found = check.view(&mut Cursor::new(data)).found_rows(&records, search).unwrap();
        assert_eq!(found.total, search.listed());
        assert!(!found.rows.is_empty(), "no row for match {from}");
        rows.extend(found.rows);
    }
    rows
}

/// The texts of a row.
fn cells(row: &Row) -> impl Iterator<Item = &Excerpt> {
    [&row.id, &row.question, &row.answer, &row.text].into_iter().chain(&row.columns).flatten()
}

/// Whether a row shows what a hit is about: in one of its texts, or beside them.
fn shows(row: &Row, Hit { path, excerpt, .. }: &Hit) -> bool {
    let is_marked = |cell: &Excerpt| cell.start < cell.end || cell.text == excerpt.text;
    match (path, &row.found) {
        (Some(path), Some(found)) => (path, excerpt) == (&found.0, &found.1) && !cells(row).any(is_marked),
        (Some(_), None) => cells(row).any(is_marked),
        (None, found) => found.is_none(),
    }
}

#[track_caller]
fn expect_rows(data: &[u8], name: &str, query: &str, pages: &[u64]) -> u64 {
    let Some((mut check, search, hits)) = searched(data, name, query) else { return 0 };
    let numbers: Vec<u64> = hits.iter().map(|hit| hit.record).collect();
    let matches = search.matches();
    assert_eq!((0..).map_while(|n| matches.select(n)).collect::<Vec<_>>(), numbers, "{name}: {query}");
    for page in pages {
        let rows = rows(&mut check, data, &search, *page);
        for (hit, row) in hits.iter().zip(&rows) {
            assert_eq!((row.record, row.line), (hit.record, hit.line), "{name}: {query}");
            assert!(shows(row, hit), "{name}: {query}: {hit:?} {row:?}");
        }
        assert_eq!(rows.len(), hits.len(), "{name}: {query}");
    }
    matches.len()
}

#[test]
fn matches_of_all_cases_have_rows() {
    let queries = [
        "",
        "a",
        "user",
        "is:invalid",
        "-is:invalid e",
        "role:user",
        "has:id",
        "rule:json",
        "size:>100 \"i\"",
    ];
    let (mut number, one_of) = (0, rounds(3, 1));
    for Input { name, data, .. } in inputs().into_iter().step_by(one_of) {
        for query in queries {
            number += expect_rows(&data, &name, query, &[500, 3]);
        }
    }
    assert!(number > 6_000 / one_of as u64, "{number} hits");
}

#[test]
fn matches_anywhere_in_many_records_have_rows() {
    let data = many::lines(50_000, 100);
    for query in ["is:invalid", "\"q 4\" -77", "is:invalid 9", "line:40000..40100"] {
        assert!(expect_rows(data.as_bytes(), "a.jsonl", query, &[400]) >= 50, "{query}");
    }
    let table = many::rows(50_000, 1_000);
    assert!(expect_rows(table.as_bytes(), "a.csv", "\"q 4\" 77", &[100]) > 50);
}

#[test]
fn one_row_of_long_records_is_read_at_once() {
    let long = "x".repeat(3 << 20);
    let record = format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{long}"}}]}}}}"#);
    let data = [&*record, &record, &record, ""].join("\n");
    let (mut check, search, hits) = searched(data.as_bytes(), "a.jsonl", "xx").unwrap();
    assert_eq!(hits.len(), 3);
    let mut view = |records: &[u64]| {
        let rows = check.view(&mut Cursor::new(data.as_bytes())).found_rows(records, &search).unwrap().rows;
        rows.into_iter().map(|row| row.record).collect::<Vec<_>>()
    };
    assert_eq!(view(&[0, 1, 2])[0], 0);
    assert!(view(&[0, 1, 2]).len() < 3, "three of them are more than is read at once");
    assert_eq!(view(&[2]), [2]);
    assert_eq!(view(&[]), [0; 0]);
    // A number beyond the dataset.
    assert_eq!(view(&[9]), [0; 0]);
}

/// The lines of the records that match, and those that are reached one after the other.
fn lines(data: &str, name: &str, query: &str) -> (Vec<u64>, Vec<u64>) {
    let (_, search, _) = searched(data.as_bytes(), name, query).unwrap();
    let lines = search.lines();
    let marked = (0..=20).filter(|line| lines.contains(*line)).collect();
    let next: Vec<u64> =
        std::iter::successors(lines.next(0, Direction::Next), |line| lines.next(*line, Direction::Next))
            .collect();
    let last = lines.next(u64::MAX, Direction::Previous);
    let mut back: Vec<u64> =
        std::iter::successors(last, |line| lines.next(*line, Direction::Previous)).collect();
    back.reverse();
    assert_eq!(next, back);
    (marked, next)
}

#[test]
fn the_lines_of_matching_records_are_known() {
    let record = |text: &str| {
        format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{text}"}}]}},"usage_output":null}}"#)
    };
    let jsonl = format!(
        "{}\n\n{}\n{}\n{}\n",
        record("one"),
        record("two"),
        record("two").replace(',', ",\n"),
        record("one")
    );
    // The third record is on lines 4 to 6.
    assert_eq!(lines(&jsonl, "a.jsonl", "two"), (vec![3, 4, 5, 6], vec![3, 4]));
    assert_eq!(lines(&jsonl, "a.jsonl", "one"), (vec![1, 7], vec![1, 7]));
    assert_eq!(lines(&jsonl, "a.jsonl", "none"), (vec![], vec![]));
    let csv = "prompt,answer\n\"one\n1\",a\n\"two\n2\n2\",b\none,a\n";
    assert_eq!(lines(csv, "a.csv", "two"), (vec![4, 5, 6], vec![4]));
    let json = "{\"queries\":[\n{\"query_id\":\"q\",\"query_text\":\"two\",\n\"relevant_doc_ids\":[\"d\"]},\n{\"query_id\":\"r\",\"query_text\":\"one\",\"relevant_doc_ids\":[\"d\"]}],\n\"documents\":[{\"doc_id\":\"d\",\"text\":\"one\"}]}";
    assert_eq!(lines(json, "a.json", "two"), (vec![2, 3], vec![2]));
    assert_eq!(lines(json, "a.json", "one"), (vec![4, 5], vec![4, 5]));
}

/// A conversation of two turns.
fn asked(question: &str, answer: &str) -> String {
    let message = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let messages = [message("user", question), message("assistant", answer)].join(",");
    format!(r#"{{"input":{{"messages":[{messages}]}},"usage_output":null}}"#)
}

/// The marked part of a text.
fn marked(excerpt: Option<&Excerpt>) -> Option<&str> {
    excerpt.map(|excerpt| &excerpt.text[excerpt.start..excerpt.end])
}

#[test]
fn a_row_is_marked_where_the_search_has_found_something() {
    let long = "far ".repeat(100);
    let data = [
        asked("Where is Paris?", "In France."),
        asked(&format!("{long}Paris {long}"), &format!("Paris {long}")),
        asked("Where?", "Here.").replace("null", "\"Paris\""),
    ]
    .join("\n");
    let (mut check, search, _) = searched(data.as_bytes(), "a.jsonl", "paris").unwrap();
    let found = rows(&mut check, data.as_bytes(), &search, 9);
    assert_eq!(marked(found[0].question.as_ref()), Some("Paris"));
    assert_eq!(found[0].answer.as_ref().map(|answer| &*answer.text), Some("In France."));
    let question = found[1].question.as_ref().unwrap();
    assert_eq!(marked(Some(question)), Some("Paris"));
    assert!(question.clipped_before && question.clipped_after, "the part around it");
    let (path, excerpt) = found[2].found.as_ref().unwrap();
    assert_eq!((&**path, marked(Some(excerpt))), ("usage_output", Some("Paris")));
    assert!(found[..2].iter().all(|row| row.found.is_none()), "the row shows it");

    let csv = "query_id,query_text\n\"q\n4\",x\n";
    let (mut check, search, _) = searched(csv.as_bytes(), "a.csv", "has:id").unwrap();
    assert_eq!(rows(&mut check, csv.as_bytes(), &search, 9)[0].found, None, "the row shows it, with a space");
}

#[test]
fn the_texts_of_a_record_are_marked() {
    let data = asked("Paris, paris and PARIS", "user: in paris");
    let texts = |query: &str| {
        let (mut check, search, _) = searched(data.as_bytes(), "a.jsonl", query).unwrap();
        let mut record = check.view(&mut Cursor::new(data.as_bytes())).record(1, None).unwrap().unwrap();
        search.mark(&mut record);
        let turns = record.sample.unwrap().turns;
        let parts = turns.into_iter().flat_map(|turn| turn.parts).map(|part| match part {
            Part::Text { text, marks, .. } => {
                marks.iter().map(|mark| text[mark.start..mark.end].to_owned()).collect::<Vec<_>>().join("|")
            }
            other => panic!("{other:?}"),
        });
        parts.collect::<Vec<_>>()
    };
    assert_eq!(texts("paris"), ["Paris|paris|PARIS", "paris"]);
    assert_eq!(texts("Paris and"), ["Paris|and", ""]);
    assert_eq!(texts("role:user"), ["", ""], "the role of the first turn has it, and no text");
    assert_eq!(texts("input.messages.1.content:paris"), ["", "paris"]);
    assert_eq!(texts("-rome is:valid"), ["", ""]);
}

/// Records with these scores.
fn scored(scores: &[&str]) -> String {
    let record = |(number, score): (usize, &&str)| {
        format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{number}"}}]}},"score":{score}}}"#)
    };
    scores.iter().enumerate().map(record).collect::<Vec<_>>().join("\n")
}

#[test]
fn records_are_listed_by_a_value() {
    let data = scored(&["2", "\"b\"", "10", "null", "-1e3", "2", "\"a\"", "[3]"]) + "\n{";
    let numbers = |query: &str, page: u64| {
        let (mut check, search, _) = searched(data.as_bytes(), "a.jsonl", query).unwrap();
        let listed: Vec<u64> =
            rows(&mut check, data.as_bytes(), &search, page).iter().map(|row| row.record).collect();
        for (position, record) in (0..).zip(&listed) {
            assert_eq!(search.position(*record), Some(position), "{query}");
        }
        listed
    };
    for page in [1, 3, 100] {
        assert_eq!(
            numbers("sort:.score", page),
            [4, 0, 5, 2, 6, 1, 3, 7, 8],
            "as without a value at the end"
        );
        assert_eq!(numbers("-sort:.score", page), [1, 6, 2, 0, 5, 4, 3, 7, 8], "those stay at the end");
    }
    assert_eq!(numbers("sort:score.*", 9)[0], 7, "of several values the first");
    assert_eq!(numbers(".score:2 -sort:content", 9), [5, 0], "those that match, by a short name");
    assert_eq!(numbers("sort:no.such", 9), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn rows_of_long_records_are_listed_in_their_order() {
    let long = format!("\"{}\"", "x".repeat(3 << 20));
    let data = scored(&[&long, &long, "1"]);
    let (mut check, search, _) = searched(data.as_bytes(), "a.jsonl", "sort:.score").unwrap();
    let mut view = |records: &[u64]| {
        let rows = check.view(&mut Cursor::new(data.as_bytes())).found_rows(records, &search).unwrap().rows;
        rows.into_iter().map(|row| row.record).collect::<Vec<_>>()
    };
    assert_eq!(view(&[2, 0, 1]), [2], "more than is read at once");
    assert_eq!(view(&[0, 1]), [0]);
}

#[test]
fn rows_of_a_csv_are_listed_by_a_column() {
    let data = "query_id,query_text\nb,x\na,y\nc,z\n";
    let (mut check, search, _) = searched(data.as_bytes(), "a.csv", "-sort:.query_id").unwrap();
    let listed = rows(&mut check, data.as_bytes(), &search, 9);
    assert_eq!(listed.iter().map(|row| row.record).collect::<Vec<_>>(), [2, 0, 1]);
}
