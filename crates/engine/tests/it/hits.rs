//! The hits of a search are the same when they are made again from the numbers of their records.

use std::io::Cursor;

use crate::support::cases::{Input, inputs};
use crate::support::many;
use crate::support::suite::rounds;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{FindRegex, Search, short_names};
use evalcheck_report::view::{Direction, Hit};
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
    check.observe(Search::new(&query, check.dataset().format, no_regexes).ok()?);
    let (mut found, mut source) = (Vec::new(), data);
    while check.read_piece(&mut source, 1 << 16) {
        purpose.take(&mut check);
        found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    }
    found.extend(check.observer_mut().map(Search::take_hits).unwrap());
    let search = check.take_observer::<Search>().unwrap();
    Some((check, search, found))
}

/// The hits of all records that match, made again `page` at once.
fn again(check: &mut Check, data: &[u8], search: &Search, page: u64) -> Vec<Hit> {
    let matches = search.matches();
    let mut hits = Vec::new();
    while let Some(from) = Some(hits.len() as u64).filter(|from| *from < matches.len()) {
        let records: Vec<u64> = (from..from + page).map_while(|n| matches.select(n)).collect();
        let found = check.view(&mut Cursor::new(data)).hits(&records, search).unwrap();
        assert!(!found.is_empty(), "no hit for match {from}");
        hits.extend(found);
    }
    hits
}

#[track_caller]
fn expect_same(data: &[u8], name: &str, query: &str, pages: &[u64]) -> u64 {
    let Some((mut check, search, hits)) = searched(data, name, query) else { return 0 };
    let numbers: Vec<u64> = hits.iter().map(|hit| hit.record).collect();
    let matches = search.matches();
    assert_eq!((0..).map_while(|n| matches.select(n)).collect::<Vec<_>>(), numbers, "{name}: {query}");
    for page in pages {
        let again = again(&mut check, data, &search, *page);
        for (hit, again) in hits.iter().zip(&again) {
            assert_eq!(again, hit, "{name}: {query}");
        }
        assert_eq!(again.len(), hits.len(), "{name}: {query}");
    }
    matches.len()
}

#[test]
fn hits_of_all_cases_are_made_again() {
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
            number += expect_same(&data, &name, query, &[500, 3]);
        }
    }
    assert!(number > 6_000 / one_of as u64, "{number} hits");
}

#[test]
fn hits_anywhere_in_many_records_are_made_again() {
    let data = many::lines(50_000, 100);
    for query in ["is:invalid", "\"q 4\" -77", "is:invalid 9", "line:40000..40100"] {
        assert!(expect_same(data.as_bytes(), "a.jsonl", query, &[400]) >= 50, "{query}");
    }
    let table = many::rows(50_000, 1_000);
    assert!(expect_same(table.as_bytes(), "a.csv", "\"q 4\" 77", &[100]) > 50);
}

#[test]
fn one_hit_of_long_records_is_made_at_once() {
    let long = "x".repeat(3 << 20);
    let record = format!(r#"{{"input":{{"messages":[{{"role":"user","content":"{long}"}}]}}}}"#);
    let data = [&*record, &record, &record, ""].join("\n");
    let (mut check, search, hits) = searched(data.as_bytes(), "a.jsonl", "xx").unwrap();
    assert_eq!(hits.len(), 3);
    let mut view =
        |records: &[u64]| check.view(&mut Cursor::new(data.as_bytes())).hits(records, &search).unwrap();
    assert_eq!(view(&[0, 1, 2]).len(), 1, "two of them are more than is read at once");
    assert_eq!(view(&[2]), hits[2..]);
    assert_eq!(view(&[]), []);
    // A number beyond the dataset.
    assert_eq!(view(&[9]), []);
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
