//! A finding as Markdown, for an issue.
//!
//! All that a dataset can decide is code, in a span or a fence: it is no markup, no link and no mention of a user.

use std::fmt::Write;

use evalcheck_wire::report::Finding;
use evalcheck_wire::text::one_line;

/// A finding of a file, and the part of the dataset that it is in.
///
/// ```
/// # use evalcheck_wire::report::{Finding, Severity};
/// # use evalcheck_render::markdown::finding_issue;
/// let finding = Finding {
///     code: "shape/missing-key".into(), severity: Severity::Error, line: Some(3), column: Some(11),
///     byte_start: Some(310), byte_end: Some(312), record: Some(2), path: Some("input.messages".into()),
///     message: "Required".into(), hint: None, says: None, related: Vec::new(), entry: None, fix: None, loss: None,
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
        let fence = "`".repeat(longest_run(excerpt).max(2) + 1);
        let _ = writeln!(text, "\n{fence}\n{excerpt}\n{fence}");
    }
    text
}

/// A code span of a text on one line. An empty one does not exist, so it is written as two quotes.
fn span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // A space at each end is taken off again.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
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
    fn runs_of_backticks() {
        assert_eq!(longest_run(""), 0);
        assert_eq!(longest_run("a``b````c`"), 4);
    }
}
