//! Records that another one names are shown with it.
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_report::view::{Part, Sample};
use evalcheck_wire::worker::CheckOptions;

/// The sample of the record with a number, from 0.
fn sample(dataset: &str, number: u64) -> Sample {
    let mut source = Cursor::new(dataset);
    let info = FileInfo { name: "a.json".to_owned(), size: dataset.len() as u64 };
    let mut check = Check::open(&mut source, info, CheckOptions::default());
    check.read_all(dataset.as_bytes(), 7);
    check.view(&mut source).record_of_number(number, None).unwrap().unwrap().sample.unwrap()
}

/// The records that are shown with a sample, and their texts.
fn linked(sample: &Sample) -> Vec<(u64, &str)> {
    let linked = sample.turns.iter().filter_map(|turn| match (&turn.other, &*turn.parts) {
        (Some(other), [Part::Text { text, .. }]) => Some((other.record, text.as_str())),
        (Some(_), parts) => panic!("{parts:?}"),
        (None, _) => None,
    });
    linked.collect()
}

/// A dataset with this number of documents, and this query, which is the first of two.
fn dataset(query: &str, documents: usize, documents_first: bool) -> String {
    let document = |n| format!(r#"{{"doc_id": "d{n}", "text": "text {n}"}}"#);
    let documents: Vec<String> = (0..documents).map(document).collect();
    let queries = format!(
        r#""queries": [{{"query_id": "a", "query_text": "A", {query}}}, {{"query_id": "b", "query_text": "B", "expected_answers": ["x"]}}]"#
    );
    let documents = format!(r#""documents": [{}]"#, documents.join(",\n"));
    if documents_first {
        format!("{{{documents}, {queries}}}")
    } else {
        format!("{{{queries}, {documents}}}")
    }
}

#[test]
fn a_query_shows_its_documents() {
    let query = r#""relevant_doc_ids": ["d2", "d0", "unknown", "d2"]"#;
    let after = dataset(query, 3, false);
    assert_eq!(linked(&sample(&after, 0)), [(4, "text 2"), (2, "text 0")]);
    assert_eq!(linked(&sample(&after, 1)), []);
    assert_eq!(linked(&sample(&after, 3)), [], "a document names nothing");
    let before = dataset(query, 3, true);
    assert_eq!(linked(&sample(&before, 3)), [(2, "text 2"), (0, "text 0")]);
}

#[test]
fn the_first_twenty_of_many_documents_are_shown() {
    let ids: Vec<String> = (0..50).map(|n| format!("\"d{n}\"")).collect();
    let sample = sample(&dataset(&format!(r#""relevant_doc_ids": [{}]"#, ids.join(",")), 50, false), 0);
    assert_eq!((linked(&sample).len(), sample.omitted), (20, 30));
}
