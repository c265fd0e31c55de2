//! Findings as CSV, for spreadsheets.

use evalcheck_report::Severity;

use crate::checked::{CheckedFile, NOT_READ, Unread};

const COLUMNS: &[&str] = &[
    "file",
    "entry",
    "line",
    "column",
    "byte_start",
    "byte_end",
    "record",
    "path",
    "severity",
    "code",
    "message",
    "hint",
    "fix",
];

/// A row for each finding, and one for each file that was not read, below a header. Lines end in CRLF, as in RFC 4180. A cell that a
/// spreadsheet would evaluate, since it begins with `=`, `+`, `-` or `@`, is prefixed with an apostrophe.
pub fn table(files: &[CheckedFile], unread: &[Unread]) -> String {
    let mut out = row(COLUMNS.iter().map(|name| (*name).to_owned()));
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    for (file, listed) in files.iter().flat_map(|file| file.findings.iter().map(move |listed| (file, listed)))
    {
        let finding = &listed.finding;
        let text = |text: Option<&str>| cell(text.unwrap_or_default());
        out.push_str(&row([
            cell(&file.file),
            text(finding.entry.as_deref()),
            number(finding.line),
            number(finding.column),
            number(finding.byte_start),
            number(finding.byte_end),
            number(finding.record),
            text(finding.path.as_deref()),
            finding.severity.as_str().to_owned(),
            finding.code.clone(),
            cell(&finding.message),
            text(finding.hint.as_deref()),
            text(finding.fix.as_ref().map(|fix| fix.title.as_str())),
        ]));
    }
    for file in unread {
        let cells = COLUMNS.iter().map(|column| match *column {
            "file" => cell(&file.file),
            "severity" => Severity::Error.as_str().to_owned(),
            "code" => NOT_READ.to_owned(),
            "message" => cell(&file.message()),
            _ => String::new(),
        });
        out.push_str(&row(cells));
    }
    out
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("{}\r\n", cells.into_iter().collect::<Vec<_>>().join(","))
}

/// A cell of text, on one line.
fn cell(text: &str) -> String {
    let text = evalcheck_report::text::one_line(text);
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::tests::{assert_tame, file, unread};

    #[test]
    fn nothing_is_computed() {
        let text = table(&[file("-a,\"b\".jsonl", &[("a/b", Severity::Error, 2)])], &[unread("c.jsonl")]);
        assert_tame(&text.replace("\r\n", "\n"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[3].starts_with("c.jsonl,,,,,,,,error,file/not-read,The file could not be read: =1+1"),
            "{}",
            lines[3]
        );
        assert!(lines[1].starts_with("\"'-a,\"\"b\"\".jsonl\",,1,7,10,13,0,'=1+1"), "{}", lines[1]);
        assert!(lines[1].ends_with(",Use 'user'.,"), "{}", lines[1]);
    }
}
