//! Any bytes as a line of JSON, here and by `serde_json`.
#![no_main]

use evalcheck_fuzz::support::tiers::assert_is_json_for_serde_json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if !line.contains(&b'\n') {
        assert_is_json_for_serde_json(line);
    }
});
