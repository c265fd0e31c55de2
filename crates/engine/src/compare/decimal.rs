//! Numbers as decimals, whatever the notation.

use std::borrow::Cow;

/// The longest run of zeros that ends a whole number in this notation.
const MOST_ZEROS: i64 = 20;

/// The notation that all notations of the same decimal have in common: `1.0` and `10e-1` are `1`, `0.10` is `1e-1`. A number whose
/// exponent has more than 18 digits is left as it is written.
pub(super) fn canonical(text: &str) -> Cow<'_, str> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Some(exponent) = (exponent.len() <= 19).then(|| exponent.parse::<i64>().ok()).flatten() else {
        return Cow::Borrowed(text);
    };
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Cow::Borrowed("0");
    }
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let shift = i64::try_from(zeros).unwrap_or(0) - i64::try_from(fraction.len()).unwrap_or(0);
    let sign = if text.starts_with('-') { "-" } else { "" };
    let exponent = exponent.saturating_add(shift);
    match usize::try_from(exponent) {
        Ok(zeros) if exponent <= MOST_ZEROS => {
            Cow::Owned(format!("{sign}{significant}{}", "0".repeat(zeros)))
        }
        _ => Cow::Owned(format!("{sign}{significant}e{exponent}")),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn notations_of_one_decimal_are_equal() {
        for same in [
            &["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"][..],
            &["0", "-0", "0.0", "0e5"],
            &["-120", "-1.2e2", "-12E1"],
            &["0.1", "1e-1", "0.10"],
            &["100000000000000000000", "1e20"],
            &["1000000000000000000000", "1e21"],
            &["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
        ] {
            for text in same {
                assert_eq!(canonical(text), canonical(same[0]), "{text}");
            }
        }
    }

    #[test]
    fn other_decimals_differ() {
        let others = ["0", "1", "-1", "10", "0.1", "1e400", "1e401", "9007199254740993", "9007199254740992"];
        for (index, one) in others.iter().enumerate() {
            assert!(others[..index].iter().all(|other| canonical(one) != canonical(other)), "{one}");
        }
        let long = "1e99999999999999999999";
        assert_eq!(canonical(long), long);
    }
}
