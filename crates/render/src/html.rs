//! A report as one self-contained HTML page: no script, no file, no network.
//!
//! All content from a dataset is text: never markup, a link or a style.

mod overview;

use std::fmt::Write;

use evalcheck_report::text::{Inert, count, is_joiner, needs_escape};
use evalcheck_report::view::Excerpt;
use evalcheck_report::{Finding, Report, Severity};
use evalcheck_wire::findings::{ExampleGroup, FindingGroup};

use crate::text::verdict_line;

/// The style sheet of the page.
const STYLE: &str = include_str!("html.css");

/// The page for a file with this name. With `quotes_data` it contains parts of the dataset: the examples of each group, and the messages,
/// which name values. Without, it has no value of the dataset, only names of keys and numbers of lines. It contains the statistics if the
/// report does.
///
/// ```
/// # use evalcheck_render::html::page;
/// # let report = serde_json::from_str(r#"{
/// #   "report": "evalcheck/report/v1", "tool": {"name": "evalcheck", "version": "0"}, "file": {"name": "a", "size": 1},
/// #   "format": {"id": "juryarena", "version": "", "detected": true, "confidence": 95, "reason": "", "others": []}, "valid": true, "checked": true,
/// #   "counts": {"lines": 1, "records": 1, "valid": 1, "invalid": 0, "blank": 0, "header": 0, "errors": 0, "warnings": 0, "infos": 0, "by_code": {}},
/// #   "truncated": false, "findings": []
/// # }"#).unwrap();
/// let html = page(&report, "<a>.jsonl", &[], true);
/// assert!(html.contains("<title>&lt;a&gt;.jsonl: valid"));
/// ```
pub fn page(report: &Report, file: &str, groups: &[ExampleGroup], quotes_data: bool) -> String {
    let verdict = report.verdict().as_str();
    let line = escaped(&verdict_line(report, file).to_string());
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{line}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1 class=\"{verdict}\">{line}</h1>\n"
    );
    facts(&mut html, report, quotes_data);
    if groups.is_empty() {
        html.push_str("<p>No findings.</p>\n");
    }
    for group in groups {
        section(&mut html, group, quotes_data);
    }
    if let Some(overview) = &report.overview {
        overview::write(&mut html, overview, quotes_data);
    }
    let tool = &report.tool;
    let _ = writeln!(
        html,
        "<footer>{} {}</footer>\n</main>\n</body>\n</html>",
        escaped(&tool.name),
        escaped(&tool.version)
    );
    html
}

fn facts(html: &mut String, report: &Report, quotes_data: bool) {
    let counts = &report.counts;
    html.push_str("<table>\n");
    for (name, number) in [
        ("Bytes", report.file.size),
        ("Records", counts.records),
        ("Valid", counts.valid),
        ("Invalid", counts.invalid),
        ("Errors", counts.errors),
        ("Warnings", counts.warnings),
        ("Notes", counts.infos),
    ] {
        let _ = writeln!(html, "<tr><th scope=\"row\">{name}</th><td>{number}</td></tr>");
    }
    html.push_str("</table>\n");
    for note in report.notes.iter().filter(|_| quotes_data) {
        let _ = writeln!(html, "<p>{}</p>", escaped(note));
    }
}

fn section(html: &mut String, ExampleGroup { group, examples }: &ExampleGroup, quotes_data: bool) {
    let FindingGroup { code, severity, summary, path, message, findings, records, safe_fixes, lines, .. } =
        group;
    let class = severity.as_str();
    let mark = match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    };
    let _ = write!(html, "<section>\n<h2><span class=\"{class}\">{mark}</span> ");
    if let Some(path) = path {
        let _ = write!(html, "<code>{}</code> ", escaped(path));
    }
    let what = message.as_deref().filter(|_| quotes_data).unwrap_or(summary);
    let _ = writeln!(html, "{}</h2>", escaped(what));
    let mut facts = format!("<code>{}</code>: {}", escaped(code), count(*findings, "finding"));
    if *records > 0 {
        let _ = write!(facts, " in {}", count(*records, "record"));
    }
    if *safe_fixes > 0 {
        let _ = write!(facts, ", {safe_fixes} with a safe fix");
    }
    let _ = writeln!(html, "<p>{facts}</p>");
    if quotes_data {
        for (finding, excerpt) in examples {
            example(html, finding, excerpt.as_ref(), message.is_none());
        }
    } else if !lines.is_empty() {
        let numbers: Vec<String> = lines.iter().map(u64::to_string).collect();
        let more = if *findings > lines.len() as u64 { ", …" } else { "" };
        let _ = writeln!(html, "<p>First lines: {}{more}</p>", numbers.join(", "));
    }
    html.push_str("</section>\n");
}

fn example(html: &mut String, finding: &Finding, excerpt: Option<&Excerpt>, has_message: bool) {
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("Line {line}, column {column}"),
        (Some(line), None) => format!("Line {line}"),
        (None, _) => "File".to_owned(),
    };
    let _ = writeln!(html, "<div class=\"example\">\n<p class=\"place\">{place}</p>");
    if has_message {
        let _ = writeln!(html, "<p>{}</p>", escaped(&finding.message));
    }
    if let Some(Excerpt { text, start, end, clipped_before, clipped_after }) = excerpt
        && let (Some(before), Some(marked), Some(after)) =
            (text.get(..*start), text.get(*start..*end), text.get(*end..))
    {
        let dots = |is_clipped: &bool| if *is_clipped { "…" } else { "" };
        let _ = writeln!(
            html,
            "<pre dir=\"auto\">{}{}<mark>{}</mark>{}{}</pre>",
            dots(clipped_before),
            escaped(before),
            escaped(marked),
            escaped(after),
            dots(clipped_after)
        );
    }
    if let Some(readers) = &finding.refused_by {
        let _ = writeln!(html, "<p>Refused by {}.</p>", escaped(readers));
    }
    if let Some(hint) = &finding.hint {
        let _ = writeln!(html, "<p class=\"hint\">{}</p>", escaped(hint));
    }
    html.push_str("</div>\n");
}

