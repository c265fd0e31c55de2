//! Rows and cells of a CSV, here and by the engine of the `csv` crate.
#![no_main]

use evalcheck_fuzz::support::csv::{core_rows, rows};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // A lone carriage return ends a row for some readers, and is an error here.
    let is_lone = |at: usize| data[at] == b'\r' && data.get(at + 1) != Some(&b'\n');
    // The reference leaves out a byte order mark, also one that empty lines precede.
    let first_row = data.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or_default();
    let has_mark = data[first_row..].starts_with(b"\xef\xbb\xbf");
    if (0..data.len()).any(is_lone) || has_mark || data.last() != Some(&b'\n') {
        return;
    }
    assert_eq!(rows(data), core_rows(data));
});
