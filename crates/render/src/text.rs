//! A report as text in the form of compilers and linters: `FILE:LINE:COLUMN: severity[code]: path: message` for each finding, further
//! lines with details such as [`help_lines`] below it, and the verdict on each file.
//!
//! An editor or terminal that knows this form can jump to the place. The message uses the wording of the system's loader if there is one,
//! so the two can be compared.

use std::fmt::{self, Display, Write};

use evalcheck_report::text::{count, one_line};
use evalcheck_report::{Applicability, Counts, Finding, Format, Related, Report, Severity, Verdict};

use crate::line::{Line, Role};
use crate::sum::Sum;

/// The columns of a line of help before the label of its fix.
const HELP_WIDTH: usize = 78;

/// The line of a finding of a file, as the user named it. In a ZIP the name of the entry follows that of the file.
///
/// ```
/// # use evalcheck_report::{Finding, Severity};
/// # use evalcheck_render::text::finding_line;
/// let finding = Finding {
///     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
///     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
///     message: "Required".into(), hint: None, says: None, refused_by: None, related: Vec::new(), entry: None, fix: None, loss: None,
/// };
/// let line = finding_line(&finding, "data.jsonl").to_string();
/// assert_eq!(line, "data.jsonl:3:11: error[shape/missing-key]: input.messages: Required");
/// ```
pub fn finding_line(finding: &Finding, file: &str) -> Line {
    let mut place = one_line(file);
    if let Some(entry) = finding.entry.as_deref().filter(|entry| !entry.is_empty()) {
        let _ = write!(place, ":{}", one_line(entry));
    }
    for number in [finding.line, finding.column].into_iter().flatten() {
        let _ = write!(place, ":{number}");
    }
    let path = finding.path.as_ref().map(|path| format!("{}: ", one_line(path))).unwrap_or_default();
    Line::of([
        (Role::Plain, place + ": "),
        (Role::Severity(finding.severity), format!("{}[{}]", finding.severity.as_str(), finding.code)),
        (Role::Plain, format!(": {path}")),
        (Role::Strong, one_line(&finding.message)),
    ])
}

/// Other places that belong to a finding, the readers that refuse it, and the hint; `[fixable]` if `evalcheck fix` can apply it.
///
/// ```
/// # use evalcheck_report::{Finding, Severity};
/// # use evalcheck_render::text::help_lines;
/// # let finding = Finding {
/// #     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
/// #     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
/// #     message: "Required".into(), hint: Some("Add the key.".into()), says: None, refused_by: None, related: Vec::new(),
/// #     entry: None, fix: None, loss: None,
/// # };
/// assert_eq!(help_lines(&finding)[0].to_string(), "  help: Add the key.");
/// ```
pub fn help_lines(finding: &Finding) -> Vec<Line> {
    let note = |related: &Related| {
        let text = format!("{}: {}", related_place(finding, related), one_line(&related.label));
        Line::of([(Role::Strong, "  note: ".to_owned()), (Role::Plain, text)])
    };
    let fix = finding.fix.as_deref();
    let words = finding.hint.as_deref().or_else(|| fix.map(|fix| fix.title.as_str()));
    let help = words.map(|words| {
        let words = one_line(words);
        let mut parts = vec![(Role::Help, "  help: ".to_owned()), (Role::Plain, words)];
        if let Some(fix) = fix {
            let label = match fix.applicability {
                Applicability::Safe => "[fixable]",
                Applicability::Unsafe => "[fixable with --unsafe]",
            };
            let used = parts.iter().map(|(_, text)| text.chars().count()).sum::<usize>();
            let gap = HELP_WIDTH.saturating_sub(used + label.len()).max(1);
            parts.push((Role::Dimmed, format!("{}{label}", " ".repeat(gap))));
        }
        Line::of(parts)
    });
    let refused = finding.refused_by.iter().map(|readers| {
        Line::of([
            (Role::Strong, "  note: ".to_owned()),
            (Role::Plain, format!("refused by {}", one_line(readers))),
        ])
    });
    finding.related.iter().map(note).chain(refused).chain(help).collect()
}