/// Escapes a text for the content or a quoted attribute of an element. Characters that hide or reorder others, and those that HTML does
/// not allow, are written as escapes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line = Inert::default();
    for (at, c) in text.char_indices() {
        match c {
            c if line.acts(c) => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if needs_escape(c) && !is_joiner(text, at) => {
                let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use evalcheck_report::overview::{
        Bucket, Categories, Category, Distribution, Fact, Histogram, Number, Overview, PathFacts, TypeCounts,
    };

    use super::*;

    const REPORT: &str = r#"{
        "report": "evalcheck/report/v1", "tool": {"name": "evalcheck", "version": "0"}, "file": {"name": "a", "size": 1},
        "format": {"id": "juryarena", "version": "", "detected": true, "confidence": 95, "reason": "", "others": []}, "valid": false, "checked": true,
        "counts": {"lines": 1, "records": 1, "valid": 0, "invalid": 1, "blank": 0, "header": 0, "errors": 1, "warnings": 0, "infos": 0, "by_code": {}},
        "truncated": false, "notes": ["A note of Mallory"], "findings": []
    }"#;

    fn group() -> ExampleGroup {
        let finding = serde_json::from_str(
            r#"{"code":"shape/type","severity":"error","line":3,"column":7,"message":"received <script>secret()</script>","hint":"not 'secret'"}"#,
        )
        .unwrap();
        let excerpt = Excerpt {
            text: "{\"a\":<b>secret</b>&amp;\u{1}}".to_owned(),
            start: 5,
            end: 8,
            clipped_before: true,
            clipped_after: false,
        };
        ExampleGroup {
            group: FindingGroup {
                code: "shape/type".into(),
                severity: Severity::Error,
                summary: "A value has another type.".into(),
                path: Some("a.*".into()),
                message: None,
                brief: None,
                findings: 5,
                safe_fixes: 1,
                unsafe_fixes: 0,
                records: 4,
                first: 0,
                lines: vec![3, 4],
                strip: Vec::new(),
            },
            examples: vec![(finding, Some(excerpt))],
        }
    }

    #[test]
    fn what_a_dataset_decides_is_text() {
        let html = page(&serde_json::from_str(REPORT).unwrap(), "\"><img src=x>", &[group()], true);
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<b>"), "{html}");
        assert!(
            html.contains("…{&quot;a&quot;:<mark>&lt;b&gt;</mark>secret&lt;/b&gt;&amp;amp;\\u{0001}}"),
            "{html}"
        );
        assert!(html.contains("5 findings in 4 records, 1 with a safe fix"), "{html}");
        assert!(html.contains("A note of Mallory"), "{html}");
    }

    #[test]
    fn the_overview_is_told_without_its_values_where_data_is_left_out() {
        let value = |value: &str| Category { value: value.to_owned(), count: 3 };
        let values = Some(Categories { values: vec![value("<i>mallory</i>")], others: 0 });
        let path = PathFacts { path: "input.<b>".into(), values, records: 3, ..PathFacts::default() };
        let number = Number::new(777_777.0);
        let numbers = Histogram::new(vec![Bucket { index: 0, from: number, to: number, count: 11 }], 0.0);
        let types = TypeCounts { number: 11, ..TypeCounts::default() };
        let of_numbers = PathFacts { path: "n".into(), numbers, types, records: 3, ..PathFacts::default() };
        let categories = Categories { values: vec![value("mallory")], others: 0 };
        let fact = Fact {
            name: "roles".into(),
            title: "Roles".into(),
            paths: vec!["a".into()],
            distribution: Distribution::Categories(categories),
            by: None,
        };
        let overview = Overview {
            records: 3,
            valid: 3,
            paths: vec![path, of_numbers],
            facts: vec![fact],
            ..Overview::default()
        };
        let report = Report { overview: Some(overview), ..serde_json::from_str(REPORT).unwrap() };
        let with = page(&report, "a", &[], true);
        for text in
            ["Roles", "mallory", "777,777", "&lt;i&gt;mallory&lt;/i&gt;", "input.&lt;b&gt;", "3 records"]
        {
            assert!(with.contains(text), "{text}");
        }
        assert!(!with.contains("<i>") && !with.contains("<b>"));
        let without = page(&report, "a", &[], false);
        assert!(
            !without.contains("allory")
                && !without.contains("777,777")
                && without.contains("3 records")
                && without.contains("input.&lt;b&gt;")
        );
    }

    #[test]
    fn without_data_no_value_is_quoted() {
        let html = page(&serde_json::from_str(REPORT).unwrap(), "a.jsonl", &[group()], false);
        assert!(!html.contains("secret") && !html.contains("Mallory"), "{html}");
        assert!(html.contains("First lines: 3, 4, …"), "{html}");
    }
}
