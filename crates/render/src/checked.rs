//! Checked files, the input of outputs that are written at the end of a run.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::MAIN_SEPARATOR;

use evalcheck_report::text::one_line;
use evalcheck_report::view::Excerpt;
use evalcheck_report::{Counts, Finding, Report, Severity};

/// A file that was checked.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    /// Its path, as the user named it.
    pub file: String,
    /// The report of the whole file; the listed findings are in [`Self::findings`].
    pub report: Report,
    /// The counts of the findings that a selection of rules and a filter keep, listed or not.
    pub counts: Counts,
    /// Findings in the order of the file.
    pub findings: Vec<Listed>,
    /// Findings that are in a baseline; `None` if there is no baseline.
    pub known: Option<Vec<Listed>>,
    /// All findings by rule and path, listed or not.
    pub groups: Vec<Group>,
}

/// The rule of files that could not be read.
pub(crate) const NOT_READ: &str = "file/not-read";

/// A file that could not be opened. A file that could not be read to its end has a report, whose findings state this.
#[derive(Debug, Clone)]
pub struct Unread {
    /// Its path, as the user named it.
    pub file: String,
    /// The reason.
    pub why: String,
}

impl Unread {
    /// The path with `/` between folders, relative to the working directory.
    pub(crate) fn path(&self) -> String {
        with_slashes(&self.file)
    }

    /// The reason why it was not read, on one line.
    pub(crate) fn message(&self) -> String {
        format!("The file could not be read: {}", one_line(&self.why))
    }
}

/// The findings of one rule, at paths that differ in indices only.
#[derive(Debug, Clone)]
pub struct Group {
    /// The number of findings.
    pub findings: u64,
    /// The first finding.
    pub first: Finding,
}

/// A listed finding.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The finding.
    pub finding: Finding,
    /// The part of its line around it.
    pub excerpt: Option<Excerpt>,
    /// A number that findings of one rule in equal records share, in any version of the dataset.
    pub fingerprint: u64,
}

impl Listed {
    /// The text that the finding is about, if the excerpt shows all of it.
    pub(crate) fn spanned(&self) -> Option<&str> {
        let excerpt = self.excerpt.as_ref()?;
        let length = self.finding.byte_end?.checked_sub(self.finding.byte_start?)?;
        excerpt.text.get(excerpt.start..excerpt.end).filter(|span| span.len() as u64 == length)
    }
}

impl CheckedFile {
    /// The path with `/` between folders, relative to the working directory.
    pub(crate) fn path(&self) -> String {
        with_slashes(&self.file)
    }

    /// The path as a relative URI reference: with `/`, and percent-encoding of reserved characters.
    ///
    /// ```
    /// # use evalcheck_render::checked::uri;
    /// assert_eq!(uri("./a b/ü#1.jsonl"), "a%20b/%C3%BC%231.jsonl");
    /// assert_eq!(uri("/tmp/a.jsonl"), "file:///tmp/a.jsonl");
    /// assert_eq!(uri("c:x"), "c%3Ax");
    /// ```
    pub fn uri(&self) -> String {
        uri(&self.file)
    }

    /// All findings: the listed ones, then those that are in a baseline.
    pub fn all(&self) -> impl Iterator<Item = &Listed> + Clone {
        self.findings.iter().chain(self.known.iter().flatten())
    }

    /// As [`Self::all`].
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Listed> {
        self.findings.iter_mut().chain(self.known.iter_mut().flatten())
    }

    /// The fingerprint of each of [`Self::all`] as text, with its number among equal ones, in the order of the file.
    pub fn fingerprints(&self) -> Vec<String> {
        let mut in_order: Vec<(usize, &Listed)> = self.all().enumerate().collect();
        if self.known.is_some() {
            in_order.sort_by_key(|(_, Listed { finding, .. })| {
                (finding.line.is_none(), finding.line, finding.byte_start)
            });
        }
        let (mut seen, mut prints) = (HashMap::new(), vec![String::new(); in_order.len()]);
        for (index, listed) in in_order {
            let ordinal = seen.entry(listed.fingerprint).or_insert(0_u64);
            *ordinal += 1;
            prints[index] = format!("{:016x}:{ordinal}", listed.fingerprint);
        }
        prints
    }

