//! The numbers and booleans that pydantic makes of values of other types.

use std::borrow::Cow;

use crate::checks::{Findings, Record};
use crate::diagnose::{Kind, RecordFix, Value, clip, clip_quoted};

evalcheck_core::rules! {
    /// Problems of a number or boolean.
    NumberProblem {
        BadNumber { found: String, wanted: &'static str } = "deepeval/bad-number", Error {
            summary: "A value that is not read as a number or boolean.",
            message: "{found} is not read as {wanted}",
            hint: "Write {wanted}, without quotes and units.",
            meaning: "pydantic reads numbers in strings too: a cost as any number, a number of tokens as a whole number in digits, such as 3, 3.0 or 1_000, without an exponent. A wait must be more than 0 seconds, a volume at most 1. True and false are also read from 1, 0, \"yes\", \"no\", \"on\", \"off\" and the like.",
            other_words: ["Input should be a valid integer, unable to parse string as an integer", "Input should be a valid number, unable to parse string as a number", "Input should be a valid boolean, unable to interpret input"],
            invalid: r#"{"input": "How far is it?", "input_token_count": "12 tokens"}"#,
            valid: r#"{"input": "How far is it?", "input_token_count": 12}"#,
        }
        ConvertedNumber { found: &'static str, made: String, advice: Cow<'static, str> } = "deepeval/converted-number", Warning {
            summary: "A value of another type in the place of a number or boolean.",
            message: "the record loads, but {found} is read as {made}",
            hint: "{advice}",
            fix: Safe,
            loss: Value,
            meaning: "pydantic makes numbers of strings, 1 and 0 of true and false, and true and false of 1, 0 and words such as yes and no.",
            invalid: r#"{"input": "How far is it?", "token_cost": "0.5"}"#,
            valid: r#"{"input": "How far is it?", "token_cost": 0.5}"#,
        }
    }
}

/// A limit of whole numbers that are written with a point or an exponent: beyond 64 bits pydantic refuses them.
const LARGEST: f64 = 9_223_372_036_854_775_807.0;

/// The values that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Number,
    Whole,
    /// Seconds, more than 0.
    Wait,
    /// A number from 0 to 1.
    Volume,
    Flag,
}

impl Wanted {
    const fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Whole => "a whole number",
            Self::Wait => "a wait of more than 0 seconds",
            Self::Volume => "a volume from 0 to 1",
            Self::Flag => "true or false",
        }
    }

    fn takes(self, number: f64) -> bool {
        match self {
            Self::Wait => number > 0.0,
            Self::Volume => (0.0..=1.0).contains(&number),
            Self::Number | Self::Whole | Self::Flag => true,
        }
    }
}

/// The value that pydantic makes of one of another type, as JSON; `None` if there is nothing to make, or the schema reports it. The error
/// is the value in words, which pydantic refuses.
pub(super) fn read(value: &Value<'_>, wanted: Wanted) -> Result<Option<String>, String> {
    let made = match &value.kind {
        Kind::Boolean(is_one) if wanted != Wanted::Flag => {
            let number = u8::from(*is_one);
            wanted.takes(number.into()).then(|| number.to_string()).ok_or_else(|| is_one.to_string())
        }
        Kind::String(text) => match wanted {
            Wanted::Whole => whole(text),
            Wanted::Flag => flag(text).map(|flag| flag.to_string()),
            _ => float(text).filter(|number| wanted.takes(*number)).map(as_json),
        }
        .ok_or_else(|| clip_quoted(text)),
        Kind::Number(number, written) => {
            let is_refused = match wanted {
                Wanted::Flag if [0.0, 1.0].contains(number) => return Ok(Some((*number > 0.0).to_string())),
                Wanted::Flag => true,
                Wanted::Whole => number.fract() == 0.0 && !is_taken_as_whole(*number, written),
                Wanted::Wait => *number == 0.0,
                Wanted::Number | Wanted::Volume => false,
            };
            if !is_refused {
                return Ok(None);
            }
            Err(clip(written, 40))
        }
        _ => return Ok(None),
    };
    made.map(Some)
}

impl NumberProblem {
    /// A text that is not read as what a field takes.
    pub(super) fn bad(text: &str, wanted: Wanted) -> Self {
        Self::BadNumber { found: clip_quoted(text), wanted: wanted.name() }
    }
}

/// Why pydantic refuses a value, if it does.
pub(super) fn fault(value: &Value<'_>, wanted: Wanted) -> Option<NumberProblem> {
    read(value, wanted).err().map(|found| NumberProblem::BadNumber { found, wanted: wanted.name() })
}

/// Checks a value that may have another type.
pub(super) fn check(record: &Record<'_>, value: &Value<'_>, wanted: Wanted, out: &mut Findings<'_>) {
    if let Some(fault) = fault(value, wanted) {
        return out.report(fault, record.at(value));
    }
    let Ok(Some(made)) = read(value, wanted) else { return };
    let fix = RecordFix::safe("Write the value itself").replace(value.span.clone(), made.clone());
    let itself = || format!("Write the value itself: {made}.").into();
    let shown = if wanted == Wanted::Flag { made.clone() } else { format!("the number {made}") };
    let (found, made, advice, fix) = match &value.kind {
        Kind::Boolean(_) => {
            ("the boolean", shown, "Write the number that is meant, or leave the key out.".into(), None)
        }
        // JSON has no infinity.
        Kind::String(_) if made == "null" => {
            ("the string", "Infinity or NaN".to_owned(), "Write a number, or leave the key out.".into(), None)
        }
        Kind::String(_) => ("the string", shown, itself(), Some(fix)),
        _ => ("the number", shown, itself(), Some(fix)),
    };
    out.report_fixed(NumberProblem::ConvertedNumber { found, made, advice }, record.at(value), fix);
}

/// The number that pydantic makes of a string for a field of numbers, as JSON; `None` if it refuses the string.
pub(super) fn number(text: &str) -> Option<String> {
    float(text).map(as_json)
}

fn float(text: &str) -> Option<f64> {
    // The grammar of Rust is the same.
    without_underscores(text.trim())?.parse().ok()
}

/// A number as JSON. Infinity and NaN become null.
fn as_json(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { "null".to_owned() }
}

/// The boolean that pydantic makes of a string.
fn flag(text: &str) -> Option<bool> {
    let is_one_of = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_one_of(&["1", "true", "t", "yes", "y", "on"]) {
        return Some(true);
    }
    is_one_of(&["0", "false", "f", "no", "n", "off"]).then_some(false)
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
