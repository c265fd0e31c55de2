//! Turns text that is nearly JSON into JSON: one step per syntax error, until the record can be parsed.

use std::ops::Range;

use evalcheck_core::suggest::nearest;
use evalcheck_report::Applicability::{self, Safe, Unsafe};

use super::around::{several, without_comment, without_ellipsis, without_nul_bytes, without_prose};
use super::composed::Composed;
use super::step::Step;
use super::value::localized;
use super::{RecordFix, json_string, strings};
use crate::parse::{self, parse as parse_record};
use crate::syntax_causes::{HtmlEntity, colon_of_others, comma_of_others, is_no_value};
use crate::syntax_error::SyntaxError;
use crate::syntax_problem::{NOTHING_BETWEEN, SyntaxProblem};

/// A text is not fixed if that would parse more than this many bytes plus a multiple of its length. So the time is proportional to the
/// length.
const MOST_READ: usize = 256 << 10;
const MOST_TIMES: usize = 4;
const MOST_TIMES_OF_DOCUMENT: usize = 32;

/// The words that are values of JSON.
pub(crate) const LITERALS: [&str; 3] = ["null", "true", "false"];

/// The name of a bracket in [`SyntaxProblem::SecondValue`].
const BRACKET: &str = "a bracket that closes nothing";

/// The edits that turn a record with this error into JSON. `in_lines`: a record is a line, so several values can be put on separate lines.
pub(crate) fn fix(record: &[u8], error: &SyntaxError, in_lines: bool) -> Option<RecordFix> {
    if in_lines && matches!(&error.problem, SyntaxProblem::Truncated { closing, .. } if closing.is_empty()) {
        let fix = RecordFix::not_safe("Delete the record, which is cut off");
        return Some(fix.replace(0..record.len(), ""));
    }
    repair(record, error, in_lines, MOST_TIMES)
}

/// The edits that turn a text of any number of lines into JSON; `None` if it is JSON, or cannot be turned into JSON.
///
/// ```
/// # use evalcheck_diagnose::fix_syntax;
/// let text = b"{'a': 1, // one\n 'b': None,}";
/// let fix = fix_syntax(text).unwrap();
/// assert_eq!(fix.apply(text), b"{\"a\": 1,\n \"b\": null}");
/// ```
pub fn fix_syntax(text: &[u8]) -> Option<RecordFix> {
    repair(text, &parse_record(text).err()?, false, MOST_TIMES_OF_DOCUMENT)
}

fn repair(record: &[u8], error: &SyntaxError, in_lines: bool, most_times: usize) -> Option<RecordFix> {
    // Most records that cannot be repaired have no first step. For them, nothing is copied.
    let mut step = step(record, error, in_lines)?;
    let mut text = record.to_vec();
    let mut error = error.clone();
    let mut fix = RecordFix::safe("");
    let mut composed = Composed::new(record.len());
    // The titles of the steps, each once.
    let mut titles: Vec<(&str, Applicability)> = Vec::new();
    let (mut read, mut steps, mut deletes_bracket) = (0, 0, false);
    let (mut escaped_quotes, mut is_quotation) = (0, true);
    loop {
        steps += 1;
        deletes_bracket |=
            matches!(&error.problem, SyntaxProblem::SecondValue { what, .. } if what == BRACKET);
        if matches!(error.problem, SyntaxProblem::UnescapedQuote { .. }) {
            is_quotation &= strings::is_quotation_mark(&text, error.span.start, escaped_quotes % 2 == 0);
            escaped_quotes += 1;
        }
        if !titles.contains(&(step.title, step.applicability)) {
            titles.push((step.title, step.applicability));
        }
        fix.applicability = fix.applicability.max(step.applicability);
        composed = composed.edit(&step.edits)?;
        text = RecordFix { edits: step.edits, ..RecordFix::safe("") }.apply(&text);
        match read_all(&text, in_lines) {
            Ok(()) => break,
            Err(next) => error = next,
        }
        read += text.len();
        if read > MOST_READ + most_times * record.len() {
            return None;
        }
        // Other mistakes before the end may be the reason why brackets are missing there.
        step = self::step(&text, &error, in_lines).filter(|_| !error.problem.is_truncated())?;
    }
    // An unmatched quote may be the end of the string, and so may one that does not begin a quotation. If there are other errors, another
    // bracket may be the surplus one.
    let is_guess = escaped_quotes % 2 == 1
        || !is_quotation
        || (escaped_quotes > 0 && strings::has_inside_out(&text))
        || (deletes_bracket && steps > 1);
    if is_guess {
        fix.applicability = Unsafe;
    }
    fix.title = title(&titles).into();
    Some(composed.into_fix(record.len(), fix))
}