    /// The number of findings of each rule that are not listed.
    pub fn unlisted(&self) -> BTreeMap<&str, u64> {
        let mut left: BTreeMap<&str, u64> =
            self.counts.by_code.iter().map(|(code, count)| (code.as_str(), *count)).collect();
        for listed in &self.findings {
            if let Some(count) = left.get_mut(listed.finding.code.as_str()) {
                *count = count.saturating_sub(1);
            }
        }
        left.retain(|_, count| *count > 0);
        left
    }
}

/// The path of a file as a URI reference, see [`CheckedFile::uri`].
pub fn uri(path: &str) -> String {
    let path = with_slashes(path);
    let is_drive = MAIN_SEPARATOR == '\\' && path.get(1..3) == Some(":/");
    let start = match path.as_str() {
        path if path.starts_with('/') => "file://",
        _ if is_drive => "file:///",
        _ => "",
    };
    let mut out = start.to_owned();
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into());
            }
            b':' if is_drive && at == 1 => out.push(':'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn with_slashes(path: &str) -> String {
    let path = path.replace(MAIN_SEPARATOR, "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// The message of a finding on one line: its path, the problem, and the hint.
pub fn message(finding: &Finding) -> String {
    let path = finding.path.as_ref().map(|path| format!("{}: ", one_line(path))).unwrap_or_default();
    let hint = finding.hint.as_ref().map(|hint| format!(" {}", one_line(hint))).unwrap_or_default();
    let message = one_line(&finding.message);
    let end = if hint.is_empty() || message.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{path}{message}{end}{hint}")
}

/// The part of a line that an excerpt shows, of at most `most` characters, around the span.
pub fn snippet(excerpt: &Excerpt, most: usize) -> String {
    let before = excerpt.text.get(..excerpt.start).unwrap_or_default();
    let behind = excerpt.text.get(excerpt.start..).unwrap_or_default();
    let kept = before.chars().count().min(most / 4);
    let from = before.char_indices().rev().nth(kept.saturating_sub(1)).map_or(before.len(), |(at, _)| at);
    let from = if kept == 0 { before.len() } else { from };
    before[from..].chars().chain(behind.chars()).take(most).collect()
}

/// Keeps findings that are in a baseline, as far as the others of all files leave room for them.
pub fn fill_up(files: &mut [CheckedFile], most: usize) {
    let mut left = most.saturating_sub(files.iter().map(|file| file.findings.len()).sum());
    for known in files.iter_mut().filter_map(|file| file.known.as_mut()) {
        known.truncate(left);
        left -= known.len();
    }
}

/// The number of findings that every rule keeps, if there is room.
const OF_EACH: usize = 10;

/// Keeps at most `most` findings of all files: some of every rule, then errors before warnings, and for each severity about the same
/// number of each rule. The kept findings remain in order.
pub fn share_out(files: &mut [CheckedFile], most: usize) {
    let mut rules: BTreeMap<(Severity, String), usize> = BTreeMap::new();
    for listed in files.iter().flat_map(|file| &file.findings) {
        *rules.entry((listed.finding.severity, listed.finding.code.clone())).or_default() += 1;
    }
    let of_each = OF_EACH.min(most / rules.len().max(1));
    let mut kept: BTreeMap<(Severity, String), usize> =
        rules.iter().map(|(rule, count)| (rule.clone(), (*count).min(of_each))).collect();
    let mut left = most - kept.values().sum::<usize>();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let mut of_severity: Vec<_> = rules.iter().filter(|((of, _), _)| *of == severity).collect();
        // Rules with few findings first: the room that they leave is for the others.
        of_severity.sort_by_key(|(_, count)| **count);
        let mut waiting = of_severity.len();
        for (rule, count) in of_severity {
            let kept = kept.entry(rule.clone()).or_default();
            let share = (count - *kept).min(left / waiting);
            *kept += share;
            left -= share;
            waiting -= 1;
        }
    }
    for file in files {
        file.findings.retain(|Listed { finding, .. }| {
            kept.get_mut(&(finding.severity, finding.code.clone()))
                .and_then(|left| left.checked_sub(1).map(|fewer| *left = fewer))
                .is_some()
        });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A file with this number of findings for each of these rules, all of them with hostile text of a dataset.
    pub(crate) fn file(name: &str, rules: &[(&str, Severity, u64)]) -> CheckedFile {
        let report = r#"{
            "report": "evalcheck/1", "tool": {"name": "evalcheck", "version": "0.1.0"}, "file": {"name": "a", "size": 1},
            "format": {"id": "juryarena", "version": "", "detected": true, "confidence": 95, "reason": "", "others": []},
            "valid": false, "checked": true, "truncated": false, "findings": [],
            "counts": {"lines": 1, "records": 1, "valid": 0, "invalid": 1, "blank": 0, "header": 0,
                       "errors": 0, "warnings": 0, "infos": 0, "by_code": {}}
        }"#;
        let mut report: Report = serde_json::from_str(report).unwrap();
        let (mut findings, mut groups) = (Vec::<Listed>::new(), Vec::new());
        for (code, severity, count) in rules {
            report.counts.by_code.insert((*code).to_owned(), *count);
            match severity {
                Severity::Error => report.counts.errors += count,
                Severity::Warning => report.counts.warnings += count,
                Severity::Info => report.counts.infos += count,
            }
            findings.extend((1..=*count).map(|line| Listed {
                finding: Finding {
                    code: (*code).to_owned(),
                    severity: *severity,
                    line: Some(line),
                    column: Some(7),
                    byte_start: Some(10),
                    byte_end: Some(13),
                    record: Some(line - 1),
                    path: Some(HOSTILE.to_owned()),
                    message: HOSTILE.to_owned(),
                    hint: Some("Use 'user'.".to_owned()),
                    says: None,
                    refused_by: None,
                    related: Vec::new(),
                    entry: None,
                    fix: None,
                    loss: None,
                },
                excerpt: Some(Excerpt {
                    text: format!("{{\"a\":\"{HOSTILE}\"}}"),
                    start: 6,
                    end: 9,
                    clipped_before: false,
                    clipped_after: false,
                }),
                fingerprint: 7,
            }));
            let first = findings[findings.len() - usize::try_from(*count).unwrap()].finding.clone();
            groups.push(Group { findings: *count, first });
        }
        let counts = report.counts.clone();
        CheckedFile { file: name.to_owned(), report, counts, findings, known: None, groups }
    }

    /// Text that has an effect in one of the systems that read outputs, unless it is escaped.
    pub(crate) const HOSTILE: &str =
        "=1+1\n::error file=x::y%0A\r##[error]z\u{1b}[31m\u{1b}]0;t\u{7}</failure>]]><b>`|\u{0}";

    /// A file that could not be read, with a hostile text as the reason.
    pub(crate) fn unread(name: &str) -> Unread {
        Unread { file: name.to_owned(), why: HOSTILE.to_owned() }
    }

    /// Panics if a line of a text begins with a command of the dataset, or contains a control character.
    pub(crate) fn assert_tame(text: &str) {
        for line in text.lines() {
            let begins = line.trim_start();
            assert!(!begins.starts_with("::error file=x") && !begins.starts_with("##["), "{line}");
        }
        let is_control = |c: char| c.is_control() && c != '\n';
        assert!(!text.contains(is_control), "{text:?}");
    }

    #[test]
    fn findings_are_shared_out() {
        let mut files = [
            file("a", &[("a/many", Severity::Error, 100), ("a/few", Severity::Error, 3)]),
            file("b", &[("b/warned", Severity::Warning, 50), ("a/many", Severity::Error, 100)]),
        ];
        share_out(&mut files, 60);
        let count = |code: &str| {
            files.iter().flat_map(|file| &file.findings).filter(|listed| listed.finding.code == code).count()
        };
        assert_eq!((count("a/many"), count("a/few"), count("b/warned")), (47, 3, 10));
        assert_eq!(files[0].unlisted(), BTreeMap::from([("a/many", 53)]));
        share_out(&mut files, 1000);
        assert_eq!(files[0].findings.len() + files[1].findings.len(), 60, "all fit");
    }

    #[test]
    fn snippets_are_around_the_span() {
        let excerpt = |text: &str, start: usize| Excerpt {
            text: text.to_owned(),
            start,
            end: start + 1,
            clipped_before: false,
            clipped_after: false,
        };
        assert_eq!(snippet(&excerpt("abcdefgh", 5), 4), "efgh");
        assert_eq!(snippet(&excerpt("éü", 2), 200), "éü");
        assert_eq!(snippet(&excerpt("abcdefgh", 0), 4), "abcd");
        assert_eq!(snippet(&excerpt("", 0), 4), "");
    }

    #[test]
    fn equal_findings_have_numbers() {
        let prints = file("a", &[("a/b", Severity::Error, 2)]).fingerprints();
        assert_eq!(prints, ["0000000000000007:1", "0000000000000007:2"]);
    }
}
