//! Values as the loader treats them: which count as missing, which become strings.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::SCALAR;
use crate::cell_list::{CellList, Quotes};
use crate::checks::Captures;
use crate::diagnose::{Kind, SyntaxError, SyntaxProblem, Value, parse};
use crate::python::{is_truthy, strip};

/// A list in a cell that is not JSON.
pub(super) const CELL: CellList = CellList { separator: ',', quotes: Quotes::None };

/// The entries of a cell that is not JSON, some of them blank.
pub(super) fn cell_entries(cell: &str) -> impl Iterator<Item = String> {
    let entries = CELL.items(cell).unwrap_or_default();
    entries.into_iter().map(|entry| strip(&entry).to_owned())
}

/// The string that the loader makes of a value; `None` for a list or an object, which the schema refuses.
pub(super) fn as_string(value: &Value<'_>) -> Option<String> {
    match &value.kind {
        Kind::String(text) => Some(strip(text).to_owned()),
        Kind::Number(number, text) => Some(as_python_writes(*number, text)),
        Kind::Boolean(true) => Some("True".to_owned()),
        Kind::Boolean(false) => Some("False".to_owned()),
        Kind::Null => Some("None".to_owned()),
        Kind::Array(_) | Kind::Object(_) => None,
    }
}

/// The string that Python's `str` makes of a value; a string is stripped of surrounding white space.
pub(super) fn python_str(value: &Value<'_>) -> String {
    as_string(value).unwrap_or_else(|| python_repr(value))
}

/// A value as Python's `repr` writes it. Characters that Python considers unprintable are written unchanged, except control characters.
fn python_repr(value: &Value<'_>) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match &value.kind {
        Kind::String(text) => python_string(text),
        Kind::Array(elements) => format!("[{}]", joined(elements.iter().map(python_repr).collect())),
        Kind::Object(members) => {
            let is_first = |at: usize| members[..at].iter().all(|member| member.key != members[at].key);
            let pair = |at: usize| {
                let key = &*members[at].key;
                Some(format!("{}: {}", python_string(key), python_repr(value.get(key)?)))
            };
            let pairs = (0..members.len()).filter(|at| is_first(*at)).filter_map(pair).collect();
            format!("{{{}}}", joined(pairs))
        }
        Kind::Null | Kind::Boolean(_) | Kind::Number(..) => as_string(value).unwrap_or_default(),
    }
}

/// A string as Python's `repr` writes it.
fn python_string(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\\' => written.push_str("\\\\"),
            _ if character == quote => written.extend(['\\', quote]),
            _ if character.is_control() => {
                let _ = write!(written, "\\x{:02x}", u32::from(character));
            }
            _ => written.push(character),
        }
    }
    written.push(quote);
    written
}

/// Whether the loader keeps an entry of a list.
pub(super) fn has_entries(list: &Value<'_>) -> bool {
    list.as_array()
        .is_some_and(|list| list.iter().any(|entry| as_string(entry).is_none_or(|text| !text.is_empty())))
}

/// The maximum number of numbers in a cell that [`in_python`] replaces; each takes a pass over the cell.
const MOST_REPLACED: usize = 64;

/// The maximum number of digits of an integer that Python reads.
pub(super) const MOST_DIGITS: usize = 4_300;

/// A cell, with the numbers that only Python's `json` reads replaced by the strings that the loader makes of them. The error is the reason
/// why Python neither reads the cell as JSON nor reports it as broken, so that the loader fails.
pub(super) fn in_python(cell: &str) -> Result<Cow<'_, str>, &'static str> {
    let mut read = Cow::Borrowed(cell);
    for _ in 0..MOST_REPLACED {
        let Err(SyntaxError { problem, span, .. }) = parse(read.as_bytes()) else { break };
        if matches!(problem, SyntaxProblem::TooDeep { .. }) {
            return Err(
                "the cell is nested more than 128 levels deep: the loader refuses the file at some 1,000, and evalcheck reads no further",
            );
        }
        // The span of a stray character covers its first byte.
        let number = read.get(span.clone()).unwrap_or_default();
        let is_read = match problem {
            SyntaxProblem::NotANumber { .. } => matches!(number, "NaN" | "Infinity" | "-Infinity"),
            SyntaxProblem::NumberRange { .. } => true,
            _ => false,
        };
        if !is_read {
            break;
        }
        let digits = number.trim_start_matches('-');
        let number = match number.as_bytes() {
            _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                if digits.len() > MOST_DIGITS {
                    return Err(
                        "the cell has an integer of more than 4,300 digits: the loader refuses the file",
                    );
                }
                format!("\"{number}\"")
            }
            b"NaN" => "\"nan\"".to_owned(),
            [b'-', ..] => "\"-inf\"".to_owned(),
            _ => "\"inf\"".to_owned(),
        };
        read.to_mut().replace_range(span, &number);
    }
    Ok(read)
}

