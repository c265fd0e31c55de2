//! Lines in the fast tier, by SIMD and without, and in the thorough one. The first byte chooses the format.
#![no_main]

use std::sync::LazyLock;

use evalcheck_engine::formats::{Format, Variant};
use evalcheck_engine::scan::Scratch;
use evalcheck_fuzz::support::made;
use evalcheck_fuzz::support::tiers::{assert_captures_agree, assert_tiers_agree, variants};
use evalcheck_fuzz::{MADE_FORMATS, choose};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static VARIANTS: LazyLock<Vec<(&'static Format, &'static Variant)>> =
        LazyLock::new(|| variants().chain(made::formats(MADE_FORMATS)).collect());
    let Some(((format, variant), lines)) = choose(&VARIANTS, data) else { return };
    let mut scratch = Scratch::default();
    for line in lines.split(|byte| *byte == b'\n') {
        assert_tiers_agree(line, format, variant);
        assert_captures_agree(line, format, variant, &mut scratch);
    }
});
