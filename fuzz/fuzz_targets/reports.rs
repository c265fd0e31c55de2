//! A file of any format in pieces of any size: the same report, which is consistent, and views of its lines. The first byte
//! chooses how the file is checked, the second in what pieces it arrives.
#![no_main]

use std::io::Cursor;

use evalcheck_engine::check::STANDARD_INPUT;
use evalcheck_engine::formats::FORMATS;
use evalcheck_fuzz::invariants::{assert_counts_add_up, assert_in_order, assert_place_is_right};
use evalcheck_fuzz::{check, choose};
use libfuzzer_sys::fuzz_target;

/// Names decide where the content is of no known format.
const NAMES: [&str; 5] = ["data.jsonl", "data.json", "data.csv", "data.zip", STANDARD_INPUT];

/// So many findings are looked at as the page shows them.
const MOST_VIEWED: usize = 4;

fuzz_target!(|data: &[u8]| {
    let (Some(&way), Some((&piece, bytes))) =
        (data.first(), data.get(1..).and_then(|rest| choose(&[1, 2, 3, 7, 16, 64], rest)))
    else {
        return;
    };
    let ways = FORMATS.len() + 1;
    let format = FORMATS.get(usize::from(way) % ways).map(|format| format.id);
    let name = NAMES[usize::from(way) / ways % NAMES.len()];
    let mut whole = check(bytes, name, format, usize::MAX);
    let report = whole.report();
    assert_eq!(check(bytes, name, format, piece).report(), report, "in pieces of {piece}");
    assert_counts_add_up(name, &report);
    assert_in_order(name, &report);
    let source = &mut Cursor::new(bytes);
    assert_eq!(whole.view(source).lines(1, 1).expect("the file is there").total, report.counts.lines);
    if report.file.entry.is_some() || bytes.starts_with(b"PK") {
        return;
    }
    for finding in &report.findings {
        assert_place_is_right(name, finding, &report, bytes);
    }
    for line in report.findings.iter().filter_map(|finding| finding.line).take(MOST_VIEWED) {
        whole.view(source).record(line, None).expect("the file is there").expect("the line is there");
    }
});
