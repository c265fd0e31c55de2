//! Texts that the loader holds as something else: those that are JSON, and dates.

use evalcheck_diagnose::parse;

use crate::instant;

/// A text that ujson reads as JSON, as the JSON that it becomes: of a column of mixed types, such texts are parsed. `None` for other texts.
///
/// Run with pandas 3.1.1. ujson also takes `01`, `1.`, `1e` and `-` for numbers.
///
/// ```ignore
/// assert_eq!(parsed("42").as_deref(), Some("42"));
/// assert_eq!(parsed("-").as_deref(), Some("0"));
/// assert_eq!(parsed("2024-01-01"), None);
/// ```
pub(super) fn parsed(text: &str) -> Option<String> {
    let json = text.trim_matches([' ', '\t', '\r', '\n']);
    match json.as_bytes() {
        b"true" | b"false" | b"null" => Some(json.to_owned()),
        // JSON has no word for them, nor for infinity.
        b"NaN" | b"Infinity" | b"-Infinity" => Some("null".to_owned()),
        [b'{' | b'[' | b'"', ..] => parse(json.as_bytes()).is_ok().then(|| json.to_owned()),
        [b'-' | b'0'..=b'9', ..] => number(json),
        _ => None,
    }
}

/// A number as ujson reads it.
fn number(text: &str) -> Option<String> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = if text.len() > unsigned.len() { "-" } else { "" };
    let (digits_before, rest) = digits(unsigned);
    let fraction = rest.strip_prefix('.').map(digits);
    let mantissa_end = fraction.map_or(rest, |(_, rest)| rest);
    let exponent = mantissa_end
        .strip_prefix(['e', 'E'])
        .map(|rest| digits(rest.strip_prefix(['+', '-']).unwrap_or(rest)));
    let whole = whole(text)?;
    if !exponent.map_or(mantissa_end, |(_, rest)| rest).is_empty() {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return Some(format!("{}{whole}", if whole == 0 { "" } else { sign }));
    }
    let mantissa = &unsigned[digits_before.len()..unsigned.len() - mantissa_end.len()];
    let power = if exponent.is_none_or(|(power, _)| power.is_empty()) { "0" } else { &mantissa_end[1..] };
    let number: f64 = format!("{whole}{mantissa}e{power}").parse().unwrap_or_default();
    Some(if number.is_finite() { format!("{sign}{number:?}") } else { "null".to_owned() })
}

/// The digits before the point of a number as ujson reads them, without the sign. `None` if it refuses them: the value is too big.
///
/// Of a positive number it only notices a digit with which the number becomes smaller, so that others are read modulo 2^64.
pub(super) fn whole(number: &str) -> Option<u64> {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let is_negative = unsigned.len() < number.len();
    digits(unsigned).0.bytes().try_fold(0_u64, |before, digit| {
        let read = before.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        let is_too_big = if is_negative { read > 1 << 63 } else { read < before };
        (!is_too_big).then_some(read)
    })
}

/// Whether ujson reads other digits before the point than those that are written.
pub(super) fn is_wrapped(number: &str, read: u64) -> bool {
    let written = digits(number.trim_start_matches('-')).0;
    !written.is_empty() && written.parse() != Ok(read)
}

/// Whether a number is a whole one of 64 bits.
pub(super) fn is_whole(number: f64) -> bool {
    // The limits are exact as floats.
    number.fract() == 0.0 && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number)
}

/// Whether Arrow reads a text as an integer of 64 bits.
pub(super) fn is_integer(text: &str) -> bool {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hex {
        Some(hex) => (1..=16).contains(&hex.len()) && hex.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !text.starts_with('+') && text.parse::<i64>().is_ok(),
    }
}

