//! A line in the fast tier, by SIMD and without, and in the thorough one. The first byte chooses the format.
#![no_main]

use std::sync::LazyLock;

use evalcheck_engine::formats::{Format, Variant};
use evalcheck_fuzz::choose;
use evalcheck_fuzz::support::tiers::{assert_tiers_agree, variants};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static VARIANTS: LazyLock<Vec<(&'static Format, &'static Variant)>> =
        LazyLock::new(|| variants().collect());
    let Some(((format, variant), line)) = choose(&VARIANTS, data) else { return };
    if !line.contains(&b'\n') {
        assert_tiers_agree(line, format, variant);
    }
});