/// The title of a fix of these steps. For several steps, it says what the unsafe ones lose or guess.
fn title(steps: &[(&str, Applicability)]) -> String {
    if let [(only, _)] = steps {
        return (*only).to_owned();
    }
    let in_sentence = |title: &str| {
        let mut letters = title.chars();
        letters
            .next()
            .map_or_else(String::new, |first| format!("{}{}", first.to_lowercase(), letters.as_str()))
    };
    let losses: Vec<String> =
        steps.iter().filter(|(_, safety)| *safety == Unsafe).map(|(title, _)| in_sentence(title)).collect();
    match &losses[..] {
        [] => "Write it as JSON".to_owned(),
        losses => format!("Write it as JSON: {}", losses.join("; ")),
    }
}

/// Parses the text, or with `in_lines` each of its lines.
fn read_all(text: &[u8], in_lines: bool) -> Result<(), SyntaxError> {
    if !in_lines {
        return parse_record(text).map(|_| ());
    }
    let mut start = 0;
    for line in text.split(|byte| *byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            parse_record(line).map_err(|error| SyntaxError {
                span: error.span.start + start..error.span.end + start,
                ..error
            })?;
        }
        start += line.len() + 1;
    }
    Ok(())
}

/// Whether a value follows the bracket after a comma on its line, so that the bracket may be the mistake.
fn is_followed_by_value(text: &[u8], comma: usize) -> bool {
    let rest = text[comma..].trim_ascii_start().get(1..).unwrap_or_default();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.trim_ascii_start().first().is_some_and(|next| b"{[\"".contains(next))
}

fn step(text: &[u8], error: &SyntaxError, in_lines: bool) -> Option<Step> {
    let span = error.span.clone();
    let found = text.get(span.clone())?;
    match &error.problem {
        SyntaxProblem::Truncated { closing, .. } if !closing.is_empty() => {
            let end = text[..span.start].trim_ascii_end().len();
            let title = "Write the brackets that are missing, which guesses that nothing else is";
            Step::one(title, Unsafe, end..end, closing.as_str())
        }
        SyntaxProblem::TrailingComma { .. } if is_followed_by_value(text, span.end) => Step::one(
            "Delete the comma, which guesses that the bracket after it belongs there",
            Unsafe,
            span,
            "",
        ),
        SyntaxProblem::TrailingComma { .. } => Step::one("Delete the comma", Safe, span, ""),
        SyntaxProblem::MissingComma { .. } => with_comma(text, &span),
        problem if problem.is_left_out() => without_ellipsis(text, span, in_lines),
        SyntaxProblem::Missing { what, .. } => {
            let is_doubled = matches!(text[..span.start].trim_ascii_end().last(), Some(b',' | b'[' | b'{'));
            if found != b"," || !is_doubled {
                return None;
            }
            if *what == NOTHING_BETWEEN {
                Step::one("Delete the comma, which guesses that no element is missing", Unsafe, span, "")
            } else {
                Step::one("Delete the comma", Safe, span, "")
            }
        }
        SyntaxProblem::MissingQuote { .. } => Step::one(
            "Write the quote that is missing, which guesses where",
            Unsafe,
            span.start..span.start,
            "\"",
        ),
        SyntaxProblem::MissingColon { .. } => with_colon(text, span, found),
        SyntaxProblem::NotANumber { found, .. } => {
            let title = if found.to_ascii_lowercase().ends_with("nan") {
                "Write null, which loses that it is not a number"
            } else {
                "Write null, which loses that it is infinite"
            };
            Step::one(title, Unsafe, span, "null")
        }
        SyntaxProblem::Comment { .. } => without_comment(text, span.start),
        SyntaxProblem::UnquotedKey { .. } => Step::one(
            "Write the key in double quotes",
            Safe,
            span.clone(),
            json_string(std::str::from_utf8(found).ok()?),
        ),
        SyntaxProblem::DecimalComma { .. } => {
            let (number, title) = localized(std::str::from_utf8(found).ok()?)?;
            Step::one(title, Unsafe, span, number)
        }
        SyntaxProblem::MarkdownFence { .. } if in_lines => Step::one(
            "Delete the line, which may be part of a text",
            Unsafe,
            0..text.trim_ascii_end().len(),
            "",
        ),
        SyntaxProblem::BadNumber { .. } => number(found).and_then(|(number, applicability)| {
            if is_half_a_number(text, &span) {
                let title = "Write the number as JSON does, which guesses that the comma belongs there";
                return Step::one(title, Unsafe, span, number);
            }
            let title = if has_leading_zero(found) {
                "Write the number without its leading zeros, which loses them if it is a text"
            } else {
                "Write the number as JSON does"
            };
            Step::one(title, applicability, span, number)
        }),
        SyntaxProblem::BareWord { .. } => {
            without_prose(text, span.start, in_lines).or_else(|| bare_word(text, span, found))
        }
        SyntaxProblem::StrayCharacter { .. } if found == b"\r" => {
            Step::new("Put each record on its own line", Safe, several(text, in_lines)?)
        }
        SyntaxProblem::InterruptedWrite { .. } => without_nul_bytes(text, span, in_lines),
        SyntaxProblem::StrayCharacter { .. } if found.starts_with(b"&") => {
            let title = "Replace the entities of HTML by their characters, which guesses that all of the record has them";
            Step::new(title, Unsafe, entities(text, span.start))
        }
        SyntaxProblem::StrayCharacter { .. } => {
            let c = std::str::from_utf8(found).ok()?.chars().next()?;
            let is_nothing = c.is_whitespace() || c.is_control() || evalcheck_report::text::needs_escape(c);
            is_nothing.then(|| Step::one("Delete the invisible character", Safe, span, ""))?
        }
        SyntaxProblem::SecondValue { what, .. } => match what.as_str() {
            "a comma" => Step::one("Delete the comma behind the record", Safe, span, ""),
            BRACKET if found.iter().all(|byte| matches!(byte, b'}' | b']' | b' ')) => {
                Step::one("Delete the bracket that closes nothing", Safe, span, "")
            }
            _ => Step::new("Put each record on its own line", Safe, several(text, in_lines)?),
        },
        _ => step_in_strings(text, error),
    }
}

