//! The numbers that pydantic reads from strings and from numbers of JSON.

/// A limit of whole numbers that are written with a point or an exponent: beyond 64 bits pydantic refuses them.
const LARGEST: f64 = 9_223_372_036_854_775_807.0;

/// The number that pydantic makes of a string for a field of numbers, as JSON; `None` if it refuses the string. Infinity and NaN, which
/// it reads, become null.
pub(super) fn number(text: &str) -> Option<String> {
    let digits = without_underscores(text.trim())?;
    // The grammar of Rust is the same.
    let number: f64 = digits.parse().ok()?;
    Some(if number.is_finite() { format!("{number:?}") } else { "null".to_owned() })
}

/// The whole number that pydantic makes of a string for a field of whole numbers, as JSON; `None` if it refuses the string.
///
/// A point may be followed by zeros only, and an exponent is refused.
pub(super) fn whole(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' => ("", &text[1..]),
        b'-' => ("-", &text[1..]),
        _ => ("", text),
    };
    let digits = match digits.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0') => whole,
        Some(_) => return None,
        None => digits,
    };
    let digits = without_underscores(digits)?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// The digits without the underscores between them; `None` if one is elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let is_misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (!is_misplaced).then(|| text.replace('_', ""))
}

/// Whether pydantic takes a number of JSON that is whole for a field of whole numbers.
pub(super) fn is_taken_as_whole(number: f64, written: &str) -> bool {
    let is_float = written.contains(['.', 'e', 'E']);
    !is_float || (number.fract() == 0.0 && number.abs() < LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_as_pydantic_does() {
        for (text, expected) in [
            ("3", Some("3")),
            (" 3.0 ", Some("3")),
            ("+3", Some("3")),
            ("-0", Some("0")),
            ("-1.00", Some("-1")),
            ("003", Some("3")),
            ("1_000", Some("1000")),
            ("1_0.0", Some("10")),
            ("3.", None),
            (".0", None),
            ("1e3", None),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("+-1", None),
            ("- 1", None),
            ("1.0_0", None),
            ("", None),
        ] {
            assert_eq!(whole(text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("1_0.5", Some("10.5")),
            (" nan ", Some("null")),
            ("1e5", Some("100000.0")),
            ("+1.", Some("1.0")),
            ("1_.5", Some("1.5")),
            ("0x10", None),
            ("", None),
        ] {
            assert_eq!(number(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_with_a_point_have_64_bits() {
        assert!(is_taken_as_whole(9.2e18, "9.2e18") && !is_taken_as_whole(9.3e18, "9.3e18"));
        assert!(is_taken_as_whole(1e30, "1000000000000000000000000000000"));
    }
}