/// The same for a captured field under one of two numbers, preferring the first if its value counts; and the index of the capture. `None`
/// if the field is empty too.
pub(super) fn first_captured<'a>(captures: &Captures<'a>, numbers: [u8; 2]) -> Option<(usize, Cow<'a, str>)> {
    let of = |wanted: u8| {
        captures.strings.iter().enumerate().find_map(|(index, (number, range))| {
            let text = captures.text(range);
            let counts = number & !SCALAR == wanted && counts(*number, text);
            counts.then(|| (index, captured(*number, text)))
        })
    };
    of(numbers[0]).or_else(|| of(numbers[1])).filter(|(_, text)| !text.is_empty())
}

/// Whether Python treats a captured string, number or boolean as true.
fn counts(number: u8, text: &str) -> bool {
    match text {
        _ if number & SCALAR == 0 => !text.is_empty(),
        "true" | "false" => text == "true",
        _ => text.parse::<f64>().is_ok_and(|value| value != 0.0),
    }
}

/// The string that the loader makes of a captured string, number or boolean.
pub(super) fn captured(number: u8, text: &str) -> Cow<'_, str> {
    match text {
        _ if number & SCALAR == 0 => Cow::Borrowed(strip(text)),
        "true" => Cow::Borrowed("True"),
        "false" => Cow::Borrowed("False"),
        _ => Cow::Owned(as_python_writes(text.parse().unwrap_or_default(), text)),
    }
}

/// A number as Python's `str` writes it: a number with a point or an exponent is a float, any other stays unchanged.
fn as_python_writes(number: f64, text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" { "0" } else { text }.to_owned();
    }
    // Rust's `Debug` chooses the same digits and the same notation as Python, but writes exponents as `1e16`.
    let written = format!("{number:?}");
    let Some((mantissa, exponent)) = written.split_once('e') else { return written };
    let sign = if exponent.starts_with('-') { '-' } else { '+' };
    format!("{mantissa}e{sign}{:0>2}", exponent.trim_start_matches('-'))
}

/// The first of two names whose value counts, with the value.
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
    fn numbers_of_python_are_read() {
        let known = [
            ("[NaN, -Infinity]", "[\"nan\", \"-inf\"]"),
            ("{\"NaN\": Infinity}", "{\"NaN\": \"inf\"}"),
            ("[1e400, -1e400]", "[\"inf\", \"-inf\"]"),
            ("nan", "nan"),
            ("[\u{fffd}]", "[\u{fffd}]"),
            ("1.e400", "1.e400"),
        ];
        for (cell, read) in known {
            assert_eq!(in_python(cell).as_deref(), Ok(read));
        }
    }

    #[test]
    fn what_python_refuses_is_an_error() {
        // In Python 3.11 `json.loads(text)` raises another exception than JSONDecodeError.
        let digits = "1".repeat(MOST_DIGITS);
        for (cell, is_refused) in [
            (digits.clone(), false),
            (format!("[-{digits}]"), false),
            (format!("0{digits}"), false),
            (format!("{digits}1.5"), false),
            (format!("{digits}1e1"), false),
            (format!("\"{digits}1\""), false),
            (format!("a, {digits}1"), false),
            (format!("[a, {digits}1"), false),
            (format!("{digits}1"), true),
            (format!("[-{digits}1]"), true),
            (format!("{digits}1 and a text"), true),
            (format!("[1, {digits}1"), true),
            ("[".repeat(1_100), true),
            ("[{\"a\":".repeat(600), true),
        ] {
            assert_eq!(in_python(&cell).is_err(), is_refused, "{}", &cell[..cell.len().min(40)]);
        }
    }

    #[test]
    fn values_are_written_as_python_does() {
        // The results of Python's `str(json.loads(text))`.
        let known = [
            (r#"["a", 1, null, true, 1e5]"#, "['a', 1, None, True, 100000.0]"),
            (r#"{"a": {"b": []}, "c": 1, "a": 2}"#, "{'a': 2, 'c': 1}"),
            (r#"["it's", "\"", "'\""]"#, r#"["it's", '"', '\'"']"#),
            (r#"["\\\n\t\u0001é"]"#, r"['\\\n\t\x01é']"),
        ];
        for (text, written) in known {
            assert_eq!(python_str(&parse(text.as_bytes()).unwrap().value), written, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_python_does() {
        // The results of Python's `str(json.loads(text))`.
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
