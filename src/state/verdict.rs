//! The texts of the verdict.

use evalcheck_render::overview::sections::loaded_sentence;
use evalcheck_render::text::loss;
use evalcheck_report::text::{clip, one_line};
use evalcheck_report::{Counts, Finding, Report, Severity, Verdict};
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::worker::Progress;

use super::check::{Check, Ending, Loss, Phase};
use crate::display::format_number::{counted, grouped, percent};

/// The heading of the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Headline {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// One line.
    pub(crate) title: String,
    /// The same in a few words, for a narrow screen; empty if the title has few.
    pub(crate) short: String,
    /// One more sentence, if needed.
    pub(crate) note: Option<String>,
}

/// The rule for a file that no format matches.
const NOT_RECOGNISED: &str = "format/not-recognised";

/// Returns true if no format matches the file.
pub(crate) fn is_unknown(report: &Report) -> bool {
    report.counts.by_code.contains_key(NOT_RECOGNISED)
}

/// The headline of a check; `None` until it has ended.
pub(crate) fn headline(check: &Check, catalogue: &Catalogue) -> Option<Headline> {
    let verdict = check.verdict()?;
    let (title, note) = match &check.phase {
        Phase::Done(Ending::Reported { report, cancelled }) => match verdict {
            Verdict::Valid => valid(check, report, catalogue),
            Verdict::Readable => readable(report),
            Verdict::Undecided => ("No verdict before you choose".to_owned(), None),
            Verdict::Invalid => invalid(check, report, catalogue),
            Verdict::NotChecked => not_checked(check, report, *cancelled),
        },
        Phase::Done(Ending::Lost(loss)) => {
            let Progress { bytes, lines, records, errors, .. } = check.progress;
            let found = || format!("{} in {}", counted(errors, "error"), counted(records, "record"));
            let title = match loss {
                Loss::Cancelled => stopped(check, bytes, &found()),
                Loss::Died(_) | Loss::Silent => not_checked_from(bytes),
            };
            (title, Some(lost(lines, loss)))
        }
        Phase::Waiting | Phase::Running | Phase::Stopping => return None,
    };
    let note = check.changed.as_ref().map(ToString::to_string).or(note);
    let of_files = check.report().map(|report| of_files(report)).unwrap_or_default();
    let short = short(check, verdict, &title);
    let short = if short.is_empty() { short } else { [&of_files, &*short].concat() };
    Some(Headline { verdict, short, title: [of_files, title].concat(), note })
}

/// The beginning of a headline that is about one of several files in a ZIP; else empty.
fn of_files(report: &Report) -> String {
    match report.file.other_entries.len() as u64 {
        0 => String::new(),
        others => format!("1 of {}: ", counted(others + 1, "file")),
    }
}

/// The title in a few words.
fn short(check: &Check, verdict: Verdict, title: &str) -> String {
    let Some(report) = check.report().filter(|_| verdict != Verdict::NotChecked) else {
        if title == UNUSABLE {
            return "Schema is unusable".to_owned();
        }
        if title == MISFIT {
            return "Schema does not fit".to_owned();
        }
        return title.split_once(": ").map_or("Not checked", |(short, _)| short).to_owned();
    };
    let counts = &report.counts;
    match verdict {
        Verdict::Valid => format!("Valid: {}", counted(counts.records, "record")),
        Verdict::Readable => format!("{}, readable", counted(counts.records, "record")),
        Verdict::Undecided => String::new(),
        _ if is_unknown(report) => "Not recognised".to_owned(),
        _ if counts.invalid == 0 => String::new(),
        _ => format!("{} of {} invalid", grouped(counts.invalid), grouped(counts.records)),
    }
}

/// A sentence about the records as the system loads them; `None` if this is unknown or was not counted.
pub(crate) fn as_loaded(check: &Check, catalogue: &Catalogue) -> Option<String> {
    let loaded = check.overview()?.loaded.as_ref()?;
    Some(loaded_sentence(loaded, system(check, catalogue)))
}

/// The system that reads the format against which the file was checked.
fn system<'c>(check: &Check, catalogue: &'c Catalogue) -> &'c str {
    check.format(catalogue).map_or("The system", |format| &format.system)
}

