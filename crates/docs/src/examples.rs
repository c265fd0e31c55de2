//! Examples, and their findings.

use std::fmt::Write;
use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::{Example, Format};
use evalcheck_report::Report;
use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::CheckOptions;

use crate::markdown::fenced;

/// Whether the example of a rule is the content of a file, which can be checked, and not a description of one: it
/// begins like JSON, or it has several lines.
pub fn is_dataset(example: &str) -> bool {
    example.starts_with(['{', '[']) || example.contains('\n')
}

/// Characters of the longest line that is shown whole.
const LONGEST: usize = 300;

fn clipped(line: &str) -> String {
    let end = line.char_indices().nth(LONGEST).map(|(end, _)| end);
    end.map_or_else(|| line.to_owned(), |end| format!("{}…", &line[..end]))
}

/// A section about one example: its title, its content and its findings.
pub(crate) fn section(format: &Format, example: &Example) -> String {
    let bytes = match example.content() {
        ExampleContent::Text(text) => text.into_bytes(),
        ExampleContent::Bytes(bytes) => bytes,
    };
    let mut check = checked(&bytes, example.file_name, format.id);
    let report = check.report();
    let mut out = format!("**{}** (`{}`)", example.title, example.file_name);
    if let Some(entry) = &report.file.entry {
        let _ = write!(out, ", entry `{entry}`");
    }
    out.push_str(":\n\n");
    let text = content(&mut check, &bytes, &report);
    let lines: Vec<String> = text.lines().map(clipped).collect();
    out.push_str(&fenced("text", &lines.join("\n")));
    if text.lines().any(|line| line.chars().count() > LONGEST) {
        out.push_str("\nLines that end with an ellipsis are longer; the page has the example whole.\n");
    }
    if !report.findings.is_empty() {
        let text = evalcheck_render::text::report_text(&report, &report.file.name);
        let _ = write!(out, "\nFindings:\n\n{}", fenced("text", &text));
    }
    out
}

/// The text of the dataset: the file, or the entry of the ZIP.
fn content(check: &mut Check, file: &[u8], report: &Report) -> String {
    if report.file.entry.is_none() {
        return String::from_utf8_lossy(file).into_owned();
    }
    let mut source = Cursor::new(file);
    let lines =
        (1..=report.counts.lines).filter_map(|line| check.view(&mut source).record(line, None).ok()?);
    lines.map(|record| record.source.text).collect::<Vec<_>>().join("\n")
}

/// Checks a file to its end.
fn checked(bytes: &[u8], name: &str, format: &str) -> Check {
    let info = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let mut check = Check::open(&mut Cursor::new(bytes), info, options);
    check.read_all(bytes, 1 << 16);
    check
}
