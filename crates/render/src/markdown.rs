//! A finding, and the summary of a report, as Markdown for an issue.
//!
//! All content from a dataset is code, in a span or a fence: never markup, a link or a mention of a user.

use std::fmt::Write;

use evalcheck_report::text::one_line;
use evalcheck_report::{Finding, Report};
use evalcheck_wire::findings::FindingGroup;

use crate::checked::{CheckedFile, Group, Unread};
use crate::text::{filter_line, verdict_line};

/// A finding of a file, and the part of the dataset around it.
///
/// ```
/// # use evalcheck_report::{Finding, Severity};
/// # use evalcheck_render::markdown::finding_issue;
/// let finding = Finding {
///     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
///     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
///     message: "Required".into(), hint: None, says: None, refused_by: None, related: Vec::new(), entry: None, fix: None, loss: None,
/// };
/// assert_eq!(
///     finding_issue(&finding, "data.jsonl", Some("{\"input\": {}}")),
///     "**error** `shape/missing-key` in `data.jsonl`, line 3\n\n\
///      - Path: `input.messages`\n- Message: `Required`\n\n```\n{\"input\": {}}\n```\n"
/// );
/// ```
pub fn finding_issue(finding: &Finding, file: &str, excerpt: Option<&str>) -> String {
    let mut text = format!("**{}** {} in {}", finding.severity.as_str(), span(&finding.code), span(file));
    if let Some(entry) = &finding.entry {
        let _ = write!(text, ", {}", span(entry));
    }
    if let Some(line) = finding.line {
        let _ = write!(text, ", line {line}");
    }
    text.push_str("\n\n");
    let facts = [
        ("Path", finding.path.as_deref()),
        ("Message", Some(finding.message.as_str())),
        ("Hint", finding.hint.as_deref()),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            let _ = writeln!(text, "- {name}: {}", span(fact));
        }
    }
    if let Some(excerpt) = excerpt {
        let _ = writeln!(text, "\n{}", fenced(excerpt));
    }
    text
}

/// The verdict of a file, and a list of the groups of its findings with their first lines.
///
/// ```
/// # use evalcheck_wire::findings::FindingGroup;
/// # use evalcheck_report::Severity;
/// # use evalcheck_render::markdown::group_line;
/// let group = FindingGroup {
///     code: "shape/missing-key".into(), severity: Severity::Error, summary: "A key is missing.".into(),
///     path: Some("input.*.role".into()), message: Some("Required".into()), brief: None, findings: 4, safe_fixes: 0, unsafe_fixes: 0,
///     records: 4, first: 0, lines: vec![3, 7, 9], strip: Vec::new(),
/// };
/// assert_eq!(
///     group_line(&group),
///     "**error** `shape/missing-key` at `input.*.role`: `Required` (4 findings; lines 3, 7, 9, ...)"
/// );
/// ```
pub fn summary(report: &Report, groups: &[FindingGroup], file: &str) -> String {
    let mut text = format!("{}\n", span(&verdict_line(report, file).to_string()));
    for group in groups {
        let _ = write!(text, "\n- {}", group_line(group));
    }
    if !groups.is_empty() {
        text.push('\n');
    }
    text
}

/// The most groups of a file in a report.
const MOST_GROUPS: usize = 100;

/// The verdict of each file, and a table of its findings by rule and path; then the files that were not read.
pub fn report(files: &[CheckedFile], unread: &[Unread]) -> String {
    // A cell of a table ends at a bar, even in a code span.
    let cell = |text: &str| span(text).replace('|', "\\|");
    let mut text = String::new();
    for file in files {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", span(&verdict_line(&file.report, &file.file).to_string()));
        if let Some(line) = filter_line(&file.report, &file.file) {
            let _ = writeln!(text, "\n{}", span(&line.to_string()));
        }
        let mut groups: Vec<_> = file.groups.iter().collect();
        groups.sort_by_key(|group| (group.first.severity, std::cmp::Reverse(group.findings)));
        if !groups.is_empty() {
            text.push_str("\n| | Rule | Path | Findings | First line | Message of the first |\n|---|---|---|--:|--:|---|\n");
        }
        for Group { findings, first } in groups.iter().take(MOST_GROUPS) {
            let path = first.path_pattern().map(|path| cell(&path)).unwrap_or_default();
            let line = first.line.map(|line| line.to_string()).unwrap_or_default();
            let (severity, code, message) =
                (first.severity.as_str(), cell(&first.code), cell(&first.message));
            let _ = writeln!(text, "| {severity} | {code} | {path} | {findings} | {line} | {message} |");
        }
        if groups.len() > MOST_GROUPS {
            let _ = writeln!(text, "\n{} more kinds of findings.", groups.len() - MOST_GROUPS);
        }
    }
    for file in unread {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", of_unread(file));
    }
    text
}

/// A file that was not read, on one line.
pub(crate) fn of_unread(file: &Unread) -> String {
    span(&format!("{}: {}", file.file, file.message()))
}

/// A group on one line.
pub fn group_line(group: &FindingGroup) -> String {
    let mut text = format!("**{}** {}", group.severity.as_str(), span(&group.code));
    if let Some(path) = &group.path {
        let _ = write!(text, " at {}", span(path));
    }
    let noun = if group.findings == 1 { "finding" } else { "findings" };
    let what = group.message.as_ref().unwrap_or(&group.summary);
    let _ = write!(text, ": {} ({} {noun}", span(what), group.findings);
    let lines: Vec<String> = group.lines.iter().map(u64::to_string).collect();
    if !lines.is_empty() {
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let more = if group.findings > lines.len() as u64 { ", ..." } else { "" };
        let _ = write!(text, "; {word} {}{more}", lines.join(", "));
    }
    text.push(')');
    text
}

/// A code span of a text on one line. Markdown has no empty span, so an empty text is written as two quotes.
fn span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // Markdown removes a space at each end.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A block of code.
pub(crate) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_end_where_the_text_ends() {
        assert_eq!(span("a"), "`a`");
        assert_eq!(span("a`b``c"), "```a`b``c```");
        assert_eq!(span("`"), "`` ` ``");
        assert_eq!(span(" a"), "`  a `");
        assert_eq!(span(""), "`\"\"`");
        assert!(!span("a\n\n# b").contains('\n'));
    }

    #[test]
    fn a_table_has_a_row_for_each_group() {
        use crate::checked::tests::{assert_tame, file, unread};
        use evalcheck_report::Severity;

        let files = [
            file("a|b.jsonl", &[("a/b", Severity::Warning, 2), ("a/c", Severity::Error, 3)]),
            file("c", &[]),
        ];
        let text = report(&files, &[unread("d")]);
        assert_tame(&text);
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| error") || line.starts_with("| warning"))
            .collect();
        assert!(rows[0].starts_with("| error | `a/c` |") && rows[0].contains("| 3 | 1 |"), "{text}");
        let columns = |row: &str| row.replace("\\|", "").matches('|').count();
        assert!(rows.len() == 2 && rows.iter().all(|row| columns(row) == 7), "{text}");
    }

    #[test]
    fn runs_of_backticks() {
        assert_eq!(longest_run(""), 0);
        assert_eq!(longest_run("a``b````c`"), 4);
    }
}