/// The step for an error in a string, or in the quotes around strings.
fn step_in_strings(text: &[u8], error: &SyntaxError) -> Option<Step> {
    let span = error.span.clone();
    match &error.problem {
        SyntaxProblem::SingleQuotes { .. } => {
            Step::new("Write the strings in double quotes", Safe, strings::python(text, span.start)?)
        }
        SyntaxProblem::CurlyQuotes { .. } => {
            Step::new("Write the strings in straight quotes", Safe, strings::curly(text, span.start)?)
        }
        SyntaxProblem::PythonLiteral { .. } => {
            Step::new("Write null, true and false as JSON has them", Safe, strings::python(text, span.start)?)
        }
        SyntaxProblem::ControlCharacter { .. } => {
            Step::new("Escape the control characters", Safe, strings::control_characters(text, span.start))
        }
        SyntaxProblem::BadEscape { .. } if strings::is_stray_in_key(text, span.start) => {
            let title = "Delete the backslash in the key, which guesses that it is no part of the name";
            Step::one(title, Unsafe, span.start..span.start + 1, "")
        }
        SyntaxProblem::BadEscape { .. } => {
            let (edits, is_certain) = strings::bad_escapes(text, span.start);
            if edits.iter().all(|(_, text)| text.is_empty()) {
                Step::new(
                    "Delete the backslash, which guesses that it is not part of the text",
                    Unsafe,
                    edits,
                )
            } else if is_certain {
                Step::new("Write a backslash as \\\\", Safe, edits)
            } else {
                Step::new("Write a backslash as \\\\, which is a guess", Unsafe, edits)
            }
        }
        SyntaxProblem::UnescapedQuote { .. } => {
            Step::one("Escape the quotes in the text", Safe, span.start..span.start, "\\")
        }
        _ => None,
    }
}

/// Whether a number begins with a zero before another digit.
fn has_leading_zero(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
    matches!(digits, [b'0', b'0'..=b'9', ..])
}

