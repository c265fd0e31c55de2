//! Evret: a record that its checks find clean has no finding when it is checked in full.

use evalcheck_engine::check::state::CheckState;
use evalcheck_engine::diagnose::{PathBuilder, RecordStart};
use evalcheck_engine::formats::checks::{Captures, RecordChecks};
use evalcheck_engine::formats::evret::FORMAT;
use evalcheck_engine::formats::{Layout, List, Variant};
use evalcheck_engine::records::Columns;
use evalcheck_engine::records::csv::{Present, Table};
use evalcheck_engine::scan::{self, PADDING, Scratch};

/// The list of queries, the first of a document.
const QUERIES: usize = 0;

const RECORDS: usize = 50_000;

const ORIGIN: RecordStart = RecordStart { offset: 0, line: 1, column: 1, record: 0 };

/// Pieces of texts: visible characters, white space of every kind, and both as escapes.
const PIECES: &[&str] = &[
    "a", "b", "A", "-", " ", "\u{a0}", "\u{3000}", "\u{e3}", "\u{2003}", "日", "は", "\\n", "\\t", "\\b",
    "\\\"", "\\\\", "/", "\\/", "\\u0041", "\\u00a0", "\\u001c", "\\u0022",
];

/// Further pieces of cells.
const CELL_PIECES: &[&str] = &[
    "[",
    "]",
    "\"",
    ",",
    "{",
    "1",
    ".5",
    "null",
    "NaN",
    "-Infinity",
    "\u{b}",
    "\u{c}",
    "\n",
    "\r\n",
    "\u{7f}",
    "\u{1c}",
];

fn text(random: &mut fastrand::Rng, pieces: &[&'static str], most: usize) -> String {
    (0..random.usize(..=most)).filter_map(|_| random.choice(pieces)).copied().collect()
}

fn list(random: &mut fastrand::Rng) -> String {
    let texts: Vec<String> =
        (0..random.usize(..4)).map(|_| format!("\"{}\"", text(random, PIECES, 4))).collect();
    format!("[{}]", texts.join(if random.bool() { "," } else { " , " }))
}

/// Whether a record of these texts is clean, in a buffer as readers have it.
fn is_clean(
    checks: &dyn RecordChecks,
    bytes: &[u8],
    strings: &[(u8, std::ops::Range<usize>)],
    list: usize,
) -> bool {
    checks.is_clean(&Captures::of_scan(bytes, 0, strings, list, None))
}

/// Compares [`RECORDS`] records; `make` returns a record, whether it is accepted, and the number of its findings.
fn compare(mut make: impl FnMut(&mut fastrand::Rng) -> (String, bool, usize)) {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut accepted, mut blamed) = (0, 0);
    for _ in 0..RECORDS {
        let (record, is_accepted, findings) = make(&mut random);
        assert!(!is_accepted || findings == 0, "accepted, with {findings} findings: {record:?}");
        accepted += usize::from(is_accepted);
        blamed += usize::from(findings > 0);
    }
    assert!(accepted > RECORDS / 20 && blamed > RECORDS / 20, "{accepted} accepted, {blamed} blamed");
}

#[test]
fn elements_that_are_accepted_have_no_finding() {
    for variant in FORMAT.variants {
        if let Layout::Json(lists) = variant.layout {
            compare_elements(variant, lists);
        }
    }
}

fn compare_elements(variant: &'static Variant, lists: &[List]) {
    let checks = (FORMAT.rules.checks)(variant).record;
    let state = CheckState::new(&FORMAT, variant, None);
    compare(|random| {
        let (id, words) = (text(random, PIECES, 2), text(random, PIECES, 3));
        let which = random.usize(..2);
        let record = if which == QUERIES {
            let keys = ["relevant_doc_ids", "expected_answers", "expected_doc_ids"];
            let more = if random.bool() {
                format!(r#", "{}": {}"#, random.choice(keys).unwrap(), list(random))
            } else {
                String::new()
            };
            let key = random.choice(keys).unwrap();
            format!(r#"{{"query_id": "q{id}", "query_text": "{words}", "{key}": {}{more}}}"#, list(random))
        } else {
            format!(r#"{{"doc_id": "{id}", "text": "{words}"}}"#)
        };
        let bytes = [record.as_bytes(), &[0; PADDING]].concat();
        let mut scratch = Scratch::default();
        let fits = scan::element(&bytes, 0, lists[which].schema, FORMAT.texts, &mut scratch).is_ok();
        let is_accepted = fits && is_clean(&*checks, &bytes, &scratch.captures, which);
        let findings =
            state.dataset.preview_record(record.as_bytes(), ORIGIN, &PathBuilder::default(), which).len();
        (record, is_accepted, findings)
    });
}

#[test]
fn rows_that_are_accepted_have_no_finding() {
    for variant in FORMAT.variants {
        if let Layout::Csv(known) = variant.layout {
            compare_rows(variant, known);
        }
    }
}

fn compare_rows(variant: &'static Variant, known: &Columns) {
    let column = |name: &str| {
        u8::try_from(known.columns.iter().position(|column| column.name == name).unwrap()).unwrap()
    };
    let ids = match variant.version {
        "0.0.1" => "relevant_doc_ids",
        "0.0.2" => "expected_answers",
        _ => "expected_doc_ids",
    };
    let (text_column, relevant_column) = (column("query_text"), column(ids));
    let checks = (FORMAT.rules.checks)(variant).record;
    let state = CheckState::new(&FORMAT, variant, None);
    let present = |(name, known): (&str, u8)| Present {
        name: name.into(),
        known: Some(known),
        schema: None,
        is_list: known == relevant_column,
        shadowed: false,
    };
    let columns = [("query_text", text_column), (ids, relevant_column)].map(present);
    let table = Table::new(b',', columns.into(), vec![vec![0]]);
    let pieces = [PIECES, CELL_PIECES].concat();
    compare(|random| {
        let cell = match random.usize(..3) {
            0 => text(random, &pieces, 4),
            1 => list(random),
            _ => text(random, CELL_PIECES, 1) + &list(random) + &text(random, CELL_PIECES, 1),
        };
        let bytes = [b"what", cell.as_bytes(), &[0; PADDING]].concat();
        let strings = [(text_column, 0..4), (relevant_column, 4..4 + cell.len())];
        let is_accepted = is_clean(&*checks, &bytes, &strings, 0);
        let row = format!("what,\"{}\"", cell.replace('"', "\"\""));
        let findings = state.dataset.preview_row(row.as_bytes(), ORIGIN, &table).len();
        (cell, is_accepted, findings)
    });
}