fn valid(check: &Check, report: &Report, catalogue: &Catalogue) -> (String, Option<String>) {
    let system = system(check, catalogue);
    let note = match report.counts.warnings {
        0 => None,
        1 => Some("1 warning: the dataset loads, but read the warning first.".to_owned()),
        n => Some(format!("{} warnings: the dataset loads, but read the warnings first.", grouped(n))),
    };
    let title = match schema_name(report) {
        None => format!("Valid: {system} will load it"),
        Some(schema) if report.format.plain => {
            let verb = if report.counts.records == 1 { "follows" } else { "follow" };
            format!("Valid: {} {verb} {schema}", counted(report.counts.records, "record"))
        }
        Some(schema) => format!("Valid: {system} will load it, and it follows {schema}"),
    };
    (title, note)
}

/// The maximum number of characters of the name of a schema in a title.
const MOST_OF_NAME: usize = 40;

/// The category of the rules of the user's own schema.
const OF_SCHEMA: &str = "schema/";

/// The name of the user's own schema, if the file was checked with one.
fn schema_name(report: &Report) -> Option<String> {
    report.format.schema.as_deref().map(|name| one_line(&clip(name, MOST_OF_NAME)))
}

/// The title of an invalid file that was checked with a schema of the user's own; `None` if nothing violates the schema.
fn violates_schema(check: &Check, report: &Report, catalogue: &Catalogue) -> Option<String> {
    let (counts, schema) = (&report.counts, schema_name(report)?);
    let of_schema: u64 =
        counts.by_code.iter().filter(|(code, _)| code.starts_with(OF_SCHEMA)).map(|(_, n)| n).sum();
    if of_schema == 0 {
        return None;
    }
    let invalid = format!("{} of {}", grouped(counts.invalid), counted(counts.records, "record"));
    let do_not = if counts.invalid == 1 { "does not" } else { "do not" };
    let only_schema = of_schema == counts.errors;
    // Records that the schema rejects and those that the system rejects are not counted apart.
    Some(match loss(report) {
        _ if report.format.plain && !only_schema => format!("Not valid: {invalid} have errors"),
        _ if report.format.plain => format!("Not valid: {invalid} {do_not} follow {schema}"),
        Some(loss) => format!("Not valid: it loads, but loses {loss}, and does not follow {schema}"),
        None if only_schema => {
            let system = system(check, catalogue);
            format!("Not valid: {system} will load it, but {invalid} {do_not} follow {schema}")
        }
        None => format!("Not valid: {invalid} would be rejected or {do_not} follow {schema}"),
    })
}

/// The texts for plain data.
fn readable(report: &Report) -> (String, Option<String>) {
    let readable = if report.counts.records == 1 { "readable" } else { "all readable" };
    let title = format!("{}, {readable}", counted(report.counts.records, "record"));
    let note =
        report.format.is_fallback().then(|| format!("Not checked for a system: {}.", report.format.reason));
    (title, note)
}

fn invalid(check: &Check, report: &Report, catalogue: &Catalogue) -> (String, Option<String>) {
    let counts = &report.counts;
    if is_unknown(report) {
        let known = report.findings.iter().find(|finding| finding.code == NOT_RECOGNISED);
        let reason = known.and_then(|finding| Some(finding.message.split_once(": ")?.1));
        return (format!("Not a format we know: {}", reason.unwrap_or("nothing fits")), None);
    }
    // A single record may be all of them, in an array.
    if counts.invalid == 0 || counts.records == 1 {
        return (format!("Not valid: {}", counted(counts.errors, "error")), None);
    }
    let title = match (violates_schema(check, report, catalogue), loss(report)) {
        (Some(title), _) => title,
        (None, None) if report.format.plain => {
            format!("{} of {} have errors", grouped(counts.invalid), counted(counts.records, "record"))
        }
        (None, Some(loss)) => format!("Not valid: it loads, but loses {loss}"),
        (None, None) => format!(
            "Not valid: {} of {} would be rejected",
            grouped(counts.invalid),
            counted(counts.records, "record")
        ),
    };
    // Errors of the whole dataset are listed last, where they are hard to find after a thousand other errors.
    let concerns_dataset = |finding: &&Finding| finding.severity == Severity::Error && finding.line.is_none();
    let mut errors = report.findings.iter().filter(concerns_dataset);
    let note = errors.next().map(|first| match errors.count() {
        0 => format!("The dataset as a whole: {}.", first.message),
        more => {
            format!("The dataset as a whole: {}, and {}.", first.message, counted(more as u64, "more error"))
        }
    });
    (title, note)
}

