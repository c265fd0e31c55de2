//! The output of a check in a GitHub workflow, in addition to its log: annotations, which are commands in the log, and the summary of the
//! job.

use std::fmt::Write;

use evalcheck_report::Severity;
use evalcheck_report::text::{count, one_line};

use crate::checked::{CheckedFile, Group, NOT_READ, Unread, message};
use crate::markdown;

/// The most annotations of errors, and of warnings: GitHub shows no more of a step.
const MOST: usize = 10;

/// The commands that annotate files that were not read, and the first finding of each group, the groups with most findings first. Each is
/// on its own line.
pub fn annotations(files: &[CheckedFile], unread: &[Unread]) -> String {
    let mut out = String::new();
    for file in unread.iter().take(MOST) {
        let _ = writeln!(
            out,
            "::error file={},title={NOT_READ}::{}",
            property(&file.path()),
            data(&file.message())
        );
    }
    for (severity, command) in [(Severity::Error, "error"), (Severity::Warning, "warning")] {
        let mut groups: Vec<(&CheckedFile, &Group)> = files
            .iter()
            .flat_map(|file| file.groups.iter().map(move |group| (file, group)))
            .filter(|(_, group)| group.first.severity == severity)
            .collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.findings));
        for (file, group) in groups.into_iter().take(MOST) {
            let first = &group.first;
            let _ = write!(out, "::{command} file={}", property(&file.path()));
            for (name, place) in [("line", first.line), ("col", first.column)] {
                if let Some(place) = place {
                    let _ = write!(out, ",{name}={place}");
                }
            }
            let more = match group.findings - 1 {
                0 => String::new(),
                more => format!("\n{} like this.", count(more, "finding").replacen(' ', " more ", 1)),
            };
            let text = format!("{}{more}", message(first));
            let _ = writeln!(out, ",title={}::{}", property(&first.code), data(&text));
        }
    }
    out
}

/// The approximate maximum size of a summary in bytes. GitHub accepts a megabyte from a step.
const SUMMARY: usize = 500_000;

/// The summary of a job: the report as Markdown, as far as GitHub accepts it.
pub fn summary(files: &[CheckedFile], unread: &[Unread]) -> String {
    let mut out = String::from("### evalcheck\n\n");
    for file in unread.iter().take(MOST) {
        let _ = writeln!(out, "{}\n", markdown::of_unread(file));
    }
    if unread.len() > MOST {
        let _ = writeln!(out, "{} more could not be read.\n", count((unread.len() - MOST) as u64, "file"));
    }
    for (number, file) in files.iter().enumerate() {
        if out.len() > SUMMARY {
            let _ = writeln!(out, "{} more.", count((files.len() - number) as u64, "file"));
            break;
        }
        out.push_str(&markdown::report(std::slice::from_ref(file), &[]));
        out.push('\n');
    }
    out
}

/// The message of a command.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(one_line).collect();
    lines.join("\n").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::tests::{assert_tame, file, unread};

    #[test]
    fn the_largest_groups_are_annotated() {
        let rules: Vec<(String, Severity, u64)> =
            (1..=12).map(|number| (format!("a/r{number}"), Severity::Error, number)).collect();
        let mut rules: Vec<_> =
            rules.iter().map(|(code, severity, count)| (code.as_str(), *severity, *count)).collect();
        rules.extend([("w/w", Severity::Warning, 1), ("i/i", Severity::Info, 5)]);
        let text = annotations(&[file("a:b,%.jsonl", &rules)], &[]);
        assert_tame(&text);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 11, "10 errors and the warning: {text}");
        assert!(
            lines[0].starts_with("::error file=a%3Ab%2C%25.jsonl,line=1,col=7,title=a/r12::"),
            "{}",
            lines[0]
        );
        assert!(lines[0].ends_with("Use 'user'.%0A11 more findings like this."), "{}", lines[0]);
        let below = annotations(&[file("./data/b.jsonl", &[("a/a", Severity::Error, 1)])], &[]);
        assert!(below.starts_with("::error file=data/b.jsonl,"), "{below}");
        let missing = annotations(&[], &[unread("./c,d.jsonl")]);
        assert_tame(&missing);
        assert!(
            missing.starts_with("::error file=c%2Cd.jsonl,title=file/not-read::The file could"),
            "{missing}"
        );
        assert!(lines[10].starts_with("::warning ") && lines[10].ends_with("Use 'user'."), "{}", lines[10]);
    }
}
