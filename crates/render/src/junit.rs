//! A check as a `JUnit` report, for build servers: a suite for each file, a case for each rule that has a finding.

use std::collections::BTreeMap;
use std::fmt::Write;

use evalcheck_report::text::{count, one_line};
use evalcheck_report::{Finding, Severity, Verdict};

use crate::checked::{CheckedFile, Listed, NOT_READ, Unread, message};
use crate::text::verdict_line;

/// The most places that a case names.
const PLACES: usize = 20;

/// The report. Errors fail their case; warnings and infos are in its output. The first case of a suite is the verdict on the file, so a
/// file without findings has a case, and a file that could not be read or checked to its end fails.
pub fn report(files: &[CheckedFile], unread: &[Unread]) -> String {
    let suites: Vec<Suite> = files.iter().map(suite).chain(unread.iter().map(suite_of_unread)).collect();
    let tests: usize = suites.iter().map(|suite| suite.cases).sum();
    let failures: usize = suites.iter().map(|suite| suite.failures).sum();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"evalcheck\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n"
    );
    for Suite { name, cases, failures, xml: inner } in suites {
        let _ = write!(
            xml,
            "  <testsuite name=\"{name}\" tests=\"{cases}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n\
             {inner}  </testsuite>\n"
        );
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// The cases of a file.
#[derive(Default)]
struct Suite {
    name: String,
    cases: usize,
    failures: usize,
    xml: String,
}

impl Suite {
    /// Adds a case that fails with a message, or has some output.
    fn add(&mut self, case: &str, failure: Option<&str>, text: &str) {
        self.cases += 1;
        let outcome = match failure {
            Some(message) => {
                self.failures += 1;
                format!("<failure message=\"{message}\">{text}</failure>")
            }
            None => format!("<system-out>{text}</system-out>"),
        };
        let _ = write!(
            self.xml,
            "    <testcase classname=\"{}\" name=\"{case}\">\n      {outcome}\n    </testcase>\n",
            self.name
        );
    }
}

fn suite(file: &CheckedFile) -> Suite {
    let mut suite = Suite { name: escaped(&file.file), ..Suite::default() };
    let verdict = escaped(&verdict_line(&file.report, &file.file).to_string());
    let is_checked = file.report.verdict() != Verdict::NotChecked;
    suite.add("verdict", (!is_checked).then_some(&verdict), &verdict);
    let mut listed: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for Listed { finding, .. } in &file.findings {
        listed.entry(&finding.code).or_default().push(finding);
    }
    for (code, findings) in &file.counts.by_code {
        let of_code = listed.get(code.as_str()).map_or(&[][..], Vec::as_slice);
        let mut lines: Vec<String> =
            of_code.iter().take(PLACES).map(|finding| place(&file.file, finding)).collect();
        let more = findings.saturating_sub(lines.len() as u64);
        if more > 0 {
            lines.push(format!("{more} more"));
        }
        let fails = of_code.first().is_some_and(|first| first.severity == Severity::Error);
        let what = count(*findings, "finding");
        suite.add(&escaped(code), fails.then_some(&what), &lines.join("\n"));
    }
    suite
}

fn suite_of_unread(file: &Unread) -> Suite {
    let mut suite = Suite { name: escaped(&file.file), ..Suite::default() };
    let why = escaped(&file.message());
    suite.add(NOT_READ, Some(&why), &why);
    suite
}

/// A finding on one line.
fn place(file: &str, finding: &Finding) -> String {
    let mut place = file.to_owned();
    if let Some(entry) = &finding.entry {
        let _ = write!(place, ":{entry}");
    }
    for number in [finding.line, finding.column].into_iter().flatten() {
        let _ = write!(place, ":{number}");
    }
    escaped(&format!("{place}: {}", message(finding)))
}

/// Text in XML 1.0: on one line, without the characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::tests::{assert_tame, file, unread};

    #[test]
    fn errors_fail_and_the_first_places_are_named() {
        let mut files = [
            file("a.jsonl", &[("a/b", Severity::Error, 30), ("a/c", Severity::Warning, 1)]),
            file("b.jsonl", &[]),
        ];
        files[1].report.checked = false;
        let text = report(&files, &[unread("c.jsonl")]);
        assert_tame(&text);
        assert!(
            text.contains("<testsuites name=\"evalcheck\" tests=\"5\" failures=\"3\" errors=\"0\">"),
            "{text}"
        );
        let places = text.matches("\na.jsonl:1").count() + text.matches(">a.jsonl:").count();
        assert!(places > 2 && text.matches("a.jsonl:").count() == 22, "{text}");
        assert!(text.contains("\n10 more</failure>"), "{text}");
        assert!(!text.contains("</failure>]]>"), "{text}");
    }
}