/// The rules for a file that was not read to the end. Their finding is at the first unread byte.
const NOT_READ: [&str; 2] = ["file/not-read", "file/cancelled"];

/// The titles for a schema that cannot be held against the file.
const UNUSABLE: &str = "Not checked: the schema cannot be used";
const MISFIT: &str = "Not checked: the schema describes another dataset";

/// Whether nothing was checked because the user's own schema cannot be held against the file.
pub(crate) fn is_schema_refused(report: &Report) -> bool {
    report.findings.iter().any(|finding| schema_refused(finding).is_some())
}

/// The title for a finding that the user's own schema cannot be held against the file, and why.
fn schema_refused(finding: &Finding) -> Option<(&'static str, String)> {
    let (title, said) = match finding.code.as_str() {
        "schema/unusable" => (UNUSABLE, "the schema cannot be used, "),
        "schema/other-dataset" => (MISFIT, ""),
        _ => return None,
    };
    // The title says what the message begins with.
    let why = finding.message.strip_prefix("nothing was checked: ").and_then(|why| why.strip_prefix(said));
    Some((title, why.unwrap_or(&finding.message).to_owned()))
}

/// The note on a file that cannot be read, or is empty now.
pub(super) const GONE: &str = "This file cannot be read any more: moved or deleted? Drop it again.";

fn not_checked(check: &Check, report: &Report, cancelled: bool) -> (String, Option<String>) {
    if check.changed.is_some() {
        return ("Not checked: the file changed".to_owned(), None);
    }
    if let Some((title, why)) = report.findings.iter().find_map(schema_refused) {
        return (title.to_owned(), Some(why));
    }
    let stop = report.findings.iter().rev().find(|finding| NOT_READ.contains(&finding.code.as_str()));
    let title = match stop.and_then(|finding| finding.byte_start) {
        Some(byte) => not_checked_from(byte),
        None => "Not checked".to_owned(),
    };
    if cancelled {
        let Counts { lines, records, invalid, errors, .. } = report.counts;
        let verb = if invalid == 1 { "is" } else { "are" };
        let found = match records {
            0 => counted(errors, "error"),
            _ => format!("{} of {} {verb} invalid", grouped(invalid), counted(records, "record")),
        };
        let byte = stop.and_then(|finding| finding.byte_start).unwrap_or(check.progress.bytes);
        let note = format!("You cancelled the check after {}.", counted(lines, "line"));
        return (stopped(check, byte, &found), Some(note));
    }
    // Only reading tells a file that is gone from an empty one.
    if check.dataset.size == 0 && stop.is_some() {
        return ("Not checked".to_owned(), Some(GONE.to_owned()));
    }
    let why =
        stop.or_else(|| report.findings.iter().rev().find(|finding| finding.severity == Severity::Error));
    (title, why.map(|finding| finding.message.clone()))
}

/// The title of a cancelled check, with what it had found when `bytes` were read.
fn stopped(check: &Check, bytes: u64, found: &str) -> String {
    format!("Stopped at {} %: {found} so far", percent(bytes, check.dataset.size))
}

fn not_checked_from(bytes: u64) -> String {
    format!("Not checked from byte {} on", grouped(bytes))
}

fn lost(lines: u64, loss: &Loss) -> String {
    let line = grouped(lines.saturating_add(1));
    match loss {
        Loss::Died(_) => format!("The checking engine failed near line {line} and was restarted."),
        Loss::Silent => format!("The checking engine stopped responding near line {line} and was restarted."),
        Loss::Cancelled => format!("You cancelled the check near line {line}."),
    }
}
