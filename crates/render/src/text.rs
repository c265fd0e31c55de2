//! A report as plain text: one line for each finding and a last line with the verdict.
//!
//! The line of an error has the form that `JuryArena` uses, `line N: PATH: MESSAGE`, so the two can be compared.

use std::fmt::Write;
use std::iter;

use evalcheck_wire::report::{Finding, Report, Severity, Verdict};
use evalcheck_wire::text::{count, one_line};

/// One line of a report, without a line break at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What the line is about.
    pub kind: LineKind,
    /// Its text.
    pub text: String,
}

/// What a line of a report is about. Outputs with colours choose the colour by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A finding.
    Finding(Severity),
    /// The number of findings that are not listed.
    Omission,
    /// The last line: verdict, format, counts.
    Verdict(Verdict),
}

/// The lines of a report. In an output about several files, each line begins with `file`, the file as the user named it.
pub fn lines<'a>(report: &'a Report, file: Option<&'a str>) -> impl Iterator<Item = Line> + 'a {
    let findings = report.findings.iter().map(move |finding| {
        let name = &report.file.name;
        let text = match file {
            // The line of a finding without a line or an entry begins with the file anyway.
            Some(file) if finding.line.is_none() && finding.entry.is_none() => finding_line(finding, file),
            Some(file) => named_line(file, &finding_line(finding, name)),
            None => finding_line(finding, name),
        };
        Line { kind: LineKind::Finding(finding.severity), text }
    });
    let named = move |text: String| match file {
        Some(file) => named_line(file, &text),
        None => text,
    };
    let omission = omission_line(report).map(|text| Line { kind: LineKind::Omission, text: named(text) });
    let verdict = Line { kind: LineKind::Verdict(report.verdict()), text: named(verdict_line(report)) };
    findings.chain(omission).chain(iter::once(verdict))
}

/// All lines of a report, each ended by `\n`.
pub fn report_text(report: &Report) -> String {
    joined(lines(report, None))
}

/// All lines of one report among several. Each begins with the file as the user named it.
pub fn named_report_text(report: &Report, file: &str) -> String {
    joined(lines(report, Some(file)))
}

/// A line that begins with the file as the user named it.
pub fn named_line(file: &str, line: &str) -> String {
    format!("{}: {line}", one_line(file))
}

/// One finding as one line, without a line break at its end.
///
/// `file` is the beginning of the line when the finding has neither a line nor an entry.
///
/// ```
/// # use evalcheck_wire::report::{Finding, Severity};
/// # use evalcheck_render::text::finding_line;
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

/// The three parts of a [`finding_line`], for a view that styles them differently. Joined they are the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingText {
    /// `line 3: `, or the entry or file that the finding is about.
    pub place: String,
    /// `input.messages: `; empty when the finding is not about a value.
    pub path: String,
    /// `Required`; begins with `warning: ` or `info: ` when it is not an error.
    pub message: String,
}

/// The parts of one finding; see [`finding_line`].
pub fn finding_text(finding: &Finding, file: &str) -> FindingText {
    let place = match (finding.line, &finding.entry) {
        (Some(line), _) => format!("line {line}: "),
        (None, Some(entry)) if !entry.is_empty() => format!("{}: ", one_line(entry)),
        // An entry without a name is a problem of the archive.
        (None, _) => format!("{}: ", one_line(file)),
    };
    let path = finding.path.as_ref().map(|path| format!("{}: ", one_line(path))).unwrap_or_default();
    let severity = match finding.severity {
        Severity::Error => "",
        Severity::Warning => "warning: ",
        Severity::Info => "info: ",
    };
    let message = format!("{severity}{}", one_line(&finding.message));
    FindingText { place, path, message }
}

/// The last line: verdict, format, counts.
fn verdict_line(report: &Report) -> String {
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

/// How many findings are counted and not listed; `None` when all are listed.
fn omission_line(report: &Report) -> Option<String> {
    let listed = report.findings.len() as u64;
    let all = report.counts.errors + report.counts.warnings + report.counts.infos;
    let verb = if all == listed + 1 { "finding is" } else { "findings are" };
    report.truncated.then(|| format!("({} more {verb} counted and not listed)", all.saturating_sub(listed)))
}

fn joined(lines: impl Iterator<Item = Line>) -> String {
    lines.fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{}", line.text);
        out
    })
}