/// The position of another place of a finding, relative to it: `line 3`, `column 7` of the same line, or a path; `schema.json:3:12` in
/// another file.
pub fn related_place(finding: &Finding, related: &Related) -> String {
    match (related.line, related.column, &related.path) {
        (line, column, _) if related.file.is_some() => {
            let place = line.into_iter().chain(column).map(|number| format!(":{number}"));
            place.fold(one_line(related.file.as_deref().unwrap_or_default()), |file, number| file + &number)
        }
        (Some(line), Some(column), _) if finding.line == Some(line) => format!("column {column}"),
        (Some(line), ..) => format!("line {line}"),
        (None, _, Some(path)) => one_line(path),
        (None, ..) => "elsewhere".to_owned(),
    }
}

/// The number of findings that are counted and not listed, for a file with `listed` listed ones; `None` if all are listed.
pub fn omission_line(report: &Report, file: &str, listed: u64) -> Option<Line> {
    let all = report.counts.errors + report.counts.warnings + report.counts.infos;
    let verb = if all == listed + 1 { "finding is" } else { "findings are" };
    // A report without a limit omits only findings with a common cause.
    let why = match report.max_findings_per_code {
        None if !report.truncated => "",
        Some(_) => "",
        None if all == listed + 1 => ": it follows from the same mistake as one above",
        None => ": they follow from the same mistake as one above",
    };
    (listed < all).then(|| {
        let text = format!("{} more {verb} counted and not listed{why}", all - listed);
        Line::of([(Role::Dimmed, format!("{}: {text}", one_line(file)))])
    })
}

/// A format with its version, its options and the user's schema: `eee-instance 0.3.0`, `jsonl with faq.schema.json`.
fn named(format: &Format) -> String {
    let version = Some(&format.version).filter(|version| !version.is_empty());
    let words = [&format.id].into_iter().chain(version).chain(&format.options);
    let mut named = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    if let Some(schema) = &format.schema {
        let _ = write!(named, " with {}", one_line(schema));
    }
    named
}

/// The part of a file that matches the filter of its report; `None` without a filter.
///
/// ```
/// # use evalcheck_report::{Counts, File, Filter, Format, Report, Tool};
/// # use evalcheck_render::text::filter_line;
/// # let mut report = Report {
/// #     report: "evalcheck/1".into(), tool: Tool { name: "evalcheck".into(), version: "1.0.0".into() },
/// #     file: File { name: "data.jsonl".into(), ..File::default() },
/// #     format: Format { id: "quest".into(), confidence: 100, ..Format::default() },
/// #     valid: false, checked: true, counts: Counts { records: 200, errors: 40, ..Counts::default() },
/// #     truncated: false, filter: None, overview: None, max_findings_per_code: None, notes: vec![], findings: vec![],
/// # };
/// assert_eq!(filter_line(&report, "data.jsonl"), None);
/// let by_code = [("shape/missing-key".to_owned(), 3)].into();
/// report.filter = Some(Filter { query: "role:user".into(), records: 12, by_code });
/// let line = filter_line(&report, "data.jsonl").unwrap().to_string();
/// assert_eq!(line, "data.jsonl: 12 of 200 records and 3 of 40 findings match role:user; only these findings are listed");
/// ```
pub fn filter_line(report: &Report, file: &str) -> Option<Line> {
    let (filter, counts) = (report.filter.as_ref()?, &report.counts);
    let matching: u64 = filter.by_code.values().sum();
    let text = format!(
        "{}: {} of {} and {matching} of {} match {}; only these findings are listed",
        one_line(file),
        filter.records,
        count(counts.records, "record"),
        count(counts.errors + counts.warnings + counts.infos, "finding"),
        one_line(&filter.query)
    );
    Some(Line::of([(Role::Plain, text)]))
}

