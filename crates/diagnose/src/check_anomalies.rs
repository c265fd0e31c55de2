//! Reports the anomalies that the parser noted.

use std::cell::OnceCell;
use std::ops::Range;

use evalcheck_core::content::guess_encodings;

use super::anomaly::Anomaly;
use super::fix::{self, RecordFix};
use super::parse::Parsed;
use super::path_builder::PathBuilder;
use super::record_finding::RecordFinding;
use super::record_findings::RecordFindings;
use super::record_text::RecordText;
use super::text_problem::TextProblem;
use super::value::Kind;
use super::walk::{innermost, members_around, path_at};
use super::wording;
use evalcheck_json::scan::{Integers, LineReader, TextPolicy};

/// Reports the anomalies of a record that matter to a system with this policy. Paths begin with `base`.
pub fn check_anomalies(
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    base: &PathBuilder,
    found: &mut RecordFindings<'_>,
) {
    check_line_ends(parsed, record, policy, base, found);
    let encoding = OnceCell::new();
    let mut anomalies = parsed.anomalies.as_slice();
    while let Some(anomaly) = anomalies.first() {
        let text = innermost(&parsed.value, anomaly.span().start);
        let count = if anomaly.in_text().is_some() {
            let is_here = |other: &&Anomaly| other.in_text().is_some() && text.contains(&other.span().start);
            anomalies.iter().take_while(is_here).count()
        } else {
            1
        };
        let (here, rest) = anomalies.split_at(count);
        anomalies = rest;
        // One finding per kind and text.
        let mut kinds: Vec<Anomaly> = Vec::new();
        for anomaly in here {
            anomaly.clone().note(0, &mut kinds);
        }
        for kind in kinds {
            let Some((problem, fix)) =
                problem(&kind, &text, parsed, record, policy, base.is_line(), &encoding)
            else {
                continue;
            };
            let span = kind.span();
            let path = match kind {
                // It concerns the whole file: no reader can decode it as text.
                Anomaly::InvalidUtf8(_) => None,
                _ => Some(path_at(&parsed.value, base, span.start)),
            };
            found.push(RecordFinding::new(problem, span, path).with_fix(fix));
        }
    }
}

/// The problem and the fix of the anomalies of one kind in one text; `None` if the system accepts them.
fn problem(
    anomaly: &Anomaly,
    text: &Range<usize>,
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    is_line: bool,
    encoding: &OnceCell<Vec<&'static str>>,
) -> Option<(TextProblem, Option<RecordFix>)> {
    let bytes = record.bytes;
    let span = anomaly.span();
    let quoted = || wording::quoted(&bytes[span.clone()]);
    let more = |word: &str| match anomaly.in_text().map_or(1, |spans| spans.count) {
        1 => String::new(),
        count => format!("{word} {} more in this text", count - 1),
    };
    Some(match anomaly {
        Anomaly::Nul(_) if !policy.jsonb => return None,
        Anomaly::Nul(spans) => {
            let fix = fix::text::without_nul(bytes, span.start..spans.end);
            (TextProblem::NulCharacter { more: more(", and") }, fix)
        }
        Anomaly::LoneSurrogate(spans) => {
            let fix = fix::text::without_surrogates(bytes, span.start..spans.end);
            (TextProblem::LoneSurrogate { escape: quoted(), more: more(", like") }, fix)
        }
        Anomaly::SingleBackslash(spans) => {
            let rest = &bytes[span.end..];
            let word = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
            let word = wording::quoted(word);
            let name = match bytes[span.start + 1] {
                b'b' => "a backspace".to_owned(),
                b'f' => "a form feed".to_owned(),
                b'n' => format!("a line break and \"{word}\""),
                b'r' => format!("a carriage return and \"{word}\""),
                _ => format!("a tab and \"{word}\""),
            };
            let problem = TextProblem::SingleBackslash { escape: quoted(), name, more: more(", and") };
            (problem, fix::text::with_doubled_backslashes(bytes, spans.first.start))
        }
        Anomaly::InexactInteger(_) if policy.integers == Integers::Exact => return None,
        Anomaly::InexactInteger(_) => {
            let digits = std::str::from_utf8(&bytes[span.clone()]).ok()?;
            let read = format!("{:.0}", digits.parse().unwrap_or(f64::NAN));
            (TextProblem::InexactInteger { found: quoted(), read }, None)
        }
        Anomaly::DuplicateKey { key: span, first } => {
            let first_at = record.locate(first.clone(), None);
            let members = members_around(&parsed.value, span.start);
            let fix = fix::members::without_duplicate(members, first, span, bytes);
            let (key, first) = (quoted(), record.where_is(first.start, span.start));
            let problem = if policy.strict_json.applies(is_line) {
                TextProblem::RefusedDuplicateKey { key, first, first_at }
            } else {
                TextProblem::DuplicateKey { key, first, first_at }
            };
            (problem, fix)
        }
        Anomaly::InvalidUtf8(_) => {
            let encodings = encoding.get_or_init(|| guess_encodings(bytes));
            let column = record.column(span.start);
            let problem = TextProblem::invalid_utf8(&bytes[span], column, more(" and"), encodings);
            (problem, fix::text::decoded(bytes, text, encodings))
        }
    })
}

/// Reports the first place in a one-line record at which the system ends the line.
fn check_line_ends(
    parsed: &Parsed<'_>,
    record: &RecordText<'_>,
    policy: TextPolicy,
    base: &PathBuilder,
    found: &mut RecordFindings<'_>,
) {
    let first = parsed.value.span.start;
    let text = &record.bytes[parsed.value.span.clone()];
    // In a document and in a cell of a row, line breaks end no record.
    let is_row = matches!(parsed.value.kind, Kind::Object(_)) && text.first() != Some(&b'{');
    if is_row || !base.is_line() {
        return;
    }
    let mut report = |problem: TextProblem, span: Range<usize>, fix| {
        let path = path_at(&parsed.value, base, span.start);
        found.push(RecordFinding::new(problem, span, Some(path)).with_fix(Some(fix)));
    };
    if policy.lines.ends_at_carriage_return()
        && let Some(at) = memchr::memchr(b'\r', text)
    {
        let at = first + at;
        let column = record.column(at);
        report(
            TextProblem::LoneCarriageReturn { column },
            at..at + 1,
            fix::text::carriage_returns(record.bytes, at),
        );
    }
    if let Some((at, character)) = policy.lines.separator(text) {
        let at = first + at;
        let effect = match policy.lines {
            LineReader::Python => {
                "splitlines() of Python, which the system uses where it checks a dataset as a whole, ends the line there"
            }
            LineReader::Plain | LineReader::Split | LineReader::PythonFile | LineReader::Node => {
                "recent versions of Node.js end the line there, and the line is then dropped"
            }
        };
        let problem = TextProblem::LineSeparator {
            name: format!("U+{:04X}", u32::from(character)),
            escape: fix::text::escape(character),
            effect,
        };
        let fix = fix::text::separators(record.bytes, at, policy.lines);
        report(problem, at..at + character.len_utf8(), fix);
    }
}
