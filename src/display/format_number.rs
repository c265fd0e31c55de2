//! Formats numbers for people. Uses integer arithmetic only, because formatting floats takes more wasm than anything else in the page.

use std::fmt::Write;

pub(crate) use evalcheck_report::text::{counted, grouped};

/// A size in decimal units, `1.5 MB`, as file managers show it.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => scaled(n, 1_000, "kB"),
        1_000_000..1_000_000_000 => scaled(n, 1_000_000, "MB"),
        _ => scaled(n, 1_000_000_000, "GB"),
    }
}

/// A duration, `55 ms`, `1.2 s`, `2 min 5 s`.
pub(crate) fn duration(ms: f64) -> String {
    let ms = whole(ms);
    match ms {
        0 => "under 1 ms".to_owned(),
        1..1_000 => format!("{ms} ms"),
        1_000..60_000 => scaled(ms, 1_000, "s"),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// The speed of reading `n` bytes in `ms` milliseconds; `None` if either is too small for a meaningful value.
pub(crate) fn speed(n: u64, ms: f64) -> Option<String> {
    let ms = whole(ms);
    if ms < 5 || n < 1_000_000 {
        return None;
    }
    Some(format!("{}/s", bytes(n.saturating_mul(1_000) / ms)))
}

/// `part` of `whole` in percent, from 0 to 100; 100 if `whole` is 0.
pub(crate) fn percent(part: u64, whole: u64) -> u8 {
    if whole == 0 {
        return 100;
    }
    let percent = u128::from(part.min(whole)) * 100 / u128::from(whole);
    u8::try_from(percent).unwrap_or(100)
}

/// The nearest integer; 0 for negative numbers and NaN.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturation is intended")]
pub(crate) fn whole(n: f64) -> u64 {
    n.round() as u64
}

/// One decimal below 100, none above.
fn scaled(n: u64, unit: u64, name: &str) -> String {
    let tenths = (u128::from(n) * 10 + u128::from(unit) / 2) / u128::from(unit);
    let mut out = String::new();
    if tenths < 1_000 && !tenths.is_multiple_of(10) {
        let _ = write!(out, "{}.{} {name}", tenths / 10, tenths % 10);
    } else {
        let _ = write!(out, "{} {name}", tenths / 10);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sizes_have_one_decimal() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1_000), "1 kB");
        assert_eq!(bytes(1_549), "1.5 kB");
        assert_eq!(bytes(300_000_000), "300 MB");
        assert_eq!(bytes(1_073_741_824), "1.1 GB");
    }

    #[test]
    fn small_amounts_have_no_speed() {
        assert_eq!(speed(300_000_000, 0.4), None);
        assert_eq!(speed(1_000, 50.0), None);
        assert_eq!(speed(300_000_000, 500.0).as_deref(), Some("600 MB/s"));
    }

    #[test]
    fn durations() {
        assert_eq!(duration(0.2), "under 1 ms");
        assert_eq!(duration(55.4), "55 ms");
        assert_eq!(duration(1_234.0), "1.2 s");
        assert_eq!(duration(125_000.0), "2 min 5 s");
        assert_eq!(duration(f64::NAN), "under 1 ms");
    }

    #[test]
    fn percent_is_clamped() {
        assert_eq!(percent(0, 0), 100);
        assert_eq!(percent(5, 10), 50);
        assert_eq!(percent(11, 10), 100);
        assert_eq!(percent(u64::MAX - 1, u64::MAX), 99);
    }
}