/// Puts a colon after a key.
fn with_colon(text: &[u8], span: Range<usize>, found: &[u8]) -> Option<Step> {
    let at = text[..span.start].trim_ascii_end().len();
    let begins_value = matches!(found.first()?, b'"' | b'[' | b'{' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
    if colon_of_others(text, span.start) == Some(span.clone()) {
        return Step::one("Write a colon", Safe, span, ":");
    }
    if is_doubled_quote(text, &span) || strings::is_inside_out(text, span.start) {
        return Step::one("Put a colon after the key, which is a guess", Unsafe, at..at, ":");
    }
    begins_value.then(|| Step::one("Put a colon after the key", Safe, at..at, ":"))?
}

/// Replaces a word that JSON does not have by one that it has, or by a text.
fn bare_word(text: &[u8], span: Range<usize>, found: &[u8]) -> Option<Step> {
    let is = |word: &&str| found.eq_ignore_ascii_case(word.as_bytes());
    if let Some(word) = LITERALS.into_iter().find(is) {
        return Step::one("Write the word in lower case", Safe, span, word);
    }
    if std::str::from_utf8(found).is_ok_and(is_no_value) {
        return Step::one("Write null, which is a guess", Unsafe, span, "null");
    }
    // Only a single word in the place of a value. For several, it is unknown where the text ends.
    let is_word = found.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    let ends = matches!(text[span.end..].trim_ascii_start().first(), Some(b',' | b']' | b'}'));
    let word = std::str::from_utf8(found).ok().filter(|_| is_word && ends)?;
    if let Some(literal) = nearest(word, LITERALS.into_iter()) {
        return Step::one("Write the word of JSON, which is a guess", Unsafe, span, literal);
    }
    let title = "Put the word in double quotes, which guesses that it is a text";
    Step::one(title, Unsafe, span, json_string(word))
}

/// Whether a string begins directly after another one and is not a key. The two quotes may be one doubled quote, as in CSV:
/// `"say ""yes"" now"`.
fn is_doubled_quote(text: &[u8], span: &Range<usize>) -> bool {
    text[..span.start].ends_with(b"\"")
        && text[span.start..].starts_with(b"\"")
        && !strings::is_key(text, span.start)
}

/// Puts a comma between two values, or escapes a doubled quote if both are one text.
fn with_comma(text: &[u8], span: &Range<usize>) -> Option<Step> {
    if let Some(sign) = comma_of_others(text, span.start) {
        let next = text.len() - text[sign.end..].trim_ascii_start().len();
        // Two strings with such a sign between them may be one text with unescaped quotes.
        return if strings::is_key(text, next) {
            Step::one("Write a comma", Safe, sign, ",")
        } else {
            Step::one("Write a comma, which is a guess", Unsafe, sign, ",")
        };
    }
    if is_doubled_quote(text, span) {
        let title = "Write the doubled quotes as \\\", which guesses that no comma is missing";
        return Step::one(title, Unsafe, span.start - 1..span.start + 1, "\\\"");
    }
    let at = text[..span.start].trim_ascii_end().len();
    if strings::are_two(text, at, span.start) {
        Step::one("Put a comma between the two", Safe, at..at, ",")
    } else {
        Step::one("Put a comma between the two, which is a guess", Unsafe, at..at, ",")
    }
}

/// The entities of HTML from `at`, with their characters.
fn entities(text: &[u8], at: usize) -> Vec<(Range<usize>, String)> {
    let places = memchr::memchr_iter(b'&', &text[at..]).map(|place| at + place);
    let entities = places.filter_map(|place| Some((place, HtmlEntity::at(&text[place..])?)));
    entities.map(|(place, entity)| (place..place + entity.length, entity.character.to_owned())).collect()
}

/// Whether a number begins or ends with its point next to a comma and a digit: `814,.0` may be `814.0`.
fn is_half_a_number(text: &[u8], span: &Range<usize>) -> bool {
    let (before, found, behind) = (&text[..span.start], &text[span.clone()], &text[span.end..]);
    let follows = matches!(before, [.., b'0'..=b'9', b',']) && found.starts_with(b".");
    follows || (found.ends_with(b".") && matches!(behind, [b',', b'0'..=b'9', ..]))
}

/// A number in another notation as JSON writes it, and whether that is safe.
pub(crate) fn number(found: &[u8]) -> Option<(String, Applicability)> {
    let text = std::str::from_utf8(found).ok()?;
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let mut digits = digits.replace('_', "");
    if digits.starts_with('.') {
        digits.insert(0, '0');
    }
    if digits.ends_with('.') {
        digits.push('0');
    }
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = digits.bytes().take(whole.saturating_sub(1)).take_while(|byte| *byte == b'0').count();
    // Leading zeros may be part of an id.
    let applicability = if zeros > 0 { Unsafe } else { Safe };
    let number = format!("{sign}{}", &digits[zeros..]);
    parse::is_json_number(number.as_bytes()).then_some((number, applicability))
}
