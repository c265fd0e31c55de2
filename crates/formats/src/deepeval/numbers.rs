//! The numbers that pydantic reads from strings and from numbers of JSON.

use std::borrow::Cow;

use crate::checks::{Findings, Record};
use crate::diagnose::{Kind, RecordFix, Value, clip, clip_quoted};

evalcheck_core::rules! {
    /// Problems of a number.
    NumberProblem {
        BadNumber { found: String, wanted: &'static str } = "deepeval/bad-number", Error {
            summary: "A value that is not read as a number.",
            message: "{found} is not read as {wanted}",
            hint: "Write the number without quotes and units.",
            meaning: "pydantic reads numbers in strings too: a cost as any number, a number of tokens as a whole number in digits, such as 3, 3.0 or 1_000, without an exponent. A wait must be more than 0 seconds.",
            other_words: ["Input should be a valid integer, unable to parse string as an integer", "Input should be a valid number, unable to parse string as a number"],
            invalid: r#"{"input": "How far is it?", "input_token_count": "12 tokens"}"#,
            valid: r#"{"input": "How far is it?", "input_token_count": 12}"#,
        }
        ConvertedNumber { found: &'static str, made: String, advice: Cow<'static, str> } = "deepeval/converted-number", Warning {
            summary: "A string or a boolean in the place of a number.",
            message: "the record loads, but {found} is read as the number {made}",
            hint: "{advice}",
            fix: Safe,
            loss: Value,
            meaning: "pydantic makes numbers of strings, and 1 and 0 of true and false.",
            invalid: r#"{"input": "How far is it?", "token_cost": "0.5"}"#,
            valid: r#"{"input": "How far is it?", "token_cost": 0.5}"#,
        }
    }
}

/// A limit of whole numbers that are written with a point or an exponent: beyond 64 bits pydantic refuses them.
const LARGEST: f64 = 9_223_372_036_854_775_807.0;

/// Checks a number, which may also be a string or a boolean.
pub(super) fn check(record: &Record<'_>, value: &Value<'_>, is_whole: bool, out: &mut Findings<'_>) {
    let wanted = if is_whole { "a whole number" } else { "a number" };
    let (found, made) = match &value.kind {
        Kind::Boolean(is_one) => ("the boolean", Some(u8::from(*is_one).to_string())),
        Kind::String(text) => ("the string", if is_whole { whole(text) } else { number(text) }),
        Kind::Number(number, written) if is_whole && !is_taken_as_whole(*number, written) => {
            // A fraction is what the schema reports.
            if number.fract() == 0.0 {
                let found = clip(written, 40);
                out.report(NumberProblem::BadNumber { found, wanted }, record.at(value));
            }
            return;
        }
        _ => return,
    };
    let Some(made) = made else {
        let found = clip_quoted(value.as_str().unwrap_or_default());
        return out.report(NumberProblem::BadNumber { found, wanted }, record.at(value));
    };
    let (made, advice, fix) = match &value.kind {
        // JSON has no infinity.
        _ if made == "null" => {
            ("Infinity or NaN".to_owned(), "Write a number, or leave the key out.".into(), None)
        }
        Kind::String(_) => {
            let fix = RecordFix::safe("Write the number").replace(value.span.clone(), made.clone());
            let advice = format!("Write the number itself: {made}.");
            (made, advice.into(), Some(fix))
        }
        _ => (made, "Write the number that is meant, or leave the key out.".into(), None),
    };
    out.report_fixed(NumberProblem::ConvertedNumber { found, made, advice }, record.at(value), fix);
}

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
