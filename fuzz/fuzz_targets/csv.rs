//! Rows and cells of a CSV, here and by the engine of the `csv` crate.
#![no_main]

use evalcheck_fuzz::support::csv::{core_rows, rows};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // A lone carriage return ends a row for some readers, and is an error here.
    let is_lone = |at: usize| data[at] == b'\r' && data.get(at + 1) != Some(&b'\n');
    // The reference leaves a byte order mark out.
    if (0..data.len()).any(is_lone) || data.starts_with(b"\xef\xbb\xbf") || data.last() != Some(&b'\n') {
        return;
    }
    assert_eq!(rows(data), core_rows(data));
});
