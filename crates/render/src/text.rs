//! A report as plain text: one line for each finding and a last line with the verdict. The line of a finding can be followed
//! by details, such as [`help_lines`].
//!
//! The line of an error has the form that `JuryArena` uses, `line N: PATH: MESSAGE`, so the two can be compared.

use std::fmt::Write;
use std::iter;

use evalcheck_wire::report::{Finding, Related, Report, Severity, Verdict};
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
    /// The line of the dataset with the finding.
    Quote,
    /// The mark below it, at the span of a finding of this severity.
    Mark(Severity),
    /// Another place that belongs to the finding.
    Note,
    /// What to do about the finding.
    Help,
    /// The number of findings that are not listed.
    Omission,
    /// The last line: verdict, format, counts.
    Verdict(Verdict),
}

/// The lines of a report. `details` gives the lines that follow that of a finding, see [`help_lines`] and [`no_details`].
///
/// In an output about several files, the line of each finding and the last lines begin with `file`, the file as the user
/// named it.
pub fn lines<'a>(
    report: &'a Report,
    file: Option<&'a str>,
    mut details: impl FnMut(&Finding) -> Vec<Line> + 'a,
) -> impl Iterator<Item = Line> + 'a {
    let findings = report.findings.iter().flat_map(move |finding| {
        iter::once(first_line(finding, &report.file.name, file)).chain(details(finding))
    });
    findings.chain(last_lines(report, file, report.findings.len() as u64))
}

/// The line of a finding of a file with this name; `file` as for [`lines`].
pub fn first_line(finding: &Finding, name: &str, file: Option<&str>) -> Line {
    let text = match file {
        // The line of a finding without a line or an entry begins with the file anyway.
        Some(file) if finding.line.is_none() && finding.entry.is_none() => finding_line(finding, file),
        Some(file) => named_line(file, &finding_line(finding, name)),
        None => finding_line(finding, name),
    };
    Line { kind: LineKind::Finding(finding.severity), text }
}

/// The lines that follow those of the findings, of which so many were `listed`: how many were not, and the verdict.
pub fn last_lines(report: &Report, file: Option<&str>, listed: u64) -> impl Iterator<Item = Line> + use<> {
    let named = |text: String| match file {
        Some(file) => named_line(file, &text),
        None => text,
    };
    let omission =
        omission_line(report, listed).map(|text| Line { kind: LineKind::Omission, text: named(text) });
    let verdict = Line { kind: LineKind::Verdict(report.verdict()), text: named(verdict_line(report)) };
    omission.into_iter().chain(iter::once(verdict))
}

/// Each finding on one line, without details.
pub fn no_details(_: &Finding) -> Vec<Line> {
    Vec::new()
}

/// Other places that belong to a finding, and what to do about it.
///
/// ```
/// # use evalcheck_wire::report::{Finding, Severity};
/// # use evalcheck_render::text::help_lines;
/// # let finding = Finding {
/// #     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
/// #     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
/// #     message: "Required".into(), hint: Some("Add the key.".into()), says: None, related: Vec::new(),
/// #     entry: None, fix: None, loss: None,
/// # };
/// assert_eq!(help_lines(&finding)[0].text, "  help: Add the key.");
/// ```
pub fn help_lines(finding: &Finding) -> Vec<Line> {
    let help = finding.hint.as_deref().map(|hint| format!("  help: {}", one_line(hint)));
    let help = help.map(|text| Line { kind: LineKind::Help, text });
    let notes = finding.related.iter().map(|related| {
        let (place, label) = (related_place(finding, related), one_line(&related.label));
        Line { kind: LineKind::Note, text: format!("  note: {place}: {label}") }
    });
    notes.chain(help).collect()
}

/// Where another place of a finding is, as seen from it: `line 3`, `column 7` of the same line, or a path.
pub fn related_place(finding: &Finding, related: &Related) -> String {
    match (related.line, related.column, &related.path) {
        (Some(line), Some(column), _) if finding.line == Some(line) => format!("column {column}"),
        (Some(line), ..) => format!("line {line}"),
        (None, _, Some(path)) => one_line(path),
        (None, ..) => "elsewhere".to_owned(),
    }
}

/// A report with one line for each finding. Each line is ended by `\n`.
pub fn report_text(report: &Report) -> String {
    joined(lines(report, None, no_details))
}

/// The same of one report among several. Each line begins with the file as the user named it.
pub fn named_report_text(report: &Report, file: &str) -> String {
    joined(lines(report, Some(file), no_details))
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
///     message: "Required".into(), hint: None, says: None, related: Vec::new(), entry: None, fix: None, loss: None,
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
pub fn verdict_line(report: &Report) -> String {
    let counts = &report.counts;
    let verdict = match report.verdict() {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::NotChecked => "not checked",
    };
    let mut format = match (report.format.id.as_str(), report.format.version.as_str()) {
        ("", _) => "no format".to_owned(),
        (id, "") => id.to_owned(),
        (id, version) => format!("{id} {version}"),
    };
    // What such a format refuses may be right for another.
    if !report.format.id.is_empty() && !report.format.is_certain() {
        format = format!("{format} ({})", report.format.certainty());
    }
    let loss = loss(report).map(|words| format!("; loads, but loses {words}")).unwrap_or_default();
    format!(
        "{verdict}: {format}: {} ({} valid, {} invalid), {}, {}, {}{loss}",
        count(counts.records, "record"),
        counts.valid,
        counts.invalid,
        count(counts.errors, "error"),
        count(counts.warnings, "warning"),
        count(counts.infos, "info"),
    )
}

/// What is lost of a dataset that the system loads, in words: `12 lines, 3 keys`.
pub fn loss(report: &Report) -> Option<String> {
    let loss = report.counts.loss;
    (report.checked && !loss.is_empty()).then(|| loss.in_words())
}

/// How many findings are counted and not listed; `None` when all are listed.
fn omission_line(report: &Report, listed: u64) -> Option<String> {
    let all = report.counts.errors + report.counts.warnings + report.counts.infos;
    let verb = if all == listed + 1 { "finding is" } else { "findings are" };
    // A report without a limit leaves out none but those with a common cause.
    let why = match report.max_findings_per_code {
        None if !report.truncated => "",
        Some(_) => "",
        None if all == listed + 1 => ": it follows from the same mistake as one above",
        None => ": they follow from the same mistake as one above",
    };
    (listed < all).then(|| format!("({} more {verb} counted and not listed{why})", all - listed))
}

fn joined(lines: impl Iterator<Item = Line>) -> String {
    lines.fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{}", line.text);
        out
    })
}
