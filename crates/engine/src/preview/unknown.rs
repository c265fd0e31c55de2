//! The records at the beginning of a file of no known format, as far as they can be distinguished.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use evalcheck_json::extent::{EndFinder, Extent};
use evalcheck_json::tokens::{TokenKind, significant};
use evalcheck_report::view::{Record, Row, Rows, Source};

use super::View;
use super::cells::CellReader;
use super::rows::{headings, row_of};
use crate::detect::HEAD;
use crate::diagnose;
use crate::formats::fields::COMMON;

/// The maximum number of records that are listed.
const MOST: usize = 1_000;

/// After this many values without an end, values no longer continue on further lines.
const MOST_ERRORS: usize = 100;

pub(super) fn rows<R: Read + Seek>(view: &mut View<'_, R>, wanted: Range<u64>) -> io::Result<Rows> {
    let (head, is_whole) = head(view)?;
    let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let Found { records, is_cut } = find(&head, is_whole);
    let reader = CellReader::new(COMMON);
    let wanted = place(wanted.start).min(records.len())..place(wanted.end).min(records.len());
    let mut lines = LineCounter { head: &head, line: 1, at: 0 };
    let row = |(record, span): (usize, &Range<usize>)| {
        let bytes = &head[span.clone()];
        let parsed = diagnose::parse(bytes).ok();
        let row = row_of(&reader, bytes, parsed.as_ref().map(|parsed| &parsed.value), None);
        Row { record: record as u64, line: lines.line_of(span.start), byte_start: span.start as u64, ..row }
    };
    let rows = (wanted.start..).zip(&records[wanted.clone()]).map(row).collect();
    Ok(Rows {
        total: records.len() as u64,
        is_beginning: is_cut,
        columns: headings(COMMON),
        lists: Vec::new(),
        rows,
    })
}

/// The text of a record.
pub(super) fn record<R: Read + Seek>(view: &mut View<'_, R>, record: u64) -> io::Result<Option<Record>> {
    let (head, is_whole) = head(view)?;
    let found = find(&head, is_whole);
    let span = usize::try_from(record).ok().and_then(|record| found.records.get(record));
    let line = |at| LineCounter { head: &head, line: 1, at: 0 }.line_of(at);
    Ok(span.map(|span| Record {
        line: line(span.start),
        findings: Vec::new(),
        source: Source {
            editable: None,
            ..super::text::source(&head[span.clone()], span.len() as u64, span.start as u64, &[], None)
        },
        sample: None,
        sample_is_fixed: None,
        loaded: None,
        encodings: Vec::new(),
    }))
}

/// The first bytes, and whether they are the whole file.
fn head<R: Read + Seek>(view: &mut View<'_, R>) -> io::Result<(Vec<u8>, bool)> {
    let mut head = Vec::new();
    let flow = view.read_from(0, |bytes| {
        let room = HEAD - head.len();
        head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok((head, flow.is_continue()))
}

/// Counts lines up to offsets, which are in the order of the file.
struct LineCounter<'a> {
    head: &'a [u8],
    line: u64,
    at: usize,
}

impl LineCounter<'_> {
    fn line_of(&mut self, at: usize) -> u64 {
        self.line += memchr::memchr_iter(b'\n', &self.head[self.at..at]).count() as u64;
        self.at = at;
        self.line
    }
}

/// The records of a file.
struct Found {
    records: Vec<Range<usize>>,
    /// Whether the file has more after them.
    is_cut: bool,
}

/// The elements of an array, or of the first list of objects in a document; otherwise each value, or each line without a value.
fn find(head: &[u8], is_whole: bool) -> Found {
    let first = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let first = first + spaces(&head[first..]);
    let list = match head.get(first) {
        Some(b'[') => Some(first + 1),
        Some(b'{') => list_in(head, first),
        _ => None,
    };
    let mut found = Found { records: Vec::new(), is_cut: false };
    let (mut at, mut errors) = (list.unwrap_or(first), 0);
    loop {
        at += spaces(&head[at..]);
        if list.is_some() && head.get(at) == Some(&b',') {
            at += 1;
            continue;
        }
        let rest = &head[at..];
        if rest.is_empty() || (list.is_some() && rest.starts_with(b"]")) {
            found.is_cut = !is_whole && rest.is_empty();
            return found;
        }
        if found.records.len() == MOST {
            found.is_cut = true;
            return found;
        }
        let line = memchr::memchr(b'\n', rest);
        let line_end = line.unwrap_or(rest.len());
        let is_value = |end: usize| end > 0 && diagnose::parse(&rest[..end]).is_ok();
        let end = if list.is_none() && is_value(line_end) {
            line_end
        } else {
            let extent = if errors < MOST_ERRORS { EndFinder::default().find(rest) } else { Extent::Lost };
            match extent {
                Extent::Ends(end) if is_value(end) => end,
                Extent::More if !is_whole => {
                    found.is_cut = true;
                    return found;
                }
                _ => {
                    errors += 1;
                    line_end.max(1)
                }
            }
        };
        if !is_whole && at + end == head.len() {
            // It may be cut.
            found.is_cut = true;
            return found;
        }
        found.records.push(at..at + rest[..end].trim_ascii_end().len());
        at += end;
    }
}

fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The start of the elements of the first list of objects in the document that begins here. `None` if another value comes after it.
fn list_in(head: &[u8], first: usize) -> Option<usize> {
    if let Extent::Ends(end) = EndFinder::default().find(&head[first..])
        && spaces(&head[first + end..]) < head.len() - first - end
    {
        return None;
    }
    // The first line of JSONL may be longer than the bytes that are read: a document has its list on the first level.
    let (mut depth, mut list) = (0, None);
    for token in significant(&head[first..]) {
        match token.kind {
            TokenKind::Punctuation(b'{') if list.is_some() => return list,
            TokenKind::Punctuation(byte @ (b'{' | b'[')) => {
                depth += 1;
                list = (depth == 2 && byte == b'[').then_some(first + token.span.end);
            }
            TokenKind::Punctuation(b'}' | b']') => {
                depth -= 1;
                list = None;
            }
            _ => list = None,
        }
        if depth == 0 {
            return None;
        }
    }
    None
}