/// The verdict on a file: `data.jsonl: invalid (juryarena): 240 records, 6 with errors`.
pub fn verdict_line(report: &Report, file: &str) -> Line {
    let counts = &report.counts;
    let verdict = match report.verdict() {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::NotChecked => "not checked",
        Verdict::Readable => "readable",
        Verdict::Undecided => "undecided",
    };
    let mut format = if report.format.id.is_empty() { "no format".to_owned() } else { named(&report.format) };
    let rivals = &report.format.rivals;
    // The schema judges plain data, whatever it is.
    let is_told = report.format.is_certain() || report.format.is_of_schema_alone();
    // Data that such a format rejects may be valid in another one.
    if !rivals.is_empty() {
        let _ = write!(format, " or {}", rivals.join(" or "));
    } else if !report.format.id.is_empty() && !is_told {
        let _ = write!(format, ", {}", report.format.certainty());
    }
    let mut text = format!(" ({format}): {}", count(counts.records, "record"));
    if counts.invalid > 0 {
        let _ = write!(text, ", {} with errors", counts.invalid);
    }
    if let Some(words) = loss(report) {
        let _ = write!(text, "; loads, but loses {words}");
    }
    Line::of([
        (Role::Plain, format!("{}: ", one_line(file))),
        (Role::Verdict(report.verdict()), verdict.to_owned()),
        (Role::Plain, text),
    ])
}

/// A line on what a system does with a file, of several that it is checked for: `data.jsonl: quest: takes all 12 records`.
pub fn system_line(report: &Report, file: &str) -> Line {
    let (verdict, does, what) = system_words(report);
    Line::of([
        (Role::Plain, format!("{}: {}: ", one_line(file), named(&report.format))),
        (Role::Verdict(verdict), does.to_owned()),
        (Role::Plain, format!(" {what}")),
    ])
}

/// How a system takes a file: a verb, and the rest of the sentence.
pub fn system_words(report: &Report) -> (Verdict, &'static str, String) {
    let Counts { records, errors, .. } = report.counts;
    if let Some(words) = loss(report) {
        return (Verdict::Valid, "takes", format!("{}, and loses {words}", count(records, "record")));
    }
    if errors > 0 {
        let first = report.findings.iter().find(|finding| finding.severity == Severity::Error);
        let at = first.and_then(|error| error.line).map(|line| format!(" at line {line}"));
        let path = first.and_then(|error| error.path.as_ref()).map(|path| format!("{}: ", one_line(path)));
        let why = first.map(|error| {
            format!("{}: {}{}", at.unwrap_or_default(), path.unwrap_or_default(), one_line(&error.message))
        });
        let more = if errors > 1 || first.is_none() {
            format!(" ({})", count(errors, "error"))
        } else {
            String::new()
        };
        return (Verdict::Invalid, "refuses", format!("it{}{more}", why.unwrap_or_default()));
    }
    match records {
        _ if !report.checked => (Verdict::NotChecked, "is not checked", "to the end".to_owned()),
        1 => (Verdict::Valid, "takes", "the one record".to_owned()),
        _ => (Verdict::Valid, "takes", format!("all {}", count(records, "record"))),
    }
}

/// The losses when the system loads the dataset, in words: `12 lines, 3 keys`.
pub fn loss(report: &Report) -> Option<String> {
    let loss = report.counts.loss;
    (report.checked && !loss.is_empty()).then(|| loss.in_words())
}

/// A report about one file with one line for each finding, and the sum. Each line ends with `\n`.
pub fn report_text(report: &Report, file: &str) -> String {
    let mut sum = Sum::default();
    sum.add(report);
    file_text(report, file) + &sum_text(&sum)
}

/// The text about one of several files: a line for each finding, and the verdict.
pub fn file_text(report: &Report, file: &str) -> String {
    let findings = report.findings.iter().map(|finding| finding_line(finding, file));
    let listed = report.findings.len() as u64;
    let end = omission_line(report, file, listed).into_iter().chain([verdict_line(report, file)]);
    findings.chain(end).fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{line}");
        out
    })
}

/// The last line of a text, with its line break; empty if there is none.
pub fn sum_text(sum: &Sum) -> String {
    sum.text().map(|text| text + "\n").unwrap_or_default()
}

/// The parts of a finding in a list about one file. `Display` joins them: `line 3: input.messages: Required`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingText {
    /// `line 3: `, or the entry or file that the finding is about.
    pub place: String,
    /// `input.messages: `; empty if the finding is not about a value.
    pub path: String,
    /// `Required`; begins with `warning: ` or `info: ` if it is not an error.
    pub message: String,
}

impl Display for FindingText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.place, self.path, self.message)
    }
}

/// The parts of a finding in a list about one file; `file` is its place if it has neither a line nor an entry.
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
