//! Joins the lines of a record.

use std::ops::Range;

use super::RecordFix;
use super::composed::Composed;
use super::syntax::fix_syntax;
use crate::parse;

/// The edits that turn a record on several lines, which end with LF, into one line of JSON. `in_strings` are the offsets of line breaks in
/// strings. `None` if the record cannot be turned into JSON.
///
/// ```
/// # use evalcheck_diagnose::join_lines;
/// let text = b"{\"a\": 1, // one\n  \"b\": \"x\ny\"}";
/// let fix = join_lines(text, &[25]).unwrap();
/// assert_eq!(fix.apply(text), b"{\"a\": 1, \"b\": \"x\\ny\"}");
/// ```
pub fn join_lines(record: &[u8], in_strings: &[usize]) -> Option<RecordFix> {
    // A backslash before a line break continues a string in some languages; in JSON it is half an escape.
    let is_escaped =
        |at: usize| record[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    let line_break = |&at: &usize| {
        if is_escaped(at) { (at - 1..at + 1, String::new()) } else { (at..at + 1, "\\n".to_owned()) }
    };
    let breaks: Vec<_> = in_strings.iter().map(line_break).collect();
    let mut fix = if in_strings.iter().any(|&at| is_escaped(at)) {
        RecordFix::not_safe("Join the lines, which guesses what a backslash at the end of one is for")
    } else {
        RecordFix::safe("Join the lines")
    };
    let mut composed = Composed::new(record.len()).edit(&breaks)?;
    let mut text = apply(breaks, record);
    if parse(&text).is_err() {
        let repair = fix_syntax(&text)?;
        composed = composed.edit(&repair.edits)?;
        text = repair.apply(&text);
        let applicability = fix.applicability.max(repair.applicability);
        let title = "Write it as JSON on one line".into();
        fix = RecordFix { title, applicability, edits: Vec::new(), ..repair };
    }
    composed = composed.edit(&line_breaks(&text))?;
    Some(composed.into_fix(record.len(), fix))
}

/// Deletes line breaks and the indentation after them, but keeps a space after a comma. No line break of `text` is in a
/// string.
fn line_breaks(text: &[u8]) -> Vec<(Range<usize>, String)> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for at in memchr::memchr_iter(b'\n', text) {
        if edits.last().is_some_and(|(last, _)| last.end > at) {
            continue;
        }
        let start = text[..at].trim_ascii_end().len();
        let end = text.len() - text[at..].trim_ascii_start().len();
        let space = if text[..start].ends_with(b",") { " " } else { "" };
        edits.push((start..end, space.to_owned()));
    }
    edits
}

fn apply(edits: Vec<(Range<usize>, String)>, text: &[u8]) -> Vec<u8> {
    RecordFix { edits, ..RecordFix::safe("") }.apply(text)
}
