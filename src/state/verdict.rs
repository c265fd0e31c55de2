//! The verdict in words.

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::{Finding, Report, Severity, Verdict};

use super::check::{Check, Ending, Loss, Phase};
use super::number::{counted, grouped};

/// The verdict as it is written above everything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Headline {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// One line, in large letters.
    pub(crate) words: String,
    /// What one has to know besides.
    pub(crate) note: Option<String>,
}

/// The rule for a file that no format fits.
const NOT_RECOGNISED: &str = "format/not-recognised";

/// True when no format fits, so that there is nothing to look at but the formats.
pub(crate) fn is_unknown(report: &Report) -> bool {
    report.counts.by_code.of(NOT_RECOGNISED) > 0
}

/// The headline of a check; `None` until it is over.
pub(crate) fn headline(check: &Check, catalogue: &Catalogue) -> Option<Headline> {
    let verdict = check.verdict()?;
    let (words, note) = match &check.phase {
        Phase::Done(Ending::Reported { report, cancelled }) => match verdict {
            Verdict::Valid => valid(report, catalogue),
            Verdict::Invalid => invalid(report),
            Verdict::NotChecked => not_checked(check, report, *cancelled),
        },
        Phase::Done(Ending::Lost(loss)) => (not_checked_from(check.progress.bytes), Some(lost(check, loss))),
        Phase::Waiting | Phase::Running | Phase::Stopping => return None,
    };
    let note = check.changed.as_ref().map(ToString::to_string).or(note);
    Some(Headline { verdict, words, note })
}

fn valid(report: &Report, catalogue: &Catalogue) -> (String, Option<String>) {
    let system = catalogue
        .formats
        .iter()
        .find(|format| format.id == report.format.id)
        .map_or(report.format.id.as_str(), |format| format.system.as_str());
    let note = (report.counts.warnings > 0).then(|| {
        let (count, it) = (
            counted(report.counts.warnings, "warning"),
            if report.counts.warnings == 1 { "it" } else { "them" },
        );
        format!("{count}: the dataset loads, but read {it} first.")
    });
    (format!("Valid: {system} will take it"), note)
}

fn invalid(report: &Report) -> (String, Option<String>) {
    let counts = &report.counts;
    if is_unknown(report) {
        return ("Not valid: of no known format".to_owned(), None);
    }
    if counts.invalid == 0 {
        return (format!("Not valid: {}", counted(counts.errors, "error")), None);
    }
    let words = format!(
        "Not valid: {} of {} would be rejected",
        grouped(counts.invalid),
        counted(counts.records, "record")
    );
    // They stand at the end of the list, where nobody would look for them behind a thousand lines.
    let is_whole = |finding: &&Finding| finding.severity == Severity::Error && finding.line.is_none();
    let mut of_whole = report.findings.iter().filter(is_whole);
    let note = of_whole.next().map(|first| match of_whole.count() {
        0 => format!("The dataset as a whole: {}.", first.message),
        more => {
            format!("The dataset as a whole: {}, and {}.", first.message, counted(more as u64, "more error"))
        }
    });
    (words, note)
}

/// What the engine says of a file that it did not read to its end, and from which byte on.
const NOT_READ: [&str; 2] = ["file/not-read", "file/cancelled"];

fn not_checked(check: &Check, report: &Report, cancelled: bool) -> (String, Option<String>) {
    if check.changed.is_some() {
        return ("Not checked: the file changed".to_owned(), None);
    }
    let stop = report.findings.iter().rev().find(|finding| NOT_READ.contains(&finding.code.as_str()));
    let words = match stop.and_then(|finding| finding.byte_start) {
        Some(byte) => not_checked_from(byte),
        None => "Not checked".to_owned(),
    };
    if cancelled {
        return (
            words,
            Some(format!("You stopped the check after {}.", counted(report.counts.lines, "line"))),
        );
    }
    let why =
        stop.or_else(|| report.findings.iter().rev().find(|finding| finding.severity == Severity::Error));
    (words, why.map(|finding| finding.message.clone()))
}

fn not_checked_from(bytes: u64) -> String {
    format!("Not checked from byte {} on", grouped(bytes))
}

fn lost(check: &Check, loss: &Loss) -> String {
    let line = grouped(check.progress.lines.saturating_add(1));
    match loss {
        Loss::Died(_) => format!("The checking engine failed at about line {line}. A new one was started."),
        Loss::Silent => {
            format!(
                "The checking engine gave no sign of life for 10 seconds, at about line {line}. A new one was started."
            )
        }
        Loss::Stopped => format!("You stopped the check at about line {line}."),
    }
}
