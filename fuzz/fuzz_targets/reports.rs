//! A file of any format in pieces of any size: the same report, which is consistent. The first byte chooses how the file
//! is checked, the second in what pieces it arrives.
#![no_main]

use evalcheck_engine::formats::FORMATS;
use evalcheck_fuzz::invariants::{assert_counts_add_up, assert_place_is_right};
use evalcheck_fuzz::{choose, report};
use libfuzzer_sys::fuzz_target;

/// What file names end with.
const ENDS: [&str; 4] = [".jsonl", ".json", ".csv", ".zip"];

fuzz_target!(|data: &[u8]| {
    let (Some(&way), Some((&piece, bytes))) = (data.first(), data.get(1..).and_then(|rest| choose(&[1, 2, 3, 7, 16, 64], rest)))
    else {
        return;
    };
    let ways = FORMATS.len() + 1;
    let format = FORMATS.get(usize::from(way) % ways).map(|format| format.id);
    let name = format!("data{}", ENDS[usize::from(way) / ways % ENDS.len()]);
    let whole = report(bytes, &name, format, usize::MAX);
    assert_eq!(report(bytes, &name, format, piece), whole, "in pieces of {piece}");
    assert_counts_add_up(&name, &whole);
    if whole.file.entry.is_none() && !bytes.starts_with(b"PK") {
        for finding in &whole.findings {
            assert_place_is_right(&name, finding, &whole, bytes);
        }
    }
});