/// Whether Arrow reads a text as a boolean.
pub(super) fn is_boolean(text: &str) -> bool {
    ["true", "false", "0", "1"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether Python has the year of a time in UTC.
pub(super) fn is_of_python(time: &str) -> bool {
    time.len() == "2024-01-01T00:00:00".len() && !time.starts_with("0000")
}

/// The digits at the start of a text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len())
}

/// A text that Arrow reads as a time of whole seconds, as it is held: in UTC, without an offset. `None` for other texts.
///
/// Run with pyarrow 26.0.1.
pub(super) fn timestamp(text: &str) -> Option<String> {
    let (date, time) = text.split_at_checked(10)?;
    let clock = match time.as_bytes() {
        [] => "00:00",
        [b'T' | b' ', clock @ ..] if clock.iter().all(|byte| b"0123456789:+-Z".contains(byte)) => &time[1..],
        _ => return None,
    };
    let (hour, rest) = clock.split_at_checked(2)?;
    let minute = if rest.starts_with(':') { "" } else { ":00" };
    let zone = if has_zone(text) { "" } else { "Z" };
    // The other reader takes the end of a day for a time of the day.
    if hour >= "24" {
        return None;
    }
    instant::read(&format!("{date}T{hour}{minute}{rest}{zone}")).ok().map(instant::Instant::in_utc)
}

/// Whether a time has an offset, which pandas keeps.
pub(super) fn has_zone(time: &str) -> bool {
    time.ends_with('Z') || time.get(10..).is_some_and(|clock| clock.contains(['+', '-']))
}

/// A number with a fraction as it is after ujson wrote it: with at most ten digits after the point, or ten digits in all where it is large.
/// `None` if it is the same number.
pub(super) fn cut(number: f64) -> Option<f64> {
    if !number.is_finite() {
        return None;
    }
    let size = number.abs();
    let written = if (1e-15..=1e16).contains(&size) {
        // A number in the middle is rounded to the even digit.
        let digits = (size.fract() * 1e10).round_ties_even();
        format!("{}", (size.trunc() + digits / 1e10).copysign(number))
    } else {
        format!("{number:.9e}")
    };
    // ujson itself is not exact in the last digit.
    written.parse().ok().filter(|cut: &f64| (cut - number).abs() > number.abs() * 1e-15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_what_ujson_makes_of_them() {
        for (text, becomes) in [
            ("42", "42"),
            ("007", "7"),
            ("-0", "0"),
            ("-", "0"),
            ("1.", "1.0"),
            ("-.5", "-0.5"),
            ("1e", "1.0"),
            ("1e+", "1.0"),
            ("1.e5", "100000.0"),
            ("1e400", "null"),
            (" 42\n", "42"),
            ("NaN", "null"),
            ("true", "true"),
            ("[]", "[]"),
            ("{\"a\": 1} ", "{\"a\": 1}"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(becomes), "{text}");
        }
        for text in [
            "",
            "+1",
            ".5",
            "--",
            "1-",
            "1 2",
            "12,5",
            "3:00",
            "50%",
            "1.0.0",
            "e5",
            "truex",
            "['a']",
            "{a:1}",
            "[1] x",
            "2024-01-01",
            "99999999999999999999",
            "99999999999999999999.5",
            "1e5.",
            "\u{a0}1",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_times_as_arrow_reads_them() {
        for (text, held) in [
            ("2024-01-01", "2024-01-01T00:00:00"),
            ("2024-01-01T10", "2024-01-01T10:00:00"),
            ("2024-01-01T10Z", "2024-01-01T10:00:00"),
            ("2024-01-01T10+02", "2024-01-01T08:00:00"),
            ("2024-01-01 10:00:00+02:00", "2024-01-01T08:00:00"),
            ("2024-01-01T10:00:00+0200", "2024-01-01T08:00:00"),
            ("2024-01-01T10:00:00+23:59", "2023-12-31T10:01:00"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59"),
        ] {
            assert_eq!(timestamp(text).as_deref(), Some(held), "{text}");
        }
        for text in [
            "",
            "2024-13-01",
            "2024-02-30",
            "2023-02-29",
            "2024-01-01T",
            "2024-01-01t10:00",
            "2024-01-01T24:00:00",
            "2024-01-01T10:00:60",
            "2024-01-01Z",
            "2024-01-01T1000",
            "2024-01-01T10:00:00.5",
            "2024-01-01 ",
            "2024-01-01T10:00:00+24:00",
            "2024-01-01T10:00:00 Z",
            "2024-01-01T10:00:00+2",
            "20240101",
            "2024-01",
        ] {
            assert_eq!(timestamp(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_lose_digits_where_ujson_writes_them() {
        assert_eq!((cut(1e-12), cut(5e-11), cut(-1.5e-10)), (Some(0.0), Some(0.0), Some(-2e-10)));
        assert_eq!(cut(0.007_297_352_569_3), Some(0.007_297_352_6));
        assert_eq!(cut(12_345_678_901_234_567.5), Some(1.234_567_89e16));
        assert_eq!((cut(0.1), cut(1e22), cut(2.5), cut(1_234_567.891_234_567_8)), (None, None, None, None));
    }
}
