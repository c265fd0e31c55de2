//! Fixes of the text around the values of a record: comments, dots, NUL bytes, other records.

use std::ops::Range;

use evalcheck_report::Applicability::{Safe, Unsafe};

use super::step::Step;
use crate::parse::{Parser, parse};
use crate::record_text::RecordStart;
use evalcheck_json::tokens::{TokenKind, Tokens};

/// Deletes the comment that begins at `at`.
pub(super) fn without_comment(text: &[u8], at: usize) -> Option<Step> {
    let span = comment(text, at)?;
    let content = &text[span.clone()];
    if memchr::memchr_iter(b'"', content).count() % 2 == 1 {
        // An unmatched quote may be the end of a text.
        Step::one("Delete the comment, which may be a text", Unsafe, span, "")
    } else if has_data(content) {
        Step::one("Delete the comment, in which there may be data that was left out", Unsafe, span, "")
    } else {
        Step::one("Delete the comment", Safe, span, "")
    }
}

/// Whether a comment may contain data that was commented out: it has any sign of JSON, of a table or of code, or a digit. A sentence has
/// none.
fn has_data(comment: &[u8]) -> bool {
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"/*#,".contains(byte);
    let start = comment.iter().position(|byte| !is_around(byte)).unwrap_or(comment.len());
    let end = comment.iter().rposition(|byte| !is_around(byte)).map_or(start, |last| last + 1);
    let content = comment.get(start..end).unwrap_or_default();
    let is_of_data = |byte: &u8| byte.is_ascii_digit() || b"[]{}\"`:=|".contains(byte);
    content.iter().any(is_of_data) || content.first() == Some(&b'\'') || parse(content).is_ok()
}

/// The span of the comment that begins at `at`, and of the white space before it. `None` if the comment is not closed.
fn comment(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = text[..at].trim_ascii_end().len();
    let comment = Tokens::new(&text[at..]).next()?;
    (comment.kind == TokenKind::Comment { is_closed: true }).then(|| start..at + comment.span.end)
}

/// Deletes an ellipsis with its comma. `None` if it is the value of a key.
pub(super) fn without_ellipsis(text: &[u8], span: Range<usize>, in_lines: bool) -> Option<Step> {
    let before = text[..span.start].trim_ascii_end();
    let behind = text.len() - text[span.end..].trim_ascii_start().len();
    let title = "Delete the dots, which loses that something was left out";
    match before.last() {
        Some(b',') if matches!(text.get(behind), Some(b',' | b']' | b'}')) => {
            Step::one(title, Unsafe, before.len() - 1..span.end, "")
        }
        // The comma before them separates the values around them.
        Some(b',') => Step::one(title, Unsafe, span, ""),
        Some(b'[' | b'{') => {
            let end = if text.get(behind) == Some(&b',') { behind + 1 } else { span.end };
            Step::one(title, Unsafe, span.start..end, "")
        }
        None if in_lines && behind == text.len() => Step::one(title, Unsafe, 0..text.len(), ""),
        _ => None,
    }
}

/// Deletes NUL bytes, with the remains of the record around them.
pub(super) fn without_nul_bytes(text: &[u8], span: Range<usize>, in_lines: bool) -> Option<Step> {
    let is_last = text[span.end..].iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace());
    let before = text[..span.start].trim_ascii();
    if is_last && before.is_empty() {
        let title = "Delete the NUL bytes, in whose place a record is missing";
        return in_lines.then(|| Step::one(title, Unsafe, 0..text.len(), ""))?;
    }
    if is_last && parse(before).is_err() {
        return in_lines
            .then(|| Step::one("Delete the record, which is cut off", Unsafe, 0..text.len(), ""))?;
    }
    Step::one("Delete the NUL bytes, in whose place something is missing", Unsafe, span, "")
}

/// Deletes a line of words without JSON, which models write before and after the records.
pub(super) fn without_prose(text: &[u8], word: usize, in_lines: bool) -> Option<Step> {
    let line = text.trim_ascii();
    let begins = text[..word].trim_ascii().is_empty();
    let is_prose = line.contains(&b' ') && !line.iter().any(|byte| b"{}[]\"".contains(byte));
    let title = "Delete the line, which guesses that it is no record";
    (in_lines && begins && is_prose).then(|| Step::one(title, Unsafe, 0..text.len(), ""))?
}

/// Puts line breaks between several values of a line, in place of the bytes between them.
pub(super) fn several(text: &[u8], in_lines: bool) -> Option<Vec<(Range<usize>, String)>> {
    if !in_lines {
        return None;
    }
    let mut parser = Parser::new(text, RecordStart { line: 1, column: 1, ..RecordStart::default() });
    let mut edits = Vec::new();
    let mut end = None;
    loop {
        parser.white_space();
        if parser.peek() == Some(b',') && end.is_some() {
            parser.at += 1;
            parser.white_space();
        }
        if parser.at == text.len() {
            break;
        }
        if let Some(end) = end {
            edits.push((end..parser.at, "\n".to_owned()));
        }
        parser.value().ok()?;
        end = Some(parser.at);
    }
    Some(edits)
}
