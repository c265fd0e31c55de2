//! Examples, and their findings.

use std::fmt::Write;
use std::io::{Cursor, Read, Seek, SeekFrom};

use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;

use super::markdown::fenced;
use crate::check::{Check, FileInfo};
use crate::formats::{Example, Format};

/// True when the example of a rule is the content of a file, which can be checked, and not a description of one: it
/// begins like JSON, or it has several lines.
pub fn is_dataset(example: &str) -> bool {
    example.starts_with(['{', '[']) || example.contains('\n')
}

/// A section about one example: its title, its content and its findings.
pub(super) fn section(format: &Format, example: &Example) -> String {
    let bytes = match (example.content)() {
        ExampleContent::Text(text) => text.into_bytes(),
        ExampleContent::Bytes(bytes) => bytes,
    };
    let mut source = Cursor::new(bytes);
    let mut check = checked(&mut source, example.file_name, format.id);
    let report = check.report();
    let mut out = format!("**{}** (`{}`)", example.title, example.file_name);
    if let Some(entry) = &report.file.entry {
        let _ = write!(out, ", entry `{entry}`");
    }
    out.push_str(":\n\n");
    out.push_str(&fenced("text", &content(&mut check, &mut source, &report)));
    if !report.findings.is_empty() {
        let text = evalcheck_render::text::report_text(&report);
        let _ = write!(out, "\nFindings:\n\n{}", fenced("text", &text));
    }
    out
}

/// The text of the dataset: the file, or the entry of the ZIP.
fn content(check: &mut Check, source: &mut Cursor<Vec<u8>>, report: &Report) -> String {
    if report.file.entry.is_none() {
        return String::from_utf8_lossy(source.get_ref()).into_owned();
    }
    let lines = (1..=report.counts.lines).filter_map(|line| check.record(source, line).ok()?);
    lines.map(|record| record.source.text).collect::<Vec<_>>().join("\n")
}

/// Checks a file to its end.
fn checked(source: &mut (impl Read + Seek), name: &str, format: &str) -> Check {
    let size = source.seek(SeekFrom::End(0)).unwrap_or(0);
    let info = FileInfo { name: name.to_owned(), size };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let mut check = Check::open(source, info, options);
    while let Some(wanted) = check.next_range() {
        let read =
            source.seek(SeekFrom::Start(wanted.start)).and_then(|_| source.read(check.buffer(1 << 16)));
        match read {
            Ok(n) if n > 0 => check.commit(n),
            _ => check.fail("the example is shorter than it was"),
        }
    }
    check
}
