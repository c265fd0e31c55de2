//! Fixes that write a value in another form: a number or a word in quotes, a text in the structure of a schema.

use evalcheck_report::Applicability;

use super::{RecordFix, json_string};
use crate::parse::is_json_number;
use crate::value::{Kind, Value};
use evalcheck_json::schema::{Array, Object, Properties, Schema};

/// Puts a number or a word in quotes. Only safe for integers: `1e3` may be the id 1000, and `true` may be Python's `True`.
pub fn quoted(value: &Value<'_>, raw: &str) -> RecordFix {
    in_quotes(RecordFix::new(quotes_are_safe(value, raw)), value, raw)
}

/// Whether [`quoted`] is safe.
pub(crate) fn quotes_are_safe(value: &Value<'_>, raw: &str) -> Applicability {
    let is_integer = matches!(value.kind, Kind::Number(..)) && !raw.contains(['.', 'e', 'E']) && raw != "-0";
    if is_integer { Applicability::Safe } else { Applicability::Unsafe }
}

/// Adds the edit of [`quoted`] to a fix.
pub(crate) fn in_quotes(fix: RecordFix, value: &Value<'_>, raw: &str) -> RecordFix {
    let title = match fix.applicability {
        Applicability::Safe => "Put the value in double quotes",
        Applicability::Unsafe => "Put the value in double quotes, which guesses how it is spelled",
    };
    fix.titled(title).replace(value.span.clone(), json_string(raw))
}

/// Whether a text is a JSON number that no reader rounds.
pub(crate) fn is_exact_number(text: &str) -> bool {
    /// Decimal digits that a double always holds.
    const DIGITS: usize = 15;
    is_json_number(text.as_bytes()) && text.bytes().filter(u8::is_ascii_digit).count() <= DIGITS
}

/// Whether a text can only be one entry of a list: it contains no character that may separate entries.
///
/// ```
/// use evalcheck_diagnose::is_one_entry;
///
/// assert!(is_one_entry("travel_policy_2"));
/// assert!(!is_one_entry("d1, d2"));
/// ```
pub fn is_one_entry(text: &str) -> bool {
    let separates =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '/' | '[' | ']' | '{' | '}' | '"');
    !text.is_empty() && !text.contains(separates)
}

/// Whether a text begins like an object or an array of JSON or Python.
pub(crate) fn begins_like_data(text: &str) -> bool {
    let starts = ["[{", "[[", "[\"", "['", "{\"", "{'"];
    starts.iter().any(|start| text.trim_start().starts_with(start))
}

/// A number in human notation as a JSON number, and the guess in that: a percentage as a fraction, or a decimal comma. A comma before three
/// digits may also separate thousands.
pub fn localized(text: &str) -> Option<(String, &'static str)> {
    let text = text.trim();
    if let Some(digits) = text.strip_suffix('%') {
        let (whole, fraction) = decimals(digits.trim_end())?;
        let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
        let shifted = format!("{whole:0>3}{fraction}");
        let (whole, fraction) = shifted.split_at(shifted.len() - fraction.len() - 2);
        let fraction = fraction.trim_end_matches('0');
        let (point, title) =
            (if fraction.is_empty() { "" } else { "." }, "Write a fraction, which guesses that 100% is 1");
        return Some((format!("{sign}{whole}{point}{fraction}"), title));
    }
    let (whole, fraction) = decimals(text).filter(|_| text.contains(','))?;
    Some((format!("{whole}.{fraction}"), "Write a decimal point, which guesses what the comma is for"))
}

/// The digits before and after the point or comma of a number. `None` for other texts, and for a comma that may separate thousands.
fn decimals(digits: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = digits.split_once([',', '.']).unwrap_or((digits, ""));
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let separates_thousands = digits.contains(',') && fraction.len() == 3 && !matches!(whole, "0" | "-0");
    let is_number = is_exact_number(whole) && !whole.contains(['.', 'e', 'E']) && is_fraction;
    (is_number && !digits.ends_with([',', '.']) && !separates_thousands).then_some((whole, fraction))
}

/// The word for a number that means true or false.
pub(crate) fn bit(raw: &str) -> Option<&'static str> {
    match raw {
        "1" => Some("true"),
        "0" => Some("false"),
        _ => None,
    }
}

pub(crate) fn is_boolean(text: &str) -> bool {
    ["true", "false"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

/// The guess of a fix that puts a text in the structure of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Guess {
    Nothing,
    /// The text is one entry of a list, not several.
    OneEntry,
    /// The role of the speaker.
    Role,
}

/// Puts a string, as written in the record, in the place of the text in the structure of a schema. Also returns the guess in that. `None`
/// if there are several such places.
pub(crate) fn wrapped(raw: &str, schema: &'static Schema) -> Option<(String, Guess)> {
    match schema {
        Schema { string: Some(string), .. } => {
            string.values.is_empty().then(|| (raw.to_owned(), Guess::Nothing))
        }
        Schema { array: Some(Array { items, .. }), .. } => {
            let (inner, guess) = wrapped(raw, items)?;
            Some((format!("[{inner}]"), guess.max(Guess::OneEntry)))
        }
        Schema { object: Some(Object::Properties(fields)), .. } => in_object(raw, fields, None),
        Schema { object: Some(Object::Tagged { key, variants }), .. } => {
            let mut fitting = variants.iter().filter(|(tag, _)| *tag == "text");
            let (tag, fields) = fitting.next()?;
            in_object(raw, fields, Some((key, tag)))
        }
        _ => None,
    }
}

fn in_object(raw: &str, fields: &'static Properties, tag: Option<(&str, &str)>) -> Option<(String, Guess)> {
    let mut written = Vec::new();
    let (mut has_text, mut guess) = (false, Guess::Nothing);
    for field in fields.fields.iter().filter(|field| field.required) {
        let key = field.key;
        let values = field.schema.string.as_ref().map_or(&[][..], |string| string.values);
        let value = match (tag, values) {
            (Some((tag_key, tag)), _) if tag_key == key => json_string(tag),
            (_, [only]) => json_string(only),
            (_, values) if values.contains(&"user") => {
                guess = Guess::Role;
                json_string("user")
            }
            _ if has_text => return None,
            _ => {
                let (value, inner) = wrapped(raw, field.schema)?;
                guess = guess.max(inner);
                has_text = true;
                value
            }
        };
        written.push(format!("\"{key}\": {value}"));
    }
    has_text.then(|| (format!("{{{}}}", written.join(", ")), guess))
}
