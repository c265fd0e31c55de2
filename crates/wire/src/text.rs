//! The plain text of a report: a finding a line, and a last line with the verdict.
//!
//! An error reads exactly as `JuryArena` prints it, `line N: PATH: MESSAGE`, so that the two can be held side by side.

use std::fmt::Write;

use crate::report::{Finding, Report, Severity, Verdict};

/// One finding as one line, without a line break at its end.
///
/// `file` is what a finding that stands in no line and names no entry begins with.
///
/// ```
/// # use evalcheck_wire::{report::{Finding, Severity}, text::finding_line};
/// let finding = Finding {
///     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
///     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
///     message: "Required".into(), hint: None, entry: None,
/// };
/// assert_eq!(finding_line(&finding, "data.jsonl"), "line 3: input.messages: Required");
/// ```
pub fn finding_line(finding: &Finding, file: &str) -> String {
    let FindingText { place, path, message } = finding_text(finding, file);
    [place, path, message].concat()
}

/// The three parts of [`finding_line`], for a view that sets them in different type. Put together they are the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingText {
    /// `line 3: `, or the entry or file that the finding is about.
    pub place: String,
    /// `input.messages: `; empty where the finding is not about a value.
    pub path: String,
    /// `Required`, after `warning: ` or `info: ` where it is not an error.
    pub message: String,
}

/// One finding as text, in its parts; see [`finding_line`].
pub fn finding_text(finding: &Finding, file: &str) -> FindingText {
    let mut place = String::new();
    match (finding.line, &finding.entry) {
        (Some(line), _) => {
            let _ = write!(place, "line {line}");
        }
        (None, Some(entry)) if !entry.is_empty() => push_one_line(&mut place, entry),
        // An entry without a name is the archive's own fault.
        (None, _) => push_one_line(&mut place, file),
    }
    place.push_str(": ");
    let mut path = String::new();
    if let Some(value) = &finding.path {
        push_one_line(&mut path, value);
        path.push_str(": ");
    }
    let mut message = String::new();
    match finding.severity {
        Severity::Error => {}
        Severity::Warning => message.push_str("warning: "),
        Severity::Info => message.push_str("info: "),
    }
    push_one_line(&mut message, &finding.message);
    FindingText { place, path, message }
}

/// The last line: verdict, format, counts.
pub fn verdict_line(report: &Report) -> String {
    let counts = &report.counts;
    let verdict = match report.verdict() {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::NotChecked => "not checked",
    };
    let format = match (report.format.id.as_str(), report.format.version.as_str()) {
        ("", _) => "no format".to_owned(),
        (id, "") => id.to_owned(),
        (id, version) => format!("{id} {version}"),
    };
    format!(
        "{verdict}: {format}: {} ({} valid, {} invalid), {}, {}, {}",
        count(counts.records, "record"),
        counts.valid,
        counts.invalid,
        count(counts.errors, "error"),
        count(counts.warnings, "warning"),
        count(counts.infos, "info"),
    )
}

/// The whole text: every listed finding and the verdict, each line ended by `\n`.
pub fn report_text(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        out.push_str(&finding_line(finding, &report.file.name));
        out.push('\n');
    }
    if let Some(line) = omission_line(report) {
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(&verdict_line(report));
    out.push('\n');
    out
}

/// The text of one report among several, as the command writes it: each line begins with the file as it was given.
pub fn named_report_text(report: &Report, given: &str) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        out.push_str(&named_finding_line(finding, &report.file.name, given));
        out.push('\n');
    }
    for line in omission_line(report).into_iter().chain([verdict_line(report)]) {
        out.push_str(&named_line(given, &line));
        out.push('\n');
    }
    out
}

/// [`finding_line`] among several files: it begins with the file as it was given.
pub fn named_finding_line(finding: &Finding, file: &str, given: &str) -> String {
    if finding.line.is_none() && finding.entry.is_none() {
        // Such a line begins with the file anyway.
        finding_line(finding, given)
    } else {
        named_line(given, &finding_line(finding, file))
    }
}

/// A line that begins with the file as it was given.
pub fn named_line(given: &str, line: &str) -> String {
    let mut out = String::new();
    push_one_line(&mut out, given);
    out.push_str(": ");
    out.push_str(line);
    out
}

/// How many findings are counted and not listed; `None` when all are listed.
pub fn omission_line(report: &Report) -> Option<String> {
    let listed = report.findings.len() as u64;
    let all = report.counts.errors + report.counts.warnings + report.counts.infos;
    let verb = if all == listed + 1 { "finding is" } else { "findings are" };
    report.truncated.then(|| format!("({} more {verb} counted and not listed)", all.saturating_sub(listed)))
}

/// The text on one line: what would break or rearrange it is escaped, see [`needs_escape`].
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    push_one_line(&mut out, text);
    out
}

/// `1 record`, `2 records`.
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Text from a dataset must not break the line it is quoted in, nor rearrange it.
fn push_one_line(out: &mut String, text: &str) {
    for c in text.chars() {
        if needs_escape(c) {
            let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

/// True for characters that are shown escaped: controls, bidirectional controls, zero-width and line separators.
pub fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
