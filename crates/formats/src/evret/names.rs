//! Values as the loader takes them: what counts as missing, what is made a string.

use std::borrow::Cow;

use super::SCALAR;
use crate::checks::Captures;
use crate::diagnose::{Kind, Value};

/// True when Python takes the value for true.
pub(super) fn is_truthy(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Null | Kind::Boolean(false) => false,
        Kind::Boolean(true) => true,
        Kind::Number(number, _) => *number != 0.0,
        Kind::String(text) => !text.is_empty(),
        Kind::Array(elements) => !elements.is_empty(),
        Kind::Object(members) => !members.is_empty(),
    }
}

/// The string that the loader has of a value; `None` for a list or an object, which the schema refuses.
pub(super) fn as_string(value: &Value<'_>) -> Option<String> {
    match &value.kind {
        Kind::String(text) => Some(text.trim().to_owned()),
        Kind::Number(number, text) => Some(as_python_writes(*number, text)),
        Kind::Boolean(true) => Some("True".to_owned()),
        _ => None,
    }
}

/// The same of a captured field that is under one of two numbers, the first where both have a value that counts; and which
/// capture it is. `None` where it is empty too.
pub(super) fn first_captured<'a>(captures: &Captures<'a>, numbers: [u8; 2]) -> Option<(usize, Cow<'a, str>)> {
    let of = |wanted: u8| {
        captures.strings.iter().enumerate().find_map(|(index, (number, range))| {
            let text = (number & !SCALAR == wanted).then(|| captured(*number, captures.text(range)))??;
            Some((index, text))
        })
    };
    of(numbers[0]).or_else(|| of(numbers[1])).filter(|(_, text)| !text.is_empty())
}

/// The string that the loader has of a captured string, number or boolean; `None` for a value that Python takes for false.
pub(super) fn captured(number: u8, text: &str) -> Option<Cow<'_, str>> {
    if number & SCALAR == 0 {
        return (!text.is_empty()).then(|| Cow::Borrowed(text.trim()));
    }
    match text {
        "true" => Some(Cow::Borrowed("True")),
        "false" => None,
        _ => {
            let value = text.parse().ok().filter(|value| *value != 0.0)?;
            Some(Cow::Owned(as_python_writes(value, text)))
        }
    }
}

/// A number as Python's `str` writes it, which reads one with a point or an exponent as a float and any other as it is.
fn as_python_writes(number: f64, text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" { "0" } else { text }.to_owned();
    }
    // Rust's `Debug` chooses the same digits and the same notation as Python, and writes exponents as `1e16`.
    let written = format!("{number:?}");
    let Some((mantissa, exponent)) = written.split_once('e') else { return written };
    let sign = if exponent.starts_with('-') { '-' } else { '+' };
    format!("{mantissa}e{sign}{:0>2}", exponent.trim_start_matches('-'))
}

/// The value under the first of two names whose value counts, and that name.
pub(super) fn first_of<'v, 'a>(
    root: &'v Value<'a>,
    names: [&'static str; 2],
) -> Option<(&'static str, &'v Value<'a>)> {
    names.into_iter().find_map(|name| Some((name, root.get(name).filter(|value| is_truthy(value))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_does() {
        // By Python: `str(json.loads(text))`.
        let known = [
            ("1", "1"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("0.0", "0.0"),
            ("1.0", "1.0"),
            ("1.50", "1.5"),
            ("1e2", "100.0"),
            ("-12.25", "-12.25"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("0.000012", "1.2e-05"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("1.5e300", "1.5e+300"),
            ("123456789012345678", "123456789012345678"),
            ("9007199254740993.0", "9007199254740992.0"),
            ("12345678901234567.0", "1.2345678901234568e+16"),
            ("5e-324", "5e-324"),
        ];
        for (text, written) in known {
            assert_eq!(as_python_writes(text.parse().unwrap(), text), written, "{text}");
        }
    }
}
